"""What the finder's maps should say: things of a tile enter, the maps to learn leave."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.learn.finder.things import CARDS, STACK, Thing
from vision.detect import maps
from vision.detect.detection import KINDS

HAND = KINDS.index("hand")  # taught by where it shows: an arm's middle is a matter of where the picture ends
FROM_VISIBLE = 0.25  # what shows less need not be found
TRACE = 0.06  # what shows less than this is not there
NEAR = 0.5  # cells as hot as this describe the thing
SPREAD = 0.22  # of the heat, as a share of half a thing's smaller side
EVEN_CELLS = 8  # cells near the middle of a usual thing
Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Targets:
    """Maps to learn: the heat, where heat is not judged, the descriptions, and which of them hold where."""

    heat: Floats32
    judged: Floats32
    shape: Floats32
    holds: Floats32


def targets_of(things: Sequence[Thing], side: int, silent: Sequence[int] = ()) -> Targets:
    """Draw the targets of a square tile; of `silent` kinds only what is there is known, not what is not."""
    cells = side // maps.STEP
    heat = np.zeros((maps.HEATS, cells, cells), np.float32)
    judged = np.ones_like(heat)
    judged[[*silent, HAND]] = 0
    shape = np.zeros((maps.SHOWN.start, cells, cells), np.float32)
    holds = np.zeros_like(shape)
    hottest = np.full((cells, cells), NEAR, np.float32)
    for thing in things:
        spot = _heat(thing, cells)
        if spot is None or thing.visible < TRACE or thing.kind == HAND:
            continue
        if thing.visible < FROM_VISIBLE:
            judged[thing.kind][spot > 0.1] = 0
            continue
        if thing.is_pack:
            judged[list(CARDS), *_box(thing, cells)] = 0
        np.maximum(heat[thing.kind], spot, out=heat[thing.kind])
        near = spot >= hottest
        hottest[near] = spot[near]
        _describe(thing, near, shape, holds)
    return Targets(heat, np.maximum(judged, heat >= 1), shape, holds)


def _heat(thing: Thing, cells: int) -> Floats32 | None:
    """Return how near each cell is to a thing's middle, 1 at the cell of the middle; None if that is outside."""
    column, row = np.floor((thing.middle + 0.5) / maps.STEP).astype(int)
    if not (0 <= column < cells and 0 <= row < cells):
        return None
    sigma = max(thing.size * SPREAD / maps.STEP, 0.7)
    places = np.arange(cells, dtype=np.float32)
    across = np.exp(-((places - column) ** 2) / (2 * sigma**2))
    down = np.exp(-((places - row) ** 2) / (2 * sigma**2))
    return np.asarray(np.outer(down, across), np.float32)


def _box(thing: Thing, cells: int) -> tuple[slice, slice]:
    """Return the rows and columns that an upright box covers."""
    half = thing.spans.sum(axis=0)
    low, high = (np.clip((thing.middle + s * half) / maps.STEP, 0, cells).astype(int) for s in (-1, 1))
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def _describe(thing: Thing, near: NDArray[np.bool_], shape: Floats32, holds: Floats32) -> None:
    """Write what the cells near a middle should say of the thing."""
    rows, columns = np.nonzero(near)
    if not len(rows):  # a better known thing lies over all of them
        return
    holds[:, rows, columns] = 0
    centres = (np.stack([columns, rows]) + 0.5) * maps.STEP - 0.5
    shape[maps.OFFSET, rows, columns] = (thing.middle[:, None] - centres) / maps.UNIT
    weight = EVEN_CELLS / len(rows)  # a thing counts the same however many cells it has
    holds[maps.OFFSET, rows, columns] = weight
    for channels, values in _description(thing) if thing.exact else []:
        shape[channels, rows, columns] = values
        holds[channels, rows, columns] = weight


def _description(thing: Thing) -> list[tuple[slice | int, Floats32 | float]]:
    if thing.kind in CARDS:
        return [(maps.LONG, doubled(thing.spans[0])), (maps.SHORT, doubled(thing.spans[1]))]
    if thing.kind == STACK:
        base, top = (np.asarray(span[:, None] / maps.UNIT, np.float32) for span in thing.spans)
        return [
            (maps.BASE, base),
            (maps.TOP, top),
            (maps.RADIUS, float(np.log(thing.radius / maps.UNIT))),
            (maps.FLATNESS, thing.flatness),
        ]
    half = np.log(np.maximum(thing.spans.sum(axis=0), 1.0) / maps.UNIT)
    return [(maps.HALF, np.asarray(half[:, None], np.float32))]


def doubled(vector: NDArray[np.float64]) -> Floats32:
    """Return a vector with its angle doubled and its length kept, in units, as a column."""
    length, angle = float(np.hypot(*vector)), float(np.arctan2(vector[1], vector[0]))
    return np.array([[np.cos(2 * angle)], [np.sin(2 * angle)]], np.float32) * (length / maps.UNIT)
