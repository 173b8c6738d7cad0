"""A round as a list of moves, in order and without times: what the dealer and the players do.

The *round generator* (`round_generator.py`) writes scripts by the rule book, with mistakes where asked for; the *stage*
(`stage.py`) acts them out with hands, cards and chips, and says when each move happened. The truth is written by the
generator alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from vision.values.cards import Card


class Do(StrEnum):
    """The kinds of moves. In brackets: which fields of `Move` matter besides `seat`."""

    BET = "bet"  # a player puts chips on a spot (wager, chips)
    ADD = "add"  # chips are added to a wager: a late or capped bet, or a bet made in pieces (wager, chips)
    PINCH = "pinch"  # chips are taken off a wager (wager, chips: what is taken)
    STRAIGHTEN = "straighten"  # innocent: a stack is squared up (wager)
    CLOSE = "close"  # the dealer sweeps a hand over the layout: no more bets
    COLLECT_PROGRESSIVE = "collect_progressive"  # progressive chips of all seats but `skip` to the tray (chips, skip)
    DEAL = "deal"  # cards from the shoe, the hand or the shuffler (zone, seat, cards, up: how many lie face up)
    BURN = "burn"  # a card goes to the discard rack, `up` 1 if it is seen (cards, up)
    STUB = "stub"  # the rest of the deck to the rack, `count` times counted first (count, cards: where one is amiss)
    PEEK = "peek"  # a player lifts the corners of the own cards
    PLAY = "play"  # a player makes the Play wager, or a raise, and tucks the cards (wager, chips)
    FOLD = "fold"  # a player pushes the cards forward
    TAKE = "take"  # the dealer takes a wager (wager); of a folded seat, its cards too where `cards` names them
    FLASH = "flash"  # a dealer card shows for a moment: index `count`, for `seconds`
    REVEAL = "reveal"  # the house's cards are turned (zone, count: how many then show), a hand's best laid out (cards)
    TURN_BONUS = "turn_bonus"  # the bonus cards are turned
    SHOW = "show"  # the dealer brings a seat's hand to the work area, turned and fanned
    PAY = "pay"  # the dealer pays beside a wager (wager, chips); `count` 1: heaped, then cut
    MUCK = "muck"  # a seat's cards go to the discard rack
    MUCK_DEALER = "muck_dealer"  # the dealer's cards, and the shared ones, go to the discard rack
    GATHER = "gather"  # a player takes back stakes and winnings
    GIVE_BACK = "give_back"  # a void: the dealer pushes a wager back to its owner (wager)
    TOUCH = "touch"  # a stranger's hand on a seat's cards
    REST = "rest"  # innocent: a hand rests on a spot (wager) for `seconds`
    PROP = "prop"  # innocent: a drink, phone or cash is put down near a seat (note: which)
    COLOUR_UP = "colour_up"  # innocent: a player's reserve chips are changed (chips: the new ones)
    DROP = "drop"  # innocent: a card is dropped beside its place and put right
    WAIT = "wait"  # nothing happens for `seconds`
    OPEN = "open"  # a new deck is spread face up in a fan, turned, washed, stacked
    CHANGE_DECK = "change_deck"  # the deck is replaced by the other one


@dataclass(frozen=True, slots=True)
class Move:
    """One thing done."""

    do: Do
    seat: int | None = None
    wager: str | None = None
    chips: tuple[int, ...] = ()  # cents each, bottom first
    zone: str = ""  # seat.hand, dealer.hand, table.bonus, table.community
    cards: tuple[Card, ...] = ()
    up: int = 0
    count: int = 0
    seconds: float = 0.0
    deck: int = 0  # index of the deck: which back
    note: str = ""
    fault: str = ""  # the alert code of the mistake this move is, or belongs to
    skip: int | None = None  # a seat that is passed over


@dataclass(frozen=True, slots=True)
class Script:
    """One round, or an interlude between rounds, to be acted out."""

    moves: tuple[Move, ...]
    seats: tuple[int, ...]
    method: str  # manual_shoe, hand, automated
    face_up_players: bool = False
    paid_at: Mapping[str, str] = field(default_factory=dict)  # bonus -> the wager at whose spot it is paid
