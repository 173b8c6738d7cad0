"""The print shop's tools and its pips: a suit, a size and a cut go in, a cover mask comes out.

A cut is a printer's own drawing of the four suits. Masks are drawn large and averaged down, so edges are smooth.
An `Easel` is a sheet to draw figures on in units of their own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.paint import Colour, shrink
from vision.values.geometry import Floats
from vision.values.picture import Picture

Point = tuple[float, float]
Points = Floats | list[Point]
Weave = Callable[[Floats, Floats], NDArray[np.bool_]]  # where cloth shows its second colour

PX_PER_MM: Final = 10  # of everything printed on cards
OVERSIZE: Final = 4  # masks are drawn this much larger, then averaged down
FINE_BITS: Final = 4  # OpenCV draws to a sixteenth of a pixel
CUTS: Final = ("classic", "slim", "round")
BREADTH: Final = {"classic": 0.86, "slim": 0.74, "round": 0.96}  # of the height

# One right half per suit in a box 1 high and 1 wide, y down: a start, then cubic curves (two controls and an end).
HALVES: Final[dict[str, tuple[Point, ...]]] = {
    "h": (
        (0, 0.2),
        *((0.05, 0.06), (0.17, 0), (0.27, 0)),
        *((0.42, 0), (0.5, 0.12), (0.5, 0.27)),
        *((0.5, 0.52), (0.16, 0.7), (0, 1)),
    ),
    "s": (
        (0, 0),
        *((0.11, 0.22), (0.5, 0.38), (0.5, 0.62)),
        *((0.5, 0.77), (0.4, 0.84), (0.29, 0.84)),
        *((0.18, 0.84), (0.08, 0.78), (0.035, 0.68)),
        *((0.04, 0.84), (0.1, 0.95), (0.23, 1)),
        *((0.15, 1), (0.08, 1), (0, 1)),
    ),
    "d": ((0, 0), *((0.12, 0.2), (0.28, 0.38), (0.45, 0.5)), *((0.28, 0.62), (0.12, 0.8), (0, 1))),
    "c": (  # the stem only: the three leaves are discs
        (0, 0.4),
        *((0.03, 0.5), (0.03, 0.55), (0.035, 0.62)),
        *((0.04, 0.82), (0.1, 0.94), (0.23, 1)),
        *((0.15, 1), (0.08, 1), (0, 1)),
    ),
}
LEAVES: Final = ((0.0, 0.235, 0.235), (-0.262, 0.6, 0.235), (0.262, 0.6, 0.235), (0.0, 0.5, 0.12))  # x, y, radius

# Column (-1 left, 0 middle, 1 right) and row (0 top to 1 bottom) of each pip.
_CORNERS: Final = ((-1, 0), (1, 0), (-1, 1), (1, 1))
_SIX: Final = (*_CORNERS, (-1, 0.5), (1, 0.5))
_FOUR_ROWS: Final = (*_CORNERS, (-1, 1 / 3), (1, 1 / 3), (-1, 2 / 3), (1, 2 / 3))
PLACES: Final[dict[str, tuple[Point, ...]]] = {
    "A": ((0, 0.5),),
    "2": ((0, 0), (0, 1)),
    "3": ((0, 0), (0, 0.5), (0, 1)),
    "4": _CORNERS,
    "5": (*_CORNERS, (0, 0.5)),
    "6": _SIX,
    "7": (*_SIX, (0, 0.25)),
    "8": (*_SIX, (0, 0.25), (0, 0.75)),
    "9": (*_FOUR_ROWS, (0, 0.5)),
    "T": (*_FOUR_ROWS, (0, 1 / 6), (0, 5 / 6)),
}


@dataclass(frozen=True, slots=True)
class Pips:
    """The suits of number cards, in mm."""

    height: float = 11.5  # 0 prints one large pip instead of the count
    column: float = 12.0  # from the middle to the side columns
    row: float = 30.0  # from the middle to the top row
    cut: str = "classic"
    has_inlay: bool = False  # a pale line inside each


def px(length_mm: float) -> int:
    """Return a length in whole pixels."""
    return max(1, round(length_mm * PX_PER_MM))


def curve(controls: tuple[Point, ...], steps: int = 24) -> Floats:
    """Return points along a chain of cubic curves: a start, then two controls and an end for each curve."""
    chain = np.array(controls, dtype=float)
    t = np.linspace(0, 1, steps)[:, None]
    pieces = []
    for i in range(0, len(chain) - 1, 3):
        a, b, c, d = chain[i : i + 4]
        pieces.append((1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d)
    return np.concatenate(pieces)


def fine(points: Floats) -> NDArray[np.int32]:
    """Return points as the fixed-point numbers that OpenCV draws with."""
    return np.round(points * 2**FINE_BITS).astype(np.int32)


def fill(mask: Picture, points: Floats, value: Colour | int = 255) -> None:
    """Fill a polygon given in pixels, with smooth edges."""
    colour = (value, value, value) if isinstance(value, int) else value
    cv2.fillPoly(mask, [fine(points)], colour, cv2.LINE_AA, FINE_BITS)


def circle(x: float, y: float, radius: float, steps: int = 64) -> Floats:
    """Return the points of a circle."""
    turn = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    return np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1)


@cache
def suit_mask(suit: str, height_px: int, cut: str = "classic") -> Picture:
    """Return the cover of one upright pip; it fills the mask's height."""
    breadth = BREADTH[cut] * (1.08 if suit in "cs" else 0.92 if suit == "d" else 1.0)
    high, wide = height_px * OVERSIZE, round(height_px * breadth) * OVERSIZE
    mask = np.zeros((high, wide), np.uint8)
    half = curve(HALVES[suit])
    outline = np.concatenate([half, half[::-1] * (-1, 1)])
    shapes = [outline, *(circle(*leaf) for leaf in LEAVES)] if suit == "c" else [outline]
    for shape in shapes:
        fill(mask, (shape + np.array([0.5, 0])) * (wide - 1, high - 1))
    return shrink(mask, OVERSIZE)


