"""Since when a fault can be seen: a true round and its fault enter, the time leaves.

The truth says when a fault was made. A card that is dealt twice is dealt face down, and too many cards in a packet lie
squared on each other: no camera sees that before the hand is turned. Other faults are none until something follows:

- wagers may be changed, and those of a progressive collected, until betting closes. That is announced, and a camera
  does not hear: what it can see is the first card;
- a payment may be made in several trips. It is short when the dealer goes on to something else;
- that a void round is settled all the same shows in the first chips that are paid or taken after the reason of the void
  could be seen: what was settled before was settled in good faith, and may be given back until the table is cleared.
"""

from collections.abc import Iterator
from typing import Final

from vision.score.records import Event, Fault, TrueRound
from vision.values.codes import Code

DEALER: Final = "dealer.hand"
VOIDING: Final = (Code.DEALER_CARD_EXPOSED, Code.WRONG_CARD_COUNT, Code.CARD_FACED_IN_DECK, Code.STUB_COUNT_WRONG)
SETTLING: Final = ("paid", "taken")
GOING_ON: Final = (*SETTLING, "shown", "cleared", "bonus-turned", "given-back")  # what a dealer does next


def visible_ns(fault: Fault, true: TrueRound) -> int:
    """Return when a fault could first be seen."""
    return max([fault.t_ns, *_moments(fault, true)])


def _moments(fault: Fault, true: TrueRound) -> Iterator[int]:
    """Yield the moments that have to come first."""
    if fault.code == Code.DUPLICATE_CARD:
        for owner in (fault.seat, *_twins(fault, true)):
            yield from _turned_ns(true, owner)
    elif fault.code == Code.WRONG_CARD_COUNT and _came_in_packets(fault, true):
        yield from _shown_ns(true, fault.seat)  # though it came face up: the card too many lies under another
    elif fault.code in (Code.WAGER_NOT_ALLOWED, Code.PROGRESSIVE_COUNT):
        yield from [event.t_ns for event in true.events if event.kind == "dealt"][:1]
    elif fault.code == Code.UNDERPAID:
        yield from [event.t_ns for event in true.events if event.kind in GOING_ON and event.t_ns > fault.t_ns][:1]
    elif fault.code == Code.VOID_NOT_HONOURED:
        yield from _settled_on_ns(true)


def _settled_on_ns(true: TrueRound) -> Iterator[int]:
    """Yield when a void round was first settled after its reason could be seen; else when the table was cleared."""
    reasons_ns = [visible_ns(other, true) for other in true.faults if other.code in VOIDING]
    since_ns = min(reasons_ns, default=0)
    settled_ns = [event.t_ns for event in true.events if event.kind in SETTLING and event.t_ns >= since_ns]
    cleared_ns = [event.t_ns for event in true.events if event.kind == "cleared" and event.seat is None]
    yield min(settled_ns or cleared_ns, default=since_ns)


def _twins(fault: Fault, true: TrueRound) -> Iterator[int | None]:
    """Yield who else holds a card that is at a seat: another seat, or None, the dealer."""
    own = {card for seat in true.seats if seat.seat == fault.seat for card in seat.cards}
    yield from (seat.seat for seat in true.seats if seat.seat != fault.seat and own & set(seat.cards))
    if own & set(true.dealer.cards):
        yield None


def _turned_ns(true: TrueRound, seat: int | None) -> Iterator[int]:
    """Yield when a seat's hand was turned, or None's: the dealer's; nothing where it never was, or came face up."""
    is_open = any(event.kind == "dealt" and event.seat == seat and event.up for event in true.events)
    if seat is None or not is_open:
        yield from _shown_ns(true, seat)


def _shown_ns(true: TrueRound, seat: int | None) -> Iterator[int]:
    """Yield when a seat's hand was laid open, or None's: the dealer's."""
    kind = "revealed" if seat is None else "shown"
    yield from (event.t_ns for event in true.events if event.kind == kind and event.seat == seat)


def _came_in_packets(fault: Fault, true: TrueRound) -> bool:
    """Return whether the hand was dealt in one go."""
    return any(len(event.cards) > 1 for event in true.events if event.kind == "dealt" and _is_of(event, fault))


def _is_of(event: Event, fault: Fault) -> bool:
    return event.seat == fault.seat and (fault.seat is not None or event.zone == DEALER)
