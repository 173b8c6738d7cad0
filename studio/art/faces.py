"""Card faces: a design and a card go in, the printed face at 10 px per mm comes out, to the very edge.

Corners are square here; `card_mask` rounds them when the card is filmed. Places are in mm from the card's middle,
x to the right and y down; everything printed above the middle is printed again upside down below it.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np

from studio.art.courts import court
from studio.art.glyphs import Index, index_rank
from studio.art.paint import Colour, shrink
from studio.art.pips import PLACES, PX_PER_MM, Pips, Point, pip_mask, px, show_spade, stamp, suit_mask
from vision.values.cards import Card
from vision.values.picture import Picture
from vision.values.sizes import CARD_HEIGHT_MM, CARD_WIDTH_MM

WIDTH_PX, HEIGHT_PX = round(CARD_WIDTH_MM * PX_PER_MM), round(CARD_HEIGHT_MM * PX_PER_MM)
CORNER_RADIUS_MM: Final = 3.5
HEARTS_RED: Final[Colour] = (45, 22, 200)
BLACK: Final[Colour] = (28, 24, 24)
GREEN: Final[Colour] = (50, 120, 12)
BLUE: Final[Colour] = (185, 70, 15)
WHITE: Final[Colour] = (250, 250, 250)
IVORY: Final[Colour] = (226, 241, 247)
CREAM: Final[Colour] = (240, 248, 250)

Inks = tuple[Colour, Colour, Colour, Colour]  # clubs, diamonds, hearts, spades
TWO_COLOURS: Final[Inks] = (BLACK, HEARTS_RED, HEARTS_RED, BLACK)
FOUR_COLOURS: Final[Inks] = (GREEN, BLUE, HEARTS_RED, BLACK)
SOFT_FOUR_COLOURS: Final[Inks] = ((60, 110, 20), (170, 95, 20), (40, 20, 205), (35, 30, 30))
BRICK: Final[Inks] = (BLACK, (40, 40, 175), (40, 40, 175), BLACK)
WINE: Final[Inks] = ((45, 25, 25), (55, 10, 165), (55, 10, 165), (45, 25, 25))
ROSE: Final[Inks] = (BLACK, (70, 30, 190), (70, 30, 190), BLACK)


@dataclass(frozen=True, slots=True)
class Figure:
    """The courts, in mm."""

    style: str
    width: float = 41.0
    height: float = 72.0
    has_pip: bool = True  # the suit once more inside the frame


@dataclass(frozen=True, slots=True)
class Maker:
    """What the maker is proud of: the ace of spades and the name."""

    ace: str = "plain"  # plain, filigree, wreath
    height: float = 34.0  # of a showpiece, mm
    name: str = ""
    signs: tuple[str, ...] = ("As",)  # the cards with the name on


@dataclass(frozen=True, slots=True)
class FaceDesign:
    """What a printer decided for a whole deck."""

    index: Index
    pips: Pips
    figure: Figure
    maker: Maker = Maker()
    inks: Inks = TWO_COLOURS
    paper: Colour = WHITE
    frame: float = 0.0  # inset of a line around number cards, mm; 0 for none


RIVER: Final = Maker("filigree", name="RIVER CARD CO.")
_DESIGNS: Final[dict[str, FaceDesign]] = {
    "standard": FaceDesign(Index("roman", 9.5, 6.2, 5.4, 3.6, 7.0), Pips(), Figure("english"), RIVER),
    "standard-ivory": FaceDesign(
        Index("narrow", 9.5, 6.2, 5.4, 3.6, 7.0),
        Pips(cut="slim"),
        Figure("french"),
        Maker("wreath", name="ALTENMARKT"),
        BRICK,
        IVORY,
    ),
    "standard-frame": FaceDesign(
        Index("didone", 8.2, 5.2, 5.0, 4.2, 7.0),
        Pips(10.5, 11.0, 28.0, has_inlay=True),
        Figure("woodcut", 43.0),
        RIVER,
        TWO_COLOURS,
        CREAM,
        10.5,
    ),
    "standard-gothic": FaceDesign(
        Index("gothic", 11.0, 7.0, 5.4, 3.6, 7.0),
        Pips(cut="round"),
        Figure("parlour"),
        Maker("filigree"),
    ),
    "standard-bold": FaceDesign(
        Index("black", 9.0, 7.0, 6.0, 3.6, 7.4),
        Pips(13.0, row=28.0),
        Figure("bold", 40.0, 76.0),
        Maker(name="NORTH PIER", signs=("Ad", "As")),
        WINE,
    ),
    "jumbo": FaceDesign(
        Index("slab", 16.5, 11.0, 8.6, 4.0, 12.5, 1.4),
        Pips(10.0, 9.0, 29.0),
        Figure("casino", 34.0, 74.0, False),
    ),
    "jumbo-four-colour": FaceDesign(
        Index("round", 15.0, 10.0, 8.4, 4.6, 11.5, 1.4),
        Pips(10.0, 9.0, 29.0, "round"),
        Figure("royal", 34.0, 74.0, False),
        Maker(name="PLASTIC 100%", signs=("As", "Ac")),
        FOUR_COLOURS,
    ),
    "jumbo-black": FaceDesign(
        Index("black", 17.5, 12.0, 9.4, 3.4, 14.0, 1.4),
        Pips(8.0, 7.5, 29.0),
        Figure("english", 34.0, 74.0, False),
        Maker("filigree", 24.0, "CASINO QUALITY"),
    ),
    "jumbo-thin": FaceDesign(
        Index("thin", 18.0, 9.0, 7.8, 4.0, 10.5, 1.4),
        Pips(11.0, 9.0, 29.0, "slim"),
        Figure("parlour", 37.0, 70.0, False),
        Maker("wreath", 24.0),
        BRICK,
        CREAM,
    ),
    "jumbo-bold": FaceDesign(
        Index("poster", 14.0, 13.0, 8.8, 4.0, 12.0, 1.4),
        Pips(9.0, 8.0, 29.0),
        Figure("bold", 36.0, 80.0),
        Maker(),
        WINE,
    ),
    "four-corner": FaceDesign(
        Index("gothic", 9.0, 6.0, 5.6, 4.0, 7.0, corners=4),
        Pips(10.5, 9.5, 30.0, "round"),
        Figure("french", 38.0, 74.0),
        Maker("wreath", 30.0, "RIVER CARD CO."),
    ),
    "four-corner-jumbo": FaceDesign(
        Index("poster", 13.0, 8.5, 7.4, 3.6, 10.5, 1.4, corners=4),
        Pips(8.5, 8.0, 29.0, "slim"),
        Figure("casino", 34.0, 74.0, False),
        Maker(),
        ROSE,
    ),
    "magnum": FaceDesign(
        Index("gothic", 24.0, 16.0, 11.6, 4.0, 17.0, 1.6),
        Pips(0.0),
        Figure("royal", 33.0, 78.0, False),
    ),
    "beside-four-colour": FaceDesign(
        Index("thin", 11.0, 8.0, 3.0, 4.0, 8.0, is_beside=True),
        Pips(10.0, row=25.0),
        Figure("royal", 42.0, 54.0),
        Maker(),
        SOFT_FOUR_COLOURS,
    ),
}
FACE_DESIGNS: tuple[str, ...] = tuple(_DESIGNS)


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
    chosen = _DESIGNS[design]
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
