"""From pixels to places: Detections enter, Placed things leave: millimetres on the table, seat and zone, how sure.

A thing belongs to the zone on which most of its footprint lies. Its place is uncertain by some millimetres, so the
footprint is sampled: many points of it, each pushed about at random by that uncertainty (the same pushes every time,
so that a replay says the same), and every point votes for the zone it falls into.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detect.detection import Detection
from vision.table.layout import Layout
from vision.table.zones import Zone, ZoneMap
from vision.values.chips import ChipSet
from vision.values.geometry import Camera, Floats
from vision.values.sizes import CHIP_DIAMETER_MM, CHIP_THICKNESS_MM

SAMPLES: Final = 128  # points that vote on a thing's zone
SIGMA_MM, SIGMA_PX = 2.0, 1.5  # how far off a place is: the calibration's share, and the detector's
BARE: Final = 0.4  # a vote for bare felt, beside one for a printed place: what touches a place was meant for it
LEAST: Final = 0.02  # probability of a zone that is worth telling
VIEW_COLUMNS: Final = 480  # of the grid by which it is measured what a hand hides
INSIDE: Final = 0.7  # diameters between two stacks' feet: nearer, and one stack would stand in the other

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Belief:
    """A zone and its probability; of what a hand covers, the share of the zone that is covered."""

    zone: Zone
    p: float


@dataclass(frozen=True, slots=True)
class Placed:
    """A thing on the table. (x, y, z) is the middle of a card, or of a stack's foot."""

    kind: str
    x: float
    y: float
    z: float
    zone: Zone
    p: float
    alternatives: tuple[Belief, ...]  # other zones it may belong to, the likeliest first
    sigma_mm: float  # how far off x and y may be
    detection: Detection
    height_mm: float = 0.0  # of a stack, above z
    angle: float | None = None  # of a card: the way its long side points, 0 along +y, counter-clockwise, in (-90, 90]
    corners_mm: Corners | None = None  # of a card, a hand or another thing, as its quad has them
    top_px: tuple[float, float] | None = None  # of a stack: where the middle of its top must appear
    covers: tuple[Belief, ...] = ()  # of a hand or another thing: what it hides from the camera

    @property
    def seat(self) -> int | None:
        """Return the seat whose zone it lies on, None at the dealer's side."""
        return self.zone.seat


