"""What a standing stack is worth: readings enter; a distribution over amounts, and whether it changed, leave."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log
from typing import Final

from vision.detect.detection import StackReading
from vision.observe.model import ChipRates, ObservationModel

Amounts = tuple[tuple[int, float], ...]
KEPT: Final = 24  # bounds that are kept
LEAST: Final = 0.002  # amounts that are less likely are not told
MOST_TOLD: Final = 8
OTHERS: Final = 20  # amounts that a stack may have besides those that a reading names (assumed)
FLOOR: Final = 1e-4  # what a reading leaves to them at least
ALIKE: Final = 0.05  # chance that other chips read like those before


@dataclass(eq=False)
class Content:
    """Chips that are the same for a time: what all readings of them say together.

    `logs` are sums of logarithms: of how likely each amount is, against one that the reading did not name.
    """

    rates: ChipRates
    start_ns: int
    last_ns: int = 0  # when it was last read
    looks: int = 0
    named: int = 0  # looks that say what it is worth
    logs: dict[int, float] = field(default_factory=dict)
    counts: dict[int, float] = field(default_factory=dict)  # summed over looks
    bounds: list[tuple[int, int]] = field(default_factory=list)

    def look(self, reading: StackReading, t_ns: int) -> None:
        """Take in one reading; chips that were counted, but not named, give bounds and counts alone."""
        self.looks, self.last_ns = self.looks + 1, t_ns
        worths = worths_of(reading)
        if worths:
            weight = (1.0 if self.named == 0 else self.rates.again) * self.rates.sharpness
            left = max(1 - sum(p for _, p in worths), FLOOR) / OTHERS
            for cents, p in worths:
                self.logs[cents] = self.logs.get(cents, 0.0) + weight * log(max(p, FLOOR) / left)
            self.named += 1
        self.counts[reading.count] = self.counts.get(reading.count, 0.0) + reading.count_p
        if reading.value_bounds is not None:
            self.bounds = [*self.bounds[-KEPT + 1 :], reading.value_bounds]

    def add(self, other: "Content") -> None:
        """Take in the readings of the same chips at another time."""
        weight = self.rates.again if self.named else 1.0
        for cents, value in other.logs.items():
            self.logs[cents] = self.logs.get(cents, 0.0) + weight * value
        for count, p in other.counts.items():
            self.counts[count] = self.counts.get(count, 0.0) + p
        self.looks, self.named, self.last_ns = self.looks + other.looks, self.named + other.named, other.last_ns
        self.bounds = [*self.bounds, *other.bounds][-KEPT:]

    def agrees(self, reading: StackReading) -> float:
        """Return how likely this content and a reading are of the same chips, by amounts or else by counts."""
        mine = self.amounts
        if mine and reading.value_cents is not None:
            return min(sum(p * mine.get(cents, 0.0) for cents, p in worths_of(reading)), 1.0)
        return reading.count_p * self.counts.get(reading.count, 0.0) / max(self.looks, 1)

    def likeness(self, other: "Content") -> float:
        """Return how likely this content and another are worth the same."""
        theirs = other.amounts
        return sum(p * theirs.get(cents, 0.0) for cents, p in self.amounts.items())

    @property
    def amounts(self) -> Mapping[int, float]:
        """Return the probability of each amount; what lacks to 1 is another amount."""
        if not self.logs:
            return {}
        most = max(0.0, *self.logs.values())
        weights = {cents: exp(value - most) for cents, value in self.logs.items()}
        total = (sum(weights.values()) + OTHERS * exp(-most)) / (1 - self.rates.lasting)
        return {cents: weight / total for cents, weight in weights.items()}

    @property
    def told_amounts(self) -> Amounts:
        """Return the amounts worth telling, the likeliest first."""
        return _likeliest(self.amounts)

    @property
    def told_counts(self) -> Amounts:
        """Return the numbers of chips worth telling, the likeliest first."""
        return _likeliest({count: votes / self.looks for count, votes in self.counts.items()})

    @property
    def told_bounds(self) -> tuple[int, int] | None:
        """Return what it is worth at least and at most, by the middle one of the last looks."""
        if not self.bounds:
            return None
        lows, highs = (sorted(ends) for ends in zip(*self.bounds, strict=True))
        return lows[len(lows) // 2], highs[len(highs) // 2]


class ChipBelief:
    """What all looks at one standing stack say: its content now, and whether that is another than before."""

    def __init__(self, model: ObservationModel, t_ns: int) -> None:
        self._model = model
        self.contents = [Content(model.chips, t_ns)]
        self._fresh: Content | None = None  # read since it may have changed
        self._log_odds = log(model.hands.changed_alone)
        self._told: tuple[int, Amounts] | None = None

    @property
    def now(self) -> Content:
        """Return the present content."""
        return self.contents[-1]

    @property
    def number(self) -> int:
        """Return which content it is, from 0."""
        return len(self.contents) - 1

    @property
    def grew(self) -> float:
        """Return how likely the last change added chips."""
        before, now = self.contents[-2:]
        ranked = [(p * q, b, n) for b, p in before.amounts.items() for n, q in now.amounts.items() if b != n]
        total = sum(weight for weight, _, _ in ranked)
        return sum(weight for weight, b, n in ranked if n > b) / total if total else 0.5

    def touched(self, t_ns: int, chance: float) -> None:
        """Note that a hand is at it: with such a chance it has other chips from now on."""
        self._log_odds = max(self._log_odds, log(chance))
        self._fresh = Content(self._model.chips, t_ns) if self.now.looks else None

    def look(self, reading: StackReading, t_ns: int) -> float | None:
        """Take in a look; return the log-odds of a change where this look makes it likelier than not."""
        if not self.now.looks:
            self.now.look(reading, t_ns)
            return None
        same = self.now.agrees(reading)
        wrong = self._model.chips.misread
        self._log_odds += log(ALIKE + (1 - ALIKE) * (1 - same)) - log(wrong + (1 - wrong) * same)
        fresh = self._fresh = self._fresh or Content(self._model.chips, t_ns)
        fresh.look(reading, t_ns)
        if self._log_odds > 0:
            self.contents.append(fresh)
            odds, self._fresh, self._log_odds = self._log_odds, None, log(self._model.hands.changed_alone)
            return odds
        if self._log_odds < log(self._model.hands.changed_alone) or fresh.looks > KEPT:
            self._keep(fresh)
        return None

    def _keep(self, fresh: Content) -> None:
        """Take what was read afresh for the chips known before."""
        self.now.add(fresh)
        self._fresh, self._log_odds = None, log(self._model.hands.changed_alone)

    def tell(self) -> Content | None:
        """Return the present content where it says more than what was told before."""
        if not self.now.looks:
            return None
        told = self.number, self.now.told_amounts
        if self._told is not None and self._told[0] == told[0] and not _differs(self._told[1], told[1]):
            return None
        self._told = told
        return self.now


def worths_of(reading: StackReading) -> Amounts:
    """Return what a reading says of the amount; chips that were counted, but not named, say nothing."""
    if reading.value_cents is None:
        return ()
    return reading.worths or ((reading.value_cents, reading.value_p),)


def _likeliest(chances: Mapping[int, float]) -> Amounts:
    ranked = sorted(chances.items(), key=lambda entry: (-entry[1], entry[0]))[:MOST_TOLD]
    return tuple((value, p) for value, p in ranked if p >= LEAST)


def _differs(told: Amounts, now: Amounts) -> bool:
    """Return whether a distribution moved by a tenth."""
    before, after = dict(told), dict(now)
    return sum(abs(before.get(v, 0.0) - after.get(v, 0.0)) for v in {*before, *after}) > 0.2
