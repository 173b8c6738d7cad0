"""How the source is: conditions enter, alerts about the camera and lines of the coverage ledger leave.

No thread, no clock: who watches says what time it is, in stream time.
"""

from dataclasses import dataclass, replace
from typing import Final

from vision.alerts import words
from vision.alerts.alert import Alert
from vision.alerts.coverage import FRAMES_LOST, not_observed
from vision.alerts.factory import about_source
from vision.capture.video import SECOND_NS
from vision.records.coverage import Coverage
from vision.records.message import Message
from vision.records.pulse import HealthState
from vision.values.codes import Code

LOST, FROZEN, BEHIND = Code.CAMERA_LOST, Code.CAMERA_FROZEN, Code.FALLING_BEHIND
SILENT_NS: Final = 2 * SECOND_NS  # without a frame: the camera is lost
LATE_NS, IN_TIME_NS = 2 * SECOND_NS, SECOND_NS // 2  # behind the stream: too far, and not worth a word
STEADY_NS: Final = 5 * SECOND_NS  # in time for so long: it keeps up again


@dataclass(frozen=True, slots=True)
class Condition:
    """What can be seen from outside of a source and of its watcher, at a moment of the stream."""

    t_ns: int
    frame_ns: int | None = None  # the time of the last frame, None before the first
    silent_ns: int = 0  # since a frame came; 0 with a frame
    is_cut: bool = False  # the connection ended
    why: str | None = None
    frozen_ns: int | None = None  # since when the picture is frozen
    lag_ns: int = 0
    dropped: int = 0


class Health:
    """Follows the health of one table's source."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._open: dict[Code, Alert] = {}
        self._gap: tuple[int, str] | None = None  # since when nothing is observed and why, until the ledger says so
        self._dropped = 0
        self._steady_ns = 0  # since when the watcher keeps up

    @property
    def state(self) -> HealthState:
        """Return the state in a word."""
        return "lost" if LOST in self._open else "frozen" if FROZEN in self._open else "watching"

    def update(self, now: Condition) -> list[Message]:
        """Take in how it is now."""
        return [*self._lost(now), *self._frozen(now), *self._behind(now)]

    def explain(self, message: Message) -> Message:
        """Return a message as it should be written: a gap in the ledger with what is known of its reason."""
        record = message.record
        if self._gap is None or not isinstance(record, Coverage) or record.why != FRAMES_LOST:
            return message
        at_ns, why = self._gap
        if not record.start_ns <= at_ns <= record.end_ns:
            return message
        return replace(message, record=record.model_copy(update={"why": why}))

    def finish(self, now: Condition) -> list[Message]:
        """Return what the ledger lacks when the session ends while nothing can be seen."""
        if LOST not in self._open and FROZEN not in self._open:
            return []
        return [self._unseen(now.frame_ns or 0, now.t_ns)]

    def _unseen(self, start_ns: int, end_ns: int) -> Message:
        return not_observed(self._table, start_ns, end_ns, self._gap[1] if self._gap else FRAMES_LOST)

    def _lost(self, now: Condition) -> list[Message]:
        is_lost = now.is_cut or now.silent_ns >= SILENT_NS
        if is_lost and LOST not in self._open:
            self._gap = (now.t_ns, f"camera lost: {now.why or 'no frames come'}")
            since_ns = max(now.t_ns - now.silent_ns, 0)
            return self._raise(LOST, (since_ns, now.t_ns), now.why or words.camera_lost(since_ns))
        if LOST not in self._open or now.silent_ns or is_lost:  # connecting is not yet seeing
            return []
        messages = self._withdraw(LOST, now.t_ns, words.BACK)
        if now.frame_ns is None:  # the pipeline knows of no gap before its first frame
            messages.append(self._unseen(0, now.t_ns))
        return messages

    def _frozen(self, now: Condition) -> list[Message]:
        if now.frozen_ns is not None and FROZEN not in self._open:
            self._gap = (now.t_ns, "camera frozen")
            span = (now.frozen_ns, now.t_ns)
            return [*self._raise(FROZEN, span, words.camera_frozen(now.frozen_ns)), self._unseen(*span)]
        if now.frozen_ns is None and FROZEN in self._open and LOST not in self._open:
            return self._withdraw(FROZEN, now.t_ns, words.CHANGES_AGAIN)
        return []

    def _behind(self, now: Condition) -> list[Message]:
        lost, self._dropped = now.dropped - self._dropped, now.dropped
        if lost or now.lag_ns > IN_TIME_NS:
            self._steady_ns = now.t_ns
        if (lost or now.lag_ns > LATE_NS) and BEHIND not in self._open:
            span = (max(now.t_ns - now.lag_ns, 0), now.t_ns)
            return self._raise(BEHIND, span, words.falling_behind(now.lag_ns, lost))
        if BEHIND in self._open and now.t_ns - self._steady_ns >= STEADY_NS:
            return self._withdraw(BEHIND, now.t_ns, words.in_time_again(now.dropped))
        return []

    def _raise(self, code: Code, span: tuple[int, int], observed: str) -> list[Message]:
        alert = about_source(self._table, code, span, observed)
        self._open[code] = alert
        return [Message("alerts", alert.record([]))]

    def _withdraw(self, code: Code, t_ns: int, why: str) -> list[Message]:
        return [Message("alerts", self._open.pop(code).withdrawn(t_ns, why).record([]))]