class Placer:
    """Places what is found in a camera's pictures on one felt."""

    def __init__(self, camera: Camera, layout: Layout | ZoneMap, chips: ChipSet | None = None) -> None:
        self.camera = camera
        self.map = layout if isinstance(layout, ZoneMap) else ZoneMap(layout)
        self._chips = chips
        self._radius = (chips.diameter_mm if chips else CHIP_DIAMETER_MM) / 2
        self._thick = chips.thickness_mm if chips else CHIP_THICKNESS_MM
        self._spots = np.array(list(self.map.spots), np.intp)
        self._bare = np.array([i for i, zone in enumerate(self.map.zones) if zone.is_bare], np.intp)
        self._is_cards = np.array([zone.name == "cards" for zone in self.map.zones])
        middles = np.array([shape.centre for shape in self.map.spots.values()])
        full = self._votes(self.map.chips, discs(middles, self._radius, np.zeros(len(middles))))
        self._room = full[np.arange(len(middles)), self._spots].clip(1 / SAMPLES)  # share of a chip that a spot holds

    def under(self, camera: Camera) -> "Placer":
        """Return a placer for the same felt under another camera, as after a bump."""
        return Placer(camera, self.map, self._chips)

    def place(self, detections: Sequence[Detection], sigma_mm: float | None = None) -> list[Placed]:
        """Return where each of the things is; `sigma_mm` says how far off places are, if that is known better."""
        stacks = [i for i, seen in enumerate(detections) if seen.found.kind == "stack"]
        others = [i for i, seen in enumerate(detections) if seen.found.kind != "stack"]
        placed: dict[int, Placed] = {}
        if stacks:
            placed |= zip(stacks, self._stacks([detections[i] for i in stacks], sigma_mm), strict=True)
        if others:
            placed |= zip(others, self._flats([detections[i] for i in others], sigma_mm), strict=True)
        return [placed[i] for i in range(len(detections))]

    def _stacks(self, seen: Sequence[Detection], sigma_mm: float | None) -> list[Placed]:
        base = np.array([stack.found.base or _middle(stack.found.quad) for stack in seen], float)
        feet = self.camera.place(base)
        heights = self._heights(seen, feet)
        feet = self._on_others(base, feet, heights)
        sigmas = self._sigmas(feet, sigma_mm)
        beliefs = self._beliefs(self._chip_chances(discs(feet[:, :2], self._radius, sigmas)))
        tops = self.camera.project(feet + heights[:, None] * np.array([0.0, 0.0, 1.0])).tolist()
        return [
            Placed(
                kind="stack",
                x=x,
                y=y,
                z=z,
                zone=beliefs[i][0].zone,
                p=beliefs[i][0].p,
                alternatives=beliefs[i][1:],
                sigma_mm=float(sigmas[i]),
                detection=seen[i],
                height_mm=float(heights[i]),
                top_px=(tops[i][0], tops[i][1]),
            )
            for i, (x, y, z) in enumerate(feet.tolist())
        ]

    def _flats(self, seen: Sequence[Detection], sigma_mm: float | None) -> list[Placed]:
        """Place cards, hands and other things by their corners on the felt."""
        lens = self.camera.lens
        pixels = np.array([thing.found.quad for thing in seen], float)
        is_card = np.array([thing.found.kind.startswith("card") for thing in seen])
        within = np.clip(pixels, (-0.5, -0.5), (lens.width - 0.5, lens.height - 0.5))  # an arm comes from outside
        corners = self.camera.place(np.where(is_card[:, None, None], pixels, within))
        middles = corners.mean(axis=1)
        sigmas = self._sigmas(middles, sigma_mm)
        beliefs = self._beliefs(self._card_chances(quads_of(corners[..., :2], sigmas)))
        angles = _angles(corners[..., :2]).tolist()
        return [
            Placed(
                kind=seen[i].found.kind,
                x=x,
                y=y,
                z=z,
                zone=beliefs[i][0].zone,
                p=beliefs[i][0].p,
                alternatives=beliefs[i][1:],
                sigma_mm=float(sigmas[i]),
                detection=seen[i],
                angle=angles[i] if is_card[i] else None,
                corners_mm=_pairs(corners[i]),
                covers=() if is_card[i] else self._covers(within[i]),
            )
            for i, (x, y, z) in enumerate(middles.tolist())
        ]

    def _heights(self, seen: Sequence[Detection], feet: Floats) -> Floats:
        """Return how high each stack is: by its count, or where nobody counted by how far its top is from its base."""
        counted = np.array([stack.stack.count * self._thick if stack.stack else np.nan for stack in seen])
        if not np.isnan(counted).any():
            return counted
        foot, above = self.camera.project(feet), self.camera.project(feet + np.array([0.0, 0.0, 10.0]))
        rise = (above - foot) / 10
        tops = np.array([stack.found.top or stack.found.base or _middle(stack.found.quad) for stack in seen], float)
        measured = ((tops - foot) * rise).sum(axis=1) / np.maximum((rise**2).sum(axis=1), 1e-6)
        return np.where(np.isnan(counted), np.maximum(measured, self._thick), counted)

    def _on_others(self, base: Floats, feet: Floats, heights: Floats) -> Floats:
        """Lift the stacks that stand on another: two whose feet are nearer than a chip is wide cannot both be low."""
        apart = np.linalg.norm(feet[:, None, :2] - feet[None, :, :2], axis=-1)
        apart[np.diag_indices(len(apart))] = np.inf
        lifted = feet.copy()
        for upper, lower in np.argwhere(apart < 2 * INSIDE * self._radius):
            under = feet[lower] + (0.0, 0.0, heights[lower])
            raised = self.camera.place(base[upper], float(heights[lower]))
            nearer_top = np.linalg.norm(raised[:2] - under[:2]) < apart[upper, lower] / 2
            if nearer_top and lifted[lower, 2] == 0.0:
                lifted[upper] = raised
        return lifted

    def _sigmas(self, places: Floats, sigma_mm: float | None) -> Floats:
        """Return how far off each place may be: pixels are larger on the felt where it is far or seen aslant."""
        if sigma_mm is not None:
            return np.full(len(places), float(sigma_mm))
        steps = np.array([[0.0, 0, 0], [1.0, 0, 0], [0, 1.0, 0]])
        seen = self.camera.project(places[:, None] + steps)
        across, along = (seen[:, 1] - seen[:, 0]).T, (seen[:, 2] - seen[:, 0]).T
        scale = np.sqrt(np.abs(across[0] * along[1] - across[1] * along[0]))
        return np.asarray(SIGMA_MM + SIGMA_PX / np.maximum(scale, 1e-3))

    def _votes(self, labels: NDArray[np.int16], points: Floats) -> Floats:
        """Return the share of each thing's points (things, points, 2) that falls into each zone."""
        count = len(self.map.zones)
        found = self.map.at(labels, points) + (np.arange(len(points)) * count)[:, None]
        votes = np.bincount(found.ravel(), minlength=len(points) * count).reshape(len(points), count)
        return np.asarray(votes / points.shape[1])

    def _chip_chances(self, points: Floats) -> Floats:
        """Return the probability of each zone; a chip that fills a spot smaller than itself lies wholly on it."""
        shares = self._votes(self.map.chips, points)
        on_spots = np.minimum(shares[:, self._spots] / self._room, 1.0)
        shares[:, self._spots] = 0.0
        shares[:, self._bare] *= BARE
        left = np.maximum(1 - on_spots.sum(axis=1, keepdims=True), 0.0)
        shares *= left / np.maximum(shares.sum(axis=1, keepdims=True), 1e-9)
        shares[:, self._spots] = on_spots
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def _card_chances(self, points: Floats) -> Floats:
        shares = self._votes(self.map.cards, points)
        shares[:, self._bare] *= BARE
        shares[:, self._spots] *= BARE  # a card may lie over a spot, but spots are for chips
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def _beliefs(self, chances: Floats) -> list[tuple[Belief, ...]]:
        """Return for each thing the zones worth telling, the likeliest first."""
        order = np.argsort(-chances, axis=1, kind="stable")[:, :4]
        sorted_chances = np.take_along_axis(chances, order, axis=1)
        zones = self.map.zones
        return [
            tuple(Belief(zones[i], p) for i, p in zip(row, ps, strict=True) if p >= LEAST)
            for row, ps in zip(order.tolist(), sorted_chances.tolist(), strict=True)
        ]

    @cached_property
    def _view(self) -> tuple[int, NDArray[np.intp], NDArray[np.intp]]:
        """Return both maps' zones as the camera sees them, on a coarse grid of pixels: its step, zones, points of each.

        The zones of the second map are counted after those of the first.
        """
        lens, count = self.camera.lens, len(self.map.zones)
        step = max(1, lens.width // VIEW_COLUMNS)
        u, v = np.meshgrid(np.arange(0, lens.width, step), np.arange(0, lens.height, step))
        places = self.camera.place(np.stack([u, v], axis=-1))
        zones = np.stack([self.map.at(labels, places[..., :2]) for labels in (self.map.chips, self.map.cards)], axis=-1)
        zones[self.camera.to_camera(places)[..., 2] <= 0] = 0  # above the horizon
        zones += np.array([0, count])
        return step, zones, np.bincount(zones.ravel(), minlength=2 * count)

    def _covers(self, quad: Floats) -> tuple[Belief, ...]:
        """Return the zones of which a thing hides some, and how much of each."""
        step, zones, full = self._view
        (u0, v0), (u1, v1) = np.ceil(quad.min(axis=0) / step).astype(int), np.floor(quad.max(axis=0) / step).astype(int)
        v, u = np.ogrid[v0 : v1 + 1, u0 : u1 + 1]
        corners = quad.tolist()
        inside = np.ones((v1 + 1 - v0, u1 + 1 - u0), bool)
        for (ua, va), (ub, vb) in zip(corners, corners[1:] + corners[:1], strict=True):  # they go clockwise
            inside &= (ub - ua) * (v * step - va) >= (vb - va) * (u * step - ua)
        hidden = np.bincount(zones[v0 : v1 + 1, u0 : u1 + 1][inside].ravel(), minlength=len(full))
        on_chips, on_cards = (hidden / np.maximum(full, 1)).reshape(2, -1)
        shares = np.where(self._is_cards, on_cards, on_chips)  # where chips have payouts, the cards are whole
        told = np.flatnonzero(shares[1:]) + 1  # beyond the table nothing is hidden
        return tuple(Belief(self.map.zones[i], float(shares[i])) for i in told[np.argsort(-shares[told])])


def _spread() -> Floats:
    """Return points spread evenly in four dimensions, each coordinate in (0, 1): the same ones every time."""
    root = 1.1673039782614187  # of x^5 = x + 1: its powers spread points most evenly
    steps = root ** -np.arange(1.0, 5.0)
    return np.asarray((0.5 + np.arange(1, SAMPLES + 1)[:, None] * steps) % 1.0)


_EVEN: Final = _spread()
_SQUARE: Final = _EVEN[:, :2]
_DISC: Final = np.sqrt(_EVEN[:, :1]) * np.stack([np.cos(2 * np.pi * _EVEN[:, 1]), np.sin(2 * np.pi * _EVEN[:, 1])], 1)
_PUSH: Final = np.sqrt(-2 * np.log(_EVEN[:, 2:3])) * np.stack(
    [np.cos(2 * np.pi * _EVEN[:, 3]), np.sin(2 * np.pi * _EVEN[:, 3])], 1
)


def discs(middles: Floats, radius: float, sigmas: Floats) -> Floats:
    """Return points (things, points, 2) of round feet, pushed about."""
    return np.asarray(middles[:, None] + _DISC * radius + _PUSH * sigmas[:, None, None])


def quads_of(corners: Floats, sigmas: Floats) -> Floats:
    """Return points (things, points, 2) between four corners, pushed about."""
    s, t = _SQUARE[:, :1], _SQUARE[:, 1:]
    weights = np.hstack([(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t])  # points, corners
    return np.asarray(weights @ corners + _PUSH * sigmas[:, None, None])


def _angles(corners: Floats) -> Floats:
    """Return the way each quad's longer side points: 0 along +y, counter-clockwise, in (-90, 90]."""
    one = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    two = (corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 2
    is_one = (np.linalg.norm(one, axis=1) > np.linalg.norm(two, axis=1))[:, None]
    long = np.where(is_one, one, two)
    angle = np.degrees(np.arctan2(-long[:, 0], long[:, 1]))
    return np.asarray(90 - (90 - angle) % 180)


def _middle(quad: Sequence[Sequence[float]]) -> tuple[float, float]:
    u, v = np.mean(quad, axis=0)
    return float(u), float(v)


def _pairs(corners: Floats) -> Corners:
    (a, b, _), (c, d, _), (e, f, _), (g, h, _) = corners.tolist()
    return (a, b), (c, d), (e, f), (g, h)
