"""Is it there? Looks at one place enter; log-odds leave: that a thing is real, and that it has not been taken away.

What is missed stays missed for a while, and what is imagined stays imagined for a while: so a further look alike says
the less the sooner it comes, and the odds move by time rather than by looks. Some imagined things stay for as long as
their place looks as it does (the lamp of a sensor), so being real has a bound that no number of looks lifts.
"""

from dataclasses import dataclass
from math import exp, log, log1p
from typing import Final

from vision.observe.model import FoundRates, ObservationModel

SURE: Final = (
    9.0  # log-odds that what was just found has not been taken: it would have to be imagined in its very place
)
UNKNOWN: Final = 4.0  # looks that the rates of all things count for, beside those of this thing


@dataclass(eq=False)
class Presence:
    """The log-odds that a thing is real, and that it still is where it was."""

    model: ObservationModel
    rates: FoundRates
    by_hand: bool  # a hand was there when it came
    real: float
    there: float = SURE
    looks: int = 1  # that saw it
    looked: int = 1  # that would have seen it
    misses: float = 0.0  # times it was missed while it surely was there
    missed_ns: int | None = None  # since when it is missed in plain view
    is_doubtful: bool = False  # it is missed where something may hide it

    @classmethod
    def begin(cls, model: ObservationModel, side: str, *, by_hand: bool) -> "Presence":
        """Return the presence of what was found once."""
        false = model.false.by_hand if by_hand else model.false.alone
        return cls(model, model.found(side), by_hand, log1p(-false) - log(false))

    @property
    def log_odds(self) -> float:
        """Return the log-odds that it is real and there."""
        return -log(exp(-self.real) + exp(-self.there) + exp(-self.real - self.there))

    def saw(self, passed_ns: int) -> None:
        """Note a look that found it, so long after the look before."""
        self.looks, self.looked = self.looks + 1, self.looked + 1
        self.misses += self.missed_ns is not None
        self.missed_ns, self.is_doubtful, self.there = None, False, SURE
        false = self.model.false
        lasting = false.lasting_by_hand if self.by_hand else false.lasting_alone
        bound = log1p(-lasting) - log(lasting)
        self.real = min(self.real + passed_ns / 1e9 / false.lasts_s, max(self.real, bound))

    def touched(self) -> None:
        """Note that a hand was at it: it may have been taken away."""
        self.there = min(self.there, log1p(-self.model.hands.gone) - log(self.model.hands.gone))

    def missed(self, t_ns: int, passed_ns: int, hidden: float) -> None:
        """Note a look that did not find it; `hidden`: how likely something hid it, which stays so while it is there."""
        self._leave(self.model.hands.gone_alone * passed_ns / 1e9)
        if hidden:
            self.there += 0.0 if self.is_doubtful else log(hidden + (1 - hidden) * self.miss_rate)
            self.is_doubtful, self.missed_ns = True, None
            return
        self.looked += 1
        if self.missed_ns is None:
            self.missed_ns = t_ns
            self.there += log(self.miss_rate)
            return
        self.there -= passed_ns / 1e9 / self.rates.missed_s

    def hide(self) -> None:
        """Note that it cannot be seen: an earlier miss was a hiding that began."""
        self.missed_ns = None

    @property
    def miss_rate(self) -> float:
        """Return how likely a first miss of this thing is while it lies there."""
        return min((self.misses + UNKNOWN * self.rates.missed) / (self.looks + UNKNOWN), 0.9)

    def _leave(self, chance: float) -> None:
        """Let it be taken away unseen, with so small a chance."""
        gone = exp(-self.there)
        self.there = -log(gone + chance * (1 + gone))
