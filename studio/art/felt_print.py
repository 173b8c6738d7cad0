"""Printing a felt: a design and its layout enter; the whole cloth leaves, spots, words and odds in their places."""

import cv2
import numpy as np

from studio.art.felt_designs import words_of
from studio.art.felt_form import FeltDesign, OddsTable, Wording
from studio.art.felt_lines import SUITS, is_free, seat_axes
from studio.art.felt_ornaments import print_logo, print_ornaments, print_pattern, print_suit
from studio.art.felt_press import SMOOTH, Press, advance
from studio.art.paint import shrink
from vision.table.layout import Layout, SeatLayout, Shape
from vision.table.sketch import CORNERS
from vision.values.geometry import Floats
from vision.values.picture import Picture

PAYS = {"aces_up": (50, 40, 8, 5, 4, 3, 1), "bonus": (25, 20, 2)}
INK_STEP = 6  # shades of ink are this far apart: finer ones would only make the files large


def print_felt(design: FeltDesign, layout: Layout, px_per_mm: int) -> Picture:
    """Return the printed felt of a design with its layout."""
    press = Press(design, px_per_mm)
    print_pattern(press, layout)
    under = press.sheet.copy()
    print_ornaments(press, layout)
    _print_dealer(press, layout)
    _print_odds(press, layout)
    for seat in layout.seat:
        _print_seat(press, seat)
    return _as_printed(press, under)


def _print_dealer(press: Press, layout: Layout) -> None:
    """Print the boxes before the dealer, and the house's mark in the middle."""
    design, dealer = press.design, layout.dealer
    box = dealer.cards if dealer.community is None else dealer.community
    press.line(np.array(box.corners), design.ink, design.line_mm * 0.7)
    for x in np.arange(-2, 3) * 500 / 6 if design.cards_print == "five" else ():
        press.line(np.array([[x - 41.7, 219.0], [x - 41.7, 321.0]]), design.ink, 0.8, closed=False)
    words = words_of(design).dealer
    wide = advance(words, 1, design.font, design.weight)
    press.text(words, np.array(box.centre), 0, min(30, 0.9 * _width(box) / wide), design.second)
    if dealer.bonus is not None:
        press.line(np.array(dealer.bonus.corners), design.accent, design.line_mm * 0.7)
        press.text("BONUS", np.array(dealer.bonus.centre), 0, 17, design.accent)
    print_logo(press, np.array([0.0, 425.0]))
    press.text(design.house, np.array([0.0, 362.0]), 0, 15, design.ink)


def _print_odds(press: Press, layout: Layout) -> None:
    words, style = words_of(press.design), press.design.odds
    if style == "centre":
        for side, (head, hands, pays) in zip((1, -1), _tables(words), strict=False):
            spot = next(
                (
                    spot
                    for spot in (
                        (w, x, y) for w in (250, 210, 175) for y in (400, 350, 440) for x in range(640, 300, -20)
                    )
                    if is_free(layout, side * spot[1], spot[2], spot[0])
                ),
                None,
            )
            if spot is not None:
                _print_table(press, np.array([side * spot[1], spot[2]]), 0, spot[0], head, hands, pays)
    for seat in layout.seat if style == "seats" else ():
        across, inward = seat_axes(seat.angle)
        at = np.array(seat.spots["ante"].centre) + across * (-press.design.pitch_mm * 1.4 - 78) - inward * 10
        if is_free(layout, float(at[0]), float(at[1]), 76):
            _print_table(press, at, seat.angle, 84, *_tables(words)[0])


def _width(shape: Shape) -> float:
    across = [x for x, _ in shape.corners]
    return max(across) - min(across)


def _tables(words: Wording) -> tuple[OddsTable, ...]:
    if not words.hands:
        return words.odds
    aces, bonus = (tuple(f"{odds} : 1" for odds in PAYS[name]) for name in ("aces_up", "bonus"))
    return ((words.spots["aces_up"], words.hands, aces), (words.bonus, words.hands[:3], bonus))


def _print_table(
    press: Press, at: Floats, angle: float, width: float, head: str, hands: tuple[str, ...], pays: tuple[str, ...]
) -> None:
    """Print what hands pay: a headline, then a row each."""
    across, inward = seat_axes(angle)
    step = width * 0.6 / 8.6
    tall = step * (len(hands) + 1.6)
    press.line([at + across * a * width / 2 + inward * b * tall / 2 for a, b in CORNERS], press.design.ink, width / 160)
    top = at + inward * (tall / 2 - step * 0.9)
    press.text(head, top, angle, step * 0.86, press.design.accent)
    for row, (hand, odds) in enumerate(zip(hands, pays, strict=True), 1):
        line = top - inward * step * (row + 0.05)
        wide = advance(hand, step * 0.74, press.design.font, press.design.weight)
        press.text(hand, line + across * (width * 0.46 - wide / 2), angle, step * 0.74, press.design.ink)
        press.text(odds, line - across * width * 0.36, angle, step * 0.74, press.design.ink)


