"""The MP4 writer: frames enter with their time; H.264 that every browser plays, or H.265, leaves."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

import av
import numpy as np
from av.container import OutputContainer

from vision.capture.video import SECOND_NS
from vision.values.picture import Picture

Options = dict[str, str]
PLAYS_EARLY: Final[Options] = {"movflags": "+faststart"}  # the index stands before the frames


@dataclass(frozen=True, slots=True)
class Coding:
    """How frames are encoded: the encoder's options, the unit of the time stamps, the rate that it reckons with."""

    options: Options
    base: Fraction
    fps: int = 30
    codec: str = "h264"


# "crf" is x264's quality: 23 is its default, 20 is hard to tell from the original. "g" is the frames per key frame.
STREAMED: Final[Options] = {"preset": "ultrafast", "crf": "20", "tune": "zerolatency", "g": "30"}
CLIPPED: Final[Options] = {"preset": "veryfast", "crf": "20", "g": "30"}
ANNOTATED: Final = Coding({"preset": "veryfast", "crf": "23", "threads": "1"}, Fraction(1, 1000))


ENCODERS: Final[dict[str, Literal["libx264", "libx265"]]] = {"h264": "libx264", "h265": "libx265"}
QUIET_X265: Final = "log-level=none:pools=1:frame-threads=1"  # x265 has its own ways to write logs and start threads


def surveillance_coding(fps: int, kbit_per_second: int, codec: str = "h264", preset: str = "veryfast") -> Coding:
    """Return how a surveillance recorder encodes: at a bit rate, with a key frame every two seconds."""
    bits, every = str(kbit_per_second * 1000), str(2 * fps)
    options = {"preset": preset, "b": bits, "g": every, "threads": "1"}
    if codec == "h265":
        options["x265-params"] = QUIET_X265
    return Coding(options, Fraction(1, fps), fps, codec)


class Encoder:
    """Encodes frames into an open container; frames of another size are scaled to the first one's."""

    def __init__(self, container: OutputContainer, size: tuple[int, int], coding: Coding) -> None:
        self._container, self._base = container, coding.base
        self._stream = container.add_stream(ENCODERS[coding.codec], rate=coding.fps, options=coding.options)
        self._stream.width, self._stream.height = even(size)
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = coding.base

    def write(self, image: av.VideoFrame, ticks: int) -> None:
        """Append a frame."""
        frame = image.reformat(self._stream.width, self._stream.height, "yuv420p")
        if frame is image:  # the caller's frame must not change
            frame = av.VideoFrame.from_ndarray(image.to_ndarray(), format="yuv420p")
        frame.pts, frame.time_base, frame.pict_type = ticks, self._base, av.video.frame.PictureType.NONE
        self._container.mux(self._stream.encode(frame))

    def close(self) -> None:
        """Append what the encoder still holds."""
        self._container.mux(self._stream.encode(None))


class VideoWriter:
    """Writes pictures as a file, which appears whole or not at all; time counts from the first one."""

    def __init__(self, path: Path, size: tuple[int, int], coding: Coding = ANNOTATED) -> None:
        self._path, self._partial = path, path.with_suffix(".partial.mp4")
        self._width, self._height = even(size)
        self._tick_ns = coding.base * SECOND_NS
        self._container = av.open(str(self._partial), "w", format="mp4", options=PLAYS_EARLY)
        self._encoder = Encoder(self._container, size, coding)
        self._start_ns: int | None = None

    def write(self, picture: Picture, t_ns: int) -> None:
        """Append a picture; where times leave a gap, so does the video."""
        self._start_ns = t_ns if self._start_ns is None else self._start_ns
        cropped = np.ascontiguousarray(picture[: self._height, : self._width])
        ticks = round((t_ns - self._start_ns) / self._tick_ns)
        self._encoder.write(av.VideoFrame.from_ndarray(cropped, format="bgr24"), ticks)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._encoder.close()
        self._container.close()
        if kind is None:
            self._partial.replace(self._path)
        else:
            self._partial.unlink(missing_ok=True)


def even(size: tuple[int, int]) -> tuple[int, int]:
    """Return a size without its odd last column and row: H.264 stores one colour for 2 by 2 pixels."""
    return size[0] // 2 * 2, size[1] // 2 * 2
