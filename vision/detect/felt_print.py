"""What is only felt: a thing found in a picture enters; whether the bare felt shows there leaves.

A circle with a word in it looks much like a chip, and felt where a card lay a moment ago much like its back. But the
print is known, and where the camera sees it. Two things tell that nothing lies there. The picture goes up and down with
the print, however bright or dull it is; or nearly all of it has the colours of the felt, in the light that falls there.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.stacks import PLAIN
from vision.table.artwork import Expected
from vision.values.geometry import Floats
from vision.values.picture import Picture, Quad

# Assumed where a comment names no measurement.
INNER: Final = 0.75  # of a thing's box, or of its quad: its rim shows what is around it
OFF_PX: Final = 2  # by which the camera may stand otherwise than it was calibrated
MIN_SIDE_PX: Final = 6  # sides of what is compared
MIN_PRINT_SPREAD: Final = 8.0  # grey levels by which print must vary to be told from plain felt
MIN_PICTURE_SPREAD: Final = 2.0  # the same of the picture, however dark it is: what is flat is like anything
MIN_PRINT_LIKENESS: Final = 0.75  # print has 0.85 and more, chips and cards on it less than 0.5 (filmed rounds)
MIN_COLOUR_GREY: Final = 4.0  # grey level below which colours are not told apart
TINTED: Final = 0.12  # by which the logarithms of felt's three colours go apart at most, beside what light explains
SHADED: Final = 0.2  # and by which one place of it is brighter than the rest
SHADOW: Final = 0.6  # and darker than the felt was drawn
MIN_FELT_COLOUR_SHARE: Final = 0.65  # of a thing's area; of true ones less than 0.55 (filmed rounds)


def _logarithms(light: Floats) -> Floats:
    """Return the logarithm of each grey level, for blue, green and red."""
    return np.asarray(np.log(np.maximum(np.arange(256)[:, None] * light, MIN_COLOUR_GREY)))


COLOURS: Final = np.arange(3)
PLAIN_LOGS: Final = _logarithms(PLAIN)


class FeltPrint:
    """The felt as one camera sees it."""

    def __init__(self, view: Expected) -> None:
        self._view = view.picture
        self._light, self._lit_logs = PLAIN, PLAIN_LOGS

    def shows(self, picture: Picture, quad: Quad, light: Floats) -> bool:
        """Say whether the felt is seen where a thing seems to be; `light` makes its colours those of the print."""
        us, vs = zip(*quad, strict=True)
        (left, right), (top, bottom) = _inner(us), _inner(vs)
        height, width = self._view.shape[:2]
        is_inside = left >= OFF_PX and top >= OFF_PX and right + OFF_PX <= width and bottom + OFF_PX <= height
        if not is_inside or min(right - left, bottom - top) < MIN_SIDE_PX:
            return False
        seen, felt = picture[top:bottom, left:right], self._view[top:bottom, left:right]
        around = self._view[top - OFF_PX : bottom + OFF_PX, left - OFF_PX : right + OFF_PX]
        return _is_alike(seen, around) or self._is_felt(seen, felt, _mask(quad, (left, top), seen.shape), light)

    def _is_felt(self, seen: Picture, felt: Picture, where: NDArray[np.bool_], light: Floats) -> bool:
        """Say whether nearly all that is seen has the felt's colours."""
        if not where.any():
            return False
        now, then = (cv2.blur(part, (3, 3))[where] for part in (seen, felt))
        off = self._logs(light)[now, COLOURS] - PLAIN_LOGS[then, COLOURS]
        shade = off.mean(axis=1)
        is_felt = np.abs(off - shade[:, None]).max(axis=1) <= TINTED
        is_felt &= (np.abs(shade - np.median(shade)) <= SHADED) & (np.abs(shade) <= SHADOW)
        return bool(is_felt.mean() >= MIN_FELT_COLOUR_SHARE)

    def _logs(self, light: Floats) -> Floats:
        """Return the logarithms of all grey levels of each colour, in this light; it seldom changes."""
        if self._light is not light:
            self._light, self._lit_logs = light, _logarithms(light)
        return self._lit_logs


def _is_alike(seen: Picture, wanted: Picture) -> bool:
    """Say whether a picture goes up and down with the print, a little beside its place at most."""
    if _spread(wanted) < MIN_PRINT_SPREAD or _spread(seen) < MIN_PICTURE_SPREAD:
        return False
    return bool(cv2.matchTemplate(wanted, seen, cv2.TM_CCOEFF_NORMED).max() >= MIN_PRINT_LIKENESS)


def _mask(quad: Quad, corner: tuple[int, int], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which pixels of a box lie well inside a quad."""
    corners = np.array(quad)
    middle = corners.mean(axis=0)
    inside = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.rint(middle + INNER * (corners - middle) - corner).astype(np.int32), 1)
    return inside.astype(bool)


def _spread(picture: Picture) -> float:
    """Return by how much the colour varies that varies most."""
    return float(cv2.meanStdDev(picture)[1].max())


def _inner(values: tuple[float, ...]) -> tuple[int, int]:
    """Return the middle part of a span, in whole pixels."""
    middle, half = (min(values) + max(values)) / 2, INNER * (max(values) - min(values)) / 2
    return round(middle - half), round(middle + half)
