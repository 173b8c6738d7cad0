"""`feltwatch score` as a user meets it: files, folders of clips, floors, and errors that name the line."""

import json
from pathlib import Path

import pytest
from stories import NS, alert, as_read, fault, true_round, write, write_run

from vision.cli import main
from vision.score.edges import edges_px
from vision.score.marks import CLEAR_PX
from vision.score.records import read_truth

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"


@pytest.fixture
def clip(tmp_path: Path) -> tuple[Path, Path]:
    """A run that saw all, and its truth."""
    true = true_round(faults=[fault("underpaid", 40, 2, "ante")])
    write(tmp_path / "truth" / "truth.jsonl", [{"kind": "clip", "fps": 10}, true, {"kind": "frame", "objects": []}])
    return write_run(tmp_path / "run", [as_read(true)], [alert("underpaid", 41, 2, "ante")]), tmp_path / "truth"


def test_the_report_is_printed_and_saved(clip: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    run, truth = clip
    assert main(["score", str(run), str(truth), "--check"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert document == json.loads((run / "score.json").read_text(encoding="utf-8"))
    assert {entry["measure"]: entry["met"] for entry in document["measures"] if entry["floor"] is not None} == {
        "cards": True,
        "wagers": True,
        "steep_bounded": None,
        "rounds": True,
        "recall": True,
        "worst_recall": None,
        "false_alerts": True,
        "delay_p95": True,
        "unverifiable": True,
    }
    assert "1 rounds: 1 exactly right" in err
    assert "rounds exactly right" in err


def test_the_file_of_the_truth_will_do(clip: tuple[Path, Path]) -> None:
    assert main(["score", str(clip[0]), str(clip[1] / "truth.jsonl")]) == 0


def test_a_missed_floor_fails_only_a_check(clip: tuple[Path, Path]) -> None:
    run, truth = clip
    write(run / "alerts.jsonl", [])
    assert main(["score", str(run), str(truth)]) == 0
    assert main(["score", str(run), str(truth), "--check"]) == 1


def test_folders_of_clips_are_pooled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, is_read in (("a", True), ("b", False)):
        write(tmp_path / "truths" / name / "truth.jsonl", [true_round()])
        write_run(tmp_path / "runs" / name, [as_read(true_round())] if is_read else [])
    write(tmp_path / "truths" / "c" / "truth.jsonl", [true_round()])
    words = ["score", str(tmp_path / "runs"), str(tmp_path / "truths")]
    assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["rounds"] == {"true": 2, "read": 1, "missed": 1, "invented": 0, "exact": 1}
    assert [(entry["clip"], entry["measures"]["rounds"]) for entry in document["clips"]] == [("a", 1.0), ("b", 0.0)]
    assert document["unscored"] == ["c"]
    assert (tmp_path / "runs" / "score.json").is_file()


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("rounds.jsonl", None, "rounds.jsonl: neither in this folder nor in one below it"),
        ("alerts.jsonl", None, "alerts.jsonl: cannot be read: No such file or directory"),
        ("coverage.jsonl", None, "coverage.jsonl: cannot be read: No such file or directory"),
        ("alerts.jsonl", '\n{"id": "a", "code"', "alerts.jsonl: line 2: "),
        ("alerts.jsonl", '{"id": "a", "code": "x"}', "alerts.jsonl: line 1: t_ns: missing"),
        ("alerts.jsonl", '{"id": "a", "code": "x", "t_ns": 1.5}', "line 1: t_ns: 1.5: "),
        ("coverage.jsonl", '{"start_ns": 0, "end_ns": 1, "state": "asleep"}', "line 1: state: 'asleep': "),
    ],
)
def test_bad_files_are_named(
    clip: tuple[Path, Path], file: str, text: str | None, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run, truth = clip
    if text is None:
        (run / file).unlink()
    else:
        (run / file).write_text(text, encoding="utf-8")
    assert main(["score", str(run), str(truth)]) == 1
    assert message in capsys.readouterr().err


def test_bad_rounds_are_named(clip: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    run, truth = clip
    good = as_read(true_round())
    bad = as_read(true_round(2, 60))
    bad["seats"][0]["cards"][3] = "1z"
    write(run / "rounds.jsonl", [good, bad])
    assert main(["score", str(run), str(truth)]) == 1
    assert "rounds.jsonl: line 2: seats[0].cards[3]: '1z': " in capsys.readouterr().err
    write(run / "rounds.jsonl", [good, good])
    assert main(["score", str(run), str(truth)]) == 1
    assert "id: 't-1': want one line per round" in capsys.readouterr().err


def test_the_truth_of_another_clip_is_refused(clip: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    run, truth = clip
    write(truth / "truth.jsonl", [true_round(start_s=500)])
    assert main(["score", str(run), str(truth)]) == 1
    assert "the truth of another clip?" in capsys.readouterr().err
    write(truth / "truth.jsonl", [{"kind": "clip", "fps": 10}])
    assert main(["score", str(run), str(truth)]) == 1
    assert "no line of kind 'round'" in capsys.readouterr().err


def test_a_truth_of_another_table_is_warned_of(clip: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    run, truth = clip
    write(run / "rounds.jsonl", [as_read(true_round(table="u"))])
    assert main(["score", str(run), str(truth)]) == 0
    assert "table 'u' is not in the truth" in capsys.readouterr().err


def test_a_filmed_truth_is_read() -> None:
    truth = read_truth(SAMPLES / "mispay" / "truth.jsonl")
    assert [fault.code for each in truth.rounds for fault in each.faults] == ["winner-collected"]
    edges = edges_px(truth)
    assert {wager for _, wager in edges} >= {"ante", "aces_up"}
    assert all(0 < edge < 2 * CLEAR_PX for edge in edges.values())
    assert truth.rounds[0].ended_ns > 35 * NS
