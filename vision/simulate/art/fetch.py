"""Fetching decks that others drew: a folder enters, and the decks this machine can get are rendered into it.

npm's decks are downloaded; Debian's are taken where they are installed. What is there already is not made again, and a
deck appears whole or not at all.
"""

import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.cards import DECK, Card
from vision.errors import InputError, VisionError
from vision.simulate.art.faces import HEIGHT_PX, WIDTH_PX
from vision.simulate.art.foreign import ANYWHERE, INSIDE_ONLY, SHEET, DeckSheet, is_whole
from vision.simulate.film.patch import Picture

Tell = Callable[[str], None]
LOOK_PX: Final = 1500  # of the first look at a drawing: where in it is the card?
MARGIN: Final = 0.05  # of the card's size, around it in the second look
ASPECTS: Final = (0.60, 0.82)  # bridge cards are 0.64, poker cards 0.71; they are stretched to poker size
LEAST_PX: Final = 400  # what is smaller in the first look is no card
PATIENCE_S: Final = 300
RANK_NAMES: Final = {"A": "1", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
SUIT_NAMES: Final = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"}


@dataclass(frozen=True, slots=True)
class Tools:
    """What of this machine is used."""

    npm: str = "npm"
    rsvg_convert: str = "rsvg-convert"
    share: Path = Path("/usr/share")


THIS_MACHINE: Final = Tools()


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
    backs: dict[str, Drawing] = field(default_factory=dict)


KENNARD: Final = Package("@heruka_urgyen/react-playing-cards", "0.5.0", "package/README.md")  # it says CC0 for the art
CARDS_JS: Final = Package("cardsJS", "1.1.1", "package/cards/COPYING.LESSER.txt")
SVG_CARDS: Final = Package("svg-cards", "4.0.2")
GNOME: Final = Package("gnome-cards-data", licence_file="doc/gnome-cards-data/copyright")
KDE: Final = Package("kdegames-card-data-kf5", licence_file="doc/kdegames-card-data-kf5/copyright")
BELLOT_COLOURS: Final = {"": "#0062ff", "red": "#b3121d", "green": "#0e6b3a", "navy": "#14245f", "grey": "#55585c"}


def _kennard(deck: str, folder: str) -> Source:
    images = "package/src/images"
    back = {"back": Drawing(f"{images}/back.svg")}
    return Source(deck, KENNARD, "Adrian Kennard", "CC0-1.0", Drawing(f"{images}/{folder}/{{R}}{{S}}.svg"), back)


def _gnome(deck: str, file: str) -> Source:
    path = f"aisleriot/cards/{file}.svgz"
    face, back = Drawing(path, "{suit}_{rank}"), {"back": Drawing(path, "back")}
    return Source(deck, GNOME, "see LICENCE", "GPL-3.0-or-later", face, back)


def _kde(deck: str, file: str, licence: str) -> Source:
    path = f"carddecks/{file}.svgz"
    face, back = Drawing(path, "{rank}_{suit}"), {"back": Drawing(path, "back")}
    return Source(deck, KDE, "see LICENCE", licence, face, back)


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
        {
            "back": Drawing("package/dist/cards/Blue_Back.svg"),
            "back-red": Drawing("package/dist/cards/Red_Back.svg"),
        },
    ),
    Source(
        "bellot",
        SVG_CARDS,
        "David Bellot",
        "LGPL-2.1",
        Drawing("package/svg-cards.svg", "{suit}_{rank}"),
        {
            f"back-{name}".rstrip("-"): Drawing("package/svg-cards.svg", "back", f"#back {{ fill: {colour} }}")
            for name, colour in BELLOT_COLOURS.items()
        },
    ),
    *(
        _gnome(n.replace("_", "-"), n)
        for n in [
            "ancient_french",
            "anglo",
            "anglo_bitmap",
            "anglo_modern",
            "anglo_modern_4_color",
            "anglo_poker",
            "atlasnye",
            "dondorf",
            "gnomangelo",
            "gnomangelo_bitmap",
            "guyenne-classic",
            "neoclassical",
            "neoclassical_4_color",
            "ornamental",
            "orell",
            "paris",
            "plastic",
            "simplistic",
            "tango",
            "tango_nuevo",
            "tigullio",
        ]
    ),
    _kde("kde-standard", "svg-standard/standard", "GPL-2.0-or-later"),
    _kde("egyptians", "svg-ancient-egyptians/Ancient_Egyptians", "GPL-2.0-or-later"),
    _kde("jolly-royal", "svg-jolly-royal/jolly-royal", "GPL-2.0-or-later"),
    _kde("nicu-white", "svg-nicu-white/white", "GPL-2.0-or-later"),
    _kde("oxygen-air", "svg-oxygen-air/oxygen-air", "GPL-2.0-or-later"),
    _kde("oxygen-white", "svg-oxygen-white/oxygen-white", "GPL-2.0-or-later"),
    _kde("penguins", "svg-penguins/penguins", "GPL-2.0-or-later"),
    _kde("tigullio-international", "svg-tigullio-international/tigullio-international", "LGPL-2.0-or-later"),
)


