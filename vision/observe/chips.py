"""What a standing stack is worth: readings enter; a distribution over amounts, and whether it changed, leave."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log
from typing import Final

from vision.detect.detection import StackReading
from vision.observe.model import ObservationModel

Amounts = tuple[tuple[int, float], ...]
KEPT: Final = 24  # bounds that are kept
LEAST: Final = 0.002  # amounts that are less likely are not told
MOST_TOLD: Final = 8
ALIKE: Final = 0.05  # chance that other chips read like those before


@dataclass(eq=False)
class Content:
    """Chips that are the same for a time: what all readings of them say together."""

    start_ns: int
    last_ns: int = 0  # when it was last read
    looks: int = 0
    amounts: dict[int, float] = field(default_factory=dict)  # summed over looks
    counts: dict[int, float] = field(default_factory=dict)
    bounds: list[tuple[int, int]] = field(default_factory=list)

    def look(self, reading: StackReading, t_ns: int) -> None:
        """Take in one reading."""
        self.looks, self.last_ns = self.looks + 1, t_ns
        for cents, p in worths_of(reading):
            self.amounts[cents] = self.amounts.get(cents, 0.0) + p
        self.counts[reading.count] = self.counts.get(reading.count, 0.0) + reading.count_p
        if reading.value_bounds is not None:
            self.bounds = [*self.bounds[-KEPT + 1 :], reading.value_bounds]

    def agrees(self, reading: StackReading) -> float:
        """Return how likely this content and a reading are of the same chips, by amounts or else by counts."""
        mine = self.amounts_p
        if mine and reading.value_cents is not None:
            return sum(p * mine.get(cents, 0.0) for cents, p in worths_of(reading))
        return reading.count_p * self.counts.get(reading.count, 0.0) / max(self.looks, 1)

    def likeness(self, other: "Content") -> float:
        """Return how likely this content and another are worth the same."""
        mine, theirs = self.amounts_p, other.amounts_p
        return sum(p * theirs.get(cents, 0.0) for cents, p in mine.items())

    @property
    def amounts_p(self) -> Mapping[int, float]:
        """Return the probability of each amount."""
        return {cents: votes / self.looks for cents, votes in self.amounts.items()}

    @property
    def told_amounts(self) -> Amounts:
        """Return the amounts worth telling, the likeliest first."""
        return _likeliest(self.amounts, self.looks)

    @property
    def told_counts(self) -> Amounts:
        """Return the numbers of chips worth telling, the likeliest first."""
        return _likeliest(self.counts, self.looks)

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
        self.contents = [Content(t_ns)]
        self._fresh: Content | None = None  # read since it may have changed
        self._log_odds = log(model.changed_alone)
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
        ranked = [(p * q, b, n) for b, p in before.amounts_p.items() for n, q in now.amounts_p.items() if b != n]
        total = sum(weight for weight, _, _ in ranked)
        return sum(weight for weight, b, n in ranked if n > b) / total if total else 0.5

    def touched(self, t_ns: int, chance: float) -> None:
        """Note that a hand is at it: with such a chance it has other chips from now on."""
        self._log_odds = max(self._log_odds, log(chance))
        self._fresh = Content(t_ns) if self.now.looks else None

    def look(self, reading: StackReading, t_ns: int) -> float | None:
        """Take in a look; return the log-odds of a change where this look makes it likelier than not."""
        if not self.now.looks:
            self.now.look(reading, t_ns)
            return None
        same = self.now.agrees(reading)
        wrong = self._model.misread_stack
        self._log_odds += log(ALIKE + (1 - ALIKE) * (1 - same)) - log(wrong + (1 - wrong) * same)
        fresh = self._fresh = self._fresh or Content(t_ns)
        fresh.look(reading, t_ns)
        if self._log_odds > 0:
            self.contents.append(fresh)
            odds, self._fresh, self._log_odds = self._log_odds, None, log(self._model.changed_alone)
            return odds
        if self._log_odds < log(self._model.changed_alone) or fresh.looks > KEPT:
            self._keep(fresh)
        return None

    def _keep(self, fresh: Content) -> None:
        """Take what was read afresh for the chips known before."""
        now = self.now
        for cents, p in fresh.amounts.items():
            now.amounts[cents] = now.amounts.get(cents, 0.0) + p
        for count, p in fresh.counts.items():
            now.counts[count] = now.counts.get(count, 0.0) + p
        now.looks, now.last_ns = now.looks + fresh.looks, fresh.last_ns
        now.bounds = [*now.bounds, *fresh.bounds][-KEPT:]
        self._fresh, self._log_odds = None, log(self._model.changed_alone)

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


def _likeliest(votes: Mapping[int, float], looks: int) -> Amounts:
    ranked = sorted(votes.items(), key=lambda entry: (-entry[1], entry[0]))[:MOST_TOLD]
    return tuple((value, vote / looks) for value, vote in ranked if vote / looks >= LEAST)


def _differs(told: Amounts, now: Amounts) -> bool:
    """Return whether a distribution moved by a tenth."""
    before, after = dict(told), dict(now)
    return sum(abs(before.get(v, 0.0) - after.get(v, 0.0)) for v in {*before, *after}) > 0.2


def likelier(log_odds: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + exp(-log_odds))
