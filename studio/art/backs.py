"""Card backs: a design goes in, the printed back at 10 px per mm comes out, to the very edge.

A back is a ground, a pattern printed over it, perhaps a medallion in the middle and a white border; all of it looks the
same from both ends. Patterns are functions of places in mm from the card's middle that say how much ink there is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np

from studio.art.back_patterns import (
    Pattern,
    argyle,
    basket,
    bricks,
    dots,
    flowers,
    guilloche,
    herringbone,
    hexes,
    lattice,
    plain,
    rays,
    rings,
    scales,
    stars,
    tartan,
    waves,
    zigzag,
)
from studio.art.drawers import unreserved
from studio.art.face_designs import WHITE
from studio.art.faces import HEIGHT_PX, WIDTH_PX, to_px
from studio.art.glyphs import rank_mask
from studio.art.paint import Colour, shrink
from studio.art.pips import PX_PER_MM, circle, fill, px, stamp, suit_mask
from vision.values.geometry import Floats
from vision.values.picture import Picture

SHARP: Final = 2  # patterns are computed this much finer, then averaged down
RED: Final[Colour] = (40, 25, 175)
BLUE: Final[Colour] = (140, 60, 20)
NAVY: Final[Colour] = (85, 35, 20)
GREEN: Final[Colour] = (60, 100, 15)
BLACK: Final[Colour] = (30, 27, 27)
PURPLE: Final[Colour] = (120, 35, 90)
BROWN: Final[Colour] = (40, 65, 105)
BURGUNDY: Final[Colour] = (45, 20, 105)
TEAL: Final[Colour] = (115, 110, 10)
ORANGE: Final[Colour] = (25, 105, 225)
GREY: Final[Colour] = (120, 115, 110)
GOLD: Final[Colour] = (80, 175, 215)
PALE: Final[Colour] = (225, 235, 240)


def swirl(sheet: Picture, at: tuple[float, float], size: float, spin: int) -> None:
    """Draw one scroll into a quarter of a mask: a spiral that grows thick, with leaves."""
    for turn in np.linspace(0, 5.2 * np.pi, 150):
        radius = size * (1 - turn / (5.6 * np.pi))
        x = at[0] + radius * np.cos(spin * turn + 0.6)
        y = at[1] + radius * np.sin(spin * turn + 0.6)
        fill(sheet, circle(x, y, 2.0 + 0.035 * size * (1 - radius / size) * 4, 12))
        if radius > 0.35 * size and round(turn * 100) % 4 == 0:
            fill(
                sheet,
                circle(x + 0.16 * size * np.cos(spin * turn), y + 0.16 * size * np.sin(spin * turn), 0.05 * size, 12),
            )


@cache
def scrollwork() -> Picture:
    """Return the ink of scrolls over the whole card: one quarter, mirrored twice."""
    quarter = np.zeros((HEIGHT_PX // 2 + 1, WIDTH_PX // 2 + 1), np.uint8)
    scrolls = [(70, 70, 62, 1), (215, 85, 78, -1), (90, 225, 75, -1), (240, 250, 66, 1), (75, 375, 60, 1)]
    for x, y, size, spin in [*scrolls, (205, 390, 70, -1), (300, 170, 34, 1), (155, 310, 32, 1), (150, 155, 30, -1)]:
        swirl(quarter, (x, y), size, spin)
    half = np.hstack([quarter, quarter[:, -2::-1]])
    return np.vstack([half, half[-2::-1]])[:HEIGHT_PX, :WIDTH_PX]


def scrolls(x: Floats, y: Floats) -> Floats:
    """Print scrollwork."""
    shape = np.broadcast(x, y).shape
    return cv2.resize(scrollwork(), (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR).astype(float) / 255


@dataclass(frozen=True, slots=True)
class BackDesign:
    """What a printer decided for a back."""

    pattern: Pattern
    ground: Colour
    colour: Colour = PALE  # of the pattern
    border: float = 4.5  # mm of white, 0 prints to the edge
    rule: bool = True  # a line inside the border
    medallion: str = ""  # spade, crown, star, diamond, chip, text
    strength: float = 1.0  # of the pattern's ink


_DESIGNS: Final[dict[str, BackDesign]] = {
    "lattice-red": BackDesign(lattice, RED, border=0),
    "lattice-blue": BackDesign(lattice, BLUE, border=0),
    "lattice-green-logo": BackDesign(lattice, GREEN, border=0, medallion="text"),
    "scrolls-red": BackDesign(scrolls, RED, medallion="star"),
    "scrolls-navy": BackDesign(scrolls, NAVY, medallion="spade"),
    "rings-blue": BackDesign(rings, BLUE, border=3.5, medallion="star"),
    "rings-black": BackDesign(rings, BLACK, GREY, border=6.0, rule=False),
    "scales-teal": BackDesign(scales, TEAL, border=4.0),
    "argyle-burgundy": BackDesign(argyle, BURGUNDY, GOLD, border=4.0),
    "argyle-green": BackDesign(argyle, GREEN, border=5.0, medallion="diamond"),
    "guilloche-purple": BackDesign(guilloche, PURPLE, border=5.0, medallion="crown"),
    "guilloche-orange": BackDesign(guilloche, ORANGE, border=0, strength=0.7),
    "herringbone-brown": BackDesign(herringbone, BROWN, border=4.5),
    "rays-red": BackDesign(rays, RED, GOLD, border=3.0, medallion="chip"),
    "dots-grey": BackDesign(dots, GREY, border=5.0, medallion="text"),
    "basket-blue": BackDesign(basket, NAVY, border=0, medallion="diamond"),
    "flowers-green": BackDesign(flowers, GREEN, border=4.5, rule=False),
    "flowers-purple": BackDesign(flowers, PURPLE, GOLD, border=3.5, medallion="spade"),
    "solid-black-logo": BackDesign(plain, BLACK, border=5.5, medallion="crown"),
    "solid-red-logo": BackDesign(plain, RED, border=0, medallion="text"),
    "solid-blue": BackDesign(plain, BLUE, border=6.5, medallion="chip"),
    # reserved, see `drawers`
    "tartan-green": BackDesign(tartan, GREEN, GOLD, border=3.5, strength=0.8),
    "waves-rose": BackDesign(waves, (110, 70, 190), border=5.5, rule=False, medallion="star"),
    "hexes-gold": BackDesign(hexes, (50, 130, 175), (30, 40, 60), border=0),
    "bricks-grey": BackDesign(bricks, (95, 90, 85), border=4.0, medallion="crown"),
    "stars-navy": BackDesign(stars, NAVY, GOLD, border=6.0, medallion="diamond"),
    "zigzag-mint": BackDesign(zigzag, (150, 175, 95), (70, 60, 30), border=2.5, rule=False),
}
BACK_DESIGNS: Final = unreserved("back", tuple(_DESIGNS))
INVENTED: Final = "invented-"  # before a number: a design of no deck, for training


def print_pattern(design: BackDesign) -> Picture:
    """Return the ground with its pattern, from edge to edge."""
    wide, high = WIDTH_PX * SHARP, HEIGHT_PX * SHARP
    x = (np.arange(wide)[None, :] - (wide - 1) / 2) / (PX_PER_MM * SHARP)
    y = (np.arange(high)[:, None] - (high - 1) / 2) / (PX_PER_MM * SHARP)
    cover = np.round(design.pattern(x, y) * design.strength * 255).astype(np.uint8)
    sheet = np.full((HEIGHT_PX, WIDTH_PX, 3), design.ground, np.uint8)
    stamp(sheet, shrink(cover, SHARP), design.colour, to_px(0, 0))
    return sheet


def print_border(sheet: Picture, design: BackDesign) -> None:
    """Print the white border, and a line inside it."""
    inset = px(design.border)
    inner = sheet[inset : HEIGHT_PX - inset, inset : WIDTH_PX - inset].copy()
    sheet[:] = WHITE
    sheet[inset : HEIGHT_PX - inset, inset : WIDTH_PX - inset] = inner
    if design.rule:
        for gap, colour, thick in ((inset + 8, design.ground, 16), (inset + 12, WHITE, 6)):
            cv2.rectangle(sheet, (gap, gap), (WIDTH_PX - 1 - gap, HEIGHT_PX - 1 - gap), colour, thick)


def print_medallion(sheet: Picture, design: BackDesign) -> None:
    """Print the emblem in the middle, the same from both ends."""
    for radius, colour in ((15.0, design.colour), (14.3, design.ground), (13.4, design.colour), (13.0, design.ground)):
        fill(sheet, circle(*to_px(0, 0), px(radius), 128), colour)
    EMBLEMS[design.medallion](sheet, design.colour)


def print_twice(sheet: Picture, mask: Picture, colour: Colour, up_mm: float) -> None:
    """Print an emblem above the middle and again upside down below."""
    for view in (sheet, sheet[::-1, ::-1]):
        stamp(view, mask, colour, to_px(0, -up_mm))


def print_crown(sheet: Picture, colour: Colour) -> None:
    """Print a crown, twice."""
    mask = np.zeros((180, 320), np.uint8)
    crown = [(30, 170), (10, 40), (80, 105), (160, 10), (240, 105), (310, 40), (290, 170)]
    fill(mask, np.array(crown, float))
    print_twice(sheet, shrink(mask, 2), colour, 5.6)


def print_star(sheet: Picture, colour: Colour) -> None:
    """Print a star with eight points."""
    turns = np.arange(16) * np.pi / 8
    reach = np.where(np.arange(16) % 2, 45.0, 115.0)
    middle = np.array(to_px(0, 0))
    fill(sheet, middle + np.stack([reach * np.cos(turns), reach * np.sin(turns)], axis=1), colour)


def print_chip(sheet: Picture, colour: Colour) -> None:
    """Print the edge spots of a chip and a diamond."""
    for i in range(12):
        turn = 2 * np.pi * i / 12
        fill(sheet, circle(*to_px(10.5 * np.cos(turn), 10.5 * np.sin(turn)), 14), colour)
    stamp(sheet, suit_mask("d", px(14)), colour, to_px(0, 0))


def print_text(sheet: Picture, colour: Colour) -> None:
    """Print a monogram, once for each end."""
    mask = rank_mask("A", px(8), "didone")
    other = rank_mask("K", px(8), "didone")
    print_twice(sheet, np.hstack([mask, np.zeros((mask.shape[0], 8), np.uint8), other]), colour, 5.2)


EMBLEMS: Final[dict[str, Callable[[Picture, Colour], None]]] = {
    "crown": print_crown,
    "star": print_star,
    "chip": print_chip,
    "text": print_text,
    "spade": lambda sheet, colour: print_twice(sheet, suit_mask("s", px(9)), colour, 5.6),
    "diamond": lambda sheet, colour: stamp(sheet, suit_mask("d", px(20), "round"), colour, to_px(0, 0)),
}


def invented(number: int) -> BackDesign:
    """Make up a back: backs come in every colour, and a third of them are plain but for an emblem, or for nothing."""
    rng = np.random.default_rng([number, 31])
    patterns = [lattice, argyle, rings, scales, guilloche, herringbone, rays, dots, basket, flowers, scrolls]
    is_plain = rng.random() < 0.35
    grounds = rng.uniform(8, 240, (2, 3)).astype(int).tolist()
    (b, g, r), (b2, g2, r2) = grounds
    return BackDesign(
        pattern=plain if is_plain else patterns[int(rng.integers(len(patterns)))],
        ground=(b, g, r),
        colour=PALE if rng.random() < 0.5 else (b2, g2, r2),
        border=0.0 if rng.random() < 0.5 else float(rng.uniform(1.5, 7.0)),
        rule=bool(rng.random() < 0.5),
        medallion=str(rng.choice(["", *EMBLEMS])),
        strength=float(rng.choice([0.25, 0.6, 1.0])),
    )


@lru_cache(maxsize=64)
def back(design: str) -> Picture:
    """Return the back of one of `BACK_DESIGNS`, or an invented one: 635 x 889 px, BGR, read-only."""
    is_invented = design.startswith(INVENTED)
    chosen = invented(int(design.removeprefix(INVENTED))) if is_invented else _DESIGNS[design]
    sheet = print_pattern(chosen)
    if chosen.medallion:
        print_medallion(sheet, chosen)
    if chosen.border:
        print_border(sheet, chosen)
    sheet.setflags(write=False)
    return sheet