def fetch_decks(folder: Path, tell: Tell, tools: Tools = THIS_MACHINE) -> list[str]:
    """Fill a folder with every deck this machine can get, and return their names; `tell` hears what happens."""
    _run(tools.rsvg_convert, ["--version"])
    folder.mkdir(parents=True, exist_ok=True)
    for package in dict.fromkeys(source.package for source in SOURCES):
        missing = [source for source in SOURCES if source.package == package and not is_whole(folder / source.deck)]
        if missing:
            _fetch_package(folder, package, missing, tell, tools)
    decks = [source.deck for source in SOURCES if is_whole(folder / source.deck)]
    if not decks:
        raise InputError(f"{folder}: no deck could be fetched: the lines above say why")
    return decks


def _fetch_package(folder: Path, package: Package, sources: list[Source], tell: Tell, tools: Tools) -> None:
    """Get one package and make its decks; what goes wrong is told, and the next one has its turn."""
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as work:
        try:
            root = unpack_npm(package, Path(work), tools) if package.is_npm else tools.share
            version = package.version or installed_version(package, tools)
        except VisionError as error:
            tell(f"{package.name}: left out: {error}")
            return
        for source in sources:
            try:
                make_deck(folder, source, version, root, tools)
                tell(f"{source.deck}: fetched ({source.artist}, {source.licence})")
            except VisionError as error:
                tell(f"{source.deck}: left out: {error}")


def unpack_npm(package: Package, work: Path, tools: Tools) -> Path:
    """Download a package and return the folder in which its files are now."""
    wish = f"{package.name}@{package.version}"
    _run(tools.npm, ["pack", wish, "--ignore-scripts", "--pack-destination", str(work)])
    archives = list(work.glob("*.tgz"))
    if len(archives) != 1:
        raise InputError(f"npm pack {wish}: {len(archives)} archives: want one")
    with tarfile.open(archives[0]) as archive:
        for member in archive:
            if member.isfile() and ".." not in Path(member.name).parts and not member.name.startswith("/"):
                archive.extract(member, work, set_attrs=False)
    return work


def installed_version(package: Package, tools: Tools) -> str:
    """Return the version of an installed Debian package."""
    if not (tools.share / package.licence_file).is_file():
        raise InputError(f"not installed: want the Debian package: apt-get install {package.name}")
    try:
        return _run("dpkg-query", ["-W", "-f=${Version}", package.name]).decode().strip()
    except VisionError:
        return "unknown"


def make_deck(folder: Path, source: Source, version: str, root: Path, tools: Tools) -> None:
    """Render a deck beside its place and move it there when it is whole."""
    if (folder / source.deck).exists():
        raise InputError(f"{folder / source.deck}: lacks some cards: remove it to have it fetched again")
    drawings = {str(card): source.face.of(card) for card in DECK} | source.backs
    with tempfile.TemporaryDirectory(prefix=".deck-", dir=folder) as work:
        made = Path(work) / source.deck
        made.mkdir()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            arts = pool.map(lambda drawing: render(drawing, root, tools), drawings.values())
            for name, art in zip(drawings, arts, strict=True):
                cv2.imwrite(str(made / f"{name}.png"), art)
        shutil.copyfile(root / source.package.licence_file, made / "LICENCE")
        (made / SHEET).write_text(write_sheet(source, version), encoding="utf-8")
        made.rename(folder / source.deck)


