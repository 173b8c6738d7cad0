"""The record of a watcher's health."""

from typing import Literal, get_args

from pydantic import Field

from vision.records.record import Count, Record, WallNs

HealthState = Literal["watching", "waiting", "lost", "frozen", "ended"]


class Pulse(Record):
    """How the watcher is, once a second; never stored."""

    session: str
    state: str = Field(json_schema_extra={"enum": list(get_args(HealthState))})  # another build may know more
    fps: float
    dropped: Count = Field(description="frames, since the session began")
    lag_ms: float = Field(description="how far it is behind the stream")
    pace: float = Field(1.0, description="of a file that is slowed to what the watcher can keep: times its own speed")
    wall_ns: WallNs
    last_seq: Count = Field(0, description="of all that is stored; who has heard less has missed some")
