"""The tiles of the wall: what the store and the feed know of each table enters; how it looks in a glance leaves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.records.picture import Picture
from vision.records.pulse import Pulse
from vision.store.tables import TableRow
from vision.store.work import Item
from vision.web import words
from vision.web.feed import Feed

OPEN, WAITING, CLOSED, FAILED = "open", "waiting", "closed", "failed"  # how a table stands
BROKEN: Final = {"lost": "Camera lost", "frozen": "Picture frozen"}  # states of a pulse
LATE_MS: Final = 2000.0
PLAIN_RANK: Final = 9  # of a tile on which nothing is open


@dataclass(frozen=True, slots=True)
class Tile:
    """One table in a glance."""

    table: str
    pit: str
    state: str
    says: str  # why it is not open, or what is played
    is_late: bool  # the watcher falls behind
    verdict: str | None  # of the last round that has ended
    round: str | None
    alerts: int  # that are open, those about the system aside
    is_new: bool  # one of them was not acknowledged
    rank: int  # of the gravest
    title: str  # of the gravest

    @property
    def severity(self) -> str:
        """Return how grave the gravest alert is; empty where nothing is open."""
        return words.SEVERITIES[self.rank] if self.rank < len(words.SEVERITIES) else ""

    @property
    def order(self) -> tuple[int, int, str]:
        """Return where it stands among others: the worst first."""
        place = {FAILED: 1, WAITING: 4, OPEN: 5, CLOSED: 6}[self.state]
        graver = min(place, 2 * self.rank) if self.alerts else place
        return graver, 0 if self.is_new else 1, self.table


def tile(row: TableRow, pit: str, items: Sequence[Item], feed: Feed) -> Tile:
    """Return the tile of a table; `items`: what is open there, the gravest first."""
    state, says = standing(row, feed)
    pulse = feed.pulse(row.table)
    told = [item for item in items if item.alert is not None and not item.is_system]
    return Tile(
        table=row.table,
        pit=pit,
        state=state,
        says=says,
        is_late=state == OPEN and pulse is not None and Pulse.of(pulse.body).lag_ms > LATE_MS,
        verdict=row.last_verdict,
        round=row.last_round,
        alerts=len({item.round for item in told}),
        is_new=any(item.taken is None for item in told),
        rank=told[0].rank if told else PLAIN_RANK,
        title=words.title(told[0].alert.code) if told and told[0].alert else "",
    )


def standing(row: TableRow, feed: Feed) -> tuple[str, str]:
    """Tell how a table stands, and say so: one that was closed in good order is not one whose camera failed."""
    session, pulse = row.session, feed.pulse(row.table)
    if session is None or session.state == "ended":
        why = session.why if session is not None else None
        since = f" at {words.time_of_day(row.session_wall_ns)}" if row.session_wall_ns else ""
        return (FAILED, f"Stopped{since}: {why}") if why else (CLOSED, f"Not watched: ended{since}")
    if pulse is None and feed.has_just_begun:
        return WAITING, "Waiting for the watcher"
    if pulse is None or feed.is_stale(pulse):
        age_ns = feed.age_ns(pulse)
        return FAILED, "No signal" if age_ns is None else f"No signal for {words.span(age_ns)}"
    state = Pulse.of(pulse.body).state
    if state in BROKEN:
        return FAILED, BROKEN[state]
    if state == "waiting":
        return WAITING, "Waiting for the camera"
    if row.coverage is not None and row.coverage.state == "closed":
        return CLOSED, "Closed"
    return OPEN, _phase(feed, row.table)


def _phase(feed: Feed, table: str) -> str:
    picture = feed.picture(table)
    phase = None if picture is None else Picture.of(picture.body).view.get("phase")
    return words.phase(phase)