def pip_mask(pips: Pips, suit: str, height_mm: float) -> Picture:
    """Return the cover of a pip in this design, with its inlay if it has one."""
    mask = suit_mask(suit, px(height_mm), pips.cut)
    if pips.has_inlay:
        mask = mask.copy()
        for share, value in ((0.66, 0), (0.54, 255)):
            lay(mask, suit_mask(suit, px(height_mm * share), pips.cut), value)
    return mask


def stamp(sheet: Picture, mask: Picture, colour: Colour, centre: Point) -> None:
    """Print a mask onto a sheet in one ink, centred on a pixel; what falls off the sheet is lost."""
    high, wide = mask.shape
    left, top = round(centre[0] - wide / 2), round(centre[1] - high / 2)
    u0, v0 = max(left, 0), max(top, 0)
    u1, v1 = min(left + wide, sheet.shape[1]), min(top + high, sheet.shape[0])
    if u1 <= u0 or v1 <= v0:
        return
    cover = mask[v0 - top : v1 - top, u0 - left : u1 - left, None].astype(np.float32) / 255
    below = sheet[v0:v1, u0:u1]
    sheet[v0:v1, u0:u1] = np.round(below + (np.array(colour, np.float32) - below) * cover).astype(np.uint8)


@cache
def show_spade(kind: str, height_px: int, cut: str) -> Picture:
    """Return the cover of the maker's showpiece, the ace of spades: `filigree` on scrolls, or in a `wreath`."""
    edge = height_px * 7 // 10
    mask = np.zeros((2 * edge, 2 * edge), np.uint8)
    shares = (1.0, 0.8, 0.74, 0.5, 0.27) if kind == "filigree" else (1.0, 0.42, 0.33)
    for i, share in enumerate(shares):
        lay(mask, suit_mask("s", round(height_px * share), cut), 0 if i % 2 else 255)
    ornaments = scroll_feet(height_px) if kind == "filigree" else wreath_beads(height_px)
    for x, y, radius, value in ornaments:
        fill(mask, circle(edge + x, edge + y, radius, 20), value)
    return mask


