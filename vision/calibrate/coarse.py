"""A first guess of where a felt is: print and picture enter, a few likely cameras leave, the likeliest first.

Corners of the print are looked for in the picture (SIFT). A felt repeats itself, seat by seat, so a corner has several
candidates; those that agree on turn and scale are tried together, and a homography that many of them share is a guess.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibrate.fit import USUAL_FOCAL, LensHint
from vision.table.artwork import Artwork
from vision.values.geometry import Camera, Floats, Lens
from vision.values.picture import Picture

# Assumed where a comment names no measurement.
WIDEST = 1920  # of the picture and of the print, while guessing
MAX_FEATURES = 6000
CANDIDATES = 4  # places of the print that a corner of the picture may be
TURN_BINS, SCALE_BIN = 24, 0.25  # of a circle; of the logarithm of the scale
NEAR_PX = 8.0  # lenses bend: a homography does not fit better than this
MIN_AGREEING_MATCHES = 12
TRIES = 6


@dataclass(frozen=True, eq=False)
class Pairs:
    """Corners of the print with corners of the picture that look like them."""

    print_px: Floats  # (n, 2)
    picture_px: Floats  # (n, 2)
    turn: Floats  # radians, of the picture against the print
    scale: Floats  # logarithm
    unlike: Floats  # 0: the same


def guesses(picture: Picture, artwork: Artwork, hint: LensHint) -> Iterator[Camera]:
    """Yield cameras that may have taken the picture."""
    pairs = _pairs(picture, artwork)
    lens = _lens(picture, hint)
    for among in _agreeing(pairs):
        matrix, inside = _homography(pairs, among)
        if matrix is not None and inside >= MIN_AGREEING_MATCHES:
            camera = camera_of(_from_mm(matrix, artwork), lens, hint)
            if camera is not None:
                yield camera


def _lens(picture: Picture, hint: LensHint) -> Lens:
    height, width = picture.shape[:2]
    k1, k2 = hint.distortion or (0.0, 0.0)
    return Lens(width, height, hint.focal_px or USUAL_FOCAL * width, (width - 1) / 2, (height - 1) / 2, k1, k2)


def _pairs(picture: Picture, artwork: Artwork) -> Pairs:
    seen_at, seen_size, seen_turn, seen_look = _corners(picture)
    print_at, print_size, print_turn, print_look = _corners(artwork.picture)
    if len(seen_at) < MIN_AGREEING_MATCHES or len(print_at) < CANDIDATES:
        nothing = np.zeros((0, 2))
        return Pairs(nothing, nothing, nothing[:, 0], nothing[:, 0], nothing[:, 0])
    found = cv2.BFMatcher(cv2.NORM_L2).knnMatch(seen_look, print_look, k=CANDIDATES)
    rows = [(m.queryIdx, m.trainIdx, m.distance / max(group[-1].distance, 1e-6)) for group in found for m in group[:-1]]
    i, j = (np.array([row[k] for row in rows], int) for k in (0, 1))
    return Pairs(
        print_at[j],
        seen_at[i],
        np.radians(seen_turn[i] - print_turn[j]) % (2 * np.pi),
        np.log(seen_size[i] / print_size[j]),
        np.array([row[2] for row in rows]),
    )


def _corners(picture: Picture) -> tuple[Floats, Floats, Floats, NDArray[np.float32]]:
    """Return places, sizes, turns and looks of the corners of a picture."""
    share = min(WIDEST / picture.shape[1], 1.0)
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if share < 1 else picture
    grey = cv2.createCLAHE(2.0, (8, 8)).apply(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
    points, looks = cv2.SIFT.create(MAX_FEATURES, contrastThreshold=0.02).detectAndCompute(grey, None)
    if not points:
        return np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros((0, 128), np.float32)
    at = (np.array([point.pt for point in points]) + 0.5) / share - 0.5
    roots = np.sqrt(looks / np.maximum(looks.sum(axis=1, keepdims=True), 1e-6))  # Hellinger: steadier under light
    sizes = np.array([point.size for point in points]) / share
    return at, sizes, np.array([point.angle for point in points]), np.asarray(roots, np.float32)


def _agreeing(pairs: Pairs) -> Iterator[NDArray[np.int_]]:
    """Yield groups of pairs that agree on turn and scale, the largest first; each overlaps its neighbours."""
    if not len(pairs.turn):
        return
    turns = (pairs.turn / (2 * np.pi) * TURN_BINS).astype(int) % TURN_BINS
    scales = np.floor(pairs.scale / SCALE_BIN).astype(int)
    scales -= scales.min()
    votes = np.zeros((TURN_BINS, scales.max() + 3))
    np.add.at(votes, (turns, scales + 1), np.maximum(1 - pairs.unlike, 0.02))
    around = sum(np.roll(votes, i, axis=0) for i in (-1, 0, 1))
    around = around + np.roll(around, 1, axis=1) + np.roll(around, -1, axis=1)
    for place in np.argsort(-around, axis=None)[:TRIES]:
        turn, scale = divmod(int(place), votes.shape[1])
        apart = np.abs((turns - turn + TURN_BINS // 2) % TURN_BINS - TURN_BINS // 2)
        yield np.flatnonzero((apart <= 1) & (np.abs(scales + 1 - scale) <= 1))


def _homography(pairs: Pairs, among: NDArray[np.int_]) -> tuple[Floats | None, int]:
    if len(among) < MIN_AGREEING_MATCHES:
        return None, 0
    best_first = among[np.argsort(pairs.unlike[among], kind="stable")]
    matrix, inside = cv2.findHomography(
        pairs.print_px[best_first], pairs.picture_px[best_first], cv2.USAC_MAGSAC, NEAR_PX, maxIters=20_000
    )
    return (None, 0) if matrix is None else (np.asarray(matrix, float), int(inside.sum()))


def _from_mm(matrix: Floats, artwork: Artwork) -> Floats:
    """Return a homography from pixels of the print as one from millimetres of the table."""
    corner, step = artwork.to_px(np.zeros(2)), 1 / artwork.mm_per_px
    return np.asarray(matrix @ np.array([[step, 0, corner[0]], [0, -step, corner[1]], [0, 0, 1]]))


def camera_of(matrix: Floats, lens: Lens, hint: LensHint) -> Camera | None:
    """Return the camera whose view of the table is a homography (from mm to px); None if no camera sees that."""
    focal = hint.focal_px or _focal(matrix, lens) or lens.focal_px
    centre = np.array([[focal, 0, lens.centre_u], [0, focal, lens.centre_v], [0, 0, 1]])
    columns = np.linalg.inv(centre) @ matrix
    size = float(np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1])))
    if not np.isfinite(size) or size < 1e-12:
        return None
    columns = columns / size * (1 if columns[2, 2] > 0 else -1)
    rough = np.stack([columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])], axis=1)
    left, _, right = np.linalg.svd(rough)
    turn = left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right
    x, y, z = -turn.T @ columns[:, 2]
    if z <= 0:  # the table as seen from below: a mirror image
        return None
    rows = tuple((float(a), float(b), float(c)) for a, b, c in turn)
    return Camera(Lens(lens.width, lens.height, focal, lens.centre_u, lens.centre_v, lens.k1, lens.k2), rows, (x, y, z))


def _focal(matrix: Floats, lens: Lens) -> float | None:
    """Return the focal length that makes the table's axes square and equally long; None if the view does not tell."""
    shift = np.array([[1, 0, -lens.centre_u], [0, 1, -lens.centre_v], [0, 0, 1]])
    h = shift @ matrix
    a, b = h[:, 0], h[:, 1]
    rows = np.array(
        [[a[0] * b[0] + a[1] * b[1], a[2] * b[2]], [a @ a - a[2] ** 2 - (b @ b - b[2] ** 2), a[2] ** 2 - b[2] ** 2]]
    )
    weight = float(rows[:, 1] @ rows[:, 0])
    if weight >= 0:
        return None
    square = -float(rows[:, 0] @ rows[:, 0]) / weight
    focal = float(np.sqrt(square)) if square > 0 else 0.0
    return focal if 0.4 * lens.width < focal < 4 * lens.width else None
