"""Wagers before and after the close: what opens and closes a round, what is a wager, what came late or went."""

import pytest
from scenes import LOSER, Scene, followed, injected, shown, standing
from things import card, chips, hand, reading

from studio.film.production import Order
from vision.rules.play.dealscript import SEAT
from vision.story.hands import DEALER, zone_of
from vision.table.zones import Zone

SEATS = (2, 4)


def betting(*wagers: str, seat: int = 3, cents: int = 500) -> Scene:
    """Return a table on which somebody has bet."""
    scene = Scene()
    scene.wait(3.0)
    for wager in wagers or ("ante",):
        scene.put(seat, wager, cents)
    scene.wait(4.0)
    return scene


def bets(scene: Scene) -> dict[tuple[int, str], int]:
    """Return the wagers that were told, the last of each."""
    told = [event for event in scene.said["events"] if event["kind"] == "bet"]
    return {(event["seat"], event["wager"]): event["cents"] for event in told}


def test_the_first_card_closes_betting() -> None:
    scene = betting("ante", "aces_up")
    assert scene.said["events"] == []
    assert scene.pipeline.view()["phase"] == "betting"
    scene.deal(3)
    assert scene.kinds()[:3] == ["bet", "bet", "nomorebets"]
    assert bets(scene) == {(3, "ante"): 500, (3, "aces_up"): 500}


def test_so_does_a_signal() -> None:
    scene = betting()
    scene.signal("no-more-bets")
    assert scene.kinds() == ["bet", "nomorebets"]
    scene.signal("no-more-bets")
    assert scene.kinds() == ["bet", "nomorebets"]


def test_chips_open_a_round_and_an_empty_table_does_not() -> None:
    scene = Scene()
    scene.wait(5.0)
    assert scene.pipeline.rounds.round is None
    scene.put(3, "ante", 500)
    assert scene.played.number == 1


def test_a_card_for_a_moment_is_no_deal() -> None:
    scene = betting()
    x, y = scene.places((SEAT, 3))[0]
    scene.things["stray", 0] = card(x, y, zone=Zone(3, "cards"))
    scene.wait(0.8)
    del scene.things["stray", 0]
    scene.wait(4.0)
    assert scene.said["events"] == []


def test_a_round_that_was_under_way_is_joined() -> None:
    scene = Scene()
    x, y = scene.spot(3, "ante")
    scene.things["ante", 0] = chips(x, y, 500, Zone(3, "ante"))
    for i, (cx, cy) in enumerate(scene.places(DEALER)):
        scene.things[DEALER, i] = card(cx, cy, zone=zone_of(DEALER))
    scene.wait(3.0)
    assert scene.played.is_joined


def test_what_is_collected_before_the_deal_is_a_wager() -> None:
    scene = betting("ante", "progressive", cents=500)
    scene.take(3, "progressive", by="dealer")
    scene.wait(1.5)
    scene.deal(3)
    assert bets(scene) == {(3, "ante"): 500, (3, "progressive"): 500}


@pytest.mark.parametrize(
    ("wagers", "cents", "codes"),
    [
        (("ante",), 500, []),
        (("six_card",), 500, ["wager-not-allowed"]),  # without an ante or Aces Up
        (("aces_up",), 500, []),  # stands by itself
        (("ante",), 100, ["wager-not-allowed"]),  # below the table's minimum
    ],
)
def test_objections_to_wagers(wagers: tuple[str, ...], cents: int, codes: list[str]) -> None:
    scene = betting(*wagers, cents=cents)
    scene.deal(3)
    assert scene.codes() == codes


@pytest.mark.parametrize(
    ("p", "cents", "cards", "codes"),
    [
        (0.9, 100, (3,), ["wager-not-allowed"]),  # a chip, and somebody who gets cards
        (0.9, 100, (), ["wager-not-allowed"]),  # it is read surely
        (0.3, 100, (), []),  # it may be the lamp
        (0.3, 100, (3,), ["wager-not-allowed"]),  # but somebody is there
        (0.9, 10000, (), []),  # nobody can wager that much here: the lamp
    ],
)
def test_a_lamp_on_a_sensor_is_nobodys_wager(p: float, cents: int, cards: tuple[int, ...], codes: list[str]) -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.put(5, "ante", 500)
    scene.put(3, "progressive", reading(cents, p))
    scene.wait(3.0)
    scene.deal(*cards, 5)
    assert scene.codes() == codes


def test_a_limit_that_the_bounds_allow_is_kept() -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.put(3, "ante", reading(400, 0.9, (400, 500)))
    scene.wait(4.0)
    scene.deal(3)
    assert scene.codes() == []


