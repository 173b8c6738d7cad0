"""Amounts as pages print them: what is uncertain never looks like what is certain. Cents enter, words leave."""

from decimal import Decimal
from typing import Final

from vision.records.round import Wager
from vision.values.money import dollars

STEPS: Final = (5_000_00, 1_000_00, 500_00, 100_00, 50_00, 10_00, 5_00, 1_00)  # to which "about" is rounded
SHOWN: Final = 20  # of these steps at most lie in an amount
OPEN_ENDED: Final = 4  # a most that is so many times the least says nothing


def amount(cents: int | None, *, is_certain: bool = True) -> str:
    """Return an amount: '$25' where it was read for certain, else 'about $1,600'."""
    if cents is None:
        return "not known"
    return dollars(cents) if is_certain else f"about {dollars(_rounded(cents))}"


def stake(wager: Wager) -> str:
    """Return a stake; where it was not read whole, between what it lies."""
    if wager.cents is None and wager.bounds is None:
        return "not known"
    if wager.bounds is None:
        return dollars(wager.cents or 0)
    low, high = wager.bounds
    if high is None or high > OPEN_ENDED * max(low, 1):
        return f"at least {dollars(low)}"
    return dollars(low) if low == high else f"{dollars(low)} to {dollars(high)}"


def cents_of(text: str) -> int | None:
    """Read an amount of dollars: '12.50', '$1,600'; None where nothing was written."""
    bare = text.replace("$", "").replace(",", "").strip()
    return int(Decimal(bare) * 100) if bare else None


def percent(share: float) -> str:
    """Return a probability: never all of it, and never nothing."""
    if share > 0.99:
        return "over 99 %"
    return "under 1 %" if share < 0.01 else f"{int(100 * share)} %"


def _rounded(cents: int) -> int:
    step = next((step for step in reversed(STEPS) if cents <= SHOWN * step), STEPS[0])
    return round(cents / step) * step or cents
