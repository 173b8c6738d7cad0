"""What one frame showed of a table, in millimetres: the door through which pictures enter all that follows.

A sight comes from a camera (`looking`), or from the simulator's truth through a model of the detectors' errors
(`simulate/sights`). Whatever comes after knows no pixels.
"""

from dataclasses import dataclass

from vision.calibrate.placing import Placed
from vision.calibrate.zones import Zone


@dataclass(frozen=True, slots=True)
class Sight:
    """The things that one frame showed. Where it did not look nothing is known, which is not nothing there."""

    index: int
    t_ns: int
    things: tuple[Placed, ...]
    looked: frozenset[Zone] | None = None  # the zones that were looked at; None: all of them
    is_sure: bool = True  # False: the camera may have moved, or the picture is degraded
    bare: tuple[tuple[float, float], ...] = ()  # places where a known thing was looked for, and is not any more
    moved_px: float | None = None  # the camera was moved by so much, and registered anew with this frame


@dataclass(frozen=True, slots=True)
class Signal:
    """What another system says: 'no-more-bets', 'progressive' (a seat's wager accepted), 'meter', 'shuffler-count'."""

    t_ns: int
    kind: str
    seat: int | None = None
    cents: int | None = None
    number: int | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """What leaves: a record for one of the files 'events', 'rounds', 'alerts', 'coverage'."""

    topic: str
    record: dict[str, object]
