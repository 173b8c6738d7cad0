"""What is only print: a thing found in a picture enters; whether the bare felt shows there leaves.

A circle with a word in it looks much like a chip. But the print is known, and where the camera sees it: where a picture
is like the print, nothing lies on it. Light and shadow make it brighter or duller, so only what goes up and down
together counts; a felt that is plain there proves nothing.
"""

from typing import Final

import cv2

from vision.calibrate.artwork import Expected
from vision.detect.detection import Picture, Quad

INNER: Final = 0.75  # of a thing's box: its corners show what is around it
OFF_PX: Final = 2  # by which the camera may stand otherwise than it was calibrated
LEAST_SPREAD: Final = 8.0  # grey levels by which print must vary to be told from plain felt
LEAST_SEEN: Final = 2.0  # the same of the picture, however dark it is: what is flat is like anything
LEAST_PX: Final = 6  # sides of what is compared
ALIKE: Final = 0.75  # print is 0.85 and more alike, chips and cards on it less than 0.5 (measured on filmed rounds)


class FeltPrint:
    """The print as one camera sees it."""

    def __init__(self, view: Expected) -> None:
        self._view = view.picture

    def shows(self, picture: Picture, quad: Quad) -> bool:
        """Say whether the print is seen where a thing seems to be."""
        us, vs = zip(*quad, strict=True)
        (left, right), (top, bottom) = _inner(us), _inner(vs)
        height, width = self._view.shape[:2]
        is_inside = left >= OFF_PX and top >= OFF_PX and right + OFF_PX <= width and bottom + OFF_PX <= height
        if not is_inside or min(right - left, bottom - top) < LEAST_PX:
            return False
        wanted = self._view[top - OFF_PX : bottom + OFF_PX, left - OFF_PX : right + OFF_PX]
        seen = picture[top:bottom, left:right]
        if _spread(wanted) < LEAST_SPREAD or _spread(seen) < LEAST_SEEN:
            return False
        return bool(cv2.matchTemplate(wanted, seen, cv2.TM_CCOEFF_NORMED).max() >= ALIKE)


def _spread(picture: Picture) -> float:
    """Return by how much the colour varies that varies most."""
    return float(picture.std(axis=(0, 1)).max())


def _inner(values: tuple[float, ...]) -> tuple[int, int]:
    """Return the middle part of a span, in whole pixels."""
    middle, half = (min(values) + max(values)) / 2, INNER * (max(values) - min(values)) / 2
    return round(middle - half), round(middle + half)
