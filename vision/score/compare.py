"""What changed between two runs: their folders enter, one change per field leaves, round by round."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final

from vision.records.alert import Alert
from vision.score.clip import below
from vision.score.matching import best_pairs
from vision.score.records import ALERTS, COVERAGE, ROUNDS, Round, parsed, read_lines, standing
from vision.values.errors import InputError

EVENTS: Final = "events.jsonl"
Record = dict[str, Any]
Alerts = dict[tuple[Any, ...], Record]  # by round, code, seat and wager; of several alike, the others are numbered


@dataclass(frozen=True)
class Change:
    """One field that differs; a field that is not there is None. `round` is None for what is outside of rounds."""

    clip: str
    round: str | None
    field: str
    before: object
    after: object

    def record(self) -> Record:
        """Return the change as it is printed."""
        return {name: getattr(self, name) for name in ("clip", "round", "field", "before", "after")}


@dataclass(frozen=True)
class Comparison:
    """All changes, and how many rounds were compared."""

    changes: tuple[Change, ...]
    rounds: int

    def summary(self) -> Record:
        """Return the counts: rounds, those that changed, and changes by kind of field."""
        changed = {(change.clip, change.round) for change in self.changes if change.round is not None}
        fields = Counter(_kind_of(change.field) for change in self.changes)
        numbers = {"rounds": self.rounds, "changed_rounds": len(changed), "changes": len(self.changes)}
        return {"summary": {**numbers, "fields": dict(sorted(fields.items()))}}


def compare(before: Path, after: Path) -> Comparison:
    """Compare two runs, or all runs of the same names below two folders."""
    changes: list[Change] = []
    rounds = 0
    for clip, first, second in _clips(before, after):
        if first is None or second is None:
            there = [None if folder is None else str(folder) for folder in (first, second)]
            changes.append(Change(clip, None, "run", *there))
            continue
        pairs = _pair(_rounds(first / ROUNDS), _rounds(second / ROUNDS))
        rounds += len(pairs)
        changes += [change for pair in pairs for change in _round_changes(clip, *pair)]
        names = {new["id"]: old["id"] for old, new in pairs if old and new}
        changes += _alert_changes(clip, _alerts(first / ALERTS, {}), _alerts(second / ALERTS, names))
        changes += [
            change for name in (COVERAGE, EVENTS) for change in _file_changes(clip, first / name, second / name)
        ]
    return Comparison(tuple(changes), rounds)


def differences(before: object, after: object, path: str = "") -> Iterator[tuple[str, object, object]]:
    """Yield path, before and after of every field in which two values differ."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            yield from differences(before.get(key), after.get(key), f"{path}.{key}" if path else str(key))
    elif _is_table(before) and _is_table(after):
        yield from _line_differences(before, after, path)
    elif before != after:
        yield path, before, after


def _is_table(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, dict) for entry in value)


def _line_differences(before: Any, after: Any, path: str) -> Iterator[tuple[str, object, object]]:
    """Yield what was taken from, put into or changed in a list of objects; what only moved on is no change."""
    old_lines, new_lines = ([json.dumps(entry, sort_keys=True) for entry in entries] for entries in (before, after))
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old_lines, new_lines, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for k in range(max(i2 - i1, j2 - j1)):
            old = before[i1 + k] if i1 + k < i2 else None
            new = after[j1 + k] if j1 + k < j2 else None
            here = f"{path}[{i1 + k if old is not None else j1 + k}]"
            yield from differences(old, new, here)


def _clips(before: Path, after: Path) -> list[tuple[str, Path | None, Path | None]]:
    if (before / ROUNDS).is_file() or (after / ROUNDS).is_file():
        return [(after.resolve().name, before, after)]
    names = [below(folder, ROUNDS) for folder in (before, after)]
    for folder, found in zip((before, after), names, strict=True):
        if not found:
            raise InputError(f"{folder}: {ROUNDS}: neither in this folder nor in one below it")
    return [
        (name, before / name if name in names[0] else None, after / name if name in names[1] else None)
        for name in sorted({*names[0], *names[1]})
    ]


def _rounds(path: Path) -> list[Record]:
    """Read the rounds of a run in the order of time; the seats of each by their numbers."""
    found = []
    for number, line in read_lines(path):
        checked = parsed(path, number, line, Round)
        record: Record = json.loads(line)
        record["seats"] = {str(seat["seat"]): seat for seat in record.get("seats", [])}
        found.append((checked.started_ns, record))
    return [record for _, record in sorted(found, key=lambda entry: entry[0])]


def _pair(before: Sequence[Record], after: Sequence[Record]) -> list[tuple[Record | None, Record | None]]:
    """Pair the rounds of two runs by the time they share."""
    spans = [[(entry["started_ns"], entry["ended_ns"]) for entry in entries] for entries in (before, after)]
    found = dict(best_pairs(*spans))
    matched = set(found.values())
    pairs: list[tuple[Record | None, Record | None]] = [
        (entry, after[found[i]] if i in found else None) for i, entry in enumerate(before)
    ]
    return pairs + [(None, entry) for j, entry in enumerate(after) if j not in matched]


def _round_changes(clip: str, before: Record | None, after: Record | None) -> Iterator[Change]:
    name = (before or after or {}).get("id")
    if before is None or after is None:
        yield Change(clip, name, "round", before and before["id"], after and after["id"])
        return
    yield from (Change(clip, name, *found) for found in differences(before, after))


def _alert_changes(clip: str, before: Alerts, after: Alerts) -> Iterator[Change]:
    """Yield the alerts, as they stand at the end, that only one run raised; the others' times where they differ."""
    for key in dict.fromkeys((*before, *after)):
        field = "alerts." + " ".join(str(part) for part in key[1:] if part is not None)
        yield from (Change(clip, key[0], *found) for found in differences(before.get(key), after.get(key), field))


def _alerts(path: Path, names: Mapping[str, str]) -> Alerts:
    """Return what is said of each alert, by round, code, seat and wager; `names`: what the other run calls a round."""
    alerts: Alerts = {}
    for alert in standing([parsed(path, number, line, Alert) for number, line in read_lines(path)]):
        key: tuple[Any, ...] = (names.get(alert.round or "", alert.round), alert.code, alert.seat, alert.wager)
        twins = sum(known[: len(key)] == key for known in alerts)
        alerts[(*key, twins + 1) if twins else key] = {"t_ns": alert.t_ns, "state": alert.state}
    return alerts


def _file_changes(clip: str, before: Path, after: Path) -> Iterator[Change]:
    """Yield how many lines of a file only one run wrote."""
    lines = [Counter(_canonical(path, *line) for line in read_lines(path)) for path in (before, after)]
    only = [(lines[0] - lines[1]).total(), (lines[1] - lines[0]).total()]
    if any(only):
        yield Change(clip, None, f"{before.stem} lines of its own", *only)


def _canonical(path: Path, number: int, line: bytes) -> str:
    try:
        return json.dumps(json.loads(line), sort_keys=True)
    except ValueError as error:
        raise InputError(f"{path}: line {number}: not JSON: {error}") from error


def _kind_of(field: str) -> str:
    """Return a field without its numbers: 'seats.3.cards' counts as 'seats.*.cards'."""
    words = ["*" if word.isdigit() else word.split("[")[0].split(" ")[0] for word in field.split(".")]
    return ".".join(words)
