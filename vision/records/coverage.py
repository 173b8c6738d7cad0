"""The record of a span of stream time: a line of the coverage ledger."""

from typing import Literal

from vision.records.record import Record, StreamNs, TableName


class Coverage(Record):
    """A span of stream time: watched, or why not."""

    table: TableName = ""
    start_ns: StreamNs
    end_ns: StreamNs
    state: Literal["watched", "not observed", "closed"]
    why: str | None = None

    @property
    def t_ns(self) -> int:
        """Return when it was known."""
        return self.end_ns
