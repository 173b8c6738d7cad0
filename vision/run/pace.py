"""How fast a file is followed: moments of the session and of the stream enter, a share of its own speed leaves."""

from collections import deque
from typing import Final

PULSES: Final = 5  # over which it is measured: frames come unevenly


class PaceMeter:
    """Measures the pace of one source."""

    def __init__(self) -> None:
        self._points: deque[tuple[int, int]] = deque(maxlen=PULSES)

    def update(self, now_ns: int, stream_ns: int) -> float:
        """Take in how far the stream was followed by now; return the pace, at most 1."""
        self._points.append((now_ns, stream_ns))
        began_ns, from_ns = self._points[0]
        if now_ns == began_ns:
            return 1.0
        return round(min((stream_ns - from_ns) / (now_ns - began_ns), 1.0), 2)
