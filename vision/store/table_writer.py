"""Where a watcher puts what it knows: it is stored first, and only then told."""

import logging
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from vision.bus.address import Address
from vision.bus.catch_up import CatchUpServer
from vision.bus.envelope import Envelope
from vision.bus.keys import HostKeys
from vision.bus.publisher import Publisher
from vision.bus.sockets import Hosting
from vision.bus.topics import Topic
from vision.records.picture import Picture
from vision.records.pulse import Pulse
from vision.store.database import StoreError
from vision.store.log import Entry, Store
from vision.values.clock import Clock

log = logging.getLogger(__name__)


class TableWriter:
    """Writes what one table says: one watcher's thread puts, any number of listeners hear and ask."""

    def __init__(self, store: Store, table: str, address: Address, clock: Clock, keys: HostKeys | None = None) -> None:
        self._store, self._table, self._clock = store, table, clock
        self._hosting = Hosting(address, keys)
        try:
            self._publisher = Publisher(self._hosting, table, store)
            self._answerer = CatchUpServer(self._hosting, table, store)
        except BaseException:
            self._hosting.abandon()
            raise

    def put(self, topic: Topic, t_ns: int, body: dict[str, Any]) -> Envelope:
        """Store one entry and tell it."""
        (envelope,) = self.put_all([Entry(topic, t_ns, body)])
        return envelope

    def put_all(self, entries: Sequence[Entry]) -> list[Envelope]:
        """Store entries, all or none, and tell them; an error means that none is stored."""
        envelopes = self._store.append_all(self._table, entries, self._clock.now_ns())
        try:
            self.publish()
        except StoreError as error:  # they are stored: who tried again would store them twice
            log.warning("not told yet table=%s why=%s", self._table, error)
        return envelopes

    def publish(self) -> None:
        """Tell what others have stored of this table: a reviewer's disposition."""
        self._publisher.publish()

    def pulse(self, t_ns: int, pulse: Pulse) -> None:
        """Tell how the watcher is, and up to which number it has told; who hears another number has missed some."""
        self.publish()
        told = pulse.model_copy(update={"last_seq": self._publisher.last_seq})
        self._publisher.publish_unstored(Topic.PULSE, t_ns, told.plain())

    def picture(self, t_ns: int, picture: Picture, jpeg: bytes) -> None:
        """Show what the camera sees."""
        self._publisher.publish_unstored(Topic.PICTURE, t_ns, picture.plain(), jpeg)

    def close(self) -> None:
        """Tell the last, and leave."""
        self._publisher.close()
        self._hosting.close()
        self._answerer.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
