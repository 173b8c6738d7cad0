"""Stream time: a packet's own time stamp enters, the moment of the stream that it is stamped with leaves.

Of a file, stream time is its time stamps less that of its first frame, in its own ticks: exact. Of a camera it is the
time since the session began, by a clock that never goes back: the camera's stamps say how far frames are apart, ours
say when they came. A camera's clock that runs a little fast or slow is followed softly; one that leaps, at once.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Protocol

from vision.capture.video import SECOND_NS

MICROSECOND: Final = Fraction(1, 1_000_000)
LEAP_NS: Final = 3 * SECOND_NS  # stamps that are off by more are another clock's
SOFT: Final = 1024  # frames until a difference is (mostly) made up for


@dataclass(frozen=True, slots=True)
class Stamp:
    """A moment of the stream: whole ticks, and how many seconds a tick is."""

    ticks: int
    base: Fraction

    @property
    def t_ns(self) -> int:
        """Return the moment in nanoseconds."""
        return int(self.ticks * self.base * SECOND_NS)

    def earlier(self, ticks: int, base: Fraction) -> "Stamp":
        """Return the moment that lies some ticks of another base before."""
        return Stamp(self.ticks - round(ticks * base / self.base), self.base)


class Stamps(Protocol):
    """Gives the packets of one connection their stream time."""

    def stamp(self, pts: int, base: Fraction, arrived_ns: int) -> Stamp:
        """Return the moment of a packet, that came so long after the session began."""


@dataclass(frozen=True, slots=True)
class FileStamps:
    """Stream time of a file."""

    first: int  # the time stamp of its first frame

    def stamp(self, pts: int, base: Fraction, arrived_ns: int) -> Stamp:  # noqa: ARG002  a file has its own time
        """Return the moment that the file says."""
        return Stamp(pts - self.first, base)


class CameraStamps:
    """Stream time of a camera; each connection has stamps of its own, since a camera may begin to count anew."""

    def __init__(self, after_ns: int = 0) -> None:
        self._after_ns = after_ns  # what came before this connection ended there
        self._offset_ns: int | None = None  # from the camera's time to ours

    def stamp(self, pts: int, base: Fraction, arrived_ns: int) -> Stamp:
        """Return the moment by our clock, at the camera's distances."""
        own_ns = int(pts * base * SECOND_NS)
        if self._offset_ns is None or abs(arrived_ns - own_ns - self._offset_ns) > LEAP_NS:
            self._offset_ns = max(arrived_ns, self._after_ns) - own_ns
        else:
            self._offset_ns += (arrived_ns - own_ns - self._offset_ns) // SOFT
        return Stamp(-(-(own_ns + self._offset_ns) // 1000), MICROSECOND)
