"""What chips are worth, as a distribution with all its mass: what was read, and a little for anything else.

The mode of a sum is not the sum of modes, and the bounds of a sum are not the sums of bounds: so distributions are
added up whole, and only what is written at the end is a number.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

MOST: Final = 40  # amounts that are kept one by one; what is less likely joins the rest
ELSE: Final = 1e-5  # assumed: chance of an amount that no reading allows
STEPS: Final = 100  # amounts over which the rest is spread, where no bounds say how far


@dataclass(frozen=True)
class Chips:
    """How likely each amount of cents is; `rest` is shared by all amounts that are not named."""

    chances: Mapping[int, float]
    rest: float = 0.0

    @classmethod
    def of(cls, chances: Iterable[tuple[int, float]]) -> "Chips":
        """Return a distribution; what lacks to 1 is for the rest."""
        kept = dict(sorted(chances, key=lambda entry: (-entry[1], entry[0]))[:MOST])
        return cls(kept, max(1.0 - sum(kept.values()), ELSE))

    def p(self, cents: int) -> float:
        """Return how likely so much is."""
        return self.chances.get(cents, 0.0) + self.rest / STEPS

    @cached_property
    def ranked(self) -> tuple[tuple[int, float], ...]:
        """Return the named amounts, the likeliest first."""
        return tuple(sorted(self.chances.items(), key=lambda entry: (-entry[1], entry[0])))

    @property
    def likeliest(self) -> int | None:
        """Return the likeliest amount, None where none was read."""
        return self.ranked[0][0] if self.ranked else None

    def plus(self, other: "Chips") -> "Chips":
        """Return what both are worth together."""
        sums: dict[int, float] = {}
        for a, p in self.ranked:
            for b, q in other.ranked:
                sums[a + b] = sums.get(a + b, 0.0) + p * q
        return Chips.of(sums.items())


UNREAD: Final = Chips({}, 1.0)
NONE: Final = Chips({0: 1.0}, 0.0)


def together(parts: Iterable[Chips]) -> Chips:
    """Return what several stacks are worth together."""
    whole = NONE
    for part in parts:
        whole = whole.plus(part)
    return whole
