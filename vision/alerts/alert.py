"""An alert: one value, its severity by its code, and how it is amended or withdrawn; never edited."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.alerts.codes import severity_of
from vision.records.alert import Alert as AlertRecord
from vision.records.alert import Evidence, InnocentStory, State
from vision.values.codes import Code


@dataclass(frozen=True)
class Alert:
    """What is wrong, where, by which rule, and the time that proves it."""

    round_id: str
    table: str
    code: Code
    t_ns: int
    span: tuple[int, int]
    observed: str
    seat: int | None = None
    wager: str | None = None
    expected: str | None = None
    confidence: float = 0.9
    remedy: str | None = None
    cite: str | None = None
    innocent: InnocentStory | None = None  # the best story in which nothing is wrong
    state: State = "raised"
    nth: int = 1  # of its code at its place in its round, where each is raised by itself

    @property
    def id(self) -> str:
        """Return the name under which it is amended or withdrawn."""
        where = f"{self.seat or 'table'}-{self.wager or 'all'}"
        return f"{self.round_id}-{self.code}-{where}" + (f"-{self.nth}" if self.nth > 1 else "")

    def amended(self, t_ns: int, observed: str) -> "Alert":
        """Return the alert with what became known later."""
        return replace(self, t_ns=t_ns, observed=observed, state="amended")

    def withdrawn(self, t_ns: int, why: str) -> "Alert":
        """Return the alert as it is taken back."""
        return replace(self, t_ns=t_ns, observed=why, state="withdrawn")

    def record(self, frames: Sequence[int]) -> AlertRecord:
        """Return the alert as files write it."""
        return AlertRecord(
            id=self.id,
            round=self.round_id,
            table=self.table,
            code=self.code,
            severity=severity_of(self.code),
            state=self.state,
            t_ns=self.t_ns,
            seat=self.seat,
            wager=self.wager,
            expected=self.expected,
            observed=self.observed,
            confidence=round(self.confidence, 3),
            innocent=self.innocent,
            remedy=self.remedy,
            cite=self.cite,
            evidence=Evidence(start_ns=self.span[0], end_ns=self.span[1], frames=tuple(frames)),
        )
