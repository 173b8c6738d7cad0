"""`feltwatch table fitness`: what a camera can prove, spot by spot, or where to hang one."""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vision.commands.adding import DONE, add_command
from vision.values.errors import InputError

if TYPE_CHECKING:
    from vision.calibrate.fitness import Fitness
    from vision.calibrate.planning import Plan
    from vision.table.layout import Layout
    from vision.table.table import Table
    from vision.values.chips import ChipSet
    from vision.values.geometry import Camera


@dataclass(frozen=True)
class Judged:
    """A camera's fitness with all that is needed to draw it; `plan` where the camera is only planned."""

    fitness: "Fitness"
    camera: "Camera"
    folder: Path  # of the layout
    layout: "Layout"
    chips: "ChipSet | None"
    plan: "Plan | None" = None


PLANNING = ("height", "tilt", "azimuth", "resolution", "focal", "best", "view")


def add(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    fitness = add_command(verbs, "fitness", "what a camera can prove, or where to hang one", _fitness)
    fitness.add_argument("table", metavar="TABLE|LAYOUT", help="a calibrated table; for planning a layout will do")
    fitness.add_argument(
        "--frame", type=Path, metavar="IMAGE", help="a picture of its camera: tells sharpness and light"
    )
    fitness.add_argument("--json", action="store_true", help="all numbers as one JSON object, not words")
    fitness.add_argument("--out", type=Path, metavar="OUT.png", help="draw the felt coloured by what can be proved")
    plan = fitness.add_argument_group("planning, without a camera")
    plan.add_argument("--height", type=float, metavar="MM", help="of the camera above the felt")
    plan.add_argument("--tilt", type=float, metavar="DEG", help="of its view, off the vertical")
    plan.add_argument(
        "--azimuth", type=float, metavar="DEG", help="0 from the players' middle, 90 the dealer's left (0)"
    )
    plan.add_argument("--resolution", metavar="SIZE", help="1080p, 1440p, 5mp, 4k, or WIDTHxHEIGHT (4k)")
    plan.add_argument("--focal", metavar="PX|DEGdeg", help="pixels, or the field of view: 62deg (zoomed to the felt)")
    plan.add_argument("--best", action="store_true", help="find the best mounting; what is given stays as it is")
    plan.add_argument("--view", choices=("reference", "good", "legacy"), help="the class that must be reached")


def _fitness(arguments: argparse.Namespace) -> int:
    from vision.calibrate.fitness_words import record, words
    from vision.commands.table_check import find_target

    target = find_target(arguments.table)
    is_planning = any(
        getattr(arguments, name) is not None and getattr(arguments, name) is not False for name in PLANNING
    )
    judged = _planned(arguments, target) if is_planning else _calibrated(arguments, target)
    if arguments.out:
        _draw(arguments.out, judged)
    if arguments.json:
        where = {"mounting": judged.plan.record()} if judged.plan else {}
        print(json.dumps({"table": arguments.table, **where, **record(judged.fitness)}, ensure_ascii=False))
    else:
        print("\n".join([*_mounting_words(judged.plan), *words(judged.fitness)]))
    return DONE


def _calibrated(arguments: argparse.Namespace, target: "Table | Path") -> Judged:
    """Judge the camera that a table has."""
    from vision.calibrate.fitness import assess
    from vision.values.picture import read_picture

    if isinstance(target, Path):
        raise InputError(
            f"{target}: a layout has no camera: want a calibrated table, or --height and --tilt, or --best"
        )
    frame = read_picture(arguments.frame) if arguments.frame else None
    camera = target.camera
    fitness = assess(camera, target.layout, target.chips, frame)
    return Judged(fitness, camera, target.layout_folder, target.layout, target.chips)


def _planned(arguments: argparse.Namespace, target: "Table | Path") -> Judged:
    """Judge a camera that is not there yet."""
    from vision.calibrate.planning import Wish, best, planned
    from vision.table.layout import read_layout

    if arguments.frame:
        raise InputError("--frame: a camera that is planned has no picture: leave it out")
    folder = target if isinstance(target, Path) else target.layout_folder
    layout, chips = read_layout(folder), None if isinstance(target, Path) else target.chips
    wish = Wish(
        resolution=arguments.resolution or "4k",
        height_mm=arguments.height,
        tilt_deg=arguments.tilt,
        azimuth_deg=arguments.azimuth,
        focal=arguments.focal,
        view=arguments.view,
    )
    plan = (best if arguments.best else planned)(wish, layout, chips)
    return Judged(plan.fitness, plan.camera, folder, layout, chips, plan)


def _draw(out: Path, judged: Judged) -> None:
    from vision.draw.fitness import draw_fitness
    from vision.draw.overlay import plain_ground
    from vision.table.artwork import read_artwork
    from vision.values.picture import write_picture
    from vision.values.sizes import CHIP_THICKNESS_MM

    layout = judged.layout
    artwork = read_artwork(judged.folder, layout) if layout.artwork else plain_ground(layout)
    thickness_mm = judged.chips.thickness_mm if judged.chips else CHIP_THICKNESS_MM
    write_picture(out, draw_fitness(judged.fitness, judged.camera, artwork, layout, thickness_mm))


def _mounting_words(plan: "Plan | None") -> list[str]:
    """Say where a planned camera hangs."""
    if plan is None:
        return []
    place = plan.record()
    aim = f"{place['tilt_deg']} degrees off the vertical, azimuth {place['azimuth_deg']} degrees"
    field = f"focal length {place['focal_px']} px (field of view {place['field_of_view_deg']} degrees)"
    return [f"Mounting: {place['height_mm']} mm above the felt, {aim}; {place['resolution']}, {field}."]
