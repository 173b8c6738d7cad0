"""Alerts against faults: what a run raised and what was amiss enter, hits, misses and false alerts leave.

An alert hits a fault of its code in its round, at its seat and wager where both name one. An alert that hits none is
still no false one where the truth explains it: the rule book objects as well, or the wager really was settled wrong.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from vision.alerts.codes import MISPAID, SYSTEM
from vision.records.alert import Alert
from vision.score.matching import Pair
from vision.score.records import Mishap, TrueRound
from vision.score.visible import visible_ns
from vision.values.codes import Code

SLACK_NS: Final = 5_000_000_000  # how long after a mishap of the camera it may still be raised
PAYMENT: Final = frozenset((*MISPAID, Code.VOID_NOT_HONOURED, Code.PROGRESSIVE_COUNT))


class AlertOutcome(StrEnum):
    """What became of an alert, or of a fault."""

    HIT = "hit"
    MISSED = "missed"
    FALSE = "false"
    EXPLAINED = "explained"  # no fault was injected, but it is true
    WITHDRAWN = "withdrawn"  # counts as not raised


@dataclass(frozen=True, slots=True)
class Target:
    """What should be alerted: a fault of a true round, or a mishap, which has none."""

    code: str
    t_ns: int  # when it could first be seen
    until_ns: int  # an alert after it comes too late: the next round's first card, or the end of the mishap
    seat: int | None = None
    wager: str | None = None
    true: TrueRound | None = None
    name: str | None = None  # which variant of the fault


@dataclass(frozen=True, slots=True)
class AlertMark:
    """One alert, one fault, or both where they belong together; `true` is the round where there is one."""

    outcome: AlertOutcome
    code: str
    alert: Alert | None = None
    target: Target | None = None
    true: TrueRound | None = None

    @property
    def delay_ns(self) -> int | None:
        """Return the time from visible to alert."""
        return self.alert.t_ns - self.target.t_ns if self.alert and self.target else None

    @property
    def is_late(self) -> bool:
        """Return whether it came when the floor could no longer correct the error."""
        return self.alert is not None and self.target is not None and self.alert.t_ns > self.target.until_ns


def judge_alerts(pairs: Sequence[Pair], mishaps: Sequence[Mishap], alerts: Sequence[Alert]) -> list[AlertMark]:
    """Return the outcome of every alert and every fault of a clip."""
    rounds = _Rounds(pairs)
    targets = [*_faults(rounds.true), *(Target(m.code, m.start_ns, m.end_ns + SLACK_NS) for m in mishaps)]
    raised = [alert for alert in alerts if alert.state != "withdrawn"]
    homes = {alert.id: rounds.of(alert) for alert in alerts}
    hits = _assign(raised, targets, homes)
    taken = set(hits.values())
    marks = [
        AlertMark(AlertOutcome.HIT, raised[i].code, raised[i], targets[j], targets[j].true) for i, j in hits.items()
    ]
    marks += [AlertMark(AlertOutcome.MISSED, t.code, None, t, t.true) for j, t in enumerate(targets) if j not in taken]
    excuses = _Excuses(rounds.true, mishaps)
    for alert in (alert for i, alert in enumerate(raised) if i not in hits):
        outcome = AlertOutcome.EXPLAINED if excuses.explain(alert, homes[alert.id]) else AlertOutcome.FALSE
        marks.append(AlertMark(outcome, alert.code, alert, None, homes[alert.id]))
    gone = [alert for alert in alerts if alert.state == "withdrawn"]
    return marks + [AlertMark(AlertOutcome.WITHDRAWN, alert.code, alert, None, homes[alert.id]) for alert in gone]


class _Rounds:
    """Knows to which true round an alert belongs."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.true = [pair.true for pair in pairs if pair.true]
        self._by_id = {pair.read.id: pair.true for pair in pairs if pair.read and pair.true}

    def of(self, alert: Alert) -> TrueRound | None:
        """Return the true round of the alert's round; where that has none, the one that was played at its time."""
        if alert.round in self._by_id:
            return self._by_id[alert.round]
        begun = [each for each in self.true if each.started_ns <= alert.t_ns]
        return begun[-1] if begun else None


def _faults(true: Sequence[TrueRound]) -> Iterator[Target]:
    """Yield the faults of all rounds, each with its deadline."""
    for this, following in pairwise([*true, None]):
        if this is None:
            continue
        dealt = [event.t_ns for event in following.events if event.kind == "dealt"] if following else []
        until_ns = min(dealt, default=following.started_ns if following else this.ended_ns + SLACK_NS)
        for fault in this.faults:
            seen_ns = visible_ns(fault, this)
            yield Target(fault.code, seen_ns, max(until_ns, seen_ns), fault.seat, fault.wager, this, fault.name)


def _assign(
    alerts: Sequence[Alert], targets: Sequence[Target], homes: Mapping[str, TrueRound | None]
) -> dict[int, int]:
    """Give each alert at most one fault: those that agree in most first, then those nearest in time."""
    by_code: dict[tuple[str, str | None], list[int]] = {}  # with the round; mishaps have none
    for j, target in enumerate(targets):
        by_code.setdefault((target.code, target.true.id if target.true else None), []).append(j)
    choices = []
    for i, alert in enumerate(alerts):
        home = homes[alert.id]
        here = by_code.get((alert.code, home.id), []) if home else []
        fitting = [j for j in (*here, *by_code.get((alert.code, None), [])) if _fits(alert, targets[j])]
        choices += [(-_agreeing(alert, targets[j]), abs(alert.t_ns - targets[j].t_ns), i, j) for j in fitting]
    hits: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, i, j in sorted(choices):
        if i not in hits and j not in taken:
            hits[i] = j
            taken.add(j)
    return hits


def _fits(alert: Alert, target: Target) -> bool:
    """Return whether an alert may mean a fault of its code and round, or a mishap of its code."""
    if target.true is None:
        return target.t_ns <= alert.t_ns <= target.until_ns
    both = ((alert.seat, target.seat), (alert.wager, target.wager))
    return all(a is None or b is None or a == b for a, b in both)


def _agreeing(alert: Alert, target: Target) -> int:
    return (alert.seat == target.seat) + (alert.wager == target.wager)


class _Excuses:
    """Knows what is true besides the injected faults; each objection of the rule book excuses one alert."""

    def __init__(self, true: Sequence[TrueRound], mishaps: Sequence[Mishap]) -> None:
        self._mishaps = mishaps
        self._left = {
            each.id: Counter(ruling.code for ruling in each.rulings) - Counter(fault.code for fault in each.faults)
            for each in true
        }

    def explain(self, alert: Alert, home: TrueRound | None) -> bool:
        """Return whether an alert that hit nothing is true all the same."""
        if alert.code in SYSTEM:
            others = [mishap for mishap in self._mishaps if mishap.code != alert.code]
            return any(mishap.start_ns <= alert.t_ns <= mishap.end_ns + SLACK_NS for mishap in others)
        if home is None:
            return False
        if self._left[home.id][alert.code] > 0:
            self._left[home.id][alert.code] -= 1
            return True
        return alert.code in PAYMENT and _is_settled_wrong(alert, home)


def _is_settled_wrong(alert: Alert, home: TrueRound) -> bool:
    """Return whether the wager was settled wrong by another cause than an injected error in paying it."""
    spot = (alert.seat, alert.wager)
    if any((fault.seat, fault.wager) == spot and fault.code in PAYMENT for fault in home.faults):
        return False
    stakes = {(seat.seat, name): wager for seat in home.seats for name, wager in seat.wagers.items()}
    return any(spot == other and wager.verdict == "wrong" for other, wager in stakes.items())
