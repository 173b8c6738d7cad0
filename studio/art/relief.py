"""Reliefs: rods and eggs in millimetres enter; where a body is and how high its top stands leave, seen from above.

Everything is modelled on a canvas of RES pixels per millimetre; `noise` and `blur` work on fields of that canvas.
"""

from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.paint import Field

RES = 1.6  # pixels per millimetre in which reliefs are modelled: a little more than 4K shows
FAR = 1e3


class Relief:
    """A canvas in millimetres, y upwards: `edge` is the distance to the outline (inside negative), `top` the height.

    Its sides are whole numbers of the cells of `lift`: multiples of 5 mm.
    """

    def __init__(self, left: float, right: float, low: float, high: float) -> None:
        self.bounds = (left, right, low, high)
        self.left, self.high = left, high
        self.shape = (round((high - low) * RES), round((right - left) * RES))
        self.edge: Field = np.full(self.shape, FAR, np.float32)
        self.top: Field = np.full(self.shape, -FAR, np.float32)

    @cached_property
    def x(self) -> Field:
        """Return the x of every column, as a row."""
        return np.asarray(self.left + (np.arange(self.shape[1])[None, :] + 0.5) / RES, np.float32)

    @cached_property
    def y(self) -> Field:
        """Return the y of every row, as a column."""
        return np.asarray(self.high - (np.arange(self.shape[0])[:, None] + 0.5) / RES, np.float32)

    def pixel(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return column and row of a place."""
        return (x - self.left) * RES - 0.5, (self.high - y) * RES - 0.5

    def add_capsule(
        self, start: Any, end: Any, radii: tuple[float, float], soft: float = 3.0, flat: float = 1.0
    ) -> None:
        """Join a rod with round ends: `soft` millimetres of fillet where it meets what is there already."""
        (ax, ay, az), (bx, by, bz) = start, end
        reach = max(radii) + soft + 2
        (left, high), (right, low) = (
            self.pixel(min(ax, bx) - reach, max(ay, by) + reach),
            self.pixel(max(ax, bx) + reach, min(ay, by) - reach),
        )
        rows, cols = slice(max(int(high), 0), max(int(low), 0)), slice(max(int(left), 0), max(int(right), 0))
        x, y = self.x[:, cols], self.y[rows]
        length = max((bx - ax) ** 2 + (by - ay) ** 2, 1e-6)
        share = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0, 1)
        away = np.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay))
        radius = radii[0] + share * (radii[1] - radii[0])
        top = az + share * (bz - az) + flat * dome(away, radius)
        self.join(away - radius, top, soft, (rows, cols))

    def add_egg(self, centre: Any, size: tuple[float, float, float], soft: float, taper: float = 0.0) -> None:
        """Join the upper half of an egg: half width, half length and height; `taper` narrows it towards +y."""
        x, y = self.x - centre[0], (self.y - centre[1]) / size[1]
        out = np.hypot(x / (size[0] * np.clip(1 - taper * y, 0.4, 2)), y)
        low = np.maximum(out - 1, 0) * min(size[:2])
        top = centre[2] + size[2] * np.sqrt(1 - np.minimum(out, 1) ** 2.2) - 4 * low
        self.join((out - 1) * min(size[:2]), top, soft)

    def join(self, edge: Any, top: Any, soft: float, box: tuple[slice, slice] = (slice(None), slice(None))) -> None:
        """Join another relief over a part of the canvas."""
        self.edge[box] = -_soft_max(-self.edge[box], -edge, min(soft, 12.0))
        self.top[box] = _soft_max(self.top[box], top, soft)

    def put(self, edge: Any, top: Any) -> NDArray[np.bool_]:
        """Lay another relief on top, without fillet; return where it is what one sees."""
        shows: NDArray[np.bool_] = (edge < 0) & (top > self.top)
        self.top = np.where(shows, top, self.top).astype(np.float32)
        self.edge = np.minimum(self.edge, edge).astype(np.float32)
        return shows


def dome(away: Any, radius: Any) -> Any:
    """Return how high a round cross-section stands above its axis; it falls off steeply outside."""
    share, off = np.clip(away / radius, 0, 1), np.maximum(away - radius, 0)
    return radius * np.sqrt(1 - share**2.3) - 1.2 * off - 7 * np.maximum(off - 4, 0)  # gently first, for fillets


def _soft_max(one: Any, two: Any, soft: float) -> Any:
    share = np.clip(0.5 + 0.5 * (one - two) / soft, 0, 1)
    return one * share + two * (1 - share) + soft * share * (1 - share)


def blur(field: Any, sigma_mm: float) -> Field:
    """Blur a field of the modelling canvas."""
    return np.asarray(cv2.GaussianBlur(np.asarray(field, np.float32), (0, 0), sigma_mm * RES), np.float32)


def noise(rng: np.random.Generator, shape: tuple[int, ...], across_mm: float, along_mm: float) -> Field:
    """Return smooth noise of deviation about one half, with cells of this size."""
    cells = (int(shape[0] / RES / along_mm) + 3, int(shape[1] / RES / across_mm) + 3)
    wide = cv2.resize(rng.normal(0, 0.6, cells).astype(np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(wide, np.float32)


def sampled(field: Field, columns: Any, rows: Any, border: int = cv2.BORDER_REFLECT) -> Field:
    """Return a field's values between its pixels."""
    x, y = np.ascontiguousarray(columns, np.float32), np.ascontiguousarray(rows, np.float32)
    return np.asarray(cv2.remap(field, x, y, cv2.INTER_LINEAR, borderMode=border), np.float32)
