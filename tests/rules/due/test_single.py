"""Single wagers line by line: the form of the answer, and everything that can be wrong with a line."""

import json
from typing import Any

import pytest

from vision.rules.due.wire import Settler

TIGER: dict[str, Any] = {
    "id": "t",
    "section": "645b.2",
    "wager": "Tiger 9 Wager",
    "inputs": {"dealer_low_hand": ["9c", "7d"], "stake_cents": 1000},
}
PAIRS: dict[str, Any] = {
    "section": "627b.1",
    "wager": "Perfect Pairs Wager",
    "paytable": "A",
    "inputs": {"decks": 8, "player": ["9h", "9d"], "banker": ["2c", "2c"], "wager_on": "player", "stake_cents": 500},
}


def answer(document: dict[str, Any]) -> dict[str, Any]:
    return Settler().answer(json.dumps(document), 7)


def with_inputs(document: dict[str, Any], **inputs: Any) -> dict[str, Any]:
    return {**document, "inputs": {**document["inputs"], **inputs}}


def test_an_answer_has_the_form_of_the_format() -> None:
    assert answer(TIGER) == {
        "id": "t",
        "outcome": "win",
        "odds": "30 to 1",
        "paid": 30000,
        "stake_returned": True,
        "row": "Tiger 9",
        "cite": "PA § 645b.2(h)",
        "why": None,
    }


def test_an_unresolved_wager_has_no_amounts_and_says_what_is_missing() -> None:
    got = answer(with_inputs({**TIGER, "wager": "Commission Free Pai Gow Poker Wager"}, dealer_low_hand=["Tc", "7d"]))
    assert (got["outcome"], got["paid"], got["stake_returned"], got["odds"]) == ("unresolved", None, None, None)
    assert "§ 645a.11(f)" in got["why"]


def test_parts_of_a_cent_are_a_fraction_with_the_rounding_beside_it() -> None:
    line = {"section": "627b.4", "wager": "Commission Free: Banker Hand"}
    got = answer({**line, "inputs": {"player": ["2c", "3c"], "banker": ["Kd", "6d"], "stake_cents": 501}})
    assert (got["paid"], got["paid_rounded"], got["odds"]) == ("501/2", 250, "1 to 2")


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ({**TIGER, "section": "999b.1"}, "999b.1"),  # no such section
        ({**TIGER, "wager": "Tiger 8 Wager"}, "Tiger 8 Wager"),  # no such wager in the section
        ({**TIGER, "paytable": "A"}, "the wager has no paytables"),
        ({**PAIRS, "paytable": "D"}, "want one of A, B, C"),
        ({**TIGER, "options": {"ties": True}}, "options.ties"),
        ({**PAIRS, "options": {"hand_wager_on_tie": "win"}}, "options.hand_wager_on_tie"),  # no such value
        (with_inputs(TIGER, dice=[1, 2, 3]), "inputs.dice"),  # no wager of the section needs it
        (with_inputs(TIGER, dealer_low_hand=["9c", "1d"]), "inputs.dealer_low_hand"),  # not a card
        (with_inputs(TIGER, dealer_low_hand=None), "inputs.dealer_low_hand: missing"),
        (with_inputs(TIGER, stake_cents=None), "inputs.stake_cents: missing"),
        (with_inputs(TIGER, stake_cents=-5), "inputs.stake_cents"),
        (with_inputs(PAIRS, decks=1), "2c: 2 times in 1 deck"),  # a card the shoe does not have
        ({"id": 1, "wager": "Tiger 9 Wager"}, "section: missing"),
    ],
)
def test_what_is_not_known_is_an_error_that_names_it(document: dict[str, Any], named: str) -> None:
    got = answer(document)
    assert got["line"] == 7
    assert named in got["error"]


def test_an_input_of_another_wager_of_the_section_is_ignored() -> None:
    assert answer(with_inputs(TIGER, comparison="whatever it is"))["outcome"] == "win"


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ({**PAIRS, "paytable": None}, "names no paytable"),  # as in a round: not offered, never an error
        (with_inputs(PAIRS, player=["9h", "??"]), "a card was not seen"),
        (with_inputs(PAIRS, player=["9h"]), "two cards"),
    ],
)
def test_what_was_not_seen_or_not_chosen_leaves_the_wager_unresolved(document: dict[str, Any], why: str) -> None:
    got = answer(document)
    assert got["outcome"] == "unresolved"
    assert why in got["why"]


def test_both_hands_of_a_perfect_pairs_wager_are_paid() -> None:
    got = answer(with_inputs(PAIRS, wager_on="both"))
    assert (got["paid"], got["row"]) == (500 * 25 + 500 * 12, "Perfect Pair; Colored Pair")
