"""The settlement: what was paid, taken and cleared, by whom, in which order, and when the round is over."""

import pytest
from scenes import LOSER, WINNER, Scene, followed, injected, shown, standing

from vision.rounds.hands import DEALER
from vision.simulate.studio import Order

WAGERS = ("ante", "play", "aces_up")


def revealed(hand: str) -> Scene:
    """Return a table on which seat 3 shows a hand against a pair of kings, with $5 on every wager."""
    scene = Scene()
    scene.play()
    scene.show(3, hand)
    return scene


def told(scene: Scene, *kinds: str) -> list[tuple[str, str]]:
    return [(event["kind"], event["wager"]) for event in scene.said["events"] if event["kind"] in kinds]


def test_pays_are_told_as_they_are_made() -> None:
    scene = revealed(WINNER)
    for wager in WAGERS:
        scene.put(3, wager, 500, "dealer", "pay")
        scene.wait(0.5)
        assert told(scene, "pay", "take")[-1] == ("pay", wager)
    assert [scene.played.spots[3, wager].payments[0].is_dealers for wager in WAGERS] == [True] * 3


def test_takes_are_told_as_they_are_made() -> None:
    scene = revealed(LOSER)
    for wager in WAGERS:
        scene.take(3, wager, "dealer")
        scene.wait(1.0)
        assert told(scene, "pay", "take")[-1] == ("take", wager)
        assert scene.played.spots[3, wager].taken_by == "dealer"


def test_chips_that_their_owner_takes_are_not_taken_by_the_dealer() -> None:
    scene = revealed(LOSER)
    scene.take(3, "ante", "player")
    scene.wait(3.0)
    assert told(scene, "take") == []
    assert scene.played.spots[3, "ante"].taken_by == "player"


def test_chips_that_a_player_puts_beside_a_wager_are_no_payment() -> None:
    scene = revealed(LOSER)
    scene.put(3, "ante", 500, "player", "own")
    scene.wait(3.0)
    assert told(scene, "pay") == []
    assert scene.played.spots[3, "ante"].payments == []


@pytest.mark.parametrize(
    ("is_early", "codes"),
    [
        (True, []),  # while the dealer settles the seat: whose hand it was may have been misjudged
        (False, ["loser-not-collected"]),
    ],
)
def test_a_losers_chips_that_the_player_takes(is_early: bool, codes: list[str]) -> None:
    scene = revealed(LOSER)
    for wager in ("play", "aces_up"):
        scene.take(3, wager, "dealer")
        scene.wait(1.0)
    if is_early:
        scene.take(3, "ante", "player")
        scene.wait(2.0)
    scene.end()
    assert scene.codes() == codes


def test_chips_that_stood_there_before_the_reveal_are_no_payment() -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.wait(3.0)
    scene.deal(3)
    scene.put(3, "play", 500)
    scene.put(3, "ante", 500, "dealer", "pay")  # forgotten from the last round
    scene.wait(1.0)
    scene.reveal()
    scene.wait(5.0)
    assert told(scene, "pay") == []


def test_a_stake_that_is_only_missed_is_not_taken() -> None:
    scene = revealed(WINNER)
    ante = scene.things.pop(((3, "ante"), ""))
    scene.wait(1.5)
    scene.things[(3, "ante"), ""] = ante
    scene.wait(3.0)
    assert told(scene, "take") == []


@pytest.mark.parametrize(
    ("hand", "paid", "taken", "codes"),
    [
        (WINNER, {"ante": 500, "play": 500, "aces_up": 500}, (), []),
        (WINNER, {"ante": 500, "play": 400, "aces_up": 500}, (), ["underpaid"]),
        (WINNER, {"ante": 500, "play": 500, "aces_up": 1000}, (), ["overpaid"]),
        (WINNER, {"ante": 500, "play": 500}, (), ["winner-not-paid"]),
        (WINNER, {"ante": 500, "play": 500}, ("aces_up",), ["winner-collected"]),
        (LOSER, {}, WAGERS, []),
        (LOSER, {}, ("ante", "play"), ["loser-not-collected"]),
        (LOSER, {"aces_up": 500}, ("ante", "play"), ["loser-paid"]),
    ],
)
def test_money_by_hand(hand: str, paid: dict[str, int], taken: tuple[str, ...], codes: list[str]) -> None:
    scene = revealed(hand)
    for wager in taken:
        scene.take(3, wager, "dealer")
        scene.wait(0.6)
    for wager, cents in paid.items():
        scene.put(3, wager, cents, "dealer", "pay")
        scene.wait(0.6)
    scene.wait(1.0)
    scene.end()
    (record,) = scene.said["rounds"]
    assert scene.codes() == codes
    assert record["verdict"] == ("wrong" if codes else "right")


def test_a_round_is_over_when_no_card_lies_there_any_more() -> None:
    scene = revealed(LOSER)
    for wager in WAGERS:
        scene.take(3, wager, "dealer")
    scene.clear(shown(3))
    scene.wait(3.0)
    assert scene.said["rounds"] == []  # the dealer's cards are still there
    scene.clear(DEALER)
    scene.wait(2.0)
    assert [record["id"] for record in scene.said["rounds"]] == ["t-0001"]
    assert scene.pipeline.view()["phase"] == "idle"


def test_the_next_round_has_the_next_number() -> None:
    scene = revealed(LOSER)
    for wager in WAGERS:
        scene.take(3, wager, "dealer")
    scene.clear(shown(3))
    scene.clear(DEALER)
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.wait(1.0)
    assert scene.played.number == 2


@pytest.mark.parametrize(
    ("fault", "house", "seed"),
    [
        ("winner-not-paid:bonus", "maryland", 700),
        ("loser-not-collected", "south-dakota", 700),
        ("winner-collected", "maryland", 700),
    ],
)
def test_a_dealers_fault_is_found_and_nothing_else(fault: str, house: str, seed: int) -> None:
    (true,), said = followed(Order(rounds=1, seed=seed, house=house, faults=(fault,), seats=(2, 4)))
    assert standing(said) == injected(true)
    (record,) = said["rounds"]
    assert record["verdict"] == "wrong"
    found = next(alert for alert in said["alerts"] if alert["code"] == true["faults"][0]["code"])
    assert record["alerts"] == [found["id"]]
    assert found["cite"]
    assert found["evidence"]["frames"]
