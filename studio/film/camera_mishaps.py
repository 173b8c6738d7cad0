"""Mishaps of camera and lamps: a bump, dimmed or flickering light."""

from functools import cached_property
from typing import Any

import cv2
import numpy as np

from studio.film.mishap import Effect, Mishap
from vision.values.geometry import Floats, Lens
from vision.values.picture import Picture

BLOCK = 16  # pixels of the cells of a warp
SETTLE_S = 0.6  # a bumped camera swings so long


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
