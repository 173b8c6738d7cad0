"""What people said was so, as truth: the store enters, the files of a run and its truth leave, for `feltwatch score`.

A round is truth when somebody has reviewed it: with what was corrected, and with the alerts that were found true as its
faults. Rounds that nobody looked at say nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.records.record import canonical
from vision.store import reading, work
from vision.store.log import Store
from vision.store.reading import TRUE, AlertRow, DispositionRow, RoundRow
from vision.web.correcting import corrected

PAGE = 200
FILES = ("truth.jsonl", "rounds.jsonl", "alerts.jsonl", "coverage.jsonl")


@dataclass(frozen=True, slots=True)
class Labelled:
    """How much was written."""

    rounds: int
    corrections: int
    faults: int


def write(store: Store, table: str, folder: Path) -> Labelled:
    """Write the reviewed rounds of a table: as it was recorded, and as it really was."""
    folder.mkdir(parents=True, exist_ok=True)
    lines: dict[str, list[str]] = {name: [] for name in FILES}
    count = Labelled(0, 0, 0)
    for row in _reviewed(store, table):
        if row.body is None:
            continue
        fixes, faults = work.corrections_of(store, row.id), _faults(store, row)
        truth = {"kind": "round", **corrected(row.body, fixes).plain(), "faults": faults}
        lines["truth.jsonl"].append(canonical(truth | {"events": [], "alerts": []}))
        lines["rounds.jsonl"].append(str(row.body))
        lines["alerts.jsonl"] += [str(alert.body) for alert in row.alerts]
        count = Labelled(count.rounds + 1, count.corrections + len(fixes), count.faults + len(faults))
    for name, written in lines.items():
        (folder / name).write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
    return count


def _reviewed(store: Store, table: str) -> Iterator[RoundRow]:
    before: int | None = None
    while rows := reading.rounds(store, table=table, disposed_only=True, before=before, limit=PAGE):
        yield from rows
        before = rows[-1].row


def _faults(store: Store, row: RoundRow) -> list[dict[str, Any]]:
    """Return the alerts of a round that were found true, as the truth writes faults."""
    said = reading.dispositions_of(store, row.id)
    true = [alert for alert in row.alerts if alert.state != "withdrawn" and _is_true(alert, said)]
    return [
        {"code": alert.code, "seat": alert.body.seat, "wager": alert.body.wager, "t_ns": alert.body.evidence.start_ns}
        for alert in true
    ]


def _is_true(alert: AlertRow, said: list[DispositionRow]) -> bool:
    """Tell whether what was said last of an alert, or of all its round, is that it was true."""
    last = next((each.body.finding for each in said if each.body.alert in (None, alert.id)), None)
    return last in TRUE
