"""What chips are worth: likeliest cents, others that are possible, and bounds."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import stack_worth
from things import reading

from vision.observe.evidence import Content
from vision.story.amounts import NOTHING, POSSIBLE, Amount, among, amount_of, total, within
from vision.table.zones import FELT

CENTS = st.integers(0, 40).map(lambda n: 100 * n)


def sure(cents: int) -> Amount:
    return Amount(cents, 0.95, cents, cents, ((cents, 0.95),))


def doubtful(*chances: tuple[int, float], low: int, high: int | None) -> Amount:
    return Amount(chances[0][0], chances[0][1], low, high, chances)


@st.composite
def amounts(draw: st.DrawFn) -> Amount:
    """Return an amount as readings of chips give it: the likeliest first, bounds around all of them."""
    if draw(st.booleans()) and draw(st.booleans()):
        return Amount(None, 0.0, draw(CENTS), None)
    values = draw(st.lists(CENTS, min_size=1, max_size=3, unique=True))
    weights = sorted((draw(st.floats(0.05, 1.0)) for _ in values), reverse=True)
    chances = tuple((value, weight / sum(weights)) for value, weight in zip(values, weights, strict=True))
    low, high = min(values) - draw(st.sampled_from([0, 100])), max(values) + draw(CENTS)
    return Amount(*chances[0], max(low, 0), draw(st.sampled_from([high, None])), chances)


@settings(deadline=None)
@given(st.lists(amounts(), max_size=4))
def test_bounds_add_up(parts: list[Amount]) -> None:
    whole = total(parts)
    assert whole.low == sum(part.low for part in parts)
    highs = [part.high for part in parts]
    assert whole.high == (None if None in highs else sum(high for high in highs if high is not None))


@settings(deadline=None)
@given(st.lists(amounts(), max_size=4))
def test_cents_add_up_unless_some_are_unknown(parts: list[Amount]) -> None:
    cents = [part.cents for part in parts]
    assert total(parts).cents == (None if None in cents else sum(value for value in cents if value is not None))


@settings(deadline=None)
@given(st.lists(amounts(), max_size=3))
def test_the_order_of_stacks_does_not_matter(parts: list[Amount]) -> None:
    found = [total(way) for way in permutations(parts)]
    assert len({(whole.cents, whole.low, whole.high) for whole in found}) == 1
    assert all(whole.p == pytest.approx(found[0].p) for whole in found)


@settings(deadline=None)
@given(amounts())
def test_nothing_added_is_nothing_added(amount: Amount) -> None:
    both = total([NOTHING, amount])
    assert (both.cents, both.low, both.high) == (amount.cents, amount.low, amount.high)
    assert dict(both.chances) == pytest.approx(dict(amount.chances))


@settings(deadline=None)
@given(st.lists(amounts(), max_size=4))
def test_a_sum_is_no_surer_than_its_parts(parts: list[Amount]) -> None:
    whole = total(parts)
    assert sum(p for _, p in whole.chances) <= 1 + 1e-9
    assert not whole.is_sure or all(part.cents is not None for part in parts)


@settings(deadline=None)
@given(amounts(), CENTS)
def test_what_has_a_chance_is_possible_and_the_other_way_round(amount: Amount, cents: int) -> None:
    assert (amount.chance_of(cents) >= POSSIBLE) == amount.may_be(cents)


@pytest.mark.parametrize(
    ("amount", "cents", "may_be"),
    [
        (sure(500), 500, True),
        (sure(500), 1000, False),
        (doubtful((500, 0.9), (1000, 0.1), low=500, high=500), 1000, True),  # some looks said so
        (doubtful((500, 0.99), (1000, 0.01), low=500, high=500), 1000, False),  # hardly any
        (doubtful((500, 0.9), low=500, high=1500), 1000, True),  # the bounds allow it
        (doubtful((500, 0.9), low=500, high=1500), 1600, False),
        (doubtful((500, 1.0), low=500, high=1500), 1000, False),  # bounds mean nothing where it is certain
        (Amount(None, 0.0, 500, None), 99_900, True),  # no upper bound
        (Amount(None, 0.0, 500, None), 400, False),
        (NOTHING, 0, True),
        (NOTHING, 100, False),
    ],
)
def test_what_an_amount_may_be(amount: Amount, cents: int, may_be: bool) -> None:
    assert amount.may_be(cents) is may_be


def test_stacks_are_counted_together() -> None:
    found = amount_of([stack_worth(1, 500, FELT), stack_worth(2, reading(2500, 0.8, (2000, 3000)), FELT)])
    assert (found.cents, found.low, found.high) == (3000, 2500, 3500)
    assert found.p == pytest.approx(0.95 * 0.8)
    assert found.is_sure


def test_chips_that_nobody_read_have_a_worth_that_nobody_knows() -> None:
    found = amount_of([stack_worth(1, 500, FELT), stack_worth(2, 500, FELT, looks=0)])
    assert (found.cents, found.low, found.high, found.is_sure) == (None, 500, None, False)


def test_no_stack_is_nothing() -> None:
    assert amount_of([]) == NOTHING


def test_what_they_were_at_a_time() -> None:
    stack = stack_worth(1, 500, FELT)
    later = Content(2 * 10**9)
    later.add(stack_worth(2, 1000, FELT).contents[0])
    stack.contents.append(later)
    assert [amount_of([stack], t_ns).cents for t_ns in (10**9, 2 * 10**9, None)] == [500, 1000, 1000]


@pytest.mark.parametrize(
    ("amount", "told"),
    [
        (Amount(500, 0.3, 100, 900, ((500, 0.3),)), (500, 100, 900)),  # it lies between the limits
        (Amount(108_500, 0.3, 100, None, ((108_500, 0.3), (700, 0.1))), (700, 100, 1000)),  # the best that does
        (Amount(5000, 0.3, 50, 9000, ((5000, 0.3),)), (None, 100, 1000)),  # no reading does: bounds alone
        (Amount(5000, 0.9, 50, 9000, ((5000, 0.9),)), (5000, 50, 9000)),  # surely over the limit: that is told
        (Amount(5000, 0.3, 2000, 9000, ((5000, 0.3),)), (5000, 2000, 9000)),  # over it whatever it is
    ],
)
def test_an_amount_keeps_to_the_limits_where_it_may(amount: Amount, told: tuple[int | None, int, int]) -> None:
    found = within(amount, 100, 1000)
    assert (found.cents, found.low, found.high) == told


@pytest.mark.parametrize(
    ("amount", "worths", "cents"),
    [
        (doubtful((10_000, 0.4), (100, 0.1), low=50, high=20_000), (100,), 100),  # the house takes one dollar there
        (doubtful((10_000, 0.4), low=50, high=20_000), (100, 500), 100),  # of those that it may be, the first
        (doubtful((10_000, 0.4), low=5_000, high=20_000), (100,), 10_000),  # it cannot be that: it stays
        (sure(500), (100,), 500),  # it surely is another: a wager that is not allowed
    ],
)
def test_a_stake_of_which_the_house_says_what_it_may_be(amount: Amount, worths: tuple[int, ...], cents: int) -> None:
    assert among(amount, worths).cents == cents
