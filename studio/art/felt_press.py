"""The press: places in table millimetres enter; lines, fills and words on a felt's sheet leave."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from studio.art.felt_form import FeltDesign
from studio.art.felt_lines import lengths_along, points_along
from studio.art.paint import bgr
from vision.values.geometry import Floats
from vision.values.picture import Picture

SMOOTH = 2  # the artwork is drawn this much larger, then averaged


class Press:
    """A felt being printed: everything is given in table millimetres."""

    def __init__(self, design: FeltDesign, px_per_mm: int) -> None:
        self.design = design
        self.scale = px_per_mm * SMOOTH
        shape = (design.height_mm * self.scale, design.width_mm * self.scale, 3)
        self.sheet: Picture = np.full(shape, bgr(design.ground), np.uint8)

    def pixels(self, points: Floats | Sequence[Floats]) -> Floats:
        """Return points as pixels of the sheet."""
        flat = np.asarray(points, float) * (1, -1) + (self.design.width_mm / 2, self.design.height_mm)
        pixels: Floats = flat * self.scale - 0.5
        return pixels

    def line(self, points: Floats | Sequence[Floats], colour: str, width_mm: float, closed: bool = True) -> None:
        """Draw a line through points."""
        fixed = np.round(self.pixels(points) * 16).astype(np.int32)
        width = max(1, round(width_mm * self.scale))
        cv2.polylines(self.sheet, [fixed], closed, bgr(colour), width, cv2.LINE_AA, 4)

    def fill(self, points: Floats | Sequence[Floats], colour: str) -> None:
        """Fill an outline."""
        cv2.fillPoly(self.sheet, [np.round(self.pixels(points) * 16).astype(np.int32)], bgr(colour), cv2.LINE_AA, 4)

    def text(self, words: str, at: Floats, angle: float, size_mm: float, colour: str) -> None:
        """Print words centred at a place, to be read by who sits at that angle."""
        glyphs = word_mask(words, round(size_mm * self.scale), self.design.font, self.design.weight)
        turn = np.radians(angle + 180)
        cos, sin = np.cos(turn), np.sin(turn)
        height, width = glyphs.shape
        reach = int(np.hypot(height, width) / 2) + 2
        u, v = self.pixels(np.asarray(at, float))
        left, top = int(u) - reach, int(v) - reach
        turning = np.array([[cos, sin, 0], [-sin, cos, 0]])
        turning[:, 2] = (u - left, v - top) - turning[:, :2] @ (width / 2, height / 2)
        turned = cv2.warpAffine(glyphs, turning, (2 * reach, 2 * reach))
        self.blend(left, top, turned.astype(np.uint8, copy=False), colour)

    def blend(self, left: int, top: int, cover: Picture, colour: str) -> None:
        """Lay a colour over the sheet where a mask says so; what reaches over the edge is cut off."""
        x0, y0 = max(left, 0), max(top, 0)
        part = self.sheet[y0 : max(top + cover.shape[0], 0), x0 : max(left + cover.shape[1], 0)]
        if part.size:
            share = cover[y0 - top :, x0 - left :][: part.shape[0], : part.shape[1], None] / 255.0
            part[:] = np.round(part * (1 - share) + np.array(bgr(colour)) * share)

    def text_along(self, words: str, path: Floats, size_mm: float, colour: str) -> None:
        """Print words along a path of table points, centred on it."""
        widths = [advance(letter, size_mm, self.design.font, self.design.weight) for letter in words]
        start = (lengths_along(path)[-1] - sum(widths)) / 2
        for letter, width in zip(words, widths, strict=True):
            middle, start = start + width / 2, start + width
            here, ahead = (points_along(path, distance) for distance in (middle, middle + 2))
            angle = np.degrees(np.arctan2(ahead[1] - here[1], ahead[0] - here[0])) + 180
            if letter != " ":
                self.text(letter, here, float(angle), size_mm, colour)


def advance(words: str, size: float, font: str, weight: int) -> float:
    """Return how wide words are, in the unit of their size."""
    box = cv2.getTextSize((0, 0), f"|{words}|", (0, 0), cv2.FontFace(font), 100, weight)
    bars = cv2.getTextSize((0, 0), "||", (0, 0), cv2.FontFace(font), 100, weight)
    return (box[2] - bars[2]) * size / 100


@cache
def word_mask(words: str, size: int, font: str, weight: int) -> Picture:
    """Return words as a mask, `size` pixels high in capitals' terms; the middle of the capitals is the middle row."""
    width = int(advance(words, size, font, weight)) + size
    mask = np.zeros((size * 2, width), np.uint8)
    cv2.putText(mask, words, (size // 2, round(size * 1.36)), (255,), cv2.FontFace(font), size, weight)
    mask.setflags(write=False)
    return mask
