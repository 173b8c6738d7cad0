"""What waits to be stored: entries enter in order and leave when they are durable; a full disk makes them wait."""

import logging
import time
from collections.abc import Sequence
from typing import Final, Protocol

from vision.bus.envelope import Envelope
from vision.capture.video import SECOND_NS
from vision.store.database import StoreError
from vision.store.log import Entry

log = logging.getLogger(__name__)

RETRY_NS: Final = SECOND_NS  # between tries to store


class RecordSink(Protocol):
    """Where entries are stored and published: a `TableWriter`."""

    def put_all(self, entries: Sequence[Entry]) -> list[Envelope]:
        """Store entries, all or none, and publish them."""


class Outbox:
    """Holds entries until they are stored."""

    def __init__(self, sink: RecordSink) -> None:
        self._sink = sink
        self._waiting: list[Entry] = []
        self._failed_ns: int | None = None  # when storing failed last

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, entry: Entry) -> None:
        """Take in an entry."""
        self._waiting.append(entry)

    def send(self) -> list[Envelope]:
        """Store what waits, if storing did not fail a moment ago; return what was stored."""
        if self._failed_ns is not None and time.monotonic_ns() - self._failed_ns < RETRY_NS:
            return []
        try:
            return self.send_now()
        except StoreError as error:
            if self._failed_ns is None:
                log.error("store fails, entries wait count=%d why=%s", len(self), error)  # noqa: TRY400
            self._failed_ns = time.monotonic_ns()
            return []

    def send_now(self) -> list[Envelope]:
        """Store what waits, or raise StoreError."""
        if not self._waiting:
            return []
        try:
            stored = self._sink.put_all(self._waiting)
        except StoreError as error:
            raise StoreError(f"{error} ({len(self)} entries wait)") from error
        if self._failed_ns is not None:
            log.info("store works again, entries stored count=%d", len(self))
        self._waiting, self._failed_ns = [], None
        return stored
