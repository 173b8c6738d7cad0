"""What befalls camera, light and stream: developed pictures enter, pictures as the monitor gets them leave, or none.

A plan says what happens when. `Mishaps` acts it on every picture, keeps the truth exact where the picture moves or is
hidden, and lists what a monitor should have noticed. The order of `MISHAPS` is the way of the light: where the camera
points, the lamps, what comes before the lens, the glass, the sensor's readout, the stream.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import InputError, shown
from vision.geometry import Camera, Floats, Lens
from vision.simulate.art.bodies import paint_head
from vision.simulate.art.hands import paint_hand
from vision.simulate.art.people import random_person
from vision.simulate.film.light import Light
from vision.simulate.film.patch import Picture
from vision.simulate.scene import HandBody, Pose

NS = 1_000_000_000
SMALL = 8  # what is blurred is painted on a canvas this many times smaller
BLOCK = 16  # pixels of a macroblock, and of the cells of a warp
KEY_S = 2.0  # from one key frame to the next
SETTLE_S = 0.6  # a bumped camera swings so long
Way = tuple[str, tuple[int, ...]]  # how a macroblock goes wrong: in what manner, and by how much
SPOTS = 8  # samples along each side of a quad that measure how much of it shows


@dataclass(frozen=True, slots=True)
class Mishap:
    """One thing that goes wrong: `code` is the alert it deserves, strength is 0 (mildest) to 1."""

    code: str
    kind: str
    start_s: float
    end_s: float
    strength: float

    def __post_init__(self) -> None:
        known(self.kind)
        if not (self.start_s < self.end_s and 0 <= self.strength <= 1):
            raise InputError(f"mishap: {shown(self)}: want start_s < end_s and strength 0 to 1")


class Effect:
    """A mishap at work on pictures; it never writes into a picture that it was given."""

    def __init__(self, mishap: Mishap, lens: Lens, rng: np.random.Generator) -> None:
        self.mishap, self.lens, self.rng = mishap, lens, rng
        self.scale = lens.height / 1080

    def is_on(self, t_s: float) -> bool:
        """Say whether it shows at a moment."""
        return self.mishap.start_s <= t_s < self.mishap.end_s

    def change(self, picture: Picture, t_s: float) -> Picture | None:
        """Return the picture after the mishap; None: it is not delivered."""
        raise NotImplementedError

    def hides(self, points: Floats) -> NDArray[np.bool_]:
        """Say which pixels of the last picture it hides."""
        return np.zeros(points.shape[:-1], bool)

    def level(self, mildest: float, worst: float) -> float:
        """Return a setting for this strength."""
        return mildest + (worst - mildest) * self.mishap.strength

    def eased(self, t_s: float, ramp_s: float) -> float:
        """Return how far the mishap has set in: 0, up to 1 within a ramp, and back."""
        ramp = min(ramp_s, (self.mishap.end_s - self.mishap.start_s) / 2)
        share = min(max(min(t_s - self.mishap.start_s, self.mishap.end_s - t_s) / ramp, 0), 1)
        return share * (2 - share)


class Bump(Effect):
    """The camera is knocked: it turns on its mount, swings, and stays turned for good."""

    shift_px, roll_deg = (2.0, 6.0), (0.03, 0.25)  # in the middle of a picture of 1080 lines

    def __init__(self, mishap: Mishap, lens: Lens, rng: np.random.Generator) -> None:
        super().__init__(mishap, lens, rng)
        towards = rng.uniform(0, 2 * np.pi)
        angle = self.level(*self.shift_px) * self.scale / lens.focal_px
        roll = np.radians(rng.uniform(*self.roll_deg)) * rng.choice([-1, 1])
        self.turn = np.array([-np.sin(towards) * angle, np.cos(towards) * angle, roll])
        self._maps: tuple[float, Any] | None = None

    def is_on(self, t_s: float) -> bool:
        """Say whether the camera has been knocked yet."""
        return t_s >= self.mishap.start_s

    def rotation(self, t_s: float) -> Floats:
        """Return how the camera is turned at a moment, as a matrix that takes old directions to new ones."""
        matrix: Floats = np.asarray(cv2.Rodrigues(self.turn * self._swing(t_s))[0], float)
        return matrix

    def move(self, points: Floats, t_s: float) -> Floats:
        """Return where pixels of the unbumped camera are."""
        return _turned(self.lens, self.lens.undistort(points), self.rotation(t_s)) if self.is_on(t_s) else points

    def change(self, picture: Picture, t_s: float) -> Picture:
        """Return the picture of the turned camera; what it did not see before mirrors what is beside it."""
        swing = self._swing(t_s)
        if self._maps is None or self._maps[0] != swing:  # once it is still, so are the maps
            self._maps = (swing, self._made_maps(self.rotation(t_s)))
        whole, parts = self._maps[1]
        moved = cv2.remap(picture, whole, parts, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
        return np.asarray(moved, np.uint8)

    def _made_maps(self, rotation: Floats) -> Any:
        """Return which pixel each pixel comes from, as `remap` likes it best."""
        rays = self._rays
        coarse = _turned(self.lens, rays, rotation.T).astype(np.float32)
        size = (rays.shape[1] * BLOCK, rays.shape[0] * BLOCK)
        fine = cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR)
        inside = fine[BLOCK : BLOCK + self.lens.height, BLOCK : BLOCK + self.lens.width]
        return cv2.convertMaps(np.ascontiguousarray(inside), None, cv2.CV_16SC2)  # type: ignore[call-overload]

    @cached_property
    def _rays(self) -> Floats:
        """Return the directions of the centres of coarse cells, one more cell all around: maps are smooth."""
        rows, columns = -(-self.lens.height // BLOCK) + 2, -(-self.lens.width // BLOCK) + 2
        v, u = (np.mgrid[:rows, :columns] - 0.5) * BLOCK - 0.5
        return self.lens.undistort(np.stack([u, v], axis=-1))

    def _swing(self, t_s: float) -> float:
        since = t_s - self.mishap.start_s
        return 1.0 if since > SETTLE_S else 1 - float(np.exp(-since / 0.1) * np.cos(2 * np.pi * 3.7 * since))


class HardBump(Bump):
    """Somebody ran into the camera with a ladder."""

    shift_px, roll_deg = (20.0, 60.0), (0.3, 2.5)


def _turned(lens: Lens, rays: Floats, rotation: Floats) -> Floats:
    """Return the pixels at which a turned camera has rays."""
    turned = np.concatenate([rays, np.ones((*rays.shape[:-1], 1))], axis=-1) @ rotation.T
    return lens.distort(turned[..., :2] / turned[..., 2:])


class Dim(Effect):
    """Lamps go out: less and warmer light, and the camera turns up its gain."""

    def change(self, picture: Picture, t_s: float) -> Picture:
        """Return the picture in less light."""
        depth = (1 - self.level(0.6, 0.3)) * self.eased(t_s, 0.4)
        curve = np.arange(256)[:, None] * (1 - depth * np.array([1.12, 1.0, 0.93]))
        dark = cv2.LUT(picture, np.clip(curve, 0, 255).astype(np.uint8).reshape(1, 256, 3))
        return self._grained(np.asarray(dark, np.uint8)) if depth > 0.2 else np.asarray(dark, np.uint8)

    def _grained(self, picture: Picture) -> Picture:
        dv, du = (int(n) for n in self.rng.integers(0, 64, 2))
        window = (slice(dv, dv + picture.shape[0]), slice(du, du + picture.shape[1]))
        brighter = cv2.add(picture, self._grain[0][window])
        return np.asarray(cv2.subtract(brighter, self._grain[1][window]), np.uint8)

    @cached_property
    def _grain(self) -> tuple[Picture, Picture]:
        shape = (self.lens.height + 64, self.lens.width + 64, 3)
        plane = self.rng.standard_normal(shape, np.float32) * self.level(2, 5)
        return np.clip(plane, 0, 40).astype(np.uint8), np.clip(-plane, 0, 40).astype(np.uint8)


class Flicker(Effect):
    """Lamps follow the mains: the rolling shutter makes bands of it, the frame rate waves."""

    def __init__(self, mishap: Mishap, lens: Lens, rng: np.random.Generator) -> None:
        super().__init__(mishap, lens, rng)
        self._bands, self._roll_hz, self._wave_hz = rng.uniform(1.2, 3.6), rng.uniform(0.3, 1.8), rng.uniform(0.7, 4)

    def change(self, picture: Picture, t_s: float) -> Picture:
        """Return the picture with the bands of a moment."""
        since, rows = t_s - self.mishap.start_s, np.arange(len(picture)) / len(picture)
        band = np.abs(np.sin(np.pi * (self._bands * rows + self._roll_hz * since)))  # a lamp shines at either half wave
        wave = 0.5 + 0.5 * np.cos(2 * np.pi * self._wave_hz * since)
        loss = self.level(0.16, 0.5) * (0.75 * (1 - band) + 0.25 * wave)
        gain = 1 - loss[:, None] * np.array([1.15, 1.0, 0.9])  # phosphors glow on in yellow
        gains = np.clip(gain * 255, 0, 255).round().astype(np.uint8)[:, None]
        spread = cv2.resize(gains, picture.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        return np.asarray(cv2.multiply(picture, spread, scale=1 / 255), np.uint8)


class Blocked(Effect):
    """Somebody is before the lens: a head or an arm, dark and far out of focus, comes in, stays and goes."""

    def __init__(self, mishap: Mishap, lens: Lens, rng: np.random.Generator) -> None:
        super().__init__(mishap, lens, rng)
        self._size = np.array([-(-lens.width // SMALL), -(-lens.height // SMALL)])
        around = rng.uniform(0, 2 * np.pi)
        self._from = np.array([np.cos(around), np.sin(around)])
        self._aim = self._size * (0.5 + rng.uniform(-0.1, 0.25) * self._from)
        self._is_head = bool(rng.random() < 0.6)
        self._zoom = self._size[1] / 135 * (self.level(0.42, 0.85) if self._is_head else self.level(0.6, 1.2))
        self._cover = np.zeros((self._size[1], self._size[0]), np.uint8)

    def change(self, picture: Picture, t_s: float) -> Picture:
        """Return the picture with the body before it."""
        since, share = t_s - self.mishap.start_s, self.eased(t_s, 0.9)
        sway = np.array([np.sin(2.1 * since), np.sin(1.3 * since + 1)]) * self._size * 0.02
        canvas = self._placed(self._outside + (self._aim + sway - self._outside) * share, 0.1 * np.sin(1.7 * since))
        self._cover = canvas[..., 3]
        columns, rows = np.flatnonzero(self._cover.any(axis=0)), np.flatnonzero(self._cover.any(axis=1))
        if not len(columns):
            return picture
        box = (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)
        part = canvas[box[1] : box[3], box[0] : box[2]]
        keep = np.repeat(255 - part[..., 3:], 3, axis=2)
        return _laid(picture, box, _enlarged(keep), _enlarged(np.ascontiguousarray(part[..., :3])))

    def hides(self, points: Floats) -> NDArray[np.bool_]:
        """Say which pixels the body hides."""
        cells = np.clip(points // SMALL, 0, self._size - 1).astype(int)
        return np.asarray(self._cover[cells[..., 1], cells[..., 0]] > 127)

    def _placed(self, at: Floats, turn: float) -> Picture:
        """Return the small canvas with the body at a place, its back to where it came from."""
        sprite, tip = self._body
        turn += np.arctan2(-self._from[0], self._from[1])
        matrix = self._zoom * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        way = np.column_stack([matrix, at - matrix @ tip])
        return np.asarray(cv2.warpAffine(sprite, way, self._size.tolist()), np.uint8)

    @cached_property
    def _outside(self) -> Floats:
        """Return the place nearest to the picture from where nothing of the body shows."""
        places = (self._aim + self._from * away for away in range(0, 2 * int(self._size.sum()), 4))
        return next(place for place in places if not self._placed(place, 0.0)[..., 3].any())

    @cached_property
    def _body(self) -> tuple[Picture, Floats]:
        """Return the body, unsharp, as light that it sends (BGR) and cover; and the pixel of it that is aimed."""
        camera = Camera.looking_at(Lens(480, 480, 900, 239.5, 239.5), (0, 0, 1200), (0, 0, 0))
        person = random_person(self.rng, dealer=bool(self.rng.random() < 0.3))
        if self._is_head:
            patch = paint_head(person, Pose(0, 0, z=-600), camera, Light())
        else:
            patch = paint_hand(HandBody(1, "spread"), Pose(0, 0, z=-100), camera, person, Light())
        light = patch.colour * (patch.cover[..., None] / 255) * self.rng.uniform(0.25, 0.5)  # its far side is lit
        drawn = np.dstack([light, patch.cover]).astype(np.uint8)
        long = cv2.copyMakeBorder(drawn, 0, 400, 0, 0, cv2.BORDER_REPLICATE)  # it does not end where the drawing does
        body = cv2.copyMakeBorder(long, 40, 0, 40, 40, cv2.BORDER_CONSTANT)
        tip = np.array([239.5 - patch.u + 40, 239.5 - patch.v + 40 + 0.25 * patch.cover.shape[0]])
        return np.asarray(cv2.GaussianBlur(body, (0, 0), self.rng.uniform(3, 6)), np.uint8), tip


class Smear(Effect):
    """Grease on the glass: a wiped patch that blurs what is behind it and glows in the light of the room."""

    @cached_property
    def _weight(self) -> NDArray[np.float32]:
        """Return how much of the small picture goes through grease: a blot with an uneven rim and streaks."""
        high, wide = -(-self.lens.height // SMALL), -(-self.lens.width // SMALL)
        v, u = np.mgrid[:high, :wide] / high
        centre, turn = self.rng.uniform((0.3, 0.25), (wide / high - 0.3, 0.75)), self.rng.uniform(0, np.pi)
        along = (u - centre[0]) * np.cos(turn) + (v - centre[1]) * np.sin(turn)
        across = (v - centre[1]) * np.cos(turn) - (u - centre[0]) * np.sin(turn)
        radius = self.level(0.28, 0.5)
        ragged = 0.25 * _cloudy(self.rng, (high, wide), 9)
        streaks = np.interp(across * 90 % 256, np.arange(256), _cloudy(self.rng, (1, 256), 3)[0])
        depth = 1 - np.hypot(along / radius / 1.4, across / radius) + ragged + 0.18 * streaks
        soft = cv2.GaussianBlur(np.clip(depth * 2.2, 0, self.level(0.86, 0.97)), (0, 0), 1.2)  # far out of focus
        return np.asarray(soft[..., None], np.float32)

    @cached_property
    def _box(self) -> tuple[int, int, int, int]:
        inside = self._weight[..., 0] > 0
        columns, rows = np.flatnonzero(inside.any(axis=0)), np.flatnonzero(inside.any(axis=1))
        return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1

    @cached_property
    def _keep(self) -> Picture:
        u0, v0, u1, v1 = self._box
        return _enlarged(np.repeat((255 * (1 - self._weight[v0:v1, u0:u1])).astype(np.uint8), 3, axis=2))

    def change(self, picture: Picture, t_s: float) -> Picture:  # noqa: ARG002 - it stays as it is
        """Return the picture through the grease."""
        u0, v0, u1, v1 = self._box
        part = picture[v0 * SMALL : v1 * SMALL, u0 * SMALL : u1 * SMALL]
        small = cv2.resize(part, (u1 - u0, v1 - v0), interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(small, (0, 0), self.level(0.8, 2.2) * self.scale).astype(np.float32)
        veil = self.level(0.18, 0.4)
        glow = soft * (1 - 0.5 * veil) + (soft.mean(axis=(0, 1)) + 45) * veil
        return _laid(picture, self._box, self._keep, _enlarged((glow * self._weight[v0:v1, u0:u1]).astype(np.uint8)))


def _cloudy(rng: np.random.Generator, shape: tuple[int, int], soft_px: float) -> NDArray[np.float32]:
    """Return smooth noise of spread 1."""
    field = cv2.GaussianBlur(rng.standard_normal(shape, np.float32), (0, 0), soft_px)
    return np.asarray((field - field.mean()) / field.std(), np.float32)


def _enlarged(small: Picture) -> Picture:
    size = (small.shape[1] * SMALL, small.shape[0] * SMALL)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def _laid(picture: Picture, box: Sequence[int], keep: Picture, added: Picture) -> Picture:
    """Return the picture with a part (in small pixels) of which some light is kept and to which some is added."""
    result = picture.copy()
    part = result[box[1] * SMALL : box[3] * SMALL, box[0] * SMALL : box[2] * SMALL]
    window = (slice(part.shape[0]), slice(part.shape[1]))
    part[:] = cv2.add(cv2.multiply(part, keep[window], scale=1 / 255), added[window])
    return result


class Damage(Effect):
    """Packets are lost: runs of macroblocks go wrong, and stay so until a key frame; only changes are added to them."""

    def __init__(self, mishap: Mishap, lens: Lens, rng: np.random.Generator) -> None:
        super().__init__(mishap, lens, rng)
        self._grid = (-(-lens.height // BLOCK), -(-lens.width // BLOCK))
        self._losses = self._plan_losses()
        self._restart(-1)

    def _plan_losses(self) -> list[float]:
        """Return when packets are lost: at once, and soon after every key frame."""
        keys = np.arange(np.ceil(self.mishap.start_s / KEY_S), np.ceil(self.mishap.end_s / KEY_S)) * KEY_S
        more = [float(key + KEY_S * self.rng.beta(1, 3)) for key in keys for _ in range(1 + self.rng.integers(3))]
        return [self.mishap.start_s, *sorted(more)]

    def _restart(self, key: int) -> None:
        self._key = key
        self._blocks = np.zeros(self._grid, np.uint8)  # 255: wrong

    def change(self, picture: Picture, t_s: float) -> Picture:
        """Return the picture as it is decoded."""
        if int(t_s // KEY_S) != self._key:
            self._restart(int(t_s // KEY_S))
        due = [loss for loss in self._losses if loss <= t_s]
        self._losses = self._losses[len(due) :]
        result = self._carried(picture) if self._blocks.any() else picture
        if any(loss >= self._key * KEY_S for loss in due):
            result = self._torn(result)
            self._wrong, self._right = result.copy(), picture.copy()  # the caller may draw on either
        return result

    def hides(self, points: Floats) -> NDArray[np.bool_]:
        """Say which pixels are in wrong blocks."""
        cells = np.clip(points // BLOCK, 0, [self._grid[1] - 1, self._grid[0] - 1]).astype(int)
        return np.asarray(self._blocks[cells[..., 1], cells[..., 0]] > 0)

    def _carried(self, picture: Picture) -> Picture:
        """Return what a decoder shows between key frames: the wrong blocks, plus what has changed in the right ones."""
        rows = np.flatnonzero(self._blocks.any(axis=1))
        band = slice(rows[0] * BLOCK, (rows[-1] + 1) * BLOCK)
        now, then, wrong = picture[band], self._right[band], self._wrong[band]
        brighter, darker = (
            cv2.threshold(cv2.subtract(*pair), 14, 0, cv2.THRESH_TOZERO)[1] for pair in ((now, then), (then, now))
        )  # an encoder does not send noise
        result = picture.copy()
        mask = cv2.resize(self._blocks, (self._grid[1] * BLOCK, self._grid[0] * BLOCK), interpolation=cv2.INTER_NEAREST)
        shifted = cv2.subtract(cv2.add(wrong, brighter), darker)
        cv2.copyTo(shifted, np.ascontiguousarray(mask[band, : picture.shape[1]][: len(now)]), result[band])
        return result

    def _torn(self, picture: Picture) -> Picture:
        """Return the picture with a slice of macroblocks decoded wrongly."""
        result, (rows, columns) = picture.copy(), self._grid
        first = int(self.rng.integers(0, int(rows * columns * 0.85)))
        last = min(first + int(columns * self.rng.uniform(1.5, self.level(4, 18))), rows * columns) - 1
        ways, which = [self._way() for _ in range(12)], self._mosaic(12)
        for row in range(first // columns, last // columns + 1):
            u0 = first - row * columns if row == first // columns else 0
            u1 = last - row * columns + 1 if row == last // columns else columns
            edges = [u0, *(np.flatnonzero(np.diff(which[row, u0:u1])) + u0 + 1).tolist(), u1]
            for start, end in pairwise(edges):
                self._wrong_run(result, row, start, end, ways[which[row, start]])
        return result

    def _wrong_run(self, picture: Picture, row: int, start: int, end: int, way: Way) -> None:
        if way[0] != "right":
            box = (slice(row * BLOCK, (row + 1) * BLOCK), slice(start * BLOCK, end * BLOCK))
            picture[box] = _wronged(picture, box, way)
            self._blocks[row, start:end] = 255

    def _mosaic(self, ways: int) -> NDArray[np.int64]:
        """Return which way each block goes wrong: neighbours mostly the same one, for they lean on each other."""
        rows, columns = self._grid
        patches = self.rng.integers(0, ways, (rows // 3 + 2, columns // 5 + 2))
        lean = self.rng.integers(0, 5, (rows, 1))  # patches have ragged sides
        v, u = np.arange(rows)[:, None] // 3, (np.arange(columns)[None] + lean) // 5
        stray = self.rng.random(self._grid) < 0.12
        return np.where(stray, self.rng.integers(0, ways, self._grid), patches[v, u])

    def _way(self) -> Way:
        """Choose how blocks go wrong, with a motion vector or a tint."""
        kind = str(self.rng.choice(["moved", "smeared", "grey", "tinted", "right"], p=[0.45, 0.2, 0.1, 0.1, 0.15]))
        if kind == "moved":
            return kind, tuple(int(n) for n in self.rng.normal(0, (14, 40)))
        return kind, tuple(int(n) for n in self.rng.normal(0, (24, 14, 24)))


def _wronged(picture: Picture, box: tuple[slice, slice], way: Way) -> Picture:
    """Return a run of macroblocks as a decoder makes them up."""
    (kind, by), (v, u), part = way, (box[0].start, box[1].start), picture[box]
    high, wide = part.shape[:2]
    if kind == "moved":
        top = min(max(v + by[0], 0), picture.shape[0] - high)
        left = min(max(u + by[1], 0), picture.shape[1] - wide)
        return picture[top : top + high, left : left + wide].copy()
    if kind == "smeared":  # predicted from the line above, without a residual
        return np.repeat(picture[max(v - 1, 0)][None, u : u + wide], high, axis=0)
    if kind == "grey":  # no prediction at all: only a coarse residual
        detail = (part.astype(np.int16) - cv2.blur(part, (BLOCK, BLOCK))) // 8 * 8
        return np.asarray(np.clip(detail + 118 + np.array(by) // 4, 0, 255), np.uint8)
    return np.asarray(np.clip(part.astype(np.int16) + by, 0, 255), np.uint8)


class Frozen(Effect):
    """The stream repeats one picture, noise and clock included."""

    kept: Picture | None = None
    kept_s = 0.0

    def change(self, picture: Picture, t_s: float) -> Picture:
        """Return the first picture of the freeze again."""
        if self.kept is None:
            self.kept, self.kept_s = picture.copy(), t_s
        return self.kept.copy()


class Dropped(Effect):
    """No picture arrives."""

    def change(self, picture: Picture, t_s: float) -> None:
        """Return nothing."""


@dataclass(frozen=True, slots=True)
class MishapKind:
    """A kind of mishap: the alert it deserves, how long it lasts, and what it does."""

    code: str
    seconds: tuple[float, float]  # infinite: for good
    effect: type[Effect]
    in_stream: bool = False  # after the camera has put its clock on the picture


FOR_GOOD = (float("inf"), float("inf"))
MISHAPS: dict[str, MishapKind] = {
    "bump-small": MishapKind("camera-moved", FOR_GOOD, Bump),
    "bump-large": MishapKind("camera-moved", FOR_GOOD, HardBump),
    "dim": MishapKind("picture-degraded", (5, 15), Dim),
    "flicker": MishapKind("picture-degraded", (5, 12), Flicker),
    "blocked": MishapKind("view-blocked", (2, 6), Blocked),
    "smear": MishapKind("picture-degraded", (8, 25), Smear),
    "damage": MishapKind("picture-degraded", (4, 10), Damage, in_stream=True),
    "frozen": MishapKind("camera-frozen", (4, 12), Frozen, in_stream=True),
    "dropped": MishapKind("camera-lost", (4, 12), Dropped, in_stream=True),
}


def known(kind: str) -> MishapKind:
    """Return a kind of mishap by its name."""
    if kind not in MISHAPS:
        raise InputError(f"mishap: {shown(kind)}: want one of {', '.join(MISHAPS)}")
    return MISHAPS[kind]


def plan_mishaps(kinds: Sequence[str], duration_s: float, rng: np.random.Generator) -> list[Mishap]:
    """Plan mishaps in the order given, one after the other over the clip, each after some undisturbed seconds."""
    plan, slot = [], duration_s / max(len(kinds), 1)
    for number, kind in enumerate(kinds):
        entry = known(kind)
        lasting = min(float(rng.uniform(*entry.seconds)) if entry.seconds != FOR_GOOD else slot, 0.6 * slot)
        start = round((number + 0.2) * slot + float(rng.uniform(0, 0.75 * slot - lasting)), 3)
        end = duration_s if entry.seconds == FOR_GOOD else round(start + lasting, 3)
        plan.append(Mishap(entry.code, kind, start, end, round(float(rng.random()), 3)))
    return plan


class Mishaps:
    """Acts a plan on the pictures of a clip, in the order of their times. Without a lens, a usual one is taken."""

    def __init__(
        self, plan: Sequence[Mishap], size: tuple[int, int], rng: np.random.Generator, lens: Lens | None = None
    ) -> None:
        lens = lens or Lens(*size, 0.9 * size[0], (size[0] - 1) / 2, (size[1] - 1) / 2)
        self._plan = sorted(plan, key=lambda mishap: mishap.start_s)
        ordered = sorted(self._plan, key=lambda mishap: list(MISHAPS).index(mishap.kind))
        self._effects = [
            MISHAPS[m.kind].effect(m, lens, chance) for m, chance in zip(ordered, rng.spawn(len(plan)), strict=True)
        ]
        self._size = np.array(size)
        self._objects: list[dict[str, Any]] = []

    def frame(self, picture: Picture, t_s: float) -> Picture | None:
        """Return the picture as it arrives at the monitor; None: it does not."""
        return self.stream(self.optics(picture, t_s), t_s)

    def optics(self, picture: Picture, t_s: float) -> Picture:
        """Return the picture as it comes through the lens, before the sensor's noise and the clock in the corner."""
        for effect in self._on(t_s, in_stream=False):
            changed = effect.change(picture, t_s)
            picture = picture if changed is None else changed
        return picture

    def stream(self, picture: Picture, t_s: float) -> Picture | None:
        """Return what becomes of a finished picture on its way; None: it does not arrive."""
        arriving: Picture | None = picture
        for effect in self._on(t_s, in_stream=True):
            arriving = arriving if arriving is None else effect.change(arriving, t_s)
        return arriving

    def quad(self, points: ArrayLike, t_s: float) -> Floats:
        """Return where pixels of the unbumped camera are in the picture of a moment."""
        moved = np.asarray(points, float)
        for bump in self._bumps():
            moved = bump.move(moved, t_s)
        return moved

    def camera(self, camera: Camera, t_s: float) -> Camera:
        """Return the camera as it really hangs at a moment; exact if `Mishaps` was given its lens."""
        rotation = np.array(camera.rotation)
        for bump in self._bumps():
            rotation = bump.rotation(t_s) @ rotation if bump.is_on(t_s) else rotation
        return replace(camera, rotation=tuple(map(tuple, rotation.tolist())))

    def truth(self, record: dict[str, Any], t_s: float) -> dict[str, Any]:
        """Return the truth of the picture that was made last: moved, hidden, or still that of a frozen one."""
        on = [effect for effect in self._effects if effect.is_on(t_s)]
        if not any(isinstance(effect, Frozen) and effect.kept_s < t_s for effect in on):
            self._objects = self._changed(record["objects"], t_s) if on else record["objects"]
        return {**record, "objects": self._objects}

    def record(self) -> list[dict[str, Any]]:
        """Return what a monitor should have noticed, in the order of time."""
        return [
            {"code": m.code, "kind": m.kind, "start_ns": round(m.start_s * NS), "end_ns": round(m.end_s * NS)}
            for m in self._plan
        ]

    def shows(self, quads: ArrayLike, t_s: float) -> Floats:
        """Return which share of quads (…, 4, 2) of the unbumped picture shows, as it is, in the picture made last."""
        corners, (a, b) = np.asarray(quads, float)[..., None, :], (np.mgrid[:SPOTS, :SPOTS] + 0.5) / SPOTS
        weights = np.stack([(1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b]).reshape(4, -1, 1)
        spots = (corners * weights).sum(axis=-3)
        moved, before = self.quad(spots, t_s), self._inside(spots)
        seen = before & self._inside(moved)
        for effect in self._effects:
            seen &= ~effect.hides(moved) if effect.is_on(t_s) else True
        return np.asarray(seen.sum(axis=-1) / np.maximum(before.sum(axis=-1), 1), float)

    def _changed(self, objects: list[dict[str, Any]], t_s: float) -> list[dict[str, Any]]:
        """Return objects where they are in the picture, and how much of them shows."""
        quads = np.array([entry["quad"] for entry in objects], float).reshape(-1, 4, 2)
        bases = self.quad([entry.get("base_px", (0, 0)) for entry in objects] or np.empty((0, 2)), t_s)
        places = zip(objects, self.quad(quads, t_s), bases, self.shows(quads, t_s), strict=True)
        return [
            {
                **entry,
                "quad": quad.round(2).tolist(),
                **({"base_px": base.round(2).tolist()} if "base_px" in entry else {}),
                "visible": round(entry["visible"] * float(share), 3),
            }
            for entry, quad, base, share in places
        ]

    def _inside(self, points: Floats) -> NDArray[np.bool_]:
        return np.asarray(((points >= -0.5) & (points < self._size - 0.5)).all(axis=-1))

    def _bumps(self) -> list[Bump]:
        return [effect for effect in self._effects if isinstance(effect, Bump)]

    def _on(self, t_s: float, *, in_stream: bool) -> list[Effect]:
        return [e for e in self._effects if e.is_on(t_s) and MISHAPS[e.mishap.kind].in_stream == in_stream]
