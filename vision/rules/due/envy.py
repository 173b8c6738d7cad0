"""Envy bonuses: what a progressive bettor is paid for the great hands of the others."""

from collections.abc import Iterator, Sequence

from vision.rules.book.house import House
from vision.rules.due.lines import Box
from vision.rules.due.record import Line, Outcome, Undecided, Violation
from vision.rules.text.gamefile import EnvySpec, Row, Table
from vision.values.money import Cents, portion


class Envy:
    """The envy bonuses of one round."""

    def __init__(self, house: House, spec: EnvySpec, table: Table, boxes: Sequence[Box]) -> None:
        self._house, self._spec, self._table = house, spec, table
        self._hand = house.hand_for(table, None, spec.hand_option)
        self._qualifying = [(box, row) for box in boxes if (row := self._row_of(box)) is not None]

    def line(self, box: Box) -> Line | Violation | None:
        """Return what one seat receives for the others' hands, if anything."""
        stake = box.play.stake(self._spec.on)
        rows = list(self._rows_for(box))
        if not stake or not rows or (box.decision.folded and not self._house.options.get("folded_envy_live")):
            return None
        if self._spec.stakes_cents and stake not in self._spec.stakes_cents:
            return Violation(
                "no-envy-table",
                box.play.seat,
                f"no envy amounts are printed for a stake of {stake} cents",
                self._spec.cite,
            )
        unit = self._table.unit_cents
        paid: Cents = sum((portion(row.pay.numerator, stake, unit) for row in rows), start=0)
        cite = self._table.cite + ",".join(dict.fromkeys(row.clause for row in rows))
        return Line(Outcome.WIN, 0, paid, 0, cite)

    def _rows_for(self, receiver: Box) -> Iterator[Row]:
        """Yield the qualifying hands of other persons, one by one."""
        for box, row in self._qualifying:
            same_person = box.play.player is not None and box.play.player == receiver.play.player
            if box is not receiver and not same_person:
                yield row

    def _row_of(self, box: Box) -> Row | None:
        if box.decision.folded and not self._folded_counts(box):
            return None
        row = box.hands.first_row(self._hand, self._table)
        return None if isinstance(row, Undecided) else row

    def _folded_counts(self, box: Box) -> bool:
        """A folded hand earns others a bonus as the house says; else only where its own progressive is live."""
        chosen = self._house.options.get("folded_hand_triggers_envy")
        if chosen is not None:
            return bool(chosen)
        fate = self._house.plans[self._spec.on].fold
        return bool(box.play.stake(self._spec.on)) and fate is not None and fate.fate == "keep"


def envy_of(house: House, boxes: Sequence[Box]) -> Envy | None:
    """Return the round's envy bonuses, None where the house offers none."""
    spec = house.game.file.envy
    if spec is None:
        return None
    table = house.table(spec.table)
    return Envy(house, spec, table, boxes) if table is not None and spec.on in house.offered else None
