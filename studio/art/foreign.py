"""Decks that others drew: a folder filled by `fetch_decks` and a card go in, the printed face or back comes out.

A deck is a folder of its own: `As.png` ... `Kd.png`, `back.png`, perhaps `back-red.png`, and `deck.toml`, which says
whose art it is. The pictures leave as our own designs do: 889 x 635 px, BGR, paper to the very edge. `SOURCES` lists
the decks that were looked at and found usable, and where they come from.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from studio.art.faces import HEIGHT_PX, WIDTH_PX
from vision.values.cards import DECK, Card
from vision.values.documents import read_document
from vision.values.errors import InputError, shown
from vision.values.picture import Picture

SHEET: Final = "deck.toml"
# For testing, never in training footage. No other deck here borrows its courts or indices from one of these.
RESERVED_DECKS: Final = ("bellot", "kde-standard")
ANYWHERE: Final = "anywhere"
INSIDE_ONLY: Final = "training inside the project only"
RIM_PX: Final = 18  # how deep a drawn outline may reach into the card
CORNER_PX: Final = 90  # where rounded corners end
PAPER_RING: Final = (20, 30)  # px from the edge where there is paper, and the indices are few
SAME_COLOUR: Final = 20  # grey levels
Floats = NDArray[np.float32]
RANK_NAMES: Final = {"A": "1", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
SUIT_NAMES: Final = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"}


@dataclass(frozen=True, slots=True)
class Package:
    """Where art comes from: a package of npm with its version, or an installed one of Debian."""

    name: str
    version: str = ""
    licence_file: str = "package/LICENSE"

    @property
    def is_npm(self) -> bool:
        """Say whether npm has it."""
        return bool(self.version)


@dataclass(frozen=True, slots=True)
class Drawing:
    """One drawing: a file, perhaps one thing in it, perhaps coloured. `{R}{S}` is As, `{suit}_{rank}` spade_1."""

    file: str
    export_id: str = ""
    style: str = ""

    def __str__(self) -> str:
        return f"{self.file}#{self.export_id}" if self.export_id else self.file

    def of(self, card: Card) -> "Drawing":
        """Return the drawing of a card."""
        names = {"R": card.rank, "S": card.suit.upper(), "suit": SUIT_NAMES[card.suit]}
        names["rank"] = RANK_NAMES.get(card.rank, card.rank)
        return Drawing(self.file.format(**names), self.export_id.format(**names), self.style)


@dataclass(frozen=True, slots=True)
class Source:
    """A deck and where its drawings are."""

    deck: str
    package: Package
    artist: str
    licence: str
    face: Drawing
    backs: tuple[tuple[str, Drawing], ...] = ()  # by file name


KENNARD: Final = Package("@heruka_urgyen/react-playing-cards", "0.5.0", "package/README.md")  # it says CC0 for the art
CARDS_JS: Final = Package("cardsJS", "1.1.1", "package/cards/COPYING.LESSER.txt")
SVG_CARDS: Final = Package("svg-cards", "4.0.2")
GNOME: Final = Package("gnome-cards-data", licence_file="doc/gnome-cards-data/copyright")
KDE: Final = Package("kdegames-card-data-kf5", licence_file="doc/kdegames-card-data-kf5/copyright")
BELLOT_BACKS: Final = (
    ("back", "#0062ff"),
    ("back-red", "#b3121d"),
    ("back-green", "#0e6b3a"),
    ("back-navy", "#14245f"),
    ("back-grey", "#55585c"),
)


def _kennard(deck: str, folder: str) -> Source:
    images = "package/src/images"
    back = (("back", Drawing(f"{images}/back.svg")),)
    return Source(deck, KENNARD, "Adrian Kennard", "CC0-1.0", Drawing(f"{images}/{folder}/{{R}}{{S}}.svg"), back)


def _gnome(deck: str, file: str) -> Source:
    path = f"aisleriot/cards/{file}.svgz"
    back = (("back", Drawing(path, "back")),)
    return Source(deck, GNOME, "see LICENCE", "GPL-3.0-or-later", Drawing(path, "{suit}_{rank}"), back)


def _kde(deck: str, file: str, artist: str, licence: str, has_back: bool = True) -> Source:
    path = f"carddecks/{file}.svgz"
    back = (("back", Drawing(path, "back")),) if has_back else ()
    return Source(deck, KDE, artist, licence, Drawing(path, "{rank}_{suit}"), back)


# Left out after a look: indices that are not A K Q J (ancient_french, berlin, lattmann, rheinland, tarocco, slavic,
# swiss, xskat-german), courts without an index (guyenne), indices in one corner or upright at both ends (tango_nuevo,
# oxygen, egyptians), colours that poker gives to other suits (anglo_modern_4_color, neoclassical_4_color), suits one
# could mistake (plastic), pictures instead of pips (penguins, future), an index over the edge (tango), too narrow
# (orell), no size (konqi, xskat-french), copies (gnomangelo, KDE's dondorf), the courts of a reserved deck (paris).
SOURCES: Final[tuple[Source, ...]] = (
    _kennard("kennard", "2color"),
    _kennard("kennard-jumbo", "2color-bf"),
    _kennard("kennard-four-colour", "4color"),
    _kennard("kennard-four-colour-jumbo", "4color-bf"),
    Source(
        "aguilar",
        CARDS_JS,
        "Chris Aguilar",
        "LGPL-3.0-or-later",
        Drawing("package/dist/cards/{R}{S}.svg"),
        (
            ("back", Drawing("package/dist/cards/Blue_Back.svg")),
            ("back-red", Drawing("package/dist/cards/Red_Back.svg")),
        ),
    ),
    Source(
        "bellot",
        SVG_CARDS,
        "David Bellot",
        "LGPL-2.1",
        Drawing("package/svg-cards.svg", "{suit}_{rank}"),
        tuple(
            (name, Drawing("package/svg-cards.svg", "back", f"#back {{ fill: {colour} }}"))
            for name, colour in BELLOT_BACKS
        ),
    ),
    _gnome("anglo", "anglo"),
    _gnome("anglo-soft", "anglo_bitmap"),
    _gnome("anglo-modern", "anglo_modern"),
    _gnome("anglo-poker", "anglo_poker"),
    _gnome("atlasnye", "atlasnye"),
    _gnome("dondorf", "dondorf"),
    _gnome("neoclassical", "neoclassical"),
    _gnome("ornamental", "ornamental"),
    _gnome("simplistic", "simplistic"),
    _gnome("tigullio", "tigullio"),
    _kde("kde-standard", "svg-standard/standard", "see LICENCE", "GPL-2.0-or-later"),
    _kde("jolly-royal", "svg-jolly-royal/jolly-royal", "see LICENCE", "GPL-2.0-or-later"),
    # The back of nicu-white shows four aces face up.
    _kde("nicu-white", "svg-nicu-white/white", "see LICENCE", "GPL-2.0-or-later", has_back=False),
    _kde(
        "tigullio-international",
        "svg-tigullio-international/tigullio-international",
        "Luciano Montanaro",
        "LGPL-2.0-or-later",
    ),
)


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


def may_be_published(folder: Path, deck: str) -> bool:
    """Say whether pictures that show a deck may leave the project."""
    return deck_sheet(folder, deck).use == ANYWHERE


def is_whole(deck: Path) -> bool:
    """Say whether a deck's folder holds its sheet and all 52 faces."""
    return (deck / SHEET).is_file() and all((deck / f"{card}.png").is_file() for card in DECK)