@pytest.mark.parametrize(
    ("by", "codes"),
    [
        ("player", ["late-wager"]),
        ("dealer", []),  # chips that were pushed back, or passed on
        (None, []),  # no hand was seen that could have put it there: the detector errs rather than a player
    ],
)
def test_chips_that_come_after_the_first_card_are_late(by: str | None, codes: list[str]) -> None:
    scene = betting("ante")
    scene.deal(3)
    scene.put(3, "aces_up", 500, by)
    scene.wait(3.5)
    assert scene.codes() == codes


def test_chips_that_a_hand_hid_while_betting_closed_may_have_been_in_time() -> None:
    scene = betting("ante")
    x, y = scene.spot(3, "aces_up")
    scene.hands = (hand(x, y, 20.0),)
    scene.wait(0.5)
    scene.deal(3, quiet_s=0.0)
    scene.things[(3, "aces_up"), ""] = chips(x, y, 500, Zone(3, "aces_up"))
    scene.hands = ()
    scene.wait(4.0)
    assert scene.codes() == []
    assert scene.played.spots[3, "aces_up"].stake.cents == 500


@pytest.mark.parametrize(
    ("cents", "codes"),
    [
        (500, []),  # a hand over the chips, and nothing changed
        (1000, ["late-wager"]),  # capped
        (100, ["wager-withdrawn"]),  # pinched
    ],
)
def test_a_stake_that_changes_under_a_hand(cents: int, codes: list[str]) -> None:
    scene = betting("ante")
    scene.deal(3)
    x, y = scene.spot(3, "ante")
    scene.hands = (hand(x, y),)
    del scene.things[(3, "ante"), ""]
    scene.wait(0.6)
    scene.things[(3, "ante"), ""] = chips(x, y, cents, Zone(3, "ante"))
    scene.hands = ()
    scene.wait(2.0)
    assert scene.codes() == codes


def test_a_stake_that_the_dealer_takes_before_the_reveal_is_taken_too_soon() -> None:
    scene = betting("ante", "aces_up")
    scene.deal(3)
    scene.put(3, "play", 500)
    scene.take(3, "aces_up", by="dealer")
    scene.wait(5.0)
    assert scene.codes() == []  # the round may have been called off
    scene.reveal()
    assert scene.codes() == ["settle-order"]


def test_a_card_left_under_a_resting_hand_does_not_close_the_next_betting() -> None:
    scene = betting("ante")
    scene.deal(3)
    scene.put(3, "play", 500)
    scene.reveal()
    scene.show(3, LOSER)
    x, y = scene.places((SEAT, 3))[0]
    scene.hands = (hand(x, y, 40.0),)  # it rests where cards of the seat lay
    for wager in ("ante", "play"):
        del scene.things[(3, wager), ""]
    for key in [key for key in scene.things if key[0] in (shown(3), DEALER)]:
        del scene.things[key]
    scene.wait(6.0)
    assert len(scene.said["rounds"]) == 1
    scene.hands = ()
    scene.put(3, "ante", 500)
    scene.wait(1.0)
    assert scene.played.closed_ns is None


def test_a_card_that_nobody_dealt_does_not_close_betting_for_good() -> None:
    scene = betting("ante")
    x, y = scene.places(DEALER)[0]
    scene.things[DEALER, 0] = card(x, y, zone=zone_of(DEALER))  # a card of the last round lies there still
    scene.wait(10.0)
    scene.put(3, "aces_up", 500)  # not late
    scene.wait(2.0)
    scene.deal(3)
    scene.wait(2.0)
    assert scene.codes() == []


def test_bets_of_the_next_round_are_not_late_though_the_end_of_this_one_was_not_seen() -> None:
    scene = betting("ante")
    scene.deal(3)
    scene.clear((SEAT, 3), DEALER)  # nothing was revealed
    scene.wait(1.5)
    scene.put(3, "aces_up", 500)
    scene.wait(2.0)
    assert scene.codes() == []


@pytest.mark.parametrize(
    ("fault", "house", "seed"),
    [
        ("late-wager:cap", "south-dakota", 700),
        ("wager-withdrawn", "maryland", 700),
    ],
)
def test_a_players_fault_is_found_and_nothing_else(fault: str, house: str, seed: int) -> None:
    (true,), said = followed(Order(rounds=1, seed=seed, house=house, faults=(fault,), seats=SEATS))
    assert standing(said) == injected(true)
    (alert,) = said["alerts"]
    assert alert["cite"]
    assert alert["evidence"]["frames"]