def lay(mask: Picture, part: Picture, value: int) -> None:
    """Print a part onto the middle of a mask."""
    top, left = (mask.shape[0] - part.shape[0]) // 2, (mask.shape[1] - part.shape[1]) // 2
    here = mask[top : top + part.shape[0], left : left + part.shape[1]]
    here[:] = np.round(here + (value - here.astype(np.float32)) * (part / 255)).astype(np.uint8)


def scroll_feet(height: float) -> list[tuple[float, float, float, int]]:
    """Return the discs (x, y, radius, ink) of scrolls below a spade of this height."""
    discs = []
    for k in range(3):
        for turn in np.linspace(0.4, 3.6 * np.pi, 70):
            reach = (0.012 + 0.0066 * turn) * (1 - 0.15 * k) * height
            x, y = (0.27 + 0.12 * k) * height + reach * np.cos(turn), (0.52 - 0.04 * k) * height + reach * np.sin(turn)
            discs += [(float(side * x), float(y), height * 0.006, 255) for side in (-1, 1)]
    return discs


def wreath_beads(height: float) -> list[tuple[float, float, float, int]]:
    """Return the discs (x, y, radius, ink) of a wreath around a spade of this height."""
    discs = []
    for i in range(40):
        for reach, size in ((0.6, 0.026), (0.66, 0.016)):
            turn = 2 * np.pi * (i + (reach > 0.62) / 2) / 40
            x, y = float(reach * height * np.cos(turn)), float(reach * height * np.sin(turn))
            discs += [(x, y, size * height, 255), (x, y, size * height * 0.45, 0)]
    return discs


@dataclass(frozen=True, slots=True)
class Easel:
    """A sheet to draw on in units of one's own: the origin is its middle, y points down."""

    sheet: Picture
    unit: Point  # pixels per unit, across and down
    line: float  # width of outlines in units
    dark: Colour  # of outlines
    flip: float = 1.0  # -1 draws as in a mirror

    def to_pixels(self, points: Points) -> Floats:
        """Return points as pixels of the sheet."""
        middle = np.array([self.sheet.shape[1] / 2, self.sheet.shape[0] / 2])
        pixels: Floats = np.asarray(points, float) * (self.flip * self.unit[0], self.unit[1]) + middle
        return pixels

    def stroke(self, points: Points, width: float, colour: Colour) -> None:
        """Draw a line through points."""
        thick = max(1, round(width * self.unit[0]))
        cv2.polylines(self.sheet, [fine(self.to_pixels(points))], False, colour, thick, cv2.LINE_AA, FINE_BITS)

    def outline(self, points: Points) -> None:
        """Draw the dark line around a polygon."""
        around = np.asarray(points, float)
        self.stroke(np.concatenate([around, around[:1]]), self.line, self.dark)

    def shape(self, points: Points, colour: Colour) -> None:
        """Fill a polygon and outline it."""
        fill(self.sheet, self.to_pixels(points), colour)
        self.outline(points)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Fill a circle and outline it."""
        self.shape(circle(x, y, radius, 28), colour)

    def cloth(self, points: Points, weave: Weave, colours: tuple[Colour, Colour]) -> None:
        """Fill a polygon with cloth woven of two colours and outline it."""
        pixels = self.to_pixels(points)
        fill(self.sheet, pixels, colours[0])
        low = np.maximum(np.floor(pixels.min(axis=0)), 0).astype(int)
        high = np.minimum(np.ceil(pixels.max(axis=0)), self.sheet.shape[1::-1]).astype(int)
        inside = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        cv2.fillPoly(inside, [fine(pixels - low)], 255, cv2.LINE_8, FINE_BITS)
        x, y = np.arange(low[0], high[0])[None, :] / self.unit[0], np.arange(low[1], high[1])[:, None] / self.unit[1]
        part = self.sheet[low[1] : high[1], low[0] : high[0]]
        part[(inside > 0) & weave(x, y)] = colours[1]
        self.outline(points)
