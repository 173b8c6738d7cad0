"""What really happened: the moves of a round enter; the chips' ways, the rulings and the round record leave.

Nothing here trusts the author's plan. Cards, stakes and payments are read off the moves, what is due comes from
`vision.rules`, and a verdict compares the two.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vision.cards import Card, Hand
from vision.money import dollars
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.record import Irregularity, Line, Outcome, PlayedRound, SeatPlay, Settlement, Status
from vision.rules.due.settle import settle
from vision.rules.play import events as ev
from vision.rules.play.allowed import allowed
from vision.rules.play.bets import objections
from vision.rules.play.dealscript import SEAT
from vision.rules.play.tablestate import TableState, after
from vision.simulate.play.players import Chips
from vision.simulate.play.script import Do, Move

DEALER, BONUS, DISCARD = "dealer.hand", "table.bonus", "table.discard"
FACED, EXPOSED, MISCOUNT = "card-faced-in-deck", "dealer-card-exposed", "wrong-card-count"
CALLED_OFF = "called off"  # the note of the move with which a floor ends a round
SETTLING = (Do.PAY, Do.TAKE, Do.GIVE_BACK)
WORST = ("right", "unverifiable", "wrong")
Spot = tuple[int, str]  # seat, wager
Record = dict[str, Any]


class Ledger:
    """Where every chip is: on spots, paid beside them, in the tray, with the players."""

    def __init__(self) -> None:
        self.stakes: dict[Spot, Chips] = {}
        self.beside: dict[Spot, Chips] = {}
        self.tray = 0
        self.purses: dict[int, int] = defaultdict(int)  # by seat
        self.paid: dict[Spot, int] = defaultdict(int)
        self.taken: dict[Spot, int] = defaultdict(int)
        self.given_back: dict[Spot, int] = defaultdict(int)

    def apply(self, move: Move) -> Chips:
        """Move the chips of one move and return them."""
        spot = (move.seat or 0, move.wager or "")
        match move.do:
            case Do.BET | Do.ADD:
                return self._put(spot, move.chips)
            case Do.PLAY:
                return self._put((spot[0], "play"), move.chips)
            case Do.PINCH:
                return self._pinch(spot, move.chips)
            case Do.COLLECT_PROGRESSIVE:
                return tuple(chip for each in sorted(self.stakes) if each[1] == spot[1] for chip in self._take(each))
            case Do.TAKE:
                self.taken[spot] += sum(self.stakes.get(spot, ()))
                return self._take(spot)
            case Do.PAY:
                self.tray -= sum(move.chips)
                self.paid[spot] += sum(move.chips)
                self.beside[spot] = (*self.beside.get(spot, ()), *move.chips)
                return move.chips
            case Do.GIVE_BACK:
                return self._give_back(spot, move.chips)
            case Do.GATHER:
                return self._gather(spot[0])
        return move.chips

    def lying(self, seat: int) -> int:
        """Return the cents on and beside a seat's spots."""
        return sum(sum(chips) for pile in (self.stakes, self.beside) for spot, chips in pile.items() if spot[0] == seat)

    def _put(self, spot: Spot, chips: Chips) -> Chips:
        self.stakes[spot] = (*self.stakes.get(spot, ()), *chips)
        self.purses[spot[0]] -= sum(chips)
        return chips

    def _pinch(self, spot: Spot, chips: Chips) -> Chips:
        left = list(reversed(self.stakes[spot]))
        for chip in chips:
            left.remove(chip)  # the topmost of its kind
        self.stakes[spot] = tuple(reversed(left))
        self.purses[spot[0]] += sum(chips)
        return chips

    def _take(self, spot: Spot) -> Chips:
        chips = self.stakes.pop(spot, ())
        self.tray += sum(chips)
        return chips

    def _give_back(self, spot: Spot, chips: Chips) -> Chips:
        """A wager goes back from its spot; one that was collected before the deal, from the tray."""
        if spot in self.stakes:
            chips = self.stakes.pop(spot)
        else:
            self.tray -= sum(chips)
        self.purses[spot[0]] += sum(chips)
        self.given_back[spot] += sum(chips)
        return chips

    def _gather(self, seat: int) -> Chips:
        chips: Chips = ()
        for pile in (self.stakes, self.beside):
            for spot in sorted(spot for spot in pile if spot[0] == seat):
                chips += pile.pop(spot)
        self.purses[seat] += sum(chips)
        return chips


