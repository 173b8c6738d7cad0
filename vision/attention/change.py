"""Where a picture has changed: pictures enter, one after the other, and which of their tiles move or have moved leaves.

Pictures are compared small and grey, which costs a hundredth of looking for things in them. A tile is 8 x 8 small
pixels, about the size of a chip. Light that changes everywhere at once is no change, and in a noisy picture more must
differ than in a clean one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.values.picture import Picture

Mask = NDArray[np.bool_]  # rows and columns of tiles
Box = tuple[int, int, int, int]  # left, top, right, bottom, in pixels of the picture
# Assumed where a comment names no measurement.
SMALL_PX: Final = 480  # about the longer side of a small picture
TILE: Final = 8  # small pixels
LEVEL: Final = 14  # grey levels by which a small pixel must differ
SPREADS: Final = 7  # or by so many times what half of the pixels differ by
SOME: Final = 5  # one in so many rows and columns tells light and noise
MIN_CHANGED_PIXELS: Final = 3  # small pixels of a tile that must differ
SETTLED: Final = 2  # frames without movement after which a tile is still
CALM: Final = 6  # and after which it is, whatever moves near it
NEAR_TILES: Final = 2  # tiles
BLOCK: Final = 32  # sides of crops are multiples of it, as the finder wants them
ONCE_PX: Final = 20_000  # pixels that could be looked at in the time that one more look costs by itself


@dataclass(frozen=True)
class Grid:
    """The tiles of pictures of one size."""

    width: int
    height: int

    @cached_property
    def step(self) -> int:
        """Return how many pixels a small pixel is wide."""
        return max(1, round(max(self.width, self.height) / SMALL_PX))

    @cached_property
    def tile_px(self) -> int:
        """Return how wide a tile is."""
        return TILE * self.step

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Return how many rows and columns of tiles there are; the last ones reach beyond the picture."""
        return -(-self.height // self.tile_px), -(-self.width // self.tile_px)

    def none(self) -> Mask:
        """Return a mask of no tiles."""
        return np.zeros(self.shape, bool)

    def shrunk(self, picture: Picture) -> Picture:
        """Return a picture small and grey, filled up to whole tiles."""
        rows, columns = self.shape
        small = np.zeros((rows * TILE, columns * TILE), np.uint8)
        height, width = self.height // self.step, self.width // self.step
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        if self.step % 2 == 0:  # halving is quick, and makes the rest of the way short
            grey = cv2.resize(grey, (self.width // 2, self.height // 2), interpolation=cv2.INTER_AREA)
        small[:height, :width] = cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA)
        return small

    def tile_at(self, u: float, v: float) -> tuple[int, int]:
        """Return the row and column of the tile at a pixel; beyond the picture the nearest one."""
        rows, columns = self.shape
        return min(max(int(v // self.tile_px), 0), rows - 1), min(max(int(u // self.tile_px), 0), columns - 1)

    def tiles_under(self, quad: Iterable[tuple[float, float]]) -> tuple[slice, slice]:
        """Return the rows and columns of tiles that the upright box around some pixels touches."""
        us, vs = zip(*quad, strict=True)
        top, left = self.tile_at(min(us), min(vs))
        bottom, right = self.tile_at(max(us), max(vs))
        return slice(top, bottom + 1), slice(left, right + 1)


class ChangeWatch:
    """Knows for every tile since when it is still, and whether it changed since it was last looked at."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._now: Picture | None = None
        self._reference = np.zeros((0, 0), np.uint8)
        self._quiet = np.full(grid.shape, -1, np.int32)  # frames without movement; of one frame nothing can be said
        self.moving = grid.none()
        self.is_dirty = ~grid.none()  # nothing has been looked at yet

    @property
    def is_still(self) -> Mask:
        """Return which tiles have not moved for a frame or two."""
        return np.asarray(self._quiet >= SETTLED)

    @property
    def is_calm(self) -> Mask:
        """Return which still tiles are worth a look: what moves near them may soon move over them again."""
        near = self.moving
        for _ in range(NEAR_TILES):
            near = spread(near)
        return self.is_still & (~near | (self._quiet >= CALM))

    def update(self, picture: Picture) -> None:
        """Take in the next picture."""
        now = self._grid.shrunk(picture)
        if self._now is None:
            self._now, self._reference = now, now.copy()
        self.moving = _differs(now, self._now)
        self._quiet = np.where(self.moving, 0, self._quiet + 1)
        self.is_dirty |= self.moving | _differs(now, self._reference)  # what comes slowly never moves
        self._now = now

    def done(self, tiles: Mask) -> None:
        """Remember how tiles look now: they were looked at."""
        self.is_dirty &= ~tiles
        if self._now is not None:
            np.copyto(self._reference, self._now, where=tiles.repeat(TILE, axis=0).repeat(TILE, axis=1))

    def forget(self) -> None:
        """Take every tile for changed."""
        self.is_dirty[:] = True


def _differs(now: Picture, then: Picture) -> Mask:
    """Return in which tiles two small pictures differ by more than light and noise."""
    some = now[::SOME, ::SOME].astype(np.int16) - then[::SOME, ::SOME]
    light = int(np.median(some))
    noise = float(np.median(np.abs(some - light)))
    lit = then if light == 0 else np.clip(then.astype(np.int16) + light, 0, 255).astype(np.uint8)
    level = max(LEVEL, SPREADS * noise)
    differs = cv2.threshold(cv2.absdiff(now, lit), level, 255, cv2.THRESH_BINARY)[1]
    size = (now.shape[1] // TILE, now.shape[0] // TILE)
    share = cv2.resize(differs, size, interpolation=cv2.INTER_AREA)
    return np.asarray(share >= round(255 * MIN_CHANGED_PIXELS / TILE**2))


def spread(tiles: Mask) -> Mask:
    """Return tiles with those around them."""
    return np.asarray(cv2.dilate(tiles.astype(np.uint8), np.ones((3, 3), np.uint8)), bool)


@dataclass(frozen=True, eq=False)
class Crop:
    """A part of the picture to look at, and the tiles in it that it is looked at for."""

    box: Box
    tiles: Mask

    @property
    def area(self) -> int:
        """Return its pixels."""
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])

    def of(self, picture: Picture) -> Picture:
        """Return this part of a picture."""
        left, top, right, bottom = self.box
        return np.ascontiguousarray(picture[top:bottom, left:right])


def crops(grid: Grid, tiles: Mask, margin_px: int) -> list[Crop]:
    """Return parts of the picture that show some tiles with a margin around them, as cheap as may be to look at."""
    count, labels = cv2.connectedComponents(spread(tiles).astype(np.uint8))
    found = [_crop(grid, tiles & (labels == label), margin_px) for label in range(1, count)]
    merged = _merged(grid, found, margin_px)
    while len(merged) < len(found):
        found, merged = merged, _merged(grid, merged, margin_px)
    return merged


def _merged(grid: Grid, found: list[Crop], margin_px: int) -> list[Crop]:
    """Return crops with the first two as one that are cheaper so."""
    for i, one in enumerate(found):
        for j, other in enumerate(found[:i]):
            both = _crop(grid, one.tiles | other.tiles, margin_px)
            if both.area <= one.area + other.area + ONCE_PX:
                return [*(crop for k, crop in enumerate(found) if k not in (i, j)), both]
    return found


def _crop(grid: Grid, tiles: Mask, margin_px: int) -> Crop:
    rows, columns = np.flatnonzero(tiles.any(axis=1)), np.flatnonzero(tiles.any(axis=0))
    top, bottom = _side(int(rows[0]), int(rows[-1]) + 1, grid.tile_px, margin_px, grid.height)
    left, right = _side(int(columns[0]), int(columns[-1]) + 1, grid.tile_px, margin_px, grid.width)
    return Crop((left, top, right, bottom), tiles)


def _side(first: int, last: int, tile_px: int, margin_px: int, limit: int) -> tuple[int, int]:
    """Return where a crop begins and ends, a multiple of the finder's block apart where the picture allows it."""
    low, high = max(first * tile_px - margin_px, 0), min(last * tile_px + margin_px, limit)
    high = min(low + -(-(high - low) // BLOCK) * BLOCK, limit)
    return max(high - -(-(high - low) // BLOCK) * BLOCK, 0), high
