"""A round told again in the rule book's words: the moves of a round enter; what was played, and every ruling, leave.

Nothing here trusts the generator's plan: cards, stakes and events are read off the moves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from studio.play.ledger import Ledger, Spot, ledger_of
from studio.play.players import Chips
from studio.play.script import Do, Move
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.record import Irregularity, PlayedRound, SeatPlay
from vision.rules.play import events as ev
from vision.rules.play.allowed import allowed
from vision.rules.play.bets import objections
from vision.rules.play.dealscript import SEAT
from vision.rules.play.ruling import Ruling
from vision.rules.play.tablestate import TableState, after
from vision.values.cards import Card, Hand
from vision.values.codes import Code

DEALER, BONUS, COMMUNITY, DISCARD = "dealer.hand", "table.bonus", "table.community", "table.discard"
FACED, EXPOSED, MISCOUNT = Code.CARD_FACED_IN_DECK, Code.DEALER_CARD_EXPOSED, Code.WRONG_CARD_COUNT
COUNT, WRONG_COUNT = "stub-count", Code.STUB_COUNT_WRONG  # what is declared, and the alert where it is not the deck
TURNED_BACK = "turned back"  # the note of a delivery of which a card came face up that should not have
CALLED_OFF = "called off"  # the note of the move with which a floor ends a round
SETTLING = (Do.PAY, Do.TAKE, Do.GIVE_BACK)


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
    deck: Mapping[str, int] = field(default_factory=dict)  # since when it is in use, where that is known


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
        community=dealt(moves, COMMUNITY),
        up_card=_up_card(moves),
        meters=facts.meters,
        seeds=facts.seeds,
        irregularities=tuple(irregularities(moves)),
    )


def _seat_play(moves: Sequence[Move], seat: int, closed: Mapping[Spot, int], facts: Facts) -> SeatPlay:
    wagers = {wager: cents for (where, wager), cents in closed.items() if where == seat}
    for move in moves:
        if move.do is Do.PLAY and move.seat == seat and move.wager is not None:
            wagers[move.wager] = wagers.get(move.wager, 0) + sum(move.chips)
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
    if any(move.do is Do.FLASH or move.note == TURNED_BACK for move in moves):
        yield Irregularity(EXPOSED)
    total = counted_deck(moves)
    if total is not None:
        yield Irregularity(COUNT, total)


def counted_deck(moves: Sequence[Move]) -> int | None:
    """Return how many cards a counted deck had in all; None where nobody counted, or the count came out right."""
    if not any(move.do is Do.STUB and move.count and move.cards for move in moves):
        return None
    return sum(len(move.cards) for move in moves if move.do in (Do.DEAL, Do.BURN, Do.STUB))


def rule_events(sheet: HouseSheet, moves: Sequence[Move]) -> Iterator[tuple[int, ev.Event]]:
    """Tell a script in the rule book's words, each event with the index of its move."""
    ledger, faces = Ledger(), 0  # of the dealer's, that have been seen
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
            total = counted_deck(moves)
            yield from (
                ev.DealOver(),
                *_miscounts(moves, counts),
                *([] if total is None else [ev.Declare(COUNT, total)]),
            )
        case Do.FOLD:
            yield ev.Fold(seat or 0)
        case Do.TOUCH:
            yield ev.Touch(seat or 0, ev.Hand.STRANGER)
        case Do.REVEAL:
            yield ev.Turn(moves[at].zone, None, moves[at].count)
        case Do.TURN_BONUS:
            yield ev.Turn(BONUS, None, counts[BONUS])
        case Do.SHOW:
            yield ev.Turn(SEAT, seat, len(dealt(moves, SEAT, seat)))
        case Do.MUCK:
            yield ev.Clear(SEAT, seat)
        case Do.MUCK_DEALER:
            yield from (ev.Clear(zone) for zone in (DEALER, BONUS, COMMUNITY) if dealt(moves, zone))


def _card_events(move: Move, faces: int) -> Iterator[ev.Event]:
    """Yield deliveries and flashes; `faces` of the dealer's have been seen by now."""
    match move.do:
        case Do.BURN:
            yield from [ev.Declare(FACED, 1)] * bool(move.up)
            yield ev.Deal(DISCARD, None, len(move.cards), move.up)
        case Do.DEAL:
            yield ev.Deal(move.zone, move.seat, len(move.cards), move.up)
    if move.do is Do.FLASH or (move.zone == DEALER and move.note == TURNED_BACK):
        yield ev.Turn(DEALER, None, faces)
        yield ev.Declare(EXPOSED)


def _miscounts(moves: Sequence[Move], counts: Mapping[str, int]) -> list[ev.Event]:
    seats = {seat for seat, _ in stakes_at_close(moves)}
    shared = [(zone, None) for zone in (DEALER, COMMUNITY) if zone in counts]
    hands = [*shared, *((SEAT, seat) for seat in seats)]
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
    skipped = {move.wager for move in moves if move.do is Do.COLLECT_PROGRESSIVE and move.skip == now.seat}
    lying = [w.id for w in game.stakes.values() if w.taken is None or w.id in skipped]
    left = [wager for wager in lying if wager in made - acted]
    turns = list(game.wagers)
    past = turns.index(now.wager) if now.wager in turns else len(turns)
    yield from (ev.GiveBack(now.seat or 0, wager) for wager in left if turns.index(wager) < past)


def _chip_events(move: Move, before: Mapping[Spot, Chips], ledger: Ledger) -> Iterator[ev.Event]:
    seat, wager = move.seat or 0, move.wager or ""
    match move.do:
        case Do.BET | Do.ADD | Do.PINCH | Do.PLAY:
            yield ev.Bet(seat, wager, sum(ledger.stakes[seat, wager]))
        case Do.COLLECT_PROGRESSIVE:
            yield from (ev.Take(*spot) for spot in sorted(before) if spot[1] == wager and spot[0] != move.skip)
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
    standing: set[Ruling] = set()
    for i, event in rule_events(sheet, moves):
        if state.void is None and CALLED_OFF in [move.note for move in moves[:i]]:
            break  # the floor has ended the round; the rules have no more to say
        code = _alert_of(event) if isinstance(event, ev.Declare) else allowed(state, event).code
        codes = [code] if code else []
        if isinstance(event, ev.NoMoreBets) or (
            isinstance(event, ev.Turn) and (moves[i].do is Do.REVEAL or (event.zone == DEALER and event.cards > 1))
        ):
            lying = objections(state)
            codes += [ruling.code for ruling in lying if ruling.code and ruling not in standing]
            standing.update(lying)
        found += [(i, each) for each in codes if (i, each) not in found]
        state = after(state, event)
    return found


def _alert_of(event: ev.Declare) -> str:
    return WRONG_COUNT if event.code == COUNT else event.code
