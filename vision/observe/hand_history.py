"""Where hands are and were: the hands of each sight enter; who was near a place, from which side, and when, leaves.

A hand that lies still for a while rests: it may hide what is under it, but it neither puts nor takes anything.
"""

from collections import deque
from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from vision.observe.placing import Placed

NEAR_MM: Final = 60.0  # a hand so near to a place may have been over it a moment ago
REST_NS, SAME_PLACE, MOSTLY = 1_000_000_000, 0.85, 0.8  # a hand rests that overlaps so much with where it was mostly
KEPT: Final = 60  # observations of which it is remembered where hands were
Box = tuple[float, float, float, float]  # left, top, right, bottom
Side = tuple[float, float]
NO_SIDE: Final[Side] = (0.0, 0.0)


class Reach(NamedTuple):
    """The hands of one sight; the busy ones are those that do not rest."""

    t_ns: int
    boxes: tuple[Box, ...]
    busy: tuple[Box, ...]


class Reaches:
    """Remembers the hands over one table."""

    def __init__(self) -> None:
        self._past: deque[Reach] = deque(maxlen=KEPT)
        self._now = Reach(0, (), ())

    def update(self, t_ns: int, hands: Sequence[Placed]) -> None:
        """Take in the hands of one sight."""
        boxes = tuple(box_of(hand.corners_mm) for hand in hands if hand.corners_mm is not None)
        self._now = Reach(t_ns, boxes, tuple(box for box in boxes if not self._rests(box, t_ns)))
        self._past.append(self._now)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Return the boxes of the hands that are over the table now."""
        return self._now.boxes

    def is_near(self, x: float, y: float, margin_mm: float = NEAR_MM) -> bool:
        """Say whether a hand is at a place now."""
        return _any_near(self._now.boxes, x, y, margin_mm)

    def sides(self, x: float, y: float) -> tuple[Side | None, Side | None]:
        """Return from which side hands reach to a place now, busy ones where there are, and the same of these alone."""
        if not _any_near(self._now.boxes, x, y, NEAR_MM):
            return None, None
        busy = _side(self._now.busy, x, y)
        return busy or _side(self._now.boxes, x, y), busy

    def last(self, x: float, y: float) -> tuple[int, Side] | None:
        """Return when hands were last at a place, and from which side they reached there: the busy ones, if any."""
        found = ((past.t_ns, _side(past.busy, x, y) or _side(past.boxes, x, y)) for past in reversed(self._past))
        return next(((t_ns, side) for t_ns, side in found if side is not None), None)

    def last_ns(self, x: float, y: float, margin_mm: float = NEAR_MM) -> int | None:
        """Return when a hand was last at a place; None where none was for as long as is remembered."""
        return next((past.t_ns for past in reversed(self._past) if _any_near(past.boxes, x, y, margin_mm)), None)

    def last_bare_ns(self, x: float, y: float) -> int:
        """Return when a place was last in plain view before now, as far as is remembered."""
        earlier = [past for past in self._past if past.t_ns < self._now.t_ns]
        bare = (past.t_ns for past in reversed(earlier) if not _any_near(past.boxes, x, y, NEAR_MM))
        return next(bare, earlier[0].t_ns if earlier else self._now.t_ns)

    def was_near_since(self, since_ns: int, x: float, y: float, margin_mm: float) -> bool:
        """Say whether a hand was near a place since a time."""
        recent = takewhile(lambda past: past.t_ns >= since_ns, reversed(self._past))
        return any(_any_near(past.boxes, x, y, margin_mm) for past in recent)

    def is_near_any(self, places: Sequence[tuple[float, float]], margin_mm: float) -> bool:
        """Say whether a hand is over the box around some places, or near it, where more may lie hidden."""
        if not places:
            return False
        left, top, right, bottom = box_of(places)
        around = (left - margin_mm, top - margin_mm, right + margin_mm, bottom + margin_mm)
        return any(_meet(around, box) for box in self._now.boxes)

    def _rests(self, box: Box, t_ns: int) -> bool:
        """Say whether a hand has lain in one place for a while; it may be missed now and then."""
        if not self._past or t_ns - self._past[0].t_ns < REST_NS:
            return False
        recent = list(takewhile(lambda past: t_ns - past.t_ns <= REST_NS, reversed(self._past)))
        elsewhere = 0
        for past in recent:
            elsewhere += not any(_overlap(box, other) >= SAME_PLACE for other in past.boxes)
            if len(recent) - elsewhere < MOSTLY * len(recent):
                return False
        return True


def box_of(corners: Sequence[tuple[float, float]]) -> Box:
    """Return the box around some points."""
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def is_inside(box: Box, x: float, y: float, margin_mm: float = 0.0) -> bool:
    """Say whether a place is inside a box, or so near to it."""
    left, top, right, bottom = box
    return left - margin_mm <= x <= right + margin_mm and top - margin_mm <= y <= bottom + margin_mm


def _any_near(boxes: Sequence[Box], x: float, y: float, margin_mm: float) -> bool:
    return any(is_inside(box, x, y, margin_mm) for box in boxes)


def _side(boxes: Sequence[Box], x: float, y: float) -> Side | None:
    """Return from which side hands reach to a place: those over it, rather than an arm that only passes by.

    Two hands from two sides reach from neither.
    """
    near = [box for box in boxes if is_inside(box, x, y, NEAR_MM)]
    over = [box for box in near if is_inside(box, x, y)] or near
    if not over:
        return None
    middles = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in over]
    return sum(u for u, _ in middles) / len(over) - x, sum(v for _, v in middles) / len(over) - y


def _meet(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _overlap(one: Box, other: Box) -> float:
    """Return the share of two boxes together that is in both."""
    if not _meet(one, other):
        return 0.0
    both = (min(one[2], other[2]) - max(one[0], other[0])) * (min(one[3], other[3]) - max(one[1], other[1]))
    either = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - both
    return both / either if either else 1.0
