"""The values of a settlement: a round as it was played goes in, what each wager is due comes out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from vision.rules.text.pays import Kind, Pay
from vision.values.cards import Card, DealtHand, Unseen
from vision.values.money import Cents, exact


@dataclass(frozen=True, slots=True)
class Undecided:
    """A fact that cannot be known from what was seen, and why."""

    why: str


@dataclass(frozen=True, slots=True)
class SeatPlay:
    """One betting position: its cards and what was wagered on it, in cents."""

    seat: int
    cards: DealtHand
    wagers: Mapping[str, int]
    folded: bool = False
    player: str | None = None  # equal names are one person; None is somebody else each time

    def stake(self, wager: str) -> int:
        """Return the cents on a wager; 0 where it was not made."""
        return self.wagers.get(wager, 0)


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something that went wrong, with its number where it is counted."""

    code: str
    number: int | None = None
    after_raises: bool = False


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round as it was played."""

    seats: tuple[SeatPlay, ...]
    dealer: DealtHand = ()
    bonus: DealtHand = ()
    community: DealtHand = ()
    up_card: Card | Unseen | None = None
    meters: Mapping[str, Cents] = field(default_factory=dict)
    seeds: Mapping[str, int] = field(default_factory=dict)
    reserve: Mapping[str, int] = field(default_factory=dict)
    irregularities: tuple[Irregularity, ...] = ()


class Status(StrEnum):
    """What became of a round."""

    SETTLED = "settled"
    VOID = "void"
    SUPERVISOR = "supervisor"  # the text has no rule: a person decides
    INVALID_CARDS = "invalid_cards"


class Outcome(StrEnum):
    """What became of a wager."""

    WIN = "win"
    LOSE = "lose"
    FORFEIT = "forfeit"  # lost by folding
    RETURNED = "returned"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True)
class Line:
    """What one wager is due. Amounts are None where that is unresolved."""

    outcome: Outcome
    stake: int
    paid: Cents | None
    stake_returned: int | None
    cite: str
    pay: Pay | None = None  # what it was paid by
    why: str | None = None
    cls: str | None = None  # the paytable row that paid

    @property
    def meter(self) -> str | None:
        """Return the progressive meter that paid it."""
        return self.pay.meter if self.pay is not None and self.pay.kind is Kind.SHARE else None

    @property
    def total_return(self) -> Cents | None:
        """Return all that goes back to the player."""
        return None if self.paid is None or self.stake_returned is None else self.paid + self.stake_returned

    @property
    def net(self) -> Cents:
        """Return what the player gained; 0 where it is unresolved."""
        total = self.total_return
        return 0 if total is None else total - self.stake


def unresolved(stake: int, why: str, cite: str) -> Line:
    """Return the line of a wager that no rule, or no fact, decides."""
    return Line(Outcome.UNRESOLVED, stake, None, None, cite, why=why)


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule of betting; data, not an error."""

    code: str
    seat: int
    detail: str
    cite: str


@dataclass(frozen=True, slots=True)
class SeatDue:
    """What one seat is due."""

    seat: int
    hand: str | None
    versus: str | None
    lines: Mapping[str, Line]

    @property
    def net(self) -> Cents:
        """Return what the seat gained or lost over all wagers that are resolved."""
        return exact(sum((Fraction(line.net) for line in self.lines.values()), start=Fraction(0)))


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a round is due, seat by seat and wager by wager."""

    status: Status
    seats: tuple[SeatDue, ...] = ()
    violations: tuple[Violation, ...] = ()
    notes: tuple[str, ...] = ()
    dealer_hand: str | None = None
    settle_order: tuple[int, ...] = ()
    meters_after: Mapping[str, Cents] = field(default_factory=dict)
    remedy: str | None = None
    cite: str | None = None
