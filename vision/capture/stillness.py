"""Frozen pictures: decoded frames enter, since when nothing has changed leaves.

A sensor is never still: even when nothing happens, two pictures differ in their noise. A compressed stream hides that
for a while, since an encoder does not send noise; but with every key frame the whole picture comes anew, with other
noise. So a stream is frozen where pictures stay the same for seconds, also from before a key frame to after it. What is
left of a frozen picture's difference is rounding, and the clock that a camera may write into it.
"""

from typing import Final

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.video import SECOND_NS

# Assumed where a comment names no measurement.
FROZEN_NS: Final = 5 * SECOND_NS
LEVELS: Final = 2  # of brightness: an encoder's rounding
SHARE: Final = 0.002  # of the picture: the clock in its corner
PLANAR: Final = ("yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "nv12", "gray")  # brightness comes first


class StillWatch:
    """Watches whether the pictures of a stream change."""

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None
        self._since_ns = 0
        self._is_renewed = False  # a key frame has come since

    def update(self, t_ns: int, frame: av.VideoFrame) -> int | None:
        """Take in a frame; return since when the picture is frozen, or None."""
        bright, last = _brightness(frame), self._last
        self._last = bright
        if last is None or last.shape != bright.shape or _differs(bright, last):
            self._since_ns, self._is_renewed = t_ns, False
            return None
        self._is_renewed |= bool(frame.key_frame)
        return self._since_ns if self._is_renewed and t_ns - self._since_ns >= FROZEN_NS else None


def _brightness(frame: av.VideoFrame) -> NDArray[np.uint8]:
    """Return the brightness of a frame: its first plane, where it has one."""
    if frame.format.name not in PLANAR:
        return np.asarray(frame.to_ndarray(format="gray"), np.uint8)
    plane = frame.planes[0]
    rows = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, plane.line_size)
    return np.array(rows[:, : plane.width], np.uint8)  # a copy, since the decoder uses its buffers again


def _differs(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    _, changed = cv2.threshold(cv2.absdiff(one, other), LEVELS, 1, cv2.THRESH_BINARY)
    return cv2.countNonZero(changed) > SHARE * one.size
