"""`feltwatch chips`: chip sets from photographs."""

import argparse
import json
from pathlib import Path

from vision.commands.adding import DONE, above_nought, add_command
from vision.values.errors import InputError
from vision.values.resources import shipped
from vision.values.sizes import CHIP_DIAMETER_MM, CHIP_THICKNESS_MM

PICTURES = (".png", ".jpg", ".jpeg")


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    chips = commands.add_parser("chips", help="chip sets", description="Chip sets.")
    verbs = chips.add_subparsers(required=True, metavar="enrol")
    enrol = add_command(
        verbs, "enrol", "a chip set from photographs; look at its contact sheet before using it", _enrol
    )
    enrol.add_argument("name", metavar="NAME", help="the set's name")
    enrol.add_argument(
        "sources", metavar="SOURCE", nargs="+", type=Path,
        help="photographs, or folders of them: of each denomination one from above and one from the side, one chip "
        "on plain ground, the file named by its dollars (25-above.jpg); names with 'stack' in a folder are left out",
    )  # fmt: skip
    enrol.add_argument("--diameter", type=above_nought, default=CHIP_DIAMETER_MM, metavar="MM", help="of a chip")
    enrol.add_argument("--thickness", type=above_nought, default=CHIP_THICKNESS_MM, metavar="MM", help="of a chip")
    enrol.add_argument("--out", type=Path, metavar="FOLDER", help="where the set is written (calibration/chips)")


def _enrol(arguments: argparse.Namespace) -> int:
    from vision.detect.chip_enrolment import enrol, write_set

    size = (arguments.diameter, arguments.thickness)
    found = enrol(_photographs(arguments.sources), size[1] / size[0])
    sheet = write_set(arguments.name, found, size, arguments.out or shipped("calibration") / "chips")
    contact = sheet.parent / arguments.name / "contact-sheet.png"
    print(json.dumps({"set": str(sheet), "chips": [chip.cents for chip in found], "contact_sheet": str(contact)}))
    return DONE


def _photographs(sources: list[Path]) -> list[Path]:
    found: list[Path] = []
    for source in sources:
        if source.is_dir():
            inside = sorted(path for path in source.iterdir() if path.suffix.lower() in PICTURES)
            found += [path for path in inside if "stack" not in path.stem]
        else:
            found.append(source)
    if not found:
        raise InputError(f"{sources[0]}: no photographs: want PNG or JPEG files")
    return found
