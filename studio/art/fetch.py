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
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from studio.art.faces import HEIGHT_PX, WIDTH_PX
from studio.art.foreign import (
    ANYWHERE,
    INSIDE_ONLY,
    SHEET,
    SOURCES,
    DeckSheet,
    Drawing,
    Package,
    Source,
    is_whole,
)
from vision.values.cards import DECK
from vision.values.errors import InputError, VisionError
from vision.values.picture import Picture

Report = Callable[[str], None]
LOOK_PX: Final = 900  # of the first look at a drawing: where in it is the card?
MARGIN: Final = 0.05  # of the card's size, around it in the second look
ASPECTS: Final = (0.60, 0.82)  # bridge cards are 0.64, poker cards 0.71; they are stretched to poker size
LEAST_PX: Final = 300  # what is smaller in the first look is no card
PATIENCE_S: Final = 300
SAID: Final = 300  # characters of a program's complaint
DEBIAN: Final = {"rsvg-convert": "librsvg2-bin"}  # programs whose package has another name


@dataclass(frozen=True, slots=True)
class Tools:
    """What of this machine is used."""

    npm: str = "npm"
    rsvg_convert: str = "rsvg-convert"
    share: Path = Path("/usr/share")


THIS_MACHINE: Final = Tools()


def fetch_decks(folder: Path, report: Report, tools: Tools = THIS_MACHINE) -> list[str]:
    """Fill a folder with every deck this machine can get, and return their names; `report` hears what happens."""
    _run(tools.rsvg_convert, ["--version"])
    folder.mkdir(parents=True, exist_ok=True)
    for package in dict.fromkeys(source.package for source in SOURCES):
        missing = [source for source in SOURCES if source.package == package and not is_whole(folder / source.deck)]
        if missing:
            _fetch_package(folder, missing, report, tools)
    decks = [source.deck for source in SOURCES if is_whole(folder / source.deck)]
    if not decks:
        raise InputError(f"{folder}: no deck could be fetched: the lines above say why")
    return decks


def _fetch_package(folder: Path, sources: list[Source], report: Report, tools: Tools) -> None:
    """Get one package and make its decks; what goes wrong is told, and the next one has its turn."""
    package = sources[0].package
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as work:
        try:
            root = unpack_npm(package, Path(work), tools) if package.is_npm else tools.share
            version = package.version or installed_version(package, tools)
        except (VisionError, OSError, tarfile.TarError) as error:
            report(f"{package.name}: left out: {error}")
            return
        for source in sources:
            try:
                make_deck(folder, source, version, root, tools)
                report(f"{source.deck}: fetched ({source.artist}, {source.licence})")
            except (VisionError, OSError) as error:
                report(f"{source.deck}: left out: {error}")


def unpack_npm(package: Package, work: Path, tools: Tools) -> Path:
    """Download a package and return the folder in which its files are now."""
    wish = f"{package.name}@{package.version}"
    _run(tools.npm, ["pack", wish, "--ignore-scripts", "--pack-destination", str(work)])
    archives = list(work.glob("*.tgz"))
    if len(archives) != 1:
        raise InputError(f"npm pack {wish}: {len(archives)} archives: want one")
    with tarfile.open(archives[0]) as archive:
        for member in archive:
            content = archive.extractfile(member)  # None for what is no file
            if content and (member.name.endswith(".svg") or member.name == package.licence_file):
                _write_inside(work, member.name, content.read())
    return work


def _write_inside(work: Path, name: str, content: bytes) -> None:
    """Write a file of an archive, never outside the folder."""
    path = work / name
    if not path.resolve().is_relative_to(work.resolve()):
        raise InputError(f"{name}: a path that leaves its archive")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def installed_version(package: Package, tools: Tools) -> str:
    """Return the version of an installed Debian package."""
    if not (tools.share / package.licence_file).is_file():
        raise InputError(f"not installed: apt-get install {package.name}")
    try:
        return _run("dpkg-query", ["-W", "-f=${Version}", package.name]).decode().strip()
    except VisionError:
        return "unknown"


def make_deck(folder: Path, source: Source, version: str, root: Path, tools: Tools) -> None:
    """Render a deck beside its place and move it there when it is whole."""
    if (folder / source.deck).exists():
        raise InputError(f"{folder / source.deck}: lacks some cards: remove it to have it fetched again")
    with tempfile.TemporaryDirectory(prefix=".deck-", dir=folder) as work:
        made = Path(work) / source.deck
        made.mkdir()
        _render_all(source, root, made, tools)
        shutil.copyfile(root / source.package.licence_file, made / "LICENCE")
        (made / SHEET).write_text(write_sheet(source, version), encoding="utf-8")
        made.rename(folder / source.deck)


def _render_all(source: Source, root: Path, made: Path, tools: Tools) -> None:
    """Render every face and back of a deck, several at once."""
    drawings = {str(card): source.face.of(card) for card in DECK} | dict(source.backs)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        arts = pool.map(lambda drawing: render(drawing, root, tools), drawings.values())
        for name, art in zip(drawings, arts, strict=True):
            if not cv2.imwrite(str(made / f"{name}.png"), art):
                raise InputError(f"{made / name}.png: cannot be written")


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
        raise InputError(f"{drawing}: empty: want a card")
    left, top, width, height = (int(number) for number in stats[1 + int(sizes.argmax())][:4])
    if not ASPECTS[0] <= width / height <= ASPECTS[1]:
        raise InputError(f"{drawing}: {width} x {height}: want the shape of a card")
    return left, top, width, height


def _convert(drawing: Drawing, root: Path, tools: Tools, options: list[str]) -> Picture:
    """Render a drawing and return the picture, BGRA."""
    if not (root / drawing.file).is_file():
        raise InputError(f"{root / drawing.file}: missing: want it in the package")
    chosen = [f"--export-id={drawing.export_id}"] if drawing.export_id else []
    with tempfile.NamedTemporaryFile("w", suffix=".css") as style:
        style.write(drawing.style)
        style.flush()
        chosen += [f"--stylesheet={style.name}"] if drawing.style else []
        png = _run(tools.rsvg_convert, [*chosen, *options, str(root / drawing.file)])
    art = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED) if png else None
    if art is None or art.ndim != 3 or art.shape[2] != 4:
        raise InputError(f"{drawing}: not rendered: want a picture with alpha")
    return np.asarray(art, np.uint8)


def _run(tool: str, arguments: list[str]) -> bytes:
    """Run a program and return what it printed, or say what went wrong and what to install."""
    try:
        done = subprocess.run([tool, *arguments], capture_output=True, timeout=PATIENCE_S, check=False)  # noqa: S603
    except OSError as error:
        name = Path(tool).name
        wish = DEBIAN.get(name, name)
        raise InputError(f"{tool}: cannot be run ({error.strerror}): apt-get install {wish}") from error
    except subprocess.TimeoutExpired as error:
        raise InputError(f"{tool} {' '.join(arguments)}: no answer in {PATIENCE_S} s") from error
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        said = "; ".join([line for line in lines if " warn " not in line][:3])
        raise InputError(f"{tool} {' '.join(arguments[:2])}: exit code {done.returncode}: {said[:SAID]}")
    return done.stdout
