"""H.264 that every browser plays: frames enter with their time, packets in an open MP4 file leave."""

from fractions import Fraction
from typing import Final

import av
from av.container import OutputContainer

FAST: Final = {"preset": "ultrafast", "crf": "20", "tune": "zerolatency"}  # for a stream that comes now
FINE: Final = {"preset": "veryfast", "crf": "20"}  # for a clip
KEY_EVERY: Final = 30  # frames


class Encoding:
    """Encodes frames into a container; other sizes than the first are scaled to it."""

    def __init__(
        self, container: OutputContainer, size: tuple[int, int], base: Fraction, manner: dict[str, str]
    ) -> None:
        self._container = container
        self._width, self._height = size[0] // 2 * 2, size[1] // 2 * 2  # colours are stored for four pixels at a time
        self.stream = container.add_stream("libx264", rate=30, options=manner)
        self.stream.width, self.stream.height, self.stream.pix_fmt = self._width, self._height, "yuv420p"
        self.stream.codec_context.time_base, self.stream.codec_context.gop_size = base, KEY_EVERY
        self._base = base

    def write(self, image: av.VideoFrame, ticks: int) -> None:
        """Append a frame."""
        frame = image.reformat(self._width, self._height, "yuv420p")
        if frame is image:  # others look at it too
            frame = av.VideoFrame.from_ndarray(image.to_ndarray(), format="yuv420p")
        frame.pts, frame.time_base, frame.pict_type = ticks, self._base, av.video.frame.PictureType.NONE
        self._container.mux(self.stream.encode(frame))

    def close(self) -> None:
        """Append what the encoder still holds."""
        self._container.mux(self.stream.encode(None))
