"""Several clips from one order: a folder each, the same whatever the number of processes, none filmed twice."""

from pathlib import Path

import pytest

from studio.film.batch import film_clips
from studio.film.production import Order
from vision.cli import main

ORDER = Order(rounds=1, seed=5, seats=(2,), size="720p", fps=1, truth_every=100)


@pytest.mark.slow
def test_clips_are_filmed_side_by_side_and_kept(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    film_clips(ORDER, 2, 2, tmp_path, lambda done, total: told.append((done, total)))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000005", "000006"]
    truths = [(tmp_path / name / "truth.jsonl").read_bytes() for name in ("000005", "000006")]
    assert truths[0] != truths[1]
    assert told == [(1, 2), (2, 2)]
    told.clear()
    film_clips(ORDER, 2, 1, tmp_path, lambda done, total: told.append((done, total)))
    assert told == [], "both are there"
    (tmp_path / "000006" / "truth.jsonl").unlink()
    film_clips(ORDER, 2, 1, tmp_path, lambda done, total: told.append((done, total)))
    assert told == [(2, 2)]
    assert (tmp_path / "000006" / "truth.jsonl").read_bytes() == truths[1]


@pytest.mark.parametrize("words", [["--clips", "0"], ["--workers", "0"]])
def test_no_clips_are_refused(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(tmp_path / "out"), *words]) == 1
    assert "want 1 or more" in capsys.readouterr().err
