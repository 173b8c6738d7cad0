"""`feltwatch calibrate`: register a felt to its camera."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from vision.commands.adding import DONE, FAILED, add_command
from vision.values.errors import InputError

if TYPE_CHECKING:
    from vision.calibrate.fit import LensHint
    from vision.calibrate.register import Registration
    from vision.table.table import Table
    from vision.values.picture import Picture


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    calibrate = add_command(commands, "calibrate", "register the felt to the camera: where everything is", _calibrate)
    calibrate.add_argument("table", metavar="TABLE", help="a table: its name, its file, or its folder")
    source = calibrate.add_mutually_exclusive_group()
    source.add_argument("--frame", type=Path, metavar="IMAGE", help="a picture of the table, with or without a game")
    source.add_argument(
        "--source", metavar="URL", help="a video file or stream; without either: the table's own source"
    )
    calibrate.add_argument(
        "--point",
        action="append",
        default=[],
        metavar="U,V=PLACE",
        help="a clicked point: 812,433=3.ante or, in mm on the table, 812,433=-250,215",
    )
    calibrate.add_argument("--points-only", action="store_true", help="use the points alone, not the print")
    calibrate.add_argument("--focal", type=float, metavar="PX", help="the focal length, where it is known")
    calibrate.add_argument("--overlay", type=Path, metavar="OUT.png", help="draw spots and seats on the picture")
    calibrate.add_argument("--dry-run", action="store_true", help="say how good it is, save nothing")


def _calibrate(arguments: argparse.Namespace) -> int:
    from vision.table.camera_file import camera_path, save_camera
    from vision.table.naming import find_table
    from vision.table.table import read_table

    table = read_table(find_table(arguments.table))
    picture = _picture(arguments, table)
    found = _registered(arguments, table, picture)
    saves = found.is_good and not arguments.dry_run
    if arguments.overlay is not None:
        _draw(arguments.overlay, picture, table, found)
    if saves:
        save_camera(camera_path(table.path), found.camera, found.record())
    print(json.dumps({**found.record(), "saved": str(camera_path(table.path)) if saves else None}, ensure_ascii=False))
    if found.is_good:
        return DONE
    print(f"feltwatch: {table.path}: not good enough, nothing saved: {'; '.join(found.problems)}", file=sys.stderr)
    return FAILED


def _picture(arguments: argparse.Namespace, table: "Table") -> "Picture":
    """Return the picture to register."""
    from vision.capture.video import typical
    from vision.values.picture import read_picture

    if arguments.frame is not None:
        return read_picture(arguments.frame)
    source = arguments.source or table.source
    if source is None:
        raise InputError(f"{table.path}: source: missing: want --frame IMAGE or --source URL")
    return typical(source)


def _registered(arguments: argparse.Namespace, table: "Table", picture: "Picture") -> "Registration":
    from vision.calibrate.clicks import parse_click
    from vision.calibrate.register import register, register_clicks
    from vision.table.artwork import read_artwork

    clicks = [parse_click(text, table.layout) for text in arguments.point]
    hint = _hint(arguments, table)
    if arguments.points_only or (clicks and table.layout.artwork is None):
        return register_clicks(clicks, (picture.shape[1], picture.shape[0]), table.layout, hint)
    artwork = read_artwork(table.layout_folder, table.layout)
    found = register(picture, artwork, table.layout, hint, clicks)
    if found is None:
        raise InputError(
            f"{table.path}: layout {table.layout.name!r}: its print is nowhere to be seen in the picture:"
            " another felt, or a view of something else? --point may help"
        )
    return found


def _hint(arguments: argparse.Namespace, table: "Table") -> "LensHint":
    from vision.calibrate.fit import LensHint

    if arguments.focal is not None and arguments.focal <= 0:
        raise InputError(f"--focal: {arguments.focal:g}: want more than 0 px")
    known = table.file.lens
    focal = arguments.focal or (known.focal_px if known else None)
    bent = known.distortion if known else None
    return LensHint(focal, (bent[0], bent[1]) if bent else None)


def _draw(path: Path, picture: "Picture", table: "Table", found: "Registration") -> None:
    from vision.draw.overlay import draw_overlay
    from vision.values.picture import write_picture

    write_picture(path, draw_overlay(picture, found.camera, table.layout))