def foreign_decks(folder: Path) -> tuple[str, ...]:
    """Return the names of the whole decks in a folder; none if there is no such folder."""
    return tuple(sorted(path.name for path in _folders(folder) if is_whole(path)))


def foreign_backs(folder: Path) -> tuple[str, ...]:
    """Return every back in a folder, as `foreign_back` wants it: 'aguilar', 'aguilar:red'."""
    found = (path for deck in foreign_decks(folder) for path in (folder / deck).glob("back*.png"))
    return tuple(sorted(path.parent.name + path.stem.removeprefix("back").replace("-", ":", 1) for path in found))


def foreign_of_split(names: tuple[str, ...], split: str) -> tuple[str, ...]:
    """Return the decks, or backs, of one split: train, test or any."""
    is_test = {name: name.split(":")[0] in RESERVED_DECKS for name in names}
    return names if split == "any" else tuple(name for name in names if is_test[name] == (split == "test"))


def foreign_face(folder: Path, deck: str, card: Card) -> Picture:
    """Return the face of a card in one of `foreign_decks`: 635 x 889 px, BGR, read-only."""
    return print_on_paper(_art(folder / deck / f"{card}.png"))


def foreign_back(folder: Path, back: str) -> Picture:
    """Return one of `foreign_backs`: 635 x 889 px, BGR, read-only; a deck's name means its first back."""
    deck, _, colour = back.partition(":")
    return print_on_paper(_art(folder / deck / (f"back-{colour}.png" if colour else "back.png")))


