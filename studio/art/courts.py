"""Court cards: a king, queen or jack and a style go in, the framed two-headed figure comes out.

A figure is drawn once, upright, in its own units: x from -50 to 50 across the frame, y from -88 at the top to 0 in the
middle of the card. The lower half is the upper one turned about the middle; a sash covers the seam.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from studio.art.paint import Colour, shrink
from studio.art.pips import Easel, Point, Weave, circle, fill, stamp, suit_mask
from vision.values.cards import SUITS, Card
from vision.values.picture import Picture

HALF_WIDTH, HALF_HEIGHT = 50.0, 88.0
SHARP: Final = 2  # figures are drawn this much larger, then averaged down

WEAVES: Final[tuple[Weave, ...]] = (  # where cloth shows its second colour
    lambda x, y: np.mod(x + y, 6) < 2.6,
    lambda x, y: np.hypot(np.mod(x, 6) - 3, np.mod(y, 6) - 3) < 1.7,
    lambda x, y: np.abs(np.mod(x, 8) - 4) + np.abs(np.mod(y, 10) - 5) * 0.8 < 2.6,
    lambda x, y: np.mod(y + np.abs(np.mod(x, 8) - 4), 5) < 2,
    lambda x, y: np.mod(np.floor(x / 4) + np.floor(y / 4), 2) < 1,
    lambda x, y: np.mod(np.hypot(np.mod(x, 10) - 5, np.mod(y, 10) - 5), 3.4) < 1.3,
    lambda x, y: np.mod(x + 0 * y, 4) < 1.5,
    lambda x, y: np.mod(y + 1.8 * np.sin(x / 2.2), 5) < 1.9,
)


@dataclass(frozen=True, slots=True)
class CourtStyle:
    """How a printer draws the courts."""

    inks: tuple[Colour, Colour, Colour, Colour]  # red, gold, blue, dark
    skin: Colour | None  # None: bare paper
    line: float  # width of outlines, in figure units
    head: float  # size of the head
    shoulder: float  # height of the shoulders above the middle
    slant: float  # of the seam: 0 is level
    cut: int  # how the robe is divided: 0 panels, 1 quarters, 2 bends, 3 a plate, 4 halves, 5 a cape
    frame: str  # none, line, double, heavy
    ground: float = 0.0  # how strongly the ground behind the figure is tinted


_PRIMARY: Final = ((45, 30, 205), (60, 200, 245), (140, 60, 30), (25, 22, 22))
_MUTED: Final = ((50, 45, 185), (90, 190, 225), (120, 75, 40), (40, 35, 45))
_LOUD: Final = ((35, 20, 215), (30, 190, 255), (190, 80, 10), (15, 15, 15))
_EARTH: Final = ((40, 40, 170), (110, 205, 235), (70, 55, 50), (30, 30, 35))
_COURTLY: Final = ((60, 20, 160), (60, 170, 215), (90, 110, 20), (30, 15, 30))
_FOREST: Final = ((40, 60, 150), (70, 165, 200), (60, 95, 30), (30, 40, 20))
_PLUM: Final = ((95, 30, 150), (120, 200, 240), (130, 90, 70), (55, 20, 45))
_SLATE: Final = ((90, 70, 140), (150, 190, 200), (130, 100, 70), (60, 55, 50))
_FLESH: Final = (190, 215, 240)
COURT_STYLES: Final[dict[str, CourtStyle]] = {
    "english": CourtStyle(_PRIMARY, None, 0.9, 1.0, 44, 0.35, 0, "line"),
    "french": CourtStyle(_MUTED, _FLESH, 0.7, 0.9, 40, 0.0, 1, "double", ground=0.35),
    "casino": CourtStyle(_LOUD, (215, 232, 250), 1.3, 1.2, 38, 0.6, 2, "none"),
    "woodcut": CourtStyle(_EARTH, None, 1.1, 1.05, 43, -0.3, 1, "line"),
    "royal": CourtStyle(_COURTLY, _FLESH, 0.8, 0.95, 42, 0.0, 2, "double", ground=0.2),
    "parlour": CourtStyle(_MUTED, None, 0.6, 0.8, 46, -0.5, 3, "line", ground=0.1),
    "bold": CourtStyle(_PRIMARY, _FLESH, 1.5, 1.3, 34, 0.2, 3, "none"),
    # of reserved faces, see `drawers`
    "lodge": CourtStyle(_FOREST, None, 1.0, 1.1, 40, 0.15, 4, "heavy", ground=0.15),
    "opera": CourtStyle(_PLUM, _FLESH, 0.7, 0.9, 44, -0.2, 5, "double", ground=0.3),
    "abbey": CourtStyle(_SLATE, None, 0.5, 0.85, 46, 0.0, 4, "line"),
    "tavern": CourtStyle(_FOREST, _FLESH, 1.4, 1.25, 36, -0.4, 5, "none"),
    "arcade": CourtStyle(_PLUM, None, 1.1, 1.0, 42, 0.5, 4, "heavy"),
}


# Outlines in sizes of the head, from the middle of the face or of the brow.
PROFILES: Final = {("J", "h"), ("J", "s"), ("K", "d")}  # the one-eyed ones
PROFILE: Final[list[Point]] = [
    *((-10, -10), (0, -14), (7, -11), (8, -5), (13, 2.5), (9, 4), (10.5, 6.5), (9, 8.5), (10, 11), (5, 14.5), (-5, 13)),
    *((-10, 6),),
]
CAP: Final[list[Point]] = [(-13, 0), (-17, -5), (-10, -11), (4, -12), (17, -7), (13, 0)]
FEATHER: Final[list[Point]] = [(6, -6), (14, -14), (24, -12), (27, -3), (20, -6), (12, -4)]


@dataclass(frozen=True, slots=True)
class Sitter:
    """One court card on the easel: who it is and which of the style's choices it takes."""

    easel: Easel
    style: CourtStyle
    rank: str
    suit: int
    pick: int
    paper: Colour

    @property
    def skin(self) -> Colour:
        """Return the colour of face and hands."""
        return self.style.skin or self.paper

    def one_of(self, *colours: Colour) -> Colour:
        """Return the colour this card takes."""
        return colours[self.pick % len(colours)]

    def near_head(self, points: list[Point], up: float = 0.0) -> list[Point]:
        """Return points given from the middle of the face, in sizes of the head."""
        size = self.style.head
        return [(x * size - 4, (y - up - 14) * size - self.style.shoulder) for x, y in points]


