"""One watcher per table: whoever holds the table's lock file watches; the next one is told who that is."""

import fcntl
import os
import socket
from pathlib import Path
from types import TracebackType
from typing import Self

from vision.values.errors import VisionError


class LockedError(VisionError):
    """A table that is being watched already."""


class TableLock:
    """The lock of one table, held while inside; the system lets go of it if the process dies."""

    def __init__(self, table: str, path: Path) -> None:
        self._table, self._path = table, path

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("a+", encoding="utf-8")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = self._path.read_text(encoding="utf-8").strip() or "another process"
            self._file.close()
            raise LockedError(f"{self._table}: is watched already by {holder} (lock {self._path})") from error
        self._file.truncate(0)
        self._file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        self._file.flush()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
