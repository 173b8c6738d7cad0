"""Recorded rounds and signals of a link's tables enter; what its accounts count leaves."""

from collections.abc import Iterable, Iterator

from vision.records.round import Round, Seat
from vision.records.signal import Signal
from vision.rules.book.game import load_game
from vision.rules.hands.spread import Spread
from vision.rules.links.link import PROGRESSIVE, Link
from vision.rules.links.reconcile import Counted, Entry, Jackpot, Reading
from vision.rules.text.pays import Kind
from vision.values.cards import Card
from vision.values.errors import InputError, shown

CLOSED = "nomorebets"
METER = "meter"


def entries_of(link: Link, rounds: Iterable[Round], signals: Iterable[Signal], shift_ns: int = 0) -> Iterator[Entry]:
    """Yield what one table's records say; `shift_ns` is when its recording began on the link's clock."""
    for played in rounds:
        if played.table and played.table not in link.tables:
            raise InputError(f"{played.id}: table: {shown(played.table)}: want one of {', '.join(link.tables)}")
        yield from _round_entries(link, played, shift_ns)
    for signal in signals:
        if signal.kind == METER and signal.name in link.terms:
            yield Reading(signal.t_ns + shift_ns, signal.name or "", signal.cents or 0)


def _round_entries(link: Link, played: Round, shift_ns: int) -> Iterator[Entry]:
    made = [seat for seat in played.seats if PROGRESSIVE in seat.wagers]
    spans = [_span(seat) for seat in made]
    closed = next((event.t_ns for event in played.events if event.kind == CLOSED), played.started_ns)
    if spans:
        most = None if any(high is None for _, high in spans) else sum(high or 0 for _, high in spans)
        yield Counted(closed + shift_ns, played.table, sum(low for low, _ in spans), most, played.id)
    if played.verdict == "void":
        return
    for seat in made:
        share = _won(link, seat)
        if share is not None:
            yield Jackpot(played.ended_ns + shift_ns, played.table, *share, played.id)


def _span(seat: Seat) -> tuple[int, int | None]:
    wager = seat.wagers[PROGRESSIVE]
    if wager.cents is not None:
        return wager.cents, wager.cents
    return wager.bounds or (0, None)


def _won(link: Link, seat: Seat) -> tuple[str, int] | None:
    """Return the meter and the share that a hand wins by the link's paytable."""
    if link.rows is None or link.game is None or seat.wagers[PROGRESSIVE].outcome != "win":
        return None
    cards = tuple(Card.parse(face) for face in seat.cards if len(face) == 2 and face != "??")
    game = load_game(link.game)
    ranking = game.rankings[game.hand(link.rows.hand or game.file.main_hand).rank]
    row = next((row for row in link.rows.rows if ranking.contains(Spread.of(cards), row.cls)), None)
    if row is None or row.pay.kind is not Kind.SHARE:
        return None
    return row.pay.meter, row.pay.numerator
