"""Square tiles cut from stills: turned, scaled, mirrored, recoloured. Stills and chance enter, tiles leave."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.detect import maps
from vision.detect.detection import Picture
from vision.learn.finder.targets import TRACE
from vision.learn.finder.things import CARDS, STACK, Move, Thing, things_of
from vision.learn.pictures import Still

SIDE = 320
PER_STILL = 8  # tiles from one picture: decoding it costs more than cutting
SCALES = (0.5, 1.9)
LEAST_PX = 14  # of a hand in a tile: less is not asked for
SHUFFLED = 240  # tiles that wait while others are drawn, so that a batch is not of one look
UNJUDGED = 255  # in a map of what shows: nobody knows


@dataclass(frozen=True, slots=True)
class Tile:
    """A square picture with its truth: things, which kind shows where, and the kinds of which nothing is said."""

    picture: Picture
    things: list[Thing]
    shown: Picture
    silent: tuple[int, ...] = ()


def tiles(stills: Sequence[Still], rng: np.random.Generator) -> Iterator[Tile]:
    """Yield tiles without end."""
    waiting: list[Tile] = []
    while True:
        still = stills[int(rng.integers(len(stills)))]
        waiting += _cuts(still, rng)
        while len(waiting) > SHUFFLED:
            yield waiting.pop(int(rng.integers(len(waiting))))


def _cuts(still: Still, rng: np.random.Generator) -> Iterator[Tile]:
    picture, kinds, things = still.picture(), still.kinds(), things_of(still)
    for _ in range(PER_STILL):
        yield cut(picture, kinds, things, random_move(picture, things, rng))


def random_move(picture: Picture, things: Sequence[Thing], rng: np.random.Generator) -> Move:
    """Choose what a tile shows: mostly a place where something lies."""
    height, width = picture.shape[:2]
    scale = float(np.exp(rng.uniform(*np.log(SCALES)))) * 1080 / height
    angle = np.radians(90 * int(rng.integers(4)) + rng.normal(0, 6))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn @ np.diag([float(rng.choice([-1, 1])), 1.0]) * scale
    if things and rng.random() < 0.9:
        aim = things[int(rng.integers(len(things)))].middle
    else:
        aim = rng.uniform(0, 1, 2) * [width, height]
    place = rng.uniform(0.15, 0.85, 2) * SIDE
    return np.c_[turn, place - turn @ aim]


def cut(picture: Picture, kinds: Picture, things: Sequence[Thing], move: Move) -> Tile:
    """Cut one tile with all that it shows."""
    small = np.sqrt(abs(np.linalg.det(move[:, :2]))) < 0.8
    flags = cv2.INTER_AREA if small else cv2.INTER_LINEAR
    source = cv2.GaussianBlur(picture, (0, 0), 0.5) if small else picture
    tile = cv2.warpAffine(source, move, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_CONSTANT)
    middle = np.full(2, (maps.STEP - 1) / 2)  # of a cell: where the map was sampled
    coarse = np.c_[move[:, :2], (move[:, :2] @ middle + move[:, 2] - middle) / maps.STEP]
    shown = cv2.warpAffine(kinds, coarse, (SIDE // maps.STEP, SIDE // maps.STEP), flags=cv2.INTER_NEAREST)
    moved = [within(thing.moved(move), SIDE) for thing in things]
    return Tile(np.asarray(tile, np.uint8), moved, np.asarray(shown, np.uint8))


def within(thing: Thing, side: int) -> Thing:
    """Return a hand, or another thing, as the box of what the tile shows of it; cards and stacks stay whole."""
    if thing.kind in (*CARDS, STACK):
        return thing
    half = thing.spans.sum(axis=0)
    low, high = np.clip(thing.middle - half, 0, side), np.clip(thing.middle + half, 0, side)
    if (high - low).min() < LEAST_PX:
        return replace(thing, visible=min(thing.visible, TRACE))
    return replace(thing, middle=(low + high) / 2, spans=np.diag((high - low) / 2))
