"""Decks that others drew: a folder filled by `fetch_decks` and a card go in, the printed face or back comes out.

A deck is a folder of its own: `As.png` ... `Kd.png`, `back.png`, perhaps `back-red.png`, and `deck.toml`, which says
whose art it is. The pictures leave as our own designs do: 889 x 635 px, BGR, paper to the very edge.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict

from vision.cards import DECK, Card
from vision.documents import read_document
from vision.errors import InputError, shown
from vision.simulate.art.faces import HEIGHT_PX, WIDTH_PX
from vision.simulate.film.patch import Picture

SHEET: Final = "deck.toml"
# Never in training footage. Each is its artist's only deck here, so that no cousin of it is in training either.
RESERVED_DECKS: Final = ("bellot", "plastic")
ANYWHERE: Final = "anywhere"
INSIDE_ONLY: Final = "training inside the project only"
RIM_PX: Final = 18  # how deep a drawn outline may reach into the card
PAPER_RING: Final = (20, 30)  # px from the edge where there is paper, and the indices are few
SAME_COLOUR: Final = 14  # grey levels


class DeckSheet(BaseModel):
    """Whose art a deck is, and where it may be used."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    package: str
    version: str
    artist: str
    licence: str
    use: str


def deck_sheet(folder: Path, deck: str) -> DeckSheet:
    """Return what is known about a deck."""
    return read_document(folder / deck / SHEET, DeckSheet)


def is_whole(deck: Path) -> bool:
    """Say whether a deck's folder holds its sheet and all 52 faces."""
    return (deck / SHEET).is_file() and all((deck / f"{card}.png").is_file() for card in DECK)


def foreign_decks(folder: Path) -> tuple[str, ...]:
    """Return the names of the whole decks in a folder; none if there is no such folder."""
    return tuple(sorted(path.name for path in _folders(folder) if is_whole(path)))


def foreign_backs(folder: Path) -> tuple[str, ...]:
    """Return every back in a folder, as `foreign_back` wants it: 'aguilar', 'aguilar/red'."""
    found = (path for deck in foreign_decks(folder) for path in (folder / deck).glob("back*.png"))
    return tuple(sorted(path.parent.name + path.stem.removeprefix("back").replace("-", "/", 1) for path in found))


def foreign_of_split(names: tuple[str, ...], split: str) -> tuple[str, ...]:
    """Return the decks, or backs, of one split: train, test or any."""
    is_test = {name: name.split("/")[0] in RESERVED_DECKS for name in names}
    return names if split == "any" else tuple(name for name in names if is_test[name] == (split == "test"))


def foreign_face(folder: Path, deck: str, card: Card) -> Picture:
    """Return the face of a card in one of `foreign_decks`: 635 x 889 px, BGR, read-only."""
    return print_on_paper(_art(folder / deck / f"{card}.png"))


def foreign_back(folder: Path, back: str) -> Picture:
    """Return one of `foreign_backs`: 635 x 889 px, BGR, read-only; a deck's name means its first back."""
    deck, _, colour = back.partition("/")
    return print_on_paper(_art(folder / deck / (f"back-{colour}.png" if colour else "back.png")))


def print_on_paper(art: Picture) -> Picture:
    """Lay a card's art (BGRA, cut at its outline) on paper of its own colour, without the outline drawn around it."""
    depth = _depth(art)
    paper = _paper_colour(art, depth)
    cover = art[..., 3:].astype(np.float32) / 255
    printed = art[..., :3] * cover + paper * (1 - cover)
    printed[depth < _outline_px(printed, depth, paper)] = paper
    sheet = np.round(printed).astype(np.uint8)
    sheet.setflags(write=False)
    return sheet


def _folders(folder: Path) -> Iterator[Path]:
    """Yield the folders in a folder, except the hidden ones in which decks are made."""
    if folder.is_dir():
        yield from (path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))


def _art(path: Path) -> Picture:
    """Read one picture of a deck, with its alpha."""
    art = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if art is None:
        raise InputError(f"{path}: cannot be read: want a picture made by fetch_decks")
    if art.shape != (HEIGHT_PX, WIDTH_PX, 4) or art.dtype != np.uint8:
        raise InputError(f"{path}: {shown(art.shape)}: want {HEIGHT_PX} x {WIDTH_PX} px with alpha")
    return np.asarray(art, np.uint8)


def _depth(art: Picture) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return how far each pixel lies inside the card's outline, in px; 0 outside."""
    solid = cv2.copyMakeBorder(np.where(art[..., 3] >= 128, 255, 0).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    return np.asarray(cv2.distanceTransform(solid, cv2.DIST_L2, 5)[1:-1, 1:-1], np.float32)


def _paper_colour(
    art: Picture, depth: np.ndarray[tuple[int, ...], np.dtype[np.float32]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return the colour of most of the margin."""
    ring = art[(depth >= PAPER_RING[0]) & (depth < PAPER_RING[1])]
    if not len(ring):
        return np.full(3, 255, np.float32)
    return np.asarray(np.median(ring[:, :3], axis=0), np.float32)


def _outline_px(
    printed: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    depth: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    paper: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
) -> int:
    """Return how deep the drawn outline reaches; real cards have none. 0 if the print runs to the edge."""
    rim = depth < RIM_PX + 1
    apart = np.abs(printed[rim] - paper).max(axis=1)
    at = depth[rim].astype(int)
    for px in range(1, RIM_PX):
        if np.median(apart[at == px]) < SAME_COLOUR:
            return px + 2 if px > 1 else 0
    return 0
