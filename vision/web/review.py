"""All that a reviewer sees of one round, put together: the store enters, a value that a page can show leaves."""

from dataclasses import dataclass
from typing import Final

from vision.records.clip import Clip
from vision.records.round import Round, Wager
from vision.store import reading
from vision.store.index import idle
from vision.store.reading import AlertRow, DispositionRow, RoundRow
from vision.web import cursor, words
from vision.web.clips import clip_file, frame_times_ms
from vision.web.drawing import Drawing, draw
from vision.web.pages import Room

MS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Film:
    """The film of an alert, and the stream time that it shows."""

    alert: str
    start_ns: int
    end_ns: int
    frames_ms: list[float]
    has_still: bool

    def at(self, t_ns: int) -> float | None:
        """Return the second of the film that shows a moment, if it does."""
        return round((t_ns - self.start_ns) / 1e9, 3) if self.start_ns <= t_ns <= self.end_ns else None

    def share(self, t_ns: int) -> float:
        """Return where in the film a moment is, in parts of a thousand."""
        inside = min(max(t_ns, self.start_ns), self.end_ns) - self.start_ns
        return round(1000 * inside / max(self.end_ns - self.start_ns, 1), 1)

    @property
    def fps(self) -> float:
        """Return how many frames it has in a second."""
        last = self.frames_ms[-1] if self.frames_ms else 0.0
        return round(1000 * (len(self.frames_ms) - 1) / last, 2) if last else 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """One wager of one seat, with its verdict."""

    seat: int
    decision: str
    is_first: bool  # of its seat
    count: int  # of its seat
    name: str
    record: Wager


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A round and all that belongs to it; `row` is none for what belongs to no round."""

    id: str
    table: str
    row: RoundRow | None
    alerts: tuple[AlertRow, ...]
    clips: frozenset[str]  # the alerts that have a film
    clip: Film | None
    drawing: Drawing | None
    lines: tuple[Line, ...]
    said: tuple[DispositionRow, ...]
    before: str | None
    after: str | None
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
        return any(alert.is_open for alert in self.alerts)

    @property
    def t_ns(self) -> int:
        """Return the stream time at which it ended, as far as is known."""
        if self.record is not None:
            return self.record.ended_ns
        return max((alert.body.t_ns for alert in self.alerts), default=0)

    @property
    def wrong(self) -> int:
        """Return how many wagers are not right."""
        return sum(line.record.verdict == "wrong" for line in self.lines)


def reviewed(room: Room, round_id: str, alert_id: str) -> Reviewed | None:
    """Put together what is known of a round; the film is that of the alert asked for, or else of the first."""
    told = cursor.text(cursor.present(room.store))
    row = reading.round_of(room.store, round_id)
    alerts = row.alerts if row is not None else _of_no_round(room, round_id)
    if row is None and not alerts:
        return None
    clips = {alert.id: clip for alert in alerts if (clip := _clip(room, alert)) is not None}
    shown = clips.get(alert_id) or next(iter(clips.values()), None)
    record = row.body if row is not None else None
    return Reviewed(
        id=round_id,
        table=row.table if row is not None else alerts[0].table,
        row=row,
        alerts=alerts,
        clips=frozenset(clips),
        clip=None if shown is None else _film(room, shown),
        drawing=None if record is None else draw(record),
        lines=() if record is None else tuple(_lines(record)),
        said=tuple(reading.dispositions_of(room.store, round_id)),
        before=_neighbour(room, row, -1),
        after=_neighbour(room, row, 1),
        told=told,
    )


def _of_no_round(room: Room, round_id: str) -> tuple[AlertRow, ...]:
    return tuple(reversed(reading.alerts(room.store, round_id=round_id, open_only=False)))


def _clip(room: Room, alert: AlertRow) -> Clip | None:
    """Return the clip of an alert if its film is there."""
    clip = reading.clip_of(room.store, alert.id)
    return clip.body if clip is not None and clip_file(room.home.clips, clip.body, "film") else None


def _film(room: Room, clip: Clip) -> Film | None:
    path = clip_file(room.home.clips, clip, "film")
    if path is None:
        return None
    has_still = clip_file(room.home.clips, clip, "still") is not None
    return Film(clip.alert, clip.start_ns, clip.end_ns, frame_times_ms(path), has_still)


def _lines(record: Round) -> list[Line]:
    return [
        Line(seat.seat, seat.decision, i == 0, len(seat.wagers), words.wager_name(name), wager)
        for seat in record.seats
        for i, (name, wager) in enumerate(seat.wagers.items())
    ]


def _neighbour(room: Room, row: RoundRow | None, step: int) -> str | None:
    """Return the round before or after one, if there is one."""
    if row is None:
        return None
    other = f"{row.table}-{row.number + step:04d}"
    return other if reading.round_of(room.store, other) is not None else None
