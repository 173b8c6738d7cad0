"""Flat pictures that props are covered with: a variant enters, a picture with its cover (BGRA) leaves.

Cut cards, card backs, banknotes of no country, the two sides of a phone.
"""

from functools import cache, lru_cache

import cv2
import numpy as np

from studio.art.easel import round_outline
from studio.art.paint import dye
from vision.values.geometry import Floats
from vision.values.picture import Picture
from vision.values.sizes import CARD_MM

TEXTURE_PX_PER_MM = 4
NOTE_MM, PHONE_MM = (152.0, 68.0), (73.0, 149.0)
BACKS = ("#a01c28", "#1f3f8f", "#1c6b45", "#27272c", "#5d2a7a", "#b0561c")
NOTES = ("#b9c3a4", "#c9b48c", "#a9bccb", "#cfa9a0", "#b4a9c6")
PLASTICS = ("#e0c21e", "#c4202c", "#1d56a8", "#e87422", "#17181a", "#2c9a5c", "#f0f0ec")


def _sheet(size_mm: tuple[float, float], colour: str) -> tuple[Picture, Floats, Floats]:
    """Return an empty sheet with the places of its pixels in mm from its middle, y up."""
    wide, high = (round(side * TEXTURE_PX_PER_MM) for side in size_mm)
    x, y = np.meshgrid(np.arange(wide) - (wide - 1) / 2, (high - 1) / 2 - np.arange(high))
    sheet = np.empty((high, wide, 3), np.uint8)
    sheet[:] = dye(colour)
    return sheet, x / TEXTURE_PX_PER_MM, y / TEXTURE_PX_PER_MM


def rounded_picture(picture: Picture, corner: float = 0.05) -> Picture:
    """Give a picture round corners, their radius a share of its width."""
    high, wide = picture.shape[:2]
    outline = round_outline(wide, high, corner * wide) + np.array([wide - 1, high - 1]) / 2
    mask = np.zeros((high, wide), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(outline * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
    return np.dstack([picture, mask])


@cache
def plastic_card(variant: int) -> Picture:
    """Draw a cut card: plain, with the sheen and scratches of plastic."""
    sheet, x, y = _sheet(CARD_MM, PLASTICS[variant % len(PLASTICS)])
    sheen = 22 * np.exp(-(((x + y * 0.5 - 12) / 14) ** 2)) + np.random.default_rng(variant).normal(0, 3, x.shape)
    return rounded_picture(np.asarray(np.clip(sheet + sheen[..., None], 0, 255), np.uint8))


@cache
def lattice_back(variant: int) -> Picture:
    """Draw a card's back: a lattice with a medallion in a white border."""
    sheet, x, y = _sheet(CARD_MM, "#f3f1ea")
    colour, pitch = dye(BACKS[variant % len(BACKS)]), 2.6 + variant % 3
    lattice = (np.cos((x + y) * np.pi / pitch) * np.cos((x - y) * np.pi / pitch) > 0.2 + 0.1 * (variant % 4)).astype(
        float
    )
    around = np.hypot(x, y * 0.8)
    lattice = np.where(around < 13, np.cos(around * 2.2 + np.cos(8 * np.arctan2(y, x))) > 0.2, lattice)
    inside = (np.abs(x) < CARD_MM[0] / 2 - 4) & (np.abs(y) < CARD_MM[1] / 2 - 4)
    ink = inside * (0.97 - 0.7 * lattice)
    return rounded_picture(np.asarray(sheet + (colour - sheet) * ink[..., None], np.uint8))


@lru_cache(maxsize=64)
def banknote(variant: int) -> Picture:
    """Draw a banknote of no country: engraved waves, a frame, an oval, numbers in the corners, folds."""
    sheet, x, y = _sheet(NOTE_MM, NOTES[variant % len(NOTES)])
    paper, ink = sheet.astype(float), dye(NOTES[variant % len(NOTES)]) * (0.34, 0.42, 0.34)
    waves = np.sin(y * 2.4 + 5 * np.sin(x * 0.11)) * np.sin(x * 1.3 + 3 * np.sin(y * 0.2)) > 0.25
    frame = (np.abs(x) > NOTE_MM[0] / 2 - 9) | (np.abs(y) > NOTE_MM[1] / 2 - 8)
    border = (np.abs(x) > NOTE_MM[0] / 2 - 3) | (np.abs(y) > NOTE_MM[1] / 2 - 3)
    off = 22.0 * (variant % 3 - 1)
    oval = np.hypot((x - off) / 17, y / 24)
    busy = np.random.default_rng(variant).normal(0, 1, (17, 38))
    shape = np.asarray(cv2.resize(busy, x.shape[::-1], interpolation=cv2.INTER_CUBIC))
    cover = np.where(frame, 0.62 - 0.3 * waves, 0.25 * waves)
    cover = np.where(oval < 1, np.clip(0.45 + 0.25 * shape, 0.05, 0.9), cover) + 0.5 * (np.abs(oval - 1) < 0.06)
    cover = np.clip(np.where(border, 0.04, cover), 0, 0.95)
    paper += (ink - paper) * cover[..., None]
    paper *= (1 + 0.05 * np.sin(x * 0.08 + variant) - 0.12 * np.exp(-((x / 0.8) ** 2)))[
        ..., None
    ]  # a fold in the middle
    drawn = np.asarray(np.clip(paper, 0, 255), np.uint8)
    value = ("5", "10", "20", "50", "100")[variant % 5]
    for u, v in ((0.035, 0.25), (0.8, 0.25), (0.035, 0.93), (0.8, 0.93)):
        where = (round(u * drawn.shape[1]), round(v * drawn.shape[0]))
        cv2.putText(drawn, value, where, cv2.FONT_HERSHEY_DUPLEX, 1.5, (225, 235, 225), 4, cv2.LINE_AA)
    return rounded_picture(drawn, 0.004)


@cache
def phone_side(variant: int) -> Picture:
    """Draw the side of a phone that shows: a dark screen, a lit one, or its back with the cameras."""
    size = (PHONE_MM[0] - 4, PHONE_MM[1] - 4)
    sheet, x, y = _sheet(size, ("#08090b", "#dfe6ee", "#26303c")[variant % 3])
    paint = sheet.astype(float)
    random = np.random.default_rng(variant)
    if variant % 3 == 1:  # a page of something, light or dark
        paint *= 1.0 if variant % 2 else 0.15
        paint[y > size[1] / 2 - 12] = random.uniform(20, 200) + random.uniform(-40, 40, 3)
        for _ in range(int(random.integers(3, 12))):
            left, top, wide, tall = random.uniform((-30, -65, 12, 4), (5, 50, 45, 20))
            paint[(x > left) & (x < left + wide) & (y > top) & (y < top + tall)] = random.uniform(
                40, 210
            ) + random.uniform(-40, 40, 3)
    if variant % 3 == 2:
        for spot in (50.0, 62.0):
            paint[np.hypot(x + 22, y - spot) < 5.5] = (12, 12, 14)
            paint[np.hypot(x + 20.5, y - spot - 1.5) < 1.2] = (200, 190, 180)
    glare = 70 * np.clip(1 - np.abs(x * 0.9 + y * 0.45 - 18) / 13, 0, 1) ** 0.5 + 26 * (x + y * 0.4 > 34)
    return rounded_picture(np.asarray(np.clip(paint + glare[..., None] * 0.6, 0, 255), np.uint8), 0.11)
