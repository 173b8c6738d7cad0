"""Crops for the corner refiner: tiles enter; cards cut out a little off their place, and what is no card, leave."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from studio.learn.finder.targets import FROM_VISIBLE, TRACE
from studio.learn.finder.things import CARDS, Thing, things_of
from studio.learn.finder.tiles import SIDE as TILE
from studio.learn.finder.tiles import Tile
from studio.learn.pictures import Still
from vision.detect.corner_refiner import UNIT_PX, cut, place, to_crop
from vision.detect.overlap import iou_matrix
from vision.values.geometry import Floats
from vision.values.picture import Picture

NONE, LEFT_OUT = 0, -1
IS_CARD, IS_NONE = 0.5, 0.3  # overlap with a true card from which on, and up to which, the answer is clear
PER_STILL = 24  # crops of one still: decoding it costs more than cutting
PER_TILE = 6  # cards of one tile; and half as many places that are none


@dataclass(frozen=True, slots=True)
class Crop:
    """A crop, which side shows (0 none, 1 up, 2 down), and how far its corners are from `place`, in steps."""

    picture: Picture
    side: int
    moves: Floats


def quad_of(thing: Thing) -> Floats:
    """Return a card's corners, clockwise, the first two along a short side."""
    long, short = thing.spans
    if long[0] * short[1] - long[1] * short[0] < 0:
        short = -short
    return np.array([thing.middle + s * long + t * short for s, t in ((1, -1), (1, 1), (-1, 1), (-1, -1))])


def crops(tile: Tile, rng: np.random.Generator) -> Iterator[Crop]:
    """Yield crops of a tile; where it is silent about cards, only those that are known."""
    cards = [thing for thing in tile.things if thing.kind in CARDS and thing.visible >= TRACE and _is_in(thing)]
    quads = np.array([quad_of(card) for card in cards]).reshape(-1, 4, 2)
    clear = [i for i, card in enumerate(cards) if card.visible >= FROM_VISIBLE]
    for i in rng.permutation(clear)[:PER_TILE]:
        yield from _crop(tile.picture, shaken(quads[int(i)], rng), cards, quads)
    if not set(CARDS) <= set(tile.silent):
        for _ in range(PER_TILE // 2):
            yield from _crop(tile.picture, _anywhere(tile, quads, rng), cards, quads)


def shaken(quad: Floats, rng: np.random.Generator, by: float = 1.0) -> Floats:
    """Return a quad as a finder might: moved, turned, larger or smaller, skewed; upside down half of the time."""
    rough = by * (0.3 if rng.random() < 0.2 else 1.0)
    size = float(np.linalg.norm(quad[1] - quad[0]))
    middle = quad.mean(axis=0)
    matrix = np.eye(2) + rng.normal(0, 0.09 * rough, (2, 2))
    moved = (quad - middle) @ matrix.T + middle + rng.normal(0, 0.09 * rough, 2) * size
    return np.roll(moved, 2, axis=0) if rng.random() < 0.5 else moved


def _anywhere(tile: Tile, quads: Floats, rng: np.random.Generator) -> Floats:
    """Return a quad somewhere: near another thing, beside a card, or on the felt."""
    width = float(np.exp(rng.uniform(np.log(22), np.log(110))))
    angle = float(rng.uniform(0, np.pi))
    right = np.array([np.cos(angle), np.sin(angle)]) * width / 2
    down = np.array([-np.sin(angle), np.cos(angle)]) * width * 0.7
    around = [thing.middle for thing in tile.things if (thing.middle > 0).all() and (thing.middle < TILE).all()]
    middle = rng.uniform(0, TILE, 2)
    if around and rng.random() < 0.6:
        middle = around[int(rng.integers(len(around)))] + rng.normal(0, 0.35 * width, 2)
    if len(quads) and rng.random() < 0.3:
        return quads[int(rng.integers(len(quads)))] + rng.normal(0, 0.6 * width, 2)
    return np.array([middle + s * right + t * down for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def still_crops(still: Still, rough: Floats, rng: np.random.Generator) -> Iterator[Crop]:
    """Yield crops of a still: cards as a finder roughly found them, and what it took for cards."""
    picture, things = still.picture(), things_of(still)
    cards = [thing for thing in things if thing.kind in CARDS and thing.visible >= TRACE]
    quads = np.array([quad_of(card) for card in cards]).reshape(-1, 4, 2)
    clear = [quads[i] for i, card in enumerate(cards) if card.visible >= FROM_VISIBLE]
    packs = [thing for thing in things if thing.is_pack]
    asked = [*rough, *(shaken(quad, rng) for quad in clear)]
    for i in rng.permutation(len(asked))[:PER_STILL]:
        quad = shaken(asked[i], rng, by=0.3) if i < len(rough) else asked[i]
        if not any((np.abs(quad.mean(axis=0) - pack.middle) <= pack.spans.sum(axis=0)).all() for pack in packs):
            yield from _crop(picture, quad, cards, quads)


def _crop(picture: Picture, quad: Floats, cards: list[Thing], quads: Floats) -> Iterator[Crop]:
    """Yield the crop of a quad, unless it is not clear what the answer is."""
    overlap = iou_matrix([quad], quads)[0] if len(quads) else np.zeros(1)
    best = int(overlap.argmax())
    if overlap[best] <= IS_NONE:
        yield Crop(cut(picture, quad), NONE, np.zeros((4, 2)))
    elif overlap[best] >= IS_CARD and cards[best].visible >= FROM_VISIBLE:
        moves = _moves(quad, quads[best])
        yield Crop(cut(picture, quad), 1 + cards[best].kind, moves)


def _moves(quad: Floats, true: Floats) -> Floats:
    """Return where the true corners lie in the crop, from where the quad's lie; the card is the same upside down."""
    matrix = to_crop(quad)
    options = [turned @ matrix[:, :2].T + matrix[:, 2] - place() for turned in (true, np.roll(true, 2, axis=0))]
    return min(options, key=lambda moves: float(np.abs(moves).sum())) / UNIT_PX


def _is_in(thing: Thing) -> bool:
    return bool((thing.middle > 0).all() and (thing.middle < TILE).all())
