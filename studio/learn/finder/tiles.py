"""Square tiles cut from stills: turned, scaled, mirrored, recoloured. Stills and chance enter, tiles leave."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from studio.learn.finder.lessons import Lesson, lesson_of
from studio.learn.finder.targets import TRACE
from studio.learn.finder.things import CARDS, STACK, Move, Thing, things_of
from studio.learn.pictures import Still
from vision.detect import maps
from vision.values.geometry import Floats
from vision.values.picture import Picture

SIDE = 320
PER_STILL = 8  # tiles from one picture: decoding it costs more than cutting
SCALES = (0.5, 1.9)
LEAST_PX = 14  # of a hand in a tile: less is not asked for
AIMED = 0.85  # share of tiles that aim at something; the rest show any place
HARD = 0.5  # share of stills with errors, and in them of tiles that show one
SHUFFLED = 240  # tiles that wait while others are drawn, so that a batch is not of one look
UNJUDGED = 255  # in a map of what shows: nobody knows


@dataclass(frozen=True, slots=True)
class Tile:
    """A square picture with its truth: things, which kind shows where, and the kinds of which nothing is said."""

    picture: Picture
    things: list[Thing]
    shown: Picture
    silent: tuple[int, ...] = ()


def tiles(stills: Sequence[Still], lessons: dict[str, Lesson], rng: np.random.Generator) -> Iterator[Tile]:
    """Yield tiles without end; where there are lessons, half of them from stills with errors."""
    waiting: list[Tile] = []
    hard = [still for still in stills if len(lesson_of(still, lessons).errors)]
    while True:
        among = hard if hard and rng.random() < HARD else stills
        still = among[int(rng.integers(len(among)))]
        waiting += _cuts(still, lesson_of(still, lessons), rng)
        while len(waiting) > SHUFFLED:
            yield waiting.pop(int(rng.integers(len(waiting))))


def _cuts(still: Still, lesson: Lesson, rng: np.random.Generator) -> Iterator[Tile]:
    picture, kinds, things = still.picture(), still.kinds(), things_of(still)
    middles = [thing.middle for thing in things]
    for _ in range(PER_STILL):
        aims = lesson.errors if len(lesson.errors) and rng.random() < HARD else middles
        yield cut(picture, kinds, things, random_move(picture, aims, rng))


def random_move(picture: Picture, aims: Sequence[Floats] | Floats, rng: np.random.Generator) -> Move:
    """Choose what a tile shows: mostly one of the places to aim at."""
    height, width = picture.shape[:2]
    scale = float(np.exp(rng.uniform(*np.log(SCALES)))) * 1080 / height
    angle = np.radians(90 * int(rng.integers(4)) + rng.normal(0, 6))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn @ np.diag([float(rng.choice([-1, 1])), 1.0]) * scale
    if len(aims) and rng.random() < AIMED:
        aim = aims[int(rng.integers(len(aims)))]
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
