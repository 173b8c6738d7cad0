"""What supervisors ask of the store: a shift's hands and alerts, how fast they were looked at, how true they were."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import and_, func, or_, select

from vision.alerts.codes import SYSTEM
from vision.bus.topics import Topic
from vision.records.coverage import Coverage
from vision.store.log import Store
from vision.store.reading import FALSE, TRUE
from vision.store.schema import acknowledgements, alerts, log, reviews, round_sums, rounds

SECOND_NS = 1_000_000_000
Span = tuple[int, int]  # of the time of day


@dataclass(frozen=True, slots=True)
class Line:
    """How alerts of a kind, of a table or of a dealer turned out."""

    name: str
    alerts: int
    true: int
    false: int

    @property
    def false_share(self) -> float | None:
        """Return the share of the reviewed ones that were false; none where nothing was reviewed."""
        return self.false / (self.true + self.false) if self.true + self.false else None


@dataclass(frozen=True, slots=True)
class Shift:
    """A shift in numbers."""

    rounds: int
    per_hour: float
    verdicts: dict[str, int]
    staked_cents: int
    wrong_cents: int
    saved_cents: int
    lost_cents: int
    codes: tuple[Line, ...]
    tables: tuple[Line, ...]
    dealers: tuple[Line, ...]
    to_acknowledge_s: float | None  # in the middle of all
    to_review_s: float | None
    hours: tuple[tuple[int, int, int], ...]  # beginning, hands, alerts


@dataclass(frozen=True, slots=True)
class Covered:
    """How much of a table's time was watched, and why not."""

    table: str
    watched_ns: int
    closed_ns: int
    unseen_ns: int
    whys: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float | None:
        """Return the share of the time in play that was watched."""
        open_ns = self.watched_ns + self.unseen_ns
        return self.watched_ns / open_ns if open_ns else None


@dataclass(frozen=True, slots=True)
class _Told:
    """An alert of the shift, with what became of it."""

    table: str
    code: str
    wall_ns: int
    finding: str | None
    dealer: str | None
    acknowledged_ns: int | None
    reviewed_ns: int | None


def shift(store: Store, span: Span, tables: Collection[str]) -> Shift:
    """Return the numbers of a shift at some tables."""
    told, played = _told(store, span, tables), _played(store, span, tables)
    saved, lost = _amounts(store, span, tables)
    hours = max((span[1] - span[0]) / (3600 * SECOND_NS), 1e-9)
    return Shift(
        rounds=len(played),
        per_hour=len(played) / hours,
        verdicts=dict(Counter(verdict or "none" for _, verdict, *_ in played)),
        staked_cents=sum(staked for *_, staked, _ in played),
        wrong_cents=sum(wrong for *_, wrong in played),
        saved_cents=saved,
        lost_cents=lost,
        codes=_lines(told, [each.code for each in told]),
        tables=_lines(told, [each.table for each in told]),
        dealers=_lines(told, [each.dealer or "" for each in told]),
        to_acknowledge_s=_middle_s((each.acknowledged_ns, each.wall_ns) for each in told),
        to_review_s=_middle_s((each.reviewed_ns, each.wall_ns) for each in told),
        hours=tuple(_hours(span, [wall_ns for wall_ns, *_ in played], [each.wall_ns for each in told])),
    )


def coverage(store: Store, span: Span, tables: Iterable[str]) -> list[Covered]:
    """Return how much was watched of each table: spans of the ledger by the time at which they were written."""
    return [_covered(store, span, table) for table in tables]


def _covered(store: Store, span: Span, table: str) -> Covered:
    wanted = select(log.c.body).where(log.c.table == table, log.c.topic == Topic.COVERAGE)
    with store.database.reading() as connection:
        bodies = connection.scalars(wanted.where(log.c.wall_ns.between(*span))).all()
    lengths: Counter[str] = Counter()
    whys: Counter[str] = Counter()
    for line in map(Coverage.parse, bodies):
        lengths[line.state] += line.end_ns - line.start_ns
        if line.state == "not observed":
            whys[line.why or "not known"] += line.end_ns - line.start_ns
    return Covered(table, lengths["watched"], lengths["closed"], lengths["not observed"], tuple(whys.most_common(3)))


