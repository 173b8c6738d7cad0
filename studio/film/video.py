"""Writing H.264 video that browsers play, at surveillance bit rates."""

from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self

import av

from studio.patch import Picture


class VideoWriter:
    """Writes frames one after the other; a file appears whole or not at all."""

    def __init__(self, path: Path, fps: int, size: tuple[int, int], kbit_per_second: int) -> None:
        self._path = path
        self._partial = path.with_suffix(".partial.mp4")
        self._container = av.open(str(self._partial), "w", format="mp4", options={"movflags": "+faststart"})
        self._stream = self._container.add_stream("libx264", rate=fps)
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = "yuv420p"
        self._stream.bit_rate = kbit_per_second * 1000
        self._stream.time_base = Fraction(1, fps)
        self._stream.options = {"preset": "veryfast", "g": str(2 * fps), "threads": "1"}

    def write(self, picture: Picture, number: int) -> None:
        """Append one frame; `number` is its place in time, so that missing frames leave a gap."""
        frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
        frame.pts = number
        for packet in self._stream.encode(frame):
            self._container.mux(packet)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for packet in self._stream.encode(None):
            self._container.mux(packet)
        self._container.close()
        if kind is None:
            self._partial.replace(self._path)
        else:
            self._partial.unlink(missing_ok=True)
