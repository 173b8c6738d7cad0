"""Exact money in cents: an int, or a Fraction where a rule gives parts of a cent. Never a float."""

from enum import StrEnum
from fractions import Fraction
from math import ceil, floor

Cents = int | Fraction


def exact(amount: Fraction) -> Cents:
    """Return a whole number of cents as int, anything else as it is."""
    return amount.numerator if amount.denominator == 1 else amount


def portion(amount: Cents, numerator: int, denominator: int) -> Cents:
    """Return numerator/denominator of the amount, exactly."""
    if isinstance(amount, int) and amount * numerator % denominator == 0:
        return amount * numerator // denominator
    return exact(amount * Fraction(numerator, denominator))


def cents_json(amount: Cents) -> int | str:
    """Return the amount as records write it: 1250, or '2501/2' in lowest terms."""
    return amount if isinstance(amount, int) else f"{amount.numerator}/{amount.denominator}"


def dollars(amount: Cents) -> str:
    """Return the amount as people write it: $12.50; parts of a cent as a fraction."""
    if not isinstance(amount, int):
        return f"${amount.numerator}/{100 * amount.denominator}"
    sign = "-" if amount < 0 else ""
    whole, rest = divmod(abs(amount), 100)
    return f"{sign}${whole:,}" + (f".{rest:02d}" if rest else "")


class Rounding(StrEnum):
    """How a house pays what it cannot pay exactly."""

    DOWN = "down"
    NEAREST = "nearest"
    UP = "up"

    def apply(self, amount: Cents, unit_cents: int = 1) -> int:
        """Return the amount in whole units of the smallest chip or coin the house pays with."""
        units = Fraction(amount) / unit_cents
        match self:
            case Rounding.DOWN:
                return floor(units) * unit_cents
            case Rounding.NEAREST:
                return floor(units + Fraction(1, 2)) * unit_cents
            case Rounding.UP:
                return ceil(units) * unit_cents
