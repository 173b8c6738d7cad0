"""Decisions against what a seat could know, and the edges of a house: known cases, laws, and what is said of chance."""

import json
from functools import cache
from typing import Any

import pytest

from vision.records.round import Round
from vision.rules.book.house import House
from vision.rules.book.sheet import HouseSheet, read_sheet
from vision.rules.odds.advantage import Judged, at_least, judge, report
from vision.rules.odds.decisions import Decision, Known, best, legal_times, values
from vision.rules.odds.figures import exact_edge
from vision.rules.odds.houseedge import Edge, house_edges, own_paytables
from vision.values.cards import Card, Hand
from vision.values.resources import shipped


def cards(text: str) -> Hand:
    return tuple(Card.parse(card) for card in text.split())


@cache
def sheet(name: str) -> HouseSheet:
    return read_sheet(shipped("calibration") / "houses" / f"{name}.toml")


def house(name: str) -> House:
    return sheet(name).house


@pytest.mark.parametrize(
    ("game", "raised", "own", "dealer", "times"),
    [
        ("washington", "play", "2c 5d 9h Jc Ks", "", 0),  # nothing
        ("washington", "play", "Kc Kd 9h Jc 5s", "", 3),  # a pair of kings
        ("washington", "play", "Kc Kd 9h Jc 5s", "3c 3h 3d", 0),  # but the dealer's three of a kind was seen
        ("four-card-prime", "raise", "Ac Ad 3c 7d 8d", "", 3),
        ("four-card-frenzy", "raise", "Ac Ad 3c 7d 8d", "", 3),
        ("cajun-stud", "raise1", "Ac Ad", "", 3),
        ("cajun-stud", "raise1", "2c 7d", "", 0),
    ],
)
def test_the_best_choice_is_the_one_that_anybody_would_make(
    game: str, raised: str, own: str, dealer: str, times: int
) -> None:
    decision = Decision(house(game), raised)
    assert best(values(decision, Known(cards(own), dealer=cards(dealer)), 120, 1)).times == times


def test_a_fold_costs_what_was_staked_and_has_no_error() -> None:
    fold, *_ = values(Decision(house("four-card-frenzy"), "raise"), Known(cards("2c 5d 9h Jc Ks")), 20, 1)
    assert (fold.times, fold.mean, fold.error) == (0, -2.0, 0.0)  # Ante and Odds


@pytest.mark.parametrize(("own", "times"), [("Ac Ad 3c 7d 8d", (1, 2, 3)), ("Kc Kd 3c 7d 8d", (1,))])
def test_only_what_the_text_allows_is_a_choice(own: str, times: tuple[int, ...]) -> None:
    assert legal_times(house("four-card-frenzy").game, "raise", cards(own)) == times


def a_round(own: str, play: int, number: int = 1, others: str = "") -> Round:
    seat: dict[str, Any] = {"seat": 1, "cards": own.split(), "decision": "play" if play else "fold"}
    seat["wagers"] = {"ante": {"cents": 500}, "play": {"cents": play}}
    seats = [seat, *([{"seat": 2, "cards": others.split()}] if others else [])]
    dealer = {"cards": ["3c", "3h", "3d", "9s", "Kh", "2s"], "up_card": "2s"}
    times = {"started_ns": 0, "ended_ns": 1}
    return Round.model_validate_json(
        json.dumps({"id": f"r-{number}", "verdict": "right", "seats": seats, "dealer": dealer, **times})
    )


def test_a_fold_that_only_a_seen_card_explains_tells() -> None:
    (judged,) = judge(house("washington"), [a_round("Kc Kd 9h Jc 5s", 0)], 120, open_hands=False, dealer_seen=[0, 1, 2])
    assert (judged.open_best.times, judged.informed_best.times, judged.chosen) == (3, 0, 0)
    assert judged.tells
    assert judged.follows
    assert judged.chosen_informed > judged.open_choice_informed


def test_without_exposed_cards_nothing_tells_and_there_is_no_chance_to_speak_of() -> None:
    rounds = [a_round("Kc Kd 9h Jc 5s", 1500), a_round("2c 5d 9h Jc Ks", 0)]
    (seat,) = report("t", judge(house("washington"), rounds, 120, open_hands=False))
    assert (seat.decisions, seat.by_the_book, seat.telling, seat.followed, seat.chance) == (2, 2, 0, 0, None)


def test_open_hands_are_known_to_the_others() -> None:
    (judged,) = judge(house("washington"), [a_round("Kc Kd 9h Jc 5s", 0, others="Ks Kh Js Jh 2c")], 40, open_hands=True)
    assert set(judged.exposed) == set(cards("Ks Kh Js Jh 2c"))


@pytest.mark.parametrize(("hits", "tries", "share", "chance"), [(0, 5, 0.3, 1.0), (2, 2, 0.1, 0.01), (1, 2, 0.5, 0.75)])
def test_chance_of_so_many_hits_or_more(hits: int, tries: int, share: float, chance: float) -> None:
    assert at_least(hits, tries, share) == pytest.approx(chance)


def test_a_seat_that_follows_exposed_cards_again_and_again_stands_out() -> None:
    (one,) = judge(house("washington"), [a_round("Kc Kd 9h Jc 5s", 0)], 120, open_hands=False, dealer_seen=[0, 1, 2])
    by_the_book = Judged(**{**{name: getattr(one, name) for name in one.__slots__}, "chosen": 3.0})
    (often,) = report("t", [one] * 6)
    (never,) = report("t", [by_the_book] * 6)
    assert often.chance is not None
    assert never.chance == 1.0
    assert often.chance < 0.05


def edge(name: str, wager: str, deals: int = 4) -> Edge:
    return next(found for found in house_edges(sheet(name), lambda _: None, deals) if found.wager == wager)


def test_a_side_wager_is_enumerated_as_the_printed_figures_are() -> None:
    found = edge("washington", "aces_up")
    assert found.edge == pytest.approx(float(exact_edge(house("washington").game, "aces_up", "FCP-01")))
    assert found.error == 0.0


def test_what_the_text_does_not_settle_has_no_edge() -> None:
    found = next(house_edges(sheet("pennsylvania"), lambda _: None, 10))
    assert found.edge is None
    assert "641a" in (found.note or "")


def test_the_game_itself_is_sampled_with_its_error() -> None:
    found = edge("washington", "ante + play", deals=300)
    assert found.edge is not None
    assert abs(found.edge - 0.015) < 4 * found.error + 0.02  # 1.58 % printed for this pair, by a simple strategy
    assert found.error > 0


def test_a_paytable_of_the_house_is_settled_and_named_as_in_no_text() -> None:
    rows = [[row.cls, str(row.pay)] for row in house("maryland").game.letters("aces_up")["D"].rows]
    rows[0][1] = "60 to 1"
    plain = sheet("maryland").model_dump(exclude={"rounding"})
    own = HouseSheet.model_validate(
        plain | {"paytable": {**plain["paytable"], "aces_up": "own"}, "own_paytable": {"aces_up": {"rows": rows}}}
    )
    (found,) = own_paytables(own.house)
    assert (found.group, found.nearest, len(found.differs)) == ("aces_up", "D", 1)
    ours, printed = (
        next(e for e in house_edges(one, lambda _: None, 4) if e.wager == "aces_up") for one in (own, sheet("maryland"))
    )
    assert ours.edge is not None
    assert printed.edge is not None
    assert ours.edge < printed.edge
    assert not list(own_paytables(house("maryland")))
