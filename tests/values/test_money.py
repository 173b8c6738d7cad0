from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.values.money import Cents, Rounding, cents_json, dollars, portion


@pytest.mark.parametrize(
    ("amount", "over", "under", "want"),
    [
        (500, 3, 2, 750),  # three to two on five dollars
        (5, 3, 2, Fraction(15, 2)),  # half a cent stays exact
        (1_534_205, 10, 100, Fraction(306_841, 2)),  # ten percent of a meter
        (Fraction(1, 2), 2, 1, 1),  # a fraction that becomes whole is an int again
    ],
)
def test_portion(amount: Cents, over: int, under: int, want: Cents) -> None:
    got = portion(amount, over, under)
    assert got == want
    assert isinstance(got, int) == isinstance(want, int)


@pytest.mark.parametrize(
    ("cents", "json", "text"),
    [
        (1250, 1250, "$12.50"),
        (100_000_000, 100_000_000, "$1,000,000"),
        (-500, -500, "-$5"),
        (Fraction(15, 2), "15/2", "$15/200"),  # parts of a cent are shown as a fraction of a dollar
    ],
)
def test_text_forms(cents: Cents, json: int | str, text: str) -> None:
    assert cents_json(cents) == json
    assert dollars(cents) == text


@pytest.mark.parametrize(
    ("mode", "unit", "want"),
    [
        (Rounding.DOWN, 1, 153_420),  # to the cent below
        (Rounding.UP, 1, 153_421),
        (Rounding.NEAREST, 1, 153_421),  # a half goes up
        (Rounding.DOWN, 50, 153_400),  # to the half dollar below
    ],
)
def test_rounding(mode: Rounding, unit: int, want: int) -> None:
    assert mode.apply(Fraction(306_841, 2), unit) == want


@given(cents=st.integers(0, 10**9), unit=st.integers(1, 500))
def test_rounding_stays_within_one_unit(cents: int, unit: int) -> None:
    down, up = Rounding.DOWN.apply(cents, unit), Rounding.UP.apply(cents, unit)
    assert down <= cents <= up
    assert up - down in (0, unit)