def ledger_of(moves: Iterable[Move]) -> Ledger:
    """Return where the chips are after some moves."""
    ledger = Ledger()
    for move in moves:
        ledger.apply(move)
    return ledger


@dataclass(frozen=True, slots=True)
class Slip:
    """One injected fault: the name it was asked by, and the move where it begins."""

    name: str
    code: str
    seat: int | None
    wager: str | None
    move: int


@dataclass(frozen=True)
class Facts:
    """What the moves do not say."""

    round_id: str
    table: str
    players: Mapping[int, str]  # seat -> who
    meters: Mapping[str, int] = field(default_factory=dict)
    seeds: Mapping[str, int] = field(default_factory=dict)
    slips: Sequence[Slip] = ()


def dealt(moves: Iterable[Move], zone: str, seat: int | None = None) -> Hand:
    """Return the cards that came to a place, in the order of the deal."""
    return tuple(c for m in moves if m.do is Do.DEAL and (m.zone, m.seat) == (zone, seat) for c in m.cards)


def stakes_at_close(moves: Sequence[Move]) -> dict[Spot, int]:
    """Return the wagers as they lay when betting closed."""
    closing = next(i for i, move in enumerate(moves) if move.do is Do.CLOSE)
    return {spot: sum(chips) for spot, chips in ledger_of(moves[:closing]).stakes.items()}


def played_round(moves: Sequence[Move], facts: Facts) -> PlayedRound:
    """Read off the moves what was played."""
    closed = stakes_at_close(moves)
    return PlayedRound(
        seats=tuple(_seat_play(moves, seat, closed, facts) for seat in sorted({seat for seat, _ in closed})),
        dealer=dealt(moves, DEALER),
        bonus=dealt(moves, BONUS),
        up_card=_up_card(moves),
        meters=facts.meters,
        seeds=facts.seeds,
        irregularities=tuple(irregularities(moves)),
    )


def _seat_play(moves: Sequence[Move], seat: int, closed: Mapping[Spot, int], facts: Facts) -> SeatPlay:
    wagers = {wager: cents for (where, wager), cents in closed.items() if where == seat}
    played = [sum(move.chips) for move in moves if move.do is Do.PLAY and move.seat == seat]
    wagers |= {"play": sum(played)} if played else {}
    folded = any(move.do is Do.FOLD and move.seat == seat for move in moves)
    return SeatPlay(seat, dealt(moves, SEAT, seat), wagers, folded, facts.players.get(seat))


def _up_card(moves: Iterable[Move]) -> Card | None:
    faces = [move.cards[-1] for move in moves if move.do is Do.DEAL and move.zone == DEALER and move.up]
    return faces[-1] if faces else None


def irregularities(moves: Sequence[Move]) -> Iterator[Irregularity]:
    """Yield what went wrong with cards; wrong numbers and repeated cards are found from the cards themselves."""
    faced = sum(move.up for move in moves if move.do is Do.BURN)
    if faced:
        yield Irregularity(FACED, faced)
    shown = sum(move.up for move in moves if move.do is Do.DEAL and move.zone == DEALER)
    if shown > 1 or any(move.do is Do.FLASH for move in moves):
        yield Irregularity(EXPOSED)


def rule_events(sheet: HouseSheet, moves: Sequence[Move]) -> Iterator[tuple[int, ev.Event]]:
    """Tell a script in the rule book's words, each event with the index of its move."""
    ledger, faces = Ledger(), 0
    left: set[ev.Event] = set()  # once is enough to say that chips were left to their owner
    for i, move in enumerate(moves):
        before = dict(ledger.stakes)
        ledger.apply(move)
        if move.do is Do.FLASH or (move.do is Do.DEAL and move.zone == DEALER):
            faces += 1 if move.do is Do.FLASH else move.up
        passed = [event for event in _passed_over(sheet, moves, i) if event not in left]
        left.update(passed)
        happened = [*_card_events(move, faces), *_stage_events(sheet, moves, i), *_chip_events(move, before, ledger)]
        yield from ((i, event) for event in (*passed, *happened))


