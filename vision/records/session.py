"""The record of a watcher's session."""

from typing import Literal

from pydantic import Field

from vision.records.record import Record, WallNs


class Session(Record):
    """A watcher began or ended; stream time begins at 0 with each."""

    id: str
    state: Literal["began", "ended"]
    source: str
    build: str = Field(description="the version of the program")
    wall_ns: WallNs
    why: str | None = Field(None, description="why it ended, if not because it was told to")
