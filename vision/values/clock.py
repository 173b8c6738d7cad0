"""What time it is on the wall, for those few who may ask: capture, store, bus and web. All others have stream time."""

import time
from dataclasses import dataclass
from typing import Protocol


class Clock(Protocol):
    """Tells the time of day."""

    def now_ns(self) -> int:
        """Return the nanoseconds since 1970, UTC."""


class WallClock:
    """The clock of the machine."""

    def now_ns(self) -> int:
        """Return the nanoseconds since 1970, UTC."""
        return time.time_ns()


@dataclass
class SetClock:
    """A clock that stands where it was set, for tests."""

    t_ns: int = 0

    def now_ns(self) -> int:
        """Return what it was set to."""
        return self.t_ns

    def advance(self, ns: int) -> None:
        """Let time pass."""
        self.t_ns += ns
