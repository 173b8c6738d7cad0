"""What pages ask of the store: rounds, alerts, clips, dispositions, sessions and coverage, as our own values."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import JSON, ColumnElement, Row, Select, Table, and_, exists, func, or_, select, type_coerce

from vision.bus.topics import Topic
from vision.records.alert import Alert
from vision.records.clip import Clip
from vision.records.coverage import Coverage
from vision.records.disposition import Disposition
from vision.records.round import Round
from vision.records.session import Session
from vision.store.log import Store
from vision.store.schema import alerts as alert_index
from vision.store.schema import clips, items, log, reviews, round_sums
from vision.store.schema import rounds as round_index

TRUE: Final = ("dealer-error", "player-error", "procedure", "confirmed", "corrected", "training")
FALSE: Final = ("no-error", "system-wrong", "camera-fault")  # findings that say that an alert was not true


@dataclass(frozen=True, slots=True)
class DispositionRow:
    """What a reviewer said of a round, and when."""

    seq: int
    wall_ns: int
    body: Disposition


@dataclass(frozen=True, slots=True)
class AlertRow:
    """An alert in its latest state; open until its round is disposed of after it, or it was withdrawn."""

    id: str
    table: str
    round: str
    code: str
    state: str
    is_open: bool
    first_seq: int  # when it was raised
    seq: int
    wall_ns: int  # of the latest state
    body: Alert


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round with its alerts; without a body while it is played, or when it was broken off."""

    row: int  # the order in which rounds began, over all tables
    id: str
    table: str
    number: int
    first_seq: int
    began_wall_ns: int
    ended_wall_ns: int | None
    seq: int | None
    verdict: str | None
    body: Round | None
    alerts: tuple[AlertRow, ...]
    disposition: DispositionRow | None  # the latest

    @property
    def is_open(self) -> bool:
        """Whether somebody should still look at it."""
        return any(alert.is_open for alert in self.alerts)

    @property
    def wrong_cents(self) -> int:
        """Return by how much its wagers were paid wrong, together."""
        wagers = [wager for seat in (self.body.seats if self.body else ()) for wager in seat.wagers.values()]
        return sum(abs((w.due_cents or 0) - (w.paid_cents or 0)) for w in wagers if w.verdict == "wrong")


@dataclass(frozen=True, slots=True)
class Precision:
    """How many reviewed alerts were true, and how many were not."""

    true: int
    false: int

    @property
    def share(self) -> float | None:
        """Return the share that was true; none where nothing was reviewed."""
        return self.true / (self.true + self.false) if self.true + self.false else None


@dataclass(frozen=True, slots=True)
class ClipRow:
    """The film and the still of an alert."""

    alert: str
    table: str
    seq: int
    body: Clip


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One run of a watcher: what it said as it began, and the numbers of what it stored."""

    table: str
    first_seq: int
    end_seq: int | None  # where the next session begins
    wall_ns: int
    body: Session


@dataclass(frozen=True, slots=True)
class Search:
    """What rounds are searched by, besides their places and verdicts."""

    text: str = ""  # in alerts and reviews
    dealer: str = ""
    least_cents: int | None = None  # paid wrong
    since_ns: int | None = None  # time of day
    until_ns: int | None = None
    order: str = "newest"  # oldest, dearest


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over rounds."""

    rounds: int
    staked_cents: int
    wrong_cents: int


