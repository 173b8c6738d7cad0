"""The watcher of one table: frames of a source enter, what they mean is stored and published.

It runs the loop that a replay runs (`frame_loop`), so a file that is watched live gives the same rounds and alerts as
when it is replayed. What comes on top is about the watching itself: its health, pictures
for people, clips.
"""

import logging
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event
from typing import Any, Final, Literal, Protocol

from vision.bus.topics import OF_FILE, Topic
from vision.capture.frame_queue import CapturedFrame
from vision.capture.source import public
from vision.capture.source_reader import SourceReader, State
from vision.capture.video import SECOND_NS, Frame, length_ns
from vision.draw.still import Scene
from vision.footage.recorder import Recorder
from vision.pipeline import Moment, Pipeline
from vision.records.alert import Alert
from vision.records.message import Message
from vision.records.picture import Picture
from vision.records.pulse import HealthState, Pulse
from vision.records.session import Session as SessionRecord
from vision.run.clips import ClipMaker
from vision.run.frame_loop import FrameLoop, Outcome, Span, ended_early
from vision.run.health import Condition, Health
from vision.run.outbox import Outbox, RecordSink
from vision.run.pace import PaceMeter
from vision.run.pictures import Pictures
from vision.run.signal_tail import SignalTail
from vision.store.database import StoreError
from vision.store.log import Entry
from vision.table.layout import Layout
from vision.values.clock import Clock
from vision.values.errors import InputError, VisionError

log = logging.getLogger(__name__)

# Assumed where a comment names no measurement.
TAKE_S: Final = 0.1  # how long to wait for a frame before looking after other things
REMEMBERED_NS: Final = 40 * SECOND_NS  # of scenes: longer than any clip


class WatchSink(RecordSink, Protocol):
    """Where the watcher puts what it knows: a `TableWriter`."""

    def pulse(self, t_ns: int, pulse: Pulse) -> None:
        """Tell how the watcher is."""

    def picture(self, t_ns: int, picture: Picture, jpeg: bytes) -> None:
        """Show what the camera sees."""


@dataclass(frozen=True, slots=True)
class Session:
    """One run of a watcher."""

    id: str
    table: str
    build: str
    limit_ns: int | None = None  # how long to watch


@dataclass(frozen=True, slots=True)
class Parts:
    """What a watcher works with."""

    source_reader: SourceReader
    pipeline: Pipeline
    table_writer: WatchSink
    recorder: Recorder
    clips: ClipMaker
    signal_tail: SignalTail | None = None


