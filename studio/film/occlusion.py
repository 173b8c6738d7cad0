"""Who hides whom, in table space: shapes of things enter, the share of each that shows leaves. Nothing is drawn.

Everything is measured on the felt as the camera sees it: what is high covers the felt behind it, as far as its ray goes
on. A shape is a box with round corners: a card, a stack with its height, a part of an arm. What covers what follows the
order in which `film.frame` draws: lying cards, standing things, what is carried, hands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, radians, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.scene import CardBody, HandBody, Pose, PropBody, StackBody
from vision.values.geometry import Camera, Floats
from vision.values.sizes import CARD_HEIGHT_MM, CARD_THICKNESS_MM, CARD_WIDTH_MM, CHIP_DIAMETER_MM, CHIP_THICKNESS_MM

CARRIED_MM: Final = 12.0  # as in film.frame
COLUMNS, ROWS = 8, 5  # of the points by which it is measured how much shows; fans hide strips along the long side
POINTS: Final = COLUMNS * ROWS
INDICES: Final = ((0, COLUMNS), (POINTS - 1, POINTS - 1 - COLUMNS))  # the points under a face's two indices
READABLE: Final = 0.7  # visible share from which on a face is read without an index
PROPS: Final = {  # breadth, length, height in mm; round where they are equal (see art.props)
    "drink": (70.0, 70.0, 110.0),
    "phone": (72.0, 148.0, 9.0),
    "cash": (156.0, 80.0, 4.0),
    "ashtray": (102.0, 102.0, 29.0),
    "lammer": (40.0, 40.0, 5.0),
    "button": (56.0, 56.0, 8.0),
}
# Per grip: from the fingertip back to the knuckles and to the wrist, and half the breadth of the fingers (art.bones).
GRIPS: Final = {
    "flat": (95.0, 190.0, 38.0),
    "spread": (90.0, 185.0, 52.0),
    "pinch": (45.0, 140.0, 34.0),
    "fist": (35.0, 130.0, 40.0),
    "point": (85.0, 175.0, 14.0),
}
PALM_MM, WRIST_MM, ELBOW_MM, UPPER_MM = 44.0, 38.0, 56.0, 66.0  # half the breadth, with the sleeve
KNUCKLES_HIGH, WRIST_HIGH, ELBOW_HIGH, UPPER_HIGH = 28.0, 36.0, 85.0, 150.0  # above the fingertip
FOREARM_MM, UPPER_ARM_MM = 255.0, 380.0

Mask = NDArray[np.bool_]
Box = tuple[float, float, float, float, float, float, float]  # middle, way of its length, half its sides, corner radius


def _grid() -> Floats:
    across, along = (np.arange(COLUMNS) + 0.5) / COLUMNS * 2 - 1, 1 - (np.arange(ROWS) + 0.5) / ROWS * 2
    u, v = np.meshgrid(across, along)
    return np.stack([u.ravel(), v.ravel()], axis=1)


def _disc() -> Floats:
    """Return points spread evenly over a disc of radius 1."""
    i = np.arange(POINTS)
    radius, turn = np.sqrt((i + 0.5) / POINTS), i * 2.399963
    return np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)


GRID: Final = _grid()  # from a face's upper left to its lower right, within -1 and 1
DISC: Final = _disc()


@dataclass(frozen=True, slots=True)
class Outline:
    """A thing on the felt as the camera sees it."""

    box: Box
    order: float  # what is greater covers what is less
    top: tuple[float, float]  # the middle of its upper side
    is_round: bool


class View:
    """Where things appear on the felt, seen from a camera."""

    def __init__(self, camera: Camera) -> None:
        self.x, self.y, self.z = camera.position_mm
        self._forward = camera.rotation[2]

    def on_felt(self, x: float, y: float, z: float) -> tuple[float, float]:
        """Return which place of the felt a point hides."""
        reach = self.z / (self.z - z)
        return self.x + (x - self.x) * reach, self.y + (y - self.y) * reach

    def facing(self, pose: Pose) -> float:
        """Return how squarely a card shows: 1 its face, -1 its back, 0 its edge."""
        turn, tilt, angle = radians(pose.turn), radians(pose.tilt), radians(pose.angle)
        a, b, c = sin(turn), -cos(turn) * sin(tilt), cos(turn) * cos(tilt)
        normal = (a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle), c)
        dx, dy, dz = self.x - pose.x, self.y - pose.y, self.z - pose.z
        return (normal[0] * dx + normal[1] * dy + normal[2] * dz) / hypot(dx, dy, dz)

    def outline(self, body: CardBody | StackBody | PropBody, pose: Pose, number: int) -> Outline:
        """Return the shape of a thing; `number` decides between two that lie equally high: the later lies above."""
        if isinstance(body, CardBody):
            half = (CARD_WIDTH_MM / 2 * abs(cos(radians(pose.turn))), CARD_HEIGHT_MM / 2 * cos(radians(pose.tilt)))
            middle = self.on_felt(pose.x, pose.y, pose.z)
            turn = radians(pose.angle)
            rank = 3e5 if pose.z > CARRIED_MM else 1e5
            return Outline((*middle, -sin(turn), cos(turn), *half, 0.0), rank + pose.z + number * 1e-6, middle, False)
        wide, long, high = extent(body)
        rank = 0.0 if isinstance(body, PropBody) and body.kind in ("cash", "cutcard") else 2e5
        order = 3e5 + pose.z if pose.z > CARRIED_MM else rank + 5e4 - self._depth(pose)
        low, top = self.on_felt(pose.x, pose.y, pose.z), self.on_felt(pose.x, pose.y, pose.z + high)
        if wide == long:
            return Outline(capsule(low, top, wide / 2), order + number * 1e-6, top, True)
        turn = radians(pose.angle)
        return Outline((*top, -sin(turn), cos(turn), wide / 2, long / 2, 0.0), order + number * 1e-6, top, False)

    def _depth(self, pose: Pose) -> float:
        a, b, c = self._forward
        return a * (pose.x - self.x) + b * (pose.y - self.y) + c * (pose.z - self.z)

    def arm(self, body: HandBody, pose: Pose) -> list[Box]:
        """Return the shapes of fingers, palm, forearm and upper arm."""
        joints = arm_joints(body, pose)
        places = [self.on_felt(x, y, z) for x, y, z, _ in joints]
        breadths = (GRIPS[body.grip][2], PALM_MM, (WRIST_MM + ELBOW_MM) / 2, UPPER_MM)
        return [capsule(places[i], places[i + 1], breadth) for i, breadth in enumerate(breadths)]


def extent(body: StackBody | PropBody) -> tuple[float, float, float]:
    """Return breadth, length and height of a thing that stands."""
    if isinstance(body, StackBody):
        return CHIP_DIAMETER_MM, CHIP_DIAMETER_MM, len(body.cents) * CHIP_THICKNESS_MM
    if body.kind in PROPS:
        return PROPS[body.kind]
    loose = 20.0 if body.kind == "pile" else 0.0
    return CARD_WIDTH_MM + loose, CARD_HEIGHT_MM + loose, body.size * CARD_THICKNESS_MM


def arm_joints(body: HandBody, pose: Pose) -> list[tuple[float, float, float, float]]:
    """Return fingertip, knuckles, wrist, elbow and a place on the upper arm: x, y, z, half the breadth there."""
    knuckles, wrist, breadth = GRIPS[body.grip]
    turn = radians(pose.angle)
    back = ((breadth, 0.0, breadth), (knuckles, KNUCKLES_HIGH, PALM_MM), (wrist, WRIST_HIGH, WRIST_MM))
    further = ((wrist + FOREARM_MM, ELBOW_HIGH, ELBOW_MM), (wrist + FOREARM_MM + UPPER_ARM_MM, UPPER_HIGH, UPPER_MM))
    return [(pose.x + sin(turn) * mm, pose.y - cos(turn) * mm, pose.z + high, r) for mm, high, r in (*back, *further)]


def capsule(one: tuple[float, float], two: tuple[float, float], radius: float) -> Box:
    """Return a box that is round at both ends."""
    dx, dy = two[0] - one[0], two[1] - one[1]
    length = hypot(dx, dy)
    way = (dx / length, dy / length) if length > 1e-6 else (0.0, 1.0)
    return ((one[0] + two[0]) / 2, (one[1] + two[1]) / 2, *way, radius, length / 2 + radius, radius)


class Occlusion:
    """Keeps, for all things on a table, which of their points other things cover."""

    def __init__(self, rows: int = 64) -> None:
        self._boxes = np.zeros((rows, 7))
        self._order = np.zeros(rows)
        self._points = np.zeros((rows, POINTS, 2))
        self._middles = np.zeros((rows, 2))
        self._reach = np.zeros(rows)
        self._covered = np.zeros((rows, POINTS), bool)
        self._alive = np.zeros(rows, bool)
        self._stale: list[tuple[float, float, float]] = []  # where something moved: x, y, reach

    def add(self) -> int:
        """Return a row for a new thing."""
        free = np.flatnonzero(~self._alive)
        if not len(free):
            self._grow()
            return self.add()
        row = int(free[0])
        self._alive[row] = True
        return row

    def _grow(self) -> None:
        for name in ("_boxes", "_order", "_points", "_middles", "_reach", "_covered", "_alive"):
            array = getattr(self, name)
            setattr(self, name, np.concatenate([array, np.zeros_like(array)]))

    def put(self, row: int, outline: Outline) -> None:
        """Put a thing where it is now."""
        self._leave(row)
        x, y, ux, uy, wide, long, corner = outline.box
        self._boxes[row] = (x, y, ux, uy, wide - corner, long - corner, corner)
        self._order[row] = outline.order
        self._middles[row] = outline.top
        points = DISC * wide if outline.is_round else GRID * (wide, long) @ np.array([[uy, -ux], [ux, uy]])
        self._points[row] = points + outline.top
        self._reach[row] = hypot(wide, long)
        self._leave(row)

    def take(self, row: int) -> None:
        """Take a thing off the table."""
        self._leave(row)
        self._alive[row] = False
        self._reach[row] = 0.0

    def _leave(self, row: int) -> None:
        if self._reach[row] > 0:
            self._stale.append((float(self._boxes[row, 0]), float(self._boxes[row, 1]), float(self._reach[row])))

    def seen(self, rows: NDArray[np.intp], arms: Sequence[Box]) -> tuple[list[float], list[bool]]:
        """Return the visible share of each row's thing, and whether a face there could be read."""
        self._settle()
        covered = self._covered[rows]
        if arms:
            boxes = np.array(arms)
            boxes[:, 4:6] -= boxes[:, 6:]
            covered = covered | self._under(rows, boxes, np.ones((len(rows), len(boxes)), bool))
        shares = 1 - covered.mean(axis=1)
        (a, b), (c, d) = INDICES
        shows = ~(covered[:, a] | covered[:, b]) | ~(covered[:, c] | covered[:, d]) | (shares >= READABLE)
        return shares.tolist(), shows.tolist()

    def _settle(self) -> None:
        """Measure again what lies where something moved."""
        if not self._stale:
            return
        alive = np.flatnonzero(self._alive)
        moved = np.array(self._stale)
        self._stale = []
        gaps = np.hypot(*(self._boxes[alive, None, :2] - moved[None, :, :2]).transpose(2, 0, 1))
        near = alive[(gaps < self._reach[alive, None] + moved[None, :, 2]).any(axis=1)]
        if len(near):
            above = self._order[alive][None, :] > self._order[near][:, None]
            self._covered[near] = self._under(near, self._boxes[alive], above)

    def _under(self, rows: NDArray[np.intp], boxes: Floats, may: Mask) -> Mask:
        """Return which points of the rows lie under any of the boxes that may cover them."""
        away = _outside(self._middles[rows][:, None, None], boxes[None])[..., 0]
        which, by = np.nonzero(may & (away < (self._reach[rows][:, None] + boxes[:, 6]) ** 2))
        covered = np.zeros((len(rows), POINTS), bool)
        if len(which):
            inside = _outside(self._points[rows[which]], boxes[by]) <= boxes[by, 6:] ** 2
            first = np.flatnonzero(np.diff(which, prepend=-1))
            covered[which[first]] = np.logical_or.reduceat(inside, first, axis=0)
        return covered


def _outside(points: Floats, boxes: Floats) -> Floats:
    """Return how far outside boxes (…, 7) points (…, n, 2) are, squared: 0 inside, measured from the inner box."""
    gap = points - boxes[..., None, :2]
    ux, uy = boxes[..., None, 2], boxes[..., None, 3]
    along = np.maximum(np.abs(gap[..., 0] * ux + gap[..., 1] * uy) - boxes[..., None, 5], 0.0)
    across = np.maximum(np.abs(gap[..., 0] * uy - gap[..., 1] * ux) - boxes[..., None, 4], 0.0)
    return np.asarray(along * along + across * across)