def weave(number: int) -> Weave:
    """Return one of the weaves; numbers go round."""
    return WEAVES[number % len(WEAVES)]


def draw_robe(sitter: Sitter) -> None:
    """Draw the robe to both edges: its cut is the style's, its cloths the card's."""
    red, gold, blue, dark = sitter.style.inks
    top, pick, cut = -sitter.style.shoulder, sitter.pick, sitter.style.cut
    coats = [(red, gold), (blue, gold), (gold, red), (dark, gold)]
    first = (pick + pick // 4) % 4
    coats = coats[first:] + coats[:first]
    slope: list[Point] = [(-50, 40), (-50, top + 22), (-42, top + 8), (-24, top), (0, top - 3), (0, 40)]
    sitter.easel.cloth(slope, weave(pick), coats[0])
    sitter.easel.cloth([(-x, y) for x, y in slope], weave(pick + (2 if cut else 0)), coats[min(cut, 1)])
    for panel, number, coat in robe_panels(cut, top):
        sitter.easel.cloth(panel, weave(pick + number), coats[coat])


def robe_panels(cut: int, top: float) -> list[tuple[list[Point], int, int]]:
    """Return what lies over the robe: polygon, weave, coat."""
    if cut == 0:  # a stole down the middle and a border along each sleeve
        stole: list[Point] = [(-11, top - 4), (11, top - 4), (15, 40), (-15, 40)]
        sleeve: list[Point] = [(50, top + 20), (42, top + 8), (20, 40), (50, 40)]
        return [(sleeve, 3, 1), ([(-x, y) for x, y in sleeve], 3, 1), (stole, 5, 2)]
    if cut == 1:  # quarters with a broad collar
        yoke: list[Point] = [(-30, top + 1), (30, top + 1), (22, top + 16), (0, top + 24), (-22, top + 16)]
        hem: list[Point] = [(-50, top + 30), (0, top + 38), (50, top + 30), (50, 40), (-50, 40)]
        return [(hem, 1, 2), (yoke, 4, 3)]
    if cut == 2:  # a bend across and a cuff
        bend: list[Point] = [(-40, top + 6), (-18, top), (50, top + 44), (50, top + 66)]
        cuff: list[Point] = [(-50, top + 26), (-26, top + 22), (-20, top + 44), (-50, top + 50)]
        return [(bend, 2, 2), (cuff, 6, 3)]
    if cut == 4:  # halves, with a broad belt
        half: list[Point] = [(0, top - 3), (24, top), (50, top + 20), (50, 40), (0, 40)]
        belt: list[Point] = [(-50, top + 32), (50, top + 26), (50, top + 37), (-50, top + 43)]
        return [(half, 3, 2), (belt, 6, 3)]
    if cut == 5:  # a cape over a striped coat
        coat: list[Point] = [(-14, top), (14, top), (18, 40), (-18, 40)]
        cape: list[Point] = [(-44, top + 6), (-8, top - 2), (-26, top + 30), (-50, top + 44)]
        return [(coat, 6, 2), (cape, 7, 3), ([(-x, y) for x, y in cape], 7, 3)]
    plate: list[Point] = [(-20, top), (20, top), (26, top + 24), (14, 40), (-14, 40), (-26, top + 24)]
    arm: list[Point] = [(34, top + 3), (50, top + 14), (50, top + 34), (36, top + 24)]
    return [(plate, 1, 2), (arm, 4, 3), ([(-x, y) for x, y in arm], 4, 3)]


def draw_collar(sitter: Sitter) -> None:
    """Draw a fur collar: pale with dark flecks."""
    top, dark = -sitter.style.shoulder, sitter.style.inks[3]
    sitter.easel.shape([(-17, top - 4), (17, top - 4), (22, top + 4), (0, top + 12), (-22, top + 4)], sitter.paper)
    for x in range(-15, 16, 5):
        sitter.easel.disc(x, top + 4 - abs(x) * 0.25, 0.9 + 0.3 * (sitter.pick % 2), dark)


def draw_hair(sitter: Sitter) -> None:
    """Draw curls on both sides of the head, longest on a queen."""
    red, gold, _, dark = sitter.style.inks
    size = sitter.style.head
    colour = sitter.one_of(gold, sitter.paper) if sitter.rank == "K" else sitter.one_of(gold, dark, gold, red)
    for i in range({"Q": 5, "J": 3, "K": 4}[sitter.rank]):
        for x, y in sitter.near_head([(side * (11 + 1.2 * i), -6 + 6 * i) for side in (-1, 1)]):
            sitter.easel.disc(x, y, 4.4 * size, colour)
            sitter.easel.stroke(circle(x, y, 2.0 * size, 14)[3:], sitter.style.line * 0.8, dark)


def draw_face(sitter: Sitter) -> None:
    """Draw the face: looking a little aside, or in profile with one eye, as three of the twelve do."""
    red, _, _, dark = sitter.style.inks
    line, is_profile = sitter.style.line, (sitter.rank, "cdhs"[sitter.suit]) in PROFILES
    oval: list[Point] = [(10.5 * float(np.cos(t)), 14 * float(np.sin(t))) for t in np.linspace(0, 2 * np.pi, 40)]
    outline = PROFILE if is_profile else oval
    sitter.easel.shape(sitter.near_head(outline), sitter.skin)
    if sitter.rank == "K":
        draw_beard(sitter)
    for x in (5.0,) if is_profile else (-2.4, 6.4):
        sitter.easel.stroke(sitter.near_head([(x - 2.4, -4.6), (x, -5.8), (x + 2.4, -4.6)]), line, dark)
        sitter.easel.stroke(sitter.near_head([(x - 2.2, -2), (x, -3), (x + 2.2, -2)]), line * 0.7, dark)
        sitter.easel.disc(*sitter.near_head([(x, -1.8)])[0], 0.7 * sitter.style.head, dark)
    if not is_profile:
        sitter.easel.stroke(sitter.near_head([(2, -4), (3.6, 2.6), (1.2, 3)]), line * 0.8, dark)
    mouth: list[Point] = [(5, 6.6), (9, 6.4)] if is_profile else [(-0.6, 6.6), (4.6, 6.4)]
    sitter.easel.stroke(sitter.near_head(mouth), line * 1.4, red)


def draw_beard(sitter: Sitter) -> None:
    """Draw a king's beard, forked on some."""
    tip: list[Point] = [(3, 25), (0, 18), (-3, 25)] if sitter.pick % 3 else [(0, 24)]
    beard: list[Point] = [(-10, 2), (-6, 5), (0, 3.5), (6, 5), (10, 2), (8, 14), *tip, (-8, 14)]
    sitter.easel.shape(sitter.near_head(beard), sitter.one_of(sitter.style.inks[1], sitter.paper))
    for i in range(-2, 3):
        lock = sitter.near_head([(i * 2.6, 10), (i * 1.7, 17)])
        sitter.easel.stroke(lock, sitter.style.line * 0.7, sitter.style.inks[3])


def draw_crown(sitter: Sitter) -> None:
    """Draw what is worn: a king's crown, a queen's coronet or a jack's cap."""
    red, gold, blue, dark = sitter.style.inks
    main, other = ((gold, red), (red, gold), (blue, gold))[sitter.pick % 3]
    if sitter.rank == "J":
        sitter.easel.cloth(sitter.near_head(CAP, 9), weave(sitter.pick), (main, other))
        sitter.easel.shape(sitter.near_head(FEATHER, 9), sitter.one_of(sitter.paper, gold))
    else:
        spikes, tall, wide = (5, 14, 14) if sitter.rank == "K" else (3, 10, 11)
        tips: list[Point] = [(-wide + 2 * wide * i / (spikes - 1), -tall) for i in range(spikes)]
        dips: list[Point] = [(x + wide / (spikes - 1), -tall * 0.45) for x, _ in tips]
        zigzag = [point for pair in zip(tips, dips, strict=True) for point in pair][:-1]
        sitter.easel.shape(sitter.near_head([(-11, 0), *zigzag, (11, 0)], 9), main)
        for x, y in sitter.near_head(tips, 9):
            sitter.easel.disc(x, y, 1.9 * sitter.style.head, other)
    band = sitter.near_head([(-11.5, 1.5), (-12, -3), (12, -3), (11.5, 1.5)], 9)
    sitter.easel.cloth(band, weave(6), (other, dark))


def draw_attribute(sitter: Sitter) -> None:
    """Draw what is held beside the head: a flower, a sword or a halberd."""
    red, gold, blue, dark = sitter.style.inks
    easel, top, x = sitter.easel, -sitter.style.shoulder, 35.0
    if sitter.rank == "Q":
        easel.stroke([(x - 9, top + 26), (x - 2, top + 8), (x, top - 8)], sitter.style.line * 2, blue)
        for px, py in circle(x, top - 12, 5, 6):
            easel.disc(px, py, 3.6, sitter.one_of(red, gold))
        easel.disc(x, top - 12, 3, sitter.one_of(gold, sitter.paper))
    elif sitter.rank == "K" and sitter.pick % 4 != 1:
        sword: list[Point] = [(x - 3, top + 12), (x - 3, -80), (x, -86), (x + 3, -80), (x + 3, top + 12)]
        easel.cloth(sword, weave(6), (sitter.paper, blue))
        easel.shape([(x - 9, top + 12), (x + 9, top + 12), (x + 9, top + 16), (x - 9, top + 16)], gold)
    else:
        easel.cloth([(x - 2, 30), (x - 2, -78), (x + 2, -78), (x + 2, 30)], weave(3), (gold, dark))
        blade: list[Point] = [(x - 2, -82), (x + 9, -84), (x + 12, -72), (x + 7, -62), (x - 2, -66)]
        easel.shape(blade, sitter.one_of(red, blue))
    draw_hand(sitter, x - (5 if sitter.rank == "Q" else 0), top + 17)


def draw_hand(sitter: Sitter, x: float, y: float) -> None:
    """Draw a fist and its fingers."""
    sitter.easel.shape([(x - 6, y), (x + 5, y), (x + 6, y + 8), (x - 7, y + 9)], sitter.skin)
    for i in range(1, 4):
        finger: list[Point] = [(x - 3, y + 2.2 * i), (x + 4, y + 2.2 * i)]
        sitter.easel.stroke(finger, sitter.style.line * 0.7, sitter.style.inks[3])


def draw_ground(sitter: Sitter) -> None:
    """Tint the ground behind the figure with fine rays."""
    paper, gold = np.array(sitter.paper), np.array(sitter.style.inks[1])
    blue, green, red = np.round(paper + (gold - paper) * sitter.style.ground).astype(int).tolist()
    for x in range(-90, 91, 6):
        sitter.easel.stroke([(0, -30), (x, -120)], 1.2, (blue, green, red))


def draw_sash(sheet: Picture, style: CourtStyle) -> None:
    """Cover the seam with a band of beads, the same from both ends."""
    red, gold, _, dark = style.inks
    high, wide = sheet.shape[:2]
    unit = wide / (2 * HALF_WIDTH)
    along = np.array([wide / 2, wide / 2 * style.slant])
    middle = np.array([(wide - 1) / 2, (high - 1) / 2])
    for share, colour in ((3.6, dark), (2.5, gold)):
        side = np.array([-along[1], along[0]]) / np.hypot(*along) * share * unit
        fill(
            sheet,
            middle + np.array([side - 1.2 * along, side + 1.2 * along, 1.2 * along - side, -1.2 * along - side]),
            colour,
        )
    for i in range(-9, 10):
        at = middle + along * i / 9
        fill(sheet, circle(at[0], at[1], 1.6 * unit, 24), red if i % 2 else dark)


def joined(sheet: Picture, slant: float) -> Picture:
    """Return the upper half of a sheet over its own turned image; the seam runs through the middle."""
    high, wide = sheet.shape[:2]
    u, v = np.arange(wide)[None, :] - (wide - 1) / 2, np.arange(high)[:, None] - (high - 1) / 2
    upper = (v < slant * u)[..., None]
    return np.where(upper, sheet, sheet[::-1, ::-1])


def draw_frame(sheet: Picture, style: CourtStyle) -> None:
    """Rule the frame around the figure."""
    high, wide = sheet.shape[:2]
    for gap in {"none": (), "line": (2,), "double": (2, 16), "heavy": (3, 7, 11)}[style.frame]:
        cv2.rectangle(sheet, (gap, gap), (wide - 1 - gap, high - 1 - gap), style.inks[2], 5)


def court(style_name: str, card: Card, size: tuple[int, int], inks: tuple[Colour, Colour], has_pip: bool) -> Picture:
    """Return the figure of a court card, `size` pixels wide and high; `inks` are the suit's colour and the paper's."""
    style, (colour, paper) = COURT_STYLES[style_name], inks
    suit = SUITS.index(card.suit)
    sheet = np.full((size[1] * SHARP, size[0] * SHARP, 3), paper, np.uint8)
    unit = (sheet.shape[1] / (2 * HALF_WIDTH), sheet.shape[0] / (2 * HALF_HEIGHT))
    flip = -1.0 if suit % 2 and card.rank != "Q" else 1.0
    pick = 3 * suit + "JQK".index(card.rank) + 5 * list(COURT_STYLES).index(style_name)
    easel = Easel(sheet, unit, style.line, style.inks[3], flip)
    sitter = Sitter(easel, style, card.rank, suit, pick, paper)
    for draw in LAYERS:
        draw(sitter)
    if has_pip:
        u, v = easel.to_pixels([(-37.0, -72.0)])[0]
        stamp(sheet, suit_mask(card.suit, round(22 * unit[1])), colour, (u, v))
    sheet = joined(sheet, style.slant)
    draw_sash(sheet, style)
    draw_frame(sheet, style)
    return shrink(sheet, SHARP)


LAYERS: Final = (draw_ground, draw_hair, draw_robe, draw_collar, draw_face, draw_crown, draw_attribute)  # back to front
