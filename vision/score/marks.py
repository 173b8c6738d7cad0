"""Right or wrong, fact by fact: a true round and its record enter, marks leave.

A mark is one thing that can be right: a card, a stake, a decision. Every measure counts marks of some kind.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from vision.score.records import FACE_DOWN, Round, Seat, Spot, TrueRound, Wager

CLEAR_PX: Final = 2.0  # of each chip's edge, from which on a stack can be counted
NOTHING: Final = Wager(cents=0, due_cents=0, paid_cents=0)  # nobody made it
UNSEEN: Final = Wager(cents=0)  # nobody saw it
NONE: Final = "none"


class What(StrEnum):
    """What a mark is about."""

    CARD = "card"  # a card whose face was shown
    HAND = "hand"  # a whole hand: every shown face, the number of cards, and no face that is not there
    WAGER = "wager"  # a stake made before the deal
    STEEP = "steep wager"  # the same, where the camera sees too little of the chips' edges
    STEEP_BOUNDED = "steep wager inside its bounds"
    PLAY = "play wager"
    BOUNDS = "bounds"  # any stake for which bounds are stated
    DECISION = "decision"
    OUTCOME = "outcome"
    PAID = "paid"
    VERDICT = "verdict"
    VERIFIED = "verified"  # wrong: unverifiable, though the truth is not


EXACT: Final = frozenset(
    {What.CARD, What.HAND, What.WAGER, What.STEEP, What.PLAY, What.DECISION, What.OUTCOME, What.PAID}
)  # what must be right in a round that is exactly right
MISTAKES: Final = (EXACT - {What.CARD}) | {What.VERDICT}  # what is listed when it is wrong; a hand tells its cards


@dataclass(frozen=True, slots=True)
class Mark:
    """One fact, wanted and got; `place` is 'dealer', 'bonus' or 'seat.3'."""

    what: What
    is_right: bool
    place: str
    wager: str | None = None
    want: object = None
    got: object = None


def marks_of(true: TrueRound, read: Round | None, edges_px: Mapping[Spot, float]) -> list[Mark]:
    """Return all marks of a round; of a missed one nothing is right. `edges_px`: how much of a chip's edge shows."""
    empty = Round(id="", started_ns=0, ended_ns=0, verdict="unverifiable")
    return [*_card_marks(true, read or empty), *_seat_marks(true, read or empty, edges_px)]


def shown_cards(true: TrueRound, seat: Seat | None) -> tuple[str, ...]:
    """Return the faces that a seat, or the dealer, really showed in the round."""
    if seat is None:
        dealer = true.dealer
        cards = dealer.cards if dealer.shown else (dealer.up_card,) if dealer.up_card else ()
    else:
        dealt = [event for event in true.events if event.kind == "dealt" and event.seat == seat.seat]
        turned = tuple(card for event in dealt for card in event.cards[len(event.cards) - event.up :])
        cards = seat.cards if seat.shown else turned
    return tuple(card for card in cards if card != FACE_DOWN)


def is_bonus_shown(true: TrueRound) -> bool:
    """Return whether the bonus card was turned; a truth without events knows only of cards that were."""
    turned = any(
        event.kind == "bonus-turned" or (event.zone == "table.bonus" and event.up > 0) for event in true.events
    )
    return turned or not true.events


def _card_marks(true: TrueRound, read: Round) -> Iterator[Mark]:
    yield from _hand_marks("dealer", true.dealer.cards, shown_cards(true, None), read.dealer.cards)
    up = true.dealer.up_card
    yield Mark(What.HAND, up == read.dealer.up_card, "dealer", None, {"up_card": up}, {"up_card": read.dealer.up_card})
    if true.bonus_card or read.bonus_card:
        bonus = tuple(card for card in (true.bonus_card,) if card)
        shown = bonus if is_bonus_shown(true) and bonus != (FACE_DOWN,) else ()
        yield from _hand_marks("bonus", bonus, shown, tuple(card for card in (read.bonus_card,) if card))
    seats = {seat.seat: seat for seat in read.seats}
    for seat in true.seats:
        got = seats[seat.seat].cards if seat.seat in seats else ()
        yield from _hand_marks(f"seat.{seat.seat}", seat.cards, shown_cards(true, seat), got)
    known = {seat.seat for seat in true.seats}
    for extra in (seat for seat in read.seats if seat.seat not in known and seat.cards):
        yield Mark(What.HAND, False, f"seat.{extra.seat}", None, [], list(extra.cards))


