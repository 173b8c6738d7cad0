"""`feltwatch table`: new layouts and tables, what is wrong with them, and pictures of them."""

import argparse
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from vision.commands import table_fitness
from vision.commands.adding import DONE, FAILED, add_command
from vision.values.errors import InputError, shown

if TYPE_CHECKING:
    from vision.table.artwork import Artwork
    from vision.table.layout import Layout
    from vision.table.table import DeckEntry, TableFile
    from vision.values.picture import Picture

SEATS, MOST_SEATS = 6, 12
REMARK = """\
A first layout, to be completed: grid.png has the felt with its millimetres, `feltwatch table show` draws this file.
x grows to the dealer's right, 0 in the middle; y grows to the players, 0 at the dealer's edge.
A place is {{ circle = [x, y, radius] }} or {{ polygon = [[x, y], [x, y], [x, y] …] }}.
outline: the edge of the felt.  rail = [ … ]: where it is not simply around the outline.
dealer: cards, work (hands are shown there), tray, discard, shoe (or shuffler), bonus and community (common cards).
seat: numbered from the dealer's left; angle is the way the player's cards point, 0 along +y, counter-clockwise.
spots.NAME: one for each wager, named as the house sheet names it.
payouts.NAME: where its winnings are put, if that is not around the spot.
The places {origin}: move them to where the print has them."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    table = commands.add_parser("table", help="layouts and tables", description="Layouts and tables.")
    verbs = table.add_subparsers(required=True, metavar="new|check|show|fitness")
    _add_new(verbs)
    table_fitness.add(verbs)
    check = add_command(verbs, "check", "what is wrong with a table, or with a layout (one JSON object)", _check)
    check.add_argument("table", metavar="TABLE|LAYOUT", help="a table or a layout: its name, its file, or its folder")
    show = add_command(verbs, "show", "draw every place of a felt, flat or as the camera sees it", _show)
    show.add_argument("table", metavar="TABLE|LAYOUT", help="a table or a layout: its name, its file, or its folder")
    show.add_argument("--frame", type=Path, metavar="IMAGE", help="a picture of the table's calibrated camera")
    show.add_argument("--out", type=Path, required=True, metavar="OUT.png", help="the picture to write")


def _add_new(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    new = add_command(verbs, "new", "a layout from a photograph of the empty table, or a table with a layout", _new)
    new.add_argument("folder", metavar="FOLDER", type=Path, help="the folder to write")
    kind = new.add_mutually_exclusive_group(required=True)
    kind.add_argument(
        "--photo", type=Path, metavar="IMAGE", help="a new layout: the empty table, from anywhere above it"
    )
    kind.add_argument("--layout", metavar="LAYOUT", help="a new table: its layout's folder, or a shipped one's name")
    new.add_argument("--name", metavar="NAME", help="its name (that of the folder)")
    photo = new.add_argument_group("a new layout")
    photo.add_argument(
        "--point", action="append", default=[], metavar="U,V=X,Y", help="a pixel and its place in mm; four or more"
    )
    photo.add_argument("--size", metavar="W,H", help="of the felt in mm (as large as the points need)")
    photo.add_argument("--mm-per-px", type=float, default=1.0, metavar="MM", help="of the artwork (1)")
    photo.add_argument("--like", metavar="LAYOUT", help="start with the places of another layout")
    photo.add_argument(
        "--seats", type=int, default=SEATS, metavar="N", help=f"else with N seats along an arc ({SEATS})"
    )
    table = new.add_argument_group("a new table")
    table.add_argument("--house", metavar="SHEET", help="a house sheet, or a shipped one's name")
    table.add_argument("--chips", metavar="SET", help="a chip set's file, or a shipped one's name")
    table.add_argument("--source", metavar="URL", help="the camera's address, or a video")
    table.add_argument(
        "--deck", action="append", default=[], metavar="FACES,BACK", help="a deck in use; may be repeated"
    )


def _new(arguments: argparse.Namespace) -> int:
    record = _new_layout(arguments) if arguments.photo else _new_table(arguments)
    print(json.dumps(record, ensure_ascii=False))
    return DONE


def _new_layout(arguments: argparse.Namespace) -> dict[str, object]:
    """Write a layout's folder: the felt from above, the same with a grid, and a layout to be completed."""
    from vision.calibrate.rectify import Mark, rectify
    from vision.table.layout import read_layout
    from vision.table.naming import find_layout
    from vision.values.picture import read_picture

    folder: Path = arguments.folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: is there already: want a new folder")
    if not 0.1 <= arguments.mm_per_px <= 10:
        raise InputError(f"--mm-per-px: {arguments.mm_per_px:g}: want 0.1 to 10")
    if not 1 <= arguments.seats <= MOST_SEATS:
        raise InputError(f"--seats: {arguments.seats}: want 1 to {MOST_SEATS}")
    marks = [Mark.parse(text) for text in arguments.point]
    like = read_layout(find_layout(arguments.like)) if arguments.like else None
    found = rectify(read_picture(arguments.photo), marks, _size(arguments, like), arguments.mm_per_px)
    layout = _first_layout(arguments, found.artwork, like)
    origin = f"are those of {arguments.like}" if arguments.like else "are a guess"
    _write_layout(folder, found.artwork, layout, REMARK.format(origin=origin))
    return {
        "layout": str(folder),
        "size_mm": layout.size_mm,
        "mm_per_px": layout.mm_per_px,
        "residuals_mm": {str(mark): round(far, 1) for mark, far in zip(marks, found.residuals_mm, strict=True)},
        "seen": round(found.seen, 3),
    }


