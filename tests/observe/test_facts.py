"""The facts of rounds that are seen without errors are what happened."""

import pytest

from studio.scripted.facts import ScriptedFacts, facts_of, scripted_facts
from studio.scripted.gauge import Report, compare
from vision.observe.facts import FactObserver
from vision.observe.frame_observation import FrameObservation
from vision.records.fact import Ended, SignalFact, Trip, View, parse_facts
from vision.records.signal import Signal

ROUNDS = ((3, "maryland", None), (21, "washington", "underpaid"), (8, "maryland", "late-wager:bet"))
LEAST = {  # `feltwatch suite facts OUT --noise none` tells them of as many rounds as wanted
    "cards told": 0.985,
    "cards read": 0.98,
    "cards kept": 0.985,
    "stacks told": 0.99,
    "stacks read": 0.96,
    "stacks kept": 0.98,
    "things that are true": 0.98,
    "owners of trips": 0.9,
}
OWNERS = pytest.mark.xfail(
    reason="boxes of simulated arms hold what lies beyond the picture's edge: an arm seems to slant", strict=True
)


@pytest.fixture(scope="module")
def told() -> list[ScriptedFacts]:
    return [scripted_facts(seed, house, fault) for seed, house, fault in ROUNDS]


@pytest.fixture(scope="module")
def report(told: list[ScriptedFacts]) -> Report:
    report = Report()
    for one in told:
        report.add(compare(one.clip, one.facts), str(one.clip.order.seed))
    return report


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=OWNERS if name == "owners of trips" else ()) for name in LEAST]
)
def test_facts_are_what_happened(report: Report, name: str) -> None:
    cases = report.counts[f"{name}: cases"]
    assert cases > 0
    assert report.counts[f"{name}: right"] >= LEAST[name] * cases, report.misses


def test_facts_are_few(told: list[ScriptedFacts]) -> None:
    assert all(len(one.facts) < 1500 * len(one.rounds) for one in told)


def test_the_same_observations_give_the_same_facts(told: list[ScriptedFacts]) -> None:
    lines = [str(fact) for fact in told[0].facts]
    assert [str(fact) for fact in facts_of(told[0].clip)] == lines
    assert [str(fact) for fact in parse_facts(lines)] == lines


def test_facts_are_told_in_the_order_in_which_they_are_known(told: list[ScriptedFacts]) -> None:
    for one in told:
        known = [fact.known_ns for fact in one.facts]
        assert known == sorted(known)
        assert all(fact.t_ns <= fact.known_ns for fact in one.facts)
        assert isinstance(one.facts[-1], Ended)


def test_trips_are_begun_before_facts_name_them(told: list[ScriptedFacts]) -> None:
    for one in told:
        begun: set[int] = set()
        for fact in one.facts:
            if isinstance(fact, Trip):
                begun.add(fact.trip)
            assert {trip for trip, _ in getattr(fact, "by", ())} <= begun


def test_views_gaps_and_signals_are_passed_on(told: list[ScriptedFacts]) -> None:
    observer = FactObserver(told[0].clip.layout)
    seconds = (0, 1, 10, 11)
    states = [observer.update(FrameObservation(i, t * 10**9, (), is_sure=t != 11)) for i, t in enumerate(seconds)]
    views = [[fact.state for fact in facts if isinstance(fact, View)] for facts in states]
    assert views == [["clear"], [], ["gap", "clear"], ["unsure"]]
    (signal,) = observer.signal(Signal(t_ns=5, kind="no-more-bets"))
    assert isinstance(signal, SignalFact)
    assert signal.known_ns == 11 * 10**9
