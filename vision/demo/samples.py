"""Sample footage: names enter, tables with a video and its length leave."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vision.capture.video import SECOND_NS, length_ns
from vision.table.naming import TABLE_FILE
from vision.table.table import read_table
from vision.values.errors import InputError
from vision.values.resources import shipped

SHOWN: Final = ("exposed-dealer-card", "mispay")  # what the demo plays, in this order


@dataclass(frozen=True, slots=True)
class Sample:
    """A table that was filmed, with the truth beside it."""

    name: str
    table: str
    folder: Path
    seconds: int

    @property
    def truth(self) -> Path:
        """Return the file that says what really happened."""
        return self.folder / "truth.jsonl"


def find_samples(names: Sequence[str] = SHOWN) -> list[Sample]:
    """Return samples by name; an installed package has none, and says where they are."""
    return [_find(name) for name in names]


def _find(name: str) -> Sample:
    folder = shipped("datasets") / "samples" / name
    if not (folder / TABLE_FILE).is_file():
        raise InputError(f"datasets/samples/{name}: no such footage: a checkout has it, an installed package does not")
    table = read_table(folder)
    if table.source is None:
        raise InputError(f"{table.path}: source: missing: want the sample's video")
    return Sample(name, table.file.name, folder, (length_ns(table.source) or 0) // SECOND_NS)
