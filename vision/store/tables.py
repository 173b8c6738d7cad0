"""How each table stands, by the store alone: its last entry, its last round, its last session and coverage."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import RowMapping, ScalarSelect, Select, select

from vision.bus.topics import Topic
from vision.records.coverage import Coverage
from vision.records.session import Session
from vision.store.log import Store, each_table
from vision.store.schema import log, rounds


@dataclass(frozen=True, slots=True)
class TableRow:
    """What the store says of a table."""

    table: str
    last_seq: int
    last_round: str | None  # that has ended
    last_verdict: str | None
    session: Session | None  # as it began, or ended
    session_wall_ns: int | None
    coverage: Coverage | None


def tables(store: Store) -> dict[str, TableRow]:
    """Return all tables by name: some steps of the index for each, whatever the length of the log."""
    with store.database.reading() as connection:
        return {row.name: _row(row._mapping) for row in connection.execute(_wanted())}  # noqa: SLF001 - its public name


def _wanted() -> Select[Any]:
    each = each_table().subquery("each")
    last = select(rounds).where(rounds.c.table == each.c.name, rounds.c.seq.is_not(None))
    last = last.order_by(rounds.c.number.desc()).limit(1)
    return select(
        each.c.name,
        _latest(each, "seq").label("last_seq"),
        last.with_only_columns(rounds.c.id).scalar_subquery().label("last_round"),
        last.with_only_columns(rounds.c.verdict).scalar_subquery().label("last_verdict"),
        _latest(each, "body", Topic.SESSION).label("session"),
        _latest(each, "wall_ns", Topic.SESSION).label("session_wall_ns"),
        _latest(each, "body", Topic.COVERAGE).label("coverage"),
    ).order_by(each.c.name)


def _latest(each: Any, column: str, topic: Topic | None = None) -> ScalarSelect[Any]:
    wanted = select(log.c[column]).where(log.c.table == each.c.name)
    if topic is not None:
        wanted = wanted.where(log.c.topic == topic)
    return wanted.order_by(log.c.seq.desc()).limit(1).scalar_subquery()


def _row(row: RowMapping) -> TableRow:
    return TableRow(
        table=row["name"],
        last_seq=row["last_seq"],
        last_round=row["last_round"],
        last_verdict=row["last_verdict"],
        session=None if row["session"] is None else Session.parse(row["session"]),
        session_wall_ns=row["session_wall_ns"],
        coverage=None if row["coverage"] is None else Coverage.parse(row["coverage"]),
    )
