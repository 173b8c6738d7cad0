"""Patterns of card backs: functions of places in mm from the card's middle that say how much ink there is."""

from collections.abc import Callable

import numpy as np

from studio.art.pips import PX_PER_MM
from vision.values.geometry import Floats

Pattern = Callable[[Floats, Floats], Floats]


def ink(distance_mm: Floats) -> Floats:
    """Return full ink inside a shape (negative distance), none outside, and a soft step of a tenth of a mm."""
    return np.clip(0.5 - distance_mm * PX_PER_MM, 0, 1)


def cell(x: Floats, pitch: float) -> Floats:
    """Return the place within cells of a pitch, from their middle; one cell is centred on 0."""
    return np.mod(x + pitch / 2, pitch) - pitch / 2


def lattice(x: Floats, y: Floats) -> Floats:
    """Print small diamonds between crossing lines, as on the backs that casinos deal to the edge."""
    a, b = cell(x + y * 0.62, 3.6), cell(x - y * 0.62, 3.6)
    lines = ink(1.48 - np.maximum(np.abs(a), np.abs(b)))
    gems = ink(np.maximum(np.abs(a), np.abs(b)) - 0.6)
    return np.maximum(lines, gems)


def argyle(x: Floats, y: Floats) -> Floats:
    """Print large diamonds with a dot in each and a fine line around."""
    reach = np.abs(cell(x, 9.0)) / 4.5 + np.abs(cell(y, 13.0)) / 6.5
    rings = ink((np.abs(reach - 1) - 0.06) * 3) + ink((np.abs(reach - 0.62) - 0.05) * 3)
    return np.clip(rings + ink((reach - 0.24) * 3), 0, 1)


def rings(x: Floats, y: Floats) -> Floats:
    """Print circles that overlap like links."""
    out = np.zeros(np.broadcast(x, y).shape)
    for shift in (0.0, 2.75):
        radius = np.hypot(cell(x + shift, 5.5), cell(y + shift, 5.5))
        out = np.maximum(out, ink(np.abs(radius - 2.35) - 0.28) + ink(radius - 0.7))
    return np.clip(out, 0, 1)


def scales(x: Floats, y: Floats) -> Floats:
    """Print fish scales; they turn over at the middle."""
    down = np.abs(y)
    row = np.floor(down / 2.4)
    radius = np.hypot(cell(x + 2.4 * np.mod(row, 2), 4.8), np.mod(down, 2.4))
    return ink(np.abs(radius - 2.2) - 0.25) + ink(np.abs(radius - 1.3) - 0.2)


def guilloche(x: Floats, y: Floats) -> Floats:
    """Print the woven waves of banknotes."""
    waves = [np.abs(cell(y + 2.6 * np.sin(x / 3.2 + y / 11 + k), 4.2)) - 0.2 for k in (0.0, 2.1, 4.2)]
    return ink(np.minimum(np.minimum(waves[0], waves[1]), waves[2]))


def herringbone(x: Floats, y: Floats) -> Floats:
    """Print slanting bars whose slant changes from column to column."""
    side = np.where(np.mod(np.floor(x / 4 + 0.5), 2) > 0, 1, -1)
    return ink(np.abs(cell(y + side * cell(x, 4.0), 2.6)) - 0.75)


def rays(x: Floats, y: Floats) -> Floats:
    """Print rays from the middle, cut by rings."""
    radius, turn = np.hypot(x, y), np.arctan2(y, x)
    beams = ink((np.abs(cell(turn, np.pi / 24)) - np.pi / 100) * radius)
    return np.clip(beams - ink(np.abs(cell(radius, 9.0)) - 0.5), 0, 1)


def dots(x: Floats, y: Floats) -> Floats:
    """Print a fine raster of dots."""
    a, b = cell(x + y, 2.6), cell(x - y, 2.6)
    return ink(np.hypot(a, b) - 0.75)


def plain(x: Floats, y: Floats) -> Floats:
    """Print nothing."""
    return np.zeros(np.broadcast(x, y).shape)


def basket(x: Floats, y: Floats) -> Floats:
    """Print a woven basket of three-line strands."""
    is_across = np.mod(np.floor(x / 3.9 + 0.5) + np.floor(y / 3.9 + 0.5), 2) > 0
    along = np.where(is_across, cell(y, 1.3), cell(x, 1.3))
    return ink(np.abs(along) - 0.3)


def flowers(x: Floats, y: Floats) -> Floats:
    """Print rows of flowers with eight petals."""
    out = np.zeros(np.broadcast(x, y).shape)
    for shift in (0.0, 4.5):
        a, b = cell(x + shift, 9.0), cell(y + shift, 9.0)
        radius, turn = np.hypot(a, b), np.arctan2(b, a)
        petal = 2.0 + 1.3 * np.cos(8 * turn)
        out = np.maximum(out, ink(np.abs(radius - petal) - 0.22) + ink(radius - 0.6))
    return np.clip(out, 0, 1)


def tartan(x: Floats, y: Floats) -> Floats:
    """Print bands that cross, thin beside broad."""
    bands = [ink(np.abs(cell(at, 11.0)) - 1.6) * 0.55 + ink(np.abs(cell(at + 4.5, 11.0)) - 0.35) for at in (x, y)]
    return np.clip(bands[0] + bands[1], 0, 1)


def waves(x: Floats, y: Floats) -> Floats:
    """Print waves that thicken and thin."""
    return ink(np.abs(cell(y + 1.6 * np.sin(x / 2.4), 3.6)) - 0.55 - 0.3 * np.sin(x / 4.8))


def hexes(x: Floats, y: Floats) -> Floats:
    """Print a honeycomb with a seed in each cell."""
    out = np.full(np.broadcast(x, y).shape, 9.0)
    for shift in (0.0, 2.6):
        a, b = np.abs(cell(x + shift, 5.2)), np.abs(cell(y + shift * 1.732, 9.0))
        out = np.minimum(out, np.maximum(a, a * 0.5 + b * 0.866))
    return np.clip(ink(np.abs(out - 2.35) - 0.22) + ink(out - 0.6), 0, 1)


def bricks(x: Floats, y: Floats) -> Floats:
    """Print the joints of a wall."""
    row = np.floor(y / 3.0 + 0.5)
    across = cell(x + 3.5 * np.mod(row, 2), 7.0)
    return np.maximum(ink(np.abs(np.abs(cell(y, 3.0)) - 1.5) - 0.18), ink(np.abs(np.abs(across) - 3.5) - 0.18))


def stars(x: Floats, y: Floats) -> Floats:
    """Print five-pointed stars in rows."""
    out = np.zeros(np.broadcast(x, y).shape)
    for shift in (0.0, 4.0):
        a, b = cell(x + shift, 8.0), cell(y + shift, 8.0)
        radius, turn = np.hypot(a, b), np.arctan2(b, a)
        out = np.maximum(out, ink(radius - 1.5 - 0.9 * np.cos(5 * turn)))
    return out


def zigzag(x: Floats, y: Floats) -> Floats:
    """Print zigzag lines from edge to edge."""
    return ink(np.abs(cell(y + np.abs(cell(x, 6.0)) * 1.1, 4.4)) - 0.7)
