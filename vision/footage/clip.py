"""Clips: segments and a span of time enter; an MP4 file that every browser plays, or a single picture, leaves.

H.264 is cut out without being encoded anew, from the key frame before the span: the pixels are those that the camera
sent. Where a browser could not play that (another codec, other colours, a camera that changed its manner), frames are
encoded.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.container import InputContainer, OutputContainer
from numpy.typing import NDArray

from vision.capture.reading import VideoPacket
from vision.capture.video import SECOND_NS
from vision.footage.mp4 import CLIPPED, PLAYS_EARLY, Coding, Encoder
from vision.footage.segment import Segment
from vision.values.errors import VisionError

PLAYED = ("h264", ("yuv420p", "yuvj420p"))  # by every browser
PART = ".part"
MICROSECOND = Fraction(1, 1_000_000)


class FootageError(VisionError):
    """Footage that cannot be read, or a clip that cannot be written."""


class NoFootageError(FootageError):
    """A span of which nothing was kept."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What a clip shows: the moments of its first frame and of its end."""

    start_ns: int
    end_ns: int


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """A packet out of a segment, with its moments in seconds of stream time."""

    packet: VideoPacket
    at_s: Fraction
    decode_at_s: Fraction

    @property
    def t_ns(self) -> int:
        return int(self.at_s * SECOND_NS)


def cut(segments: Sequence[Segment], start_ns: int, end_ns: int, path: Path) -> Cut:
    """Write what segments hold of a span as a clip; it appears whole or not at all."""
    part = path.with_name(path.name + PART)
    try:
        with _opened(segments) as files:
            held = _span(_packets(segments, files), start_ns, end_ns)
            if not held:
                raise NoFootageError(f"{path.name}: no footage of {_seconds(start_ns)} to {_seconds(end_ns)}")
            with av.open(str(part), "w", format="mp4", options=PLAYS_EARLY) as clip:
                done = _copy(clip, held) if _is_played(files) else _encode(clip, held, start_ns, end_ns)
        part.replace(path)
    except (av.FFmpegError, OSError) as error:
        raise FootageError(f"{path}: cannot be made: {getattr(error, 'strerror', None) or error}") from error
    finally:
        part.unlink(missing_ok=True)
    return done


def picture_at(segments: Sequence[Segment], t_ns: int) -> NDArray[np.uint8]:
    """Return the picture of a moment: of the last frame that is not later."""
    try:
        with _opened(segments) as files:
            held = _span(_packets(segments, files), t_ns, t_ns + SECOND_NS)
            seen = _last_until(held, t_ns)
    except (av.FFmpegError, OSError) as error:
        raise FootageError(f"{_seconds(t_ns)}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if seen is None:
        raise NoFootageError(f"no footage of {_seconds(t_ns)}")
    return np.asarray(seen.to_ndarray(format="bgr24"), np.uint8)


def _last_until(held: Sequence[_Held], t_ns: int) -> av.VideoFrame | None:
    last: av.VideoFrame | None = None
    for at_s, image in _frames(held):
        if int(at_s * SECOND_NS) > t_ns:
            break
        last = image
    return last


@contextmanager
def _opened(segments: Sequence[Segment]) -> Iterator[list[InputContainer]]:
    with ExitStack() as stack:
        yield [stack.enter_context(av.open(str(segment.path))) for segment in segments]


def _packets(segments: Sequence[Segment], files: Sequence[InputContainer]) -> Iterator[_Held]:
    """Yield the packets of segments; in the file, moments count from its first packet, which is a key frame."""
    for segment, file in zip(segments, files, strict=True):
        first: int | None = None
        stream = file.streams.video[0]
        base, start_s = stream.time_base or MICROSECOND, segment.start.ticks * segment.start.base
        for packet in file.demux(stream):
            if packet.size and packet.pts is not None and packet.dts is not None:
                first = packet.pts if first is None else first
                yield _Held(packet, start_s + (packet.pts - first) * base, start_s + (packet.dts - first) * base)


def _span(packets: Iterator[_Held], start_ns: int, end_ns: int) -> list[_Held]:
    """Return the packets of a span, from the last key frame before it."""
    held: list[_Held] = []
    for packet in packets:
        if packet.decode_at_s * SECOND_NS >= end_ns:
            break
        if packet.packet.is_keyframe and packet.t_ns <= start_ns:
            held.clear()
        held.append(packet)
    return held


def _is_played(files: Sequence[InputContainer]) -> bool:
    """Whether a browser plays all of it as one film."""
    coders = [file.streams.video[0].codec_context for file in files]
    made = {(coder.name, coder.pix_fmt, coder.extradata) for coder in coders}
    return len(made) == 1 and all(name == PLAYED[0] and colours in PLAYED[1] for name, colours, _ in made)


def _copy(clip: OutputContainer, held: Sequence[_Held]) -> Cut:
    source = held[0].packet.stream
    stream = clip.add_stream_from_template(source)
    base, start_s = source.time_base or MICROSECOND, held[0].at_s
    stream.time_base = base
    for entry in held:
        packet = entry.packet
        packet.pts, packet.dts = round((entry.at_s - start_s) / base), round((entry.decode_at_s - start_s) / base)
        packet.time_base, packet.stream = base, stream
        clip.mux(packet)
    return Cut(held[0].t_ns, max(entry.t_ns for entry in held) + 1)


def _encode(clip: OutputContainer, held: Sequence[_Held], start_ns: int, end_ns: int) -> Cut:
    coder: Encoder | None = None
    first_s = last_s = Fraction(0)
    for at_s, image in _frames(held):
        if not start_ns <= at_s * SECOND_NS < end_ns:
            continue
        if coder is None:
            coder, first_s = Encoder(clip, (image.width, image.height), Coding(CLIPPED, MICROSECOND)), at_s
        coder.write(image, round((at_s - first_s) / MICROSECOND))
        last_s = at_s
    if coder is None:
        raise NoFootageError(f"no footage of {_seconds(start_ns)} to {_seconds(end_ns)}")
    coder.close()
    return Cut(int(first_s * SECOND_NS), int(last_s * SECOND_NS) + 1)


def _frames(held: Sequence[_Held]) -> Iterator[tuple[Fraction, av.VideoFrame]]:
    """Yield the frames of packets; each segment has a decoder of its own, which is emptied at its end."""
    for i, entry in enumerate(held):
        stream = entry.packet.stream
        start_s = entry.at_s - (entry.packet.pts or 0) * (stream.time_base or MICROSECOND)
        is_last = i + 1 == len(held) or held[i + 1].packet.stream is not stream
        frames = [*entry.packet.decode(), *(stream.codec_context.decode(None) if is_last else ())]
        for frame in frames:
            if isinstance(frame, av.VideoFrame) and frame.pts is not None:
                yield start_s + frame.pts * (stream.time_base or MICROSECOND), frame


def _seconds(t_ns: int) -> str:
    return f"{t_ns / SECOND_NS:.2f} s"
