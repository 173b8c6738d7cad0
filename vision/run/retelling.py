"""A run told again from its facts alone: a facts file enters; rounds, alerts and events leave as files."""

from pathlib import Path

from pydantic import ValidationError

from vision.alerts.story_teller import StoryTeller
from vision.records.fact import Fact, parse_fact
from vision.rules.book.sheet import read_sheet
from vision.run.record_files import Records
from vision.table.table import Table
from vision.values.errors import InputError, complaint


def retell(path: Path, table: Table, out: Path) -> dict[str, int]:
    """Tell the rounds of a facts file; return how many records there are of each kind."""
    facts = read_facts(path)
    teller = StoryTeller(table.file.name, read_sheet(table.house_path), table.layout)
    with Records(out) as records:
        for fact in facts:
            for message in teller.update(fact):
                records.put(message)
    return {"facts": len(facts), **records.count}


def read_facts(path: Path) -> list[Fact]:
    """Read a facts file; an error names the line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return [_fact(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _fact(path: Path, number: int, line: str) -> Fact:
    try:
        return parse_fact(line)
    except ValidationError as error:
        raise InputError(f"{path}: line {number}: {complaint(error)}") from error
