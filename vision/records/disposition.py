"""The record of a reviewer's finding."""

from typing import Annotated, Literal

from pydantic import Field

from vision.records.record import Record, WallNs


class Disposition(Record):
    """What a reviewer says of a round; the latest counts."""

    round: str
    finding: Literal["confirmed", "corrected", "no-error", "training", "inconclusive"]
    note: str = ""
    by: Annotated[str, Field(min_length=1)]
    wall_ns: WallNs
