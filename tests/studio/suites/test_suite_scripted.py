"""The scripted suite: the same lines from one process and from two, kept until the program changes."""

import json
from pathlib import Path
from typing import Any

import pytest

from studio.suites.houses import write_houses
from studio.suites.plan import Job, Wish, plan
from studio.suites.scripted import LINES, Line, Stage, judge, play
from studio.suites.working import follow
from vision.cli import main

FEW = ["--rounds", "3", "--only", "underpaid,clean", "--noise", "none"]


def summary(out: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    return document


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished suite of a few rounds."""
    out = tmp_path_factory.mktemp("scripted")
    assert main(["suite", "scripted", str(out), *FEW]) == 0
    return out


def test_the_summary_pools_all_rounds(done: Path) -> None:
    document = summary(done)
    assert document["suite"]["name"] == "scripted"
    assert document["rounds"]["true"] >= 3
    assert document["alerts"]["underpaid"]["faults"] >= 1
    assert document["faults"]["underpaid"]["faults"] == document["alerts"]["underpaid"]["faults"]
    groups = {entry["clip"]: entry["rounds"]["true"] for entry in document["groups"]}
    assert groups["with a fault"] + groups.get("without fault", 0) + groups.get("without fault, innocents", 0) == sum(
        count for name, count in groups.items() if name.startswith("dealt ")
    )
    assert document["crashed"] == {}


def test_two_processes_say_the_same(done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "scripted", str(tmp_path), *FEW, "--workers", "2"]) == 0
    assert (tmp_path / LINES).read_bytes() == (done / LINES).read_bytes()
    assert summary(tmp_path) == summary(done)
    out, err = capsys.readouterr()
    assert json.loads(out)["rounds"] == summary(done)["rounds"]
    assert "Group by group" in err


def test_a_stopped_run_goes_on(done: Path, tmp_path: Path) -> None:
    stage = Stage(tmp_path, "none")
    jobs = plan(Wish(rounds=3, only=("underpaid", "clean")), write_houses(stage.houses))
    whole = (done / LINES).read_text(encoding="utf-8")
    first = whole.splitlines(keepends=True)[0]
    stale = first.replace('"key":"', '"key":"of another program')
    stage.lines.write_text(stale + whole[:-20], encoding="utf-8")  # killed while writing the last line
    told: list[tuple[int, int]] = []
    lines = play(stage, jobs, 1, lambda so_far, total: told.append((so_far, total)))
    assert stage.lines.read_text(encoding="utf-8") == whole
    assert told == [(len(jobs) - 1, len(jobs)), (len(jobs), len(jobs))]
    assert [line.number for line in lines] == [job.number for job in jobs]


def test_other_noise_is_another_result(tmp_path: Path) -> None:
    job = Job(number=0, seed=1, house="maryland", dealing="hand", rounds=1)
    keys = {Stage(tmp_path, noise).key(job) for noise in ("none", "usual")}
    assert len(keys) == 2


class Failing:
    """A pipeline with a mistake in it."""

    def update(self, observation: object) -> list[object]:
        raise ZeroDivisionError(f"at {observation}")


def test_a_failure_counts_as_rounds_missed(done: Path) -> None:
    judged = follow(Failing(), ["the first observation"])  # type: ignore[arg-type, list-item]
    assert judged.messages == ()
    assert "ZeroDivisionError: at the first observation" in (judged.crashed or "")
    text = (done / LINES).read_text(encoding="utf-8").splitlines()[0]
    line = Line.model_validate_json(text).model_copy(update={"rounds": (), "alerts": (), "coverage": ()})
    score = judge(Stage(done), line)
    assert [each.pair.read for each in score.rounds] == [None] * len(line.truth)


@pytest.mark.parametrize("words", [["--rounds", "0"], ["--workers", "0"], ["--only", "nothing"], ["--seed", "-1"]])
def test_wrong_wishes_are_named(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "scripted", str(tmp_path), *words]) == 1
    assert words[0] in capsys.readouterr().err
