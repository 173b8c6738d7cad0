"""What the loader of wager files refuses, and the expressions they are written in."""

import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

from vision.rules.book.wagers import check_wagers, families, read_family
from vision.rules.odds.examples import worked_examples
from vision.rules.text.expression import compile_expression
from vision.rules.text.wagerfile import WagerFile
from vision.values.resources import WAGERS

CRAPS = tomllib.loads((WAGERS / "craps.toml").read_text(encoding="utf-8"))


class Names:
    """A scope of plain values."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names

    def look_up(self, name: str) -> Any:
        return self._names[name]

    def within(self, names: Mapping[str, Any]) -> "Names":
        return Names({**self._names, **names})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 - 4", 3),
        ("a if b else -a", -2),
        ("not b and a == 2", True),
        ("b or 7", 7),  # as in Python: the part that decides, not just true or false
        ("1 < a <= 2", True),
        ("len(things[:2]) + things[0]", 12),
        ("sum(it for it in things if it > 10)", 50),
        ("a in [1, 2] and 'x' not in ['y']", True),
    ],
)
def test_an_expression_is_computed(text: str, value: object) -> None:
    scope = Names({"a": 2, "b": 0, "things": (10, 20, 30), "len": len, "sum": sum})
    assert compile_expression(text, scope._names)(scope) == value


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("secret", "no such input"),  # a name that the file does not have
        ("a.b", "not a thing that a rule may say"),  # no attributes: nothing outside the words is reached
        ("(lambda: 1)()", "want word(a, b)"),
        ("a ** 2", "want '+', '-' or '*'"),
        ("a +", "not an expression"),
    ],
)
def test_an_expression_that_says_too_much_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(
        ValueError, match=complaint.replace("(", r"\(").replace(")", r"\)").replace("*", r"\*").replace("+", r"\+")
    ):
        compile_expression(text, {"a"})


def edited(change: dict[str, Any]) -> WagerFile:
    wager = {**CRAPS["wager"][0], **change}
    return WagerFile.model_validate({**CRAPS, "wager": [wager]})


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"sections": ["623b.9"]}, "no such section"),
        ({"inputs": ["dice_rolls", "stake_cents", "cards"]}, "no such input"),
        ({"paytable": "cold_roller"}, "no such paytable"),
        ({"settle": [{"row": "All 7 Number Combinations", "cite": "(h)"}]}, "no such row"),
        ({"settle": [{"when": "completed > 9", "pay": "lose", "cite": "(h)"}]}, "a last row that always applies"),
        ({"settle": [{"when": "complete == 6", "pay": "lose", "cite": "(h)"}]}, "no such input, option, word"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        check_wagers(edited(change))


def test_the_shipped_files_are_read() -> None:
    assert len(families()) == len([read_family(path) for path in WAGERS.glob("*.toml")]) >= 7


def test_the_texts_own_examples_come_out_as_printed() -> None:
    assert [entry for entry in worked_examples() if not entry.agrees] == []
