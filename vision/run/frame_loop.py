"""A recording watched again: its frames enter, the files of `DESIGN.md` §3 leave, the same bytes every time.

Files are written under another name and get theirs at the end: a run that was broken off leaves only `*.jsonl.part`.
What a recording lacks (frames that go back in time, an end that is missing) is told in the coverage ledger.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

from vision.alerts.coverage import not_observed
from vision.attention.region import FrameTrace
from vision.capture.video import SECOND_NS, Frame
from vision.observe.frame_observation import FrameObservation
from vision.observe.placing import Placed
from vision.records.message import Message
from vision.records.signal import Signal
from vision.values.errors import InputError

TOPICS: Final = ("rounds", "alerts", "events", "coverage")
PART: Final = ".part"
SHORT_NS: Final = SECOND_NS  # a file that ends earlier than it says by more than this is cut off


class FrameReader(Protocol):
    """What turns frames into sights: a `Looker`."""

    @property
    def last(self) -> FrameTrace:
        """Return what was done with the last frame."""

    def look(self, frame: Frame) -> FrameObservation:
        """Return what a frame shows."""


class ObservationConsumer(Protocol):
    """What turns sights into messages: a `Judge`."""

    def update(self, sight: FrameObservation) -> list[Message]:
        """Take in one sight."""

    def signal(self, signal: Signal) -> list[Message]:
        """Take in what another system says."""

    def finish(self, t_ns: int) -> list[Message]:
        """End the stream."""

    def view(self) -> dict[str, object]:
        """Return what is believed now."""


@dataclass(frozen=True)
class Moment:
    """A frame with all that was made of it, for those who watch the replay."""

    frame: Frame
    sight: FrameObservation
    look: FrameTrace
    view: dict[str, object]
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """The part of a recording to watch, in nanoseconds of stream time."""

    start_ns: int = 0
    end_ns: int | None = None

    def __post_init__(self) -> None:
        if self.start_ns < 0 or (self.end_ns is not None and self.end_ns <= self.start_ns):
            raise InputError(f"{self}: want a start of 0 s or later, and an end after it")

    def __str__(self) -> str:
        end = "" if self.end_ns is None else f"{self.end_ns / SECOND_NS:g}"
        return f"{self.start_ns / SECOND_NS:g}..{end} s"

    def frames(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """Yield the frames in the span; stops behind it."""
        for frame in frames:
            if self.end_ns is not None and frame.t_ns >= self.end_ns:
                return
            if frame.t_ns >= self.start_ns:
                yield frame


class Records:
    """The files of a run; they have their names when all was written."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._paths = {topic: folder / f"{topic}.jsonl" for topic in TOPICS}
        self._files = {topic: _part(path).open("w", encoding="utf-8") for topic, path in self._paths.items()}
        self.count = dict.fromkeys(TOPICS, 0)

    def put(self, message: Message) -> None:
        """Append a message to its file; the first one ends what an earlier run left."""
        if not any(self.count.values()):
            for path in self._paths.values():
                path.unlink(missing_ok=True)
        self._files[message.topic].write(f"{message.record}\n")
        self._files[message.topic].flush()
        self.count[message.topic] += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for topic, file in self._files.items():
            file.close()
            if kind is None:
                _part(self._paths[topic]).replace(self._paths[topic])
            elif not any(self.count.values()):  # nothing was watched: all is as it was
                _part(self._paths[topic]).unlink()


def _part(path: Path) -> Path:
    return path.with_name(path.name + PART)


class Forward:
    """Frames in order: those whose time does not go on are dropped, and counted."""

    def __init__(self, frames: Iterable[Frame]) -> None:
        self._frames = frames
        self.last_ns: int | None = None
        self.first_dropped_ns: int | None = None
        self.dropped = 0

    def __iter__(self) -> Iterator[Frame]:
        for frame in self._frames:
            if self.last_ns is not None and frame.t_ns <= self.last_ns:
                self.dropped += 1
                self.first_dropped_ns = self.last_ns if self.first_dropped_ns is None else self.first_dropped_ns
                continue
            self.last_ns = frame.t_ns
            yield frame


@dataclass(frozen=True)
class Outcome:
    """How a replay went."""

    frames: int
    end_ns: int
    dropped: int = 0
    first_dropped_ns: int = 0
    stopped: InputError | None = None  # what ended it before its time
    lost_ns: int = 0  # at its end

    def lacking(self, table: str) -> Iterator[Message]:
        """Yield the lines of the coverage ledger about what the recording lacks."""
        if self.dropped:
            why = f"{self.dropped} frames dropped from here on: their time stamps went back"
            yield not_observed(table, self.first_dropped_ns, self.first_dropped_ns, why)
        if self.stopped is not None:
            yield not_observed(table, self.end_ns, self.end_ns + self.lost_ns, str(self.stopped))


