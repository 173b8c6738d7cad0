"""The record of an alert's clip."""

from pydantic import Field

from vision.records.record import Count, Omittable, Record, StreamNs


class Clip(Record):
    """The film and the still of an alert are ready."""

    alert: str
    round: str
    session: str = ""
    film: str = Field(description="a file in the folder clips, H.264")
    still: str | None = Field(None, description="a file in the folder clips, JPEG")
    start_ns: StreamNs
    end_ns: StreamNs
    t_ns: StreamNs = Field(description="of the alert, nanoseconds of stream time")
    place: Omittable[tuple[tuple[float, float], ...]] = Field(
        None, description="corners of what the alert is about, in shares of the picture's width and height"
    )
    offset_ns: Count = Field(description="from the beginning of the film to the alert")
