"""What chips are worth, as far as it can be told: stacks enter; the likeliest cents, others, and bounds leave."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from vision.observe.evidence import Content
from vision.observe.tracks import StackTrack

SURE: Final = 0.68  # of a worth, from which on it may be relied on
CERTAIN: Final = 0.95  # from which on no bounds need to be told with it
POSSIBLE: Final = 0.03  # of a worth, from which on it is not excluded
MOST: Final = 12  # values of an amount that are kept
MANY: Final = 500  # the same while it is summed up


@dataclass(frozen=True, slots=True)
class Amount:
    """What chips are worth: the likeliest cents, how likely, and the bounds; None where it cannot be told."""

    cents: int | None
    p: float
    low: int
    high: int | None
    chances: tuple[tuple[int, float], ...] = ()  # the likeliest first

    @property
    def is_sure(self) -> bool:
        """Say whether it may be relied on."""
        return self.cents is not None and self.p >= SURE

    @property
    def is_certain(self) -> bool:
        """Say whether nothing else need be told of it."""
        return self.cents is not None and self.p >= CERTAIN

    def may_be(self, cents: int) -> bool:
        """Say whether it may be so much: some readings say so, or the bounds allow it."""
        if any(value == cents and p >= POSSIBLE for value, p in self.chances):
            return True
        return not (self.cents is not None and self.p >= 1.0) and self.low <= cents <= (
            self.high if self.high is not None else cents
        )

    def chance_of(self, cents: int) -> float:
        """Return how likely so much is: what readings say, and a little where only the bounds allow it."""
        told = sum(p for value, p in self.chances if value == cents)
        return max(told, POSSIBLE if self.may_be(cents) else 0.0)


def within(amount: Amount, low: int, high: int) -> Amount:
    """Return an amount that lies between two limits if it may; one that surely does not stays what it is."""
    if amount.is_sure or amount.low > high or (amount.high is not None and amount.high < low):
        return amount
    kept = tuple((cents, p) for cents, p in amount.chances if low <= cents <= high)
    cents, p = kept[0] if kept else (None, 0.0)
    top = high if amount.high is None else min(amount.high, high)
    return Amount(cents, p, max(amount.low, low), top, kept)


def among(amount: Amount, worths: Sequence[int]) -> Amount:
    """Return an amount as the likeliest of some worths, where it may be one of them and is not surely another."""
    kept = tuple((cents, amount.chance_of(cents)) for cents in worths if amount.may_be(cents))
    if amount.is_sure or not kept:
        return amount
    cents, p = max(kept, key=lambda chance: chance[1])
    return Amount(cents, p, min(worth for worth, _ in kept), max(worth for worth, _ in kept), kept)


NOTHING: Final = Amount(0, 1.0, 0, 0, ((0, 1.0),))


def amount_of(stacks: Sequence[StackTrack], t_ns: int | None = None) -> Amount:
    """Return what some stacks are worth together, now or at a time."""
    contents = [stack.contents[-1] if t_ns is None else stack.content_at(t_ns) for stack in stacks]
    return total([_amount(content) for content in contents])


def _amount(content: Content) -> Amount:
    cents, p = content.value
    bounds = content.bounds
    if bounds is None:
        return Amount(None, 0.0, 0, None)
    ranked = sorted(content.votes.items(), key=lambda vote: (-vote[1], vote[0]))[:MOST]
    chances = tuple((value, belief / content.looks) for value, belief in ranked)
    return Amount(cents, p, *bounds, chances)


def total(amounts: Sequence[Amount]) -> Amount:
    """Return what several amounts are together."""
    whole = NOTHING
    for amount in amounts:
        whole = _plus(whole, amount)
    return replace(whole, chances=whole.chances[:MOST])


def _plus(one: Amount, other: Amount) -> Amount:
    low = one.low + other.low
    high = None if one.high is None or other.high is None else one.high + other.high
    if one.cents is None or other.cents is None:
        return Amount(None, 0.0, low, high)
    sums: dict[int, float] = {}
    for (a, p), (b, q) in product(one.chances, other.chances):
        sums[a + b] = sums.get(a + b, 0.0) + p * q
    chances = tuple(sorted(sums.items(), key=lambda item: (-item[1], item[0]))[:MANY])
    cents = one.cents + other.cents
    return Amount(cents, sums.get(cents, 0.0), low, high, chances)
