"""The lines a felt is laid out and printed along: a design or a path enters; points in table millimetres leave."""

import numpy as np

from studio.art.felt_form import FeltDesign
from vision.table.layout import Layout, Shape
from vision.values.geometry import Floats

CARDS_INWARD_MM = 76.0  # from the rail to the middle of a player's cards (chosen)
SUITS = ("spade", "heart", "club", "diamond")


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
    length = lengths_along(whole)[-1]
    return points_along(whole, np.linspace(0, length, int(length / 5)))


def lengths_along(path: Floats) -> Floats:
    """Return how far along a path each of its points is."""
    return np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])


def points_along(path: Floats, steps: Floats | float) -> Floats:
    """Return the points that are so far along a path."""
    along = lengths_along(path)
    return np.stack([np.interp(steps, along, path[:, axis]) for axis in (0, 1)], axis=-1)


def moved_out(line: Floats, away_mm: float) -> Floats:
    """Return a line moved to its left, which is outwards for the rail; below zero, inwards."""
    way = np.gradient(line, axis=0)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    moved: Floats = line + np.stack([-way[:, 1], way[:, 0]], axis=1) * away_mm
    return moved


def seat_axes(angle: float) -> tuple[Floats, Floats]:
    """Return the directions across (to the dealer's right at angle 0) and inward of a seat."""
    turn = np.radians(angle)
    return np.array([np.cos(turn), np.sin(turn)]), np.array([np.sin(turn), -np.cos(turn)])


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


def words_top_mm(layout: Layout) -> float:
    """Return below which y the middle of the felt is free for words."""
    spots = [corner for seat in layout.seat for spot in seat.spots.values() for corner in spot.corners]
    return min(y for x, y in spots if abs(x) < 330)


def is_free(layout: Layout, x: float, y: float, width: float) -> bool:
    """Return whether a block of words of this width would lie on felt that no place needs."""
    shapes = [layout.dealer.cards, layout.dealer.work, layout.dealer.shoe, layout.dealer.discard, layout.dealer.bonus]
    shapes += [shape for seat in layout.seat for shape in (seat.cards, *seat.spots.values())]
    grid = [
        (x + a * width, y + b * width * 0.6) for a in np.linspace(-0.53, 0.53, 12) for b in np.linspace(-0.53, 0.53, 9)
    ]
    felt = Shape(polygon=layout.outline)
    return all(felt.contains(*point) for point in grid) and not any(
        shape.contains(*point) for shape in shapes if shape for point in grid
    )
