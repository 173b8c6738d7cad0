"""Felts: a design's name enters; its layout in millimetres, its printed artwork, or a folder with both leaves.

The artwork's top row is y = height, so the dealer's edge is below and the words, which the players read, stand on
their heads.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.calibrate.layout import DealerLayout, Layout, SeatLayout, Shape
from vision.geometry import Floats
from vision.simulate.art.felt_designs import DESIGNS, SPOTS, TEMPLATES, WORDS, FeltDesign, Wording
from vision.simulate.film.patch import Picture

CARDS_MM, CARDS_INWARD_MM = (230.0, 120.0), 76.0
PLAY_GAP_MM = 10.0  # between the player's cards and the play spot
PROGRESSIVE_MM = 30.0
PAYS = {"aces_up": (50, 40, 8, 5, 4, 3, 1), "bonus": (25, 20, 2)}
SMOOTH = 2  # the artwork is drawn this much larger, then averaged
INK_STEP = 6  # shades of ink are this far apart: finer ones would only make the files large
SMALL_PNG = (cv2.IMWRITE_PNG_COMPRESSION, 9, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE)
SIDES = {"square": (4, 45.0, 1.32), "diamond": (4, 0.0, 1.16), "hexagon": (6, 30.0, 1.08)}  # corners, turn, reach


def felt_names() -> tuple[str, ...]:
    """Return the designs there are."""
    return tuple(DESIGNS)


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
        dealer=_dealer(design),
    )


def rail_line(design: FeltDesign) -> Floats:
    """Return the players' side of the felt as points 5 mm apart, from the dealer's left to his right."""
    half, shoulder = design.width_mm / 2, design.shoulder_mm
    turn = np.linspace(0, np.pi / 2, 2000)
    x = half * np.cos(turn) ** (2 / design.squareness)
    y = shoulder + (design.height_mm - shoulder) * np.sin(turn) ** (2 / design.squareness)
    rise = np.linspace(0, shoulder, 200, endpoint=False) if shoulder else np.zeros(0)
    pulled = half - design.pull_mm * (1 - rise / (shoulder or 1)) ** 2
    right = np.stack([np.concatenate([pulled, x]), np.concatenate([rise, y])], axis=1)
    whole = np.concatenate([right[:-1] * (-1, 1), right[::-1]])
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(whole, axis=0), axis=1))])
    steps = np.linspace(0, along[-1], int(along[-1] / 5))
    return np.stack([np.interp(steps, along, whole[:, axis]) for axis in (0, 1)], axis=1)


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


def seat_axes(angle: float) -> tuple[Floats, Floats]:
    """Return the directions across (to the dealer's right at angle 0) and inward of a seat."""
    turn = np.radians(angle)
    return np.array([np.cos(turn), np.sin(turn)]), np.array([np.sin(turn), -np.cos(turn)])


def _seat(design: FeltDesign, number: int, rail: Floats, angle: float) -> SeatLayout:
    across, inward = seat_axes(angle)
    play = rail + inward * (CARDS_INWARD_MM + CARDS_MM[1] / 2 + PLAY_GAP_MM + design.spot_mm * 0.6)
    places = TEMPLATES[design.template]
    spots = {
        name: _spot(design, name, play + design.pitch_mm * (across * places[name][0] + inward * places[name][1]), angle)
        for name in SPOTS
    }
    middle = rail + inward * CARDS_INWARD_MM
    corners = [middle + across * a * CARDS_MM[0] / 2 + inward * b * CARDS_MM[1] / 2 for a, b in _CORNERS]
    return SeatLayout(number=number, angle=round(angle, 2), cards=_polygon(corners), spots=spots)


_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def _spot(design: FeltDesign, name: str, at: Floats, angle: float) -> Shape:
    radius = (PROGRESSIVE_MM if name == "progressive" else design.spot_mm) / 2
    kind = design.shapes.get(name, "circle")
    if kind not in SIDES or name == "progressive":
        return Shape(circle=[round(float(v), 1) for v in (*at, radius)])
    count, turn, reach = SIDES[kind]
    turns = np.radians(angle + turn + np.arange(count) * 360 / count)
    return _polygon(at + radius * reach * np.stack([np.cos(turns), np.sin(turns)], axis=1))


def _polygon(corners: Iterable[Floats]) -> Shape:
    return Shape(polygon=[[round(float(x), 1), round(float(y), 1)] for x, y in corners])


def _box(left: float, right: float, low: float, high: float) -> Shape:
    return Shape(polygon=[[left, low], [right, low], [right, high], [left, high]])


def _dealer(design: FeltDesign) -> DealerLayout:
    half = design.tray_mm / 2
    return DealerLayout(
        cards=_box(-250, 250, 215, 325),
        work=_box(-175, 175, 338, 488),
        tray=_box(-half, half, 20, 190),
        discard=_box(half + 45, half + 135, 30, 160),
        shoe=_box(-half - 225, -half - 35, 20, 260),
        bonus=_box(266, 356, 215, 325),
    )


# --- printing -------------------------------------------------------------------------------------------------------


class Press:
    """A felt being printed: everything is given in table millimetres."""

    def __init__(self, design: FeltDesign, px_per_mm: int) -> None:
        self.design = design
        self.scale = px_per_mm * SMOOTH
        shape = (design.height_mm * self.scale, design.width_mm * self.scale, 3)
        self.sheet: Picture = np.full(shape, bgr(design.ground), np.uint8)

    def pixels(self, points: Floats | Sequence[Floats]) -> Floats:
        """Return points as pixels of the sheet."""
        flat = np.asarray(points, float) * (1, -1) + (self.design.width_mm / 2, self.design.height_mm)
        pixels: Floats = flat * self.scale - 0.5
        return pixels

    def line(self, points: Floats | Sequence[Floats], colour: str, width_mm: float, closed: bool = True) -> None:
        """Draw a line through points."""
        fixed = np.round(self.pixels(points) * 16).astype(np.int32)
        width = max(1, round(width_mm * self.scale))
        cv2.polylines(self.sheet, [fixed], closed, bgr(colour), width, cv2.LINE_AA, 4)

    def fill(self, points: Floats | Sequence[Floats], colour: str) -> None:
        """Fill an outline."""
        cv2.fillPoly(self.sheet, [np.round(self.pixels(points) * 16).astype(np.int32)], bgr(colour), cv2.LINE_AA, 4)

    def text(self, words: str, at: Floats, angle: float, size_mm: float, colour: str) -> None:
        """Print words centred at a place, to be read by who sits at that angle."""
        glyphs = word_mask(words, round(size_mm * self.scale), self.design.font, self.design.weight)
        turn = np.radians(angle + 180)
        cos, sin = np.cos(turn), np.sin(turn)
        height, width = glyphs.shape
        reach = int(np.hypot(height, width) / 2) + 2
        u, v = self.pixels(np.asarray(at, float))
        left, top = int(u) - reach, int(v) - reach
        turning = np.array([[cos, sin, 0], [-sin, cos, 0]])
        turning[:, 2] = (u - left, v - top) - turning[:, :2] @ (width / 2, height / 2)
        turned = cv2.warpAffine(glyphs, turning, (2 * reach, 2 * reach))
        self.blend(left, top, turned.astype(np.uint8, copy=False), colour)

    def blend(self, left: int, top: int, cover: Picture, colour: str) -> None:
        """Lay a colour over the sheet where a mask says so; what reaches over the edge is cut off."""
        x0, y0 = max(left, 0), max(top, 0)
        part = self.sheet[y0 : max(top + cover.shape[0], 0), x0 : max(left + cover.shape[1], 0)]
        if part.size:
            share = cover[y0 - top :, x0 - left :][: part.shape[0], : part.shape[1], None] / 255.0
            part[:] = np.round(part * (1 - share) + np.array(bgr(colour)) * share)

    def text_along(self, words: str, path: Floats, size_mm: float, colour: str) -> None:
        """Print words along a path of table points, centred on it."""
        widths = [_advance(letter, size_mm, self.design.font, self.design.weight) for letter in words]
        along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
        start = (along[-1] - sum(widths)) / 2
        for letter, width in zip(words, widths, strict=True):
            middle, start = start + width / 2, start + width
            here, ahead = ([np.interp(s, along, path[:, axis]) for axis in (0, 1)] for s in (middle, middle + 2))
            angle = np.degrees(np.arctan2(ahead[1] - here[1], ahead[0] - here[0])) + 180
            if letter != " ":
                self.text(letter, np.array(here), float(angle), size_mm, colour)


def bgr(colour: str) -> tuple[int, int, int]:
    """Return '#rrggbb' as numbers, blue first."""
    return (int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16))


