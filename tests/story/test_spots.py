"""The chips of one wager through a round: stakes, chips that were moved, payments, glimpses."""

import pytest
from things import Watch, chips, hand

from vision.observe.placing import Placed
from vision.story.amounts import NOTHING, Amount
from vision.story.spots import Spot, was_handled
from vision.table.zones import Zone

ANTE, BESIDE, OTHER = Zone(3, "ante"), Zone(3, "payout:ante"), Zone(3, "play")
STAKE, PAID = chips(0, 0, 500, ANTE), chips(45, 0, 500, BESIDE)
DEALERS = hand(45, 75, 20.0)


def closed(*stakes: Placed) -> tuple[Watch, Spot]:
    """Return a spot on which chips stood when betting closed."""
    watch, spot = Watch(), Spot(3, "ante")
    watch.see(*stakes, hand(0, -90), seconds=1.0)
    watch.see(*stakes, seconds=2.0)
    spot.close(watch.tracker, watch.now_ns)
    return watch, spot


@pytest.mark.parametrize(
    ("lying", "cents"),
    [
        ((), 0),
        ((STAKE,), 500),
        ((STAKE, chips(42, 0, 100, ANTE)), 600),  # two stacks on one spot
        ((STAKE, PAID), 500),  # what lies beside a spot that is taken is not staked on it
        ((PAID,), 500),  # beside an empty one it is
        ((chips(0, 0, 500, OTHER),), 0),
    ],
)
def test_the_stake_is_what_lies_there_when_betting_closes(lying: tuple[Placed, ...], cents: int) -> None:
    _, spot = closed(*lying)
    assert spot.stake.cents == cents
    assert spot.is_made == bool(cents)


def test_what_was_collected_before_the_deal_was_wagered_all_the_same() -> None:
    spot = Spot(3, "progressive", collected=Amount(100, 0.9, 100, 100))
    assert spot.is_made
    assert spot.stake.cents == 100


def test_a_stake_is_what_it_was_whatever_is_done_to_it_later() -> None:
    watch, spot = closed(STAKE)
    watch.see(hand(0, 0), seconds=0.5)
    watch.see(chips(0, 0, 1000, ANTE), seconds=2.0)
    (stack,) = spot.stakes
    assert stack.value[0] == 1000
    assert spot.stake.cents == 500


@pytest.mark.parametrize(
    ("after", "unknown"),
    [
        ((STAKE,), 0),
        ((STAKE, PAID), 1),  # other chips beside it
        ((chips(30, 0, 500, ANTE),), 0),  # the same chips, pushed
        ((chips(30, 0, 2500, ANTE),), 0),  # other chips in their stead: the stake, changed
        ((), 0),
    ],
)
def test_chips_that_were_moved_are_known(after: tuple[Placed, ...], unknown: int) -> None:
    watch, spot = closed(STAKE)
    watch.see(*after, DEALERS, seconds=1.0)
    assert len(spot.unknown(watch.tracker, spot.zones)) == unknown


def test_moved_chips_are_the_stake_from_then_on() -> None:
    watch, spot = closed(STAKE)
    watch.see(chips(30, 0, 500, ANTE), DEALERS, seconds=1.0)
    assert spot.moved_ns is None
    spot.unknown(watch.tracker, spot.zones)
    assert spot.moved_ns == watch.now_ns
    watch.see(chips(30, 0, 500, ANTE), seconds=3.0)
    assert spot.unknown(watch.tracker, spot.zones) == []
    assert spot.is_standing(watch.tracker)
    assert spot.stake.cents == 500


def test_while_the_dealer_pays_as_much_beside_a_hidden_stake_that_is_a_payment() -> None:
    watch, spot = closed(STAKE)
    watch.see(PAID, hand(0, 60, 65.0), seconds=1.0)  # the hand lies over the stake
    assert len(spot.new_stacks(watch.tracker, is_paying=True, is_due=True)) == 1


