"""`feltwatch settle` line by line: the example, golden rounds, and everything that can be wrong with a line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vision.demo.tour import ROUNDS
from vision.rules.due.wire import Settler

GOLDEN = Path(__file__).parents[2] / "golden"
EXAMPLE: dict[str, Any] = {
    "id": "any text, echoed",
    "house": {
        "game": "four-card-poker/md",
        "paytable": {"aces_up": "A", "progressive": "C", "envy": "D", "six_card": "A", "bad_beat": None},
        "options": {},
    },
    "round": {
        "dealer": ["Ac", "Qh", "7s", "6h", "4h", "2h"],
        "up_card": "2h",
        "bonus_card": "Js",
        "seats": [
            {
                "seat": 3,
                "player": "optional",
                "cards": ["8d", "8c", "8s", "Kc", "3c"],
                "folded": False,
                "wagers": {"ante": 2000, "play": 4000, "aces_up": 1000, "progressive": 100, "six_card": 500},
            }
        ],
        "meters": {"main": 1534200},
        "seeds": {"main": 1000000},
        "reserve": {"main": 0},
        "irregularities": [],
    },
}


def answer(line: str) -> dict[str, Any]:
    return Settler().answer(line, 7)


def test_the_example_of_the_format() -> None:
    got = answer(json.dumps(EXAMPLE))
    assert got["seats"][0]["net"] == 22300
    assert got["dealer_hand"] == "flush"
    assert got["settle_order"] == [3]
    assert got["meters_after"] == {"main": 1534200}
    assert got["seats"][0]["wagers"]["ante"] == {
        "outcome": "win",
        "stake": 2000,
        "paid": 2000,
        "stake_returned": 2000,
        "total_return": 4000,
        "odds": "1 to 1",
        "cite": "MD ch.12 §A",
    }
    assert got["seats"][0]["wagers"]["ante_bonus"] == {
        "outcome": "win",
        "stake": 0,
        "paid": 4000,
        "stake_returned": 0,
        "total_return": 4000,
        "odds": "2 to 1",
        "cite": "MD ch.12 §B(3)",
    }


def essence(got: dict[str, Any]) -> dict[str, Any]:
    """Keep what the second opinion has an opinion on."""
    seats = []
    for seat in got["seats"]:
        lines = {wager: [line["outcome"], line["paid"], line["total_return"]] for wager, line in seat["wagers"].items()}
        seats.append({key: seat[key] for key in ("seat", "hand", "versus", "net")} | {"wagers": lines})
    violations = sorted([violation["code"], violation["seat"]] for violation in got["violations"])
    kept = {key: got[key] for key in ("id", "status", "dealer_hand", "meters_after")}
    return {**kept, "violations": violations, "seats": seats}


@pytest.mark.parametrize("case", ["settle", "settle-sisters"])
def test_golden_rounds_of_a_second_opinion(case: str) -> None:
    """The expected lines come from separate brute-force programs written from the texts alone."""
    lines = (GOLDEN / case / "input.jsonl").read_text(encoding="utf-8").splitlines()
    expected = [
        json.loads(line) for line in (GOLDEN / case / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    got = [essence(found) for found in Settler().answers(lines)]
    assert len(got) == len(expected) > 100
    for ours, theirs in zip(got, expected, strict=True):
        assert ours == theirs


def test_golden_demo(golden: Any) -> None:
    golden.check("demo", list(Settler().answers(ROUNDS.read_text(encoding="utf-8").splitlines())))


def edited(change: Callable[[dict[str, Any]], object]) -> str:
    document = json.loads(json.dumps(EXAMPLE))
    change(document)
    return json.dumps(document)


def put(*path: Any) -> Callable[[dict[str, Any]], object]:
    """Set a value deep in the document: the last word is the value."""

    def change(document: Any) -> None:
        for step in path[:-2]:
            document = document[step]
        document[path[-2]] = path[-1]

    return change


SEAT = ("round", "seats", 0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 1, "house"', "not JSON"),  # truncated
        ("[]", "[]:"),  # JSON, but not an object
        ("null", "None:"),
        ("NaN", "NaN is not a number"),
        ("[" * 100_000, "nested too deeply"),  # a bomb
        ('"' + "x" * 1_100_000 + '"', "a line of 1100002 characters"),  # 10 MB lines are refused by length alone
        (edited(lambda doc: doc.pop("round")), "round: missing"),
        (edited(put("extra", 1)), "extra: 1: unknown key"),
        (edited(put("house", "game", "four-card-poker/nj")), "'four-card-poker/nj': want one of"),
        (edited(put("house", "paytable", "aces_up", "Z")), "paytable.aces_up: 'Z': want one of A, B"),
        (edited(put("house", "paytable", "aces_up", 1)), "house.paytable.aces_up: 1:"),
        (edited(put("house", "options", "folded_live", True)), "options.folded_live: unknown option"),
        (edited(put(*SEAT, "wagers", "ante", -5)), "round.seats[0].wagers.ante: -5:"),  # negative money
        (edited(put(*SEAT, "wagers", "ante", 10.5)), "round.seats[0].wagers.ante: 10.5:"),  # fractional money
        (edited(put(*SEAT, "wagers", "ante", 10.0)), "round.seats[0].wagers.ante: 10.0:"),  # a float is not cents
        (edited(put(*SEAT, "wagers", "ante", "10")), "round.seats[0].wagers.ante: '10':"),
        (edited(put(*SEAT, "wagers", "ante", True)), "round.seats[0].wagers.ante: True:"),
        (edited(put(*SEAT, "wagers", "anti", 10)), "round.seats[0].wagers.anti: no such wager: want one of ante"),
        (edited(put(*SEAT, "seat", 0)), "round.seats[0].seat: 0:"),
        (edited(put(*SEAT, "cards", "8d 8c")), "round.seats[0].cards: '8d 8c':"),
        (
            edited(put("round", "seats", [EXAMPLE["round"]["seats"][0]] * 2)),
            "round.seats[1].seat: 3: a seat number twice",
        ),
        (edited(put("round", "meters", {"jackpot": 1})), "'jackpot': not a meter"),
        (edited(put("round", "irregularities", ["fire"])), "irregularities[0].code: 'fire': want one of dealer-card"),
        (edited(put("round", "irregularities", [{"code": "stub-count"}])), "irregularities[0].deck_total: missing"),
        (edited(put("round", "community", ["As"])), "round.community: ['As']: four-card-poker/md has no such cards"),
        (edited(put("house", "rounding", "bankers")), "house.rounding: 'bankers'"),
    ],
)
def test_a_bad_line_gets_a_clear_answer(line: str, message: str) -> None:
    got = answer(line)
    assert set(got) == {"id", "line", "error"}
    assert got["line"] == 7
    assert message in got["error"]
    assert len(got["error"]) < 500  # the message is for people; the value is cut


def test_an_error_still_echoes_the_id() -> None:
    assert answer(edited(put("house", "game", "x")))["id"] == "any text, echoed"
    assert answer('{"id": {"deep": 1}}')["id"] is None


def test_other_lines_are_answered_all_the_same() -> None:
    good = json.dumps(EXAMPLE)
    answers = list(Settler().answers([good, "", "   ", "{", good]))
    assert ["error" in got for got in answers] == [False, True, False]
    assert answers[1]["line"] == 4  # blank lines are skipped, and counted


@pytest.mark.parametrize(
    ("cards", "status"),
    [
        (["1s", "8c", "8s", "Kc", "3c"], "invalid_cards"),  # no such card
        (["10s", "8c", "8s", "Kc", "3c"], "invalid_cards"),
        (["Ac", "8c", "8s", "Kc", "3c"], "invalid_cards"),  # the dealer has it
        (["8d", "8c", "8s", "Kc", "3c", "4c", "5c"], "void"),  # seven cards are a wrong count
        ([], "void"),  # and so are none
    ],
)
def test_impossible_cards_are_answers(cards: list[str], status: str) -> None:
    got = answer(edited(put(*SEAT, "cards", cards)))
    assert got["status"] == status
    assert got["meters_after"] == {"main": 1534200}
    assert got["notes"]
    assert (got["seats"] == []) == (status == "invalid_cards")


def test_fractions_of_cents_stand_beside_their_rounding() -> None:
    document = edited(put(*SEAT, "cards", ["8d", "9d", "Td", "Jd", "Qd"]))
    document = document.replace('"main": 1534200', '"main": 1534205')
    line = answer(document)["seats"][0]["wagers"]["progressive"]
    assert line["paid"] == line["total_return"] == "306841/2"
    assert line["paid_rounded"] == 153420


def test_an_irregularity_may_be_a_bare_word() -> None:
    got = answer(edited(put("round", "irregularities", ["dealer-card-exposed"])))
    assert got["status"] == "void"
    assert got["cite"] == "MD ch.13 §E"
