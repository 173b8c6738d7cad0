"""Segments of a session's footage, and the index that says which moments each of them holds.

A segment is a fragmented MP4 file that begins with a key frame: what was written of it can be read while it grows, and
after a crash. Its first packet lies at `start`; the index (`index.jsonl` beside the segments) has a line when a segment
begins and one when it ends; the later line holds.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from threading import Condition
from typing import Final

from vision.capture.stamps import Stamp

INDEX: Final = "index.jsonl"


@dataclass(frozen=True, slots=True)
class Segment:
    """A file of footage: the moment of its first packet, and up to where it can be read."""

    path: Path
    start: Stamp
    end_ns: int
    is_whole: bool = False

    def line(self) -> str:
        """Return the segment as the index writes it."""
        record = {"file": self.path.name, "start_ns": self.start.t_ns, "end_ns": self.end_ns, "whole": self.is_whole}
        return json.dumps(record | {"ticks": self.start.ticks, "base": str(self.start.base)}) + "\n"


class Index:
    """The segments of a session, oldest first; one thread writes, others ask and wait."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._segments: list[Segment] = []
        self._changed = Condition()
        self._is_ended = False

    def begin(self, segment: Segment) -> None:
        """Take in a new segment."""
        with (self.folder / INDEX).open("a", encoding="utf-8") as lines:
            lines.write(segment.line())
        with self._changed:
            self._segments.append(segment)

    def grow(self, path: Path, end_ns: int, *, is_whole: bool = False) -> None:
        """Take in that a segment can be read up to a moment, and whether that is its end."""
        with self._changed:
            self._segments = [
                replace(segment, end_ns=max(end_ns, segment.end_ns), is_whole=is_whole)
                if segment.path == path
                else segment
                for segment in self._segments
            ]
            grown = [segment for segment in self._segments if segment.path == path]
            self._changed.notify_all()
        if is_whole:
            with (self.folder / INDEX).open("a", encoding="utf-8") as lines:
                lines.writelines(segment.line() for segment in grown)

    def forget(self, is_gone: Callable[[Path], bool]) -> None:
        """Let go of segments that are no longer there."""
        with self._changed:
            self._segments = [segment for segment in self._segments if not is_gone(segment.path)]

    def end(self) -> None:
        """Take in that nothing more will come."""
        with self._changed:
            self._is_ended = True
            self._changed.notify_all()

    def wait_for(self, t_ns: int, timeout_s: float) -> bool:
        """Wait until footage can be read up to a moment; False where it cannot: it took too long, or has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._reaches(t_ns) or self._is_ended, timeout_s)
            return self._reaches(t_ns)

    def between(self, start_ns: int, end_ns: int) -> list[Segment]:
        """Return the segments that hold something of a span of time."""
        with self._changed:
            return [s for s in self._segments if s.start.t_ns < end_ns and s.end_ns > start_ns]

    def _reaches(self, t_ns: int) -> bool:
        return bool(self._segments) and self._segments[-1].end_ns >= t_ns


def read_index(folder: Path) -> list[Segment]:
    """Read the segments of an earlier session that are still there."""
    try:
        lines = (folder / INDEX).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    records = {record["file"]: record for record in map(json.loads, lines)}
    return [_segment(folder, record) for record in records.values() if (folder / record["file"]).is_file()]


def _segment(folder: Path, record: dict[str, object]) -> Segment:
    start = Stamp(int(str(record["ticks"])), Fraction(str(record["base"])))
    return Segment(folder / str(record["file"]), start, int(str(record["end_ns"])), record["whole"] is True)