def _stage_events(sheet: HouseSheet, moves: Sequence[Move], at: int) -> Iterator[ev.Event]:
    """Yield what a move is apart from chips and deliveries."""
    seat, counts = moves[at].seat, sheet.house.game.file.counts
    match moves[at].do:
        case Do.CLOSE:
            yield ev.NoMoreBets()
        case Do.STUB:
            yield from (ev.DealOver(), *_miscounts(moves, counts))
        case Do.FOLD:
            yield ev.Fold(seat or 0)
        case Do.TOUCH:
            yield ev.Touch(seat or 0, ev.Hand.STRANGER)
        case Do.REVEAL:
            yield ev.Turn(DEALER, None, counts[DEALER])
        case Do.TURN_BONUS:
            yield ev.Turn(BONUS, None, 1)
        case Do.SHOW:
            yield ev.Turn(SEAT, seat, len(dealt(moves, SEAT, seat)))
        case Do.MUCK:
            yield ev.Clear(SEAT, seat)
        case Do.MUCK_DEALER:
            yield from (ev.Clear(zone) for zone in (DEALER, BONUS) if dealt(moves, zone))


def _card_events(move: Move, faces: int) -> Iterator[ev.Event]:
    """Yield deliveries and flashes; `faces` of the dealer's have been seen by now, of which one may be."""
    match move.do:
        case Do.BURN:
            yield from [ev.Declare(FACED, 1)] * bool(move.up)
            yield ev.Deal(DISCARD, None, len(move.cards), move.up)
        case Do.DEAL:
            yield ev.Deal(move.zone, move.seat, len(move.cards), move.up)
    is_shown = move.do is Do.FLASH or (move.do is Do.DEAL and move.zone == DEALER and move.up)
    if is_shown and faces > 1:
        yield ev.Turn(DEALER, None, faces)
        yield ev.Declare(EXPOSED)


def _miscounts(moves: Sequence[Move], counts: Mapping[str, int]) -> list[ev.Event]:
    seats = {seat for seat, _ in stakes_at_close(moves)}
    hands = [(DEALER, None), *((SEAT, seat) for seat in seats)]
    wrong = any(len(dealt(moves, zone, seat)) != counts[zone] for zone, seat in hands)
    return [ev.Declare(MISCOUNT)] if wrong else []


def _passed_over(sheet: HouseSheet, moves: Sequence[Move], at: int) -> Iterator[ev.Event]:
    """Chips that are never paid, taken or given back are left to their owner when the dealer goes past them."""
    now, game = moves[at], sheet.house.game
    if now.do not in (*SETTLING, Do.MUCK):
        return
    mine = [move for move in moves if move.seat == now.seat]
    if not any(move.do is Do.SHOW and move.seat == now.seat for move in moves[:at]):
        return
    acted = {move.wager for move in mine if move.do in SETTLING}
    made = {move.wager for move in mine if move.do in (Do.BET, Do.ADD, Do.PLAY)}
    left = [wager.id for wager in game.stakes.values() if wager.id in made - acted and wager.taken is None]
    turns = list(game.wagers)
    past = turns.index(now.wager) if now.wager in turns else len(turns)
    yield from (ev.GiveBack(now.seat or 0, wager) for wager in left if turns.index(wager) < past)


def _chip_events(move: Move, before: Mapping[Spot, Chips], ledger: Ledger) -> Iterator[ev.Event]:
    seat, wager = move.seat or 0, "play" if move.do is Do.PLAY else move.wager or ""
    match move.do:
        case Do.BET | Do.ADD | Do.PINCH | Do.PLAY:
            yield ev.Bet(seat, wager, sum(ledger.stakes[seat, wager]))
        case Do.COLLECT_PROGRESSIVE:
            yield from (ev.Take(*spot) for spot in sorted(before) if spot[1] == wager)
        case Do.TAKE:
            yield ev.Take(seat, wager)
        case Do.PAY:
            yield ev.Pay(seat, wager, sum(move.chips))
        case Do.GIVE_BACK:
            yield ev.GiveBack(seat, wager)
        case Do.GATHER:
            gone = {*before, *ledger.taken}  # with what was taken before: nothing lies there now
            yield from (ev.Bet(*spot, 0) for spot in sorted(gone) if spot[0] == seat)


