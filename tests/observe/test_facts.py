"""The facts of rounds that are seen without errors are what happened."""

from studio.scripted.facts import facts_of, scripted_facts
from studio.scripted.gauge import compare
from vision.records.fact import parse_facts


def test_facts_of_a_round_are_what_happened() -> None:
    told = scripted_facts(3)
    counts = compare(told.clip, told.facts).counts
    for name in ("cards told", "cards read", "cards kept", "stacks told"):
        assert counts[f"{name}: right"] == counts[f"{name}: cases"] > 0, name


def test_the_same_observations_give_the_same_facts() -> None:
    told = scripted_facts(5)
    lines = [str(fact) for fact in told.facts]
    assert [str(fact) for fact in facts_of(told.clip)] == lines
    assert [str(fact) for fact in parse_facts(lines)] == lines
    assert len(lines) < 1500 * len(told.rounds)
