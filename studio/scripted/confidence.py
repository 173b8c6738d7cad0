"""How sure readings are of themselves: whether a reading is right enters, its confidences leave.

On film right and wrong readings are nearly as sure (five filmed rounds of `feltwatch suite observation`: wrong faces
from 0.32 to 0.996, half of them above 0.58, right ones seldom below 0.77; stacks overlap wholly). Drawn apart, whoever
knows the simulator would read the truth off the confidences: a test bounds what that gains. The shapes are not those of
film, on purpose: what is tuned to them does not gain there.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

Draws = Sequence[float]
TRUTH_NAMED: Final = 0.45  # of wrong readings, those that name the truth second (film: 47 % name it at all)


def sure_of_face(u: float, *, is_right: bool) -> float:
    """Return how sure a reader is of the face that it names."""
    return 1 - 0.55 * u**7 if is_right else 0.35 + 0.64 * u**1.3


def sure_of_stack(u: float, *, is_right: bool) -> float:
    """Return how sure a reader is of the amount, or of the number of chips, that it names."""
    return 0.2 + 0.75 * float(u ** (0.8 if is_right else 1.3))


def second_of(sure: float, u: float) -> float:
    """Return what is left to the second answer."""
    return min((1 - sure) * (0.2 + 0.6 * u), 0.95 * sure)


def bounds_of(number: int, named: int, u: float, *, is_right: bool) -> tuple[int, int]:
    """Return bounds that hold the true number of chips, as wide for right readings as for wrong ones."""
    wide = 0.45 if is_right else 0.05
    low, high = min(number, named) - (u < wide), max(number, named) + (u > 1 - wide)
    return max(low, 1), high


def auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """Return how often a right reading is surer than a wrong one: 0.5 where confidences say nothing."""
    ordered = np.sort(np.array(wrong))
    below = np.searchsorted(ordered, right, side="left") + np.searchsorted(ordered, right, side="right")
    return float(np.mean(below)) / 2 / len(ordered)
