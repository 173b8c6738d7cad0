"""Frames of a video: a file or an address enters, pictures with their stream time leave.

A frame is stamped once, here. Of a file, its time is the frame's own time stamp less that of the first frame.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.video.reformatter import VideoReformatter
from numpy.typing import NDArray

from vision.capture.source import OPEN_S, READ_S, open_source, public, unplayable
from vision.values.errors import InputError

SECOND_NS = 1_000_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a stream: its number from 0, its time, and the picture, BGR."""

    index: int
    t_ns: int
    picture: NDArray[np.uint8]


def frames(source: str) -> Iterator[Frame]:
    """Yield the frames of a file or a stream in order; stops at its end, raises InputError where it cannot go on."""
    with open_source(source) as container:
        try:
            yield from _decoded(container, source)
        except (av.FFmpegError, OSError) as error:
            raise unplayable(source, error) from error


def _decoded(container: "av.container.InputContainer", source: str) -> Iterator[Frame]:
    stream = container.streams.video[0]
    stream.thread_type = "AUTO"
    first: int | None = None
    painter = VideoReformatter()
    base = stream.time_base or Fraction(1, SECOND_NS)
    for index, frame in enumerate(container.decode(stream)):
        if frame.pts is None:
            raise InputError(f"{public(source)}: frame {index}: has no time stamp")
        first = frame.pts if first is None else first
        t_ns = int((frame.pts - first) * base * SECOND_NS)
        yield Frame(index, t_ns, picture_of(frame, painter))


def picture_of(frame: av.VideoFrame, painter: VideoReformatter | None = None) -> NDArray[np.uint8]:
    """Return a decoded frame as a picture; a painter for all frames of a stream prepares itself but once."""
    plane = (painter or VideoReformatter()).reformat(frame, format="bgr24").planes[0]
    rows = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, plane.line_size)[:, : plane.width * 3]
    return np.ascontiguousarray(rows).reshape(plane.height, plane.width, 3)


def typical(source: str, number: int = 15, every_ns: int = SECOND_NS // 2) -> NDArray[np.uint8]:
    """Return what a source shows most of the time: the middle of several frames, so that what passes by is gone."""
    kept: list[NDArray[np.uint8]] = []
    for frame in frames(source):
        if frame.t_ns >= len(kept) * every_ns:
            kept.append(frame.picture)
        if len(kept) == number:
            break
    if not kept:
        raise InputError(f"{public(source)}: has no frames")
    return np.asarray(np.median(np.stack(kept), axis=0), np.uint8)


def length_ns(source: str) -> int | None:
    """Return how long a file says it is; None where it does not say, or cannot be opened."""
    try:
        with av.open(source, timeout=(OPEN_S, READ_S)) as container:
            stream = container.streams.video[0]
            known = stream.duration is not None and stream.time_base is not None
            return int((stream.duration or 0) * (stream.time_base or 0) * SECOND_NS) if known else None
    except (av.FFmpegError, OSError, IndexError):
        return None


def size_of(source: str) -> tuple[int, int]:
    """Return how wide and high the pictures of a file or stream are."""
    with open_source(source) as container:
        stream = container.streams.video[0]
        return stream.width, stream.height


def is_file(source: str) -> bool:
    """Say whether a source is a file rather than an address or a device."""
    return "://" not in source and Path(source).is_file()
