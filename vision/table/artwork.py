"""What is printed on a felt, and how a camera would see it if nothing lay on it."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table.layout import Layout
from vision.values.errors import InputError
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture, read_picture

GRID = 16  # pixels between places that are computed exactly; between them a lens bends evenly
FAR_MM = 1e6


@dataclass(frozen=True, eq=False)
class Artwork:
    """The print of a felt: a picture from straight above, players at the top."""

    picture: Picture
    mm_per_px: float
    size_mm: tuple[float, float]

    def to_mm(self, pixels: Floats) -> Floats:
        """Return where pixels (…, 2) of the print lie on the table."""
        width, height = self.size_mm
        across = (pixels[..., 0] + 0.5) * self.mm_per_px - width / 2
        return np.stack([across, height - (pixels[..., 1] + 0.5) * self.mm_per_px], axis=-1)

    def to_px(self, places: Floats) -> Floats:
        """Return at which pixels of the print places (…, 2) of the table are; the inverse of `to_mm`."""
        width, height = self.size_mm
        across = (places[..., 0] + width / 2) / self.mm_per_px - 0.5
        return np.stack([across, (height - places[..., 1]) / self.mm_per_px - 0.5], axis=-1)


def read_artwork(folder: Path, layout: Layout) -> Artwork:
    """Read the print of a layout."""
    if layout.artwork is None:
        raise InputError(f"{folder / 'layout.toml'}: artwork: missing: a felt is registered by its print")
    path = folder / layout.artwork
    picture = read_picture(path)
    width, height = layout.size_mm
    wanted = (width / layout.mm_per_px, height / layout.mm_per_px)
    if abs(picture.shape[1] - wanted[0]) > 2 or abs(picture.shape[0] - wanted[1]) > 2:
        raise InputError(
            f"{path}: {picture.shape[1]} x {picture.shape[0]} px: want {wanted[0]:.0f} x {wanted[1]:.0f},"
            f" since the layout is {width:g} x {height:g} mm at {layout.mm_per_px:g} mm a pixel"
        )
    return Artwork(picture, layout.mm_per_px, (width, height))


@dataclass(frozen=True, eq=False)
class Expected:
    """What a camera would see of the print alone; `on_felt` is where there is print at all."""

    picture: Picture
    on_felt: NDArray[np.bool_]


def expected(artwork: Artwork, camera: Camera) -> Expected:
    """Return how the camera would see the print."""
    lens = camera.lens
    columns, rows = -(-lens.width // GRID) + 1, -(-lens.height // GRID) + 1
    v, u = np.mgrid[0:rows, 0:columns] * float(GRID)
    places = camera.place(np.stack([u, v], axis=-1))
    ahead = camera.to_camera(places)[..., 2] > 0  # above the horizon a ray meets the table behind the camera
    exact = np.where(ahead[..., None], artwork.to_px(places[..., :2]), FAR_MM).astype(np.float32)
    size = (columns * GRID, rows * GRID)
    between = np.array([[GRID, 0, 0], [0, GRID, 0]], np.float64)
    spread = cv2.warpAffine(exact, between, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    where = np.asarray(spread[: lens.height, : lens.width], np.float32)
    across, down = (np.ascontiguousarray(where[..., k]) for k in (0, 1))
    print_ = _softened(artwork, camera)
    picture = cv2.remap(print_, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    limits = np.array(artwork.picture.shape[1::-1], np.float32) - 1
    return Expected(np.asarray(picture, np.uint8), np.asarray(((where >= 0) & (where <= limits)).all(axis=-1)))


def _softened(artwork: Artwork, camera: Camera) -> Picture:
    """Return the print as blurred as pixels that are larger than its own make it."""
    middle = np.array([0.0, artwork.size_mm[1] / 2, 0.0])
    larger = 1 / (camera.scale_px_per_mm(middle) * artwork.mm_per_px)
    if larger <= 1.05:
        return artwork.picture
    return np.asarray(cv2.GaussianBlur(artwork.picture, (0, 0), 0.5 * float(np.sqrt(larger**2 - 1))), np.uint8)
