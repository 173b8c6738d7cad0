"""What was due against what was done: a round as it was seen enters, the verdict on each wager leaves."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from vision.money import dollars
from vision.rounds.spots import NOTHING, Amount
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.record import Line, Outcome, PlayedRound, Settlement, Status
from vision.rules.due.settle import settle

LOST: Final = (Outcome.LOSE, Outcome.FORFEIT)


@dataclass(frozen=True)
class Done:
    """What was done with one wager: the stake, what was paid, whether its chips were taken or left."""

    stake: Amount
    paid: Amount = NOTHING
    is_gone: bool = False  # the stake is not there any more
    is_gathered: bool = False  # and it was its owner's to take
    is_over: bool = True  # the dealer is done with it


@dataclass(frozen=True)
class Verdict:
    """The verdict on one wager; `code` is the alert where it is wrong."""

    cents: int | None
    due_cents: int | None
    paid_cents: int | None
    outcome: str
    verdict: str
    why: str | None
    cite: str
    code: str | None = None
    bounds: tuple[int, int | None] | None = None


def due_of(sheet: HouseSheet, played: PlayedRound) -> Settlement:
    """Return what the round is due."""
    return settle(sheet.house, played)


def judge(sheet: HouseSheet, line: Line | None, done: Done, due: Settlement, wager: str) -> Verdict:
    """Compare one wager."""
    if line is None:
        line = _silent(done, due)
    rounding = sheet.house.rounding
    cents = None if line.paid is None else rounding.apply(line.paid, sheet.house.rounding_unit_cents)
    plain = Verdict(done.stake.cents, cents, done.paid.cents, str(line.outcome), "right", None, line.cite)
    if cents is None:
        return replace(plain, verdict="unverifiable", why=line.why)
    if not done.stake.is_sure:
        why = f"the stake is not known: at least {dollars(done.stake.low)}"
        return replace(plain, verdict="unverifiable", why=why, bounds=(done.stake.low, done.stake.high))
    code, difference = _difference(sheet, wager, line, cents, done)
    if code is None:
        return plain
    doubt = _doubt(cents, done)
    if doubt is not None:
        return replace(plain, verdict="unverifiable", why=doubt)
    return replace(plain, verdict="wrong", why=difference, code=code)


def _silent(done: Done, due: Settlement) -> Line:
    """Return the line of a wager that the settlement does not speak of."""
    cents = done.stake.cents or 0
    if due.status in (Status.SUPERVISOR, Status.INVALID_CARDS):
        why = due.remedy or "; ".join(due.notes)
        return Line(Outcome.UNRESOLVED, cents, None, None, due.cite or "", why=why)
    return Line(Outcome.RETURNED, cents, 0, cents, due.cite or "")


def _difference(sheet: HouseSheet, wager: str, line: Line, due_cents: int, done: Done) -> tuple[str | None, str | None]:
    """Return the code and the words for how the chips that moved differ from what was due."""
    paid = done.paid.cents or 0
    is_lost = line.outcome in LOST
    if paid != due_cents:
        return _paid_code(line, due_cents, paid, done), f"paid {dollars(paid)}, due {dollars(due_cents)}"
    spec = sheet.house.game.wagers.get(wager)
    is_collected = spec is not None and spec.taken is not None
    if is_lost and not is_collected and not done.is_gone and line.stake:
        return "loser-not-collected", f"lost {dollars(line.stake)}, not collected"
    return None, None


def _paid_code(line: Line, due_cents: int, paid: int, done: Done) -> str:
    if not due_cents:
        return "loser-paid" if line.outcome in LOST else "overpaid"
    if not paid:
        return "winner-collected" if done.is_gone and not done.is_gathered and line.stake else "winner-not-paid"
    return "underpaid" if paid < due_cents else "overpaid"


def _doubt(due_cents: int, done: Done) -> str | None:
    """Return why a difference proves nothing, if it does not: the chips allow what was due."""
    paid = done.paid
    if paid.cents is None:
        return f"what was paid is not known: at least {dollars(paid.low)}"
    if not paid.is_sure and paid.low <= due_cents <= (paid.high if paid.high is not None else due_cents):
        return f"what was paid is not certain: {dollars(paid.low)} to {dollars(paid.high or paid.low)}"
    return None


def round_verdict(verdicts: Mapping[tuple[int, str], Verdict], due: Settlement) -> str:
    """Return the verdict on a round: the worst of its wagers, or void."""
    names = [verdict.verdict for verdict in verdicts.values()]
    if "wrong" in names:
        return "wrong"
    if "unverifiable" in names:
        return "unverifiable"
    return "void" if due.status is Status.VOID else "right"
