"""What the suites play: enough of everything, fair from the beginning on, and the same for the same seed."""

from collections import Counter
from pathlib import Path

import pytest

from studio.play.faults import FAULTS, possible_faults
from studio.suites import filmed, scripted
from studio.suites.houses import Place, sheet_path, write_houses
from studio.suites.plan import CLEAN, COUNT_DUE, Job, Wish, code_of, plan
from vision.rules.book.sheet import HouseSheet
from vision.values.errors import InputError

CODES = {code_of(name) for name in FAULTS}


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> dict[Place, HouseSheet]:
    return write_houses(tmp_path_factory.mktemp("houses"))


def counts(jobs: list[Job]) -> Counter[str]:
    return Counter(code_of(name) for job in jobs for name in job.faults or [CLEAN] * job.rounds)


def test_every_house_deals_in_every_way(sheets: dict[Place, HouseSheet], tmp_path: Path) -> None:
    assert {house for house, _ in sheets} == {"maryland", "pennsylvania", "south-dakota", "washington"}
    assert Counter(method for _, method in sheets) == {"manual_shoe": 4, "hand": 4, "automated": 4}
    assert all(sheet.deal_method == method for (_, method), sheet in sheets.items())
    write_houses(tmp_path)
    assert sheet_path(tmp_path, ("maryland", "hand")).is_file()


def test_scripted_makes_every_fault_fifty_times(sheets: dict[Place, HouseSheet]) -> None:
    jobs = plan(scripted.WISH, sheets)
    found = counts(jobs)
    assert sum(job.rounds for job in jobs) >= 3000
    assert set(found) == {*CODES, CLEAN}
    assert min(found.values()) >= 50
    assert {job.place for job in jobs} == set(sheets)
    assert {name for job in jobs for name in job.faults} == set(FAULTS)
    assert {job.innocents for job in jobs if not job.faults} == {0.0, 1.0}


def test_filmed_makes_every_visible_fault_thrice(sheets: dict[Place, HouseSheet]) -> None:
    jobs = plan(filmed.WISH, sheets)
    found = counts(jobs)
    assert sum(job.rounds for job in jobs) >= 120
    assert set(found) == {*CODES, CLEAN} - {*filmed.INVISIBLE}
    assert min(found.values()) >= 3
    assert found[CLEAN] >= 40
    assert all(job.innocents == 1.0 for job in jobs if not job.faults)
    assert all(1 <= len(job.seats) <= 2 for job in jobs)


def test_every_beginning_is_fair(sheets: dict[Place, HouseSheet]) -> None:
    found = counts(plan(Wish(rounds=400), sheets))
    faults = [found[code] for code in CODES]
    assert max(faults) - min(faults) <= 4
    assert 0.3 < found[CLEAN] / found.total() < 0.5


def test_more_rounds_begin_with_the_same_jobs(sheets: dict[Place, HouseSheet]) -> None:
    few, many = (plan(Wish(rounds=rounds), sheets) for rounds in (30, 90))
    assert many[: len(few)] == few
    assert plan(Wish(rounds=30, seed=2), sheets) != few
    seeds = [job.order(0, Path()).seed for job in many]
    assert len({*seeds}) == len(seeds)


def test_faults_are_made_where_they_are_faults(sheets: dict[Place, HouseSheet]) -> None:
    for job in plan(Wish(rounds=300), sheets):
        assert set(job.faults) <= set(possible_faults(sheets[job.place]))


def test_a_count_is_due_after_five_rounds_on_film(sheets: dict[Place, HouseSheet]) -> None:
    jobs = plan(Wish(rounds=20, only=(COUNT_DUE,)), sheets)
    assert {job.rounds for job in jobs} == {5}
    assert {job.faults.index(COUNT_DUE) for job in jobs} == {4}


def test_only_some(sheets: dict[Place, HouseSheet]) -> None:
    jobs = plan(Wish(rounds=20, only=("underpaid", "late-wager:cap", CLEAN)), sheets)
    assert {name for job in jobs for name in job.faults} == {"underpaid", "late-wager:cap"}
    assert not all(job.faults for job in jobs)
    jobs = plan(Wish(rounds=20, only=(CLEAN,)), sheets)
    assert not any(job.faults for job in jobs)
    with pytest.raises(InputError, match=r"--only: 'overpayed': want one of .*overpaid"):
        plan(Wish(rounds=20, only=("overpayed",)), sheets)
