"""Small films for the tests of capture, footage and live, and their footage: a bright square moves on a noisy table."""

import time
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import repeat
from pathlib import Path
from typing import Literal

import av
import numpy as np

from vision.capture.source_reader import ReadOptions, SourceReader
from vision.capture.video import SECOND_NS
from vision.footage.recorder import Recorder
from vision.footage.retention import RetentionLimit
from vision.footage.segment import Segment, read_index
from vision.values.picture import Picture

Codec = Literal["libx264", "mpeg4", "mjpeg"]
WIDTH, HEIGHT, FPS = 160, 120, 15
PATIENCE_S = 20.0
AT_ONCE = ReadOptions(is_paced=False)
PLENTY = 10**9  # bytes


def noisy(count: int, seed: int = 0) -> Iterator[Picture]:
    """Yield pictures of a sensor that is never quite still."""
    rng = np.random.default_rng(seed)
    felt = rng.integers(60, 120, (HEIGHT, WIDTH, 3)).astype(np.float64)
    for i in range(count):
        picture = felt + rng.normal(0, 6, felt.shape)
        left = 4 + 3 * i % (WIDTH - 24)
        picture[50:66, left : left + 16] = 230
        yield np.asarray(np.clip(picture, 0, 255), np.uint8)


def frozen(count: int, seed: int = 0) -> Iterator[Picture]:
    """Yield the same picture again and again."""
    return repeat(next(noisy(1, seed)), count)


def film(path: Path, pictures: Iterable[Picture], *, codec: Codec = "libx264", key_every: int = FPS) -> Path:
    """Write pictures as a film of 15 frames a second, in the stamps that films of telephones have."""
    base = Fraction(1, 15360)
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=FPS)
        stream.width, stream.height = WIDTH, HEIGHT
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        stream.codec_context.gop_size = key_every
        stream.codec_context.thread_count = 1  # or each picture is made of several slices
        for i, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = i * 1024, base
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def until(is_so: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
    """Wait for what another thread or process does; fail if it does not."""
    end = time.monotonic() + patience_s
    while not is_so():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.01)


def kept(source: Path, folder: Path, most_bytes: int = PLENTY) -> list[Segment]:
    """Record a film in segments of two seconds, and return what the index says."""
    recorder = Recorder(folder / "s1", RetentionLimit(folder, "*/*.mp4", most_bytes), segment_ns=2 * SECOND_NS)
    with SourceReader(str(source), recorder, AT_ONCE) as source_reader:
        while not source_reader.is_done:
            source_reader.take(1.0)
    recorder.close()
    return read_index(folder / "s1")
