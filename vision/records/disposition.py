"""The record of a reviewer's finding."""

from typing import Annotated, Literal

from pydantic import Field

from vision.records.record import Count, Omittable, Record, WallNs

Finding = Literal[
    "dealer-error", "player-error", "procedure", "no-error", "system-wrong", "camera-fault",
    "confirmed", "corrected", "training", "inconclusive",  # of earlier versions: read, not offered
]  # fmt: skip


class Disposition(Record):
    """What a reviewer says of a round, or of one of its alerts; the latest counts."""

    round: str
    alert: Omittable[str] = Field(None, description="left out: the whole round, with all its alerts")
    finding: Finding
    note: str = ""
    dealer: Omittable[str] = Field(None, description="who dealt: a name or a number")
    saved_cents: Omittable[Count] = Field(None, description="what the house or the player kept thanks to the alert")
    lost_cents: Omittable[Count] = Field(None, description="what could not be corrected any more")
    notified: Omittable[str] = Field(None, description="who was told")
    incident: Omittable[str] = Field(None, description="the number of the incident report")
    by: Annotated[str, Field(min_length=1)]
    wall_ns: WallNs