def _advance(words: str, size: float, font: str, weight: int) -> float:
    box = cv2.getTextSize((0, 0), f"|{words}|", (0, 0), cv2.FontFace(font), 100, weight)
    bars = cv2.getTextSize((0, 0), "||", (0, 0), cv2.FontFace(font), 100, weight)
    return (box[2] - bars[2]) * size / 100


@cache
def word_mask(words: str, size: int, font: str, weight: int) -> Picture:
    """Return words as a mask, `size` pixels high in capitals' terms; the middle of the capitals is the middle row."""
    width = int(_advance(words, size, font, weight)) + size
    mask = np.zeros((size * 2, width), np.uint8)
    cv2.putText(mask, words, (size // 2, round(size * 1.36)), (255,), cv2.FontFace(font), size, weight)
    mask.setflags(write=False)
    return mask


def make_artwork(name: str, px_per_mm: int = 1) -> Picture:
    """Return the printed felt; the whole cloth, also where the table's outline will cut it."""
    design = DESIGNS[name]
    press, layout = Press(design, px_per_mm), make_layout(name)
    _print_pattern(press, layout)
    under = press.sheet.copy()
    _print_ornaments(press, layout)
    _print_dealer(press, layout)
    _print_odds(press, layout)
    for seat in layout.seat:
        _print_seat(press, seat)
    return _as_printed(press, under)


def _print_pattern(press: Press, layout: Layout) -> None:
    """Print what lies under everything, in the second colour."""
    design = press.design
    half, height = design.width_mm / 2, design.height_mm
    if design.pattern == "suits":
        for row, y in enumerate(np.arange(30, height, 62)):
            for column, x in enumerate(np.arange(-half + 20 + 40 * (row % 2), half, 80)):
                _print_suit(press, SUITS[(row + column) % 4], np.array([x, y]), 13, design.second, 0)
    if design.pattern == "lattice":
        for x in np.arange(-half - height, half + height, 56):
            press.line(np.array([[x, 0], [x + height, height]]), design.second, 1.5, closed=False)
            press.line(np.array([[x, 0], [x - height, height]]), design.second, 1.5, closed=False)
    if design.pattern == "rays":
        turns = np.linspace(0, np.pi, 41)
        tips = np.stack([np.cos(turns), np.sin(turns)], axis=1) * 3000 + (0, -60)
        for one, two in zip(tips[::2], tips[1::2], strict=False):
            press.fill([np.array([0, -60.0]), one, two], design.second)
    if design.pattern == "band":
        press.fill(_inset(layout, CARDS_MM[1] + 26), design.second)
    if design.pattern == "vignette":
        _darken_edges(press)


def _darken_edges(press: Press) -> None:
    height, width = press.sheet.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(1, 0, height, dtype=np.float32))
    share = np.clip((np.hypot(x, y * 0.9) - 0.35) / 0.6, 0, 1)[..., None]
    mixed = np.array(bgr(press.design.ground)) * (1 - share) + np.array(bgr(press.design.second)) * share
    press.sheet[:] = np.round(mixed)


def _inset(layout: Layout, inward_mm: float) -> Floats:
    """Return the rail's line moved inward."""
    line = rail_line(DESIGNS[layout.name])
    way = np.gradient(line, axis=0)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    moved: Floats = line + np.stack([way[:, 1], -way[:, 0]], axis=1) * inward_mm
    return moved


SUITS = ("spade", "heart", "club", "diamond")


def suit_outlines(suit: str) -> list[Floats]:
    """Return a suit as outlines within a circle of radius 1, upright along +y."""
    turn = np.linspace(0, 2 * np.pi, 60)
    heart = np.stack(
        [
            16 * np.sin(turn) ** 3,
            13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn) + 2,
        ],
        axis=1,
    )
    stem = np.array([[-0.35, -1.0], [0.35, -1.0], [0.06, -0.3], [-0.06, -0.3]])
    if suit == "diamond":
        return [np.array([[0, 1.0], [0.7, 0], [0, -1.0], [-0.7, 0]])]
    if suit == "heart":
        return [heart / 17]
    if suit == "spade":
        return [heart / 18 * (1, -1) + (0, 0.1), stem]
    ball = np.stack([np.cos(turn), np.sin(turn)], axis=1) * 0.42
    return [*(ball + np.array(at) for at in ((0, 0.5), (-0.45, -0.2), (0.45, -0.2))), stem]


