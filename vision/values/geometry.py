"""Space at the table, and the camera above it.

Table space is in millimetres: the origin is the middle of the dealer's edge, x points to the dealer's right, y from the
dealer to the players, z up from the felt. Seat 1 is at the dealer's left, so it has the smallest x.
Pictures are in pixels: u to the right, v down, the centre of the first pixel at (0, 0).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
UNDISTORT_STEPS = 12  # fixed-point steps; lenses of a few percent converge to 1e-9 px long before


@dataclass(frozen=True)
class Lens:
    """What the camera is: focal length and centre in pixels, two radial distortion terms, picture size."""

    width: int
    height: int
    focal_px: float
    centre_u: float
    centre_v: float
    k1: float = 0.0
    k2: float = 0.0

    def distort(self, rays: Floats) -> Floats:
        """Bend rays (x/z, y/z) as the lens does, and return pixels."""
        r2 = (rays**2).sum(axis=-1, keepdims=True)
        bent = rays * (1 + self.k1 * r2 + self.k2 * r2**2)
        pixels: Floats = bent * self.focal_px + np.array([self.centre_u, self.centre_v])
        return pixels

    def undistort(self, pixels: Floats) -> Floats:
        """Return the rays that reach these pixels; the inverse of `distort`."""
        bent = (pixels - np.array([self.centre_u, self.centre_v])) / self.focal_px
        rays: Floats = bent.copy()
        for _ in range(UNDISTORT_STEPS):
            r2 = (rays**2).sum(axis=-1, keepdims=True)
            rays = bent / (1 + self.k1 * r2 + self.k2 * r2**2)
        return rays


@dataclass(frozen=True)
class Camera:
    """A lens and where it is: `rotation` turns table space into camera space (x right, y down, z forward)."""

    lens: Lens
    rotation: tuple[tuple[float, float, float], ...]
    position_mm: tuple[float, float, float]

    @classmethod
    def looking_at(
        cls,
        lens: Lens,
        position_mm: tuple[float, float, float],
        target_mm: tuple[float, float, float],
        roll_deg: float = 0.0,
    ) -> "Camera":
        """Place a camera by where it stands and where it looks; at roll 0 the picture's right is the table's +x."""
        forward = np.subtract(target_mm, position_mm).astype(float)
        forward /= np.linalg.norm(forward)
        up = np.array([0.0, 1.0, 0.0]) if abs(forward[2]) > 0.99 else np.array([0.0, 0.0, 1.0])
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        roll = np.radians(roll_deg)
        axes = np.stack(
            [right * np.cos(roll) + down * np.sin(roll), -right * np.sin(roll) + down * np.cos(roll), forward]
        )
        return cls(lens, tuple(map(tuple, axes.tolist())), position_mm)

    @cached_property
    def _axes(self) -> Floats:
        return np.array(self.rotation)

    def to_camera(self, points_mm: ArrayLike) -> Floats:
        """Return points of table space as the camera has them."""
        seen: Floats = (np.asarray(points_mm, float) - np.array(self.position_mm)) @ self._axes.T
        return seen

    def project(self, points_mm: ArrayLike) -> Floats:
        """Return the pixels at which points (…, 3) of table space appear."""
        seen = self.to_camera(points_mm)
        return self.lens.distort(seen[..., :2] / seen[..., 2:])

    def place(self, pixels: ArrayLike, height_mm: float = 0.0) -> Floats:
        """Return where the rays of pixels (…, 2) meet the plane at a height: the inverse of `project`."""
        rays = self.lens.undistort(np.asarray(pixels, float))
        directions = np.concatenate([rays, np.ones((*rays.shape[:-1], 1))], axis=-1) @ self._axes
        origin = np.array(self.position_mm)
        reach = (height_mm - origin[2]) / directions[..., 2:]
        places: Floats = origin + reach * directions
        return places

    def tilt_deg(self) -> float:
        """Return how far the camera looks off the vertical."""
        return float(np.degrees(np.arccos(-self._axes[2, 2])))

    def scale_px_per_mm(self, point_mm: ArrayLike) -> float:
        """Return how large a millimetre on the felt appears near a point, on average over directions."""
        point = np.asarray(point_mm, float)
        step = np.array([[1.0, 0, 0], [0, 1.0, 0]])
        moved = self.project(point + step) - self.project(point)
        return float(np.sqrt(abs(np.linalg.det(moved))))

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> "Camera":
        """Return the camera that files hold: the inverse of `to_dict`."""
        lens = Lens(record["width"], record["height"], record["focal_px"], *record["centre_px"], *record["distortion"])
        x, y, z = map(float, record["position_mm"])
        return cls(lens, tuple((float(a), float(b), float(c)) for a, b, c in record["rotation"]), (x, y, z))

    def to_dict(self) -> dict[str, Any]:
        """Return the camera as files write it."""
        lens = self.lens
        return {
            "width": lens.width,
            "height": lens.height,
            "focal_px": lens.focal_px,
            "centre_px": [lens.centre_u, lens.centre_v],
            "distortion": [lens.k1, lens.k2],
            "position_mm": list(self.position_mm),
            "rotation": [list(row) for row in self.rotation],
        }
