"""A stack in normal form: a picture and a found stack enter; a strip of its wall and a square of its top leave.

The strip is the wall unrolled: each row is one height, `ROWS_PER_CHIP` rows are one chip, whatever the camera's height
and tilt. It hangs from the front rim of the top, which is the best visible place of a stack, and shows some of the
face above that rim, so that a finder's error of a few pixels can be seen.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.detection import Found
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

ROWS_PER_CHIP = 6
ABOVE = 6  # chips' worth of face above the rim
DEEP = 21  # chips that the strip can show
STRIP = ((ABOVE + DEEP) * ROWS_PER_CHIP, 64)  # rows, columns
STRIP_REACH, FACE_REACH = 1.25, 1.3  # radii from the middle to the sides of the crops
FACE = 48
GEOMETRY = 6  # numbers that go with the crops
LEAST_FALL_PX = 0.4  # a strip is not stretched further: seen from straight above a wall has no rows
FINEST_PX = 44.0  # a larger radius is shrunk first, so that no pixel of the wall is skipped
FACE_FINEST_PX = 26.0  # the same for the face, which is cut smaller
LEVEL_PULL = 0.6  # radii: how strongly an unposed camera is taken to be level


@dataclass(frozen=True)
class StackView:
    """How a stack's chips lie in the picture, in pixels."""

    top: Floats  # the middle of the highest face
    across: Floats  # from there to the rim, square to the line of sight
    ahead: Floats  # from there to the rim, towards the viewer
    fall: Floats  # from one chip to the next lower one
    is_posed: bool  # by a calibrated camera; otherwise by the finder's measures
    slimness: float  # thickness by diameter

    @property
    def fall_px(self) -> float:
        """Return how many pixels of edge each chip shows."""
        return float(np.hypot(*self.fall))

    @property
    def strip_fall(self) -> Floats:
        """Return the step from chip to chip in the strip."""
        size = self.fall_px
        way = self.fall / size if size > 1e-6 else _unit(self.ahead)
        return np.asarray(way * max(size, LEAST_FALL_PX))

    def numbers(self) -> NDArray[np.float32]:
        """Return what the crops themselves no longer show: size, slant, and how it is known."""
        radius = float(np.hypot(*self.across))
        flat = float(np.hypot(*self.ahead)) / max(radius, 1e-6)
        steep = np.log(max(self.fall_px, 0.02) / 1.5)
        stretched = np.log(float(np.hypot(*self.strip_fall)) / 1.5)
        return np.array(
            [steep, stretched, flat * 2 - 1, np.log(radius / 20), float(self.is_posed), self.slimness * 40 - 3.4],
            np.float32,
        )


def view_of(found: Found, size_mm: tuple[float, float], camera: Camera | None) -> StackView:
    """Work out how a found stack's chips (diameter, thickness) lie in the picture."""
    if found.top is None or found.base is None:
        raise ValueError(f"a {found.kind} without base and top: want a stack")
    if camera is not None:
        return _posed(found, size_mm, camera)
    up = np.subtract(found.top, found.base) + np.array([0.0, -LEVEL_PULL * found.radius_px])
    down = -_unit(up)
    flat = min(max(found.flatness, 0.05), 1.0)
    fall = 2 * found.radius_px * size_mm[1] / size_mm[0] * np.sqrt(1 - flat**2)
    right = np.array([down[1], -down[0]])
    top = np.array(found.top, float)
    slimness = size_mm[1] / size_mm[0]
    return StackView(top, right * found.radius_px, down * found.radius_px * flat, down * fall, False, slimness)


def _posed(found: Found, size_mm: tuple[float, float], camera: Camera) -> StackView:
    radius, thick = size_mm[0] / 2, size_mm[1]
    foot = camera.place(np.array(found.base, float))
    steps = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]) * radius
    seen = camera.project(foot + steps)
    flat = np.stack([seen[0] - seen[1], seen[2] - seen[3]], axis=1) / 2
    fall = (seen[5] - seen[4]) / 2 * (thick / radius)
    ahead = _unit(np.linalg.solve(flat, fall + 1e-9))  # the way on the felt that looks like straight down
    side = np.array([-ahead[1], ahead[0]])
    across, front = flat @ side, flat @ ahead
    if across[0] * front[1] - across[1] * front[0] < 0:
        across = -across
    return StackView(np.array(found.top, float), across, front, fall, True, thick / size_mm[0])


def cut_stack(picture: Picture, view: StackView) -> tuple[Picture, Picture]:
    """Return the strip and the face of a stack."""
    return _cut(picture, view, _strip_map(view), FINEST_PX), _cut(picture, view, _face_map(view), FACE_FINEST_PX)


def _cut(picture: Picture, view: StackView, points: Floats, finest_px: float) -> Picture:
    """Look points up in a picture, shrunk first where their grid is coarser than its pixels."""
    limit = np.array(picture.shape[1::-1])
    low = np.clip(np.floor(points.min(axis=(0, 1))).astype(int) - 2, 0, limit - 1)
    high = np.maximum(np.clip(np.ceil(points.max(axis=(0, 1))).astype(int) + 3, 1, limit), low + 1)
    part = picture[low[1] : high[1], low[0] : high[0]]
    radius = float(np.hypot(*view.across))
    scale = np.ones(2)
    if radius > finest_px:
        size = np.maximum(np.rint(np.array(part.shape[1::-1]) * finest_px / radius), 1).astype(int)
        scale = size / np.array(part.shape[1::-1])
        part = np.asarray(cv2.resize(part, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA), np.uint8)
    return _look_up(part, (points - low + 0.5) * scale - 0.5)


def _look_up(part: Picture, points: Floats) -> Picture:
    where = points.astype(np.float32)
    found = cv2.remap(part, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, np.uint8)


def _strip_map(view: StackView) -> Floats:
    """Return the pixel of each place of the strip."""
    sides = ((np.arange(STRIP[1]) + 0.5) / STRIP[1] * 2 - 1) * STRIP_REACH
    rim = view.across * sides[:, None] + view.ahead * np.sqrt(np.clip(1 - sides**2, 0, 1))[:, None]
    levels = (np.arange(STRIP[0]) + 0.5) / ROWS_PER_CHIP - ABOVE
    return np.asarray(view.top + rim[None] + view.strip_fall * levels[:, None, None])


def _face_map(view: StackView) -> Floats:
    steps = ((np.arange(FACE) + 0.5) / FACE * 2 - 1) * FACE_REACH
    return np.asarray(view.top + view.across * steps[None, :, None] + view.ahead * steps[:, None, None])


def _unit(vector: Floats) -> Floats:
    size = float(np.hypot(*vector))
    return np.asarray(vector / size) if size > 1e-12 else np.array([0.0, 1.0])
