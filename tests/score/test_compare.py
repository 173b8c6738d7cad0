"""Two runs side by side: what changed, field by field."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stories import NS, Record, alert, as_read, true_round, write, write_run

from vision.cli import main
from vision.score.compare import compare, differences

Spoil = Callable[[Record], object]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (1, 1, []),
        ({"a": 1, "b": 2}, {"b": 3}, [("a", 1, None), ("b", 2, 3)]),
        ({"cards": ["As", "Kd"]}, {"cards": ["As"]}, [("cards", ["As", "Kd"], ["As"])]),
        ({"e": [{"k": 1}, {"k": 2}]}, {"e": [{"k": 1}, {"k": 9}]}, [("e[1].k", 2, 9)]),
        ({"e": [{"k": 1}, {"k": 2}]}, {"e": [{"k": 2}]}, [("e[0]", {"k": 1}, None)]),
        ({"e": [{"k": 1}]}, {"e": []}, [("e", [{"k": 1}], [])]),
    ],
)
def test_differences(before: object, after: object, expected: list[Any]) -> None:
    assert list(differences(before, after)) == expected


def runs(tmp_path: Path, second: list[Record], alerts: list[Record] | None = None) -> tuple[Path, Path]:
    first = [as_read(true_round(1)), as_read(true_round(2, 60))]
    return write_run(tmp_path / "a", first, [alert("underpaid", 40, 2, "ante")]), write_run(
        tmp_path / "b", second, [alert("underpaid", 40, 2, "ante")] if alerts is None else alerts
    )


def test_equal_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = runs(tmp_path, [as_read(true_round(1)), as_read(true_round(2, 60))])
    assert main(["compare", str(a), str(b)]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "summary": {"rounds": 2, "changed_rounds": 0, "changes": 0, "fields": {}}
    }


def test_changes_are_told_round_by_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = as_read(true_round(2, 60))
    changed["seats"][0]["cards"][0] = "4h"
    changed["seats"][1]["wagers"]["ante"]["cents"] = 1200
    a, b = runs(tmp_path, [changed, as_read(true_round(1))])
    assert main(["compare", str(a), str(b)]) == 1
    *lines, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert [(line["round"], line["field"]) for line in lines] == [
        ("t-2", "seats.2.cards"),
        ("t-2", "seats.5.wagers.ante.cents"),
    ]
    assert (lines[1]["before"], lines[1]["after"]) == (1250, 1200)
    fields = {"seats.*.cards": 1, "seats.*.wagers.ante.cents": 1}
    assert summary["summary"] == {"rounds": 2, "changed_rounds": 1, "changes": 2, "fields": fields}


def test_lost_rounds_alerts_and_lines(tmp_path: Path) -> None:
    a, b = runs(tmp_path, [as_read(true_round(1))], [alert("underpaid", 41, 2, "ante"), alert("overpaid", 44, 5)])
    write(b / "events.jsonl", [{"kind": "bet", "t_ns": NS}])
    found = [(change.round, change.field, change.before, change.after) for change in compare(a, b).changes]
    assert found == [
        ("t-2", "round", "t-2", None),
        ("t-1", "alerts.underpaid 2 ante.t_ns", 40 * NS, 41 * NS),
        ("t-1", "alerts.overpaid 5", None, {"t_ns": 44 * NS, "state": "raised"}),
        (None, "coverage lines of its own", 1, 1),
        (None, "events lines of its own", 0, 1),
    ]


def test_another_name_of_a_round_is_one_change(tmp_path: Path) -> None:
    renamed = [as_read(true_round(1), id="n-1"), as_read(true_round(2, 60))]
    a, b = runs(tmp_path, renamed, [alert("underpaid", 40, 2, "ante", round="n-1")])
    assert [change.field for change in compare(a, b).changes] == ["id"]


def test_folders_of_runs(tmp_path: Path) -> None:
    for name in ("x", "y"):
        write_run(tmp_path / "one" / name, [as_read(true_round())])
    write_run(tmp_path / "two" / "x", [as_read(true_round())])
    found = compare(tmp_path / "one", tmp_path / "two")
    assert [(change.clip, change.field, change.after) for change in found.changes] == [("y", "run", None)]


def test_bad_runs_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = runs(tmp_path, [as_read(true_round(1))])
    assert main(["compare", str(a), str(tmp_path / "nowhere")]) == 1
    assert "nowhere/rounds.jsonl: cannot be read" in capsys.readouterr().err
    (b / "events.jsonl").write_text("{oh", encoding="utf-8")
    assert main(["compare", str(a), str(b)]) == 1
    assert "events.jsonl: line 1: not JSON" in capsys.readouterr().err
    assert main(["compare", str(tmp_path / "n"), str(tmp_path / "m")]) == 1
