"""A fast painter of stacks: textures, a slanted view and stacks enter; what a perfect sensor sees leaves.

A stack is small, so the camera's map is taken as linear. Chips are painted from the front and the top: what is covered
already is not worked out, so that a chip costs what it shows. Lengths are millimetres in a frame that looks with the
camera: `a` to its right, `t` towards it, `z` up.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.chips.houses import EDGE_PX, FACE_PX, PaintedHouse
from vision.detect.stack_crop import StackView
from vision.values.geometry import Floats

Field = NDArray[np.float32]
SCUFF_PX = 256


@dataclass(frozen=True)
class Slant:
    """How a place is seen: scale across (px per mm), the line of sight off the vertical, the picture's roll."""

    px_per_mm: float
    tilt: float
    roll: float

    @property
    def right(self) -> Floats:
        """Return a millimetre along `a`, in pixels."""
        return self.px_per_mm * np.array([np.cos(self.roll), np.sin(self.roll)])

    @property
    def near(self) -> Floats:
        """Return a millimetre along `t`, in pixels."""
        return self.px_per_mm * float(np.cos(self.tilt)) * np.array([-np.sin(self.roll), np.cos(self.roll)])

    @property
    def down(self) -> Floats:
        """Return a millimetre downwards, in pixels."""
        return self.px_per_mm * float(np.sin(self.tilt)) * np.array([-np.sin(self.roll), np.cos(self.roll)])

    def seen(self, places: Floats) -> Floats:
        """Return where places (…, 3) appear, from where the origin does."""
        return places @ np.stack([self.right, self.near, -self.down])

    def view(self, top: Floats, size_mm: tuple[float, float]) -> StackView:
        """Return how the chips of a stack lie whose top appears at a place."""
        radius = size_mm[0] / 2
        return StackView(
            top, self.right * radius, self.near * radius, self.down * size_mm[1], True, size_mm[1] / size_mm[0]
        )


@dataclass(frozen=True)
class Stack:
    """A stack: its chips bottom to top, the middle of each one's top (n, 3), and how each is turned."""

    chips: tuple[int, ...]
    tops: Floats
    spins: Floats


@dataclass(frozen=True)
class Lighting:
    """Lamps as directions they come from (n, 3) with strengths, what comes from everywhere, and how chips answer."""

    lamps: Floats
    strengths: Floats
    ambient: float
    gloss: float
    shelf: float  # how dark it is beside a chip that lies on another
    foot: tuple[float, float]  # how dark the lowest millimetres are, and how many


def random_lighting(rng: np.random.Generator) -> Lighting:
    """Return some room's light."""
    number = int(rng.integers(1, 4))
    lean, around = np.radians(rng.uniform(5, 65, number)), rng.uniform(0, 2 * np.pi, number)
    lamps = np.stack([np.sin(lean) * np.cos(around), np.sin(lean) * np.sin(around), np.cos(lean)], axis=1)
    strengths = rng.dirichlet(np.ones(number))
    foot = (float(rng.uniform(0, 0.65) * (rng.random() < 0.6)), float(rng.uniform(1, 12)))
    return Lighting(lamps, strengths, float(rng.uniform(0.2, 0.85)), float(rng.uniform(0, 60)),
                    float(rng.uniform(0.1, 0.6)), foot)  # fmt: skip


