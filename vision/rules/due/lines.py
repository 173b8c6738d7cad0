"""One seat, wager by wager: what is due on each, by the first row of its rules that applies."""

from dataclasses import dataclass, replace

from vision.rules.book.house import House, Rule
from vision.rules.due.decision import Decision
from vision.rules.due.meters import Meters
from vision.rules.due.record import Line, Outcome, SeatPlay, Undecided, unresolved
from vision.rules.due.seathands import SeatHands
from vision.rules.text.gamefile import WagerSpec
from vision.rules.text.pays import Kind, Pay


@dataclass(frozen=True, slots=True)
class Box:
    """A betting position at settlement: what lies there, what was decided, which hands it has."""

    play: SeatPlay
    decision: Decision
    hands: SeatHands


def settle_box(house: House, box: Box, meters: Meters, only: frozenset[str] | None = None) -> dict[str, Line]:
    """Settle the wagers of one seat in their order; with `only`, no others."""
    lines = {}
    for wager in house.game.wagers.values():
        if only is not None and wager.id not in only:
            continue
        line = _bonus_line(house, box, wager, meters) if wager.on else _stake_line(house, box, wager, meters)
        if line is not None:
            lines[wager.id] = line
    about = house.game.file.game
    for wager_id, why in about.not_here.items() if only is None else ():
        if box.play.stake(wager_id):
            lines[wager_id] = unresolved(box.play.stake(wager_id), why, about.cite)
    return lines


def _stake_line(house: House, box: Box, wager: WagerSpec, meters: Meters) -> Line | None:
    stake = box.play.stake(wager.id)
    if not stake:
        return None
    dispute = house.game.file.dispute
    if box.decision.is_disputed and dispute and wager.id in dispute.wagers:
        return unresolved(stake, dispute.why, dispute.cite)
    folded = _fold_line(house, wager, stake) if box.decision.folded else None
    is_offered = wager.id in house.offered
    if folded is not None and (is_offered or not wager.optional):  # what is not on offer cannot be forfeited
        return folded
    if not is_offered:
        return unresolved(stake, _why_not(house, wager), wager.cite)
    return _by_rows(house, box, wager, stake, meters)


def _why_not(house: House, wager: WagerSpec) -> str:
    """Say why a wager cannot be settled: no table was named, or the named one is in a text we lack."""
    for group in house.plans[wager.id].groups:
        absent = house.game.file.pay[group].absent
        if absent and group in house.letters:
            return f"paytable {house.letters[group]} stands in {absent}, which is not in the texts"
    return f"the house names no paytable for {wager.name}"


def _fold_line(house: House, wager: WagerSpec, stake: int) -> Line | None:
    """Return what a fold does to a wager; None where it stays in play."""
    fate = house.plans[wager.id].fold
    if fate is None or fate.fate == "keep":
        return None
    if fate.fate == "unresolved":
        return unresolved(stake, fate.why or "the text does not say what a fold does", fate.cite)
    return Line(Outcome(fate.fate), stake, 0, 0, fate.cite)


def _bonus_line(house: House, box: Box, wager: WagerSpec, meters: Meters) -> Line | None:
    """Return a bonus only where one is paid, or where an unseen card keeps us from knowing."""
    base = box.play.stake(wager.on or "")
    if box.decision.folded or box.decision.is_disputed or wager.id not in house.offered:
        return None
    if not base or not all(box.play.stake(needed) for needed in wager.needs_all):
        return None
    line = _by_rows(house, box, wager, base, meters)
    if line.outcome is Outcome.UNRESOLVED:
        return replace(line, stake=0)
    return replace(line, stake=0, stake_returned=0) if line.outcome is Outcome.WIN else None


def _by_rows(house: House, box: Box, wager: WagerSpec, stake: int, meters: Meters) -> Line:
    for rule in house.plans[wager.id].rules:
        holds = rule.is_free or box.hands.holds(rule.row)
        if isinstance(holds, Undecided):
            return unresolved(stake, holds.why, rule.row.cite)
        if holds:
            return _by_rule(house, box, rule, stake, meters)
    return unresolved(stake, "no rule of the text applies", wager.cite)


def _by_rule(house: House, box: Box, rule: Rule, stake: int, meters: Meters) -> Line:
    row, table = rule.row, rule.table
    if row.unresolved is not None:
        return unresolved(stake, row.unresolved, row.cite)
    if row.pay is not None:
        return _pay_line(house, row.pay, stake, row.cite, meters)
    if table is None:
        return unresolved(stake, f"the house names no paytable {row.table}", row.cite)
    found = box.hands.first_row(rule.hand, table)
    if isinstance(found, Undecided):
        return unresolved(stake, found.why, row.cite)
    if found is None:
        return Line(Outcome.LOSE, stake, 0, 0, row.cite)
    return _pay_line(house, found.pay, stake, table.cite + found.clause, meters, found.cls)


def _pay_line(house: House, pay: Pay, stake: int, cite: str, meters: Meters, cls: str | None = None) -> Line:
    match pay.kind:
        case Kind.LOSE:
            return Line(Outcome.LOSE, stake, 0, 0, cite)
        case Kind.PUSH:
            return Line(Outcome.RETURNED, stake, 0, stake, cite)
        case Kind.TO | Kind.FOR:
            back = stake if pay.kind is Kind.TO else 0
            return Line(Outcome.WIN, stake, pay.on(stake), back, cite, pay=pay, cls=cls)
        case Kind.FIXED:
            back = 0 if house.options.get("fixed_prize_returns_stake") is False else stake
            return Line(Outcome.WIN, stake, pay.on(stake), back, cite, pay=pay, cls=cls)
        case Kind.SHARE:
            paid = meters.award(pay)
            if isinstance(paid, Undecided):
                return unresolved(stake, paid.why, cite)
            return Line(Outcome.WIN, stake, paid, 0, cite, pay=pay, cls=cls)