@pytest.mark.parametrize(
    ("seconds", "reaching", "is_due", "number"),
    [
        (0.4, (DEALERS,), True, 0),  # it may still be in the hand
        (1.0, (DEALERS,), True, 1),
        (1.0, (DEALERS,), False, 0),  # where nothing is due a passing hand may seem to leave something
        (2.0, (DEALERS,), False, 1),
        (2.0, (), True, 0),  # nobody put it there
        (4.5, (), True, 1),  # unless it stands for long
    ],
)
def test_a_payment_stands_a_while(
    seconds: float,
    reaching: tuple[Placed, ...],
    is_due: bool,
    number: int,
) -> None:
    watch, spot = closed(STAKE)
    watch.see(STAKE, PAID, *reaching, seconds=seconds)
    found = spot.new_stacks(watch.tracker, is_paying=True, is_due=is_due)
    assert len(found) == number
    assert all(was_handled(stack) == bool(reaching) for stack in found)


@pytest.mark.parametrize(
    ("pause_s", "amounts"),
    [
        (0.4, [3000]),  # two stacks in one go
        (3.0, [500, 2500]),  # one after the other: two payments
    ],
)
def test_stacks_of_one_trip_are_one_payment(pause_s: float, amounts: list[int]) -> None:
    watch, spot = closed(STAKE)
    more = chips(45, 45, 2500, BESIDE)
    for things, seconds in (((PAID,), pause_s), ((PAID, more), 1.0)):
        watch.see(STAKE, *things, DEALERS, seconds=0.3)
        watch.see(STAKE, *things, seconds=seconds)
    for stack in spot.new_stacks(watch.tracker, is_paying=True, is_due=True):
        spot.pay(stack, is_dealers=stack.first_ns == spot.stakes[0].first_ns)
    assert [payment.amount.cents for payment in spot.payments] == amounts
    assert not any(payment.is_dealers for payment in spot.payments)
    assert spot.new_stacks(watch.tracker, is_paying=True, is_due=True) == []


@pytest.mark.parametrize(
    ("seen", "is_glimpsed"),
    [
        ((STAKE,), False),
        ((STAKE, PAID), True),  # something stood there for a moment
        ((STAKE, PAID, hand(45, 0)), False),  # chips in a hand are on their way
        ((STAKE, chips(45, 0, 500, OTHER)), False),  # elsewhere
    ],
)
def test_chips_that_are_seen_for_a_moment(seen: tuple[Placed, ...], is_glimpsed: bool) -> None:
    watch, spot = closed(STAKE)
    since_ns = watch.now_ns
    for _ in range(2):
        watch.see(*seen)
        spot.glimpse(watch.tracker, since_ns)
    assert spot.is_glimpsed is is_glimpsed
    spot.forget_glimpses()
    assert not spot.is_glimpsed


@pytest.mark.parametrize(
    ("later", "is_standing"),
    [
        ((STAKE,), True),
        ((hand(0, 0),), True),  # under a hand it stands
        ((), False),
        ((chips(40, 0, 500, ANTE),), True),  # pushed aside
    ],
)
def test_whether_the_stake_stands(later: tuple[Placed, ...], is_standing: bool) -> None:
    watch, spot = closed(STAKE)
    watch.see(*later, seconds=4.0)
    assert spot.is_standing(watch.tracker) is is_standing


def test_an_empty_spot_has_nothing() -> None:
    spot = Spot(3, "ante")
    assert (spot.stake, spot.is_made, spot.zones) == (NOTHING, False, (ANTE, BESIDE))


def test_chips_that_were_last_seen_before_the_round_are_no_stake() -> None:
    watch, _ = closed(STAKE)
    spot = Spot(3, "ante")
    spot.close(watch.tracker, watch.now_ns, since_ns=watch.now_ns + 1)  # an arm hides where they stood
    assert not spot.is_made
