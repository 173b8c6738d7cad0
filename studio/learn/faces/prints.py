"""The print shop of training: face designs enter, all their cards at one size, papers and index places leave.

Only designs of the training split are printed; the reserved ones are never seen here.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.backs import BACK_DESIGNS, back
from studio.art.faces import FACE_DESIGNS, face
from studio.art.foreign import foreign_back, foreign_backs, foreign_decks, foreign_face, foreign_of_split
from studio.film.look import of_split
from vision.values.cards import DECK, Card
from vision.values.picture import Picture
from vision.values.sizes import CARD_WIDTH_MM

PRINT_PX: Final = (204, 286)  # width and height of a printed face
PX_PER_MM: Final = PRINT_PX[0] / CARD_WIDTH_MM
INK: Final = 45  # grey levels from the paper
CORNER_SHARE: Final = (0.30, 0.45)  # of width and height: where an index may stand
CLEAR_RANKS: Final = "A23"  # their pips leave the corners free
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Prints:
    """Every face of every design, with its paper and the box of its index in the upper left corner, in pixels."""

    names: tuple[str, ...]
    faces: NDArray[np.uint8]  # design, card, row, column, BGR
    papers: NDArray[np.uint8]
    boxes: NDArray[np.int32]  # design, (left, top, right, bottom)
    corners: NDArray[np.int32]  # design: 2 or 4
    backs: NDArray[np.uint8]

    def save(self, path: Path) -> None:
        """Write it all to one file."""
        arrays: dict[str, Any] = {name: np.asarray(getattr(self, name)) for name in ("names", *_FIELDS)}
        np.savez(path, **arrays)

    @classmethod
    def load(cls, path: Path) -> "Prints":
        """Read what `save` wrote."""
        with np.load(path) as record:
            return cls(tuple(str(name) for name in record["names"]), *(record[name] for name in _FIELDS))


_FIELDS: Final = ("faces", "papers", "boxes", "corners", "backs")


def training_designs(art: Path | None) -> tuple[str, ...]:
    """Return the designs that may be trained on; fetched decks are written `/name`."""
    fetched = foreign_of_split(foreign_decks(art), "train") if art else ()
    return of_split(FACE_DESIGNS, "train") + tuple(f"/{name}" for name in fetched)


def large_face(design: str, card: Card, art: Path | None) -> Picture:
    """Return a face at 10 px per mm."""
    return foreign_face(art, design[1:], card) if art and design.startswith("/") else face(design, card)


def print_all(art: Path | None) -> Prints:
    """Print every training design."""
    names = training_designs(art)
    decks, papers, boxes, corners = [], [], [], []
    for name in names:
        deck = np.stack([_small(large_face(name, card, art)) for card in DECK])
        paper = paper_of(deck)
        decks.append(deck)
        papers.append(paper)
        boxes.append(index_box(deck, paper))
        corners.append(count_corners(deck, paper, boxes[-1]))
    return Prints(names, np.stack(decks), np.stack(papers), np.array(boxes), np.array(corners), _backs(art))


def _small(large: Picture) -> Picture:
    return np.asarray(cv2.resize(large, PRINT_PX, interpolation=cv2.INTER_AREA), np.uint8)


def _backs(art: Path | None) -> NDArray[np.uint8]:
    own = [back(name) for name in of_split(BACK_DESIGNS, "train")]
    fetched = [foreign_back(art, name) for name in foreign_of_split(foreign_backs(art), "train")] if art else []
    return np.stack([_small(picture) for picture in own + fetched])


def paper_of(deck: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the colour of most of a deck's cards, told from those with little print."""
    bare = np.stack([deck[i, 10:-10, 4:-4] for i, card in enumerate(DECK) if card.rank in "23"])
    return np.median(bare.reshape(-1, 3), axis=0).astype(np.uint8)


def ink_of(picture: NDArray[np.uint8], paper: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Say where something is printed."""
    return np.asarray(np.abs(picture.astype(np.int16) - paper).max(axis=-1) > INK)


def index_box(deck: NDArray[np.uint8], paper: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """Return where a deck prints its index, from the cards whose pips leave the corners free."""
    wide, high = int(PRINT_PX[0] * CORNER_SHARE[0]), int(PRINT_PX[1] * CORNER_SHARE[1])
    clear = np.stack([deck[i, 4:high, 4:wide] for i, card in enumerate(DECK) if card.rank in CLEAR_RANKS])
    inked = ink_of(clear, paper).mean(axis=0) > 0.2  # one card's ornament is not an index
    left, right = first_run(inked.mean(axis=0) > 0.01, 0.8)
    top, bottom = first_run(inked[:, left:right].any(axis=1), 6.0)
    right += int(2 * PX_PER_MM)  # a ten is wider
    return left + 4, top + 4, min(right + 4, wide), bottom + 4


def first_run(inked: NDArray[np.bool_], gap_mm: float) -> tuple[int, int]:
    """Return from where to where something is printed, up to the first gap of that width."""
    places = np.flatnonzero(inked)
    ends = np.flatnonzero(np.diff(places) > gap_mm * PX_PER_MM)
    return int(places[0]), int(places[ends[0] if len(ends) else -1]) + 1


def count_corners(deck: NDArray[np.uint8], paper: NDArray[np.uint8], box: tuple[int, int, int, int]) -> int:
    """Return in how many corners a deck prints its index."""
    left, top, right, bottom = box
    others = [i for i, card in enumerate(DECK) if card.rank in "23"]
    here = ink_of(deck[others, top:bottom, left:right], paper).mean()
    there = ink_of(deck[others, top:bottom, PRINT_PX[0] - right : PRINT_PX[0] - left], paper).mean()
    return 4 if there > here * 0.5 else 2
