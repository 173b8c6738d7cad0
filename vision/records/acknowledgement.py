"""The record of somebody having taken notice of an alert."""

from typing import Annotated

from pydantic import Field

from vision.records.record import Omittable, Record, WallNs


class Acknowledgement(Record):
    """Somebody has taken notice of an alert, and may have asked somebody to look into it; the latest counts."""

    alert: str
    round: str
    by: Annotated[str, Field(min_length=1)]
    assigned: Omittable[str] = Field(None, description="who looks into it")
    wall_ns: WallNs
