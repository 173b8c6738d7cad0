"""What passes and is not stored: the last picture and the last pulse of each table. The bus enters, pages look.

One thread puts in what the bus says; any number of open pages wait for news without a thread of their own.
"""

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from vision.bus.envelope import Envelope
from vision.bus.topics import Topic
from vision.values.clock import Clock

STALE_NS: Final = 3_000_000_000  # what is older than this is not what is


@dataclass(frozen=True, slots=True)
class Told:
    """The last of its kind that came: its body, when it came here, and the picture if it is one."""

    number: int
    came_ns: int
    body: dict[str, Any]
    picture: bytes = b""


class Feed:
    """The last picture and pulse of each table, and a count of all news."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._began_ns = clock, clock.now_ns()
        self._lock = threading.Lock()
        self._last: dict[tuple[str, Topic], Told] = {}
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
        self._news = 0
        self.stored = 0  # how often something came that is in the store
        self.is_closed = False

    def put(self, envelope: Envelope, blob: bytes = b"") -> None:
        """Take in what the bus says."""
        with self._lock:
            self._news += 1
            if envelope.topic.is_stored:
                self.stored += 1
            else:
                told = Told(self._news, self._clock.now_ns(), envelope.body, blob)
                self._last[envelope.table, envelope.topic] = told
        self._wake()

    @property
    def news(self) -> int:
        """Return how much has come."""
        return self._news

    @property
    def has_just_begun(self) -> bool:
        """Whether nothing can be expected to have come yet."""
        return self._clock.now_ns() - self._began_ns < STALE_NS

    def picture(self, table: str) -> Told | None:
        """Return the last picture of a table."""
        return self._last.get((table, Topic.PICTURE))

    def pulse(self, table: str) -> Told | None:
        """Return the last pulse of a table."""
        return self._last.get((table, Topic.PULSE))

    def age_ns(self, told: Told | None) -> int | None:
        """Return how long ago something came."""
        return None if told is None else max(self._clock.now_ns() - told.came_ns, 0)

    def is_stale(self, told: Told | None) -> bool:
        """Tell whether something is too old to be shown as if it were now."""
        age_ns = self.age_ns(told)
        return age_ns is None or age_ns > STALE_NS

    async def changed(self, after: int, timeout_s: float) -> int:
        """Wait until there is more news than `after`, or for the time given; return how much news there is."""
        came = asyncio.Event()
        with self._lock:
            if self._news != after or self.is_closed:
                return self._news
            waiter = (asyncio.get_running_loop(), came)
            self._waiting.append(waiter)
        with suppress(TimeoutError):
            await asyncio.wait_for(came.wait(), timeout_s)
        with self._lock:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
        return self._news

    def close(self) -> None:
        """Let all who wait go: the server ends."""
        self.is_closed = True
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for loop, came in waiting:
            with suppress(RuntimeError):  # a loop that has ended waits for nothing
                loop.call_soon_threadsafe(came.set)
