"""A millimetre grid on the print of a felt, to read the places of spots from: an Artwork enters, a picture leaves."""

from typing import Final

import cv2
import numpy as np

from vision.table.artwork import Artwork
from vision.values.picture import Picture

FINE_MM, COARSE_MM = 50, 100  # between lines; the coarse ones bear their number
NUMBERS_MM: Final = 500  # between the numbers of one line
INK: Final = (255, 255, 255)
SHADE: Final = (20, 20, 20)
AXIS: Final = (60, 235, 255)
FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
SIZE: Final = 0.42


def draw_grid(artwork: Artwork) -> Picture:
    """Return the print with lines every 50 mm; x is 0 in the middle, y is 0 at the dealer's edge, below."""
    sheet = artwork.picture.copy()
    width, height = artwork.size_mm
    for mm in _multiples(FINE_MM, -width / 2, width / 2):
        _line(sheet, artwork, ((mm, 0.0), (mm, height)), mm)
    for mm in _multiples(FINE_MM, 0.0, height):
        _line(sheet, artwork, ((-width / 2, mm), (width / 2, mm)), mm)
    for x in _multiples(COARSE_MM, -width / 2, width / 2):
        for y in (*_multiples(NUMBERS_MM, 0.0, height - 60), height - 20):
            _number(sheet, artwork, (x, y + 12), f"x {x}")
    for y in _multiples(COARSE_MM, 0.0, height):
        for x in _multiples(NUMBERS_MM, -width / 2, width / 2):
            _number(sheet, artwork, (x + COARSE_MM / 2, y), f"y {y}")
    return sheet


def _multiples(step: int, low: float, high: float) -> range:
    return range(int(np.ceil(low / step)) * step, int(np.floor(high / step)) * step + 1, step)


def _line(sheet: Picture, artwork: Artwork, ends: tuple[tuple[float, float], tuple[float, float]], mm: int) -> None:
    """Draw a line, the clearer the rounder its number; the felt stays visible beneath."""
    strength = 0.75 if mm == 0 else 0.45 if mm % COARSE_MM == 0 else 0.2
    points = np.rint(artwork.to_px(np.array(ends))).astype(int)
    low = np.clip(points.min(axis=0), 0, None)
    high = np.minimum(points.max(axis=0) + 1, sheet.shape[1::-1])
    under = sheet[low[1] : high[1], low[0] : high[0]]
    under[:] = np.rint(under * (1 - strength) + np.array(AXIS if mm == 0 else INK) * strength)


def _number(sheet: Picture, artwork: Artwork, place: tuple[float, float], text: str) -> None:
    """Write a number around a place, on a dark ground."""
    (u, v) = np.rint(artwork.to_px(np.array(place))).astype(int).tolist()
    (wide, high), below = cv2.getTextSize(text, FONT, SIZE, 1)
    left, top = u - wide // 2 - 2, v - high // 2 - 2
    cv2.rectangle(sheet, (left, top), (left + wide + 4, top + high + below), SHADE, cv2.FILLED)
    cv2.putText(sheet, text, (left + 2, top + high + 1), FONT, SIZE, INK, 1, cv2.LINE_AA)
