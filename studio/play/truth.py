"""What really happened: the moves of a round enter; the round record with verdicts and faults leaves.

Cards, stakes and payments are read off the moves, what is due comes from `vision.rules`; a verdict compares the two.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from studio.play.ledger import Ledger, Spot, ledger_of
from studio.play.replay import COMMUNITY, EXPOSED, Facts, dealt, played_round, rule_events, rulings
from studio.play.script import Do, Move
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.record import Line, Outcome, SeatPlay, Settlement, Status
from vision.rules.due.settle import settle
from vision.values.cards import DealtHand
from vision.values.money import dollars

__all__ = [
    "Facts",
    "Record",
    "dealt",
    "ledger_of",
    "played_round",
    "record",
    "rule_events",
]  # what a round's truth is made of

WORST = ("right", "unverifiable", "wrong")
Record = dict[str, Any]
KINDS = {
    Do.BET: "bet",
    Do.ADD: "bet",
    Do.PINCH: "pinch",
    Do.CLOSE: "bets-closed",
    Do.COLLECT_PROGRESSIVE: "progressive-collected",
    Do.DEAL: "dealt",
    Do.BURN: "burned",
    Do.STUB: "stub",
    Do.FLASH: "exposed",
    Do.PLAY: "decision",
    Do.FOLD: "decision",
    Do.REVEAL: "revealed",
    Do.TURN_BONUS: "bonus-turned",
    Do.SHOW: "shown",
    Do.PAY: "paid",
    Do.TAKE: "taken",
    Do.GIVE_BACK: "given-back",
    Do.MUCK: "cleared",
    Do.MUCK_DEALER: "cleared",
    Do.GATHER: "gathered",
    Do.TOUCH: "touched",
}


def record(sheet: HouseSheet, moves: Sequence[Move], facts: Facts) -> Record:
    """Return the round record (`docs/schemas/round.json`) as it really was, with the faults; times are the stage's."""
    played = played_round(moves, facts)
    due = settle(sheet.house, played)
    ledger = ledger_of(moves)
    seats = [_seat_record(sheet, moves, play, due, ledger) for play in played.seats]
    return {
        "id": facts.round_id,
        "table": facts.table,
        "game": sheet.game,
        "house": sheet.name,
        "started_ns": None,
        "ended_ns": None,
        "verdict": _round_verdict(due, seats),
        "dealer": {
            "cards": [str(card) for card in played.dealer],
            "up_card": str(played.up_card) if played.up_card else None,
            "shown": any(move.do is Do.REVEAL for move in moves),
        },
        "bonus_card": _bonus_cards(played.bonus),
        **({"community": [str(card) for card in played.community]} if played.community else {}),
        "seats": seats,
        "events": [entry for i, move in enumerate(moves) for entry in _event_record(i, move)],
        "alerts": [],
        "faults": [
            {"code": slip.code, "seat": slip.seat, "wager": slip.wager, "move": slip.move, "name": slip.name}
            for slip in facts.slips
        ],
        "rulings": [{"code": code, "move": i} for i, code in rulings(sheet, moves)],
        **({"deck": dict(facts.deck)} if facts.deck else {}),
    }


def _bonus_cards(cards: DealtHand) -> str | list[str] | None:
    """Write the bonus card; as a list where a game has several."""
    return [str(card) for card in cards] if len(cards) > 1 else str(cards[0]) if cards else None


def _seat_record(sheet: HouseSheet, moves: Sequence[Move], play: SeatPlay, due: Settlement, ledger: Ledger) -> Record:
    lines = next((dict(seat.lines) for seat in due.seats if seat.seat == play.seat), {})
    touched = {
        spot[1] for pile in (ledger.paid, ledger.taken, ledger.given_back) for spot in pile if spot[0] == play.seat
    }
    late = {move.wager for move in moves if move.do is Do.ADD and move.seat == play.seat}
    names = {*play.wagers, *lines, *touched, *(wager for wager in late if wager)}
    order, raises = [*sheet.house.game.wagers, "envy"], sheet.house.game.decisions
    return {
        "seat": play.seat,
        "player": play.player,
        "cards": [str(card) for card in play.cards],
        "shown": any(move.do is Do.SHOW and move.seat == play.seat for move in moves),
        "decision": "fold" if play.folded else "play" if any(play.stake(w.id) for w in raises) else "none",
        "wagers": {w: _wager_record(sheet, play, w, lines.get(w), due, ledger) for w in sorted(names, key=order.index)},
    }


