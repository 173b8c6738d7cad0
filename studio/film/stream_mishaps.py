"""Mishaps of the stream: damaged blocks, a frozen picture, frames that never arrive."""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.film.mishap import Effect, Mishap
from vision.values.geometry import Floats, Lens
from vision.values.picture import Picture

BLOCK = 16  # pixels of a macroblock
KEY_S = 2.0  # from one key frame to the next
Way = tuple[str, tuple[int, ...]]  # how a macroblock goes wrong: in what manner, and by how much


class Damage(Effect):
    """Packets are lost: runs of macroblocks go wrong, and stay so until a key frame; only changes are added to them."""

    def __init__(self, mishap: Mishap, lens: Lens, rng: np.random.Generator) -> None:
        super().__init__(mishap, lens, rng)
        self._grid = (-(-lens.height // BLOCK), -(-lens.width // BLOCK))
        self._losses = self._plan_losses()
        self._restart(-1)

    def _plan_losses(self) -> list[float]:
        """Return when packets are lost: at once, and soon after every key frame."""
        keys = np.arange(np.ceil(self.mishap.start_s / KEY_S), np.ceil(self.mishap.end_s / KEY_S)) * KEY_S
        more = [float(key + KEY_S * self.rng.beta(1, 3)) for key in keys for _ in range(1 + self.rng.integers(3))]
        return [self.mishap.start_s, *sorted(more)]

    def _restart(self, key: int) -> None:
        self._key = key
        self._blocks = np.zeros(self._grid, np.uint8)  # 255: wrong

    def change(self, picture: Picture, t_s: float) -> Picture:
        """Return the picture as it is decoded."""
        if int(t_s // KEY_S) != self._key:
            self._restart(int(t_s // KEY_S))
        due = [loss for loss in self._losses if loss <= t_s]
        self._losses = self._losses[len(due) :]
        result = self._carried(picture) if self._blocks.any() else picture
        if any(loss >= self._key * KEY_S for loss in due):
            result = self._torn(result)
            self._wrong, self._right = result.copy(), picture.copy()  # the caller may draw on either
        return result

    def hides(self, points: Floats) -> NDArray[np.bool_]:
        """Say which pixels are in wrong blocks."""
        cells = np.clip(points // BLOCK, 0, [self._grid[1] - 1, self._grid[0] - 1]).astype(int)
        return np.asarray(self._blocks[cells[..., 1], cells[..., 0]] > 0)

    def _carried(self, picture: Picture) -> Picture:
        """Return what a decoder shows between key frames: the wrong blocks, plus what has changed in the right ones."""
        rows = np.flatnonzero(self._blocks.any(axis=1))
        band = slice(rows[0] * BLOCK, (rows[-1] + 1) * BLOCK)
        now, then, wrong = picture[band], self._right[band], self._wrong[band]
        brighter, darker = (
            cv2.threshold(cv2.subtract(*pair), 14, 0, cv2.THRESH_TOZERO)[1] for pair in ((now, then), (then, now))
        )  # an encoder does not send noise
        result = picture.copy()
        mask = cv2.resize(self._blocks, (self._grid[1] * BLOCK, self._grid[0] * BLOCK), interpolation=cv2.INTER_NEAREST)
        shifted = cv2.subtract(cv2.add(wrong, brighter), darker)
        cv2.copyTo(shifted, np.ascontiguousarray(mask[band, : picture.shape[1]][: len(now)]), result[band])
        return result

    def _torn(self, picture: Picture) -> Picture:
        """Return the picture with a slice of macroblocks decoded wrongly."""
        result, (rows, columns) = picture.copy(), self._grid
        first = int(self.rng.integers(0, int(rows * columns * 0.85)))
        last = min(first + int(columns * self.rng.uniform(1.5, self.level(4, 18))), rows * columns) - 1
        ways, which = [self._way() for _ in range(12)], self._mosaic(12)
        for row in range(first // columns, last // columns + 1):
            u0 = first - row * columns if row == first // columns else 0
            u1 = last - row * columns + 1 if row == last // columns else columns
            edges = [u0, *(np.flatnonzero(np.diff(which[row, u0:u1])) + u0 + 1).tolist(), u1]
            for start, end in pairwise(edges):
                self._wrong_run(result, row, start, end, ways[which[row, start]])
        return result

    def _wrong_run(self, picture: Picture, row: int, start: int, end: int, way: Way) -> None:
        if way[0] != "right":
            box = (slice(row * BLOCK, (row + 1) * BLOCK), slice(start * BLOCK, end * BLOCK))
            picture[box] = _wronged(picture, box, way)
            self._blocks[row, start:end] = 255

    def _mosaic(self, ways: int) -> NDArray[np.int64]:
        """Return which way each block goes wrong: neighbours mostly the same one, for they lean on each other."""
        rows, columns = self._grid
        patches = self.rng.integers(0, ways, (rows // 3 + 2, columns // 5 + 2))
        lean = self.rng.integers(0, 5, (rows, 1))  # patches have ragged sides
        v, u = np.arange(rows)[:, None] // 3, (np.arange(columns)[None] + lean) // 5
        stray = self.rng.random(self._grid) < 0.12
        return np.where(stray, self.rng.integers(0, ways, self._grid), patches[v, u])

    def _way(self) -> Way:
        """Choose how blocks go wrong, with a motion vector or a tint."""
        kind = str(self.rng.choice(["moved", "smeared", "grey", "tinted", "right"], p=[0.45, 0.2, 0.1, 0.1, 0.15]))
        if kind == "moved":
            return kind, tuple(int(n) for n in self.rng.normal(0, (14, 40)))
        return kind, tuple(int(n) for n in self.rng.normal(0, (24, 14, 24)))


def _wronged(picture: Picture, box: tuple[slice, slice], way: Way) -> Picture:
    """Return a run of macroblocks as a decoder makes them up."""
    (kind, by), (v, u), part = way, (box[0].start, box[1].start), picture[box]
    high, wide = part.shape[:2]
    if kind == "moved":
        top = min(max(v + by[0], 0), picture.shape[0] - high)
        left = min(max(u + by[1], 0), picture.shape[1] - wide)
        return picture[top : top + high, left : left + wide].copy()
    if kind == "smeared":  # predicted from the line above, without a residual
        return np.repeat(picture[max(v - 1, 0)][None, u : u + wide], high, axis=0)
    if kind == "grey":  # no prediction at all: only a coarse residual
        detail = (part.astype(np.int16) - cv2.blur(part, (BLOCK, BLOCK))) // 8 * 8
        return np.asarray(np.clip(detail + 118 + np.array(by) // 4, 0, 255), np.uint8)
    return np.asarray(np.clip(part.astype(np.int16) + by, 0, 255), np.uint8)


class Frozen(Effect):
    """The stream repeats one picture, noise and clock included."""

    kept: Picture | None = None
    kept_s = 0.0

    def change(self, picture: Picture, t_s: float) -> Picture:
        """Return the first picture of the freeze again."""
        if self.kept is None:
            self.kept, self.kept_s = picture.copy(), t_s
        return self.kept.copy()


class Dropped(Effect):
    """No picture arrives."""

    def change(self, picture: Picture, t_s: float) -> None:
        """Return nothing."""
