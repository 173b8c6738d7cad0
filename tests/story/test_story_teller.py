"""Rounds told from facts alone: scripted facts enter; records leave, and are held against the truth.

These rounds guard what works. How often it works is measured by the suites, not here.
"""

import json
from pathlib import Path

import pytest

from studio.scripted.facts import ScriptedFacts, scripted_facts
from vision.alerts.story_teller import StoryTeller
from vision.records.fact import parse_fact
from vision.records.message import Message
from vision.score.marks import EXACT, marks_of
from vision.score.records import Round, TrueRound
from vision.values.errors import InputError


def told(scripted: ScriptedFacts) -> list[Message]:
    teller = StoryTeller("t", scripted.clip.sheet, scripted.clip.layout)
    return [message for fact in scripted.facts for message in teller.update(fact)]


def rounds(messages: list[Message]) -> list[Round]:
    return [Round.model_validate_json(str(m.record)) for m in messages if m.topic == "rounds"]


def alerts(messages: list[Message]) -> list[dict[str, object]]:
    """Return the alerts that stand in the end: of the lines with an id the last one."""
    last = {str(m.record.plain()["id"]): m.record.plain() for m in messages if m.topic == "alerts"}
    return [alert for alert in last.values() if alert["state"] != "withdrawn"]


@pytest.mark.slow
@pytest.mark.parametrize("house", ["maryland", "south-dakota"])
def test_a_clean_round_is_told_as_it_was(house: str) -> None:
    scripted = scripted_facts(4242, house)
    messages = told(scripted)
    true = TrueRound.model_validate_json(json.dumps(scripted.rounds[0]))
    wrong = [m for m in marks_of(true, rounds(messages)[0], {}) if m.what in EXACT and not m.is_right]
    assert wrong == []
    assert alerts(messages) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "house", "name"),
    [
        (4243, "maryland", "underpaid"),  # a chip short
        (4252, "maryland", "loser-paid"),  # paid, though the hand lost
        (4254, "south-dakota", "winner-not-paid:aces-up"),  # nothing came
    ],
)
def test_a_wrong_payment_is_alerted_with_its_innocent_story(seed: int, house: str, name: str) -> None:
    scripted = scripted_facts(seed, house, name)
    (fault,) = scripted.rounds[0]["faults"]
    found = [a for a in alerts(told(scripted)) if a["code"] == fault["code"]]
    assert [(a["seat"], a["wager"]) for a in found][-1:] == [(fault["seat"], fault["wager"])]
    innocent = found[-1]["innocent"]
    assert isinstance(innocent, dict)
    assert innocent["probability"] == pytest.approx(1 - float(str(found[-1]["confidence"])), abs=0.002)


@pytest.mark.slow
def test_the_same_facts_give_the_same_bytes_also_from_a_file() -> None:
    scripted = scripted_facts(4244, "washington")
    again = ScriptedFacts(scripted.clip, [parse_fact(str(fact)) for fact in scripted.facts])
    assert [str(m.record) for m in told(scripted)] == [str(m.record) for m in told(again)]


def test_a_line_that_is_no_fact_is_named(tmp_path: Path) -> None:
    from vision.run.retelling import read_facts

    path = tmp_path / "facts.jsonl"
    path.write_text(
        '{"kind":"tick","known_ns":1,"t_ns":1,"quiet_ns":0,"hands":0}\n{"kind":"guess"}\n', encoding="utf-8"
    )
    with pytest.raises(InputError, match=r"facts\.jsonl: line 2: "):
        read_facts(path)
