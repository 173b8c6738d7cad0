"""The other games: played, faulted and acted out from their game files alone, with several raises and shared cards."""

import random
from functools import cache
from pathlib import Path

import pytest

from studio.art.felts import felt_names, make_layout
from studio.film.look import Choice, choose_look
from studio.play.faults import possible_faults
from studio.play.players import open_table
from studio.play.round_generator import WrittenRound, write_round
from studio.play.script import Do
from studio.play.stage import Stage
from studio.play.tempo import Tempo
from studio.suites.houses import games_with_houses, write_houses
from vision.rules.book.sheet import HouseSheet, read_sheet
from vision.rules.due.record import PlayedRound, SeatPlay
from vision.rules.due.settle import settle
from vision.values.cards import Card
from vision.values.resources import shipped

GAMES = ("four-card-prime", "four-card-frenzy", "cajun-stud")
UNRULED = {"duplicate-card", "stub-count-due", "wrong-deck", "deck-change-due"}  # seen in cards, rounds and backs
MONEY = {"underpaid", "overpaid", "winner-not-paid", "loser-paid", "loser-not-collected", "winner-collected"}


@cache
def sheet(game: str) -> HouseSheet:
    return read_sheet(shipped("calibration") / "houses" / f"{game}.toml")


@cache
def written(game: str, seed: int, fault: str = "") -> WrittenRound:
    rng = random.Random(seed)
    boxes = [seat.number for seat in make_layout(felt_names(game)[0]).seat]
    return write_round(sheet(game), open_table(sheet(game), rng, boxes=boxes), rng, [fault] if fault else [])


def acted(game: str, round_: WrittenRound) -> Stage:
    stage = Stage(make_layout(felt_names(game)[0]), Tempo(), random.Random(1), sheet(game).chips_cents)
    stage.act(round_.script)
    return stage


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_a_clean_round_is_right_and_the_rule_book_objects_to_nothing(game: str, seed: int) -> None:
    truth = written(game, seed).truth
    assert truth["verdict"] == "right"
    assert not truth["rulings"]
    acted(game, written(game, seed))


@pytest.mark.parametrize(("game", "fault"), [(game, fault) for game in GAMES for fault in possible_faults(sheet(game))])
def test_a_fault_shows_as_what_it_is(game: str, fault: str) -> None:
    truth, code = written(game, 3, fault).truth, fault.split(":")[0]
    assert code in {entry["code"] for entry in truth["faults"]}
    if code in MONEY:
        assert truth["verdict"] == "wrong"
    elif code not in UNRULED:
        assert code in {entry["code"] for entry in truth["rulings"]}
    acted(game, written(game, 3, fault))


def test_cajun_raises_three_times_and_turns_a_community_card_after_each() -> None:
    rounds = (written("cajun-stud", seed) for seed in range(40))
    script = next(r.script for r in rounds if any(m.wager == "raise3" and m.do is Do.PLAY for m in r.script.moves))
    seat = next(m.seat for m in script.moves if m.wager == "raise3")
    mine = [m for m in script.moves if m.do is Do.REVEAL or (m.do is Do.PLAY and m.seat == seat)]
    assert [m.wager or m.count for m in mine] == ["raise1", 1, "raise2", 2, "raise3", 3]


def test_the_truth_of_cajun_has_its_shared_cards_and_settles_again_to_the_same() -> None:
    truth = next(t for t in (written("cajun-stud", seed).truth for seed in range(40)) if t["bonus_card"])
    assert (len(truth["community"]), len(truth["bonus_card"]), truth["dealer"]["cards"]) == (3, 4, [])
    played = PlayedRound(
        tuple(
            SeatPlay(
                seat["seat"],
                tuple(map(Card.parse, seat["cards"])),
                {name: wager["cents"] for name, wager in seat["wagers"].items()},
                seat["decision"] == "fold",
                seat["player"],
            )
            for seat in truth["seats"]
        ),
        bonus=tuple(map(Card.parse, truth["bonus_card"])),
        community=tuple(map(Card.parse, truth["community"])),
    )
    due = {
        (s.seat, w): line.paid for s in settle(sheet("cajun-stud").house, played).seats for w, line in s.lines.items()
    }
    for seat in truth["seats"]:
        for name, wager in seat["wagers"].items():
            assert wager["due_cents"] == due[seat["seat"], name]


def test_an_exposed_dealer_card_of_prime_returns_ante_and_raise_and_settles_the_side_wagers() -> None:
    truth = written("four-card-prime", 3, "dealer-card-exposed:flip").truth
    assert truth["verdict"] == "void"
    kinds = {(event["kind"], event.get("wager")) for event in truth["events"]}
    assert ("given-back", "ante") in kinds
    assert not kinds & {("given-back", "prime"), ("given-back", "aces_bonus"), ("given-back", "all_six")}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_filmed_on_its_own_felt_and_four_card_poker_never_on_it(game: str) -> None:
    assert choose_look(4, Choice(split="test", game=game)).felt in felt_names(game)
    assert not set(felt_names(game)) & set(felt_names())


def test_suites_take_the_houses_of_one_game(tmp_path: Path) -> None:
    assert {place[0] for place in write_houses(tmp_path, "cajun-stud")} == {"cajun-stud"}
    assert "cajun-stud" not in {place[0] for place in write_houses(tmp_path)}
    assert set(GAMES) < set(games_with_houses())
