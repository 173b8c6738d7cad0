"""Hands on cards: a stranger's arm from beside, against the owner's, the dealer's, and one that only passes."""

from dataclasses import replace

import pytest
from scenes import Scene, layout
from things import hand

SEAT = 3


def dealt(house: str = "maryland") -> Scene:
    scene = Scene(house)
    scene.wait(3.0)
    scene.put(SEAT, "ante", 500)
    scene.wait(3.0)
    scene.deal(SEAT)
    return scene


def arm_to(scene: Scene, side_mm: float, inward_mm: float, seconds: float) -> None:
    """Lay an arm on the cards of the seat, of which the other end is so far to the side and inward."""
    (x, y), (along, across) = layout().seat_at(SEAT).cards.centre, scene.floor.inward[SEAT]
    far = (x - side_mm * across + inward_mm * along, y + side_mm * along + inward_mm * across)
    left, right = min(x, far[0]) - 20, max(x, far[0]) + 20
    top, bottom = min(y, far[1]) - 20, max(y, far[1]) + 20
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    scene.hands = (replace(hand((left + right) / 2, (top + bottom) / 2), corners_mm=corners),)
    scene.wait(seconds)
    scene.hands = ()
    scene.wait(0.5)


@pytest.mark.parametrize(
    ("side_mm", "inward_mm", "seconds", "codes"),
    [
        (600.0, -100.0, 1.0, ["card-touched"]),  # a neighbour's
        (-600.0, 50.0, 1.0, ["card-touched"]),  # from the other side
        (600.0, -100.0, 0.3, []),  # only passing
        (80.0, -400.0, 1.0, []),  # the owner's
        (-80.0, 500.0, 1.0, []),  # the dealer's
        (500.0, -500.0, 1.0, []),  # it may be either
    ],
)
def test_whose_hand_is_on_the_cards(side_mm: float, inward_mm: float, seconds: float, codes: list[str]) -> None:
    scene = dealt()
    arm_to(scene, side_mm, inward_mm, seconds)
    assert scene.codes() == codes


def test_it_is_told_once_and_names_the_seat() -> None:
    scene = dealt()
    for _ in range(2):
        arm_to(scene, 600.0, 0.0, 1.0)
    assert [(alert["code"], alert["seat"]) for alert in scene.said["alerts"]] == [("card-touched", SEAT)]


def test_where_no_rule_forbids_it_nothing_is_told() -> None:
    scene = dealt("washington")
    arm_to(scene, 600.0, 0.0, 1.0)
    assert scene.codes() == []
