"""The drift watch: frames enter, and whether the camera is still where it was calibrated leaves.

Some dozens of patches of the print are looked for around where they belong, a few times a second. Each that is seen
says how far the picture has shifted there; only a shift that most of them share is a movement of the camera. A patch
under a drink, a sleeve or in the dark is not seen and says nothing; when too few are seen the answer is `unsure`.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibrate.fit import LensHint
from vision.calibrate.refine import best_fit
from vision.calibrate.register import Registration, register, register_near
from vision.table.artwork import Artwork, expected
from vision.table.layout import Layout
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

# Assumed where a comment names no measurement.
DRIFT_CHECK_NS = 400_000_000  # between two looks
PATCHES, CELLS = 36, (6, 4)  # patches, spread over this many parts of the picture
HALF_PATCH_PX, SEARCH_PX = 12, 6  # of a patch, and how far it is looked for
SMALL, SMALL_REACH = 4, 14  # a wider look: at a quarter of the size
MIN_PATCHES_SEEN, MIN_AGREEING_SHARE = 7, 0.6
TOGETHER_PX = 0.8  # patches of one movement agree within this
MOVED_PX = 1.6  # less than what must be noticed, and well above what noise and a sleeve do
CLEAR_SEEN = 12  # patches that must share a movement before it is believed without a new registration
REREGISTER_NS = 10_000_000_000  # between two tries to register a picture anew from nothing


class State(StrEnum):
    """What is known of the camera now."""

    STEADY = "steady"
    MOVED = "moved"  # and registered again
    LOST = "lost"  # moved, and not yet registered again: what is seen is not where it seems
    UNSURE = "unsure"  # too little of the print is seen to tell, or a movement was seen once


@dataclass(frozen=True)
class Drift:
    """The answer at a time: the state, how far the picture has shifted, and the camera to go on with."""

    t_ns: int
    state: State
    shift_px: float
    camera: Camera


@dataclass(frozen=True, eq=False)
class _Marks:
    """Patches of the print with where they belong, at one size of the picture."""

    spots: NDArray[np.int_]  # (n, 2)
    patches: list[Picture]  # grey


class DriftWatch:
    """Watches one camera. `update` is cheap: between two looks it returns what it knew."""

    def __init__(self, artwork: Artwork, layout: Layout, camera: Camera) -> None:
        self._artwork, self._layout = artwork, layout
        self._suspected: Floats | None = None
        self._tried_ns: int | None = None
        self._is_lost = False
        self._settle(camera)
        self._last = Drift(-DRIFT_CHECK_NS, State.STEADY, 0.0, camera)

    def update(self, t_ns: int, picture: Picture) -> Drift:
        """Return what is known after this frame."""
        if t_ns - self._last.t_ns >= DRIFT_CHECK_NS:
            self._last = self._look(t_ns, picture)
        return self._last

    def _settle(self, camera: Camera) -> None:
        """Take a camera for the right one, and remember how it should see the print."""
        self._camera = camera
        view = expected(self._artwork, camera)
        grey = np.asarray(cv2.cvtColor(view.picture, cv2.COLOR_BGR2GRAY), np.uint8)
        self._near = _choose(grey, view.on_felt, SEARCH_PX)
        self._wide = _choose(_shrunk(grey), _shrunk(view.on_felt.astype(np.uint8) * 255) > 250, SMALL_REACH)

    def _look(self, t_ns: int, picture: Picture) -> Drift:
        move = _movement(picture, self._near, SEARCH_PX) or self._wide_movement(picture)
        if move is None:
            return self._blind(t_ns, picture)
        shift = _largest(move, picture)
        if shift < MOVED_PX:
            self._suspected, self._is_lost = None, False
            return Drift(t_ns, State.STEADY, shift, self._camera)
        if self._suspected is None or np.abs(self._suspected - move.shift).max() > 2 * TOGETHER_PX:
            self._suspected = move.shift  # once is chance: a second look must say the same
            return Drift(t_ns, State.LOST if self._is_lost else State.UNSURE, shift, self._camera)
        found = register_near(picture, self._artwork, self._layout, turned(self._camera, move))
        if (found is None or not found.is_good) and move.seen < CLEAR_SEEN and not self._is_lost:
            self._suspected = None  # somebody leans over the table: a few patches are no proof
            return Drift(t_ns, State.UNSURE, shift, self._camera)
        return self._moved(t_ns, shift, found)

    def _wide_movement(self, picture: Picture) -> "Movement | None":
        small = np.asarray(
            cv2.resize(picture, None, fx=1 / SMALL, fy=1 / SMALL, interpolation=cv2.INTER_AREA), np.uint8
        )
        move = _movement(small, self._wide, SMALL_REACH)
        return None if move is None else replace(move, shift=move.shift * SMALL)

    def _blind(self, t_ns: int, picture: Picture) -> Drift:
        """Decide when the print is not seen where it was: covered, dark, or the camera has been turned far."""
        if self._tried_ns is not None and t_ns - self._tried_ns < REREGISTER_NS:
            return Drift(t_ns, State.LOST if self._is_lost else State.UNSURE, 0.0, self._camera)
        self._tried_ns = t_ns
        lens = self._camera.lens
        found = register(picture, self._artwork, self._layout, LensHint(lens.focal_px, (lens.k1, lens.k2)))
        if found is None or not found.is_good:
            return Drift(t_ns, State.LOST if self._is_lost else State.UNSURE, 0.0, self._camera)
        middle = np.array([[0.0, self._layout.size_mm[1] / 2, 0.0]])
        shift = float(np.linalg.norm(found.camera.project(middle) - self._camera.project(middle)))
        return self._moved(t_ns, shift, found)

    def _moved(self, t_ns: int, shift: float, found: Registration | None) -> Drift:
        self._suspected = None
        self._is_lost = found is None or not found.is_good
        if found is None or not found.is_good:
            return Drift(t_ns, State.LOST, shift, self._camera)
        self._settle(found.camera)
        return Drift(t_ns, State.MOVED, shift, found.camera)


@dataclass(frozen=True, eq=False)
class Movement:
    """How a picture has moved: turned by an angle about its middle, then shifted."""

    turn: float  # radians
    shift: Floats  # px, at the picture's middle
    seen: int


def turned(camera: Camera, move: Movement) -> Camera:
    """Return the camera after it was turned so that its picture moved like this."""
    focal = camera.lens.focal_px
    aside = cv2.Rodrigues(np.array([-move.shift[1] / focal, move.shift[0] / focal, move.turn]))[0]
    rows = aside @ np.array(camera.rotation)
    return replace(camera, rotation=tuple((float(a), float(b), float(c)) for a, b, c in rows))


def _choose(grey: Picture, on_felt: NDArray[np.bool_], reach: int) -> _Marks:
    """Choose telling patches in all parts of a picture."""
    wide = HALF_PATCH_PX + reach + 1
    inner = cv2.erode(on_felt.astype(np.uint8), np.ones((2 * HALF_PATCH_PX + 1, 2 * HALF_PATCH_PX + 1), np.uint8))
    inner[:wide], inner[-wide:], inner[:, :wide], inner[:, -wide:] = 0, 0, 0, 0
    corners = cv2.goodFeaturesToTrack(grey, 400, 0.02, 2 * HALF_PATCH_PX, mask=inner, blockSize=7)
    if corners is None:
        return _Marks(np.zeros((0, 2), int), [])
    spots = np.round(corners[:, 0]).astype(int)  # the best first
    size = np.array(grey.shape[1::-1])
    cells = (spots * CELLS // size) @ np.array([1, CELLS[0]])
    rank = np.array([int((cells[:i] == cell).sum()) for i, cell in enumerate(cells)])  # in its own part
    chosen = spots[np.argsort(rank, kind="stable")[:PATCHES]]
    half = HALF_PATCH_PX
    return _Marks(chosen, [grey[v - half : v + half + 1, u - half : u + half + 1] for u, v in chosen])


def _movement(picture: Picture, marks: _Marks, reach: int) -> Movement | None:
    """Return the movement that most patches share; None if too few are seen, or they disagree."""
    middle = (np.array(picture.shape[1::-1]) - 1) / 2
    rows = []
    for (u, v), patch in zip(marks.spots, marks.patches, strict=True):
        wide = HALF_PATCH_PX + reach
        window = cv2.cvtColor(picture[v - wide : v + wide + 1, u - wide : u + wide + 1], cv2.COLOR_BGR2GRAY)
        fits = best_fit(np.asarray(window, np.uint8), patch)
        if fits is not None:
            rows.append((u - middle[0], v - middle[1], *fits[0]))
    if len(rows) < MIN_PATCHES_SEEN:
        return None
    seen = np.array(rows)
    return _shared(seen[:, :2], seen[:, 2:])


def _shared(places: Floats, shifts: Floats) -> Movement | None:
    """Return the turn and shift that most places agree on; every pair of places is asked once."""
    i, j = np.triu_indices(len(places), 1)
    apart = places[j] - places[i]
    size = np.maximum((apart**2).sum(axis=1), 1.0)
    change = shifts[j] - shifts[i]
    turns = (apart[:, 0] * change[:, 1] - apart[:, 1] * change[:, 0]) / size
    bases = shifts[i] - turns[:, None] * _across(places[i])
    off = np.linalg.norm(bases[:, None] + turns[:, None, None] * _across(places)[None] - shifts[None], axis=-1)
    votes = (off < TOGETHER_PX).sum(axis=1)
    best = int(votes.argmax())
    if votes[best] < max(MIN_PATCHES_SEEN, MIN_AGREEING_SHARE * len(places)):
        return None
    near = off[best] < TOGETHER_PX
    matrix = np.concatenate([np.c_[_across(places[near])[:, [k]], np.eye(2)[[k] * int(near.sum())]] for k in (0, 1)])
    turn, u, v = np.linalg.lstsq(matrix, shifts[near].T.ravel(), rcond=None)[0]
    return Movement(float(turn), np.array([u, v]), int(near.sum()))


def _across(places: Floats) -> Floats:
    """Return places turned by a right angle: where a small turn moves them."""
    return np.stack([-places[..., 1], places[..., 0]], axis=-1)


def _largest(move: Movement, picture: Picture) -> float:
    """Return the largest shift that a movement makes in the inner part of a picture."""
    half = np.array(picture.shape[1::-1]) / 3
    corners = half * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    return float(np.linalg.norm(move.shift + move.turn * _across(corners), axis=1).max())


def _shrunk(grey: Picture) -> Picture:
    return np.asarray(cv2.resize(grey, None, fx=1 / SMALL, fy=1 / SMALL, interpolation=cv2.INTER_AREA), np.uint8)
