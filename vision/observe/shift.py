"""Does a card lie a little elsewhere than before? Looks at it enter; log-odds leave."""

from dataclasses import dataclass
from math import exp, log, pi
from typing import Final

from vision.observe.model import FoundRates
from vision.observe.physics import PUSHED_MM

OFF_MM: Final = 5.0  # deviation of a look that is placed off: a quad that was cut by what lies on it (measured on film)
ANYWHERE: Final = 1 / (pi * PUSHED_MM**2)  # density of where a pushed card lies


@dataclass(eq=False)
class Shift:
    """Weighs one possible shift."""

    log_odds: float
    dx: float = 0.0
    dy: float = 0.0
    looks: int = 0

    def look(self, dx: float, dy: float, rates: FoundRates) -> None:
        """Take in how far from its old place a look shows it."""
        stays = _density(dx, dy, rates)
        went = ANYWHERE if not self.looks else _density(dx - self.dx, dy - self.dy, rates)
        self.log_odds = self.log_odds + log(went) - log(stays)
        self.dx, self.dy = (
            (self.dx * self.looks + dx) / (self.looks + 1),
            (self.dy * self.looks + dy) / (self.looks + 1),
        )
        self.looks += 1

    @property
    def by(self) -> tuple[float, float]:
        """Return how far it went."""
        return self.dx, self.dy


def _density(dx: float, dy: float, rates: FoundRates) -> float:
    """Return how likely a look at a still card is off by so much: mostly a little, sometimes more."""
    d2, narrow, wide = dx * dx + dy * dy, rates.jitter_mm**2, OFF_MM**2
    return (1 - rates.jumps) * exp(-d2 / 2 / narrow) / (2 * pi * narrow) + rates.jumps * exp(-d2 / 2 / wide) / (
        2 * pi * wide
    )
