"""The record of a round: cards, decisions and wagers with their verdicts, what happened, and the alerts that stand."""

from typing import Literal

from pydantic import Field

from vision.records.event import Event
from vision.records.record import Face, Omittable, Record, SeatNumber, StreamNs, TableName

RoundVerdict = Literal["right", "wrong", "unverifiable", "void"]


class Wager(Record):
    """One wager and its settlement, in cents."""

    cents: int | None = Field(
        None, description="the stake when betting closed, of Play at the decision; null if it is not known"
    )
    due_cents: int | None = Field(None, description="by the rules, without the stake; null if it is not known")
    paid_cents: int | None = Field(None, description="without the stake; null if it is not known")
    outcome: str = ""
    verdict: Literal["right", "wrong", "unverifiable"] = "unverifiable"
    why: str | None = Field(None, description="it is not right")
    cite: str = Field("", description="the rule it rests on")
    bounds: tuple[int, int | None] | None = Field(
        None, description="of a stake that is not known: the least and the most it can be, in cents"
    )


class Seat(Record):
    """One seat of a round."""

    seat: SeatNumber
    cards: tuple[Face, ...] = Field((), description="in the order of the deal, where it is known")
    decision: Literal["play", "fold", "none"] = "none"
    wagers: dict[str, Wager] = Field({}, description="by name: ante, play, aces_up, …")


class Dealer(Record):
    """The dealer's hand."""

    cards: tuple[Face, ...] = ()
    up_card: Face | None = None


class RoundResult(Record):
    """How a round was played and settled."""

    id: str
    table: TableName = ""
    game: str = ""
    house: str = ""
    started_ns: StreamNs
    ended_ns: StreamNs
    verdict: RoundVerdict = Field(description="the worst of its wagers, or void")
    dealer: Dealer = Dealer()
    bonus_card: Face | None = None
    bonus_cards: Omittable[tuple[Face, ...]] = Field(None, description="where a game has several")
    community: Omittable[tuple[Face, ...]] = Field(None, description="cards that all players share")
    seats: tuple[Seat, ...] = ()


class Round(RoundResult):
    """A round that has ended, with its verdict."""

    events: tuple[Event, ...] = ()
    alerts: tuple[str, ...] = Field((), description="ids of those that stand")

    @property
    def t_ns(self) -> int:
        """Return when it was known."""
        return self.ended_ns
