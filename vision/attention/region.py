"""What was done with a frame, for people who ask why."""

from dataclasses import dataclass

from vision.attention.change import Box
from vision.calibrate.drift import State


@dataclass(frozen=True, slots=True)
class Region:
    """Why a part of a picture was looked at: 'settled', 'dealer', 'restless', 'again', 'hands'; () for company."""

    box: Box
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FrameTrace:
    """What was done with a frame, for people who ask why."""

    camera: State | None  # None: the felt has no print by which to watch the camera
    moving: int  # tiles
    regions: tuple[Region, ...] = ()
    read: int = 0  # cards and stacks
