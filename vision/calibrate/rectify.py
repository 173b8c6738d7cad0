"""A felt without artwork: a photograph of the empty table and marks of known place enter, the felt from above leaves.

A mark is a pixel and where it lies on the table, in millimetres. Four of them fix how the flat felt was photographed;
six or more also tell how the lens bends, and how well they fit together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, Self

import cv2
import numpy as np

from vision.calibrate.clicks import Click, camera_from, observed
from vision.calibrate.fit import LensHint, fit
from vision.calibrate.points import check_points, view_of
from vision.table.artwork import Artwork
from vision.values.errors import InputError, shown
from vision.values.geometry import Floats
from vision.values.picture import Picture

# Assumed where a comment names no measurement.
WORST_MM: Final = 15.0  # how far a mark may be from where the others say it is
ENOUGH_FOR_A_LENS: Final = 6  # marks from which on the bend of the lens is found too
FIT_PX: Final = 6.0  # a mark farther off counts less while the lens is found
MIN_FELT_SHARE: Final = 0.5  # share of the felt that a photograph must show
SIDES_MM: Final = (200.0, 10_000.0)  # shortest and longest side of a felt


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the photograph, and where it is on the table."""

    u: float
    v: float
    x: float
    y: float

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the mark of a text, as in '812,433=-500,900'; the inverse of `str`."""
        try:
            (u, v), (x, y) = (map(float, pair.split(",")) for pair in text.split("="))
        except ValueError:
            raise InputError(f"--point: {shown(text)}: want U,V=X,Y: a pixel and its place in mm") from None
        if not np.isfinite([u, v, x, y]).all():
            raise InputError(f"--point: {shown(text)}: want numbers")
        return cls(u, v, x, y)

    def __str__(self) -> str:
        return f"{self.u:g},{self.v:g}={self.x:g},{self.y:g}"


@dataclass(frozen=True, eq=False)
class Rectified:
    """The felt from straight above, and how good that is."""

    artwork: Artwork
    residuals_mm: tuple[float, ...]  # of each mark: how far it is from where all of them together put it
    seen: float  # share of the felt that the photograph shows


def rectify(
    photo: Picture, marks: Sequence[Mark], size_mm: tuple[float, float] | None = None, mm_per_px: float = 1.0
) -> Rectified:
    """Return the felt as seen from straight above; without a size it is as large as the marks need."""
    pixels, places = np.array([(m.u, m.v) for m in marks]), np.array([(m.x, m.y) for m in marks])
    check_points([str(mark) for mark in marks], pixels, places, (photo.shape[1], photo.shape[0]))
    if len(marks) >= ENOUGH_FOR_A_LENS:
        photo, pixels = _straightened(photo, places, pixels)
        marks = [Mark(u, v, m.x, m.y) for m, (u, v) in zip(marks, pixels.tolist(), strict=True)]
    to_photo = view_of(places, pixels)
    residuals = _residuals_mm(to_photo, marks)
    if max(residuals) > WORST_MM:
        told = "; ".join(f"{mark} is {far:.0f} mm off" for mark, far in zip(marks, residuals, strict=True))
        raise InputError(f"--point: the points do not fit together: {told}: want {WORST_MM:g} mm or less")
    width, height = size_mm or _size_around(marks)
    _check_size(to_photo, marks, (width, height))
    blank = np.zeros((round(height / mm_per_px), round(width / mm_per_px), 3), np.uint8)
    artwork = Artwork(blank, mm_per_px, (width, height))
    picture, seen = _turned(photo, artwork, to_photo)
    if seen < MIN_FELT_SHARE:
        raise InputError(
            f"--size: {width:g},{height:g}: the photograph shows {seen:.0%} of it: want {MIN_FELT_SHARE:.0%}"
        )
    return Rectified(Artwork(picture, mm_per_px, (width, height)), residuals, seen)


def _straightened(photo: Picture, places: Floats, pixels: Floats) -> tuple[Picture, Floats]:
    """Return photograph and marks as a lens that does not bend would show them, as far as the marks tell."""
    size = (photo.shape[1], photo.shape[0])
    clicks = [Click("", (x, y), (u, v)) for (x, y), (u, v) in zip(places.tolist(), pixels.tolist(), strict=True)]
    lens = fit(camera_from(clicks, size, LensHint()), observed(clicks), LensHint(), FIT_PX).camera.lens
    plain = np.array([[lens.focal_px, 0, lens.centre_u], [0, lens.focal_px, lens.centre_v], [0, 0, 1]])
    straight = cv2.undistort(photo, plain, np.array([lens.k1, lens.k2, 0.0, 0.0]))
    moved = lens.undistort(pixels) * lens.focal_px + [lens.centre_u, lens.centre_v]
    return np.asarray(straight, np.uint8), moved


def _residuals_mm(to_photo: Floats, marks: Sequence[Mark]) -> tuple[float, ...]:
    places = _apply(np.asarray(np.linalg.inv(to_photo), float), np.array([(mark.u, mark.v) for mark in marks]))
    return tuple(float(np.hypot(x - m.x, y - m.y)) for (x, y), m in zip(places.tolist(), marks, strict=True))


def _size_around(marks: Sequence[Mark]) -> tuple[float, float]:
    """Return the smallest felt, in whole centimetres, that holds all marks."""
    wide, high = 2 * max(abs(mark.x) for mark in marks), max(mark.y for mark in marks)
    return 10.0 * ceil(wide / 10), 10.0 * ceil(high / 10)


def _check_size(to_photo: Floats, marks: Sequence[Mark], size_mm: tuple[float, float]) -> None:
    """Refuse a felt that cannot be meant, or that would reach to the horizon, where a pixel is infinitely large."""
    width, height = size_mm
    least, most = SIDES_MM
    if not all(least <= side <= most for side in size_mm):
        raise InputError(f"--size: {width:g},{height:g}: want sides of {least:g} to {most:g} mm")
    corners = np.array([(x, y, 1.0) for x in (-width / 2, width / 2) for y in (0.0, height)]) @ to_photo[2]
    nearest = max(float(to_photo[2] @ (mark.x, mark.y, 1.0)) for mark in marks)
    if corners.min() < nearest / 20:
        raise InputError(
            f"--size: {width:g},{height:g}: reaches beyond what the photograph can show: want a smaller one"
        )


def _turned(photo: Picture, artwork: Artwork, to_photo: Floats) -> tuple[Picture, float]:
    """Return the felt from above, and how much of it is in the photograph; the rest is black."""
    rows, columns = artwork.picture.shape[:2]
    corners = np.array([[0.0, 0.0], [columns - 1.0, 0.0], [0.0, rows - 1.0]])
    (x0, y0), (x1, _), (_, y2) = artwork.to_mm(corners).tolist()
    to_mm = np.array([[(x1 - x0) / (columns - 1), 0, x0], [0, (y2 - y0) / (rows - 1), y0], [0, 0, 1]])
    matrix, size = to_photo @ to_mm, (columns, rows)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    turned = cv2.warpPerspective(_softened(photo, matrix, size), matrix, size, flags=flags)
    full = cv2.warpPerspective(np.full(photo.shape[:2], 255, np.uint8), matrix, size, flags=flags)
    return np.asarray(turned, np.uint8), float((full > 127).mean())


def _softened(photo: Picture, matrix: Floats, size: tuple[int, int]) -> Picture:
    """Return the photograph blurred as much as larger pixels will make it, so that nothing fine glitters."""
    middle = np.array([[size[0] / 2, size[1] / 2], [size[0] / 2 + 1, size[1] / 2], [size[0] / 2, size[1] / 2 + 1]])
    at, right, down = _apply(matrix, middle)
    larger = float(np.sqrt(abs(np.linalg.det(np.stack([right - at, down - at])))))
    if larger <= 1.05:
        return photo
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), 0.5 * float(np.sqrt(larger**2 - 1))), np.uint8)


def _apply(matrix: Floats, points: Floats) -> Floats:
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:])
