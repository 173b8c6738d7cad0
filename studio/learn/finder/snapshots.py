"""Tiles cut from real photographs: cards whose quads are beyond doubt are taught, of all else nothing is said."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from studio.learn.faces.photos import photo_cards, read_labels, training_files
from studio.learn.finder.things import Move, Thing, card_thing
from studio.learn.finder.tiles import SIDE, UNJUDGED, Tile
from vision.detect import maps
from vision.detect.detection import KINDS
from vision.values.geometry import Floats
from vision.values.picture import Picture

WIDTHS = (26.0, 125.0)  # of a card in a tile, px


def snapshots(photos: Path, known: Path, rng: np.random.Generator) -> Iterator[Tile]:
    """Yield tiles without end; which cards are clear is looked up in the file `known`, which is made if need be."""
    cards_of = clear_cards(photos, known)
    files = sorted(cards_of)
    while True:
        file = files[int(rng.integers(len(files)))]
        picture = np.asarray(cv2.imread(str(photos / file), cv2.IMREAD_COLOR), np.uint8)
        yield snapshot(picture, cards_of[file], rng)


def clear_cards(photos: Path, known: Path) -> dict[str, list[Floats]]:
    """Return the quads that are clear in the photographs that may be learned from, by file."""
    if not known.exists():
        allowed = training_files(photos)
        entries = [entry for entry in read_labels(photos) if entry["file"] in allowed]
        quads = {entry["file"]: [card.quad.tolist() for card in photo_cards(photos, entry)] for entry in entries}
        known.write_text(json.dumps(quads), encoding="utf-8")
    found = json.loads(known.read_text(encoding="utf-8"))
    return {file: [np.array(quad) for quad in quads] for file, quads in found.items() if quads}


def snapshot(picture: Picture, quads: Sequence[Floats], rng: np.random.Generator) -> Tile:
    """Cut one tile around a card, nearer or farther."""
    things = [card_thing(0, quad, 1.0) for quad in quads]
    move = _move(things[int(rng.integers(len(things)))], rng)
    scale = float(np.sqrt(abs(np.linalg.det(move[:, :2]))))
    soft = cv2.GaussianBlur(picture, (0, 0), 0.4 / scale) if scale < 0.8 else picture
    tile = cv2.warpAffine(soft, move, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    unknown = np.full((SIDE // maps.STEP, SIDE // maps.STEP), UNJUDGED, np.uint8)
    return Tile(np.asarray(tile, np.uint8), [thing.moved(move) for thing in things], unknown, tuple(range(len(KINDS))))


def _move(thing: Thing, rng: np.random.Generator) -> Move:
    width = float(np.exp(rng.uniform(*np.log(WIDTHS))))
    scale = width / (2 * thing.size)
    angle = float(rng.uniform(0, 2 * np.pi))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
    return np.c_[turn, rng.uniform(0.3, 0.7, 2) * SIDE - turn @ thing.middle]
