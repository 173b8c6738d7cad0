"""The ledger of reserved looks: a drawer and the command that opens it enter; the looks leave, and a line is written.

A closing measurement opens a drawer by name; anything else is refused. The ledger is kept with the project, so that
everyone can see which look was opened when, and by what.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from studio.art.drawers import DRAWERS, RESERVED
from vision.capture.video import SECOND_NS
from vision.values.clock import Clock
from vision.values.errors import InputError

LEDGER: Final = Path(__file__).parents[2] / "datasets" / "looks-opened.jsonl"  # the workshop runs from a checkout
OPENS: Final = "`feltwatch suite filmed OUT --split DRAWER`"


def drawn_from(drawer: str, opened_by: str | None, ledger: Path = LEDGER) -> dict[str, tuple[str, ...]]:
    """Return the looks of a drawer, by kind, to the command that has opened it."""
    if opened_by is None or not is_open(drawer, opened_by, ledger):
        raise InputError(f"--split: {drawer}: this drawer is closed: only a closing measurement opens it: {OPENS}")
    return {kind: drawers[drawer] for kind, drawers in RESERVED.items()}


def is_open(drawer: str, command: str, ledger: Path = LEDGER) -> bool:
    """Return whether the ledger says that a command has opened a drawer."""
    return any(line["drawer"] == drawer and line["command"] == command for line in openings(ledger))


def open_drawer(drawer: str, command: str, clock: Clock, ledger: Path = LEDGER) -> str:
    """Write into the ledger that a command opens a drawer; a command that goes on is written once."""
    if drawer not in DRAWERS:
        raise InputError(f"--split: {drawer}: want one of {', '.join(DRAWERS)}")
    if not is_open(drawer, command, ledger):
        looks = {kind: list(drawers[drawer]) for kind, drawers in RESERVED.items()}
        at = datetime.fromtimestamp(clock.now_ns() // SECOND_NS, UTC).isoformat()
        with ledger.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"at": at, "drawer": drawer, "command": command, "looks": looks}) + "\n")
    return command


def openings(ledger: Path = LEDGER) -> list[dict[str, str]]:
    """Return all openings, the first one first."""
    if not ledger.is_file():
        return []
    return [json.loads(line) for line in ledger.read_text(encoding="utf-8").splitlines() if line]
