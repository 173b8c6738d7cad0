"""Footage as it comes: packets enter in the reading thread, segments on disk leave, written by a thread of their own.

H.264 (and H.265) is put into MP4 as it is; anything else a camera may send is encoded. The file is made up in memory,
piece by piece, and the pieces are queued for the disk: so a disk that is slow, or full, never holds up the camera.
"""

import errno
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Full, Queue
from threading import Thread
from typing import Final

import av

from vision.capture.reading import Timed, VideoPacket
from vision.capture.stamps import Stamp
from vision.capture.video import SECOND_NS
from vision.footage.mp4 import STREAMED, Coding, Encoder
from vision.footage.retention import RetentionLimit
from vision.footage.segment import Index, Segment

log = logging.getLogger(__name__)

SEGMENT_NS: Final = 10 * SECOND_NS
COPIED: Final = ("h264", "hevc")
FULL: Final = (errno.ENOSPC, errno.EDQUOT)
WAITING: Final = 2000  # pieces for the disk; more, and a segment is given up
GROWING: Final = {
    "movflags": "frag_keyframe+empty_moov+default_base_moof",  # can be read while it grows
    "frag_duration": "500000",  # microseconds
    "flush_packets": "1",
}


@dataclass(frozen=True, slots=True)
class _Piece:
    """What the disk thread is told: begin a file, append to it, it can be read up to here, it is over."""

    segment: Segment
    data: bytes = b""
    until_ns: int | None = None
    is_first: bool = False
    is_last: bool = False


class _Making:
    """A segment being made up in memory: what PyAV writes into is queued for the disk."""

    def __init__(self, segment: Segment, stream: av.VideoStream, pieces: "Queue[_Piece | None]") -> None:
        self.segment, self._pieces = segment, pieces
        self.is_given_up = False
        self._put(_Piece(segment, is_first=True))
        self._container = av.open(self, "w", format="mp4", options=GROWING)
        self._coder: Encoder | None = None
        self._stream: av.VideoStream | None = None
        if stream.codec_context.name in COPIED:
            self._stream = self._container.add_stream_from_template(stream)
            self._stream.time_base = segment.start.base
        else:
            size = (stream.codec_context.width, stream.codec_context.height)
            self._coder = Encoder(self._container, size, Coding(STREAMED, segment.start.base))
        self._last_ticks: int | None = None
        self._end_ns = segment.start.t_ns
        self._has_grown = False

    def write(self, data: bytes) -> int:
        """Take in what the container writes."""
        self._put(_Piece(self.segment, data=bytes(data)))
        self._has_grown = True
        return len(data)

    def add(self, packet: VideoPacket, at: Stamp, decode_at: Stamp | None, images: Sequence[Timed]) -> None:
        """Take in a packet, or where the stream is encoded anew, its frames."""
        self._has_grown = False
        stream, coder = self._stream, self._coder
        sent = self._copied(stream, packet, at, decode_at) if stream is not None else None
        if coder is not None:
            sent = self._encoded(coder, images)
        if self._has_grown and sent is not None:  # all that was sent before this packet can be read
            self._put(_Piece(self.segment, until_ns=sent.t_ns))
        self._end_ns = max(self._end_ns, at.t_ns + 1)

    def close(self) -> None:
        """Finish the file."""
        if self._coder is not None:
            self._coder.close()
        self._container.close()
        self._put(_Piece(self.segment, until_ns=self._end_ns, is_last=True))

    def _copied(self, stream: av.VideoStream, packet: VideoPacket, at: Stamp, decode_at: Stamp | None) -> Stamp:
        start, decode_ticks = self.segment.start, self._decode_ticks(at, decode_at)
        packet.pts, packet.dts = at.ticks - start.ticks, decode_ticks - start.ticks
        packet.time_base, packet.stream = start.base, stream
        if packet.dts <= packet.pts:  # what comes too late to be shown is not kept
            self._last_ticks = decode_ticks
            self._container.mux(packet)
        return Stamp(decode_ticks, at.base)

    def _decode_ticks(self, at: Stamp, decode_at: Stamp | None) -> int:
        """Return when a packet is decoded, which goes on from packet to packet; cameras do not always say it."""
        if self._last_ticks is None:
            return (decode_at or at).ticks
        return self._last_ticks + 1 if decode_at is None else max(decode_at.ticks, self._last_ticks + 1)

    def _encoded(self, coder: Encoder, images: Sequence[Timed]) -> Stamp | None:
        for at, image in images:
            if at.ticks >= self.segment.start.ticks:
                coder.write(image, at.ticks - self.segment.start.ticks)
        return images[-1][0] if images else None

    def _put(self, piece: _Piece) -> None:
        if self.is_given_up:
            return
        try:
            self._pieces.put_nowait(piece)
        except Full:
            self.is_given_up = True
            log.error("disk too slow, footage given up from file=%s", self.segment.path)  # noqa: TRY400


