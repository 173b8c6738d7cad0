"""Telling: what is kept of a table is announced in its order, and what only passes beside it."""

from typing import Any, Final, Protocol

import zmq

from vision.bus.envelope import Envelope
from vision.bus.sockets import Hosting
from vision.bus.topics import Topic

ENTRIES_AT_ONCE: Final = 200


class Kept(Protocol):
    """What is stored of tables: a `Store`."""

    def since(self, table: str, seq: int, limit: int) -> list[Envelope]:
        """Return what follows a number, in order."""

    def last_seq(self, table: str) -> int:
        """Return the number of the last entry."""


class Publisher:
    """Announces one table. It publishes only what it finds stored, so that nothing is published which could be lost."""

    def __init__(self, hosting: Hosting, table: str, kept: Kept) -> None:
        self._table, self._kept = table, kept
        self.last_seq = kept.last_seq(table)  # what came before us can be asked for
        self._socket = hosting.bind(zmq.PUB, hosting.address.tells)

    def publish(self) -> None:
        """Announce all that was stored since the last time, by us or by others; never waits for a listener."""
        while page := self._kept.since(self._table, self.last_seq, ENTRIES_AT_ONCE):
            for envelope in page:
                self._send(envelope)
            self.last_seq += len(page)

    def publish_unstored(self, topic: Topic, t_ns: int, body: dict[str, Any], blob: bytes | None = None) -> None:
        """Announce what is not kept."""
        self._send(Envelope(table=self._table, seq=None, t_ns=t_ns, topic=topic, body=body), blob)

    def close(self) -> None:
        """Tell no more."""
        self._socket.close()

    def _send(self, envelope: Envelope, blob: bytes | None = None) -> None:
        frames = [f"{self._table}/{envelope.topic}".encode(), str(envelope).encode()]
        self._socket.send_multipart(frames if blob is None else [*frames, blob])
