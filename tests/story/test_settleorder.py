"""The order of the settlement: seats in their turn, hands turned before their chips are settled; each mistake once."""

import pytest
from scenes import LOSER, WINNER, Scene, shown

SEATS = (3, 5)  # the dealer settles 5 first
HANDS = {3: LOSER, 5: "Qs Jc 8d 6h 3c"}


def dealt() -> Scene:
    """Return a table on which two seats have bet and have their cards."""
    scene = Scene()
    scene.wait(3.0)
    for seat in SEATS:
        for wager in ("ante", "aces_up"):
            scene.put(seat, wager, 500)
    scene.wait(3.0)
    scene.deal(*SEATS)
    return scene


def revealed() -> Scene:
    """Return a table on which two seats have played, and the dealer's hand lies open."""
    scene = dealt()
    for seat in SEATS:
        scene.put(seat, "play", 500)
    scene.wait(1.0)
    scene.reveal()
    return scene


def settle(scene: Scene, seat: int) -> None:
    """Take a loser's chips and clear the hand."""
    for wager in ("ante", "play", "aces_up"):
        scene.take(seat, wager, "dealer")
        scene.wait(1.0)
    scene.clear(shown(seat))


@pytest.mark.parametrize(
    ("order", "codes"),
    [
        ((5, 3), []),  # from the dealer's right
        ((3, 5), ["settle-order"]),  # one mistake, though it has three wagers
    ],
)
def test_seats_are_settled_in_their_turn(order: tuple[int, int], codes: list[str]) -> None:
    scene = revealed()
    for seat in order:
        scene.show(seat, HANDS[seat])
        settle(scene, seat)
    assert scene.codes() == codes


def test_the_alert_says_whose_turn_it_was() -> None:
    scene = revealed()
    scene.show(3, LOSER)
    scene.take(3, "ante", "dealer")
    scene.wait(2.5)
    (alert,) = scene.said["alerts"]
    assert (alert["seat"], alert["observed"]) == (3, "Seat 3 settled; seat 5 was next")


def test_a_seat_that_has_given_up_waits_with_its_cards_pushed_forward() -> None:
    scene = dealt()
    scene.put(3, "play", 500)
    scene.fold(5)  # its Aces Up is still to be settled
    scene.take(5, "ante", "dealer")
    scene.wait(1.0)
    scene.reveal()
    scene.show(3, LOSER)
    scene.take(3, "ante", "dealer")
    scene.wait(2.5)
    assert scene.codes() == ["settle-order"]


@pytest.mark.parametrize(
    ("is_shown", "by", "codes"),
    [
        (True, "dealer", []),  # turned first
        (False, "dealer", ["settle-order"]),  # paid while the hand lies closed
        (False, "player", []),  # the player's own chips
    ],
)
def test_a_hand_is_turned_before_its_chips_are_settled(is_shown: bool, by: str, codes: list[str]) -> None:
    scene = Scene()
    scene.play()
    if is_shown:
        scene.show(3, WINNER)
    scene.put(3, "ante", 500, by, "pay")
    scene.wait(3.0)
    assert scene.codes() == codes


def test_what_is_turned_a_moment_later_was_closed_all_the_same() -> None:
    scene = Scene()
    scene.play()
    scene.put(3, "ante", 500, "dealer", "pay")
    scene.wait(0.6)
    scene.show(3, WINNER)
    assert scene.codes() == ["settle-order"]
