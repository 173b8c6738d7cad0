"""Felts: a design's name enters; its layout in millimetres, its printed artwork, or a folder with both leaves.

The artwork's top row is y = height, so the dealer's edge is below and the words, which the players read, stand on
their heads.
"""

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from studio.art.drawers import unreserved
from studio.art.felt_designs import DESIGNS, TEMPLATES
from studio.art.felt_form import FOUR_CARD_POKER, FeltDesign
from studio.art.felt_lines import CARDS_INWARD_MM, rail_line, seat_axes
from studio.art.felt_print import print_felt
from vision.table.layout import DealerLayout, Layout, SeatLayout, Shape
from vision.table.layout_text import layout_text
from vision.table.sketch import CARDS_MM, card_area, dealer_places, polygon
from vision.values.geometry import Floats
from vision.values.picture import Picture

PLAY_GAP_MM = 10.0  # between the player's cards and the play spot
PROGRESSIVE_MM = 30.0
SMALL_PNG = (cv2.IMWRITE_PNG_COMPRESSION, 9, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE)
REMARK = "Drawn by studio/art/felts.py; millimetres, see vision/table/layout.py."
CARD_ROOM_MM = 70.0  # of one shared card
LINE_MM = (215.0, 325.0)  # where the dealer's cards lie, from the dealer's edge
UNUSED_MM = (193.0, 212.0)  # a strip before the tray, narrower than any card
SIDES = {"square": (4, 45.0, 1.32), "diamond": (4, 0.0, 1.16), "hexagon": (6, 30.0, 1.08)}  # corners, turn, reach


def felt_names(game: str = FOUR_CARD_POKER) -> tuple[str, ...]:
    """Return the designs there are for a game, but for the reserved ones."""
    return unreserved("felt", tuple(name for name, design in DESIGNS.items() if design.game == game))


def games_with_felts() -> tuple[str, ...]:
    """Return the games that can be filmed."""
    return tuple(dict.fromkeys(design.game for design in DESIGNS.values()))


@cache
def make_layout(name: str) -> Layout:
    """Return a design's places in millimetres."""
    design = DESIGNS[name]
    outline = rail_line(design)
    seats = [_seat(design, number, *anchor) for number, anchor in enumerate(_anchors(design, outline), 1)]
    return Layout(
        name=name,
        size_mm=[float(design.width_mm), float(design.height_mm)],
        outline=np.round(outline[:: len(outline) // 150], 1).tolist() + np.round(outline[-1:], 1).tolist(),
        artwork="artwork.png",
        mm_per_px=1.0,
        seat=seats,
        dealer=_dealer_side(design),
    )


def make_artwork(name: str, px_per_mm: int = 1) -> Picture:
    """Return the printed felt; the whole cloth, also where the table's outline will cut it."""
    return print_felt(DESIGNS[name], make_layout(name), px_per_mm)


def _dealer_side(design: FeltDesign) -> DealerLayout:
    """Return the dealer's places; a game of shared cards has those where others have the dealer's hand."""
    usual = dealer_places(design.tray_mm)
    if not design.shared:
        return usual
    half = design.shared * CARD_ROOM_MM / 2
    left, right = half + 25, half + 25 + design.bonus_cards * CARD_ROOM_MM
    low, high = LINE_MM
    return usual.model_copy(
        update={
            "cards": _strip(-250, 250, *UNUSED_MM),  # nothing is ever dealt there
            "community": _strip(-half, half, low, high),
            "bonus": _strip(left, right, low, high),
        }
    )


def _strip(left: float, right: float, low: float, high: float) -> Shape:
    return polygon(np.array([[left, low], [right, low], [right, high], [left, high]]))


def _anchors(design: FeltDesign, outline: Floats) -> list[tuple[Floats, float]]:
    """Return where each seat meets the rail, and the angle of the way out."""
    share = np.linspace(design.edge_share, 1 - design.edge_share, design.seats)
    if design.arrangement == "straight":
        xs = (share - 0.5) * design.width_mm
        near = [outline[abs(outline[:, 0] - x) < CARDS_MM[0] / 2 + 4, 1].min() for x in xs]
        return [(np.array([x, min(y + 10, design.height_mm - 4)]), 0.0) for x, y in zip(xs, near, strict=True)]
    index = np.round(share * (len(outline) - 1)).astype(int)
    ways = outline[index + 4] - outline[index - 4]
    return [(outline[i], float(np.degrees(np.arctan2(w[1], w[0])))) for i, w in zip(index, ways, strict=True)]


def _seat(design: FeltDesign, number: int, rail: Floats, angle: float) -> SeatLayout:
    across, inward = seat_axes(angle)
    play = rail + inward * (CARDS_INWARD_MM + CARDS_MM[1] / 2 + PLAY_GAP_MM + design.spot_mm * 0.6)
    places = TEMPLATES[design.template]
    spots = {
        name: _spot(design, name, play + design.pitch_mm * (across * places[name][0] + inward * places[name][1]), angle)
        for name in places
    }
    cards = card_area(rail + inward * CARDS_INWARD_MM, across, inward)
    return SeatLayout(number=number, angle=round(angle, 2), cards=cards, spots=spots)


def _spot(design: FeltDesign, name: str, at: Floats, angle: float) -> Shape:
    radius = (PROGRESSIVE_MM if name == "progressive" else design.spot_mm) / 2
    kind = design.shapes.get(name, "circle")
    if kind not in SIDES or name == "progressive":
        return Shape(circle=[round(float(v), 1) for v in (*at, radius)])
    count, turn, reach = SIDES[kind]
    turns = np.radians(angle + turn + np.arange(count) * 360 / count)
    return polygon(at + radius * reach * np.stack([np.cos(turns), np.sin(turns)], axis=1))


def write_layout(name: str, folder: Path) -> None:
    """Write a design's layout.toml and artwork.png."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "layout.toml").write_text(layout_text(make_layout(name), REMARK), encoding="utf-8")
    cv2.imwrite(str(folder / "artwork.png"), make_artwork(name), SMALL_PNG)
