"""The engine and the second program, on many random wagers: same outcome, same odds, same money."""

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import second_opinion
import second_opinion_more

from vision.rules.due.wire import Settler

POKER = ("six_card", "linked", "five_of_six", "bad_beat", "tiger", "crazy4", "poker_envy")
BACCARAT = ("perfect_pairs", "commission_free", "royal_9", "treasures", "lucky")
BLACKJACK = ("blackjack_pairs", "switch", "hybrid", "super_4", "three_cards", "blazing", "match", "press", "axman")
OTHERS = (
    "buster",
    "bonus",
    "envy",
    "touchdown",
    "b2b",
    "balls",
    "fortunes",
    "shaker",
    "hot_roller",
    "shooter",
    "sic_bo",
    "bonus_craps",
)
ROUNDS = 700  # of each kind: 33 kinds, more than twenty thousand wagers


def as_answer(got: dict[str, Any]) -> second_opinion.Answer:
    paid = None if got["paid"] is None else Fraction(got["paid"])
    return got["outcome"], got["odds"], paid, got["stake_returned"]


@pytest.mark.parametrize("kind", [*POKER, *BACCARAT, *BLACKJACK, *OTHERS])
def test_both_programs_agree(kind: str) -> None:
    part: Any = second_opinion if kind in POKER + BACCARAT else second_opinion_more
    rng, settler = Random(kind), Settler()
    outcomes = set()
    for i in range(ROUNDS):
        section, wager, letter, drawn = getattr(part, kind)(rng)
        stake = rng.choice([100, 500, 1000, 2505])
        inputs = {"stake_cents": stake, **drawn, "_section": section, "_letter": letter}
        line = {"section": section, "wager": wager, "paytable": letter}
        seen = {name: value for name, value in inputs.items() if not name.startswith("_")}
        text = json.dumps({"id": i, **line, "inputs": seen})
        got = settler.answer(text, i)
        assert "error" not in got, f"{text}\n{got}"
        assert as_answer(got) == getattr(part, f"{kind}_due")(inputs), f"{text}\n{got}"
        outcomes.add(got["outcome"])
    assert len(outcomes) >= 2, f"{kind}: only {outcomes} came up"
