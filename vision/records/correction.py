"""The record of a correction: a person says what really was."""

from typing import Annotated

from pydantic import Field

from vision.records.record import Record, WallNs


class Correction(Record):
    """What a person says was really so, in place of a part of a round's record; the latest of a part counts."""

    round: str
    part: str = Field(description="of the record: seats.4.cards.2, seats.4.wagers.ante.cents, dealer.cards.0, …")
    value: str | int | None = Field(description="what it really was; null where it was not there")
    was: str | int | None = Field(description="what the record says")
    by: Annotated[str, Field(min_length=1)]
    wall_ns: WallNs
