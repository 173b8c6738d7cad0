"""Hands over one table: the hand boxes of each look enter; trips, and who was where and when, leave.

A trip is one reach of one hand, from when it comes over the table, or moves on from a rest, until it goes or rests.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import exp, hypot
from typing import Final

from vision.observe.arms import Arm, ArmReader, Eye, Point
from vision.observe.physics import (
    ARM_MM,
    FINGER_MM,
    HAND_LOST_NS,
    HAND_SPEED,
    NEAR_MM,
    PALM_MM,
    REST_MM,
    REST_NS,
    SECOND_NS,
    TOUCH_MM,
)
from vision.observe.placing import Placed
from vision.records.fact import Trip
from vision.table.layout import Layout

REACH_MM: Final = 60.0  # fingertips so far over the table reach for something
HOME_MM: Final = 30.0  # and not so far: the reach is over
ALIKE: Final = 0.35  # what a further look at the same arm says of its owner: it lies in the box as before
IN_BOX: Final = 0.5  # how likely a place in an arm's box is hidden, beside where the arm should run (assumed)
NOT_KNOWN: Final = 0.005  # an arm that is nobody's
MEMORY_NS: Final = 20 * SECOND_NS  # for which ended trips are remembered
PATH_NS: Final = 250_000_000  # between the points of a path that are told, at least
Sample = tuple[int, float, float]


@dataclass(eq=False)
class Reach:
    """A trip that lasts, or has ended."""

    id: int
    start_ns: int
    path: list[Sample] = field(default_factory=list)
    end_ns: int | None = None
    who: tuple[tuple[str, float], ...] = ()
    near: dict[int, int] = field(default_factory=dict)
    things: list[int] = field(default_factory=list)

    def distance(self, x: float, y: float, start_ns: int, end_ns: int) -> float:
        """Return how near its tip came to a place between two times."""
        return min((hypot(u - x, v - y) for t, u, v in self.path if start_ns <= t <= end_ns), default=9e9)

    def last_at(self, x: float, y: float, mm: float) -> int | None:
        """Return when its tip was last at a place."""
        return next((t for t, u, v in reversed(self.path) if hypot(u - x, v - y) <= mm), None)


@dataclass(eq=False)
class Hand:
    """A hand from look to look."""

    first_ns: int
    seen_ns: int
    corners: Sequence[Point]
    logs: list[float]
    arms: Sequence[Arm]  # by person
    rest_ns: int = 0  # since when its tip is where it is
    rest_at: Point = (0.0, 0.0)
    reach: Reach | None = None

    @property
    def owner(self) -> int:
        """Return who it is likeliest."""
        return max(range(len(self.logs)), key=lambda i: self.logs[i])

    @property
    def tip(self) -> Point:
        """Return where its fingertips are, if it is its likeliest owner's."""
        return self.arms[self.owner].tip

    def hides(self, x: float, y: float) -> float:
        """Return how likely it hides a place: under the arm surely, elsewhere in its box perhaps."""
        arm = self.arms[self.owner]
        if _to_way(x, y, arm.tip, arm.end) <= ARM_MM + FINGER_MM:
            return 1.0
        return IN_BOX if self.covers(x, y, FINGER_MM) else 0.0

    def covers(self, x: float, y: float, margin_mm: float = 0.0) -> bool:
        """Return whether its box holds a place, or is so near to it."""
        return _holds(self.corners, x, y, margin_mm)