def print_on_paper(art: Picture) -> Picture:
    """Lay a card's art (BGRA, cut at its outline) on paper of its own colour, without the outline drawn around it."""
    depth = _depth(art)
    paper = _paper_colour(art, depth)
    cover = art[..., 3:].astype(np.float32) / 255
    printed = np.asarray(art[..., :3] * cover + paper * (1 - cover), np.float32)
    printed[depth < _outline_px(printed, paper)] = paper
    sheet = np.round(printed).astype(np.uint8)
    sheet.setflags(write=False)
    return sheet


def _folders(folder: Path) -> Iterator[Path]:
    """Yield the folders in a folder, except the hidden ones in which decks are made."""
    if folder.is_dir():
        yield from (path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))


def _art(path: Path) -> Picture:
    """Read one picture of a deck, with its alpha."""
    art = cv2.imread(str(path), cv2.IMREAD_UNCHANGED) if path.is_file() else None
    if art is None:
        raise InputError(f"{path}: cannot be read: want a picture made by fetch_decks")
    if art.shape != (HEIGHT_PX, WIDTH_PX, 4) or art.dtype != np.uint8:
        raise InputError(f"{path}: {shown(art.shape)}: want {HEIGHT_PX} x {WIDTH_PX} px with alpha")
    return np.asarray(art, np.uint8)


def _depth(art: Picture) -> Floats:
    """Return how far each pixel lies inside the card's outline, in px; 0 outside."""
    solid = np.where(art[..., 3] >= 128, 255, 0).astype(np.uint8)
    framed = cv2.copyMakeBorder(solid, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    return np.asarray(cv2.distanceTransform(framed, cv2.DIST_L2, 5)[1:-1, 1:-1], np.float32)


def _paper_colour(art: Picture, depth: Floats) -> Floats:
    """Return the colour of most of the margin."""
    ring = art[(depth >= PAPER_RING[0]) & (depth < PAPER_RING[1])]
    return np.asarray(np.median(ring[:, :3], axis=0) if len(ring) else np.full(3, 255), np.float32)


def _outline_px(printed: Floats, paper: Floats) -> int:
    """Return how deep the outline drawn around a card reaches, which real cards do not have; 0 if there is none."""
    turned = printed.transpose(1, 0, 2)
    sides = [side[:RIM_PX, CORNER_PX:-CORNER_PX] for side in (printed, printed[::-1], turned, turned[::-1])]
    return sorted(_line_px(side, paper) for side in sides)[1]  # stripes look like lines, but on two sides only


def _line_px(side: Floats, paper: Floats) -> int:
    """Return how wide the line along an edge is, which is the first row; 0 if paper or a pattern reaches the edge."""
    bare = _is_mostly(side, paper[None, None], 0.5)
    width = int(bare.argmax())  # 0 too if there is no paper
    is_line = _is_mostly(side[:width], np.median(side[:width], axis=1, keepdims=True), 0.8).all()
    return width + 3 if width and is_line else 0  # a little more: the line is soft at its inner side


def _is_mostly(rows: Floats, colour: Floats, share: float) -> NDArray[np.bool_]:
    """Say for each row whether at least a share of its pixels has about a colour."""
    return np.asarray((np.abs(rows - colour).max(axis=2) < SAME_COLOUR).mean(axis=1) >= share)