class Canvas:
    """A picture in the making, several samples to a pixel each way."""

    def __init__(self, size: tuple[int, int], fine: int) -> None:
        """Take a picture's width and height in pixels."""
        self.fine = fine
        self.colour = np.zeros((size[1] * fine, size[0] * fine, 3), np.float32)
        self.owner = np.zeros(self.colour.shape[:2], np.uint8)

    def over(self, ground: Field) -> Field:
        """Return the picture over a ground."""
        size = ground.shape[1::-1]
        cover = cv2.resize((self.owner > 0).astype(np.float32), size, interpolation=cv2.INTER_AREA)[..., None]
        return np.asarray(cv2.resize(self.colour, size, interpolation=cv2.INTER_AREA) + ground * (1 - cover))

    def put(self, stack: Stack, owner: int, house: PaintedHouse, slant: Slant, lighting: Lighting, origin: Floats,
            rng: np.random.Generator) -> int:  # fmt: skip
        """Paint a stack behind all that is there; return how many samples it would cover if it stood alone."""
        brush = _Brush(house, slant, lighting, rng)
        alone = np.zeros(self.owner.shape, np.bool_)
        for i in range(len(stack.chips) - 1, -1, -1):
            middle = (origin + slant.seen(stack.tops[i]) + 0.5) * self.fine - 0.5
            part, x, y, is_face, is_wall = brush.footprint(middle, self.fine, self.owner.shape)
            whole = is_face | is_wall
            alone[part] |= whole
            free = whole & (self.owner[part] == 0)
            where = np.nonzero(free)
            if len(where[0]) == 0:
                continue
            above = stack.tops[i + 1] if i + 1 < len(stack.chips) else None
            colour = brush.colours(stack, i, above, x[where], y[where], is_face[where])
            self.colour[part][where] = colour
            self.owner[part][where] = owner
        return int(alone.sum())


