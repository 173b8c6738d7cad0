"""The record that goes with a picture of the table."""

from typing import Annotated, Any

from pydantic import Field

from vision.records.record import Record, WallNs

Pixels = Annotated[int, Field(json_schema_extra={"minimum": 1})]


class Picture(Record):
    """What the camera sees now, with what is believed; the JPEG follows as a frame of its own; never stored."""

    wall_ns: WallNs
    width: Pixels
    height: Pixels
    view: dict[str, Any]