def _size(arguments: argparse.Namespace, like: "Layout | None") -> tuple[float, float] | None:
    """Return the size that is asked for, or that of the other felt."""
    if arguments.size:
        return _pair("--size", arguments.size)
    return (like.size_mm[0], like.size_mm[1]) if like else None


def _first_layout(arguments: argparse.Namespace, artwork: "Artwork", like: "Layout | None") -> "Layout":
    from vision.table.sketch import layout_like, sketch_layout

    name = arguments.name or arguments.folder.resolve().name
    size = artwork.size_mm
    layout = layout_like(like, name, size) if like else sketch_layout(name, size, arguments.seats)
    return layout.model_copy(update={"mm_per_px": artwork.mm_per_px, "photographed": True})


def _write_layout(folder: Path, artwork: "Artwork", layout: "Layout", remark: str) -> None:
    """Write all three files or none."""
    from vision.draw.grid import draw_grid
    from vision.table.layout_text import layout_text
    from vision.values.picture import write_picture

    folder.resolve().parent.mkdir(parents=True, exist_ok=True)
    half = folder.resolve().with_name(f".{folder.resolve().name}.half")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir()
    try:
        write_picture(half / "artwork.png", artwork.picture)
        write_picture(half / "grid.png", draw_grid(artwork))
        (half / "layout.toml").write_text(layout_text(layout, remark), encoding="utf-8")
        half.rename(folder.resolve())  # an empty folder gives way, one with files does not
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _new_table(arguments: argparse.Namespace) -> dict[str, object]:
    """Write a table file for a layout that there is."""
    from vision.commands.table_check import table_findings
    from vision.table.naming import LAYOUT_FILE
    from vision.table.table import Table, TableFile

    folder: Path = arguments.folder
    path = folder / "table.toml"
    if path.exists():
        raise InputError(f"{path}: is there already: want a new folder")
    for option in ("house", "chips"):
        if getattr(arguments, option) is None:
            raise InputError(f"--{option}: missing: a table needs a layout, a house sheet and chips")
    file = TableFile(
        name=arguments.name or folder.resolve().name,
        source=arguments.source,
        layout=_from(folder, arguments.layout, LAYOUT_FILE),
        chips=_from(folder, arguments.chips),
        house=_from(folder, arguments.house),
        deck=[_deck(text) for text in arguments.deck],
    )
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)  # paths are looked up from here
    findings = table_findings(Table(path, file))
    if findings.errors:
        if is_new:
            folder.rmdir()
        raise InputError("; ".join(findings.errors))
    half = folder / ".table.toml.half"
    half.write_text(_table_text(file), encoding="utf-8")
    half.replace(path)
    return findings.record()


def _from(folder: Path, name: str, inside: str = "") -> str:
    """Return a file or folder as seen from the table's folder; what is none is the name of a shipped one."""
    return os.path.relpath(name, folder) if (Path(name) / inside).is_file() else name


def _deck(text: str) -> "DeckEntry":
    from vision.table.table import DeckEntry

    faces, comma, back = text.partition(",")
    if not (faces and comma and back):
        raise InputError(f"--deck: {shown(text)}: want FACES,BACK: 'standard,rings-blue'")
    return DeckEntry(faces=faces, back=back)


def _table_text(file: "TableFile") -> str:
    """Return a table file's text; a JSON string is a TOML string."""
    plain = {"name": file.name, "source": file.source, "layout": file.layout, "chips": file.chips, "house": file.house}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in plain.items() if value is not None]
    for deck in file.deck:
        lines += ["", "[[deck]]", f"faces = {json.dumps(deck.faces)}", f"back = {json.dumps(deck.back)}"]
    return "\n".join(lines) + "\n"


def _pair(option: str, text: str) -> tuple[float, float]:
    try:
        one, two = map(float, text.split(","))
    except ValueError:
        raise InputError(f"{option}: {shown(text)}: want two numbers: '2200,1040'") from None
    return one, two


def _check(arguments: argparse.Namespace) -> int:
    from vision.commands.table_check import find_target, layout_findings, table_findings

    target = find_target(arguments.table)
    findings = layout_findings(target) if isinstance(target, Path) else table_findings(target)
    print(json.dumps(findings.record(), ensure_ascii=False))
    for error in findings.errors:
        print(f"feltwatch: {error}", file=sys.stderr)
    return FAILED if findings.errors else DONE


def _show(arguments: argparse.Namespace) -> int:
    from vision.values.picture import write_picture

    write_picture(arguments.out, _picture(arguments))
    return DONE


def _picture(arguments: argparse.Namespace) -> "Picture":
    from vision.commands.table_check import find_target
    from vision.draw.overlay import draw_flat, draw_overlay, plain_ground
    from vision.table.artwork import read_artwork
    from vision.table.layout import read_layout
    from vision.values.picture import read_picture

    target = find_target(arguments.table)
    if arguments.frame is not None:
        if isinstance(target, Path):
            raise InputError(f"--frame: {target} is a layout: want a table, whose camera is known")
        return draw_overlay(read_picture(arguments.frame), target.camera, target.layout)
    folder = target if isinstance(target, Path) else target.layout_folder
    layout = read_layout(folder)
    return draw_flat(read_artwork(folder, layout) if layout.artwork else plain_ground(layout), layout)
