"""Mishaps in front of the sensor: somebody in the way, a smeared lens."""

from collections.abc import Sequence
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.bodies import paint_head
from studio.art.hands import paint_hand
from studio.art.people import random_person
from studio.film.mishap import Effect, Mishap
from studio.light import Light
from studio.scene import HandBody, Pose
from vision.values.geometry import Camera, Floats, Lens
from vision.values.picture import Picture

SMALL = 8  # what is blurred is painted on a canvas this many times smaller


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