class Hands:
    """Follows the hands over one table."""

    def __init__(self, layout: Layout, eye_mm: Eye | None = None) -> None:
        self._arms = ArmReader(layout, eye_mm)
        self.now: list[Hand] = []
        self._ended: deque[Reach] = deque()
        self._past: deque[tuple[int, tuple[Sequence[Point], ...]]] = deque()  # boxes, look by look
        self._count, self._now_ns = 0, 0

    def update(self, t_ns: int, boxes: Iterable[Placed]) -> list[Reach]:
        """Take in the hands of one look; return the trips that begin and end with it."""
        self._now_ns = t_ns
        seen = [box.corners_mm for box in boxes if box.corners_mm is not None]
        self._follow(t_ns, seen)
        self._past.append((t_ns, tuple(hand.corners for hand in self.now)))
        while self._past and t_ns - self._past[0][0] > 6 * SECOND_NS:
            self._past.popleft()
        while self._ended and t_ns - (self._ended[0].end_ns or 0) > MEMORY_NS:
            self._ended.popleft()
        lost = [hand for hand in self.now if t_ns - hand.seen_ns > HAND_LOST_NS]
        self.now = [hand for hand in self.now if hand not in lost]
        told = [self._end(hand, hand.seen_ns) for hand in lost if hand.reach is not None]
        return [*told, *(reach for hand in self.now for reach in self._step(hand, t_ns))]

    def finish(self) -> list[Reach]:
        """Return the trips that the end of the stream ends."""
        return [self._end(hand, hand.seen_ns) for hand in self.now if hand.reach is not None]

    # ---- Who was where

    def hidden(self, x: float, y: float) -> float:
        """Return how likely a hand hides a place now."""
        return max((hand.hides(x, y) for hand in self.now), default=0.0)

    def last_clear_ns(self, x: float, y: float) -> int | None:
        """Return when a place was last in plain view before now."""
        earlier = (past for past in reversed(self._past) if past[0] < self._now_ns)
        return next((t for t, boxes in earlier if not any(_holds(box, x, y, PALM_MM) for box in boxes)), None)

    def touching(self, x: float, y: float) -> bool:
        """Return whether somebody's fingertips are at a place now."""
        return any(
            hand.reach is not None and hypot(hand.tip[0] - x, hand.tip[1] - y) <= 2 * TOUCH_MM for hand in self.now
        )

    def at(self, x: float, y: float, start_ns: int, end_ns: int) -> tuple[tuple[Reach, float], ...]:
        """Return the trips that may have done something at a place between two times, the likeliest first."""
        near = [(reach, reach.distance(x, y, start_ns, end_ns)) for reach in self._all()]
        weights = [(reach, exp(-0.5 * (max(mm - TOUCH_MM, 0.0) / TOUCH_MM) ** 2)) for reach, mm in near if mm < 400]
        total = sum(weight for _, weight in weights) + 0.05
        found = [(reach, weight / total) for reach, weight in weights if weight / total >= 0.02]
        return tuple(sorted(found, key=lambda entry: (-entry[1], entry[0].id)))

    def last_at(self, x: float, y: float, after_ns: int, mm: float = NEAR_MM) -> int | None:
        """Return when fingertips were last at a place, after a time."""
        times = (reach.last_at(x, y, mm) for reach in self._all())
        return max((t for t in times if t is not None and t > after_ns), default=None)

    def _all(self) -> list[Reach]:
        return [*self._ended, *(hand.reach for hand in self.now if hand.reach is not None)]

    # ---- Following

    def _follow(self, t_ns: int, boxes: Sequence[Sequence[Point]]) -> None:
        read = [self._arms.read(box) for box in boxes]
        pairs = [
            (apart, i, j)
            for i, hand in enumerate(self.now)
            for j, arms in enumerate(read)
            if (apart := self._apart(hand, arms)) <= 60 + HAND_SPEED * (t_ns - hand.seen_ns) / 1e6
        ]
        hands, used = list(self.now), (set[int](), set[int]())
        for _, i, j in sorted(pairs):
            if i not in used[0] and j not in used[1]:
                used[0].add(i)
                used[1].add(j)
                _take(hands[i], t_ns, boxes[j], read[j])
        for j, arms in enumerate(read):
            if j not in used[1]:
                self.now.append(_new(t_ns, boxes[j], arms))

    def _apart(self, hand: Hand, arms: Sequence[Arm]) -> float:
        tip = arms[hand.owner].tip
        return hypot(tip[0] - hand.tip[0], tip[1] - hand.tip[1])

    def _step(self, hand: Hand, t_ns: int) -> list[Reach]:
        """Take a hand's reach on to now; return it if it begins or ends."""
        if hand.seen_ns != t_ns:
            return []
        depth, tip = self._arms.depth(hand.owner, hand.tip), hand.tip
        if hypot(tip[0] - hand.rest_at[0], tip[1] - hand.rest_at[1]) > REST_MM:
            hand.rest_ns, hand.rest_at = t_ns, tip
        is_resting = t_ns - hand.rest_ns >= REST_NS
        reach = hand.reach
        if reach is None:
            return [self._begin(hand, t_ns)] if depth > REACH_MM and not is_resting else []
        reach.path.append((t_ns, *tip))
        return [self._end(hand, hand.rest_ns if is_resting else t_ns)] if is_resting or depth < HOME_MM else []

    def _begin(self, hand: Hand, t_ns: int) -> Reach:
        self._count += 1
        hand.reach = Reach(self._count, t_ns, [(t_ns, *hand.tip)])
        hand.reach.who = self._who(hand)
        return hand.reach

    def _end(self, hand: Hand, t_ns: int) -> Reach:
        reach = hand.reach
        assert reach is not None  # noqa: S101 - only called where it is
        reach.end_ns, reach.who, hand.reach = t_ns, self._who(hand), None
        self._ended.append(reach)
        return reach

    def _who(self, hand: Hand) -> tuple[tuple[str, float], ...]:
        best = max(hand.logs)
        weights = [exp(log - best) for log in hand.logs]
        total = sum(weights) / (1 - NOT_KNOWN)
        found = [(person.name, w / total) for person, w in zip(self._arms.people, weights, strict=True)]
        return tuple(sorted((entry for entry in found if entry[1] >= 0.005), key=lambda entry: (-entry[1], entry[0])))

    def note_near(self, things: Iterable[tuple[int, float, float]], passed_ns: int) -> None:
        """Note which things the tips are at."""
        active = [
            (hand.reach, hand.tip) for hand in self.now if hand.reach is not None and hand.seen_ns == self._now_ns
        ]
        for number, x, y in things if active else ():
            for reach, tip in active:
                if abs(tip[0] - x) < TOUCH_MM and abs(tip[1] - y) < TOUCH_MM:
                    reach.near[number] = reach.near.get(number, 0) + passed_ns