def _print_suit(press: Press, suit: str, at: Floats, size_mm: float, colour: str, angle: float) -> None:
    across, inward = seat_axes(angle)
    for outline in suit_outlines(suit):
        press.fill(at + size_mm * (outline[:, :1] * across + outline[:, 1:] * inward), colour)


def words_top_mm(layout: Layout) -> float:
    """Return below which y the middle of the felt is free for words."""
    spots = [corner for seat in layout.seat for spot in seat.spots.values() for corner in spot.corners]
    return min(y for x, y in spots if abs(x) < 330)


def _print_ornaments(press: Press, layout: Layout) -> None:
    design, words = press.design, WORDS[press.design.language]
    if "border" in design.ornaments:
        press.line(_inset(layout, 7), design.accent, 1.6, closed=False)
        press.line(_inset(layout, 11), design.accent, 0.8, closed=False)
    if "seat-arcs" in design.ornaments:
        press.line(
            _inset(layout, CARDS_INWARD_MM + CARDS_MM[1] / 2 + 5), design.ink, design.line_mm * 0.8, closed=False
        )
    if "title" in design.ornaments:
        press.text_along(words.title, _title_line(layout, 34), 37, design.accent)
    if "motto" in design.ornaments:
        press.text_along(words.motto, _title_line(layout, 70), 15, design.ink)
    if "scrolls" in design.ornaments:
        for side in (-1, 1):
            _print_scroll(press, np.array([side * 150.0, 405.0]), side)
            if _is_free(layout, side * 580.0, 140.0, 110):
                _print_scroll(press, np.array([side * 580.0, 140.0]), side)