def rounds(
    store: Store,
    *,
    table: str | None = None,
    verdict: str | None = None,
    code: str | None = None,
    open_only: bool = False,
    disposed_only: bool = False,
    tables: Sequence[str] | None = None,
    search: Search | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[RoundRow]:
    """Return rounds, the newest first; `before` is the `row` of the last one of the page before."""
    wanted = [] if table is None else [round_index.c.table == table]
    wanted += [] if tables is None else [round_index.c.table.in_(tables)]
    wanted += [] if verdict is None else [round_index.c.verdict == verdict]
    wanted += [] if before is None else [round_index.c.row < before]
    mine = alert_index.c.round == round_index.c.id
    if code is not None:
        wanted.append(exists().where(mine, alert_index.c.code == code, alert_index.c.state != "withdrawn"))
    if open_only:
        wanted.append(exists().where(mine, _is_open()))
    if disposed_only:
        wanted.append(exists().where(reviews.c.round == round_index.c.id))
    return _rounds(store, [*wanted, *_searched(search or Search())], limit, _order(search))


def totals(store: Store, rows: Sequence[RoundRow]) -> Totals:
    """Return the sums of rounds that are listed."""
    ids = [row.id for row in rows]
    wanted = select(func.sum(round_sums.c.staked_cents), func.sum(round_sums.c.wrong_cents))
    with store.database.reading() as connection:
        staked, wrong = connection.execute(wanted.where(round_sums.c.round.in_(ids))).one()
    return Totals(len(ids), staked or 0, wrong or 0)


def round_of(store: Store, round_id: str) -> RoundRow | None:
    """Return one round."""
    return next(iter(_rounds(store, [round_index.c.id == round_id], 1)), None)


def rounds_before(store: Store, table: str) -> int:
    """Return the highest number that a round of a table has had: the next one goes on from it."""
    with store.database.reading() as connection:
        highest = select(func.max(round_index.c.number)).where(round_index.c.table == table)
        return connection.execute(highest).scalar_one() or 0


def alerts(
    store: Store, *, table: str | None = None, round_id: str | None = None, open_only: bool = True, limit: int = 200
) -> list[AlertRow]:
    """Return alerts, those that were told last first."""
    wanted = [] if table is None else [alert_index.c.table == table]
    wanted += [] if round_id is None else [alert_index.c.round == round_id]
    wanted += [_is_open()] if open_only else []
    return _alerts(store, wanted, limit)


def alert_of(store: Store, alert_id: str) -> AlertRow | None:
    """Return one alert."""
    return next(iter(_alerts(store, [alert_index.c.id == alert_id], 1)), None)


def clip_of(store: Store, alert_id: str) -> ClipRow | None:
    """Return the clip of an alert, if it is ready."""
    with store.database.reading() as connection:
        row = connection.execute(_with_log(clips).where(clips.c.alert == alert_id)).first()
    return None if row is None else ClipRow(row.alert, row.table, row.seq, Clip.parse(row.body))


def dispositions_of(store: Store, round_id: str) -> list[DispositionRow]:
    """Return what was said of a round, the latest first."""
    return _dispositions(store, [round_id])[round_id]


def precision(store: Store, code: str) -> Precision:
    """Return how often alerts of a code were true, by what reviewers said last of each."""
    each = reviews.alias("each")
    latest = select(func.max(each.c.seq)).where(
        each.c.table == alert_index.c.table,
        each.c.round == alert_index.c.round,
        or_(each.c.alert.is_(None), each.c.alert == alert_index.c.id),
    )
    said = and_(reviews.c.table == alert_index.c.table, reviews.c.seq == latest.scalar_subquery())
    wanted = select(reviews.c.finding, func.count()).select_from(alert_index).join(reviews, said)
    wanted = wanted.where(alert_index.c.code == code).group_by(reviews.c.finding)
    with store.database.reading() as connection:
        counts = {row[0]: row[1] for row in connection.execute(wanted)}
    return Precision(sum(counts.get(name, 0) for name in TRUE), sum(counts.get(name, 0) for name in FALSE))


def sessions(store: Store, table: str, limit: int = 50) -> list[SessionRow]:
    """Return the runs of a table's watchers, the latest first."""
    with store.database.reading() as connection:
        rows = connection.execute(_began(table).order_by(log.c.seq.desc()).limit(limit)).all()
    ends = [None, *(row.seq for row in rows)]
    return [_session(row, end) for row, end in zip(rows, ends, strict=False)]


def session_at(store: Store, table: str, seq: int) -> SessionRow | None:
    """Return the session in which an entry was stored: stream time begins anew with each."""
    with store.database.reading() as connection:
        row = connection.execute(_began(table).where(log.c.seq <= seq).order_by(log.c.seq.desc()).limit(1)).first()
        after = connection.execute(_began(table).where(log.c.seq > seq).order_by(log.c.seq).limit(1)).first()
    return None if row is None else _session(row, None if after is None else after.seq)


def coverage(store: Store, session: SessionRow) -> list[Coverage]:
    """Return the ledger of a session: the spans of its stream time, in order."""
    told = _topic(session.table, Topic.COVERAGE).where(log.c.seq > session.first_seq)
    if session.end_seq is not None:
        told = told.where(log.c.seq < session.end_seq)
    with store.database.reading() as connection:
        return [Coverage.parse(row.body) for row in connection.execute(told.order_by(log.c.seq))]


# ---- How they are found


def _is_open() -> ColumnElement[bool]:
    """Tell which alerts are open: a disposition closes what was known when it was made, not what comes after."""
    return exists().where(items.c.id == alert_index.c.id)


def _with_log(index: Table) -> Select[Any]:
    where = and_(log.c.table == index.c.table, log.c.seq == index.c.seq)
    return select(*index.c, log.c.wall_ns, log.c.body).join(log, where)


def _began(table: str) -> Select[Any]:
    return _topic(table, Topic.SESSION).where(type_coerce(log.c.body, JSON)["state"].as_string() == "began")


def _rounds_with_log() -> Select[Any]:
    first, last = log.alias("first"), log.alias("last")
    return (
        select(*round_index.c, first.c.wall_ns, last.c.body, last.c.wall_ns.label("ended_wall_ns"))
        .join(first, and_(first.c.table == round_index.c.table, first.c.seq == round_index.c.first_seq))
        .outerjoin(last, and_(last.c.table == round_index.c.table, last.c.seq == round_index.c.seq))
    )


def _topic(table: str, topic: Topic) -> Select[Any]:
    return select(log).where(log.c.table == table, log.c.topic == topic)


def _searched(search: Search) -> list[ColumnElement[bool]]:
    sums = round_sums.c.round == round_index.c.id
    wanted: list[ColumnElement[bool]] = []
    if search.least_cents is not None:
        wanted.append(exists().where(sums, round_sums.c.wrong_cents >= search.least_cents))
    if search.since_ns is not None:
        wanted.append(exists().where(sums, round_sums.c.wall_ns >= search.since_ns))
    if search.until_ns is not None:
        wanted.append(exists().where(sums, round_sums.c.wall_ns < search.until_ns))
    if search.dealer:
        wanted.append(exists().where(reviews.c.round == round_index.c.id, reviews.c.dealer == search.dealer))
    if search.text:
        told = [_holds(index, search.text) for index in (alert_index, reviews)]
        wanted.append(or_(round_index.c.id == search.text, *told))
    return wanted


def _holds(index: Table, text: str) -> ColumnElement[bool]:
    is_at = and_(log.c.table == index.c.table, log.c.seq == index.c.seq)
    return exists().where(index.c.round == round_index.c.id, is_at, log.c.body.icontains(text, autoescape=True))


def _order(search: Search | None) -> list[ColumnElement[Any]]:
    newest = round_index.c.row.desc()
    if search is None or search.order == "newest":
        return [newest]
    if search.order == "oldest":
        return [round_index.c.row.asc()]
    wrong = select(round_sums.c.wrong_cents).where(round_sums.c.round == round_index.c.id).scalar_subquery()
    return [func.coalesce(wrong, 0).desc(), newest]


def _rounds(
    store: Store,
    wanted: Sequence[ColumnElement[bool]],
    limit: int,
    order: Sequence[ColumnElement[Any]] = (round_index.c.row.desc(),),
) -> list[RoundRow]:
    found = _rounds_with_log().where(*wanted).order_by(*order).limit(limit)
    with store.database.reading() as connection:
        rows = connection.execute(found).all()
    ids = [row.id for row in rows]
    raised = defaultdict(list)
    for alert in reversed(_alerts(store, [alert_index.c.round.in_(ids)], None)):
        raised[alert.round].append(alert)
    said = _dispositions(store, ids)
    return [_round(row, raised[row.id], said[row.id]) for row in rows]


def _alerts(store: Store, wanted: Sequence[ColumnElement[bool]], limit: int | None) -> list[AlertRow]:
    found = _with_log(alert_index).add_columns(_is_open().label("is_open")).where(*wanted)
    with store.database.reading() as connection:
        rows = connection.execute(found.order_by(log.c.wall_ns.desc(), log.c.seq.desc()).limit(limit)).all()
    return [_alert(row) for row in rows]


def _dispositions(store: Store, ids: Iterable[str]) -> dict[str, list[DispositionRow]]:
    found = (
        _with_log(reviews).where(reviews.c.round.in_(list(ids))).order_by(log.c.wall_ns.desc(), reviews.c.seq.desc())
    )
    said = defaultdict(list)
    with store.database.reading() as connection:
        for row in connection.execute(found):
            said[row.round].append(DispositionRow(row.seq, row.wall_ns, Disposition.parse(row.body)))
    return said


def _round(row: Row[Any], raised: Sequence[AlertRow], said: Sequence[DispositionRow]) -> RoundRow:
    return RoundRow(
        row=row.row,
        id=row.id,
        table=row.table,
        number=row.number,
        first_seq=row.first_seq,
        began_wall_ns=row.wall_ns,
        ended_wall_ns=row.ended_wall_ns,
        seq=row.seq,
        verdict=row.verdict,
        body=None if row.body is None else Round.parse(row.body),
        alerts=tuple(raised),
        disposition=said[0] if said else None,
    )


def _alert(row: Row[Any]) -> AlertRow:
    return AlertRow(
        id=row.id,
        table=row.table,
        round=row.round,
        code=row.code,
        state=row.state,
        is_open=bool(row.is_open),
        first_seq=row.first_seq,
        seq=row.seq,
        wall_ns=row.wall_ns,
        body=Alert.parse(row.body),
    )


def _session(row: Row[Any], end_seq: int | None) -> SessionRow:
    return SessionRow(row.table, row.seq, end_seq, row.wall_ns, Session.parse(row.body))
