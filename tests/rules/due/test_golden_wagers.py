"""Golden wagers: one case per wager, paytable and row, as the second program settles it."""

import json
from collections.abc import Iterator
from pathlib import Path

from vision.rules.book.wagers import BookWager, wager_book
from vision.rules.due.wire import Settler
from vision.rules.text.pays import Pay

GOLDEN = Path(__file__).parents[2] / "golden" / "wagers"
Key = tuple[str, str, str | None, str | None]


def lines(name: str) -> list[str]:
    return (GOLDEN / name).read_text(encoding="utf-8").splitlines()


def rows_of(wager: BookWager) -> Iterator[Key]:
    """Yield every row that a paytable of the wager pays and that a rule names."""
    named = {rule.row for rule in wager.spec.settle}
    for shown, letter in wager.letters.items():
        for row, cell in zip(wager.pay.rows, wager.pay.tables[letter], strict=True) if wager.pay else ():
            if row in named and isinstance(cell, Pay):
                yield wager.section, wager.name, None if shown == "only" else shown, row


def test_golden_wagers_of_the_second_program() -> None:
    expected = [json.loads(line) for line in lines("expected.jsonl")]
    got = list(Settler().answers(lines("input.jsonl")))
    assert len(got) == len(expected) > 900
    for ours, theirs in zip(got, expected, strict=True):
        assert {name: ours[name] for name in theirs} == theirs


def test_every_row_of_every_paytable_is_among_them() -> None:
    asked = [json.loads(line) for line in lines("input.jsonl")]
    rows = [json.loads(line)["row"] for line in lines("expected.jsonl")]
    found = {(line["section"], line["wager"], line["paytable"], row) for line, row in zip(asked, rows, strict=True)}
    wanted = {key for wagers in wager_book().values() for wager in wagers.values() for key in rows_of(wager)}
    assert not wanted - found
