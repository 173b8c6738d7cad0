"""The filmed suite: each step is done once, and a run follows from kept observations as it would from the video."""

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from studio.film.filmset import FilmSet
from studio.film.production import Order, ordered_look
from studio.scripted.observations import Noise, scripted_clip
from studio.suites.build import checksum
from studio.suites.filmed import DONE, RUN, WISH, SuiteFolder, film_clip, judge, keep, orders, replay_clip
from studio.suites.houses import write_houses
from studio.suites.plan import Job, plan
from studio.suites.working import alone
from vision.cli import main
from vision.score.records import read_truth
from vision.table.table import read_table
from vision.table.views import measure_view
from vision.values.errors import InputError

SAMPLE = Path(__file__).parents[3] / "datasets" / "samples" / "clean"
LOOK = (("felt", "emerald-arc"), ("face", "jumbo"), ("rig", "pit"))  # as datasets/README.md says of the sample


@pytest.fixture
def suite(tmp_path: Path) -> tuple[SuiteFolder, Job]:
    """A suite whose first clip is filmed and seen; nothing was followed yet."""
    suite = SuiteFolder(tmp_path)
    job = plan(WISH, write_houses(suite.houses))[0]
    shutil.copytree(SAMPLE, suite.clip(job))
    (suite.clip(job) / DONE).write_text(json.dumps(asdict(job)), encoding="utf-8")
    seen = scripted_clip(Order(rounds=1, seed=44, seats=(2, 4, 5), size="720p", look=LOOK), Noise(), 15.0)
    keep(suite.observations(job), list(seen))
    return suite, job


def test_kept_observations_are_followed_and_scored(
    suite: tuple[SuiteFolder, Job], capsys: pytest.CaptureFixture[str]
) -> None:
    place, job = suite
    command = ["suite", "filmed", str(place.out), "--step", "replay"]
    assert main(command) == 0
    document = json.loads((place.out / "summary.json").read_text(encoding="utf-8"))
    assert document["rounds"]["true"] == document["rounds"]["read"] == 1
    assert document["suite"]["name"] == "filmed"
    assert json.loads(capsys.readouterr().out)["summary"] == str(place.out / "summary.json")
    before = (place.run(job) / RUN).stat().st_mtime_ns
    assert main(command) == 0
    assert (place.run(job) / RUN).stat().st_mtime_ns == before
    assert main([*command, "--again"]) == 0
    assert (place.run(job) / RUN).stat().st_mtime_ns > before
    assert main(["score", str(place.out / "runs"), str(place.out / "clips")]) == 0


def test_rates_of_detectors_that_never_err(suite: tuple[SuiteFolder, Job], capsys: pytest.CaptureFixture[str]) -> None:
    place, _ = suite
    assert main(["suite", "filmed", str(place.out), "--step", "rates"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    shares = {row["rate"]: row["share"] for row in rows if row.get("of") and "share" in row}
    expected = {  # the model of what hides what is not the renderer's, so a look may differ
        "cards face up, 80% and more shows: looks that find them": 1.0,
        "cards face down, 80% and more shows: looks that find them": 1.0,
        "cards face up, 80% and more shows: never found while they lie": 0.0,
        "faces, 80% and more shows: misread": 0.0,
        "faces, 80% and more shows: not read": 0.0,
        "stacks of 2 to 6 chips, steep views: miscounted": 0.0,
        "stacks of 2 to 6 chips, steep views: value wrong": 0.0,
    }
    assert {name: shares[name] for name in expected} == pytest.approx(expected, abs=0.02)


def test_a_run_of_another_program_is_done_again(suite: tuple[SuiteFolder, Job]) -> None:
    place, job = suite
    assert not place.is_run(job)
    replay_clip(place, job)
    assert place.is_run(job)
    score, crashed = judge(place, job)
    assert crashed is None
    assert len(score.rounds) == 1
    (place.run(job) / RUN).write_text('{"build": "older", "crashed": null}', encoding="utf-8")
    assert not place.is_run(job)


def test_a_clip_of_another_plan_is_refused(suite: tuple[SuiteFolder, Job]) -> None:
    place, job = suite
    assert place.is_filmed(job)
    (place.clip(job) / DONE).write_text(json.dumps(asdict(job) | {"seed": 9}), encoding="utf-8")
    with pytest.raises(InputError, match="another clip than this suite's: want the --seed"):
        place.is_filmed(job)


def test_views_take_turns(tmp_path: Path) -> None:
    suite = SuiteFolder(tmp_path)
    jobs = plan(WISH, write_houses(suite.houses))
    assert [job.view for job in jobs[:5]] == ["reference", "good", "reference", "legacy", "good"]
    first = orders(suite, jobs[0])[0]
    assert (first.split, first.view, first.fps) == ("test", "reference", 12)
    film_set = FilmSet(ordered_look(first))
    assert measure_view(film_set.look.camera, film_set.layout).name == "reference"


def test_a_suite_of_one_view(tmp_path: Path) -> None:
    jobs = plan(replace(WISH, views=("good",)), write_houses(tmp_path))
    assert {job.view for job in jobs} == {"good"}


def test_two_do_not_film_into_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with alone(tmp_path, "film"):
        assert main(["suite", "filmed", str(tmp_path), "--step", "film"]) == 1
    assert "another `feltwatch suite` is at the step 'film' here" in capsys.readouterr().err


def test_nothing_filmed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "filmed", str(tmp_path), "--step", "replay"]) == 1
    assert "no clip is filmed" in capsys.readouterr().err


def test_a_checksum_covers_what_is_imported() -> None:
    assert checksum("vision.alerts.judge") == checksum("vision.alerts.judge")
    assert (
        len({checksum(name) for name in ("vision.alerts.judge", "vision.observe.observer", "vision.values.money")}) == 3
    )
    assert checksum("vision.values.money", "vision.values.cards") != checksum("vision.values.money")
    assert checksum("studio.scripted.noise") != checksum("vision.values.cards")  # the workshop's code counts too


@pytest.mark.slow
def test_a_clip_is_filmed_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    suite = SuiteFolder(tmp_path, size="720p")
    write_houses(suite.houses)
    job = Job(number=7, seed=1, house="maryland", dealing="hand", rounds=1, faults=("underpaid",), seats=(2,))
    film_clip(suite, job)
    assert suite.is_filmed(job)
    table = read_table(suite.clip(job))
    assert table.house_path == suite.clip(job) / "house.toml"
    (played,) = read_truth(suite.clip(job) / "truth.jsonl").rounds
    assert [fault.code for fault in played.faults] == ["underpaid"]
