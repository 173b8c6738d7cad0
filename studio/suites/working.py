"""What the suites share: a folder to themselves, and a clip shown to a judge, whatever comes of it."""

import fcntl
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from vision.alerts.judge import Judge
from vision.alerts.story_teller import StoryTeller
from vision.observe.frame_observation import FrameObservation
from vision.records.fact import Fact
from vision.records.message import Message
from vision.records.signal import Signal
from vision.values.errors import InputError


@contextmanager
def alone(out: Path, step: str) -> Iterator[None]:
    """Keep others from the same step in the same folder; the system lets go if the process dies."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / f"{step}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError(f"{out}: another `feltwatch suite` is at the step '{step}' here") from error
        yield


@dataclass(frozen=True)
class JudgedClip:
    """What a judge said of a clip, and how it failed where it did."""

    messages: tuple[Message, ...]
    crashed: str | None = None

    def records(self, topic: str) -> list[dict[str, object]]:
        """Return the records of one file."""
        return [message.record.plain() for message in self.messages if message.topic == topic]


def retold(teller: StoryTeller, facts: Iterable[Fact]) -> JudgedClip:
    """Show a story teller the facts of a clip; a failure of it is a result like another."""
    messages: list[Message] = []
    try:
        for fact in facts:
            messages += teller.update(fact)
    except Exception:  # noqa: BLE001 - thousands of rounds must not end with the first that fails
        return JudgedClip(tuple(messages), traceback.format_exc(limit=-4))
    return JudgedClip(tuple(messages))


def follow(judge: Judge, observations: Iterable[FrameObservation], signals: Sequence[Signal] = ()) -> JudgedClip:
    """Show a judge a clip; a failure of it is a result like another, and counts as rounds missed."""
    messages: list[Message] = []
    t_ns, waiting = 0, sorted(signals, key=lambda signal: signal.t_ns)
    try:
        for observation in observations:
            while waiting and waiting[0].t_ns <= observation.t_ns:
                messages += judge.signal(waiting.pop(0))
            messages += judge.update(observation)
            t_ns = observation.t_ns
        messages += judge.finish(t_ns)
    except Exception:  # noqa: BLE001 - thousands of rounds must not end with the first that fails
        return JudgedClip(tuple(messages), traceback.format_exc(limit=-4))
    return JudgedClip(tuple(messages))