def ended_early(outcome: Outcome, source: str, said_ns: int | None, span: Span) -> Outcome:
    """Return the outcome, stopped if a recording ended well before the length that it says it has."""
    if said_ns is None:
        return outcome
    wanted_ns = said_ns if span.end_ns is None else min(said_ns, span.end_ns)
    lost_ns = max(wanted_ns - outcome.end_ns, 0)
    stopped = outcome.stopped
    if stopped is None and lost_ns > SHORT_NS:
        ends, said = (f"{t_ns / SECOND_NS:.1f} s" for t_ns in (outcome.end_ns, said_ns))
        stopped = InputError(f"{source}: cut off: its frames end at {ends}, it says it has {said}")
    return replace(outcome, stopped=stopped, lost_ns=lost_ns)


class FrameLoop:
    """One run over a recording."""

    def __init__(
        self, table: str, looker: FrameReader, pipeline: ObservationConsumer, signals: Sequence[Signal] = ()
    ) -> None:
        self._table, self._looker, self._pipeline = table, looker, pipeline
        self._signals = sorted(signals, key=lambda signal: signal.t_ns)
        self._frames, self._now_ns = 0, 0

    def run(
        self, frames: Iterable[Frame], put: Callable[[Message], None], watch: Callable[[Moment], None], span: Span
    ) -> Outcome:
        """Watch the frames of a span; a recording that breaks off is watched up to there, and the outcome says so."""
        forward = Forward(frames)
        stopped: InputError | None = None
        self._signals = [signal for signal in self._signals if signal.t_ns >= span.start_ns]
        try:
            for frame in span.frames(forward):
                moment = self._moment(frame)
                for message in moment.messages:
                    put(message)
                watch(moment)
        except InputError as error:
            stopped = error
        if not self._frames:
            raise stopped or InputError(f"no frames in {span}")
        for message in self._pipeline.finish(self._now_ns):
            put(message)
        return Outcome(self._frames, self._now_ns, forward.dropped, forward.first_dropped_ns or 0, stopped)

    def hear(self, signals: Iterable[Signal]) -> None:
        """Take in what other systems say while it runs; it counts from the next frame on."""
        self._signals = sorted([*self._signals, *signals], key=lambda signal: signal.t_ns)

    def _moment(self, frame: Frame) -> Moment:
        messages: list[Message] = []
        while self._signals and self._signals[0].t_ns <= frame.t_ns:
            messages += self._pipeline.signal(self._signals.pop(0))
        sight = self._looker.look(frame)
        messages += self._pipeline.update(sight)
        self._frames, self._now_ns = self._frames + 1, frame.t_ns
        return Moment(frame, sight, self._looker.last, self._pipeline.view(), tuple(messages))


def step_report(moment: Moment) -> dict[str, Any]:
    """Return a moment for people who step through a replay: what was looked at and why, seen, and made of it."""
    sight, look = moment.sight, moment.look
    return {
        "index": sight.index,
        "t_ns": sight.t_ns,
        "camera": look.camera,
        "is_sure": sight.is_sure,
        "trouble": None if sight.trouble is None else asdict(sight.trouble),
        "moving_tiles": look.moving,
        "glances": [{"box": region.box, "why": region.why} for region in look.regions],
        "read": look.read,
        "looked": None if sight.looked is None else sorted(map(str, sight.looked)),
        "things": [_thing(placed) for placed in sight.things],
        "view": moment.view,
        "messages": [{"topic": message.topic, **message.record.plain()} for message in moment.messages],
    }


def _thing(placed: Placed) -> dict[str, Any]:
    face, stack = placed.detection.face, placed.detection.stack
    record: dict[str, Any] = {"kind": placed.kind, "zone": str(placed.zone), "p": round(placed.p, 3)}
    record |= {"x": round(placed.x, 1), "y": round(placed.y, 1), "score": round(placed.detection.found.score, 3)}
    if face is not None:
        record |= {"card": str(face.card) if face.card else "??", "card_p": round(face.confidence, 3)}
    if stack is not None:
        record |= {"count": stack.count, "value_cents": stack.value_cents, "value_p": round(stack.value_p, 3)}
    if placed.covers:
        record["covers"] = {str(belief.zone): round(belief.p, 2) for belief in placed.covers}
    return record