def write_sheet(source: Source, version: str) -> str:
    """Return the text of a deck's `deck.toml`."""
    sheet = DeckSheet(
        name=source.deck,
        package=source.package.name,
        version=version,
        artist=source.artist,
        licence=source.licence,
        use=ANYWHERE if source.licence.startswith("CC0") else INSIDE_ONLY,
    )
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in sheet.model_dump().items())


def render(drawing: Drawing, root: Path, tools: Tools) -> Picture:
    """Return one card as drawn, with alpha, cut at its outline and stretched to 635 x 889 px."""
    look = _convert(drawing, root, tools, ["-w", str(LOOK_PX), "-h", str(LOOK_PX), "-a"])
    left, top, width, height = outline(look, drawing)
    zoom = HEIGHT_PX / height
    around = round(HEIGHT_PX * MARGIN)
    page = ["--page-width", str(round(width * zoom) + 2 * around), "--page-height", str(HEIGHT_PX + 2 * around)]
    place = [f"--left={around - left * zoom:.2f}", f"--top={around - top * zoom:.2f}"]
    size = ["-w", f"{look.shape[1] * zoom:.2f}", "-h", f"{look.shape[0] * zoom:.2f}"]
    close = _convert(drawing, root, tools, [*size, *page, *place])
    left, top, width, height = outline(close, drawing)
    cut = close[top : top + height, left : left + width]
    return np.asarray(cv2.resize(cut, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA), np.uint8)


def outline(art: Picture, drawing: Drawing) -> tuple[int, int, int, int]:
    """Return where the card is in a picture: left, top, width, height."""
    solid = np.where(art[..., 3] >= 128, 255, 0).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(solid)
    sizes = stats[1:, cv2.CC_STAT_AREA]
    if not len(sizes) or sizes.max() < LEAST_PX:
        raise InputError(f"{drawing.file}: {drawing.export_id or 'the drawing'}: empty: want a card")
    left, top, width, height = (int(number) for number in stats[1 + int(sizes.argmax())][:4])
    if not ASPECTS[0] <= width / height <= ASPECTS[1]:
        raise InputError(f"{drawing.file}: {drawing.export_id}: {width} x {height}: want the shape of a card")
    return left, top, width, height


def _convert(drawing: Drawing, root: Path, tools: Tools, options: list[str]) -> Picture:
    """Render a drawing and return the picture, BGRA."""
    with tempfile.NamedTemporaryFile("w", suffix=".css") as style:
        style.write(drawing.style)
        style.flush()
        chosen = [f"--export-id={drawing.export_id}"] if drawing.export_id else []
        chosen += [f"--stylesheet={style.name}"] if drawing.style else []
        if not (root / drawing.file).is_file():
            raise InputError(f"{drawing.file}: not in the package")
        png = _run(tools.rsvg_convert, [*chosen, *options, str(root / drawing.file)])
    art = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    if art is None or art.ndim != 3 or art.shape[2] != 4:
        raise InputError(f"{drawing.file}: {drawing.export_id}: not rendered: want a picture with alpha")
    return np.asarray(art, np.uint8)


def _run(tool: str, arguments: list[str]) -> bytes:
    """Run a program and return what it printed, or say what went wrong and what to install."""
    wanted = {"npm": "npm", "rsvg-convert": "librsvg2-bin"}.get(Path(tool).name, tool)
    try:
        done = subprocess.run([tool, *arguments], capture_output=True, timeout=PATIENCE_S, check=False)
    except FileNotFoundError as error:
        raise InputError(f"{tool}: not installed: want the Debian package: apt-get install {wanted}") from error
    except subprocess.TimeoutExpired as error:
        raise InputError(f"{tool} {' '.join(arguments)}: no answer in {PATIENCE_S} s") from error
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise InputError(f"{tool} {arguments[0]}: {lines[0] if lines else f'exit code {done.returncode}'}")
    return done.stdout
