"""Cards on any ground, from any side: tiles that owe nothing to the simulator's table, light or camera.

The finder is to know a card wherever it lies: on wood, cloth, paper, patterned or plain, near and far, in decks of
any print. Here cards are laid flat on a made-up ground, seen under a slant, and drawn over each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.backs import INVENTED
from studio.art.faces import card_mask
from studio.film.card import printed
from studio.learn.finder.things import Thing, card_thing
from studio.learn.finder.tiles import SIDE, UNJUDGED, Tile
from vision.detect import maps
from vision.values.cards import DECK
from vision.values.picture import Picture
from vision.values.sizes import CARD_HEIGHT_MM, CARD_WIDTH_MM

PRINT = (159, 222)  # size of a card's print in memory
SHADOW_PX = 14
INVENTED_BACKS, BACKS = 0.5, 800  # backs come in every colour: half of them are of no deck, of so many that take turns
ARRANGEMENTS = ("scattered", "row", "fan", "pile")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Decks:
    """What is printed on cards: designs of faces and of backs."""

    faces: Sequence[str]
    backs: Sequence[str]


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on the ground: its corners in millimetres and what shows."""

    corners: Floats
    design: str
    card: str  # "" for the back

    @property
    def kind(self) -> int:
        """Return the card's place in `KINDS`."""
        return 0 if self.card else 1


def tabletops(decks: Decks, rng: np.random.Generator) -> Iterator[Tile]:
    """Yield tiles without end."""
    while True:
        yield tabletop(decks, rng)


def tabletop(decks: Decks, rng: np.random.Generator) -> Tile:
    """Draw one tile."""
    picture = ground(rng)
    view = slant(rng)
    shown = np.zeros((SIDE, SIDE), np.uint8)
    owners = np.zeros((SIDE, SIDE), np.uint8)
    laid = list(_laid(decks, rng, view))
    is_dark = rng.random() < 0.12  # a black deck with light print
    covers = []
    for number, card in enumerate(laid, start=1):
        quad = cv2.perspectiveTransform(card.corners[None], view)[0]
        cover = _draw(picture, card, quad, rng, is_dark=is_dark)
        owners[cover > 127], shown[cover > 127] = number, card.kind + 1
        covers.append((card, quad, int((cover > 127).sum())))
    for cover in _blots(rng, picture):
        owners[cover > 127], shown[cover > 127] = 0, UNJUDGED
    return Tile(picture, list(_things(covers, owners)), shown[maps.STEP // 2 :: maps.STEP, maps.STEP // 2 :: maps.STEP])


def _things(covers: Sequence[tuple[Laid, Floats, int]], owners: Picture) -> Iterator[Thing]:
    for number, (card, quad, inside) in enumerate(covers, start=1):
        area = cv2.contourArea(quad.astype(np.float32))
        seen = int((owners == number).sum())
        yield card_thing(card.kind, quad, seen / max(area, inside, 1))


def ground(rng: np.random.Generator) -> Picture:
    """Make a ground: plain, cloudy, striped as wood, checked, or cluttered with shapes."""
    base = np.clip(rng.uniform(15, 235) + rng.normal(0, 40, 3) * rng.uniform(0, 1.6), 0, 255)
    other = np.clip(base + rng.normal(0, 45, 3), 0, 255)
    mix = _pattern(rng)[..., None]
    picture = base * (1 - mix) + other * mix
    picture += rng.normal(0, float(rng.uniform(0, 6)), (SIDE, SIDE, 1))
    sheet = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        _clutter(sheet, rng)
    return sheet


def _pattern(rng: np.random.Generator) -> Floats:
    """Return a share for every pixel, 0 to 1."""
    v, u = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    cells = int(rng.choice([2, 4, 9, 24, 70]))
    clouds = cv2.resize(rng.uniform(0, 1, (cells, cells)), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    angle = float(rng.uniform(0, np.pi))
    along = u * np.cos(angle) + v * np.sin(angle)
    across = v * np.cos(angle) - u * np.sin(angle)
    style = rng.integers(4)
    if style == 0:
        return np.asarray(along % 1.0)
    if style == 1:
        return np.asarray(0.5 + 0.5 * np.sin(2 * np.pi * float(rng.uniform(3, 40)) * (along + 0.06 * clouds)))
    if style == 2:
        times = float(rng.uniform(3, 25))
        return np.asarray(((np.floor(along * times) + np.floor(across * times)) % 2) * 0.8 + 0.2 * clouds)
    return np.asarray(clouds)


def _clutter(sheet: Picture, rng: np.random.Generator) -> None:
    """Lay papers, lines and rounds on the ground that are no cards."""
    for _ in range(int(rng.integers(1, 7))):
        colour = tuple(float(c) for c in rng.uniform(0, 255, 3))
        middle = tuple(int(n) for n in rng.integers(0, SIDE, 2))
        size = tuple(int(n) for n in rng.integers(4, 160, 2))
        match int(rng.integers(4)):
            case 0:
                box = cv2.boxPoints((middle, size, float(rng.uniform(0, 90)))).astype(np.int32)
                cv2.fillPoly(sheet, [box], colour, cv2.LINE_AA)
            case 1:
                cv2.ellipse(sheet, middle, size, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
            case 2:
                end = tuple(int(n) for n in rng.integers(0, SIDE, 2))
                cv2.line(sheet, middle, end, colour, int(rng.integers(1, 9)), cv2.LINE_AA)
            case _:
                text = "".join(rng.choice(list("A23456789JQK PLAY$"), 5))
                cv2.putText(sheet, text, middle, int(rng.integers(8)), float(rng.uniform(0.4, 2.5)), colour, 2, 16)


def slant(rng: np.random.Generator) -> Floats:
    """Return how the ground, in millimetres around a tile's middle, appears in the tile."""
    width_px = float(np.exp(rng.uniform(np.log(26), np.log(125))))
    tilt = np.radians(float(rng.uniform(0, 60)) * float(rng.uniform(0, 1)))
    turn, roll = rng.uniform(0, 2 * np.pi, 2)
    far = float(rng.uniform(350, 2500))  # from the camera to the middle
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, np.sin(tilt) / far, 1]])
    scale = width_px / CARD_WIDTH_MM / np.sqrt(np.cos(tilt))
    face = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1 / scale]]) * scale
    to_middle = np.array([[1, 0, SIDE / 2], [0, 1, SIDE / 2], [0, 0, 1.0]])
    return np.asarray(to_middle @ face @ lean @ spin)


