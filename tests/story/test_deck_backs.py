"""Whose deck is dealt: cards with other backs among the rest, a deck dealt twice running, and what proves nothing."""

from dataclasses import replace

import pytest
from scenes import WINNER, Scene, followed, injected, shown, standing
from things import card, hand

from studio.film.production import Order
from vision.detect.detection import BackReading
from vision.rules.play.dealscript import SEAT, Place
from vision.story.hands import DEALER, zone_of
from vision.table.zones import Zone

HAND: Place = (SEAT, 3)
BLUE = BackReading({"blue": 0.85, "red": 0.0})
RED = BackReading({"blue": 0.0, "red": 0.85})
RATHER_RED = BackReading({"blue": 0.03, "red": 0.82})
STRANGE = BackReading({"blue": 0.1, "red": 0.1})
WRONG = ["wrong-deck"]


def show_backs(scene: Scene, place: Place, *backs: BackReading | None) -> None:
    """Let the backs of a hand be read; fewer than it has cards: the last one for the rest."""
    for i in range(scene.floor.counts[place[0]]):
        back, lying = backs[min(i, len(backs) - 1)], scene.things[place, i]
        scene.things[place, i] = replace(lying, detection=replace(lying.detection, back=back))


def dealt(seats: tuple[BackReading | None, ...], dealers: tuple[BackReading | None, ...], **changes: object) -> Scene:
    """Return a table with one hand and the dealer's on it, and their backs."""
    scene = Scene(**changes)  # type: ignore[arg-type]
    scene.wait(3.0)
    deal(scene, seats, dealers)
    return scene


def deal(scene: Scene, seats: tuple[BackReading | None, ...], dealers: tuple[BackReading | None, ...]) -> None:
    scene.put(3, "ante", 500)
    scene.wait(3.0)
    scene.deal(3)
    show_backs(scene, HAND, *seats)
    show_backs(scene, DEALER, *dealers)
    scene.wait(1.5)


def play_on(scene: Scene) -> None:
    """Play the round to its end."""
    scene.put(3, "play", 500)
    scene.reveal()
    scene.show(3, WINNER)
    scene.clear(shown(3))
    for wager in ("play", "ante"):
        scene.take(3, wager, "player")
    scene.clear(DEALER)
    scene.wait(3.0)


def wrong_decks(scene: Scene) -> list[str]:
    return [code for code in scene.codes() if code == "wrong-deck"]


@pytest.mark.parametrize(
    ("seats", "dealers", "codes"),
    [
        ((BLUE,), (BLUE,), []),
        ((BLUE,), (RED, BLUE), WRONG),  # one card of the dealer's
        ((RED,), (BLUE,), WRONG),  # a whole hand
        ((RATHER_RED, BLUE), (BLUE,), []),  # one card, read with some doubt: it may be misread
        ((RATHER_RED, RATHER_RED, BLUE), (BLUE,), WRONG),  # two are not misread alike
        ((STRANGE, BLUE), (BLUE,), []),  # a back that nobody knows: a cover, a glare, a cut card
        ((RED, BLUE, STRANGE), (STRANGE,), []),  # one against one: neither is the deck's for sure
        ((None,), (None,), []),  # the table has no pictures of backs
    ],
)
def test_mixed_backs(
    seats: tuple[BackReading | None, ...], dealers: tuple[BackReading | None, ...], codes: list[str]
) -> None:
    assert dealt(seats, dealers).codes() == codes


def test_the_alert_says_where_and_by_which_rule() -> None:
    (alert,) = dealt((BLUE,), (RED, BLUE)).said["alerts"]
    assert alert["observed"] == "Dealer: 1 card with the back of red, 10 others of blue"
    assert alert["cite"] == "MD ch.3 §A-§B"
    assert alert["confidence"] > 0.99


def test_a_card_that_falls_right_onto_another_is_seen() -> None:
    scene = dealt((BLUE,), (BLUE,))
    show_backs(scene, HAND, RED, BLUE)  # at the same place, so it is taken for the card below
    scene.wait(1.0)
    assert scene.codes() == WRONG


def test_what_lies_beside_a_hand_may_be_part_of_it() -> None:
    scene = dealt((BLUE,), (BLUE,))
    x, y = scene.places(HAND)[0]
    scene.hands = (hand(x, y + 60.0, 40.0),)
    show_backs(scene, HAND, RED, BLUE)
    scene.wait(1.0)
    assert scene.codes() == []
    scene.hands = ()
    scene.wait(1.0)
    assert scene.codes() == WRONG


def test_a_back_that_flashes_once_is_no_card() -> None:
    scene = dealt((BLUE,), (BLUE,))
    show_backs(scene, HAND, RED, BLUE)
    scene.wait(0.2)
    show_backs(scene, HAND, BLUE)
    scene.wait(1.5)
    assert scene.codes() == []


@pytest.mark.parametrize(
    ("decks", "first", "second", "codes"),
    [
        (2, BLUE, RED, []),  # they alternate
        (2, BLUE, BLUE, WRONG),  # dealt again
        (1, BLUE, BLUE, []),  # the table has one deck in play
        (2, STRANGE, BLUE, []),  # nobody knows which came before
    ],
)
def test_two_decks_alternate(decks: int, first: BackReading, second: BackReading, codes: list[str]) -> None:
    scene = dealt((first,), (first,), decks=decks)
    play_on(scene)
    deal(scene, (second,), (second,))
    assert len(scene.said["rounds"]) == 1
    assert wrong_decks(scene) == codes


def test_after_a_round_whose_end_was_not_seen_any_deck_may_come() -> None:
    scene = dealt((BLUE,), (BLUE,))
    scene.put(3, "play", 500)
    scene.reveal()
    scene.clear(HAND)
    for i, (x, y) in enumerate(scene.places(HAND)):  # the next deal, while the dealer's cards still seem to lie there
        scene.things[HAND, i] = card(x, y, zone=zone_of(HAND))
    show_backs(scene, HAND, RED)
    scene.wait(2.0)
    scene.clear(HAND, DEALER)
    scene.take(3, "play", "player")
    scene.take(3, "ante", "player")
    scene.wait(3.0)
    assert len(scene.said["rounds"]) == 1
    deal(scene, (BLUE,), (BLUE,))
    assert wrong_decks(scene) == []


@pytest.mark.parametrize("pause", ["spread", "gap"])
def test_after_a_break_any_deck_may_come(pause: str) -> None:
    scene = dealt((BLUE,), (BLUE,))
    play_on(scene)
    if pause == "spread":  # a new deck is opened
        for i in range(12):
            scene.things["spread", i] = card(-200 + 30 * i, 400, zone=Zone(None, "work"))
        scene.wait(2.0)
        scene.clear("spread")
        scene.wait(3.0)
    else:
        scene.index += 100  # nobody watched for ten seconds
    deal(scene, (BLUE,), (BLUE,))
    assert wrong_decks(scene) == []


@pytest.mark.parametrize(
    ("seed", "house"),
    [
        (905, "south-dakota"),  # a single card, dealt from the hand
        (908, "maryland"),  # a hand out of the shuffler
    ],
)
def test_another_deck_in_a_whole_round(seed: int, house: str) -> None:
    (true,), said = followed(Order(rounds=1, seed=seed, house=house, faults=("wrong-deck",)))
    assert [code for code, *_ in injected(true)] == WRONG
    assert [code for code, *_ in standing(said)] == WRONG
