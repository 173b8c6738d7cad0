"""What other systems say: lines of JSON enter, signals leave; each line is checked by its kind."""

import json
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from vision.records.signal import Signal
from vision.rules.text.pays import METERS
from vision.values.errors import InputError, complaint, shown

KINDS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {  # the fields it needs, and those it may have
    "no-more-bets": ((), ()),
    "progressive": (("seat", "cents"), ()),
    "meter": (("name", "cents"), ()),
    "shuffler-count": (("number",), ()),
    "stub-count": (("number",), ()),
    "deck": ((), ("name", "since_ns")),
}


def read_signals(path: Path) -> list[Signal]:
    """Read what other systems said, one JSON object per line; see `docs/replay.md`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return [_named(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _named(path: Path, number: int, line: str) -> Signal:
    try:
        return read_signal(line)
    except InputError as error:
        raise InputError(f"{path}: line {number}: {error}") from error


def read_signal(line: str) -> Signal:
    """Read one signal; an error names the field, its value and the wish."""
    try:
        found = Signal.model_validate(json.loads(line))
    except json.JSONDecodeError as error:
        raise InputError(f"{shown(line)}: want a JSON object") from error
    except ValidationError as error:
        raise InputError(complaint(error)) from error
    _check(found)
    return found


def _check(line: Signal) -> None:
    """Refuse a kind that nobody knows, and fields that are missing or not of the kind."""
    if line.kind not in KINDS:
        raise InputError(f"kind: {shown(line.kind)}: want one of {', '.join(KINDS)}")
    needed, may_have = KINDS[line.kind]
    given = line.model_dump(exclude={"t_ns", "kind"})
    for field in needed:
        if field not in given:
            raise InputError(f"{field}: missing: a signal {shown(line.kind)} needs it")
    for field, value in given.items():
        if field not in (*needed, *may_have):
            raise InputError(f"{field}: {shown(value)}: a signal {shown(line.kind)} has none")
    if line.kind == "meter" and line.name not in METERS:
        raise InputError(f"name: {shown(line.name)}: want one of {', '.join(METERS)}")
    if line.since_ns is not None and line.since_ns > line.t_ns:
        raise InputError(f"since_ns: {line.since_ns}: want a time not after t_ns: {line.t_ns}")