def _laid(decks: Decks, rng: np.random.Generator, view: Floats) -> Iterator[Laid]:
    """Yield cards bottom first: up to three groups, each scattered, in a row, fanned or piled."""
    face, back = str(rng.choice(decks.faces)), str(rng.choice(decks.backs))
    if rng.random() < INVENTED_BACKS:
        back = f"{INVENTED}{int(rng.integers(BACKS))}"
    frame = np.array([[[0.0, 0.0], [SIDE, SIDE], [SIDE, 0.0], [0.0, SIDE]]])
    reach = cv2.perspectiveTransform(frame, np.linalg.inv(view))
    extent = np.minimum(np.abs(reach[0]).max(axis=0), 700)
    for _ in range(int(rng.choice([0, 1, 2, 2, 3, 4]))):
        middle = rng.uniform(-0.65, 0.65, 2) * extent
        is_up = rng.random() < 0.7
        for corners in _arranged(rng, middle):
            up = is_up if rng.random() < 0.92 else not is_up
            yield Laid(corners, face if up else back, str(DECK[int(rng.integers(52))]) if up else "")


def _arranged(rng: np.random.Generator, middle: Floats) -> Iterator[Floats]:
    how = str(rng.choice(ARRANGEMENTS))
    number = int(rng.integers(1, 8))
    step = float(rng.choice([2.0, 12.0, 18.0, 28.0, 70.0])) * float(rng.uniform(0.8, 1.2))
    heading, bend = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(4, 14))
    for i in range(number):
        offset = i - (number - 1) / 2
        if how == "scattered":
            yield _corners(middle + rng.normal(0, 75, 2), float(rng.uniform(0, 2 * np.pi)))
        elif how == "fan":
            angle = heading + np.radians(bend * offset)
            pivot = middle - 110 * np.array([-np.sin(heading), np.cos(heading)])
            yield _corners(pivot + 110 * np.array([-np.sin(angle), np.cos(angle)]), angle)
        else:
            along = np.array([np.cos(heading), np.sin(heading)]) * offset * (step if how == "row" else 1.0)
            yield _corners(middle + along + rng.normal(0, 1.5, 2), heading + float(rng.normal(0, 0.03)))


