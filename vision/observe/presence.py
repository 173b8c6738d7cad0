"""Is it there? Looks at one place enter; log-odds leave: that a thing is real and at rest, and later that it is gone.

What is missed stays missed for a while and what is imagined stays imagined for a while, so a further look alike says
less the sooner it comes: the odds move by time, not by looks.
"""

from dataclasses import dataclass
from math import exp, log, log1p
from typing import Final

from vision.observe.model import ObservationModel

MOST: Final = 12.0  # log-odds: no number of looks makes anything surer than the detectors' rare persistent errors
SECOND: Final = 1e9


@dataclass(eq=False)
class Presence:
    """The log-odds that a thing is there."""

    model: ObservationModel
    log_odds: float
    looks: int = 0  # that saw it
    looked: int = 0  # that would have seen it
    found: float = 1.0  # looks that found it, and
    missed: float = 0.0  # that did not, while it was surely there: how well this very thing is seen
    missed_ns: int | None = None  # since when it is missed in plain view

    def saw(self, passed_ns: int) -> None:
        """Note a look that found it, so long after the look before."""
        self.looks, self.looked = self.looks + 1, self.looked + 1
        if self.missed_ns is not None:
            self.missed += 1
        self.found, self.missed_ns = self.found + 1, None
        self.log_odds = min(max(self.log_odds, -2.0) + passed_ns / SECOND / self.model.false_s + 1.0, MOST)

    def hazard(self, passed_ns: int) -> None:
        """Let time pass: things are seldom taken away without a hand."""
        self._leave(self.model.gone_alone * passed_ns / SECOND)

    def touched(self) -> None:
        """Note that a hand was at it: it may have been taken away."""
        self.log_odds = min(self.log_odds, log(1 / self.model.gone_by_hand - 1))

    def missed_now(self, t_ns: int, passed_ns: int) -> None:
        """Note a look in plain view that did not find it."""
        self.looked += 1
        if self.missed_ns is None:
            self.missed_ns = t_ns
            self.log_odds += log(self.miss_rate)
            return
        self.log_odds -= passed_ns / SECOND / self.model.missed_s

    @property
    def miss_rate(self) -> float:
        """Return how likely a first miss of this thing is while it lies there."""
        return min((self.missed + 4 * self.model.missed) / (self.found + self.missed + 4), 0.9)

    def _leave(self, chance: float) -> None:
        odds = exp(min(self.log_odds, 50.0))
        there = odds / (1 + odds) * (1 - chance)
        self.log_odds = log(there) - log1p(-min(there, 1 - 1e-9))
