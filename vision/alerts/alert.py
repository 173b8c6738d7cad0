"""An alert: one value, its severity by its code, and how it is amended or withdrawn; never edited."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from vision.records.alert import Alert as AlertRecord
from vision.records.alert import Evidence, Severity, State

MISPAID: Final = (
    "underpaid",
    "overpaid",
    "loser-paid",
    "loser-not-collected",
    "winner-collected",
    "winner-not-paid",
)
GAME: Final = (
    "dealer-card-exposed",
    "wrong-card-count",
    "card-faced-in-deck",
    "duplicate-card",
    "late-wager",
    "wager-withdrawn",
    "play-out-of-range",
    "wager-not-allowed",
    *MISPAID,
    "void-not-honoured",
    "progressive-count",
)
PROCEDURE: Final = (
    "deal-order",
    "settle-order",
    "cards-cleared-early",
    "card-touched",
    "stub-count-due",
    "stub-count-wrong",
    "deck-change-due",
    "wrong-deck",
)
SYSTEM: Final = (
    "camera-lost",
    "camera-frozen",
    "view-blocked",
    "camera-moved",
    "picture-degraded",
    "falling-behind",
)


def severity_of(code: str) -> Severity:
    """Return how grave a code is: money or the game's integrity now, procedure, or the system's own state."""
    if code in GAME:
        return "critical"
    return "warning" if code in PROCEDURE else "info"


@dataclass(frozen=True)
class Alert:
    """What is wrong, where, by which rule, and the time that proves it."""

    round_id: str
    table: str
    code: str
    t_ns: int
    span: tuple[int, int]
    observed: str
    seat: int | None = None
    wager: str | None = None
    expected: str | None = None
    confidence: float = 0.9
    remedy: str | None = None
    cite: str | None = None
    state: State = "raised"
    nth: int = 1  # of its code at its place in its round, where each is told by itself

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
            remedy=self.remedy,
            cite=self.cite,
            evidence=Evidence(start_ns=self.span[0], end_ns=self.span[1], frames=tuple(frames)),
        )
