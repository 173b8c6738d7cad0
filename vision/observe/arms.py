"""Whose arm a box holds, and where its fingertips are: boxes enter; for each person a tip and a likelihood leave.

A finder gives an arm as a box along the picture's edges. The arm runs along one of the box's two diagonals, from where
it comes over the table's edge to the fingertips; which diagonal, and which end, follows from where people are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, radians, sin
from typing import Final

from vision.observe.physics import ARM_MM, EDGE_HIGH_MM, ELBOW_HIGH_MM, ELBOW_MM, FINGER_MM, LEAN, SHOULDERS_MM
from vision.table.layout import Layout, SeatLayout, Shape

Point = tuple[float, float]
Eye = tuple[float, float, float]  # where the camera is
DEALER: Final = "dealer"
ANGLE_DEG: Final = 20.0  # how far off an arm's way is, of a diagonal and of an elbow that is not seen
SIDE_MM: Final = 110.0  # and how far an arm comes over the edge beside where its person sits
LONG_MM: Final = 100.0  # of an arm of which less is seen, the way is not known
WORST: Final = -8.0  # no single look excludes anybody


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at a table: `x` and `y` at the edge of the felt, and the way out from there."""

    name: str
    x: float
    y: float
    out: Point

    @property
    def elbow(self) -> Point:
        """Return where the elbow of a reaching arm is."""
        return self.x + self.out[0] * ELBOW_MM, self.y + self.out[1] * ELBOW_MM


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm as one person's would lie in a box."""

    tip: Point
    end: Point  # as much of it as the box holds
    log_p: float


class ArmReader:
    """Knows who is around one table, and where arms that are raised above the felt appear on it."""

    def __init__(self, layout: Layout, eye_mm: Eye | None = None) -> None:
        felt = Shape(polygon=[list(point) for point in layout.outline])
        self.people = (_dealer(layout), *(_player(seat, felt, layout) for seat in layout.seat))
        self._seen = self.people if eye_mm is None else tuple(_raised(person, eye_mm) for person in self.people)

    def read(self, corners: Sequence[Point]) -> list[Arm]:
        """Return for each person how the arm would lie in a box, and how well that fits."""
        box = _Box(corners)
        return [_arm(box, person) for person in self._seen]

    def depth(self, who: int, tip: Point) -> float:
        """Return how far over the table a person's fingertips are, from the edge."""
        person = self.people[who]
        return -((tip[0] - person.x) * person.out[0] + (tip[1] - person.y) * person.out[1])


class _Box:
    """A box as a parallelogram on the felt: middle, and both half sides."""

    def __init__(self, corners: Sequence[Point]) -> None:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
        self.x, self.y = (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
        self.u = ((bx + cx - ax - dx) / 4, (by + cy - ay - dy) / 4)
        self.v = ((cx + dx - ax - bx) / 4, (cy + dy - ay - by) / 4)
        self.long = hypot(*self.u), hypot(*self.v)

    def sides(self, place: Point) -> Point:
        """Return on which side of the middle a place is, in half sides."""
        dx, dy = place[0] - self.x, place[1] - self.y
        cross = self.u[0] * self.v[1] - self.u[1] * self.v[0] or 1e-9
        return (dx * self.v[1] - dy * self.v[0]) / cross, (dy * self.u[0] - dx * self.u[1]) / cross

    def at(self, s: float, t: float) -> Point:
        """Return the place at so many half sides from the middle."""
        return self.x + s * self.u[0] + t * self.v[0], self.y + s * self.u[1] + t * self.v[1]

    def inset(self, mm: float) -> Point:
        """Return how many half sides from the middle something of a breadth can be in the box."""
        a, b = (max(1 - mm / max(length, 1e-6), 0.0) for length in self.long)
        return a, b


def _arm(box: _Box, person: Person) -> Arm:
    elbow = person.elbow
    if person.name == DEALER:
        elbow = elbow[0] + LEAN * (box.x - elbow[0]), elbow[1]
    s, t = box.sides(elbow)
    near = box.inset(ARM_MM)
    far = tuple(b if a > 0 else 0.0 for a, b in zip(near, box.inset(FINGER_MM), strict=True))
    sign_s, sign_t = (1 if s >= 0 else -1), (1 if t >= 0 else -1)
    tip, end = box.at(-sign_s * far[0], -sign_t * far[1]), box.at(sign_s * near[0], sign_t * near[1])
    return Arm(tip, end, max(_fit(tip, end, elbow, person), WORST))


def _fit(tip: Point, end: Point, elbow: Point, person: Person) -> float:
    """Return how well an arm from one end of a box to the other is a person's: by its way, and by where it comes in."""
    dx, dy = end[0] - person.x, end[1] - person.y
    within = max(-(dx * person.out[0] + dy * person.out[1]), 0.0)
    middle = LEAN * (tip[0] - person.x) if person.name == DEALER else 0.0
    beside = max(abs(dx * person.out[1] - dy * person.out[0] - middle * person.out[1]) - SHOULDERS_MM, 0.0)
    found = -0.5 * (hypot(within, beside) / SIDE_MM) ** 2
    if hypot(end[0] - tip[0], end[1] - tip[1]) < LONG_MM:
        return found
    way = atan2(end[1] - tip[1], end[0] - tip[0]) - atan2(elbow[1] - tip[1], elbow[0] - tip[0])
    off = abs((degrees(way) + 180) % 360 - 180)
    return found - 0.5 * (off / ANGLE_DEG) ** 2


def _raised(person: Person, eye: Eye) -> Person:
    """Return where a person's arm appears on the felt: over the edge it is raised, at the elbow more."""
    edge, elbow = _on_felt((person.x, person.y), EDGE_HIGH_MM, eye), _on_felt(person.elbow, ELBOW_HIGH_MM, eye)
    far = hypot(elbow[0] - edge[0], elbow[1] - edge[1])
    return Person(person.name, *edge, ((elbow[0] - edge[0]) / far, (elbow[1] - edge[1]) / far))


def _on_felt(place: Point, high_mm: float, eye: Eye) -> Point:
    """Return which place of the felt a point above another hides from the camera."""
    reach = eye[2] / (eye[2] - high_mm)
    return eye[0] + (place[0] - eye[0]) * reach, eye[1] + (place[1] - eye[1]) * reach


def _dealer(layout: Layout) -> Person:
    xs, ys = zip(*layout.outline, strict=True)
    return Person(DEALER, (min(xs) + max(xs)) / 2, min(ys), (0.0, -1.0))


def _player(seat: SeatLayout, felt: Shape, layout: Layout) -> Person:
    """Return where a player sits: from the cards away from the dealer, at the edge of the felt."""
    x, y = seat.cards.centre
    out = (-sin(radians(seat.angle)), cos(radians(seat.angle)))
    _, ys = zip(*layout.outline, strict=True)
    if x * out[0] + (y - min(ys) + 200.0) * out[1] < 0:
        out = -out[0], -out[1]
    while felt.contains(x, y):
        x, y = x + 10.0 * out[0], y + 10.0 * out[1]
    return Person(str(seat.number), x, y, out)
