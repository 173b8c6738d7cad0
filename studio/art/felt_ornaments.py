"""What is printed on a felt for show: pattern, border, titles, scrolls and the house's mark, laid on the press."""

from collections.abc import Iterator

import numpy as np

from studio.art.felt_designs import DESIGNS, words_of
from studio.art.felt_form import FeltDesign
from studio.art.felt_lines import (
    CARDS_INWARD_MM,
    SUITS,
    is_free,
    moved_out,
    rail_line,
    seat_axes,
    suit_outlines,
    words_top_mm,
)
from studio.art.felt_press import Press
from studio.art.paint import bgr
from vision.table.layout import Layout
from vision.table.sketch import CARDS_MM
from vision.values.geometry import Floats


def print_pattern(press: Press, layout: Layout) -> None:
    """Print what lies under everything, in the second colour."""
    design = press.design
    half, height = design.width_mm / 2, design.height_mm
    if design.pattern == "suits":
        for row, y in enumerate(np.arange(30, height, 62)):
            for column, x in enumerate(np.arange(-half + 20 + 40 * (row % 2), half, 80)):
                print_suit(press, SUITS[(row + column) % 4], np.array([x, y]), 13, design.second, 0)
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
    _print_marks(press)


def _print_marks(press: Press) -> None:
    """Print patterns of lines or specks."""
    design = press.design
    for path in _repeated_lines(design):
        press.line(path, design.second, 1.8, closed=False)
    if design.pattern == "confetti":
        half, height = design.width_mm / 2, design.height_mm
        for x, y, size in np.random.default_rng(9).uniform((-half, 0, 2), (half, height, 6), (900, 3)):
            press.fill(_ring(6) * size + (x, y), design.second)


def _ring(points: int) -> Floats:
    turn = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return np.stack([np.cos(turn), np.sin(turn)], axis=1)


def _repeated_lines(design: FeltDesign) -> Iterator[Floats]:
    """Yield the lines of patterns that are made of lines alone."""
    half, height = design.width_mm / 2, design.height_mm
    x = np.arange(-half, half + 1, 10.0)
    if design.pattern == "waves":
        for y in np.arange(0, height, 26):
            yield np.stack([x, y + 9 * np.sin(x / 60 + y / 40)], axis=1)
    if design.pattern == "chevrons":
        for y in np.arange(-60, height, 34):
            yield np.stack([x, y + np.abs((x + 10_000) % 120 - 60) * 0.7], axis=1)
    if design.pattern == "pinstripe":
        for at in np.arange(-half, half, 30):
            yield np.array([[at, 0.0], [at, height]])
    if design.pattern == "hexes":
        for row, y in enumerate(np.arange(0, height, 45)):
            for at in np.arange(-half + 26 * (row % 2), half, 52):
                yield _ring(6)[[0, 1, 2, 3, 4, 5, 0]][:, ::-1] * 29 + (at, y)


def _darken_edges(press: Press) -> None:
    height, width = press.sheet.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(1, 0, height, dtype=np.float32))
    share = np.clip((np.hypot(x, y * 0.9) - 0.35) / 0.6, 0, 1)[..., None]
    mixed = np.array(bgr(press.design.ground)) * (1 - share) + np.array(bgr(press.design.second)) * share
    press.sheet[:] = np.round(mixed)


def print_suit(press: Press, suit: str, at: Floats, size_mm: float, colour: str, angle: float) -> None:
    """Print a suit, upright for who sits at that angle."""
    across, inward = seat_axes(angle)
    for outline in suit_outlines(suit):
        press.fill(at + size_mm * (outline[:, :1] * across + outline[:, 1:] * inward), colour)


def print_ornaments(press: Press, layout: Layout) -> None:
    """Print borders, titles and scrolls, as the design asks."""
    design, words = press.design, words_of(press.design)
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
            if is_free(layout, side * 580.0, 140.0, 110):
                _print_scroll(press, np.array([side * 580.0, 140.0]), side)


def _inset(layout: Layout, inward_mm: float) -> Floats:
    """Return the rail's line moved inward."""
    return moved_out(rail_line(DESIGNS[layout.name]), -inward_mm)


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


def print_logo(press: Press, at: Floats) -> None:
    """Print the house's mark."""
    design = press.design
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    if design.logo == "spade":
        print_suit(press, "spade", at, 48, design.accent, 0)
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
    if design.logo == "dice":
        for side in (-1, 1):
            box = at + np.array([side * 27.0, side * 8.0])
            press.fill(box + np.array([(-24, -24), (24, -24), (24, 24), (-24, 24)]), design.accent)
            for dot in ((-12, -12), (12, 12), (0, 0)) if side < 0 else ((-12, 12), (12, -12), (-12, -12), (12, 12)):
                press.fill(box + np.array(dot) + ring * 4.5, design.ground)
    if design.logo == "diamonds":
        for across in (-36, 0, 36):
            rhomb = np.array([(0, -30), (17, 0), (0, 30), (-17, 0)])
            press.fill(at + np.array([across, 0]) + rhomb, design.accent if across else design.ink)
    if design.logo == "monogram":
        press.line(at + ring * 46, design.accent, 3)
        press.line(at + ring * 40, design.accent, 1.2)
        press.text(design.house[0], at, 0, 64, design.accent)
