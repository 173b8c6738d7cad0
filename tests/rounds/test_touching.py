"""Hands on other people's cards: whose arm it is, where it ends, and for how long it stays."""

from dataclasses import replace

import pytest
from scenes import Scene, followed, injected, layout, standing
from things import hand

from vision.calibrate.placing import Corners, Placed
from vision.rounds.floor import inward
from vision.rounds.touching import ArmBox, Way
from vision.simulate.studio import Order

TOUCHED = ["card-touched"]
FROM_1 = Way(1, (-819.0, 955.0), (-410.0, 980.0), (0.0, -1.0))  # to the cards of seat 2, at (-404, 895)


def box(left: float, near: float, right: float, far: float) -> Corners:
    return (left, near), (right, near), (right, far), (left, far)


@pytest.mark.parametrize(
    ("arm", "is_touch"),
    [
        (box(-1048, 1257, -422, 901), True),  # a neighbour's fingers on the cards, the elbow behind the own rail
        (box(-1048, 1257, -690, 927), False),  # on the way there
        (box(-1048, 1257, -240, 880), False),  # past them
        (box(-1018, 1242, -196, 547), False),  # over them, to the middle of the table
        (box(-811, 1223, -342, 934), False),  # the player's own right arm, which leans to the neighbour's side
        (box(-465, 1182, -222, 923), False),  # the player's own left arm
        (box(-1048, 1257, -885, 940), False),  # the neighbour's hand at rest
        (box(-460, 930, -130, -160), False),  # the dealer's
    ],
)
def test_where_an_arm_comes_from_and_ends(arm: Corners, is_touch: bool) -> None:
    assert FROM_1.ends_at(ArmBox.around(arm), (-404.0, 895.0)) is is_touch


def test_a_box_is_as_the_camera_sees_it() -> None:
    tilted = ArmBox.around(((0.0, 0.0), (30.0, 40.0), (-10.0, 70.0), (-40.0, 30.0)))
    assert tilted.half == (25.0, 25.0)
    assert tilted.inside((30.0, 40.0)) == pytest.approx((25.0, -25.0))
    assert tilted.reach((0.0, 0.0), (0.0, 1.0)) == 70.0


def arm(at: tuple[float, float], sits_at: int) -> Placed:
    """Return the arm of somebody whose fingers are at a place."""
    x, y = at
    theirs = layout().seat_at(sits_at)
    along, across = inward(theirs)
    aside = 220.0 if theirs.cards.centre[0] > x else -220.0  # an arm goes on to its shoulder
    shoulder = theirs.cards.centre[0] - 420 * along + aside, theirs.cards.centre[1] - 420 * across
    sides = sorted([x, shoulder[0]]), sorted([y, shoulder[1]])
    corners = box(sides[0][0] - 20, sides[1][1] + 20, sides[0][1] + 20, sides[1][0] - 20)
    return replace(hand(x, y), corners_mm=corners)


def cards(seat: int) -> tuple[float, float]:
    return layout().seat_at(seat).cards.centre


def dealt(house: str = "maryland") -> Scene:
    scene = Scene(house)
    scene.wait(3.0)
    for seat in (3, 4):
        scene.put(seat, "ante", 500)
    scene.wait(3.0)
    scene.deal(3, 4)
    return scene


@pytest.mark.parametrize(
    ("seat", "sits_at", "seconds", "codes"),
    [
        (3, 4, 0.8, TOUCHED),
        (3, 4, 0.3, []),  # only in passing
        (3, 3, 2.0, []),  # the own cards
    ],
)
def test_a_hand_on_the_cards(seat: int, sits_at: int, seconds: float, codes: list[str]) -> None:
    scene = dealt()
    scene.hands = (arm(cards(seat), sits_at),)
    scene.wait(seconds)
    scene.hands = ()
    scene.wait(1.0)
    assert scene.codes() == codes


def test_it_is_told_once_with_its_rule() -> None:
    scene = dealt()
    for _ in range(2):
        scene.hands = (arm(cards(3), 4),)
        scene.wait(1.0)
        scene.hands = ()
        scene.wait(1.0)
    (alert,) = scene.said["alerts"]
    assert (alert["seat"], alert["cite"]) == (3, "MD ch.11 §A(2)-(3)")


def test_where_no_rule_forbids_it_nothing_is_told() -> None:
    scene = dealt("south-dakota")
    scene.hands = (arm(cards(3), 4),)
    scene.wait(2.0)
    assert "touch" not in scene.kinds()


def test_who_bets_at_two_seats_plays_both() -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.put(4, "ante", 500)
    scene.hands = (arm(scene.spot(3, "ante"), 4),)
    scene.put(3, "ante", 500, by=None)
    scene.wait(0.5)
    scene.hands = ()
    scene.wait(3.0)
    scene.deal(3, 4)
    scene.hands = (arm(cards(3), 4),)
    scene.wait(2.0)
    assert scene.codes() == []


def test_a_touch_in_a_whole_round() -> None:
    (true,), said = followed(Order(rounds=1, seed=901, house="maryland", faults=("card-touched",)))
    assert standing(said) == injected(true)
