"""Points of a picture with their places on the table: are they enough, and could a camera above see them so?"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from vision.values.errors import InputError
from vision.values.geometry import Floats

MIN_POINTS: Final = 4
FLAT: Final = 0.02  # height by length of a triangle: flatter, and its corners lie on a line


def check_points(names: Sequence[str], pixels: Floats, places_mm: Floats, size: tuple[int, int]) -> None:
    """Refuse points outside the picture, fewer than four, and those of which three of any four lie on a line."""
    for name, (u, v) in zip(names, pixels.tolist(), strict=True):
        if not (-0.5 <= u <= size[0] - 0.5 and -0.5 <= v <= size[1] - 0.5):
            raise InputError(f"--point: {name}: outside the picture: want a pixel of {size[0]} x {size[1]}")
    if len(names) < MIN_POINTS:
        raise InputError(f"--point: {len(names)} given: want {MIN_POINTS} or more, no three on a line")
    for what, points in (("pixels", pixels), ("places", places_mm)):
        if not any(_spans(np.array(four)) for four in combinations(points, MIN_POINTS)):
            raise InputError(f"--point: the {what} of {', '.join(names)}: want four, no three on a line")


def _spans(four: Floats) -> bool:
    """Return whether no three of four points lie on a line."""
    return all(_flatness(np.array(three)) > FLAT for three in combinations(four, 3))


def _flatness(three: Floats) -> float:
    """Return the height of a triangle as a share of its longest side."""
    sides = three - np.roll(three, 1, axis=0)
    longest = float((sides**2).sum(axis=1).max())
    return abs(float(sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0])) / max(longest, 1e-9)


def view_of(places_mm: Floats, pixels: Floats) -> Floats:
    """Return the homography from millimetres to pixels; refuse one that no camera above a table has."""
    found, _ = cv2.findHomography(places_mm, pixels, 0)
    if found is None:
        raise InputError("--point: no view of a flat table fits these points: is one of them mistaken?")
    matrix = np.asarray(found, float)
    depths = np.column_stack([places_mm, np.ones(len(places_mm))]) @ matrix[2]
    if depths[0] < 0:
        matrix, depths = -matrix, -depths
    if (depths <= 0).any():
        raise InputError("--point: the points cross each other: does each pixel have its own place?")
    if np.linalg.det(matrix) > 0:  # seen from above, the table's x, y and the picture's u, v turn opposite ways
        raise InputError("--point: left and right are swapped: x grows to the dealer's right, y away from the dealer")
    return matrix
