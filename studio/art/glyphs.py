"""Rank glyphs drawn with a pen: a rank, a size and a lettering style go in, a cover mask comes out.

Every glyph is a skeleton of strokes in a unit box (y down); a lettering says how broad the box is, how thick the pen
is across and along, and what the ends look like.
"""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from studio.art.paint import shrink
from studio.art.pips import OVERSIZE, Point, circle, fill, px
from vision.values.geometry import Floats
from vision.values.picture import Picture

NIB_DEG: Final = 20.0  # the pen's edge: strokes along it are thin, across it thick


@dataclass(frozen=True, slots=True)
class Lettering:
    """A style of rank glyphs; all lengths are shares of the glyph's height."""

    breadth: float
    thick: float
    thin: float
    serif: float = 0.0  # length of a serif, 0 for none
    is_round: bool = False
    is_flat_three: bool = False
    ten_breadth: float = 1.3  # of the breadth of the others


@dataclass(frozen=True, slots=True)
class Index:
    """Rank and suit in a corner, in mm."""

    lettering: str
    rank: float  # height of the rank
    suit: float  # height of the suit
    x: float  # from the card's left edge to the middle of the index; to its left if the suit stands beside
    y: float  # from the top edge to the top of the rank
    max_width: float  # a wider rank is squeezed
    gap: float = 1.0
    corners: int = 2  # or 4
    is_beside: bool = False  # the suit stands beside the rank, not below


LETTERINGS: Final = {
    "roman": Lettering(0.58, 0.16, 0.06, serif=0.26, ten_breadth=1.5),
    "didone": Lettering(0.62, 0.18, 0.035, serif=0.26, ten_breadth=1.5),
    "thin": Lettering(0.46, 0.09, 0.08, ten_breadth=1.5),
    "gothic": Lettering(0.5, 0.15, 0.13, is_flat_three=True, ten_breadth=1.5),
    "black": Lettering(0.66, 0.22, 0.18, ten_breadth=1.45),
    "slab": Lettering(0.6, 0.16, 0.13, serif=0.3, ten_breadth=1.5),
    "round": Lettering(0.54, 0.155, 0.155, is_round=True, ten_breadth=1.5),
    "narrow": Lettering(0.4, 0.12, 0.1, is_flat_three=True, ten_breadth=1.6),
    "poster": Lettering(0.52, 0.17, 0.1, serif=0.2, ten_breadth=1.5),
    # of reserved faces, see `drawers`
    "grotesque": Lettering(0.58, 0.13, 0.125, ten_breadth=1.45),
    "egyptian": Lettering(0.64, 0.13, 0.12, serif=0.36, ten_breadth=1.5),
    "hairline": Lettering(0.5, 0.07, 0.06, is_round=True, ten_breadth=1.5),
    "fat": Lettering(0.7, 0.27, 0.07, serif=0.22, ten_breadth=1.4),
    "deco": Lettering(0.44, 0.2, 0.055, is_flat_three=True, ten_breadth=1.6),
    "stadium": Lettering(0.52, 0.2, 0.2, is_round=True, is_flat_three=True, ten_breadth=1.5),
}


def arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> list[Point]:
    """Return points along an ellipse, angles in degrees, clockwise as seen."""
    turns = np.radians(np.linspace(start, end, max(6, int(abs(end - start) / 7))))
    return [(x + rx * float(np.cos(turn)), y + ry * float(np.sin(turn))) for turn in turns]


_SIX: Final = (arc(0.5, 0.68, 0.5, 0.32, 0, 360), [*arc(0.6, 0.66, 0.6, 0.66, 180, 292)])
_NINE: Final = tuple([(1 - x, 1 - y) for x, y in stroke] for stroke in _SIX)

SKELETONS: Final[dict[str, tuple[list[Point], ...]]] = {
    "A": ([(0, 1), (0.5, 0), (1, 1)], [(0.17, 0.68), (0.83, 0.68)]),
    "2": ([*arc(0.49, 0.29, 0.49, 0.29, -172, 28), (0.02, 1), (1, 1)],),
    "3": ([*arc(0.46, 0.245, 0.46, 0.245, -165, 90)], [*arc(0.46, 0.745, 0.54, 0.255, -90, 165)]),
    "4": ([(0.74, 1), (0.74, 0), (0, 0.7), (1, 0.7)],),
    "5": ([(0.92, 0), (0.16, 0), (0.1, 0.46), *arc(0.47, 0.69, 0.53, 0.31, -135, 158)],),
    "6": _SIX,
    "7": ([(0, 0), (1, 0), (0.34, 1)],),
    "8": (arc(0.5, 0.245, 0.43, 0.245, 0, 360), arc(0.5, 0.745, 0.5, 0.255, 0, 360)),
    "9": _NINE,
    "T": ([(-0.1, 0.16), (0.05, 0), (0.05, 1)], arc(0.73, 0.5, 0.27, 0.5, 0, 360)),
    "J": ([(0.88, 0), (0.88, 0.69), *arc(0.44, 0.7, 0.44, 0.3, 0, 172)],),
    "Q": (arc(0.5, 0.48, 0.5, 0.48, 0, 360), [(0.5, 0.7), (1.0, 1.04)]),
    "K": ([(0.06, 0), (0.06, 1)], [(0.96, 0), (0.08, 0.6)], [(0.36, 0.42), (1, 1)]),
}
FLAT_THREE: Final = ([(0.04, 0), (0.94, 0), (0.42, 0.4)], [*arc(0.46, 0.7, 0.54, 0.3, -100, 165)])
FEET: Final[dict[str, tuple[Point, ...]]] = {  # where serifs lie
    "A": ((0, 1), (1, 1)),
    "4": ((0.74, 1),),
    "7": ((0.34, 1),),
    "T": ((0.05, 1),),
    "J": ((0.8, 0),),
    "K": ((0.06, 0), (0.06, 1), (0.96, 0), (1, 1)),
}
TICKS: Final[dict[str, Point]] = {"7": (0, 0.07), "2": (1, 0.93), "5": (0.92, -0.03)}  # serifs that stand


