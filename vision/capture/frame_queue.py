"""The queue between who reads a stream and who watches it: shots enter, the oldest leaves first.

It is bounded. Where a stream cannot wait, a full queue drops its oldest shot and counts it; where it can, putting waits
for a place.
"""

from collections import deque
from dataclasses import dataclass
from threading import Condition

import av

from vision.capture.video import Frame, picture_of


@dataclass(frozen=True, slots=True, eq=False)
class CapturedFrame:
    """A decoded frame on its way: its number in the session, its time, and since when the picture is frozen, if so."""

    index: int
    t_ns: int
    image: av.VideoFrame
    frozen_ns: int | None = None

    def frame(self) -> Frame:
        """Return the frame as all that follows wants it."""
        return Frame(self.index, self.t_ns, picture_of(self.image))


class FrameQueue:
    """Carries shots from one thread to another."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._shots: deque[CapturedFrame] = deque()
        self._changed = Condition()
        self._is_closed = False
        self.dropped = 0

    def put(self, shot: CapturedFrame, *, may_drop: bool) -> None:
        """Put a shot into the queue; a full one drops its oldest, or is waited for."""
        with self._changed:
            if may_drop and len(self._shots) == self._places:
                self._shots.popleft()
                self.dropped += 1
            self._changed.wait_for(lambda: len(self._shots) < self._places or self._is_closed)
            if not self._is_closed:
                self._shots.append(shot)
                self._changed.notify_all()

    def take(self, timeout_s: float) -> CapturedFrame | None:
        """Take the oldest shot; None where none came in time, or none will."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._shots) or self._is_closed, timeout_s)
            if not self._shots:
                return None
            self._changed.notify_all()
            return self._shots.popleft()

    @property
    def is_done(self) -> bool:
        """Whether nothing is on it and nothing will be."""
        with self._changed:
            return self._is_closed and not self._shots

    def close(self) -> None:
        """Let nothing more onto it; what lies on it can still be taken."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