def rulings(sheet: HouseSheet, moves: Sequence[Move]) -> list[tuple[int, str]]:
    """Return all that the rule book objects to as the round goes on: index of the move, alert code; none twice."""
    limits = {wager: (pair[0], pair[1]) for wager, pair in sheet.limits_cents.items()}
    state = TableState(sheet.house, sheet.deal_method, limits)
    found: list[tuple[int, str]] = []
    standing: set[str] = set()
    for i, event in rule_events(sheet, moves):
        if state.void is None and CALLED_OFF in [move.note for move in moves[:i]]:
            break  # the floor has ended the round; the rules have no more to say
        code = event.code if isinstance(event, ev.Declare) else allowed(state, event).code
        codes = [code] if code else []
        if isinstance(event, ev.NoMoreBets) or (
            isinstance(event, ev.Turn) and event.cards > 1 and event.zone == DEALER
        ):
            lying = {ruling.why: str(ruling.code) for ruling in objections(state)}
            codes += [lying[why] for why in lying if why not in standing]
            standing |= set(lying)
        found += [(i, each) for each in codes if (i, each) not in found]
        state = after(state, event)
    return found


def record(sheet: HouseSheet, moves: Sequence[Move], facts: Facts) -> Record:
    """Return the round record of DESIGN.md section 3 as it really was, with the faults; times are the stage's."""
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
        "bonus_card": str(played.bonus[0]) if played.bonus else None,
        "seats": seats,
        "events": [entry for i, move in enumerate(moves) for entry in _event_record(i, move)],
        "alerts": [],
        "faults": [
            {"code": slip.code, "seat": slip.seat, "wager": slip.wager, "move": slip.move, "name": slip.name}
            for slip in facts.slips
        ],
        "rulings": [{"code": code, "move": i} for i, code in rulings(sheet, moves)],
    }


def _seat_record(sheet: HouseSheet, moves: Sequence[Move], play: SeatPlay, due: Settlement, ledger: Ledger) -> Record:
    lines = next((dict(seat.lines) for seat in due.seats if seat.seat == play.seat), {})
    touched = {
        spot[1] for pile in (ledger.paid, ledger.taken, ledger.given_back) for spot in pile if spot[0] == play.seat
    }
    late = {move.wager for move in moves if move.do is Do.ADD and move.seat == play.seat}
    names = {*play.wagers, *lines, *touched, *(wager for wager in late if wager)}
    order = [*sheet.house.game.wagers, "envy"]
    return {
        "seat": play.seat,
        "player": play.player,
        "cards": [str(card) for card in play.cards],
        "shown": any(move.do is Do.SHOW and move.seat == play.seat for move in moves),
        "decision": "fold" if play.folded else "play" if play.stake("play") else "none",
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
    if line.outcome in (Outcome.WIN, Outcome.RETURNED) and taken:
        return f"collected {dollars(taken)} that was not lost"
    return None


def _round_verdict(due: Settlement, seats: Sequence[Record]) -> str:
    verdicts = [entry["verdict"] for seat in seats for entry in seat["wagers"].values()]
    worst = max(verdicts, key=WORST.index, default="right")
    return "void" if due.status is Status.VOID and worst == "right" else str(worst)


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


def _event_record(index: int, move: Move) -> Iterator[Record]:
    """Yield a move as an event of the record, where it is one."""
    if move.do not in KINDS:
        return
    entry: Record = {"kind": KINDS[move.do], "move": index}
    entry |= {"seat": move.seat} if move.seat else {}
    entry |= {"wager": move.wager} if move.wager else {}
    entry |= {"cents": sum(move.chips)} if move.chips else {}
    entry |= {"zone": move.zone, "up": move.up} if move.zone else {}
    entry |= {"cards": [str(card) for card in move.cards]} if move.cards else {}
    entry |= {"decision": str(move.do)} if move.do in (Do.PLAY, Do.FOLD) else {}
    entry |= {"counted": bool(move.count)} if move.do is Do.STUB else {}
    yield entry
    if move.do is Do.DEAL and move.fault == EXPOSED:
        yield {"kind": "exposed", "move": index, "zone": move.zone}
