"""All that a reviewer sees of one round, put together: the store enters, a value that a page can show leaves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.records.correction import Correction
from vision.records.round import Round
from vision.store import reading, work
from vision.store.index import idle
from vision.store.reading import AlertRow, DispositionRow, RoundRow
from vision.web import cursor, findings
from vision.web.arithmetic import Sum, sums
from vision.web.correcting import Part, parts
from vision.web.drawing import Drawing, draw
from vision.web.film import Film, clip_film, round_film
from vision.web.findings import Choice
from vision.web.pages import Room

LEAD_NS: Final = 1_000_000_000  # shown before the decisive moment, and after it
WHOLE: Final = "round"  # asks for the film of the whole round
VOID_CODE: Final = "void-not-honoured"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A round and all that belongs to it; `row` is none for what belongs to no round."""

    id: str
    table: str
    pit: str
    row: RoundRow | None
    alerts: tuple[AlertRow, ...]
    shown: AlertRow | None  # the alert that is looked at
    clips: frozenset[str]  # the alerts that have a film
    film: Film | None
    is_whole: bool  # the film is that of the whole round
    drawing: Drawing | None
    sums: tuple[Sum, ...]
    said: tuple[DispositionRow, ...]
    choices: tuple[Choice, ...]
    corrections: tuple[Correction, ...]
    parts: tuple[Part, ...]  # that can be set right
    before: str | None
    after: str | None
    next_card_ns: int | None  # when the hand after it began
    told: str  # up to where the logs were when all this was read

    @property
    def record(self) -> Round | None:
        """Return the round's own record, once it has ended."""
        return None if self.row is None else self.row.body

    @property
    def is_idle(self) -> bool:
        """Whether it is what happened between rounds."""
        return self.id == idle(self.table)

    @property
    def is_open(self) -> bool:
        """Whether somebody should still look at it."""
        return any(alert.is_open for alert in self.alerts) or self.is_unverified

    @property
    def is_unverified(self) -> bool:
        """Whether nobody has looked at a round that could not be verified."""
        return self.row is not None and self.row.verdict == "unverifiable" and not self.said

    @property
    def needs_second(self) -> bool:
        """Whether a second person must look: a void, or one that was not honoured."""
        is_void = self.row is not None and self.row.verdict == "void"
        is_void |= any(alert.code == VOID_CODE and alert.state != "withdrawn" for alert in self.alerts)
        return is_void and bool(self.said) and len({said.body.by for said in self.said}) == 1

    @property
    def sum(self) -> Sum | None:
        """Return the wager that the alert is about."""
        if self.shown is None:
            return next((each for each in self.sums if each.record.verdict == "unverifiable"), None)
        body = self.shown.body
        return next((each for each in self.sums if (each.seat, each.wager) == (body.seat, body.wager)), None)

    @property
    def t_ns(self) -> int:
        """Return the stream time at which it ended, as far as is known."""
        if self.record is not None:
            return self.record.ended_ns
        return max((alert.body.t_ns for alert in self.alerts), default=0)

    @property
    def loop(self) -> tuple[float, float] | None:
        """Return the seconds of the film between which the evidence lies, with a second on both sides."""
        if self.film is None or self.shown is None or self.is_whole:
            return None
        proof = self.shown.body.evidence
        begin_ns = max(proof.start_ns - LEAD_NS, self.film.start_ns)
        end_ns = min(max(proof.end_ns, self.shown.body.t_ns) + LEAD_NS, self.film.end_ns)
        start_s, end_s = self.film.at(begin_ns), self.film.at(end_ns)
        return None if start_s is None or end_s is None or start_s >= end_s else (start_s, end_s)

    @property
    def set_right(self) -> list[tuple[Part, Correction]]:
        """Return what was set right, each with the part that it is about."""
        known = {part.name: part for part in self.parts}
        return [(known[each.part], each) for each in self.corrections if each.part in known]

    def wall_ns(self, t_ns: int) -> int | None:
        """Return the time of day of a moment of the stream."""
        anchor = self.anchor
        return None if anchor is None else anchor[1] - (anchor[0] - t_ns)

    @property
    def anchor(self) -> tuple[int, int] | None:
        """Return a moment of the stream with the time of day at which it was stored."""
        if self.alerts:
            return self.alerts[0].body.t_ns, self.alerts[0].wall_ns
        return None if self.row is None or self.record is None else (self.record.ended_ns, self.row.ended_wall_ns or 0)


def reviewed(room: Room, round_id: str, alert_id: str, film: str = "") -> Reviewed | None:
    """Put together what is known of a round; the film is that of the alert asked for, or else of the first."""
    told = cursor.text(cursor.present(room.store))
    row = reading.round_of(room.store, round_id)
    alerts = row.alerts if row is not None else _of_no_round(room, round_id)
    if row is None and not alerts:
        return None
    table = row.table if row is not None else alerts[0].table
    shown = _shown(alerts, alert_id)
    clips = frozenset(alert.id for alert in alerts if reading.clip_of(room.store, alert.id) is not None)
    found = None if film == WHOLE else _clip(room, shown)
    whole = round_film(room.store, room.home, row) if found is None and row is not None else None
    record = row.body if row is not None else None
    return Reviewed(
        id=round_id,
        table=table,
        pit=work.pit_of_tables(room.store).get(table, ""),
        row=row,
        alerts=alerts,
        shown=shown,
        clips=clips,
        film=found or whole,
        is_whole=found is None and whole is not None,
        drawing=None if record is None else draw(record),
        sums=() if record is None else tuple(sums(record)),
        said=tuple(reading.dispositions_of(room.store, round_id)),
        choices=tuple(findings.fitting([alert.code for alert in alerts if alert.state != "withdrawn"])),
        corrections=tuple(work.corrections_of(room.store, round_id)),
        parts=() if record is None else tuple(parts(record)),
        before=_neighbour(room, row, -1),
        after=_neighbour(room, row, 1),
        next_card_ns=None if row is None else work.corrected_until(room.store, row.table, row.number),
        told=told,
    )


def _shown(alerts: Sequence[AlertRow], alert_id: str) -> AlertRow | None:
    """Return the alert that is asked for, else the gravest that is open, else the first."""
    asked = next((alert for alert in alerts if alert.id == alert_id), None)
    ranked = sorted(alerts, key=lambda alert: (not alert.is_open, alert.state == "withdrawn", alert.body.severity))
    return asked or next(iter(ranked), None)


def _of_no_round(room: Room, round_id: str) -> tuple[AlertRow, ...]:
    return tuple(reversed(reading.alerts(room.store, round_id=round_id, open_only=False)))


def _clip(room: Room, alert: AlertRow | None) -> Film | None:
    clip = None if alert is None else reading.clip_of(room.store, alert.id)
    return None if clip is None else clip_film(room.home, clip.body)


def _neighbour(room: Room, row: RoundRow | None, step: int) -> str | None:
    """Return the round before or after one, if there is one."""
    if row is None:
        return None
    other = f"{row.table}-{row.number + step:04d}"
    return other if reading.round_of(room.store, other) is not None else None
