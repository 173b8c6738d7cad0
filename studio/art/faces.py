"""Card faces: a design and a card go in, the printed face at 10 px per mm comes out, to the very edge.

Corners are square here; `card_mask` rounds them when the card is filmed. Places are in mm from the card's middle,
x to the right and y down; everything printed above the middle is printed again upside down below it.
"""

from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np

from studio.art.courts import court
from studio.art.drawers import unreserved
from studio.art.face_designs import DESIGNS, FaceDesign
from studio.art.glyphs import index_rank
from studio.art.paint import Colour, shrink
from studio.art.pips import PLACES, PX_PER_MM, Point, pip_mask, px, show_spade, stamp, suit_mask
from vision.values.cards import Card
from vision.values.picture import Picture
from vision.values.sizes import CARD_HEIGHT_MM, CARD_WIDTH_MM

WIDTH_PX, HEIGHT_PX = round(CARD_WIDTH_MM * PX_PER_MM), round(CARD_HEIGHT_MM * PX_PER_MM)
CORNER_RADIUS_MM: Final = 3.5
FACE_DESIGNS: Final = unreserved("face", tuple(DESIGNS))


def to_px(x_mm: float, y_mm: float) -> Point:
    """Return the pixel of a place given from the card's middle."""
    return (WIDTH_PX / 2 + x_mm * PX_PER_MM, HEIGHT_PX / 2 + y_mm * PX_PER_MM)


def print_both(sheet: Picture, mask: Picture, colour: Colour, at_mm: Point) -> None:
    """Print a mask, and again upside down on the other side of the middle."""
    x, y = at_mm
    for view in (sheet, sheet[::-1, ::-1]):
        stamp(view, mask, colour, to_px(x, y))


def print_index(sheet: Picture, mask: Picture, design: FaceDesign, ink: Colour, at_mm: Point) -> None:
    """Print one part of an index twice, on a narrow rim of bare paper: courts come close to it."""
    rim = cv2.dilate(cv2.copyMakeBorder(mask, 10, 10, 10, 10, cv2.BORDER_CONSTANT), np.ones((11, 11), np.uint8))
    print_both(sheet, np.asarray(rim, dtype=np.uint8), design.paper, at_mm)
    print_both(sheet, mask, ink, at_mm)


