"""Faces that come to show: a card exposed, a reveal, hands laid open, cards that lie in two places or are too many."""

import pytest
from scenes import DEALER_HAND, LOSER, WINNER, WORK, Scene, followed, injected, layout, shown, standing
from things import card, face, hand

from studio.film.production import Order
from vision.observe.placing import Placed
from vision.rules.play.dealscript import SEAT
from vision.story.hands import DEALER, zone_of


def dealt(*, is_decided: bool) -> Scene:
    """Return a table with one hand dealt, and the player's decision made or not; one card of the dealer's is up."""
    scene = Scene()
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.wait(3.0)
    scene.deal(3, up="Kc")
    if is_decided:
        scene.put(3, "play", 500)
        scene.wait(1.0)
    return scene


def by_dealer(scene: Scene, seconds: float, *faces: str | None) -> None:
    """Let the dealer's hand turn cards."""
    x, y = layout().dealer.cards.centre
    scene.hands = (hand(x, y - 110, 60.0),)
    scene.turn(DEALER, *faces)
    scene.wait(seconds)
    scene.hands = ()


def turns(scene: Scene) -> list[tuple[str, int]]:
    return [(event["zone"], event["cards"]) for event in scene.said["events"] if event["kind"] == "turn"]


def test_the_up_card_is_no_exposure() -> None:
    scene = dealt(is_decided=False)
    scene.wait(4.0)
    assert scene.codes() == []
    assert scene.played.up_card is None or str(scene.played.up_card.best()[0]) == "Kc"


@pytest.mark.parametrize(
    ("is_decided", "codes"),
    [
        (False, ["dealer-card-exposed"]),  # nobody reveals while a player decides
        (True, []),  # a reveal that begins slowly
    ],
)
def test_a_second_face_before_the_decisions_is_an_exposure(is_decided: bool, codes: list[str]) -> None:
    scene = dealt(is_decided=is_decided)
    by_dealer(scene, 0.4, "Kc", "Kd")
    scene.wait(0.7)
    assert scene.codes() == codes
    scene.wait(4.0)
    assert scene.codes() == codes


def test_a_face_that_shows_for_a_moment_is_exposed_all_the_same() -> None:
    scene = dealt(is_decided=False)
    by_dealer(scene, 0.3, "Kc", "Kd")
    scene.turn(DEALER, "Kc", None)
    scene.wait(1.0)
    assert scene.codes() == ["dealer-card-exposed"]


def test_a_flashed_card_that_is_told_twice_is_no_reveal() -> None:
    scene = dealt(is_decided=False)
    by_dealer(scene, 0.2, "Kc", "Kd")
    lying = scene.things[DEALER, 1]
    scene.things["ghost", 0] = card(lying.x + 10, lying.y + 4, face(0.8, Qd=0.1), zone_of(DEALER), 0.5)
    scene.wait(0.3)
    del scene.things["ghost", 0]
    scene.turn(DEALER, "Kc", None)
    scene.wait(1.5)
    assert scene.played.revealed_ns is None
    assert scene.codes() == ["dealer-card-exposed"]


@pytest.mark.parametrize(
    ("gap_s", "codes"),
    [
        (2.0, ["card-faced-in-deck"]),  # put aside, and the deal goes on
        (12.0, []),  # a deck that is opened or cut
    ],
)
def test_a_card_faced_in_the_deck_before_the_first_is_dealt(gap_s: float, codes: list[str]) -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.wait(3.0)
    x, y = layout().dealer.work.centre
    scene.hands = (hand(x, y - 60, 40.0),)
    scene.things["burnt", 0] = card(x, y, "9d", WORK)
    scene.wait(0.6)
    del scene.things["burnt", 0]
    scene.hands = ()
    scene.wait(gap_s)
    scene.deal(3)
    assert scene.codes() == codes


def test_faces_one_after_the_other_are_a_reveal() -> None:
    scene = dealt(is_decided=True)
    for number in range(2, 7):
        by_dealer(scene, 0.6, *DEALER_HAND.split()[:number])
    assert scene.codes() == []
    assert scene.played.revealed_ns is not None
    assert turns(scene)[0] == (DEALER[0], 6)


def test_a_reveal_at_once() -> None:
    scene = dealt(is_decided=True)
    scene.reveal()
    assert scene.codes() == []
    assert turns(scene) == [(DEALER[0], 6)]


def test_who_was_not_seen_to_raise_has_folded_in_doubt_when_the_dealer_reveals() -> None:
    scene = dealt(is_decided=False)
    scene.reveal()
    assert scene.played.state.folded == {3}
    assert scene.played.doubtful == {3}
    folded = dealt(is_decided=False)
    folded.fold(3)
    folded.reveal()
    assert folded.played.state.folded == {3}
    assert folded.played.doubtful == set()