def _hand_marks(place: str, true: tuple[str, ...], shown: tuple[str, ...], read: tuple[str, ...]) -> Iterator[Mark]:
    left = Counter(read)
    for card in shown:
        is_right = left[card] > 0
        left[card] -= is_right
        yield Mark(What.CARD, is_right, place, None, card, card if is_right else None)
    is_exact = len(read) == len(true) and not Counter(shown) - Counter(read) and _is_possible(true, read)
    yield Mark(What.HAND, is_exact, place, None, list(true), list(read))


def _is_possible(true: tuple[str, ...], read: tuple[str, ...]) -> bool:
    """Return whether every face that was read is one of the hand; what the truth does not know may be any."""
    faces = Counter(card for card in read if card != FACE_DOWN)
    return (faces - Counter(true)).total() <= true.count(FACE_DOWN)


def _seat_marks(true: TrueRound, read: Round, edges_px: Mapping[Spot, float]) -> Iterator[Mark]:
    wanted, got = ({seat.seat: seat for seat in entry.seats} for entry in (true, read))
    for number in sorted({*wanted, *got}):
        place, mine, other = f"seat.{number}", wanted.get(number), got.get(number)
        decisions = (mine.decision if mine else NONE, other.decision if other else None)
        if mine or decisions[1] != NONE:
            yield Mark(What.DECISION, decisions[0] == decisions[1], place, None, *decisions)
        stakes, seen = (mine.wagers if mine else {}), (other.wagers if other else {})
        for name in dict.fromkeys((*stakes, *seen)):
            is_steep = edges_px.get((number, name), CLEAR_PX) < CLEAR_PX
            yield from _wager_marks(place, name, stakes.get(name), seen.get(name), is_steep=is_steep)


def _wager_marks(place: str, name: str, true: Wager | None, read: Wager | None, *, is_steep: bool) -> Iterator[Mark]:
    want, got = true or NOTHING, read or UNSEEN
    if not (want.is_real or got.is_real):
        return
    yield from _stake_marks(place, name, want, got, is_steep=is_steep)
    yield Mark(What.OUTCOME, want.outcome == got.outcome, place, name, want.outcome, got.outcome)
    yield Mark(What.PAID, want.paid_cents == got.paid_cents, place, name, want.paid_cents, got.paid_cents)
    verdicts = (want.verdict or NONE, got.verdict or NONE)
    yield Mark(What.VERDICT, verdicts[0] == verdicts[1], place, name, *verdicts)
    if true and read and true.verdict != "unverifiable":
        yield Mark(What.VERIFIED, read.verdict != "unverifiable", place, name, None, read.why)


def _stake_marks(place: str, name: str, want: Wager, got: Wager, *, is_steep: bool) -> Iterator[Mark]:
    if want.cents == 0 and got.cents == 0:  # a bonus without a stake
        return
    what = What.PLAY if name == "play" else What.STEEP if is_steep else What.WAGER
    yield Mark(what, want.cents == got.cents, place, name, want.cents, got.cents)
    stated = list(got.bounds) if got.bounds else got.cents
    if what is What.STEEP:
        yield Mark(What.STEEP_BOUNDED, got.is_bounding(want.cents), place, name, want.cents, stated)
    if got.bounds is not None:
        yield Mark(What.BOUNDS, got.is_bounding(want.cents), place, name, want.cents, stated)
