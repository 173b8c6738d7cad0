"""What all painters share: colours, values and fine paintings enter; numbers, bytes and patches leave."""

from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.patch import Patch
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

Field = NDArray[np.float32]
Colour = tuple[int, int, int]  # BGR
Pixel = TypeVar("Pixel", np.uint8, np.float32)


def bgr(colour: str) -> Colour:
    """Return '#rrggbb' as numbers, blue first."""
    return (int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16))


def dye(colour: str) -> Field:
    """Return '#rrggbb' as a field of one place, to be mixed with others."""
    return np.array(bgr(colour), np.float32)


def rounded(values: NDArray[Any]) -> Picture:
    """Return values as the nearest bytes."""
    return np.clip(np.round(values), 0, 255).astype(np.uint8)


def truncated(values: NDArray[np.floating]) -> Picture:
    """Return values as bytes, their fractions cut off."""
    return np.asarray(np.clip(values, 0, 255), np.uint8)


def shrink(large: NDArray[Pixel], factor: int) -> NDArray[Pixel]:
    """Average a picture down by a whole factor."""
    size = (large.shape[1] // factor, large.shape[0] // factor)
    small: NDArray[Pixel] = np.asarray(cv2.resize(large, size, interpolation=cv2.INTER_AREA), dtype=large.dtype)
    return small


def clouds(rng: np.random.Generator, shape: tuple[int, ...], size_px: float) -> Field:
    """Return smooth noise of about unit spread whose blots have a size."""
    small = rng.normal(size=(int(shape[0] / size_px) + 3, int(shape[1] / size_px) + 3)).astype(np.float32)
    return np.asarray(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32) * 1.3


def window(seen: Floats, camera: Camera, pad: int) -> tuple[int, int, int, int]:
    """Return the part of the picture that points need: left, top, width and height, none where they are out of it."""
    low = np.maximum(np.floor(seen.min(axis=0)).astype(int) - pad, 0)
    size = (camera.lens.width, camera.lens.height)
    high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + pad + 1, size)
    width, height = np.maximum(high - low, 0)
    return int(low[0]), int(low[1]), int(width), int(height)


def nothing() -> Patch:
    """Return the patch of what the camera does not see."""
    return Patch(0, 0, np.zeros((0, 0, 3), np.uint8), np.zeros((0, 0), np.uint8))


def patch_of(fine: Field, factor: int, corner: tuple[int, int]) -> Patch:
    """Return a fine painting (BGR weighted by its cover, then the cover, both to 255) as a patch."""
    drawn = shrink(fine, factor)
    return Patch(*corner, rounded(drawn[..., :3] * 255 / np.maximum(drawn[..., 3:], 1)), rounded(drawn[..., 3]))


def tight_patch(paint: Field, cover: Field, factor: int, corner: tuple[int, int]) -> Patch:
    """Return a fine painting, weighted by its cover (0 to 1), as a patch without the empty rows and columns around."""
    small = shrink(cover, factor)
    mean = shrink(paint, factor) / np.maximum(small, 1e-3)[..., None]
    rows, columns = np.flatnonzero(small.max(axis=1)), np.flatnonzero(small.max(axis=0))
    if not len(rows):
        return Patch(*corner, np.zeros((1, 1, 3), np.uint8), np.zeros((1, 1), np.uint8))
    tight = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    u, v = corner[0] + int(columns[0]), corner[1] + int(rows[0])
    return Patch(u, v, truncated(mean[tight]), truncated(small[tight] * 255 + 0.5))
