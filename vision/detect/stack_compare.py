"""Two readings of chips become how likely it is that they are the same, that one has a chip more or less, or neither.

Differences are surer than counts: the same place before and after a hand, or a payment beside its wager, is seen by the
same camera in the same light, so what misleads one reading misleads the other alike. Three things speak: the amounts,
the counts, and how much higher the wall stands. How much each weighs was fitted on pairs of painted stacks of houses
that the reader never saw (`studio/learn/chips/pairs.py`); the weights belong to the reader's model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detect.detection import StackReading
from vision.values.geometry import Floats

FARTHEST = 2.5  # chips: walls that differ more differ beyond one chip, however much
FLOOR = 1e-5  # of a share: nothing is impossible
FEATURES: Final = 4  # of each relation


class Relation(Enum):
    """What a later stack is beside an earlier one, or a payment beside its wager."""

    SAME = 0
    ONE_MORE = 1
    ONE_LESS = -1
    OTHER = 2


RELATIONS: Final = tuple(Relation)
NEAR: Final = (Relation.SAME, Relation.ONE_MORE, Relation.ONE_LESS)


@dataclass(frozen=True)
class Weights:
    """How much each feature says, and what each relation starts with; fitted, see the model's sheet."""

    features: tuple[float, ...]
    starts: tuple[float, ...]  # by relation, in the order of `RELATIONS`

    @classmethod
    def of(cls, numbers: Sequence[float]) -> "Weights":
        """Return weights from a list of numbers."""
        if len(numbers) != FEATURES + len(RELATIONS):
            raise ValueError(f"{len(numbers)} weights: want {FEATURES + len(RELATIONS)}")
        return cls(tuple(numbers[:FEATURES]), tuple(numbers[FEATURES:]))


def compare(before: StackReading, after: StackReading, weights: Weights, in_place: bool) -> dict[Relation, float]:
    """Return the likelihood of two readings under each relation, up to a common factor; they add up to 1.

    `in_place`: both stand on the same spot of the same picture, so that the tops can be compared themselves.
    """
    scores = np.array(weights.starts)
    scores[: len(NEAR)] += features(before, after, in_place) @ np.array(weights.features)
    shares = np.exp(scores - scores.max())
    return dict(zip(RELATIONS, (shares / shares.sum()).tolist(), strict=True))


def features(before: StackReading, after: StackReading, in_place: bool) -> Floats:
    """Return what speaks for each near relation (3, FEATURES): amounts, counts, and how far the walls are off."""
    step = _wall_step(before, after, in_place)
    rows = []
    for relation in NEAR:
        off = min(abs(step - relation.value), FARTHEST) if step is not None else 0.0
        amounts, counts = _amounts_agree(before, after, relation), _counts_agree(before, after, relation)
        rows.append((float(np.log(amounts + FLOOR)), float(np.log(counts + FLOOR)), -(off**2), -off))
    return np.array(rows)


def _wall_step(before: StackReading, after: StackReading, in_place: bool) -> float | None:
    """Return how many chips higher the later wall stands; None where the picture does not show walls."""
    if before.wall is None or after.wall is None:
        return None
    if not in_place:
        return after.wall.chips - before.wall.chips
    fall = (np.array(before.wall.fall) + np.array(after.wall.fall)) / 2
    rise = np.subtract(before.wall.top, after.wall.top)
    return float(rise @ fall / max(float(fall @ fall), 1e-6))


def _counts_agree(before: StackReading, after: StackReading, relation: Relation) -> float:
    mine, theirs = np.array(before.counts), np.array(after.counts)
    more = relation.value
    return float(mine[max(-more, 0) : len(mine) - max(more, 0)] @ theirs[max(more, 0) : len(theirs) - max(-more, 0)])


def _amounts_agree(before: StackReading, after: StackReading, relation: Relation) -> float:
    """Return how likely the amounts differ by nothing, or by one chip of those that the lesser stack may hold."""
    if not before.amounts or not after.amounts:
        return _counts_agree(before, after, relation)
    if relation is Relation.ONE_LESS:
        return _amounts_agree(after, before, Relation.ONE_MORE)
    mine, theirs = _shares(before), dict(after.amounts)
    chips = (0,) if relation is Relation.SAME else tuple(sorted({cents for cents in after.denominations if cents}))
    sums = [float(mine[1] @ _looked_up(theirs, mine[0] + chip)) for chip in chips]
    return max(sums, default=0.0)


def _shares(reading: StackReading) -> tuple[NDArray[np.int64], Floats]:
    cents, p = zip(*reading.amounts, strict=True)
    return np.array(cents, np.int64), np.array(p)


def _looked_up(shares: dict[int, float], cents: NDArray[np.int64]) -> Floats:
    return np.array([shares.get(int(one), 0.0) for one in cents])