def rank_strokes(rank: str, style: Lettering) -> tuple[list[Point], ...]:
    """Return the skeleton of a rank in this style."""
    return FLAT_THREE if rank == "3" and style.is_flat_three else SKELETONS[rank]


def pen_width(step: Floats, style: Lettering) -> float:
    """Return how wide the pen draws in this direction, as a share of the glyph's height."""
    nib = np.radians(NIB_DEG)
    across = abs(step[0] * np.sin(nib) + step[1] * np.cos(nib)) / max(float(np.hypot(*step)), 1e-9)
    return style.thin + (style.thick - style.thin) * float(across)


def overshoot(points: Floats, height: float, style: Lettering) -> Floats:
    """Lengthen slanted ends at the top and bottom line: the mask's edge then cuts them level, as type is cut."""
    out = points.copy()
    if style.is_round:
        return out
    for end, inner in ((0, 1), (-1, -2)):
        step = points[end] - points[inner]
        is_outer = not 0.15 * height < points[end][1] < 0.85 * height
        if is_outer and abs(step[1]) > 0.3 * height:
            out[end] = points[end] + step / np.hypot(*step) * style.thick * height * 0.6
    return out


def draw_stroke(mask: Picture, points: Floats, style: Lettering, height: float) -> None:
    """Draw one stroke: a bar per step, a disc per joint, and discs at the ends of a round pen."""
    ends = {0, len(points) - 1}
    closed = bool(np.allclose(points[0], points[-1]))
    for i, (a, b) in enumerate(pairwise(points)):
        step = b - a
        half = pen_width(step, style) * height / 2
        side = np.array([-step[1], step[0]]) / max(float(np.hypot(*step)), 1e-9) * half
        fill(mask, np.array([a + side, b + side, b - side, a - side]))
        for j, joint in ((i, a), (i + 1, b)):
            if j not in ends or closed or style.is_round:
                fill(mask, circle(joint[0], joint[1], half, 24))


def draw_serif(mask: Picture, at: Point, size: Point) -> None:
    """Draw a serif: a small bar centred on a point."""
    (x, y), (w, h) = at, size
    fill(mask, np.array([(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]))


@cache
def rank_mask(rank: str, height_px: int, lettering: str) -> Picture:
    """Return the cover of one upright rank; it fills the mask's height, and a ten is wider than the others."""
    style = LETTERINGS[lettering]
    high = height_px * OVERSIZE
    breadth = style.breadth * (style.ten_breadth if rank == "T" else 0.86 if rank == "J" else 1.0)
    margin = style.thick * high / 2 + (style.serif * high * 0.3 if style.serif else 0)
    rise = max(style.thin * high / 2, style.thick * high / 2 if style.is_round else 0)
    wide = int(breadth * high + margin) // OVERSIZE * OVERSIZE
    mask = np.zeros((high, wide), np.uint8)
    scale, shift = np.array([wide - 2 * margin, high - 2 * rise]), np.array([margin, rise])
    for stroke in rank_strokes(rank, style):
        draw_stroke(mask, overshoot(np.array(stroke) * scale + shift, high, style), style, high)
    if style.serif:
        draw_serifs(mask, rank, style, (scale, shift))
    return shrink(mask, OVERSIZE)


def draw_serifs(mask: Picture, rank: str, style: Lettering, frame: tuple[Floats, Floats]) -> None:
    """Draw the serifs of one rank: feet lie, ticks stand."""
    scale, shift = frame
    high = mask.shape[0]
    long, flat = style.serif * high / 2, max(style.thin, 0.045) * high / 2
    for foot in FEET.get(rank, ()):
        x, y = np.array(foot) * scale + shift
        draw_serif(mask, (x, y), (long, flat))
    if rank in TICKS:
        x, y = np.array(TICKS[rank]) * scale + shift
        draw_serif(mask, (x, y), (flat, long * 0.6))


def index_rank(index: Index, rank: str) -> Picture:
    """Return the rank as the index prints it, squeezed if it would be too wide."""
    mask = rank_mask(rank, px(index.rank), index.lettering)
    widest = px(index.max_width)
    if mask.shape[1] <= widest:
        return mask
    return np.asarray(cv2.resize(mask, (widest, mask.shape[0]), interpolation=cv2.INTER_AREA), dtype=np.uint8)
