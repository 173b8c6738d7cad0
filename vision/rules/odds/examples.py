"""The cases that the texts work out themselves, settled again: what the print says against what the engine says."""

from collections.abc import Iterator
from dataclasses import dataclass

from vision.rules.book.wagers import families, find_wager
from vision.rules.due.single import settle_single
from vision.rules.text.wagerfile import Example


@dataclass(frozen=True, slots=True)
class Worked:
    """An example of a text, and the row or the outcome that the engine gives it."""

    example: Example
    found: str

    @property
    def agrees(self) -> bool:
        """Tell whether the engine says what the text says."""
        return self.found == self.example.says


def worked_examples() -> Iterator[Worked]:
    """Settle the examples of every wager file."""
    for family in families():
        for example in family.file.example:
            wager = find_wager(example.section, example.wager)
            due = settle_single(wager, example.paytable, {}, example.inputs)
            yield Worked(example, due.row or due.outcome)
