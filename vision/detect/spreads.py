"""How many cards lie in a spread or a packet: cards found enter, groups of those that overlap leave, each with bounds.

From above, a card hides whatever lies exactly under it. So a lone card, a squared packet and a heap have no upper
bound; a spread has one, because a hand that spreads cards spreads all of them: where three or more lie at even steps,
each step shows one card, and only a step that is twice as wide as the others may hide one more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.detect.detection import Found
from vision.detect.overlap import Floats, areas, shared_areas

# Assumed where a comment names no measurement.
TOUCH = 0.02  # of the smaller card's area; what shares less lies side by side
LEAST_STEP = 0.06  # of a card's width, 4 mm: closer cards are a packet that was not squared well
UNEVEN = 1.7  # times the usual step, or a part of it: beyond, cards may be missing, or the group is a heap


@dataclass(frozen=True, slots=True)
class Spread:
    """Cards that lie on each other: which of those found, in order along the spread, and how many there may be."""

    members: tuple[int, ...]
    at_least: int
    at_most: int | None  # None: cannot be known from above
    why: str

    @property
    def seen(self) -> int:
        """Return how many cards were found in it."""
        return len(self.members)


def spreads(found: Sequence[Found]) -> list[Spread]:
    """Group the cards among things found; every card is in one group, alone where nothing touches it."""
    cards = [i for i, thing in enumerate(found) if thing.kind.startswith("card")]
    quads = np.array([found[i].quad for i in cards], float).reshape(-1, 4, 2)
    return [_described([cards[i] for i in group], quads[group]) for group in _groups(quads)]


def _groups(quads: Floats) -> list[list[int]]:
    """Return the indices of quads that are connected by overlaps, in order of each group's first."""
    size = areas(quads)
    smaller = np.minimum(size[:, None], size[None, :])
    touches = shared_areas(quads, quads) > TOUCH * smaller
    groups: list[list[int]] = []
    left = list(range(len(quads)))
    while left:
        group = [left.pop(0)]
        for member in group:  # grows while it is walked through
            near = [i for i in left if touches[member, i]]
            group += near
            left = [i for i in left if i not in near]
        groups.append(group)
    return groups


def _described(cards: list[int], quads: Floats) -> Spread:
    """Say what a group can hold."""
    middles = quads.mean(axis=1)
    order = _along(middles)
    members, seen = tuple(cards[i] for i in order), len(cards)
    at_most, why = _bound(np.hypot(*np.diff(middles[order], axis=0).T) / _width(quads))
    return Spread(members, seen, at_most, why)


def _along(middles: Floats) -> list[int]:
    """Return the order of cards along the line on which they lie, from left to right."""
    around = middles - middles.mean(axis=0)
    axis = np.linalg.svd(around, full_matrices=False)[2][0]
    axis = axis if (axis[0], axis[1]) > (0.0, 0.0) else -axis
    return [int(i) for i in np.argsort(around @ axis, kind="stable")]


def _width(quads: Floats) -> float:
    """Return how wide the cards of a group are: the median of their shorter sides."""
    sides = np.hypot(*np.moveaxis(np.roll(quads, -1, axis=1) - quads, -1, 0))
    return float(max(np.median(sides.min(axis=1)), 1e-6))


def _bound(steps: Floats) -> tuple[int | None, str]:
    """Return the most cards that a group with these steps between cards can hold, and why."""
    seen = len(steps) + 1
    if seen == 1:
        return None, "one card may lie squarely on others"
    if steps.min() < LEAST_STEP:
        return None, "a packet that is nearly squared may hide cards"
    if seen == 2:
        return None, "two cards show no even step: each may lie squarely on others"
    usual = float(np.median(steps))
    if steps.min() * UNEVEN < usual:
        return None, "a heap without an even step may hide cards"
    hidden = int(sum(round(step / usual) - 1 for step in steps if step > UNEVEN * usual))
    if hidden:
        return seen + hidden, f"an even spread with gaps that may hide {hidden}"
    return seen, "an even spread shows each of its cards"