class Recorder:
    """Keeps the footage of a session."""

    def __init__(self, folder: Path, shelf: RetentionLimit, segment_ns: int = SEGMENT_NS) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.index = Index(folder)
        self._shelf, self._segment_ns = shelf, segment_ns
        self._stream: av.VideoStream | None = None
        self._making: _Making | None = None
        self._count = 0
        self._pieces: Queue[_Piece | None] = Queue(WAITING)
        self._thread = Thread(target=self._write, name="writing footage", daemon=True)
        self._thread.start()

    def begin(self, stream: av.VideoStream) -> None:
        """Take in what the next packets are."""
        self._stream = stream

    def keep(self, packet: VideoPacket, at: Stamp, decode_at: Stamp | None, images: Sequence[Timed]) -> None:
        """Take in a packet; a segment begins with a key frame."""
        try:
            if packet.is_keyframe and self._is_due(at):
                self._end_segment()
                self._begin_segment(at)
            if self._making is not None:
                self._making.add(packet, at, decode_at, images)
        except (av.FFmpegError, ValueError) as error:  # footage may be lost by what a camera sends, watching not
            log.error("footage cannot be made t_ns=%d why=%s", at.t_ns, error)  # noqa: TRY400
            self._making = None

    def end(self) -> None:
        """End the segment that is being written."""
        try:
            self._end_segment()
        except (av.FFmpegError, ValueError) as error:
            log.error("footage cannot be ended why=%s", error)  # noqa: TRY400

    def close(self) -> None:
        """Write what is left."""
        self._pieces.put(None)
        self._thread.join()

    def _is_due(self, at: Stamp) -> bool:
        making = self._making
        return making is None or making.is_given_up or at.t_ns - making.segment.start.t_ns >= self._segment_ns

    def _end_segment(self) -> None:
        making, self._making = self._making, None
        if making is not None:
            making.close()

    def _begin_segment(self, at: Stamp) -> None:
        if self._stream is None:
            return
        segment = Segment(self.index.folder / f"{self._count:06d}.mp4", at, at.t_ns)
        self._count += 1
        self._making = _Making(segment, self._stream, self._pieces)

    # ---- The disk thread

    def _write(self) -> None:
        disk = _Disk(self.index, self._shelf)
        while (piece := self._pieces.get()) is not None:
            disk.take(piece)
        disk.leave()


class _Disk:
    """Writes pieces into files; a segment that cannot be written is given up, and the next one tried."""

    def __init__(self, index: Index, shelf: RetentionLimit) -> None:
        self._index, self._shelf = index, shelf
        self._broken: Path | None = None

    def take(self, piece: _Piece) -> None:
        """Do what a piece asks for."""
        path = piece.segment.path
        if path == self._broken:
            return
        try:
            self._do(piece, path)
        except OSError as error:
            self._broken = path
            log.error("footage cannot be written file=%s why=%s", path, error.strerror or error)  # noqa: TRY400
            if error.errno in FULL:
                self._shelf.make_room(keep=path)

    def leave(self) -> None:
        """Tell those who wait that nothing more comes."""
        self._index.end()

    def _do(self, piece: _Piece, path: Path) -> None:
        if piece.is_first:
            self._index.forget(set(self._shelf.tidy(keep=path)).__contains__)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            self._index.begin(piece.segment)
        if piece.data:
            with path.open("ab") as file:
                file.write(piece.data)
        if piece.until_ns is not None:
            self._index.grow(path, piece.until_ns, is_whole=piece.is_last)
