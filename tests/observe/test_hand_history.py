"""Hands over a table: which of them are busy, from which side they reach, and when a place was bare."""

import pytest
from things import TICK_NS, Watch, card, chips, hand

from vision.observe.frame_observation import FrameObservation
from vision.observe.hand_history import NO_SIDE, Reaches
from vision.observe.placing import Placed
from vision.observe.tracks import ARM_RESTS_NS, Tracker

PLAYER = hand(0, 90)  # rests beside (0, 0)
DEALER = hand(0, -50)


def watched(*sights: tuple[float, tuple[Placed, ...]]) -> Reaches:
    """Return what is remembered of hands that are there for some seconds each."""
    reaches, tick = Reaches(), 0
    for seconds, hands in sights:
        for _ in range(round(seconds * 10)):
            tick += 1
            reaches.update(tick * TICK_NS, hands)
    return reaches


@pytest.mark.parametrize(
    ("sights", "side"),
    [
        ([(0.5, (PLAYER,))], (0, 90)),  # it has just come
        ([(2.0, (PLAYER,))], None),  # it rests: it neither puts nor takes
        ([(2.0, (PLAYER,)), (0.2, (PLAYER, DEALER))], (0, -50)),  # the other one is who acts
        ([(2.0, (PLAYER,)), (0.2, ()), (0.3, (PLAYER,))], None),  # missed for a moment
        ([(2.0, (PLAYER,)), (0.2, (hand(40, 90),))], (40, 90)),  # it moves
        ([(0.3, (hand(0, 90), hand(0, -90)))], (0, 0)),  # from two sides: from neither
    ],
)
def test_who_is_busy(sights: list[tuple[float, tuple[Placed, ...]]], side: tuple[float, float] | None) -> None:
    assert watched(*sights).sides(0, 0)[1] == side


def test_a_hand_over_a_place_rather_than_an_arm_beside_it() -> None:
    assert watched((0.3, (hand(10, 10), hand(90, 0)))).sides(0, 0)[0] == (10, 10)


def test_when_a_hand_was_last_there() -> None:
    reaches = watched((0.5, ()), (0.5, (PLAYER,)), (0.5, ()))
    assert reaches.last(0, 0) == (10 * TICK_NS, (0, 90))
    assert reaches.last_ns(0, 0) == 10 * TICK_NS
    assert reaches.last(900, 900) is None
    assert reaches.last_bare_ns(0, 0) == 14 * TICK_NS
    assert reaches.was_near_since(8 * TICK_NS, 0, 0, 60.0)
    assert not reaches.was_near_since(11 * TICK_NS, 0, 0, 60.0)


@pytest.mark.parametrize(
    ("places", "is_near"),
    [
        ([], False),
        ([(0.0, 150.0)], True),
        ([(-300.0, 90.0), (300.0, 90.0)], True),  # between them
        ([(300.0, 90.0), (400.0, 90.0)], False),
    ],
)
def test_near_some_places(places: list[tuple[float, float]], is_near: bool) -> None:
    assert watched((0.1, (PLAYER,))).is_near_any(places, 50.0) is is_near


def test_who_takes_chips_beside_a_hand_that_rests() -> None:
    watch, stack = Watch(), chips(0, 0)
    watch.see(stack, DEALER, seconds=0.6)
    watch.see(stack, PLAYER, seconds=3.0)
    (track,) = watch.tracker.stacks
    assert track.hand_from == NO_SIDE
    watch.see(stack, PLAYER, DEALER, seconds=0.3)
    watch.see(PLAYER, DEALER, seconds=0.3)
    assert track.hand_from == pytest.approx((0, -50), abs=1)
    watch.see(PLAYER, seconds=2.0)
    watch.see(PLAYER, hand(-60, 40), seconds=0.5)  # who comes later finds nothing
    assert track.hand_from == pytest.approx((0, -50), abs=1)


def test_an_arm_that_rests_does_not_hide_chips_for_ever() -> None:
    watch, arm = Watch(), hand(140, 0)
    watch.see(chips(0, 0), DEALER, seconds=0.6)
    watch.see(chips(0, 0), seconds=1.0)
    watch.see(arm, seconds=5.0)
    assert watch.tracker.stacks
    watch.see(arm, seconds=ARM_RESTS_NS / 1e9 - 5.0 + 1.0)
    watch.see(arm, seconds=3.0)
    assert not watch.tracker.stacks


def test_a_card_is_not_under_a_hand_where_the_felt_shows() -> None:
    tracker, over = Tracker(), hand(0, 0)
    for tick in range(5):
        tracker.update(FrameObservation(tick, tick * TICK_NS, (card(0, 0),)))
    for tick in range(5, 40):
        tracker.update(FrameObservation(tick, tick * TICK_NS, (over,)))
    assert tracker.cards
    for tick in range(40, 80):
        tracker.update(FrameObservation(tick, tick * TICK_NS, (over,), bare=((0.0, 0.0),)))
    assert not tracker.cards


def test_stacks_nearer_than_a_chip_are_one() -> None:
    assert len(Watch().see(chips(0, 0), chips(18, 10, score=0.5), seconds=1.0).stacks) == 1
    assert len(Watch().see(chips(0, 0), chips(39, 0), seconds=1.0).stacks) == 2


def test_a_card_that_went_and_came_back_was_not_in_two_places() -> None:
    watch = Watch()
    watch.see(card(0, 0, "Qd"), seconds=1.0)
    (first,) = watch.tracker.cards
    watch.see(card(100, 0, "Qd"), hand(0, 0), seconds=1.2)
    other = watch.tracker.cards[-1]
    watch.see(card(0, 0, "Qd"), seconds=0.3)
    assert watch.tracker.cards == [first, other]
    assert first.looked_ns > other.looked_ns
    assert first.together_ns(other) <= TICK_NS
