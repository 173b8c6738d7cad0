"""Hearing other systems live: lines that are appended to a file enter, signals stamped with stream time leave.

Other systems know no stream time. So a line has the moment at which it is read for its own, and `since_ns` counts from
there. What was heard is written down beside the footage, with its times, so that a replay hears the same.
"""

import json
import logging
from pathlib import Path

from vision.records.signal import Signal
from vision.story.signals import read_signal
from vision.values.errors import InputError

log = logging.getLogger(__name__)


class SignalTail:
    """Follows one file; what was in it before is old, and a file that begins anew is read from its beginning."""

    def __init__(self, path: Path, written: Path) -> None:
        self._path, self._written = path, written
        self._read = self._size()
        self._line = 0

    def take(self, t_ns: int) -> list[Signal]:
        """Return what was said since the last time, as said at a time; a line that is wrong is logged and left out."""
        signals = [signal for text in self._lines() if (signal := self._heard(text, t_ns)) is not None]
        if signals:
            with self._written.open("a", encoding="utf-8") as file:
                file.writelines(f"{json.dumps(signal.plain())}\n" for signal in signals)
        return signals

    def _size(self) -> int:
        return self._path.stat().st_size if self._path.is_file() else 0

    def _lines(self) -> list[str]:
        """Return the whole lines that came; the last may still be written."""
        size = self._size()
        if size == self._read:
            return []
        with self._path.open("rb") as file:
            file.seek(self._read if size > self._read else 0)
            start, new = file.tell(), file.read()
        whole = new[: new.rfind(b"\n") + 1]
        self._read = start + len(whole)
        return whole.decode("utf-8", errors="replace").splitlines()

    def _heard(self, text: str, t_ns: int) -> Signal | None:
        self._line += 1
        if not text.strip():
            return None
        try:
            said = json.loads(text)
            found = read_signal(json.dumps({**said, "t_ns": 0}) if isinstance(said, dict) else text)
        except (InputError, json.JSONDecodeError) as error:
            log.warning("signal left out file=%s line=%d since the start why=%s", self._path, self._line, error)
            return None
        since_ns = None if found.since_ns is None else found.since_ns + t_ns
        return found.model_copy(update={"t_ns": t_ns, "since_ns": since_ns})