def _corners(middle: Floats, angle: float) -> Floats:
    right, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    w, h = CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2
    return np.array([middle + s * w * right + t * h * down for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


@lru_cache(maxsize=4000)
def _print(design: str, card: str) -> tuple[Picture, Picture]:
    """Return what is printed on a card, and its outline, small."""
    outline = np.asarray(cv2.resize(card_mask(), PRINT, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(printed(design, card), PRINT, interpolation=cv2.INTER_AREA), np.uint8), outline


def _draw(picture: Picture, card: Laid, quad: Floats, rng: np.random.Generator, *, is_dark: bool) -> Picture:
    """Draw a card with its shadow; return what it covers."""
    sheet, outline = _print(card.design, card.card)
    if is_dark:
        light_print = cv2.convertScaleAbs(255 - sheet, alpha=0.85, beta=12)
        sheet = np.asarray(np.clip(light_print * np.array([0.7, 0.9, 1.05]), 0, 255), np.uint8)
    width, height = PRINT
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, quad.astype(np.float32))
    shrink = np.sqrt(cv2.contourArea(quad.astype(np.float32)) / (width * height))
    if shrink < 0.6:
        soft = [cv2.GaussianBlur(side, (0, 0), 0.35 / shrink) for side in (sheet, outline)]
        sheet, outline = (np.asarray(side, np.uint8) for side in soft)
    seen = cv2.warpPerspective(sheet, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR)
    cover = np.asarray(cv2.warpPerspective(outline, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR), np.uint8)
    part = _around(quad)
    _shadow(picture[part], cover[part], rng)
    light = np.float32(rng.uniform(0.75, 1.05)) + _sheen(rng)[part]
    share = (cover[part] / np.float32(255))[..., None]
    lit = np.minimum(seen[part] * light[..., None], 255)
    picture[part] = picture[part] * (1 - share) + lit * share
    return cover


def _around(quad: Floats) -> tuple[slice, slice]:
    """Return the part of the tile that a card and its shadow can touch."""
    low = np.clip(np.floor(quad.min(axis=0)) - SHADOW_PX, 0, SIDE).astype(int)
    high = np.clip(np.ceil(quad.max(axis=0)) + SHADOW_PX, 0, SIDE).astype(int)
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def _shadow(picture: Picture, cover: Picture, rng: np.random.Generator) -> None:
    shift = np.array([[1, 0, float(rng.normal(0, 2))], [0, 1, float(rng.normal(0, 2))]])
    softness, strength = float(rng.uniform(0.8, 4)), np.float32(rng.uniform(0.1, 0.5) / 255)
    if cover.size:
        soft = cv2.GaussianBlur(cv2.warpAffine(cover, shift, cover.shape[::-1]), (0, 0), softness)
        picture[:] = picture * (1 - soft[..., None] * strength)


def _sheen(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a soft streak of light across the tile, mostly none."""
    if rng.random() < 0.8:
        return np.zeros((SIDE, SIDE), np.float32)
    v, u = np.mgrid[0:SIDE, 0:SIDE]
    angle = float(rng.uniform(0, np.pi))
    away = (u - rng.uniform(0, SIDE)) * np.cos(angle) + (v - rng.uniform(0, SIDE)) * np.sin(angle)
    return np.asarray(float(rng.uniform(0.2, 0.7)) * np.exp(-((away / float(rng.uniform(8, 40))) ** 2)), np.float32)


def _blots(rng: np.random.Generator, picture: Picture) -> Iterator[Picture]:
    """Lay something of no kind over the cards now and then: a finger, a pen, a cloth."""
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        cover = np.zeros((SIDE, SIDE), np.uint8)
        ends = rng.uniform(0, SIDE, (2, 2)).astype(int)
        cv2.line(cover, tuple(map(int, ends[0])), tuple(map(int, ends[1])), 255, int(rng.integers(8, 60)), cv2.LINE_AA)
        colour = rng.uniform(20, 235, 3)
        shade = 0.7 + 0.3 * cv2.GaussianBlur(cover, (0, 0), 7)[..., None] / 255.0
        share = cover[..., None] / 255.0
        picture[:] = np.clip(picture * (1 - share) + colour * shade * share, 0, 255)
        yield cover
