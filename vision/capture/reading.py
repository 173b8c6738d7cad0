"""One connection to a source: an open container enters, its decoded frames leave, each with its stream time.

Packets are handed to who keeps the footage as they come, before anything is made of them.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Protocol, TypeAlias

import av
from av.container import InputContainer

from vision.capture.source import open_source, public, unplayable
from vision.capture.stamps import Stamp, Stamps
from vision.values.errors import InputError

Timed = tuple[Stamp, av.VideoFrame]
VideoPacket: TypeAlias = "av.Packet[av.VideoStream]"
MILLISECOND: Final = Fraction(1, 1000)
WAITING: Final = 256  # packets whose frames have not come out of the decoder; more were lost in it


class PacketSink(Protocol):
    """Who keeps footage. It is called by the reading thread, and must never make it wait."""

    def begin(self, stream: av.VideoStream) -> None:
        """Take in what the next packets are."""

    def keep(self, packet: VideoPacket, at: Stamp, decode_at: Stamp | None, images: Sequence[Timed]) -> None:
        """Take in a packet with its moments, and the frames that came out with it. The packet may be changed."""

    def end(self) -> None:
        """Take in that the connection is over."""


class KeepsNothing:
    """Who keeps no footage."""

    def begin(self, stream: av.VideoStream) -> None:
        """Take nothing."""

    def keep(self, packet: VideoPacket, at: Stamp, decode_at: Stamp | None, images: Sequence[Timed]) -> None:
        """Take nothing."""

    def end(self) -> None:
        """Take nothing."""


@dataclass
class Connection:
    """Reads an open container up to its end."""

    container: InputContainer
    stamps: Stamps
    keeper: PacketSink
    source: str
    is_live: bool  # what cannot be decoded is passed over; in a file, it is where the file ends
    broken: int = field(default=0, init=False)  # packets that could not be decoded
    _times: dict[int, Stamp] = field(default_factory=dict, init=False)
    _is_begun: bool = field(default=False, init=False)

    def frames(self, now_ns: Callable[[], int]) -> Generator[Timed]:
        """Yield the frames in the order of their time; InputError where the source cannot be read any further."""
        stream = self.container.streams.video[0]
        stream.thread_type = "SLICE" if self.is_live else "AUTO"  # threads for frames would hold frames back
        self.keeper.begin(stream)
        try:
            for packet in self.container.demux(stream):
                yield from self._taken(packet, stream.time_base or MILLISECOND, now_ns())
        except (av.FFmpegError, OSError) as error:
            raise unplayable(self.source, error) from error
        finally:
            self.keeper.end()

    def count_broken(self) -> int:
        """Return how many packets could not be decoded since this was asked last."""
        broken, self.broken = self.broken, 0
        return broken

    def _taken(self, packet: VideoPacket, base: Fraction, now_ns: int) -> Sequence[Timed]:
        if packet.size == 0:  # the end: what is still in the decoder comes out
            return self._decoded(packet, base, now_ns)
        if packet.pts is None:
            self._stamp_first(packet)
        if packet.pts is None:
            raise InputError(f"{public(self.source)}: has packets without a time stamp")
        self._is_begun = True
        at = self.stamps.stamp(packet.pts, base, now_ns)
        self._times[packet.pts] = at
        while len(self._times) > WAITING:
            del self._times[min(self._times)]
        decode_at = None if packet.dts is None else at.earlier(packet.pts - packet.dts, base)
        images = self._decoded(packet, base, now_ns)
        self.keeper.keep(packet, at, decode_at, images)
        return images

    def _stamp_first(self, packet: VideoPacket) -> None:
        """Stamp the first packet of a network camera with nought, from which its stamps count; it comes without one."""
        if self.is_live and not self._is_begun:
            packet.pts = packet.dts = 0

    def _decoded(self, packet: VideoPacket, base: Fraction, now_ns: int) -> Sequence[Timed]:
        try:
            frames = packet.decode()
        except av.InvalidDataError:
            if not self.is_live:
                raise
            self.broken += 1
            return ()
        return [self._timed(frame, base, now_ns) for frame in frames if isinstance(frame, av.VideoFrame)]

    def _timed(self, frame: av.VideoFrame, base: Fraction, now_ns: int) -> Timed:
        """Return a frame with the moment of its packet, or if that is not known, of its own stamp."""
        if frame.pts is None:
            raise InputError(f"{public(self.source)}: has frames without a time stamp")
        return self._times.pop(frame.pts, None) or self.stamps.stamp(frame.pts, base, now_ns), frame


def first_stamp(source: str) -> int:
    """Return the time stamp of a file's first frame."""
    with open_source(source) as container:
        try:
            first = next(iter(container.decode(video=0)), None)
        except (av.FFmpegError, OSError) as error:
            raise unplayable(source, error) from error
    if first is None or first.pts is None:
        raise InputError(f"{public(source)}: has no frames")
    return first.pts
