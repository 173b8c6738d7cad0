"""Settlement with a card missing: a round with unseen cards enters; what is due whatever they are leaves.

Four cards of five often decide: a fifth can only make a hand better. So where one card of a seat was not seen, the seat
is settled with every card that it may be, and what is the same each time is known.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from vision.cards import DECK, UNSEEN, Card
from vision.rules.book.house import House
from vision.rules.due.record import Line, PlayedRound, SeatDue, SeatPlay, Settlement
from vision.rules.due.settle import settle


def settled(house: House, played: PlayedRound) -> Settlement:
    """Return what a round is due; of a seat with one unseen card, what is due whatever that card is."""
    due = settle(house, played)
    if UNSEEN in played.dealer:
        return due
    lacking = {play.seat: play for play in played.seats if play.cards.count(UNSEEN) == 1}
    seats = tuple(_completed(house, played, entry, lacking.get(entry.seat)) for entry in due.seats)
    return replace(due, seats=seats)


def _completed(house: House, played: PlayedRound, entry: SeatDue, play: SeatPlay | None) -> SeatDue:
    if play is None or not any(line.paid is None for line in entry.lines.values()):
        return entry
    common: dict[str, Line] | None = None
    for seat in _possible(played, play):
        lines = settle(house, replace(played, seats=(seat,))).seats[0].lines
        common = dict(lines) if common is None else _in_common(common, lines)
        if not common:
            return entry
    return replace(entry, lines={wager: (common or {}).get(wager, line) for wager, line in entry.lines.items()})


def _possible(played: PlayedRound, play: SeatPlay) -> Iterator[SeatPlay]:
    """Yield the seat's hand with every card that was seen nowhere else."""
    hands = (played.dealer, played.bonus, *(seat.cards for seat in played.seats))
    seen = {card for hand in hands for card in hand if isinstance(card, Card)}
    at = play.cards.index(UNSEEN)
    for card in DECK:
        if card not in seen:
            yield replace(play, cards=(*play.cards[:at], card, *play.cards[at + 1 :]))


def _in_common(lines: Mapping[str, Line], others: Mapping[str, Line]) -> dict[str, Line]:
    """Return the lines that pay the same."""
    return {
        wager: line
        for wager, line in lines.items()
        if wager in others and (line.outcome, line.paid) == (others[wager].outcome, others[wager].paid)
    }
