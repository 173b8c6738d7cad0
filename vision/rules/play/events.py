"""What can happen at a table, one value per thing that happens. Time is the tracker's business, not the rules'."""

from dataclasses import dataclass
from enum import StrEnum


class Hand(StrEnum):
    """Whose hand it was."""

    DEALER = "dealer"
    OWNER = "owner"
    STRANGER = "stranger"


@dataclass(frozen=True, slots=True)
class NoMoreBets:
    """Betting is closed, by word, gesture or button."""


@dataclass(frozen=True, slots=True)
class Bet:
    """Chips on a betting spot changed; `cents` is what lies there now."""

    seat: int
    wager: str
    cents: int


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards were delivered, one or a stack; `face_up` of them show their faces."""

    zone: str
    seat: int | None = None
    cards: int = 1
    face_up: int = 0


@dataclass(frozen=True, slots=True)
class DealOver:
    """The dealer put the stub away: what was not dealt by now will not be."""


@dataclass(frozen=True, slots=True)
class Fold:
    """A player gave up the hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class Turn:
    """Cards that lay face down show their faces; `cards` of the zone now do."""

    zone: str
    seat: int | None = None
    cards: int = 1


@dataclass(frozen=True, slots=True)
class Touch:
    """A hand was on a player's cards."""

    seat: int
    by: Hand


@dataclass(frozen=True, slots=True)
class Pay:
    """The dealer paid chips on a wager."""

    seat: int
    wager: str
    cents: int = 0


@dataclass(frozen=True, slots=True)
class Take:
    """The dealer took the chips of a wager."""

    seat: int
    wager: str


@dataclass(frozen=True, slots=True)
class GiveBack:
    """The dealer gave a wager back unpaid: a push, or a void."""

    seat: int
    wager: str


@dataclass(frozen=True, slots=True)
class Clear:
    """Cards left the layout."""

    zone: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Declare:
    """An irregularity became known."""

    code: str
    number: int | None = None


Event = NoMoreBets | Bet | Deal | DealOver | Fold | Turn | Touch | Pay | Take | GiveBack | Clear | Declare
