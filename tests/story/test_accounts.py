"""The accounts of a round: every wager judged, what explains a difference, and what is not judged at all."""

from typing import Any

import pytest
from scenes import DEALER_HAND, LOSER, WINNER, Scene, followed, shown
from things import card, chips, reading

from studio.film.production import Order
from vision.alerts.codes import MISPAID
from vision.rules.play.dealscript import SEAT
from vision.story.hands import DEALER, zone_of
from vision.table.zones import Zone

WAGERS = ("ante", "play", "aces_up")
TRIPS = "9s 9d 9c 6c 3h"  # pays the ante bonus as well


def wagers(scene: Scene, seat: int = 3) -> dict[str, dict[str, Any]]:
    """Return the wagers of a seat as the round's record has them."""
    (record,) = scene.said["rounds"]
    return next(entry["wagers"] for entry in record["seats"] if entry["seat"] == seat)


def pay(scene: Scene, **cents: int) -> None:
    for wager, worth in cents.items():
        scene.put(3, wager, worth, "dealer", "pay")
        scene.wait(0.6)
    scene.wait(1.5)


def test_what_is_paid_between_two_spots_is_judged_together() -> None:
    scene = Scene()
    scene.play()
    scene.show(3, WINNER)
    pay(scene, ante=1000, aces_up=500)  # ten on the ante's side, for ante and play
    scene.end()
    assert not set(scene.codes()) & set(MISPAID)
    assert {wager: entry["paid_cents"] for wager, entry in wagers(scene).items()} == dict.fromkeys(WAGERS, 500)


def test_the_ante_bonus_is_paid_on_the_antes_spot_after_it() -> None:
    scene = Scene()
    scene.play()
    scene.show(3, TRIPS)
    pay(scene, ante=500)
    scene.put(3, "ante", 1000, "dealer", "bonus")
    pay(scene, play=500, aces_up=4000)
    scene.end()
    assert scene.codes() == []
    assert {wager: entry["paid_cents"] for wager, entry in wagers(scene).items()} == {
        "ante": 500,
        "play": 500,
        "ante_bonus": 1000,
        "aces_up": 4000,
    }


@pytest.mark.parametrize("is_shown", [False, True])
def test_a_stream_that_ends_judges_nothing_that_was_not_settled(is_shown: bool) -> None:
    scene = Scene()
    scene.play()
    if is_shown:
        scene.show(3, WINNER)
    scene.finish()
    assert scene.codes() == []
    assert {entry["verdict"] for entry in wagers(scene).values()} == {"unverifiable"}
    assert {entry["why"] for entry in wagers(scene).values()} == {"stream ended before the bet was settled"}


def test_a_stream_that_ends_while_bets_are_made_has_no_round() -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.finish()
    assert scene.said["rounds"] == []


@pytest.mark.parametrize(
    ("taker", "verdict", "wager", "decision"),
    [
        ("player", "void", "right", "none"),  # the chips went back: nothing was won or lost
        (None, "unverifiable", "unverifiable", "fold"),  # nobody saw who took them
    ],
)
def test_a_round_that_is_called_off(taker: str | None, verdict: str, wager: str, decision: str) -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.wait(3.0)
    scene.deal(3)
    scene.take(3, "ante", taker)
    scene.wait(4.0)
    scene.clear((SEAT, 3), DEALER)
    scene.wait(4.0)
    (record,) = scene.said["rounds"]
    assert scene.codes() == []
    assert (record["verdict"], wagers(scene)["ante"]["verdict"]) == (verdict, wager)
    assert record["seats"][0]["decision"] == decision


def test_where_everybody_folds_the_dealers_hand_need_not_be_shown() -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.wait(3.0)
    scene.deal(3)
    scene.fold(3)
    scene.take(3, "ante", "dealer")
    scene.clear((SEAT, 3), DEALER)
    scene.wait(4.0)
    (record,) = scene.said["rounds"]
    assert record["seats"][0]["decision"] == "fold"
    assert wagers(scene)["ante"]["verdict"] == "right"


def test_in_a_round_that_was_joined_nothing_is_wrong() -> None:
    scene = Scene()
    for i, (x, y) in enumerate(scene.places(DEALER)):
        scene.things[DEALER, i] = card(x, y, zone=zone_of(DEALER))
    for i, (x, y) in enumerate(scene.places((SEAT, 3))):
        scene.things[(SEAT, 3), i] = card(x, y, zone=zone_of((SEAT, 3)))
    for wager in ("ante", "play"):
        x, y = scene.spot(3, wager)
        scene.things[(3, wager), ""] = chips(x, y, 500, Zone(3, wager))
    scene.wait(4.0)
    scene.reveal()
    scene.show(3, LOSER)
    scene.wait(1.0)
    scene.end()  # the losing chips go to the player
    assert scene.codes() == []
    assert all(record["verdict"] != "wrong" for record in scene.said["rounds"])


