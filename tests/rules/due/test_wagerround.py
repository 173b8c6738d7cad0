"""Whole rounds of games that a text gives wager by wager: the hybrid table and Switch Hands."""

import json
from typing import Any

import pytest

from vision.rules.due.wire import Settler


def settled(game: str, dealer: str, *seats: dict[str, Any]) -> dict[str, Any]:
    played = {"dealer": dealer.split(), "seats": [{"seat": i + 1, **seat} for i, seat in enumerate(seats)]}
    return Settler().answer(json.dumps({"id": "r", "house": {"game": game}, "round": played}), 3)


def test_a_round_on_the_hybrid_table() -> None:
    won = {"cards": ["As", "Kd"], "wagers": {"blackjack": 1000, "insurance": 500}}
    lost = {"cards": ["Ts", "9d"], "wagers": {"blackjack": 1000, "buzzer_beater": 200}}
    got = settled("hybrid-blackjack/pa", "Ah 4c 5d", won, lost)
    assert (got["status"], got["settle_order"]) == ("settled", [2, 1])
    by_seat = {seat["seat"]: seat for seat in got["seats"]}
    assert by_seat[1]["net"] == 1500 - 500  # three to two, and the insurance lost
    assert by_seat[2]["net"] == -1000 + 2000  # nineteen against twenty: the Buzzer Beater pays ten to one
    assert by_seat[1]["wagers"]["blackjack"] == {
        "outcome": "win",
        "stake": 1000,
        "paid": 1500,
        "stake_returned": 1000,
        "total_return": 2500,
        "odds": "3 to 2",
        "cite": "PA § 633b.5(v)(1)",
    }


@pytest.mark.parametrize(
    ("game", "inputs", "wagers", "paid"),
    [
        ("switch-hands/pa", {"switched": True}, {"blackjack": 500}, 1000),  # switched, one color: two to one
        ("switch-hands/pa", {"switched": False}, {"blackjack": 500}, 750),  # not switched: three to two
        ("blackjack-premium/pa", {"switched": False}, {"blackjack": 500, "switch_ante": 100}, 1000),  # B-SW-5
        ("blackjack-premium/pa", {"switched": False}, {"blackjack": 500}, 750),  # no ante
    ],
)
def test_a_colored_blackjack(game: str, inputs: dict[str, Any], wagers: dict[str, int], paid: int) -> None:
    got = settled(game, "Th 9c", {"cards": ["As", "Kc"], "wagers": wagers, "inputs": inputs})
    lines = got["seats"][0]["wagers"]
    assert lines["blackjack"]["paid"] == paid
    assert {line["outcome"] for name, line in lines.items() if name == "switch_ante"} <= {"unresolved"}  # B-SW-4


def test_a_wager_that_the_game_does_not_have_is_named() -> None:
    got = settled("hybrid-blackjack/pa", "Ah 4c", {"cards": ["As", "Kd"], "wagers": {"ante": 5}})
    assert "ante" in got["error"]