def trip_fact(reach: Reach, known_ns: int, frame: int) -> Trip:
    """Return what is told of a trip."""
    return Trip(
        known_ns=known_ns,
        t_ns=reach.start_ns,
        frames=(frame,),
        trip=reach.id,
        end_ns=reach.end_ns,
        who=reach.who,
        path=_thinned(reach.path),
        near=tuple(sorted(reach.near.items())),
        things=tuple(dict.fromkeys(reach.things)),
    )


def _thinned(path: Sequence[Sample]) -> tuple[Sample, ...]:
    """Return the points of a path that are worth telling: the first, the last, and those between apart in time."""
    kept = [path[0]]
    for point in path[1:-1]:
        if point[0] - kept[-1][0] >= PATH_NS:
            kept.append(point)
    return tuple(kept if len(path) == 1 else [*kept, path[-1]])


def _new(t_ns: int, box: Sequence[Point], arms: Sequence[Arm]) -> Hand:
    hand = Hand(t_ns, t_ns, box, [arm.log_p for arm in arms], arms, rest_ns=t_ns)
    hand.rest_at = hand.tip
    return hand


def _take(hand: Hand, t_ns: int, box: Sequence[Point], arms: Sequence[Arm]) -> None:
    logs = [old + ALIKE * arm.log_p for old, arm in zip(hand.logs, arms, strict=True)]
    best = max(logs)
    hand.logs = [max(log - best, -12.0) for log in logs]
    hand.arms, hand.corners, hand.seen_ns = arms, box, t_ns


def _to_way(x: float, y: float, start: Point, end: Point) -> float:
    """Return how far a place is from the way between two others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length2 = dx * dx + dy * dy
    share = min(max(((x - start[0]) * dx + (y - start[1]) * dy) / length2, 0.0), 1.0) if length2 else 0.0
    return hypot(start[0] + share * dx - x, start[1] + share * dy - y)


def _holds(corners: Sequence[Point], x: float, y: float, margin_mm: float) -> bool:
    """Return whether a box holds a place: as a parallelogram on the felt."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    u, v = ((bx + cx - ax - dx) / 4, (by + cy - ay - dy) / 4), ((cx + dx - ax - bx) / 4, (cy + dy - ay - by) / 4)
    px, py = x - (ax + bx + cx + dx) / 4, y - (ay + by + cy + dy) / 4
    cross = u[0] * v[1] - u[1] * v[0] or 1e-9
    s, t = (px * v[1] - py * v[0]) / cross, (py * u[0] - px * u[1]) / cross
    return abs(s) <= 1 + margin_mm / max(hypot(*u), 1.0) and abs(t) <= 1 + margin_mm / max(hypot(*v), 1.0)
