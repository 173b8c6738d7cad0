"""One frame's observations in table coordinates; no pixels beyond here.

They come from a camera (`observer`), or from the simulator's truth through a model of the detectors' errors
(`studio/scripted/observations`).
"""

from dataclasses import dataclass

from vision.attention.trouble import Trouble
from vision.observe.placing import Placed
from vision.table.zones import Zone


@dataclass(frozen=True, slots=True)
class FrameObservation:
    """The things that one frame showed. Where it did not look nothing is known, which is not nothing there."""

    index: int
    t_ns: int
    things: tuple[Placed, ...]
    looked: frozenset[Zone] | None = None  # the zones that were looked at; None: all of them
    is_sure: bool = True  # False: the camera may have moved, or the picture is degraded
    bare: tuple[tuple[float, float], ...] = ()  # places where a known thing was looked for, and is not any more
    moved_px: float | None = None  # the camera was moved by so much, and registered anew with this frame
    trouble: Trouble | None = None  # what is in the way of seeing: then no things are reported
