"""The ear of the web server: a thread that hears all tables of a home on the bus and puts what it hears into a feed."""

import logging
import threading
from time import monotonic
from types import TracebackType
from typing import Final, Self

from vision.bus.envelope import BusError
from vision.bus.subscriber import Subscriber
from vision.store.database import StoreError
from vision.store.home import Home
from vision.store.log import Store
from vision.web.feed import Feed

LOOK_S: Final = 1.0  # how often new tables are looked for
log = logging.getLogger(__name__)


class Listener:
    """Listens until it is closed; a table that begins later is heard too."""

    def __init__(self, store: Store, home: Home, feed: Feed) -> None:
        self._store, self._home, self._feed = store, home, feed
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _listen(self) -> None:
        wrong = ""
        while not self._ended.is_set():
            try:
                self._hear(self._store.tables())
                wrong = ""
            except (BusError, StoreError) as error:  # the pages still have the store, and say what is stale
                if str(error) != wrong:
                    wrong = str(error)
                    log.warning("bus not heard error=%s", error)
                self._ended.wait(LOOK_S)

    def _hear(self, tables: list[str]) -> None:
        """Hear these tables until there are others."""
        with Subscriber({table: self._home.bus(table) for table in tables}, pictures=True) as subscriber:
            while not self._ended.is_set():
                look_at = monotonic() + LOOK_S
                while not self._ended.is_set() and monotonic() < look_at:
                    for heard in subscriber.receive(LOOK_S):
                        self._feed.put(heard.envelope, heard.blob or b"")
                if self._store.tables() != tables:
                    return