def print_indices(sheet: Picture, design: FaceDesign, card: Card, ink: Colour) -> None:
    """Print rank and suit into two or four corners."""
    index = design.index
    rank = index_rank(index, card.rank)
    suit = suit_mask(card.suit, px(index.suit), design.pips.cut)
    x, y = index.x - CARD_WIDTH_MM / 2, index.y - CARD_HEIGHT_MM / 2 + index.rank / 2
    if index.is_beside:
        wide, next_wide = rank.shape[1] / PX_PER_MM, suit.shape[1] / PX_PER_MM
        places = [((x + wide / 2, y), (x + wide + index.gap + next_wide / 2, y))]
    else:
        below = y + (index.rank + index.suit) / 2 + index.gap
        places = [((side * x, y), (side * x, below)) for side in (1, -1)[: index.corners // 2]]
    for rank_at, suit_at in places:
        print_index(sheet, rank, design, ink, rank_at)
        print_index(sheet, suit, design, ink, suit_at)


def print_pips(sheet: Picture, design: FaceDesign, card: Card, ink: Colour) -> None:
    """Print the count of pips, those below the middle upside down; or one large pip."""
    if design.pips.height == 0:
        stamp(sheet, suit_mask(card.suit, px(22), design.pips.cut), ink, to_px(0, 0))
        return
    mask = pip_mask(design.pips, card.suit, design.pips.height)
    for column, row in PLACES[card.rank]:
        x, y = column * design.pips.column, (2 * row - 1) * design.pips.row
        if y <= 0:
            stamp(sheet, mask, ink, to_px(x, y))
        else:  # the same place as the other player sees it
            stamp(sheet[::-1, ::-1], mask, ink, to_px(-x, -y))


def print_ace(sheet: Picture, design: FaceDesign, card: Card, ink: Colour) -> None:
    """Print the single pip of an ace; that of spades is the maker's showpiece."""
    if card.suit == "s" and design.maker.ace != "plain":
        mask = show_spade(design.maker.ace, px(design.maker.height), design.pips.cut)
    else:
        mask = pip_mask(design.pips, card.suit, max(design.pips.height * 1.35, 14.0))
    stamp(sheet, mask, ink, to_px(0, 0))


def print_mark(sheet: Picture, design: FaceDesign, ink: Colour) -> None:
    """Print the maker's name small below the middle."""
    big = np.zeros((px(3.2) * 2, px(40) * 2), np.uint8)
    cv2.putText(big, design.maker.name, (4, big.shape[0] - 14), cv2.FONT_HERSHEY_DUPLEX, 1.5, 255, 3, cv2.LINE_AA)
    columns = np.flatnonzero(big.any(axis=0))
    small = shrink(np.ascontiguousarray(big[:, : (int(columns[-1]) // 2 + 2) * 2]), 2)
    stamp(sheet, small, ink, to_px(0, design.maker.height * 0.78 if design.maker.ace != "plain" else 15.0))


def print_court(sheet: Picture, design: FaceDesign, card: Card, ink: Colour) -> None:
    """Print the figure of a court into the middle."""
    size = (
        px(design.figure.width) // 2 * 2 + 1,
        px(design.figure.height) // 2 * 2 + 1,
    )  # odd, as the card: the middles meet
    figure = court(design.figure.style, card, size, (ink, design.paper), design.figure.has_pip)
    left, top = (WIDTH_PX - size[0]) // 2, (HEIGHT_PX - size[1]) // 2
    sheet[top : top + size[1], left : left + size[0]] = figure


def print_frame(sheet: Picture, design: FaceDesign) -> None:
    """Rule a line around the pips."""
    inset = px(design.frame)
    corner = (WIDTH_PX - 1 - inset, HEIGHT_PX - 1 - px(design.frame * 0.85))
    cv2.rectangle(sheet, (inset, px(design.frame * 0.85)), corner, (110, 80, 60), 3, cv2.LINE_AA)


@lru_cache(maxsize=104)  # two decks: a deck is 90 MB
def face(design: str, card: Card) -> Picture:
    """Return the face of a card in one of `FACE_DESIGNS`: 635 x 889 px, BGR, read-only."""
    chosen = DESIGNS[design]
    ink = chosen.inks["cdhs".index(card.suit)]
    sheet = np.full((HEIGHT_PX, WIDTH_PX, 3), chosen.paper, np.uint8)
    is_court = card.rank in "JQK"
    if chosen.frame and not is_court:
        print_frame(sheet, chosen)
    printer = print_court if is_court else print_ace if card.rank == "A" else print_pips
    printer(sheet, chosen, card, ink)
    print_indices(sheet, chosen, card, ink)
    if chosen.maker.name and str(card) in chosen.maker.signs:
        print_mark(sheet, chosen, ink)
    sheet.setflags(write=False)
    return sheet


@cache
def card_mask() -> Picture:
    """Return where a card is: 255 inside, smooth at the rounded corners, 0 outside; 889 x 635."""
    scale = 4
    radius = CORNER_RADIUS_MM * PX_PER_MM * scale
    high, wide = HEIGHT_PX * scale, WIDTH_PX * scale
    dx = np.maximum(np.abs(np.arange(wide) - (wide - 1) / 2) - (wide / 2 - radius), 0)[None, :]
    dy = np.maximum(np.abs(np.arange(high) - (high - 1) / 2) - (high / 2 - radius), 0)[:, None]
    large = np.where(dx**2 + dy**2 <= radius**2, 255, 0).astype(np.uint8)
    mask = shrink(large, scale)
    mask.setflags(write=False)
    return mask