class _Brush:
    """Paints the chips of one stack."""

    def __init__(self, house: PaintedHouse, slant: Slant, lighting: Lighting, rng: np.random.Generator) -> None:
        self.house, self.slant, self.lighting, self.rng = house, slant, lighting, rng
        self.radius, self.thick = house.chips.diameter_mm / 2, house.chips.thickness_mm
        self.back = np.linalg.inv(np.stack([slant.right, slant.near], axis=1) * self.radius)
        self.deep = max(self.thick * float(np.tan(slant.tilt)) / self.radius, 1e-4)  # a wall's height, as `y` counts
        self.scuffs = _scuffs(rng)

    def footprint(
        self, middle: Floats, fine: int, shape: tuple[int, ...]
    ) -> tuple[tuple[slice, slice], Field, Field, NDArray[np.bool_], NDArray[np.bool_]]:
        """Return the window of a chip, where its samples look (in radii), and which of them see face and wall."""
        back = self.back / fine
        reach = np.hypot(self.slant.right, self.slant.near) * self.radius * fine + 1
        fall = self.slant.down * self.thick * fine
        low = np.maximum(np.floor(middle - reach + np.minimum(fall, 0)).astype(int), 0)
        high = np.minimum(np.ceil(middle + reach + np.maximum(fall, 0)).astype(int) + 1, shape[1::-1])
        high = np.maximum(high, low)
        u = (np.arange(low[0], high[0]) - middle[0]).astype(np.float32)[None]
        v = (np.arange(low[1], high[1]) - middle[1]).astype(np.float32)[:, None]
        x, y = (np.float32(row[0]) * u + np.float32(row[1]) * v for row in back)
        bulge = 1 - x * x
        is_face = y * y < bulge
        front = np.sqrt(np.maximum(bulge, 0))
        is_wall = (bulge > 0) & (y >= front) & (y < front + np.float32(self.deep))
        return (slice(low[1], high[1]), slice(low[0], high[0])), x, y, is_face, is_wall

    def colours(
        self, stack: Stack, i: int, above: Floats | None, x: Field, y: Field, is_face: NDArray[np.bool_]
    ) -> Field:
        """Return the light that samples of a chip send."""
        chip, spin = stack.chips[i], float(stack.spins[i])
        age = np.float32(1 + 0.06 * np.sin(spin * 97))
        found = np.empty((len(x), 3), np.float32)
        away = None if above is None else (above - stack.tops[i])[:2] / self.radius
        wall = ~is_face
        found[is_face] = self._face(chip, spin, x[is_face], y[is_face], away) * age
        found[wall] = self._wall(chip, spin, x[wall], y[wall], (away, float(stack.tops[i, 2]))) * age
        return np.minimum(found, 255)

    def _face(self, chip: int, spin: float, x: Field, y: Field, away: Floats | None) -> Field:
        cos, sin = np.float32(np.cos(spin)), np.float32(np.sin(spin))
        half = np.float32(FACE_PX / 2)
        columns, rows = half * (1 + cos * x + sin * y) - 0.5, half * (1 - sin * x + cos * y) - 0.5
        colour = _looked_up(self.house.faces[chip], columns, rows)
        if away is not None:  # a shelf under the next chip
            gap = np.hypot(x - np.float32(away[0]), y - np.float32(away[1])) - 1
            colour *= (1 - np.float32(self.lighting.shelf) * np.exp(-np.maximum(gap, 0) / 0.05))[:, None]
            return np.asarray(colour)
        rim = np.maximum(np.hypot(x, y) - np.float32(0.95), 0)
        return np.asarray(colour * (1 - 4 * rim)[:, None] + self._gleam(x, y)[:, None])

    def _gleam(self, x: Field, y: Field) -> Field:
        """Return the mirrored light of a dished face."""
        lamp = self.lighting.lamps[0]
        half = lamp + np.array([0.0, np.sin(self.slant.tilt), np.cos(self.slant.tilt)])
        half /= np.linalg.norm(half)
        facing = np.clip(half[2] + 0.06 * (x * half[0] + y * half[1]), 0, 1)
        return np.asarray(np.float32(self.lighting.gloss) * facing.astype(np.float32) ** 60)

    def _wall(self, chip: int, spin: float, x: Field, y: Field, place: tuple[Floats | None, float]) -> Field:
        lit = self.lighting
        front = np.sqrt(np.maximum(1 - x * x, 0))
        down = (y - front) / np.float32(self.deep)
        turn = np.arctan2(front, x)
        columns = (turn + np.float32(spin)) % np.float32(2 * np.pi) * np.float32(EDGE_PX[0] / (2 * np.pi)) - 0.5
        colour = _looked_up(self.house.edges[chip], columns, down * EDGE_PX[1] - 0.5)
        flat = np.clip(lit.lamps[:, 2], 0.05, 1) @ lit.strengths
        facing = np.zeros(len(x), np.float32)
        for lamp, strength in zip(lit.lamps, lit.strengths, strict=True):
            facing += np.float32(strength / flat) * np.maximum(np.float32(lamp[0]) * x + np.float32(lamp[1]) * front, 0)
        shade = np.float32(lit.ambient) + np.float32(1 - lit.ambient) * facing
        height = np.float32(place[1]) - down * np.float32(self.thick)
        shade *= 1 - np.float32(lit.foot[0]) * np.exp(-height / np.float32(lit.foot[1]))
        if place[0] is not None:  # the chip above stands over, and shades the upper part of the edge
            over = np.maximum(1 - np.hypot(x - np.float32(place[0][0]), front - np.float32(place[0][1])), 0)
            reach = over * np.float32(self.radius / self.thick * 1.3) + np.float32(1e-3)
            shade *= 1 - np.float32(lit.shelf) * np.clip(1 - down / reach, 0, 1)
        scuff = self.scuffs[(columns * (SCUFF_PX / EDGE_PX[0]) + spin * 977).astype(np.int32) % SCUFF_PX]
        return np.asarray(colour * (shade * scuff)[:, None])


def _looked_up(texture: Field, columns: Field, rows: Field) -> Field:
    """Return the colours at places of a texture; they are laid out as a picture, since OpenCV's maps are no lists."""
    number = len(columns)
    if number == 0:
        return np.zeros((0, 3), np.float32)
    shape = (-(-number // 64), 64)
    maps = [np.resize(np.asarray(places, np.float32), shape) for places in (columns, rows)]
    found = cv2.remap(texture, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.float32).reshape(-1, 3)[:number]


def _scuffs(rng: np.random.Generator) -> Field:
    """Return wear along edges, around 1."""
    broad = np.interp(np.arange(SCUFF_PX), np.linspace(0, SCUFF_PX, 17), rng.normal(0, 1, 17))
    fine = np.interp(np.arange(SCUFF_PX), np.linspace(0, SCUFF_PX, 97), rng.normal(0, 1, 97))
    return np.asarray(1 + rng.uniform(0, 0.09) * np.clip(broad, -2, 2) + rng.uniform(0, 0.05) * fine, np.float32)