def _title_line(layout: Layout, further_mm: float) -> Floats:
    """Return the line on which the words between dealer and spots stand, for the players to read."""
    design, top = DESIGNS[layout.name], words_top_mm(layout) - further_mm
    if design.arrangement == "straight":
        return np.array([[800.0, top], [-800.0, top]])
    turn = np.linspace(0.2, np.pi - 0.2, 200)
    return np.stack([(design.width_mm / 2 - 120) * np.cos(turn), top * np.sin(turn)], axis=1)


def _print_scroll(press: Press, at: Floats, side: int) -> None:
    turn = np.linspace(0, 4.2 * np.pi, 120)
    for flip in (-1, 1):
        spiral = np.stack([np.cos(turn) * turn * 2.1 * side, np.sin(turn) * turn * 2.1 * flip], axis=1)
        press.line(at + spiral + (0, flip * 26), press.design.accent, 1.4, closed=False)


def _print_dealer(press: Press, layout: Layout) -> None:
    """Print the boxes before the dealer, and the house's mark in the middle."""
    design, dealer = press.design, layout.dealer
    press.line(np.array(dealer.cards.corners), design.ink, design.line_mm * 0.7)
    for x in np.arange(-2, 3) * 500 / 6 if design.cards_print == "five" else ():
        press.line(np.array([[x - 41.7, 219.0], [x - 41.7, 321.0]]), design.ink, 0.8, closed=False)
    press.text(WORDS[design.language].dealer, np.array([0, 270.0]), 0, 30, design.second)
    if dealer.bonus is not None:
        press.line(np.array(dealer.bonus.corners), design.accent, design.line_mm * 0.7)
        press.text("BONUS", np.array(dealer.bonus.centre), 0, 17, design.accent)
    _print_logo(press, np.array([0.0, 425.0]))
    press.text(design.house, np.array([0.0, 362.0]), 0, 15, design.ink)


