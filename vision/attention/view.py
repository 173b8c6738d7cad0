"""How well a table is seen: pictures enter; what is in the way of seeing it leaves, None where nothing is.

The print of the felt is known, so it tells what a picture is worth. A few times a second each tile of print is held
against what the camera should see there: is it like it, has it as much contrast, is it as sharp? What lies on the
table is known and hides print by right. Where much of the rest is not seen, something is in the way; where most of it
is seen, but dull, blurred or in noise, the picture is degraded.

How sharp and contrasty the print is depends on lamps and lens, so every tile is held against what it was before: what
comes slowly becomes usual, but never less than what is needed to read cards.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.attention.change import TILE, Box, Grid, Mask
from vision.attention.trouble import BLOCKED, DEGRADED, Trouble
from vision.table.artwork import Expected
from vision.values.geometry import Floats
from vision.values.picture import Picture

# Assumed where a comment names no measurement.
VIEW_CHECK_NS: Final = 400_000_000  # between two looks
MIN_TILE_SPREAD: Final = 5.0  # grey levels of a tile: less is no print
LEAST_MARKS: Final = 40  # tiles of print, without which nothing can be said
GRAIN: Final = 4.0  # grey levels by which a bare cover is uneven: it is like anything
MIN_TILE_LIKENESS: Final = 0.5  # with what should be seen: print that shows
HIDDEN: Final = 0.28  # share of the open print: something large is in the way; hands hide a sixth at most
DEALER_HIDDEN: Final = 0.9  # the same of the dealer's side alone
CHANCE_SHARE: Final = 0.1  # share of the print that is seen by chance
DULL, BLURRED, NOISY = 0.5, 0.4, 2.5  # contrast and detail against what is usual
SNOW: Final = 1.5  # more detail than the print has, and none of it is print
DARKER, BRIGHTER = 0.75, 1.3  # than usual
POOR: Final = 0.2  # share of the print that shows: so much of it is bad
POOR_WHERE_HIDDEN: Final = 0.75  # the same where much is hidden
LEAST_CONTRAST, LEAST_DETAIL = 0.5, 0.4  # against the print itself: what is usual is never less
FOLLOWS: Final = 0.004  # of a new look in what is usual: some minutes of looks
ROUGHLY: Final = 0.6  # how alike a picture is in its broad lights, if the table is in it at all
SHARP: Final = 1.0  # detail of the print itself: more is noise, and nothing is lost when an encoder smooths it away
DETAIL_PX: Final = 5  # what is smaller is detail


@dataclass(frozen=True, eq=False)
class _Look:
    """Every tile of print as one picture has it."""

    alike: Floats
    contrast: Floats  # of the print
    detail: Floats
    light: Floats  # grey levels


class ViewWatch:
    """Watches what one camera sees of the print. `update` is cheap: between two looks it returns what it knew."""

    def __init__(self, view: Expected, grid: Grid, watched: Mask, dealers: Mask) -> None:
        self._grid = grid
        self._marks = _printed(grid, view.picture, view.on_felt) & watched
        self._is_dealers = dealers[self._marks]
        self._light, self._print = _flat(_tiles(grid.shrunk(view.picture), TILE)[self._marks])
        self._fine = self._detail(np.asarray(cv2.cvtColor(view.picture, cv2.COLOR_BGR2GRAY), np.uint8))
        self._usual: _Look | None = None
        self._looked_ns: int | None = None
        self._last: Trouble | None = None

    def update(self, t_ns: int, picture: Picture, things: Iterable[Box], *, is_sudden: bool = False) -> Trouble | None:
        """Return what is in the way of seeing, if something is; what changes much at once is looked at at once.

        `things` are what is known to lie on the table.
        """
        if self._looked_ns is None or is_sudden or t_ns - self._looked_ns >= VIEW_CHECK_NS:
            self._looked_ns = t_ns
            self._last = self._judged(picture, things) if self._marks.sum() >= LEAST_MARKS else None
        return self._last

    def _judged(self, picture: Picture, things: Iterable[Box]) -> Trouble | None:
        now = self._look(picture)
        usual = self._usual or _floored(now)
        is_seen, is_open = now.alike >= MIN_TILE_LIKENESS, ~self._under(things)[self._marks]
        found = _held(now, usual, is_seen)
        if is_seen.mean() < CHANCE_SHARE:
            return _nothing(found, _likeness(now.light, self._light))
        self._usual = _followed(usual, now, is_seen)
        hidden, dealers = (_share(~found.is_shown, is_open & part) for part in (is_open, self._is_dealers))
        is_blocked = hidden >= HIDDEN or dealers >= DEALER_HIDDEN
        if _share(found.is_bad, found.is_shown) >= (POOR_WHERE_HIDDEN if is_blocked else POOR):
            return found.trouble()
        what = f"{hidden:.0%} of the open print is" if hidden >= HIDDEN else "the dealer's side is"
        return Trouble(BLOCKED, f"{what} hidden") if is_blocked else None

    def _look(self, picture: Picture) -> _Look:
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        light, now = _flat(_tiles(self._grid.shrunk(picture), TILE)[self._marks])
        common, own = (now * self._print).sum(axis=1), (self._print**2).sum(axis=1)
        blank = GRAIN * TILE * np.sqrt(own)
        alike = common / np.sqrt((now**2).sum(axis=1) * own + blank)
        return _Look(alike, common / own, self._detail(grey) / np.maximum(self._fine, 0.1), light)

    def _detail(self, grey: Picture) -> Floats:
        """Return how much of each tile of print is finer than a few pixels."""
        fine = cv2.absdiff(grey, cv2.blur(grey, (DETAIL_PX, DETAIL_PX)))
        rows, columns = self._grid.shape
        wide = self._grid.tile_px
        below, beside = rows * wide - grey.shape[0], columns * wide - grey.shape[1]
        whole = cv2.copyMakeBorder(fine, 0, below, 0, beside, cv2.BORDER_CONSTANT)
        return np.asarray(_tiles(np.asarray(whole, np.uint8), wide)[self._marks].mean(axis=(1, 2)), float)

    def _under(self, things: Iterable[Box]) -> Mask:
        covered = self._grid.none()
        for left, top, right, bottom in things:
            covered[self._grid.tiles_under(((left, top), (right, bottom)))] = True
        return covered


@dataclass(frozen=True, eq=False)
class _Held:
    """A look held against what is usual."""

    contrast: Floats
    detail: Floats
    light: Floats
    is_dull: Mask
    is_blurred: Mask
    is_noisy: Mask
    is_shown: Mask  # seen, and not through the rim of what is in the way

    @property
    def is_bad(self) -> Mask:
        """Return which tiles are not to be relied on."""
        return np.asarray(self.is_dull | self.is_blurred | self.is_noisy)

    def trouble(self) -> Trouble:
        """Say what is wrong with the print that shows."""
        dull, blurred, noisy = (
            _share(which, self.is_shown) for which in (self.is_dull, self.is_blurred, self.is_noisy)
        )
        if noisy > max(dull, blurred):
            return Trouble(DEGRADED, f"the picture is noisy: {noisy:.0%} of the print is")
        contrast, light = (float(np.median(part[self.is_shown])) for part in (self.contrast, self.light))
        if dull < blurred or contrast >= DULL:
            return Trouble(DEGRADED, f"the picture is blurred: {max(dull, blurred):.0%} of the print is unsharp")
        word = "too dark" if light < DARKER else "blurred" if light < BRIGHTER else "washed out"
        return Trouble(DEGRADED, f"the picture is {word}: the print has {contrast:.0%} of its usual contrast")


def _held(now: _Look, usual: _Look, is_seen: Mask) -> _Held:
    contrast, detail, light = now.contrast / usual.contrast, now.detail / usual.detail, now.light / usual.light
    sharpness = now.detail / np.minimum(usual.detail, SHARP)
    is_dull, is_blurred = contrast < DULL, sharpness < BLURRED
    rest = float(np.median(light[is_seen])) if is_seen.any() else 1.0
    is_veiled = (is_dull | is_blurred) & (light < DARKER * rest)
    return _Held(contrast, detail, light, is_dull, is_blurred, detail > NOISY, is_seen & ~is_veiled)


def _nothing(found: _Held, likeness: float) -> Trouble:
    """Tell why nothing of the print is seen, by how alike the broad lights are."""
    if float(np.median(found.detail)) >= SNOW:
        return Trouble(DEGRADED, "the picture is noise")
    if likeness > ROUGHLY:
        return Trouble(DEGRADED, "the picture is blurred: nothing of the print can be made out")
    return Trouble(BLOCKED, "nothing of the print is seen")


def _floored(look: _Look) -> _Look:
    """Return a look as what is usual, which is never less than what is needed."""
    contrast, detail = np.maximum(look.contrast, LEAST_CONTRAST), np.maximum(look.detail, LEAST_DETAIL)
    return _Look(look.alike, contrast, detail, np.maximum(look.light, 1.0))


def _followed(usual: _Look, now: _Look, is_seen: Mask) -> _Look:
    """Return what is usual after one more look, where the print is seen."""

    def mixed(old: Floats, new: Floats) -> Floats:
        return np.asarray(np.where(is_seen, old + FOLLOWS * (new - old), old))

    return _floored(
        _Look(
            usual.alike,
            mixed(usual.contrast, now.contrast),
            mixed(usual.detail, now.detail),
            mixed(usual.light, now.light),
        )
    )


def _share(which: Mask, among: Mask) -> float:
    return int(np.count_nonzero(which & among)) / max(int(np.count_nonzero(among)), 1)


def _likeness(one: Floats, other: Floats) -> float:
    """Return how two rows of numbers go together: 1, or 0 for not at all."""
    (_, a), (_, b) = _flat(one[None, None]), _flat(other[None, None])
    return float((a * b).sum() / np.sqrt((a**2).sum() * (b**2).sum() + GRAIN))


def _printed(grid: Grid, picture: Picture, on_felt: NDArray[np.bool_]) -> Mask:
    """Return the tiles of a picture of the bare felt that have print on them."""
    felt = np.repeat(on_felt.astype(np.uint8)[..., None] * 255, 3, axis=2)
    is_whole = _tiles(grid.shrunk(felt), TILE).min(axis=(2, 3)) >= 250
    return np.asarray(is_whole & (_tiles(grid.shrunk(picture), TILE).std(axis=(2, 3)) >= MIN_TILE_SPREAD))


def _tiles(picture: Picture, side: int) -> Picture:
    """Return a picture as rows and columns of tiles."""
    high, wide = picture.shape[0] // side, picture.shape[1] // side
    return picture.reshape(high, side, wide, side).swapaxes(1, 2)


def _flat(tiles: NDArray[np.generic]) -> tuple[Floats, Floats]:
    """Return the mean of each tile, and what is left of its pixels without it, as rows."""
    rows = np.asarray(tiles, float).reshape(len(tiles), -1)
    light = rows.mean(axis=1)
    return light, rows - light[:, None]