def test_a_hand_is_laid_open_in_the_work_area() -> None:
    scene = dealt(is_decided=True)
    scene.reveal()
    scene.show(3, WINNER)
    assert turns(scene)[-1] == (SEAT, 5)
    assert sorted(str(track.best()[0]) for track in scene.played.hand((SEAT, 3)).shown) == sorted(WINNER.split())
    scene.clear(shown(3))
    assert scene.kinds()[-1] == "clear"


def test_of_two_hands_the_one_that_left_its_place_is_shown() -> None:
    scene = Scene()
    scene.wait(3.0)
    for seat in (2, 5):
        scene.put(seat, "ante", 500)
    scene.wait(3.0)
    scene.deal(2, 5, up="Kc")
    for seat in (2, 5):
        scene.put(seat, "play", 500)
    scene.wait(1.0)
    scene.reveal()
    for seat, faces in ((5, WINNER), (2, "Qh Jd 8c 6h 3d")):
        scene.show(seat, faces)
        scene.clear(shown(seat))
    found = {seat: scene.played.hand((SEAT, seat)).shown for seat in (2, 5)}
    assert {str(track.best()[0]) for track in found[5]} == set(WINNER.split())
    assert "Qh" in {str(track.best()[0]) for track in found[2]}


def two_seats(*, backs: tuple[int, ...] = (2, 5)) -> Scene:
    """Return a table with two seats that have raised, the dealer's hand open; only some seats' backs are found."""
    scene = Scene()
    scene.wait(3.0)
    for seat in (2, 5):
        scene.put(seat, "ante", 500)
    scene.wait(3.0)
    scene.deal(*backs, up="Kc")
    for seat in (2, 5):
        scene.put(seat, "play", 500)
    scene.wait(1.0)
    scene.reveal()
    return scene


@pytest.mark.parametrize(
    ("backs", "seat", "is_sure"),
    [
        ((2, 5), 5, True),  # the other hand is seen to lie at its place
        ((5,), 5, False),  # the other's cards were never found: it may be that one
    ],
)
def test_whose_hand_is_shown_is_sure_where_no_other_can_be_it(backs: tuple[int, ...], seat: int, is_sure: bool) -> None:
    scene = two_seats(backs=backs)
    scene.show(seat, LOSER)
    hand = scene.played.hand((SEAT, seat))
    assert hand.shown_ns is not None
    assert hand.is_sure is is_sure
    scene.clear(shown(seat))
    assert scene.codes() == []  # that nothing more comes is not known yet
    scene.take(seat, "ante", "dealer")
    scene.wait(1.0)
    assert ("cards-cleared-early" in scene.codes()) is is_sure


def test_a_seat_that_is_settled_takes_over_the_hand_that_lies_open() -> None:
    scene = two_seats(backs=())
    scene.things.update({(shown(2), i): thing for i, thing in enumerate(_open_hand(LOSER))})
    scene.wait(2.0)
    assert scene.played.hand((SEAT, 5)).shown_ns is not None  # by its turn
    scene.take(2, "ante", "dealer")
    scene.wait(3.5)
    mine, other = (scene.played.hand((SEAT, seat)) for seat in (2, 5))
    assert (mine.is_sure, other.shown_ns) == (True, None)
    assert {str(track.best()[0]) for track in mine.shown} == set(LOSER.split())


def _open_hand(faces: str) -> list[Placed]:
    x, y = layout().dealer.work.centre
    return [card(x + 45.0 * (i - 2), y, name, WORK) for i, name in enumerate(faces.split())]


def test_the_up_card_is_the_one_that_lay_open_first() -> None:
    scene = dealt(is_decided=True)
    scene.reveal()
    scene.show(3, LOSER)
    scene.end()
    (record,) = scene.said["rounds"]
    assert record["dealer"]["up_card"] == "Kc"


def test_too_many_cards_are_told_when_they_lie_open() -> None:
    scene = dealt(is_decided=True)
    scene.reveal()
    scene.show(3, f"{LOSER} 5d")
    scene.wait(1.5)
    assert scene.codes() == ["wrong-card-count"]
    scene.end()
    (record,) = scene.said["rounds"]
    assert sorted(record["seats"][0]["cards"]) == sorted([*LOSER.split(), "5d"])