def _print_logo(press: Press, at: Floats) -> None:
    design = press.design
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    if design.logo == "spade":
        _print_suit(press, "spade", at, 48, design.accent, 0)
        press.text("4", at, 0, 46, design.ground)
    if design.logo in {"star", "sun"}:
        points, depth = (5, 0.42) if design.logo == "star" else (16, 0.66)
        spikes = np.pi * np.arange(points * 2) / points - np.pi / 2
        reach = np.where(np.arange(points * 2) % 2, depth, 1.0)[:, None] * 46
        press.fill(at + np.stack([np.cos(spikes), np.sin(spikes)], axis=1) * reach, design.accent)
        press.line(at + ring * (50 if design.logo == "star" else 22), design.ink, 2)
    if design.logo == "crown":
        crown = [(-45, -25), (45, -25), (52, 22), (25, 0), (0, 36), (-25, 0), (-52, 22)]
        press.fill(at - np.array(crown), design.accent)
        press.line(at - np.array([(-45, -32), (45, -32)]), design.accent, 5, closed=False)
    if design.logo == "monogram":
        press.line(at + ring * 46, design.accent, 3)
        press.line(at + ring * 40, design.accent, 1.2)
        press.text(design.house[0], at, 0, 64, design.accent)


def _print_odds(press: Press, layout: Layout) -> None:
    words, style = WORDS[press.design.language], press.design.odds
    if style == "centre":
        for side, (head, hands, pays) in zip((1, -1), _tables(words), strict=True):
            spot = next(
                (
                    spot
                    for spot in (
                        (w, x, y) for w in (250, 210, 175) for y in (400, 350, 440) for x in range(640, 300, -20)
                    )
                    if _is_free(layout, side * spot[1], spot[2], spot[0])
                ),
                None,
            )
            if spot is not None:
                _print_table(press, np.array([side * spot[1], spot[2]]), 0, spot[0], head, hands, pays)
    for seat in layout.seat if style == "seats" else ():
        across, inward = seat_axes(seat.angle)
        at = np.array(seat.spots["ante"].centre) + across * (-press.design.pitch_mm * 1.4 - 78) - inward * 10
        if _is_free(layout, float(at[0]), float(at[1]), 76):
            _print_table(press, at, seat.angle, 84, *_tables(words)[0])


def _tables(words: Wording) -> tuple[tuple[str, tuple[str, ...], tuple[int, ...]], ...]:
    return ((words.spots["aces_up"], words.hands, PAYS["aces_up"]), (words.bonus, words.hands[:3], PAYS["bonus"]))


def _is_free(layout: Layout, x: float, y: float, width: float) -> bool:
    shapes = [layout.dealer.cards, layout.dealer.work, layout.dealer.shoe, layout.dealer.discard, layout.dealer.bonus]
    shapes += [shape for seat in layout.seat for shape in (seat.cards, *seat.spots.values())]
    grid = [
        (x + a * width, y + b * width * 0.6) for a in np.linspace(-0.53, 0.53, 12) for b in np.linspace(-0.53, 0.53, 9)
    ]
    felt = Shape(polygon=layout.outline)
    return all(felt.contains(*point) for point in grid) and not any(
        shape.contains(*point) for shape in shapes if shape for point in grid
    )