def test_a_payment_of_which_nobody_saw_who_made_it_proves_nothing() -> None:
    scene = Scene()
    scene.play()
    scene.show(3, WINNER)
    pay(scene, ante=500, play=500)
    x, y = scene.spot(3, "aces_up", "pay")
    scene.things[(3, "aces_up"), "pay"] = chips(x, y, 2500, Zone(3, "payout:aces_up"))
    scene.wait(5.0)
    scene.end()
    assert scene.codes() == []
    assert wagers(scene)["aces_up"]["why"] == "not seen who put the chips there"


def test_where_money_hangs_on_a_face_that_was_not_read_it_is_not_judged() -> None:
    scene = Scene()
    scene.play()
    scene.blink()
    scene.show(3, "9s 8s 6s 2h")  # the fifth, perhaps a spade, is never read
    scene.take(3, "aces_up")
    scene.wait(1.0)
    scene.end()
    assert wagers(scene)["aces_up"]["verdict"] == "unverifiable"
    assert wagers(scene)["aces_up"]["why"] == "depends on cards not read reliably: 1 not seen"


def test_where_nothing_hangs_on_a_face_that_was_not_read_money_is_judged() -> None:
    scene = Scene()
    scene.play()
    scene.show(3, "As Ad Ah Ac")  # whatever the fifth is
    scene.take(3, "aces_up")
    scene.wait(1.0)
    scene.end()
    assert wagers(scene)["aces_up"]["verdict"] == "wrong"


def test_a_stake_of_which_only_bounds_are_known_is_told_with_them() -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.put(3, "aces_up", reading(1000, 0.66, (500, 2500)))
    scene.wait(3.0)
    scene.deal(3)
    scene.put(3, "play", 500)
    scene.wait(1.0)
    scene.reveal(DEALER_HAND)
    scene.show(3, WINNER)
    pay(scene, ante=500, play=500, aces_up=1500)
    scene.end()
    assert scene.codes() == []
    assert wagers(scene)["aces_up"]["verdict"] == "unverifiable"
    assert wagers(scene)["aces_up"]["bounds"] == [500, 2500]


def test_what_was_told_too_soon_is_taken_back() -> None:
    scene = Scene()
    scene.play()
    scene.show(3, WINNER)
    pay(scene, ante=500, play=500)
    scene.clear(shown(3))
    assert scene.codes() == ["winner-not-paid"]
    pay(scene, aces_up=500)
    assert sorted(scene.codes()) == ["cards-cleared-early", "winner-not-paid"]  # it was paid, after the cards went
    for wager in WAGERS:
        scene.take(3, wager, "player")
        scene.take(3, wager, "player", "pay")
    scene.clear(DEALER)
    scene.wait(3.0)
    assert "winner-not-paid" not in scene.codes()
    states = [alert["state"] for alert in scene.said["alerts"] if alert["code"] == "winner-not-paid"]
    assert states == ["raised", "withdrawn"]


@pytest.mark.parametrize(
    ("house", "seed", "seats"),
    [
        ("maryland", 700, (2, 4)),  # by packets, one card of the dealer's up
        ("south-dakota", 700, (2, 4)),  # from the hand, card by card
        ("pennsylvania", 700, (2, 4)),  # side wagers alone: the base game is not in the texts
        ("washington", 703, (2, 4)),  # players' cards face up
    ],
)
def test_a_clean_round_of_a_house_is_told_exactly(house: str, seed: int, seats: tuple[int, ...]) -> None:
    (true,), said = followed(Order(rounds=1, seed=seed, house=house, seats=seats))
    (record,) = said["rounds"]
    assert said["alerts"] == []
    assert record["verdict"] == true["verdict"]
    assert sorted(record["dealer"]["cards"]) == sorted(true["dealer"]["cards"])
    assert [seat["seat"] for seat in record["seats"]] == [seat["seat"] for seat in true["seats"]]
    for found, was in zip(record["seats"], true["seats"], strict=True):
        assert found["decision"] == was["decision"]
        assert not was["shown"] or sorted(found["cards"]) == sorted(was["cards"])
        assert set(was["wagers"]) <= set(found["wagers"])
        for wager, entry in was["wagers"].items():
            fields = ("cents", "due_cents", "paid_cents", "outcome", "verdict")
            assert {name: found["wagers"][wager][name] for name in fields} == {name: entry[name] for name in fields}
