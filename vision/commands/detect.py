"""`feltwatch detect`: what the detectors see in single pictures."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from vision.commands.adding import DONE, FAILED, add_command
from vision.values.errors import InputError, VisionError

if TYPE_CHECKING:
    from vision.detect.detection import Detection
    from vision.detect.detectors import Detectors
    from vision.table.table import Table
    from vision.values.chips import ChipSet
    from vision.values.geometry import Camera
    from vision.values.picture import Picture


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    detect = add_command(commands, "detect", "what the detectors see in single pictures (JSON lines)", _detect)
    detect.add_argument("image", nargs="+", metavar="IMAGE", help="pictures of any size and source")
    detect.add_argument("--draw", type=Path, metavar="OUT.png", help="draw it; a folder for several pictures")
    detect.add_argument("--chips", metavar="SET", help="the chips in use: a chip set's file, or a shipped one's name")
    detect.add_argument("--table", metavar="TABLE", help="a table: its chips, and its camera for exact stack heights")
    detect.add_argument("--threads", type=int, default=1, metavar="N", help="for the networks (1)")


def _detect(arguments: argparse.Namespace) -> int:
    from vision.detect.detectors import Detectors  # networks are slow to load, and other commands need none

    if arguments.draw and len(arguments.image) > 1 and not arguments.draw.is_dir():
        raise InputError(f"--draw: {arguments.draw}: want a folder for {len(arguments.image)} pictures")
    chips, camera = _setting(arguments)
    eyes = Detectors(arguments.threads)
    code = DONE
    for name in arguments.image:
        try:
            _one(eyes, name, arguments.draw, chips, camera)
        except VisionError as error:  # the other pictures are still looked at
            print(f"feltwatch: {error}", file=sys.stderr)
            code = FAILED
    return code


def _one(eyes: "Detectors", name: str, out: Path | None, chips: "ChipSet | None", camera: "Camera | None") -> None:
    from vision.detect.report import report
    from vision.values.picture import read_picture

    picture = read_picture(Path(name))
    height, width = picture.shape[:2]
    if camera is not None and (width, height) != (camera.lens.width, camera.lens.height):
        raise InputError(f"{name}: {width} x {height}: want {camera.lens.width} x {camera.lens.height}, as the camera")
    detections = eyes.detect(picture, chips, camera)
    print(json.dumps(report(name, (width, height), detections)), flush=True)
    if out is not None:
        _draw(out / f"{Path(name).stem}.png" if out.is_dir() else out, picture, detections)


def _draw(path: Path, picture: "Picture", detections: "list[Detection]") -> None:
    from vision.draw.detections import draw
    from vision.values.picture import write_picture

    write_picture(path, draw(picture, detections))


def _setting(arguments: argparse.Namespace) -> "tuple[ChipSet | None, Camera | None]":
    """Return the chips and the camera that the arguments name."""
    from vision.table.naming import find_table
    from vision.table.table import read_table
    from vision.values.chips import read_chip_set
    from vision.values.resources import shipped

    table: Table | None = read_table(find_table(arguments.table)) if arguments.table else None
    camera = table.camera if table else None
    if arguments.chips:
        beside = Path(arguments.chips)
        path = beside if beside.suffix == ".toml" else shipped("calibration") / "chips" / f"{arguments.chips}.toml"
        return read_chip_set(path), camera
    return (table.chips if table else None), camera