def _print_seat(press: Press, seat: SeatLayout) -> None:
    design = press.design
    _print_cards_place(press, np.array(seat.cards.corners))
    for name, shape in seat.spots.items():
        _print_spot(press, seat, name, shape)
    if "numbers" in design.ornaments:
        across, inward = seat_axes(seat.angle)
        at = np.array(seat.cards.centre) + across * 128 + inward * 30
        press.text(str(seat.number), at, seat.angle, 20, design.accent)


def _print_cards_place(press: Press, corners: Floats) -> None:
    style, ink, width = press.design.cards_print, press.design.ink, press.design.line_mm * 0.6
    if style == "box":
        press.line(corners, ink, width)
    if style == "five":
        for share in np.linspace(0, 0.722, 5):
            left = corners[0] + (corners[1] - corners[0]) * share
            along, up = (corners[1] - corners[0]) * 0.276, corners[3] - corners[0]
            press.line(
                [left + up * 0.13, left + along + up * 0.13, left + along + up * 0.87, left + up * 0.87], ink, 0.9
            )
    if style == "corners":
        for index, corner in enumerate(corners):
            before, after = corners[index - 1] - corner, corners[(index + 1) % 4] - corner
            ends = [corner + 22 * way / np.linalg.norm(way) for way in (before, after)]
            press.line([ends[0], corner, ends[1]], ink, width, closed=False)


def _print_spot(press: Press, seat: SeatLayout, name: str, shape: Shape) -> None:
    design, outline, middle = press.design, np.array(shape.corners), np.array(shape.centre)
    is_filled = name in design.filled
    if is_filled:
        press.fill(outline, design.accent)
    colour = design.accent if name in {"aces_up", "progressive"} else design.ink
    press.line(middle + (outline - middle) * 0.97, colour, design.line_mm)
    radius = design.spot_mm / 2
    if name == "progressive":
        press.fill(middle + (outline - middle) * 0.45, colour)
    elif design.shapes.get(name) == "ring":
        press.line(middle + (outline - middle) * 0.86, colour, design.line_mm * 0.5)
        _print_ring_words(press, seat, middle, radius * 0.64, words_of(design).spots[name])
        print_suit(press, SUITS[list(seat.spots).index(name) % 4], middle, radius * 0.22, colour, seat.angle)
    else:
        lines = words_of(design).spots[name].split(" ")
        room = design.spot_mm * (0.78 if design.shapes.get(name) == "diamond" else 1)
        _print_lines(press, lines, middle, seat.angle, room, design.ground if is_filled else colour)


def _print_lines(press: Press, lines: list[str], middle: Floats, angle: float, room_mm: float, colour: str) -> None:
    """Print a spot's name, one word a line, as large as fits."""
    widest = max(advance(line, 1, press.design.font, press.design.weight) for line in lines)
    size = min(room_mm * 0.72 / widest, room_mm * 0.3, room_mm * 0.62 / len(lines))
    for row, line in enumerate(lines):
        rise = seat_axes(angle)[1] * size * 0.98 * ((len(lines) - 1) / 2 - row)
        press.text(line, middle + rise, angle, size, colour)


def _print_ring_words(press: Press, seat: SeatLayout, middle: Floats, radius: float, words: str) -> None:
    across, inward = seat_axes(seat.angle)
    turn = np.linspace(-0.3, np.pi + 0.3, 40)[:, None]
    path = middle + radius * (across * np.cos(turn) + inward * np.sin(turn))
    size = min(11.0, radius * 3.4 / advance(words, 1, press.design.font, press.design.weight))
    press.text_along(words, path, size, press.design.ink)


def _as_printed(press: Press, under: Picture) -> Picture:
    """Return the sheet at its size, its ink a little uneven, as presses leave it."""
    rng = np.random.default_rng(len(press.design.name) * 1009 + press.design.seats)
    small, ground = shrink(press.sheet, SMOOTH), shrink(under, SMOOTH)
    height, width = small.shape[:2]
    density = cv2.resize(rng.uniform(0.84, 1.0, (height // 40, width // 40)), (width, height))
    ink = (small.astype(np.float32) - ground) * np.round(density * 12)[..., None] / 12
    return np.clip(ground + np.round(ink / INK_STEP) * INK_STEP, 0, 255).astype(np.uint8)
