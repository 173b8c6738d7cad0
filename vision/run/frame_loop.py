"""The loop that live watching and replay share: frames enter, records leave, the same bytes every time.

What a recording lacks (frames that go back in time, an end that is missing) is entered in the coverage ledger.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from vision.alerts.coverage import not_observed
from vision.capture.video import SECOND_NS, Frame
from vision.pipeline import Moment, Pipeline
from vision.records.message import Message
from vision.records.signal import Signal
from vision.values.errors import InputError

SHORT_NS: Final = SECOND_NS  # a file that ends earlier than it says by more than this is cut off


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
    """How a run went, live or replayed."""

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
    """One run over frames, live or recorded."""

    def __init__(self, pipeline: Pipeline, signals: Sequence[Signal] = ()) -> None:
        self._pipeline = pipeline
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
        moment = self._pipeline.update(frame)
        self._frames, self._now_ns = self._frames + 1, frame.t_ns
        return replace(moment, messages=(*messages, *moment.messages))
