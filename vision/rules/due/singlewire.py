"""Single wagers on the wire: a line with `wager` in place of `round` enters, one answer leaves."""

from typing import Annotated, Any

from pydantic import BeforeValidator

from vision.rules.book.wagers import find_wager
from vision.rules.due.documents import Choice, Document
from vision.rules.due.single import SingleDue, settle_single
from vision.rules.text.pays import Kind, Pay
from vision.values.money import Rounding, cents_json

METER_NAMES = {"main": "of meter", "mega": "Mega Jackpot", "major": "Major Jackpot", "minor": "Minor Jackpot"}


class WagerLine(Document):
    """One line that asks about one wager."""

    id: str | int | None = None
    section: str
    wager: str
    paytable: str | None = None
    options: dict[str, Choice | None] = {}  # null: unset
    inputs: dict[str, Any]
    rounding: Annotated[Rounding, BeforeValidator(Rounding)] = Rounding.DOWN


def answer_wager(document: Any) -> dict[str, Any]:
    """Settle the one wager of a line."""
    asked = WagerLine.model_validate(document)
    options = {name: value for name, value in asked.options.items() if value is not None}
    due = settle_single(find_wager(asked.section, asked.wager), asked.paytable, options, asked.inputs)
    return {"id": asked.id, **single_json(due, asked.rounding)}


def single_json(due: SingleDue, rounding: Rounding) -> dict[str, Any]:
    """Return an answer as the format writes it."""
    body: dict[str, Any] = {
        "outcome": due.outcome,
        "odds": None if due.pay is None else printed(due.pay),
        "paid": None if due.paid is None else cents_json(due.paid),
        "stake_returned": due.stake_returned,
        "row": due.row,
        "cite": due.cite,
        "why": due.why,
    }
    if due.paid is not None and not isinstance(due.paid, int):
        body["paid_rounded"] = rounding.apply(due.paid)
    return body


def printed(pay: Pay) -> str:
    """Write a pay as the texts print it."""
    if pay.kind is Kind.FIXED:
        return f"${pay.numerator // 100:,}"
    if pay.kind is Kind.SHARE:
        return f"{pay.numerator}% {METER_NAMES[pay.meter]}"
    return str(pay)
