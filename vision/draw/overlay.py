"""A layout drawn for people to check: onto a camera's picture, bent as the lens bends, or flat onto the print.

Spots have a colour by wager, payout areas thin lines of the same; cards are green, the dealer's places blue. Lines have
a dark seam and words a dark ground, so that they show on any felt.
"""

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from vision.draw.detections import free_place
from vision.table.artwork import Artwork
from vision.table.layout import Layout, SeatLayout
from vision.table.zones import PAYOUT, Zone, ZoneMap, dealer_zone
from vision.values.errors import InputError
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]  # left, top, right, bottom
ToPixels = Callable[[Floats], Floats]  # places (n, 2) in millimetres to pixels (n, 2); not a number where out of sight

SEAM: Final[Colour] = (20, 20, 20)
GROUND: Final[Colour] = (60, 100, 30)
FELT: Final[Colour] = (255, 255, 255)
CARDS: Final[Colour] = (90, 255, 110)
DEALER: Final[Colour] = (255, 200, 90)
WAGERS: Final[dict[str, Colour]] = {
    "ante": (60, 235, 255),
    "play": (80, 160, 255),
    "aces_up": (220, 130, 255),
    "six_card": (255, 170, 200),
    "bad_beat": (120, 120, 255),
    "progressive": (200, 255, 255),
}
OTHER: Final[Colour] = (230, 230, 230)
FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
LETTER_PX: Final = 22  # height of a capital at font size 1
NAME_PX, NUMBER_PX = 10, 24  # height of capitals, in a picture of 1920 pixels
STRAIGHT_MM: Final = 15.0  # a line is straight in the picture for so long, whatever the lens
FAR: Final = 100_000  # pixels; OpenCV draws wrongly beyond
FINE: Final = 4  # bits of a pixel's fraction


def draw_overlay(picture: Picture, camera: Camera, layout: Layout) -> Picture:
    """Return the picture with every place of the felt where the calibrated camera should see it."""
    lens = camera.lens
    if picture.shape[:2] != (lens.height, lens.width):
        size = f"{picture.shape[1]} x {picture.shape[0]}"
        raise InputError(f"the picture is {size}: want {lens.width} x {lens.height}, as the calibrated camera")

    def to_pixels(places: Floats) -> Floats:
        flat = np.column_stack([places, np.zeros(len(places))])
        return np.where(camera.to_camera(flat)[:, 2:] > 0, camera.project(flat), np.nan)

    return _drawn(picture, layout, to_pixels)


def draw_flat(artwork: Artwork, layout: Layout) -> Picture:
    """Return the print of a felt with every place on it."""
    return _drawn(artwork.picture, layout, artwork.to_px)


def plain_ground(layout: Layout) -> Artwork:
    """Return a plain green felt for a layout that has no print."""
    width, height = layout.size_mm
    picture = np.full((round(height), round(width), 3), GROUND, np.uint8)
    return Artwork(picture, 1.0, (width, height))


def _drawn(picture: Picture, layout: Layout, to_pixels: ToPixels) -> Picture:
    sheet = _Sheet(picture.copy(), to_pixels)
    sheet.line(np.array(layout.outline), FELT)
    for shape in layout.rail:
        sheet.line(np.array(shape.corners), OTHER)
    zones = ZoneMap(layout)
    for seat in layout.seat:
        _draw_payouts(sheet, zones, seat)
    for name, shape in layout.dealer.zones().items():
        sheet.line(np.array(shape.corners), DEALER)
        sheet.text(dealer_zone(name).name, shape.centre, DEALER, NAME_PX + 3)
    for seat in layout.seat:
        _draw_seat(sheet, seat)
    return sheet.picture


def _draw_payouts(sheet: "_Sheet", zones: ZoneMap, seat: SeatLayout) -> None:
    for name in seat.spots:
        for border in zones.outlines(Zone(seat.number, PAYOUT + name)):
            sheet.line(border, WAGERS.get(name, OTHER), is_thin=True)


def _draw_seat(sheet: "_Sheet", seat: SeatLayout) -> None:
    sheet.line(np.array(seat.cards.corners), CARDS)
    sheet.text(str(seat.number), seat.cards.centre, CARDS, NUMBER_PX)
    for name, spot in seat.spots.items():
        sheet.line(np.array(spot.corners), WAGERS.get(name, OTHER))
    for name, spot in seat.spots.items():
        sheet.text(name.replace("_", " "), spot.centre, WAGERS.get(name, OTHER), NAME_PX)


class _Sheet:
    """A picture being drawn on, in millimetres of the table."""

    def __init__(self, picture: Picture, to_pixels: ToPixels) -> None:
        self.picture = picture
        self._to_pixels = to_pixels
        self._unit = max(picture.shape[:2]) / 1920
        self._taken: list[Box] = []

    def line(self, around: Floats, colour: Colour, *, is_thin: bool = False) -> None:
        """Draw a closed line through places."""
        seen = self._to_pixels(_finely(around))
        if not np.isfinite(seen).all():
            return
        points = np.rint(np.clip(seen, -FAR, FAR) * 2**FINE).astype(np.int32)
        wide = 1 if is_thin else max(2, round(2 * self._unit))
        strokes = [(colour, wide)] if is_thin else [(SEAM, wide + max(2, round(2 * self._unit))), (colour, wide)]
        for ink, width in strokes:
            cv2.polylines(
                self.picture, [points], isClosed=True, color=ink, thickness=width, lineType=cv2.LINE_AA, shift=FINE
            )

    def text(self, text: str, place: tuple[float, float], colour: Colour, letter_px: float) -> None:
        """Write upright around a place, beside what is written already."""
        (middle,) = self._to_pixels(np.array([place]))
        height, width = self.picture.shape[:2]
        if not (np.isfinite(middle).all() and 0 <= middle[0] < width and 0 <= middle[1] < height):
            return
        size = max(letter_px * self._unit, 8.0) / LETTER_PX
        thick = max(1, round(2.2 * size))
        (wide, high), below = cv2.getTextSize(text, FONT, size, thick)
        box = free_place(
            (width, height), (float(middle[0]), float(middle[1])), (wide + 4, high + below + 3), self._taken
        )
        self._taken.append(box)
        ground = self.picture[box[1] : box[3], box[0] : box[2]]
        ground[:] = ground // 3
        start = (box[0] + 2, box[1] + high + 2)
        cv2.putText(self.picture, text, start, FONT, size, colour, thick, cv2.LINE_AA)


def _finely(around: Floats) -> Floats:
    """Return the points of a closed line with more between them, so that no piece is long."""
    pieces = []
    for start, end in zip(around, np.roll(around, -1, axis=0), strict=True):
        count = max(1, int(np.ceil(np.hypot(*(end - start)) / STRAIGHT_MM)))
        pieces.append(start + (end - start) * (np.arange(count) / count)[:, None])
    return np.concatenate(pieces)
