"""Facts as records: one text form, rounded when made, told apart by their kind."""

import json
from typing import Any, get_args

import pytest
from pydantic import ValidationError
from schemas import validator

from vision.records.fact import (
    FACT,
    MAX_LOG_ODDS,
    Appeared,
    Changed,
    Covered,
    Ended,
    Fact,
    Flew,
    Place,
    Read,
    SignalFact,
    Tick,
    Trip,
    View,
    parse_fact,
    parse_facts,
)
from vision.records.signal import Signal

PLACE = Place(x=100.04, y=-3.26, sigma_mm=2.3, angle=-0.04, zones=(("seat.1.ante", 0.7000001), ("seat.2.ante", 0.3)))
ABOUT: dict[str, Any] = {
    "known_ns": 2_000,
    "t_ns": 1_000,
    "thing": 7,
    "after_ns": 500,
    "place": PLACE,
    "log_odds": 2.345,
}
FACTS: list[Fact] = [
    Appeared(**ABOUT, thing_kind="card_down", by=((3, 0.9),), frames=(11, 12)),
    Changed(**ABOUT, thing_kind="stack", content=1, grew=0.99),
    Read(**ABOUT, thing_kind="stack", looks=4, content=0, amounts=((2500, 0.8), (500, 0.1)), counts=((1, 0.95),)),
    Read(**ABOUT, thing_kind="card_up", looks=4, faces={"As": 0.9, "Ad": 0.05}),
    Flew(**ABOUT, thing_kind="card_down", path=((900, 1.0, 2.0), (950, 30.0, 40.0))),
    Trip(
        known_ns=3_000, t_ns=1_000, trip=3, end_ns=2_900, who=(("dealer", 0.9), ("3", 0.05)), path=((1_000, 1.0, 2.0),)
    ),
    Covered(known_ns=3_000, t_ns=1_000, end_ns=None, zone="seat.1.ante", share=0.5),
    View(known_ns=3_000, t_ns=3_000, state="moved", moved_px=12.5),
    SignalFact(known_ns=3_000, t_ns=2_999, signal=Signal(t_ns=2_999, kind="no-more-bets")),
    Tick(known_ns=3_000, t_ns=3_000, quiet_ns=2_000, hands=1),
    Ended(known_ns=3_000, t_ns=3_000),
]


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.kind)
def test_a_fact_is_read_as_it_was_written(fact: Fact) -> None:
    assert parse_fact(str(fact)) == fact
    assert str(parse_fact(str(fact))) == str(fact)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.kind)
def test_a_fact_is_as_the_schema_promises(fact: Fact) -> None:
    assert not list(validator("fact").iter_errors(json.loads(str(fact))))


def test_numbers_are_rounded_when_a_fact_is_made() -> None:
    assert (PLACE.x, PLACE.y, PLACE.zones[0][1]) == (100.0, -3.3, 0.7)
    assert str(PLACE.angle) == "0.0"  # not -0.0: equal facts have equal bytes
    assert Appeared(**{**ABOUT, "log_odds": 1e9}, thing_kind="stack").log_odds == MAX_LOG_ODDS


def test_every_kind_has_a_name_of_its_own() -> None:
    kinds = [kind.model_fields["kind"].default for kind in get_args(get_args(Fact)[0])]
    assert len(set(kinds)) == len(kinds) == len(FACT.json_schema()["discriminator"]["mapping"])


def test_a_line_that_is_no_fact_is_refused() -> None:
    with pytest.raises(ValidationError, match="kind"):
        parse_fact('{"kind": "guessed", "t_ns": 0, "known_ns": 0}')
    with pytest.raises(ValidationError, match="thing"):
        parse_fact('{"kind": "vanished", "t_ns": 0, "known_ns": 0}')


def test_empty_lines_are_passed_over() -> None:
    assert parse_facts([str(FACTS[-1]), "\n", ""]) == [FACTS[-1]]