def _print_table(
    press: Press, at: Floats, angle: float, width: float, head: str, hands: tuple[str, ...], pays: tuple[int, ...]
) -> None:
    """Print what hands pay: a headline, then a row each."""
    across, inward = seat_axes(angle)
    step = width * 0.6 / 8.6
    tall = step * (len(hands) + 1.6)
    press.line(
        [at + across * a * width / 2 + inward * b * tall / 2 for a, b in _CORNERS], press.design.ink, width / 160
    )
    top = at + inward * (tall / 2 - step * 0.9)
    press.text(head, top, angle, step * 0.86, press.design.accent)
    for row, (hand, odds) in enumerate(zip(hands, pays, strict=True), 1):
        line = top - inward * step * (row + 0.05)
        wide = _advance(hand, step * 0.74, press.design.font, press.design.weight)
        press.text(hand, line + across * (width * 0.46 - wide / 2), angle, step * 0.74, press.design.ink)
        press.text(f"{odds} : 1", line - across * width * 0.36, angle, step * 0.74, press.design.ink)


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
        _print_ring_words(press, seat, middle, radius * 0.64, WORDS[design.language].spots[name])
        _print_suit(press, SUITS[SPOTS.index(name) % 4], middle, radius * 0.22, colour, seat.angle)
    else:
        lines = WORDS[design.language].spots[name].split(" ")
        room = design.spot_mm * (0.78 if design.shapes.get(name) == "diamond" else 1)
        _print_lines(press, lines, middle, seat.angle, room, design.ground if is_filled else colour)


def _print_lines(press: Press, lines: list[str], middle: Floats, angle: float, room_mm: float, colour: str) -> None:
    """Print a spot's name, one word a line, as large as fits."""
    widest = max(_advance(line, 1, press.design.font, press.design.weight) for line in lines)
    size = min(room_mm * 0.72 / widest, room_mm * 0.3, room_mm * 0.62 / len(lines))
    for row, line in enumerate(lines):
        rise = seat_axes(angle)[1] * size * 0.98 * ((len(lines) - 1) / 2 - row)
        press.text(line, middle + rise, angle, size, colour)


def _print_ring_words(press: Press, seat: SeatLayout, middle: Floats, radius: float, words: str) -> None:
    across, inward = seat_axes(seat.angle)
    turn = np.linspace(-0.3, np.pi + 0.3, 40)[:, None]
    path = middle + radius * (across * np.cos(turn) + inward * np.sin(turn))
    size = min(11.0, radius * 3.4 / _advance(words, 1, press.design.font, press.design.weight))
    press.text_along(words, path, size, press.design.ink)


def _as_printed(press: Press, under: Picture) -> Picture:
    """Return the sheet at its size, its ink a little uneven, as presses leave it."""
    rng = np.random.default_rng(len(press.design.name) * 1009 + press.design.seats)
    height, width = press.sheet.shape[0] // SMOOTH, press.sheet.shape[1] // SMOOTH
    small, ground = (cv2.resize(sheet, (width, height), interpolation=cv2.INTER_AREA) for sheet in (press.sheet, under))
    density = cv2.resize(rng.uniform(0.84, 1.0, (height // 40, width // 40)), (width, height))
    ink = (small.astype(np.float32) - ground) * np.round(density * 12)[..., None] / 12
    return np.clip(ground + np.round(ink / INK_STEP) * INK_STEP, 0, 255).astype(np.uint8)


def write_layout(name: str, folder: Path) -> None:
    """Write a design's layout.toml and artwork.png."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "layout.toml").write_text(layout_text(make_layout(name)), encoding="utf-8")
    cv2.imwrite(str(folder / "artwork.png"), make_artwork(name), SMALL_PNG)


def layout_text(layout: Layout) -> str:
    """Return a layout as its file has it."""
    lines = ["# Drawn by vision/simulate/art/felts.py; millimetres, see vision/calibrate/layout.py."]
    lines += [f'name = "{layout.name}"', f"size_mm = {layout.size_mm}", f"outline = {layout.outline}"]
    lines += [f'artwork = "{layout.artwork}"', f"mm_per_px = {layout.mm_per_px}", "", "[dealer]"]
    zones = {zone: getattr(layout.dealer, zone) for zone in DealerLayout.model_fields}
    lines += [f"{zone} = {_inline(shape)}" for zone, shape in zones.items() if shape is not None]
    for seat in layout.seat:
        lines += ["", "[[seat]]", f"number = {seat.number}", f"angle = {seat.angle}", f"cards = {_inline(seat.cards)}"]
        lines += [f"spots.{name} = {_inline(shape)}" for name, shape in seat.spots.items()]
    return "\n".join(lines) + "\n"


def _inline(shape: Shape) -> str:
    return f"{{ circle = {shape.circle} }}" if shape.circle else f"{{ polygon = {shape.polygon} }}"
