"""A raise and its base, each read with doubt: the likeliest legal pair is believed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import Scene, blank_round, floor, stack_worth
from things import reading

from vision.detect.detection import StackReading
from vision.rules.due.decision import raise_fits
from vision.story.amounts import Amount
from vision.story.playing import RoundInPlay
from vision.story.spots import Spot
from vision.story.stakes import legal_pair, legal_raise, stake_of
from vision.table.zones import Zone

FLOOR = floor()
PLAY = FLOOR.game.decisions[0]  # one to three times the ante
VALUES = st.sampled_from([100, 300, 500, 1000, 1500, 2500, 4000])


def amount(*chances: tuple[int, float], low: int | None = None, high: int | None = None) -> Amount:
    values = [value for value, _ in chances]
    return Amount(*chances[0], min(values) if low is None else low, max(values) if high is None else high, chances)


SURE_500 = amount((500, 0.95))


@pytest.mark.parametrize(
    ("raised", "base", "pair"),
    [
        (amount((1000, 0.9)), SURE_500, None),  # it fits anyway
        (amount((1500, 0.9)), SURE_500, None),
        (amount((2000, 0.6), (1500, 0.4)), SURE_500, (1500, 500)),  # one chip too many was counted
        (amount((2000, 0.95)), SURE_500, None),  # nothing else is possible: it is what it is
        (amount((2000, 0.7)), amount((500, 0.7), low=500, high=1000), (2000, 1000)),  # the bounds of the base allow it
        (amount((2000, 0.7), low=1000, high=2000), SURE_500, (1500, 500)),  # those of the raise do: the largest
        (amount((100, 0.6), (500, 0.2)), amount((500, 0.6), (100, 0.3)), (100, 100)),  # the likelier of two ways
        (Amount(None, 0.0, 100, None), SURE_500, None),  # what is unknown cannot be mended
        (amount((2000, 0.6), (1500, 0.4)), Amount(None, 0.0, 100, None), None),
    ],
)
def test_the_likeliest_legal_pair(raised: Amount, base: Amount, pair: tuple[int, int] | None) -> None:
    assert legal_pair(raised, base, PLAY) == pair


@st.composite
def read(draw: st.DrawFn) -> Amount:
    values = draw(st.lists(VALUES, min_size=1, max_size=3, unique=True))
    weights = sorted((draw(st.floats(0.05, 1.0)) for _ in values), reverse=True)
    chances = [(value, weight / sum(weights)) for value, weight in zip(values, weights, strict=True)]
    return amount(*chances, low=min(values), high=max(values) + draw(VALUES))


@settings(deadline=None)
@given(read(), read())
def test_a_pair_that_is_put_right_is_legal_and_possible(raised: Amount, base: Amount) -> None:
    pair = legal_pair(raised, base, PLAY)
    likeliest = (raised.cents or 0, base.cents or 0)
    if pair is None:
        return
    assert not any(raise_fits(*likeliest, times) for times in PLAY.times)
    assert any(raise_fits(*pair, times) for times in PLAY.times)
    assert raised.may_be(pair[0])
    assert base.may_be(pair[1])


def round_with(**worths: int | StackReading) -> RoundInPlay:
    """Return a round with chips on some spots of seat 2."""
    played = blank_round(FLOOR)
    for number, (wager, worth) in enumerate(worths.items(), start=1):
        played.spots[2, wager] = Spot(2, wager, [stack_worth(number, worth, Zone(2, wager))], closed_ns=0)
    return played


def test_both_stakes_are_put_right_together() -> None:
    played = round_with(ante=500, play=reading(2000, 0.6, (1500, 2000)), aces_up=500)
    found = {spot.wager: stake_of(FLOOR, played, spot) for spot in played.spots.values()}
    assert {wager: stake.cents for wager, stake in found.items()} == {"ante": 500, "play": 1500, "aces_up": 500}
    assert found["play"].p < 0.1  # believed for its fit, not for what was seen
    assert (found["play"].low, found["play"].high) == (1500, 2000)


def test_a_stake_without_its_raise_is_as_it_was_read() -> None:
    played = round_with(ante=500)
    assert stake_of(FLOOR, played, played.spots[2, "ante"]) == played.spots[2, "ante"].stake


@pytest.mark.parametrize(
    ("raised", "base", "legal"),
    [
        (1000, 500, 1000),  # twice: it is legal
        (108_500, 500, 1500),  # far too much, read amiss: three times
        (100, 500, 500),  # too little: once
    ],
)
def test_a_raise_that_was_not_read_surely_is_taken_for_the_nearest_legal_one(
    raised: int, base: int, legal: int
) -> None:
    assert legal_raise(raised, base, PLAY) == legal


def test_a_raise_out_of_range_is_told_though_the_reveal_follows_at_once() -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.wait(3.0)
    scene.deal(3)
    scene.put(3, "play", reading(2500, 0.7))
    assert scene.codes() == []  # not read often enough
    scene.reveal()
    assert scene.codes() == ["play-out-of-range"]