def _played(store: Store, span: Span, tables: Collection[str]) -> list[tuple[int, str | None, int, int]]:
    of_round = round_sums.c.round == rounds.c.id
    columns = (round_sums.c.wall_ns, rounds.c.verdict, round_sums.c.staked_cents, round_sums.c.wrong_cents)
    wanted = select(*columns).join(rounds, of_round).where(round_sums.c.wall_ns.between(*span))
    with store.database.reading() as connection:
        return [tuple(row) for row in connection.execute(wanted.where(rounds.c.table.in_(tables)))]


def _told(store: Store, span: Span, tables: Collection[str]) -> list[_Told]:
    raised, said, taken = log.alias("raised"), log.alias("said"), log.alias("taken")
    each = reviews.alias("each")
    about = and_(each.c.round == alerts.c.round, or_(each.c.alert.is_(None), each.c.alert == alerts.c.id))
    last = select(func.max(each.c.seq)).where(each.c.table == alerts.c.table, about).scalar_subquery()
    is_last = and_(reviews.c.table == alerts.c.table, reviews.c.seq == last)
    wanted = (
        select(
            alerts.c.table,
            alerts.c.code,
            raised.c.wall_ns,
            reviews.c.finding,
            reviews.c.dealer,
            taken.c.wall_ns.label("acknowledged_ns"),
            said.c.wall_ns.label("reviewed_ns"),
        )
        .join(raised, and_(raised.c.table == alerts.c.table, raised.c.seq == alerts.c.first_seq))
        .outerjoin(reviews, is_last)
        .outerjoin(said, and_(said.c.table == reviews.c.table, said.c.seq == reviews.c.seq))
        .outerjoin(acknowledgements, acknowledgements.c.alert == alerts.c.id)
        .outerjoin(taken, and_(taken.c.table == acknowledgements.c.table, taken.c.seq == acknowledgements.c.seq))
        .where(raised.c.wall_ns.between(*span), alerts.c.table.in_(tables), alerts.c.code.not_in(list(SYSTEM)))
        .where(alerts.c.state != "withdrawn")
    )
    with store.database.reading() as connection:
        return [_Told(*row) for row in connection.execute(wanted)]


def _amounts(store: Store, span: Span, tables: Collection[str]) -> tuple[int, int]:
    """Return what was saved and lost, by all that was said in a span."""
    at = and_(log.c.table == reviews.c.table, log.c.seq == reviews.c.seq)
    saved, lost = (func.sum(log.c.body.op("->>")(f"$.{name}_cents")) for name in ("saved", "lost"))
    wanted = select(saved, lost).select_from(reviews).join(log, at)
    with store.database.reading() as connection:
        row: Any = connection.execute(wanted.where(log.c.wall_ns.between(*span), reviews.c.table.in_(tables))).one()
    return int(row[0] or 0), int(row[1] or 0)


def _lines(told: Sequence[_Told], names: Sequence[str]) -> tuple[Line, ...]:
    by_name: dict[str, list[_Told]] = defaultdict(list)
    for name, each in zip(names, told, strict=True):
        if name:
            by_name[name].append(each)
    lines = [
        Line(name, len(many), sum(e.finding in TRUE for e in many), sum(e.finding in FALSE for e in many))
        for name, many in by_name.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-line.alerts, line.name)))


def _middle_s(pairs: Iterable[tuple[int | None, int]]) -> float | None:
    delays = [(end - begin) / SECOND_NS for end, begin in pairs if end is not None]
    return median(delays) if delays else None


def _hours(span: Span, played: Sequence[int], told: Sequence[int]) -> list[tuple[int, int, int]]:
    hour = 3600 * SECOND_NS
    begins = range(span[0] - span[0] % hour, span[1], hour)
    return [(t, sum(t <= x < t + hour for x in played), sum(t <= x < t + hour for x in told)) for t in begins]
