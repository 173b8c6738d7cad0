"""Every alert is made here: rulings, verdicts, outages and the state of the source enter, alerts leave."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from vision.alerts import words
from vision.alerts.alert import Alert
from vision.alerts.outage import Outage
from vision.story.playing import Happening
from vision.story.verdict import Verdict
from vision.values.codes import Code

MOST_SURE: Final = 0.99  # of any verdict on money: chips are read too
Span = tuple[int, int]  # the time that proves it


class AlertFactory:
    """Makes the alerts of one table; `wager_names`: what its game calls the wagers."""

    def __init__(self, table: str, wager_names: Mapping[str, str]) -> None:
        self._table, self._wager_names = table, wager_names
        self._outage: Alert | None = None
        self._outages: Counter[Code] = Counter()

    def from_ruling(self, round_id: str, now_ns: int, happening: Happening) -> Alert:
        """Return the alert about something that the rules do not allow."""
        ruling = happening.ruling
        return Alert(
            round_id=round_id,
            table=self._table,
            code=Code(str(ruling.code)),
            t_ns=now_ns,
            span=happening.span or (happening.t_ns, now_ns),
            observed=words.ruling_words(ruling, self._wager_names),
            seat=ruling.seat,
            wager=ruling.wager,
            confidence=happening.confidence,
            remedy=ruling.remedy,
            cite=ruling.cite,
        )

    def from_verdict(self, round_id: str, span: Span, spot: tuple[int, str], verdict: Verdict) -> Alert:
        """Return the alert about a wager that was settled wrong."""
        return Alert(
            round_id=round_id,
            table=self._table,
            code=Code(str(verdict.code)),
            t_ns=span[1],
            span=span,
            observed=words.finding_words(verdict.why) or "",
            seat=spot[0],
            wager=spot[1],
            expected=words.due_words(verdict),
            confidence=round(min(verdict.chance, MOST_SURE), 3),
            cite=verdict.cite,
        )

    def from_outage(self, round_id: str, outage: Outage) -> Alert:
        """Return the alert about an outage as it is now: raised when it is sure, amended when it is over."""
        span = (outage.start_ns, outage.end_ns)
        if not outage.is_over or self._outage is None:
            self._outages[outage.code] += 1
            nth = self._outages[outage.code]
            self._outage = Alert(round_id, self._table, outage.code, span[1], span, outage.what, nth=nth)
        else:
            self._outage = replace(self._outage.amended(span[1], words.outage_over(outage)), span=span)
        return self._outage

    def camera_moved(self, round_id: str, t_ns: int, moved_px: float) -> Alert:
        """Return the alert about a camera that was bumped."""
        return Alert(round_id, self._table, Code.CAMERA_MOVED, t_ns, (t_ns, t_ns), words.camera_moved(moved_px))


def about_source(table: str, code: Code, span: Span, observed: str) -> Alert:
    """Return the alert about the source of a table's pictures, or about the watcher that falls behind it."""
    return Alert(f"{table}-idle", table, code, span[1], span, observed, confidence=1.0)