def session_id(wall_ns: int) -> str:
    """Return the name of a session that begins now: names sort by time."""
    seconds, rest = divmod(wall_ns, SECOND_NS)
    return f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime(seconds))}-{rest // 1_000_000:03d}"


class Watcher:
    """Watches one source to its end, or until it is told to stop."""

    def __init__(self, session: Session, parts: Parts, layout: Layout, clock: Clock) -> None:
        self._session, self._parts, self._clock = session, parts, clock
        self._source_reader = parts.source_reader
        self._outbox = Outbox(parts.table_writer)
        self._health = Health(session.table)
        self._pictures = Pictures(layout, parts.table_writer.picture)
        self._scenes: deque[Scene] = deque()
        self._frame_ns: int | None = None  # the time of the last frame that was followed
        self._frozen_ns: int | None = None
        self._seen_ns = self._lag_ns = self._frames = 0
        self._pulsed = (0, 0)  # when, and after how many frames
        self._pace = PaceMeter()
        self.count: Counter[str] = Counter()  # what was stored, by topic

    def run(self, stop: Event) -> Outcome | None:
        """Watch; return how it went, None where no frame ever came."""
        self._put_session("began", None)
        why: str | None = "broken off"
        try:
            outcome = self._follow(stop)
            why = str(outcome.stopped) if outcome and outcome.stopped else None
        except VisionError as error:
            why = str(error)
            raise
        finally:
            self._leave()
            self._put_session("ended", why)
            self._send(is_last=True)
            self._pulse("ended")
        return outcome

    def _leave(self) -> None:
        """End reading, write the last footage, and make the last clips of it."""
        self._source_reader.close()
        self._parts.recorder.close()
        self._parts.clips.close()
        self._put_clips()

    # ---- The walk

    def _follow(self, stop: Event) -> Outcome | None:
        loop = FrameLoop(self._parts.pipeline)
        outcome: Outcome | None = None
        try:
            outcome = loop.run(self._heard(loop, self._watched(stop)), self._put, self._saw, Span())
        except InputError:
            if self._frames or not self._source_reader.is_live:
                raise
        is_file_over = not self._source_reader.is_live and self._source_reader.is_done
        if outcome is not None and is_file_over and not stop.is_set():
            outcome = ended_early(outcome, self._source_reader.source, length_ns(self._source_reader.source), Span())
        lacking = outcome.lacking(self._session.table) if outcome is not None else ()
        for message in (*self._health.finish(self._condition()), *lacking):
            self._put(message)
        return outcome

    def _heard(self, loop: FrameLoop, frames: Iterator[Frame]) -> Iterator[Frame]:
        """Yield frames, each after what other systems said before it."""
        for frame in frames:
            if self._parts.signal_tail is not None:
                loop.hear(self._parts.signal_tail.take(frame.t_ns))
            yield frame

    def _watched(self, stop: Event) -> Iterator[Frame]:
        """Yield the frames to be followed, and look after the rest between them."""
        limit_ns = self._session.limit_ns
        while not stop.is_set() and not (limit_ns is not None and self._source_reader.now_ns() >= limit_ns):
            shot = self._source_reader.take(TAKE_S)
            self._tend(self._condition(shot))
            if shot is not None and shot.frozen_ns is None:
                self._frames, self._frame_ns = self._frames + 1, shot.t_ns
                yield shot.frame()
            if self._source_reader.is_done:
                break
        if not self._source_reader.is_live and self._source_reader.status.why is not None:
            raise InputError(self._source_reader.status.why)

    def _saw(self, moment: Moment) -> None:
        """Remember a moment that was followed, store what came of it, and show it."""
        scene = Scene(moment.frame.t_ns, moment.camera, moment.known)
        self._scenes.append(scene)
        while self._scenes[0].t_ns < scene.t_ns - REMEMBERED_NS:
            self._scenes.popleft()
        self._send()
        self._pictures.update(moment, scene, self._clock.now_ns())

    # ---- What is published

    def _put(self, message: Message) -> None:
        record = self._health.explain(message).record
        self._outbox.add(Entry(OF_FILE[message.topic], record.t_ns, record.plain()))

    def _put_session(self, state: Literal["began", "ended"], why: str | None) -> None:
        session, source, wall_ns = self._session, public(self._source_reader.source), self._clock.now_ns()
        record = SessionRecord(id=session.id, state=state, source=source, build=session.build, wall_ns=wall_ns, why=why)
        self._outbox.add(Entry(Topic.SESSION, self._frame_ns or 0, record.plain()))
        log.info("session %s table=%s session=%s source=%s", state, session.table, session.id, source)

    def _put_clips(self) -> None:
        for clip in self._parts.clips.made():
            made = clip.model_copy(update={"session": self._session.id})
            self._outbox.add(Entry(Topic.CLIP, made.t_ns, made.plain()))

    def _send(self, *, is_last: bool = False) -> None:
        """Store and tell what waits; an alert that is stored gets its clip."""
        for envelope in self._outbox.send_now() if is_last else self._outbox.send():
            self.count[envelope.topic] += 1
            if envelope.topic in (Topic.ALERT, Topic.ROUND, Topic.CLIP):
                log.info("stored topic=%s seq=%s %s", envelope.topic, envelope.seq, _named(envelope.body))
            if envelope.topic is Topic.ALERT and envelope.seq is not None:
                self._ask_clip(Alert.of(envelope.body), envelope.seq)

    def _ask_clip(self, alert: Alert, seq: int) -> None:
        if alert.state == "raised":
            self._parts.clips.ask(alert, seq, tuple(self._scenes))

    def _tend(self, now: Condition) -> None:
        """Look after the health of the source, clips that are ready, and the pulse."""
        for message in self._health.update(now):
            self._put(message)
        self._put_clips()
        self._send()
        if self._source_reader.now_ns() - self._pulsed[0] >= SECOND_NS:
            self._pulse(self._health.state if self._source_reader.status.received else "waiting")

    def _pulse(self, state: HealthState) -> None:
        now_ns = self._source_reader.now_ns()
        fps = (self._frames - self._pulsed[1]) * SECOND_NS / max(now_ns - self._pulsed[0], 1)
        self._pulsed = (now_ns, self._frames)
        pulse = Pulse(
            session=self._session.id,
            state=state,
            fps=round(fps, 1),
            dropped=self._source_reader.dropped,
            lag_ms=self._lag_ns // 1_000_000,
            pace=self._pace.update(now_ns, self._seen_ns) if self._source_reader.may_slow else 1.0,
            wall_ns=self._clock.now_ns(),
        )
        try:
            self._parts.table_writer.pulse(self._frame_ns or 0, pulse)
        except StoreError as error:  # it tells what others stored, too
            log.warning("store cannot be read why=%s", error)

    def _condition(self, shot: CapturedFrame | None = None) -> Condition:
        """Return how it is with a shot that was just taken, or with none."""
        reader, status = self._source_reader, self._source_reader.status
        if shot is not None:
            self._seen_ns, self._frozen_ns, self._lag_ns = shot.t_ns, shot.frozen_ns, reader.lag_ns(shot.t_ns)
        is_missing = shot is None and reader.is_live
        return Condition(
            t_ns=max(reader.stream_ns(), self._seen_ns) if is_missing else self._seen_ns,
            frame_ns=self._frame_ns,
            silent_ns=reader.now_ns() - (status.last_ns or 0) if is_missing else 0,
            is_cut=is_missing and status.state is State.WAITING,
            why=status.why,
            frozen_ns=self._frozen_ns,
            lag_ns=self._lag_ns,
            dropped=reader.dropped,
        )


def _named(body: dict[str, Any]) -> str:
    """Return what a log line says of a record."""
    names = ("id", "alert", "code", "state", "verdict", "film")
    return " ".join(f"{name}={body[name]}" for name in names if name in body)
