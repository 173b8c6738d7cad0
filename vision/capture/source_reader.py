"""A live source: a thread reads it, connects anew when it is lost, and puts its frames into a queue.

A camera is never made to wait: when the queue is full its oldest frame is dropped, and counted. A file is played at its
own pace, and waits: so it gives the same frames as when it is replayed, only later. Where it may be slowed, its pace
follows the watcher that cannot keep up: then it is slow, but never behind.
"""

import logging
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Final, Self

import av
from av.container import InputContainer

from vision.capture.frame_queue import CapturedFrame, FrameQueue
from vision.capture.reading import Connection, KeepsNothing, PacketSink, first_stamp
from vision.capture.source import Kind, kind_of, open_source, public
from vision.capture.stamps import CameraStamps, FileStamps
from vision.capture.stillness import StillWatch
from vision.capture.video import SECOND_NS
from vision.values.errors import InputError

log = logging.getLogger(__name__)

# Assumed where a comment names no measurement.
PLACES: Final = 32  # frames between reading and watching: some two seconds
FEW_PLACES: Final = 2  # where a file's pace follows the watcher
LATE_NS: Final = SECOND_NS // 5  # a file's frame that is due longer slows it
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0  # before connecting anew
LEAVING_S: Final = 1.0  # how long leaving waits for a read that hangs
ENDED: Final = "the connection ended"
Opener = Callable[[], InputContainer]


class State(StrEnum):
    """What the reading thread does."""

    CONNECTING = "connecting"
    READING = "reading"
    WAITING = "waiting"  # to connect anew
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Status:
    """How a reader is."""

    state: State = State.CONNECTING
    why: str | None = None  # what was wrong last, until frames come again
    received: int = 0
    skipped: int = 0  # broken, or their time went back
    last_ns: int | None = None  # when the last frame came, since the source was opened
    tries: int = 0  # to connect, since frames came last


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a source is read; tests read a file without its pace."""

    is_paced: bool = True
    may_slow: bool = False  # a file's pace follows the watcher where it cannot keep up
    places: int = PLACES
    first_wait_s: float = FIRST_WAIT_S
    longest_wait_s: float = LONGEST_WAIT_S

    def wait_s(self, tries: int) -> float:
        """Return how long to wait after so many tries to connect: twice as long after each."""
        return float(min(self.first_wait_s * 2 ** (min(tries, 32) - 1), self.longest_wait_s))


class SourceReader:
    """One source, from the beginning of a session to its end."""

    def __init__(
        self,
        source: str,
        keeper: PacketSink | None = None,
        options: ReadOptions | None = None,
        size: tuple[int, int] | None = None,
        opener: Opener | None = None,
    ) -> None:
        self.source, self.kind = source, kind_of(source)
        self.is_live = self.kind is not Kind.FILE
        self._keeper: PacketSink = keeper or KeepsNothing()
        self._options = options or ReadOptions()
        self._open = opener or (lambda: open_source(source, size))
        self.may_slow = self._options.may_slow and not self.is_live
        self._queue = FrameQueue(FEW_PLACES if self.may_slow else self._options.places)
        self._leave, self._lock = Event(), Lock()
        self._status, self._last_t_ns, self._broken = Status(), -1, 0
        self._still = StillWatch()
        self._began_ns = time.monotonic_ns()
        self._pace_ns: int | None = None  # when a file's first frame was due
        self._thread = Thread(target=self._read, name=f"reading {public(source)}", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._began_ns = time.monotonic_ns()
        self._thread.start()

    def take(self, timeout_s: float) -> CapturedFrame | None:
        """Return the next frame; None where none came in time, or the source has ended."""
        return self._queue.take(timeout_s)

    @property
    def is_done(self) -> bool:
        """Whether the source has ended and every frame was taken."""
        return self._queue.is_done

    @property
    def status(self) -> Status:
        """Return how it is."""
        with self._lock:
            return self._status

    @property
    def dropped(self) -> int:
        """Return how many frames were not taken, because they were not waited for or not usable."""
        return self._queue.dropped + self.status.skipped + self._broken

    def now_ns(self) -> int:
        """Return how long the session has lasted."""
        return time.monotonic_ns() - self._began_ns

    def stream_ns(self) -> int:
        """Return where the stream is now: what a frame that is caught this moment would be stamped with."""
        if self.is_live:
            return self.now_ns()
        is_due = self._options.is_paced and self._pace_ns is not None
        return max(self.now_ns() - (self._pace_ns or 0), 0) if is_due else max(self._last_t_ns, 0)

    def lag_ns(self, t_ns: int) -> int:
        """Return how far a frame is behind the stream; a file without its pace never is."""
        is_timed = self.is_live or self._options.is_paced
        return max(self.stream_ns() - t_ns, 0) if is_timed else 0

    def close(self) -> None:
        """Stop reading; what hangs in a read is left behind."""
        self._leave.set()
        self._queue.close()
        if self._thread.is_alive():
            self._thread.join(LEAVING_S)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ---- The reading thread

    def _read(self) -> None:
        while not self._leave.is_set():
            why = self._connected()
            if not self.is_live or self._leave.is_set():
                self._set_state(state=State.ENDED, why=why)
                break
            tries = self.status.tries + 1
            wait_s = self._options.wait_s(tries)
            self._set_state(state=State.WAITING, why=why or ENDED, tries=tries)
            log.warning("camera lost source=%s why=%s again_s=%.1f", public(self.source), why or ENDED, wait_s)
            self._leave.wait(wait_s)
        self._queue.close()

    def _connected(self) -> str | None:
        """Read one connection to its end; return what was wrong with it."""
        self._set_state(state=State.CONNECTING)
        try:
            stamps = CameraStamps(self._last_t_ns + 1) if self.is_live else FileStamps(first_stamp(self.source))
            with self._open() as container:
                connection = Connection(container, stamps, self._keeper, self.source, self.is_live)
                with closing(connection.frames(self.now_ns)) as frames:
                    for stamp, image in frames:
                        self._broken += connection.count_broken()
                        self._caught(stamp.t_ns, image)
                        if self._leave.is_set():
                            break
        except InputError as error:
            return str(error)
        return None

    def _caught(self, t_ns: int, image: av.VideoFrame) -> None:
        before, index = self.status, self.status.received
        if before.state is not State.READING:
            log.info("camera found source=%s", public(self.source))
        self._set_state(state=State.READING, why=None, tries=0, received=index + 1, last_ns=self.now_ns())
        if t_ns <= self._last_t_ns:
            self._set_state(skipped=before.skipped + 1)
            return
        self._last_t_ns = t_ns
        if not self.is_live:
            self._keep_pace(t_ns)
        self._queue.put(CapturedFrame(index, t_ns, image, self._still.update(t_ns, image)), may_drop=self.is_live)

    def _keep_pace(self, t_ns: int) -> None:
        """Wait until a frame of a file is due; where it is late already, all that follow are due later."""
        is_late = self._pace_ns is not None and self.now_ns() - self._pace_ns - t_ns > LATE_NS
        if self._pace_ns is None or (is_late and self._options.may_slow):
            self._pace_ns = self.now_ns() - t_ns
        if self._options.is_paced:
            self._leave.wait(max(self._pace_ns + t_ns - self.now_ns(), 0) / SECOND_NS)

    def _set_state(self, **changes: object) -> None:
        with self._lock:
            self._status = replace(self._status, **changes)  # type: ignore[arg-type]
