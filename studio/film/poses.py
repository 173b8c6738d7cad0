"""Where detectors and calibration would put a thing: bodies and poses enter, places on the felt with their zones leave.

The rules are those of `calibrate.placing`, entered in table space: a footprint's points vote on its zone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.art.felts import make_layout
from studio.film.filmset import DECKS
from studio.film.occlusion import View, arm_joints, extent
from studio.scene import CardBody, HandBody, Pose, PropBody, StackBody
from vision.observe.placing import BARE, LEAST, SIGMA_MM, SIGMA_PX, Belief, Corners, Placer, discs, quads_of
from vision.table.zones import OFF, Labels, ZoneMap
from vision.values.cards import DECK
from vision.values.chips import ChipSet
from vision.values.geometry import Camera, Floats
from vision.values.picture import Quad
from vision.values.sizes import CARD_HEIGHT_MM, CARD_WIDTH_MM

SAMPLES: Final = 48  # points of each zone, by which it is measured how much of it a hand hides
UNDISTORT_STEPS: Final = 3  # enough for boxes
ONES: Final = np.ones(SAMPLES, np.float32)
NO_SHIFT: Final = np.zeros((1, 2))
OFF_TABLE: Final = (Belief(OFF, 1.0),)
Point = tuple[float, float]
Solid = CardBody | StackBody | PropBody | HandBody


@dataclass(frozen=True, slots=True)
class Job:
    """A thing to be placed, once for each shift (n, 2) in millimetres."""

    body: Solid
    pose: Pose
    shifts: Floats


@dataclass(frozen=True, slots=True)
class PlacedPose:
    """Where a thing is said to be; one place and one belief for each shift."""

    places: list[list[float]]
    beliefs: list[tuple[Belief, ...]]
    quad: Quad
    base: Point | None = None
    top: Point | None = None
    radius_px: float = 0.0
    height_mm: float = 0.0
    angle: float | None = None
    corners: Corners | None = None  # from the place, in millimetres
    covers: tuple[Belief, ...] = ()


@cache
def felt_map(felt: str) -> tuple[ZoneMap, Floats, Floats]:
    """Return the zones of a felt, points (zones, points, 2) of each, and their areas; those off the table have none."""
    zones = ZoneMap(make_layout(felt))
    points = np.full((len(zones.zones), SAMPLES, 2), np.nan)
    areas = np.zeros(len(zones.zones))
    random = np.random.default_rng(0)
    by_zone = [_cells(labels, len(zones.zones)) for labels in (zones.chips, zones.cards)]
    for i, zone in enumerate(zones.zones[1:], 1):
        cells = by_zone[zone.name == "cards"][i]
        if len(cells):
            rows, columns = np.divmod(random.choice(cells, SAMPLES), len(zones.xs))
            points[i] = np.stack([zones.xs[columns], zones.ys[rows]], axis=1)
            areas[i] = len(cells)
    return zones, points, areas


def _cells(labels: Labels, count: int) -> list[NDArray[np.intp]]:
    """Return the cells of each zone of a map."""
    order = np.argsort(labels.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(labels.ravel(), minlength=count))
    return np.split(order, ends[:-1])


class Felt(Placer):
    """Places what the simulator knows on the felt that its camera looks at."""

    def __init__(self, felt: str, camera: Camera, chips: ChipSet) -> None:
        zones, points, areas = felt_map(felt)
        super().__init__(camera, zones, chips)
        self.view = View(camera)
        self._px_per_mm = camera.scale_px_per_mm((0.0, zones.layout.size_mm[1] / 2, 0.0))
        self.sigma_mm = SIGMA_MM + SIGMA_PX / self._px_per_mm
        high = np.zeros((*points.shape[:2], 1))
        pixels = camera.project(np.concatenate([points, high], axis=-1)).astype(np.float32)
        self._u, self._v = np.ascontiguousarray(pixels[..., 0]), np.ascontiguousarray(pixels[..., 1])
        self._weights = areas * np.where([z.is_bare or i in zones.spots for i, z in enumerate(zones.zones)], BARE, 1.0)
        self._shares: dict[tuple[int, int], Belief] = {}
        self._size = (camera.lens.width - 0.5, camera.lens.height - 0.5)

    def lay(self, jobs: Sequence[Job]) -> list[PlacedPose | None]:
        """Return where each of the things is said to be; None where the picture does not show it."""
        points = [_solid_points(job) for job in jobs]
        pixels = self.camera.project([point for part in points for point in part]).tolist()
        shown: list[list[Point]] = []
        at = 0
        for part in points:
            shown.append(pixels[at : at + len(part)])
            at += len(part)
        lies: list[PlacedPose | None] = [None] * len(jobs)
        stacks, cards = [], []
        for i, job in enumerate(jobs):
            if isinstance(job.body, StackBody):
                stacks.append(i)
            elif isinstance(job.body, CardBody):
                cards.append(i)
            else:
                lies[i] = self._lay_box(job, shown[i])
        for i, lie in (*self._lay_stacks(jobs, shown, stacks), *self._lay_cards(jobs, shown, points, cards)):
            lies[i] = lie if self._shows(shown[i]) else None
        return lies

    def _lay_stacks(
        self, jobs: Sequence[Job], pixels: Sequence[list[Point]], which: list[int]
    ) -> Iterator[tuple[int, PlacedPose]]:
        if not which:
            return
        feet = [np.array(self.view.on_felt(*_foot(jobs[i].pose))) + jobs[i].shifts for i in which]
        places, at = np.concatenate(feet), 0
        sigmas = np.full(len(places), self.sigma_mm)
        beliefs = self._beliefs(self._chip_chances(discs(places, self._radius, sigmas)))
        radius = self._radius * self._px_per_mm
        for i, foot in zip(which, feet, strict=True):
            base, top = pixels[i]
            told = beliefs[at : at + len(foot)]
            quad = _around(((*base, radius), (*top, radius)))
            yield i, PlacedPose(foot.tolist(), told, quad, _pair(base), _pair(top), radius, _height(jobs[i].body))
            at += len(foot)

    def _lay_cards(
        self,
        jobs: Sequence[Job],
        pixels: Sequence[list[Point]],
        corners: Sequence[list[tuple[float, float, float]]],
        which: list[int],
    ) -> Iterator[tuple[int, PlacedPose]]:
        if not which:
            return
        on_felt = [[self.view.on_felt(*corner) for corner in corners[i]] for i in which]
        shifted = [np.array(quad) + jobs[i].shifts[:, None] for quad, i in zip(on_felt, which, strict=True)]
        spread, at = np.concatenate(shifted), 0
        places = spread.mean(axis=1).tolist()
        beliefs = self._beliefs(self._card_chances(quads_of(spread, np.full(len(spread), self.sigma_mm))))
        for i, (a, b, c, d) in zip(which, on_felt, strict=True):
            end = at + len(jobs[i].shifts)
            x, y = (a[0] + c[0]) / 2, (a[1] + c[1]) / 2
            offsets = shifted_corners((a, b, c, d), -x, -y)
            one, two, three, four = pixels[i]
            quad = _pair(one), _pair(two), _pair(three), _pair(four)
            angle = 90 - (90 - jobs[i].pose.angle) % 180
            yield i, PlacedPose(places[at:end], beliefs[at:end], quad, angle=angle, corners=offsets)
            at = end

    def _lay_box(self, job: Job, pixels: list[Point]) -> PlacedPose | None:
        """Place a hand or another thing by the box around it; None outside the picture."""
        radii = [0.0] * len(pixels)
        if isinstance(job.body, HandBody):
            radii = [radius * self._px_per_mm for *_, radius in arm_joints(job.body, job.pose)]
        low, _, high, _ = _around([(*point, radius) for point, radius in zip(pixels, radii, strict=True)])
        low, high = (max(low[0], -0.5), max(low[1], -0.5)), (min(high[0], self._size[0]), min(high[1], self._size[1]))
        if high[0] - low[0] < 4 or high[1] - low[1] < 4:
            return None
        quad = (low, (high[0], low[1]), high, (low[0], high[1]))
        a, b, c, d = (self._on_felt(*corner) for corner in quad)
        x, y = (a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4
        dx, dy = job.shifts[0].tolist()
        offsets = shifted_corners((a, b, c, d), -x, -y)
        beliefs, covers = self._hidden(low, high)
        count = len(job.shifts)
        return PlacedPose([[x + dx, y + dy]] * count, [beliefs] * count, quad, corners=offsets, covers=covers)

    def _shows(self, pixels: list[Point]) -> bool:
        u, v = pixels[0]
        return -0.5 <= u < self._size[0] and -0.5 <= v < self._size[1]

    def _on_felt(self, u: float, v: float) -> Point:
        """Return the place of the felt at a pixel: as `Camera.place`, less exact, quick for a single one."""
        lens = self.camera.lens
        bent_x, bent_y = (u - lens.centre_u) / lens.focal_px, (v - lens.centre_v) / lens.focal_px
        x, y = bent_x, bent_y
        for _ in range(UNDISTORT_STEPS):
            r2 = x * x + y * y
            by = 1 + (lens.k1 + lens.k2 * r2) * r2
            x, y = bent_x / by, bent_y / by
        across, down, forward = self.camera.rotation
        way = [x * across[i] + y * down[i] + forward[i] for i in range(3)]
        reach = -self.view.z / way[2]
        return self.view.x + way[0] * reach, self.view.y + way[1] * reach

    def _hidden(self, low: Point, high: Point) -> tuple[tuple[Belief, ...], tuple[Belief, ...]]:
        """Return on which zones a box lies, and how much it hides of each: by points of every zone."""
        inside = (self._u >= low[0]) & (self._u <= high[0]) & (self._v >= low[1]) & (self._v <= high[1])
        counts = inside.astype(np.float32) @ ONES
        told = np.flatnonzero(counts)
        if not len(told):
            return OFF_TABLE, ()
        votes = counts * self._weights
        votes /= votes.sum()
        most = np.argsort(-votes, kind="stable")[:4].tolist()
        beliefs = tuple(Belief(self.map.zones[i], float(votes[i])) for i in most if votes[i] >= LEAST)
        order = told[np.argsort(-counts[told], kind="stable")]
        return beliefs, tuple(map(self._share, order.tolist(), counts[order].astype(np.intp).tolist()))

    def _share(self, zone: int, count: int) -> Belief:
        """Return that so many points of a zone are hidden; such values come again and again."""
        known = self._shares.get((zone, count))
        if known is None:
            known = self._shares[zone, count] = Belief(self.map.zones[zone], count / SAMPLES)
        return known


def shifted_corners(corners: Corners, dx: float, dy: float) -> Corners:
    """Return corners, moved."""
    (a, b), (c, d), (e, f), (g, h) = corners
    return (a + dx, b + dy), (c + dx, d + dy), (e + dx, f + dy), (g + dx, h + dy)


def as_card(body: PropBody, pose: Pose) -> tuple[CardBody, Pose]:
    """Return the top of a deck, for whoever takes it for a card."""
    if body.kind not in DECKS:
        raise ValueError(f"{body.kind}: want a deck or a pile of cards")
    return CardBody(DECK[0]), Pose(pose.x, pose.y, pose.z + extent(body)[2], pose.angle, 180.0)


def _foot(pose: Pose) -> tuple[float, float, float]:
    return pose.x, pose.y, pose.z


def _solid_points(job: Job) -> list[tuple[float, float, float]]:
    """Return the points of a thing that decide where the picture shows it."""
    body, pose = job.body, job.pose
    if isinstance(body, HandBody):
        return [(x, y, z) for x, y, z, _ in arm_joints(body, pose)]
    if isinstance(body, StackBody):
        return [_foot(pose), (pose.x, pose.y, pose.z + extent(body)[2])]
    c, s = cos(radians(pose.angle)), sin(radians(pose.angle))
    if isinstance(body, CardBody):
        wide, long = CARD_WIDTH_MM / 2 * abs(cos(radians(pose.turn))), CARD_HEIGHT_MM / 2 * cos(radians(pose.tilt))
        heights: tuple[float, ...] = (pose.z,)
    else:
        size = extent(body)
        wide, long, heights = size[0] / 2, size[1] / 2, (pose.z, pose.z + size[2])
    around = ((-wide, long), (wide, long), (wide, -long), (-wide, -long))
    return [(pose.x + a * c - b * s, pose.y + a * s + b * c, z) for z in heights for a, b in around]


def _height(body: Solid) -> float:
    return extent(body)[2] if isinstance(body, StackBody | PropBody) else 0.0


def _pair(point: Point) -> Point:
    """Return a point as a tuple: arrays give lists."""
    return point[0], point[1]


def _around(discs: Sequence[tuple[float, float, float]]) -> Quad:
    """Return the box around discs: middle, radius."""
    left, right = min(u - r for u, _, r in discs), max(u + r for u, _, r in discs)
    top, bottom = min(v - r for _, v, r in discs), max(v + r for _, v, r in discs)
    return ((left, top), (right, top), (right, bottom), (left, bottom))
