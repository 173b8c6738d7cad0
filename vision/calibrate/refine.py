"""From a guess to a fraction of a pixel: what the camera would see of the print is compared with what it sees.

Small patches of the expected picture are looked for near where they should be. A patch under a chip, a card or a sleeve
does not look like itself and is left out; the rest say how the camera must be moved.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.calibrate.fit import Fit, LensHint, Observations, fit
from vision.table.artwork import Artwork, expected
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

# Assumed where a comment names no measurement.
HALF_MARK_PX = 10  # of a patch, px
MAX_MARKS = 700  # patches at most
APART_PX = 9.0
REACHES = (26, 12, 6, 4, 4)  # how far a patch is looked for, pass by pass
MIN_PATCH_LIKENESS = 0.62  # a patch that looks less like itself is covered
HOPELESS = 0.05  # share of patches; with fewer where they belong a guess is wrong
EXACT_PX = 1.5  # a patch that is seen nearer than this to where it belongs is explained


@dataclass(frozen=True, eq=False)
class Refined:
    """A fit, how many patches of the print should show, and how many were seen where they belong."""

    fit: Fit
    asked: int
    seen: int
    places_mm: Floats  # of those seen

    @property
    def share(self) -> float:
        """Return which share of the print's patches was seen where it belongs."""
        return self.seen / self.asked if self.asked else 0.0


def refine(
    picture: Picture, artwork: Artwork, start: Camera, hint: LensHint, reaches: tuple[int, ...] = REACHES
) -> Refined | None:
    """Return the camera near `start` that explains the picture best; None if the print is not to be seen there."""
    camera, refined = start, None
    for reach in reaches:
        marks = find_marks(artwork, camera, picture, reach)
        if len(marks.seen.pixels) < 8:
            return None
        found = fit(camera, marks.seen, hint, max(reach / 6, 0.7))
        near = found.off_px < max(EXACT_PX, reach / 6)
        if near.sum() < HOPELESS * marks.asked:
            return None
        refined = Refined(found, marks.asked, int(near.sum()), marks.seen.places_mm[near])
        camera = found.camera
    return refined


@dataclass(frozen=True, eq=False)
class Marks:
    """Patches that were looked for, and those that were seen."""

    asked: int
    seen: Observations


def find_marks(artwork: Artwork, camera: Camera, picture: Picture, reach: int) -> Marks:
    """Look for patches of the print around where the camera should see them."""
    view = expected(artwork, camera)
    grey = cv2.cvtColor(view.picture, cv2.COLOR_BGR2GRAY)
    inner = cv2.erode(view.on_felt.astype(np.uint8), np.ones((2 * HALF_MARK_PX + 1, 2 * HALF_MARK_PX + 1), np.uint8))
    edge = HALF_MARK_PX + reach + 2
    inner[:edge], inner[-edge:], inner[:, :edge], inner[:, -edge:] = 0, 0, 0, 0
    corners = cv2.goodFeaturesToTrack(grey, MAX_MARKS, 0.01, APART_PX, mask=inner, blockSize=7)
    if corners is None:
        return Marks(0, Observations(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 2, 2))))
    spots = np.round(corners[:, 0]).astype(int)
    rows = [(spot, *answer) for spot in spots if (answer := _look(view.picture, picture, spot, reach)) is not None]
    at = np.array([row[0] for row in rows], float).reshape(-1, 2)
    pixels = np.array([row[1] for row in rows], float).reshape(-1, 2)
    weights = np.array([row[2] for row in rows], float).reshape(-1, 2, 2)
    return Marks(len(spots), Observations(camera.place(at)[:, :2], pixels, weights))


def _look(view: Picture, picture: Picture, spot: Floats, reach: int) -> tuple[Floats, Floats] | None:
    """Return where a patch is seen and how exactly each way; None if it is not to be seen."""
    u, v = int(spot[0]), int(spot[1])
    patch = view[v - HALF_MARK_PX : v + HALF_MARK_PX + 1, u - HALF_MARK_PX : u + HALF_MARK_PX + 1]
    wide = HALF_MARK_PX + reach
    window = picture[v - wide : v + wide + 1, u - wide : u + wide + 1]
    fits = best_fit(window, patch)
    if fits is None:
        return None
    shift, alike = fits
    return np.array([u, v]) + shift, _exactness(patch) * alike


def best_fit(window: Picture, patch: Picture) -> tuple[Floats, float] | None:
    """Return where in a window a patch fits best, off the middle, and how well; None if it fits nowhere inside."""
    hill = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
    row, column = divmod(int(hill.argmax()), hill.shape[1])
    last_row, last_column = hill.shape[0] - 1, hill.shape[1] - 1
    if hill[row, column] < MIN_PATCH_LIKENESS or not (0 < row < last_row and 0 < column < last_column):
        return None
    top = summit(np.asarray(hill[row - 1 : row + 2, column - 1 : column + 2], float))
    return np.array([column - last_column / 2, row - last_row / 2]) + top, float(hill[row, column])


def summit(around: Floats) -> Floats:
    """Return where the top of a 3 x 3 hill lies, off its middle: a parabola each way."""
    bend_u = around[1, 0] - 2 * around[1, 1] + around[1, 2]
    bend_v = around[0, 1] - 2 * around[1, 1] + around[2, 1]
    shift_u = (around[1, 0] - around[1, 2]) / (2 * bend_u) if bend_u < -1e-9 else 0.0
    shift_v = (around[0, 1] - around[2, 1]) / (2 * bend_v) if bend_v < -1e-9 else 0.0
    return np.asarray(np.clip([shift_u, shift_v], -0.6, 0.6), float)


def _exactness(patch: Picture) -> Floats:
    """Return how exactly a patch can be placed each way, as a matrix: along a line it cannot."""
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    du, dv = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    tensor = np.array(
        [[float((du * du).sum()), float((du * dv).sum())], [float((du * dv).sum()), float((dv * dv).sum())]]
    )
    values, vectors = np.linalg.eigh(tensor)
    return np.asarray(vectors @ np.diag(np.sqrt(np.maximum(values / max(values[1], 1e-6), 0))) @ vectors.T, float)
