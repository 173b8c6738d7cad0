"""The record of an event: something that happened at the table."""

from typing import Literal

from pydantic import Field

from vision.records.record import Count, Omittable, Probability, Record, SeatNumber, StreamNs, TableName

KINDS = (
    "nomorebets",
    "bet",
    "deal",
    "dealover",
    "fold",
    "turn",
    "touch",
    "pay",
    "take",
    "giveback",
    "clear",
    "declare",
)  # the events of the rule book


class Event(Record):
    """Something happened at the table; which of the later fields there are depends on the kind."""

    kind: str = Field(json_schema_extra={"enum": list(KINDS)})
    round: str
    table: TableName
    t_ns: StreamNs
    confidence: Probability
    seat: Omittable[SeatNumber] = None
    wager: Omittable[str] = None
    cents: Omittable[int] = Field(None, description="what lies on the spot now, or what was paid")
    zone: Omittable[str] = None
    cards: Omittable[Count] = Field(None, description="how many")
    face_up: Omittable[Count] = Field(None, description="how many of the cards")
    by: Omittable[Literal["dealer", "owner", "stranger"]] = Field(None, description="whose hand")
    code: Omittable[str] = Field(None, description="of an irregularity that became known")
    number: Omittable[int] = Field(None, description="of an irregularity that is counted")