def _wager_record(
    sheet: HouseSheet, play: SeatPlay, wager: str, line: Line | None, due: Settlement, ledger: Ledger
) -> Record:
    spot, cents = (play.seat, wager), play.stake(wager)
    if line is None:
        line = _line_of_nothing(cents, due)
    house = sheet.house
    due_cents = None if line.paid is None else house.rounding.apply(line.paid, house.rounding_unit_cents)
    paid = ledger.paid[spot]
    why = line.why if due_cents is None else _difference(sheet, spot, line, due_cents, ledger)
    verdict = "unverifiable" if due_cents is None else "wrong" if why else "right"
    return {
        "cents": cents,
        "due_cents": due_cents,
        "paid_cents": paid,
        "outcome": str(line.outcome),
        "verdict": verdict,
        "why": why,
        "cite": line.cite,
    }


def _line_of_nothing(cents: int, due: Settlement) -> Line:
    """A wager the settlement is silent about: nobody decides it, or it was not there when betting closed."""
    if due.status in (Status.SUPERVISOR, Status.INVALID_CARDS):
        why = due.remedy or "; ".join(due.notes)
        return Line(Outcome.UNRESOLVED, cents, None, None, due.cite or "", why=why)
    return Line(Outcome.RETURNED, cents, 0, cents, due.cite or "")


def _difference(sheet: HouseSheet, spot: Spot, line: Line, due_cents: int, ledger: Ledger) -> str | None:
    """Say how the chips that moved differ from what was due; None where they do not."""
    paid, taken = ledger.paid[spot], ledger.taken[spot]
    if paid != due_cents:
        return f"paid {dollars(paid)}, due {dollars(due_cents)}"
    spec = sheet.house.game.wagers.get(spot[1])
    is_collected = spec is not None and spec.taken is not None
    if line.outcome is Outcome.RETURNED and is_collected and ledger.given_back[spot] < line.stake:
        return "collected before the deal and not given back"
    if line.outcome in (Outcome.LOSE, Outcome.FORFEIT) and not is_collected and taken < line.stake:
        return f"lost {dollars(line.stake)}, collected {dollars(taken)}"
    if line.outcome in (Outcome.LOSE, Outcome.FORFEIT) and spot in ledger.skipped:
        return f"lost {dollars(line.stake)}, left lying when the others were collected"
    if line.outcome in (Outcome.WIN, Outcome.RETURNED) and taken:
        return f"collected {dollars(taken)} that was not lost"
    return None


def _round_verdict(due: Settlement, seats: Sequence[Record]) -> str:
    verdicts = [entry["verdict"] for seat in seats for entry in seat["wagers"].values()]
    worst = max(verdicts, key=WORST.index, default="right")
    return "void" if due.status is Status.VOID and worst == "right" else str(worst)


def _event_record(index: int, move: Move) -> Iterator[Record]:
    """Yield a move as an event of the record, where it is one."""
    if move.do not in KINDS:
        return
    entry: Record = {"kind": KINDS[move.do], "move": index}
    entry |= {"seat": move.seat} if move.seat else {}
    entry |= {"wager": move.wager} if move.wager else {}
    entry |= {"cents": sum(move.chips)} if move.chips else {}
    entry |= {"zone": move.zone, "up": move.up} if move.zone and move.do is not Do.REVEAL else {}
    entry |= {"zone": move.zone, "showing": move.count} if move.do is Do.REVEAL and move.zone == COMMUNITY else {}
    entry |= {"cards": [str(card) for card in move.cards]} if move.cards else {}
    entry |= {"decision": str(move.do)} if move.do in (Do.PLAY, Do.FOLD) else {}
    entry |= {"counted": bool(move.count)} if move.do is Do.STUB else {}
    yield entry
    if move.do is Do.DEAL and move.fault == EXPOSED:
        yield {"kind": "exposed", "move": index, "zone": move.zone}