def test_what_was_settled_before_a_miscount_came_out_must_go_back() -> None:
    scene = two_seats()
    scene.show(5, LOSER)
    for wager in ("ante", "play"):
        scene.take(5, wager, "dealer")
        scene.wait(1.0)
    scene.clear(shown(5))
    scene.show(2, "Th Tc 4h 5h 2h Jc")
    scene.clear(shown(2))
    assert scene.codes() == ["wrong-card-count"]
    scene.clear(DEALER)
    scene.wait(0.5)
    alert = scene.said["alerts"][-1]
    assert (alert["code"], alert["seat"], alert["wager"]) == ("void-not-honoured", 5, "ante")


def test_too_few_cards_mean_nothing_at_a_table_where_cards_may_be_missed() -> None:
    scene = dealt(is_decided=True)
    scene.blink()
    scene.reveal()
    scene.show(3, "As Ad 8s 6c")
    scene.wait(3.0)
    assert scene.codes() == []


def test_a_hand_that_is_short_where_nothing_that_lies_there_is_ever_missed() -> None:
    scene = dealt(is_decided=True)
    scene.wait(5.0)
    scene.reveal()
    scene.show(3, "As Ad 8s 6c")
    scene.wait(1.0)
    assert scene.codes() == ["wrong-card-count"]


def test_a_dealers_hand_that_is_taken_in_card_by_card_is_not_short() -> None:
    scene = dealt(is_decided=True)
    scene.wait(5.0)
    scene.reveal()
    for i in range(3):
        del scene.things[DEALER, i]
    scene.wait(3.0)
    assert scene.codes() == []


def test_a_card_that_lies_in_two_places() -> None:
    scene = dealt(is_decided=True)
    scene.reveal()
    scene.show(3, "Kc Ad 8s 6h 3h")
    scene.wait(2.0)
    assert scene.codes() == ["duplicate-card"]
    assert scene.said["alerts"][0]["observed"] == "K♣ is on the table twice"


def test_a_card_that_comes_face_up_out_of_the_deck() -> None:
    scene = Scene("south-dakota")
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.wait(3.0)
    for seat_card in (0, 1):
        x, y = scene.places((SEAT, 3))[seat_card]
        scene.things[(SEAT, 3), seat_card] = card(x, y, zone=zone_of((SEAT, 3)))
        scene.wait(0.5)
    x, y = layout().dealer.work.centre
    scene.hands = (hand(x, y - 90),)
    scene.things["faced", 0] = card(x, y, "7h", WORK)
    scene.wait(1.0)
    assert not scene.codes()  # it may yet be a hand that is shown
    x, y = scene.places((SEAT, 3))[2]
    scene.things[(SEAT, 3), 2] = card(x, y, zone=zone_of((SEAT, 3)))
    scene.wait(0.5)
    assert scene.codes() == ["card-faced-in-deck"]


def test_a_deck_that_is_spread_out_is_no_card_that_came_face_up() -> None:
    scene = Scene("south-dakota")
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.wait(2.0)
    x, y = layout().dealer.work.centre
    scene.hands = (hand(x, y - 120),)
    for i, name in enumerate(["2c", "3c", "4c", "5c", "6c", "7c", "8c"]):
        scene.things["spread", i] = card(x - 90 + 30 * i, y, name, WORK)
    scene.wait(2.0)
    for seat_card in (0, 1, 2, 3):
        x, y = scene.places((SEAT, 3))[seat_card]
        scene.things[(SEAT, 3), seat_card] = card(x, y, zone=zone_of((SEAT, 3)))
        scene.wait(0.7)
    assert scene.codes() == []


def test_the_hand_that_fetches_cards_may_hide_a_stake_for_a_moment() -> None:
    scene = dealt(is_decided=True)
    scene.reveal()
    stake = scene.things.pop(((3, "ante"), ""))
    x, y = scene.spot(3, "ante")
    inward = scene.floor.inward[3]
    scene.hands = (hand(x + 120 * inward[0], y + 120 * inward[1]),)
    scene.wait(0.3)
    scene.hands = ()
    scene.wait(0.9)
    scene.things[(3, "ante"), ""] = stake
    scene.wait(2.0)
    assert scene.codes() == []


@pytest.mark.parametrize(("house", "seed"), [("south-dakota", 700)])
def test_a_flash_is_found_and_nothing_else(house: str, seed: int) -> None:
    order = Order(rounds=1, seed=seed, house=house, faults=("dealer-card-exposed:flash",), seats=(2, 4))
    (true,), said = followed(order)
    assert standing(said) == injected(true)
    (fault,) = true["faults"]
    (alert,) = said["alerts"]
    assert 0 <= alert["t_ns"] - fault["t_ns"] < 1.5e9
    assert alert["evidence"]["start_ns"] <= alert["t_ns"]
