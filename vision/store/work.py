"""What the room has to look at: open items, who took them, how long they can be corrected; and where tables stand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, delete, func, or_, select
from sqlalchemy.dialects.sqlite import insert

from vision.alerts.codes import SYSTEM
from vision.records.acknowledgement import Acknowledgement
from vision.records.alert import Alert
from vision.records.correction import Correction
from vision.store.index import UNVERIFIABLE, number_of
from vision.store.log import Store, envelope_of
from vision.store.reading import RoundRow, dispositions_of
from vision.store.schema import (
    acknowledgements,
    alerts,
    audit,
    corrections,
    first_cards,
    holds,
    items,
    log,
    pits,
    reviews,
    rounds,
)

MOST: Final = 500  # items that are listed at once: more than a shift can look at
RHYTHM: Final = 9  # rounds from which the length of the next is taken
SECOND_NS: Final = 1_000_000_000
LONGEST_ROUND_NS: Final = 600 * SECOND_NS  # longer gaps are breaks, not rounds


@dataclass(frozen=True, slots=True)
class Item:
    """Something to look at: an open alert, or a round that could not be verified (then without an alert)."""

    id: str
    kind: str
    table: str
    round: str
    rank: int
    cents: int | None
    is_certain: bool
    wall_ns: int  # since when it is open
    alert: Alert | None
    taken: Acknowledgement | None

    @property
    def is_system(self) -> bool:
        """Whether it is about the system itself."""
        return self.alert is not None and self.alert.code in SYSTEM

    @property
    def number(self) -> int | None:
        """Return the number of its round; none between rounds."""
        return None if self.round.endswith("-idle") else number_of(self.round)


@dataclass(frozen=True, slots=True)
class SystemAlert:
    """An alert about the system itself: when it was told last, and whether its cause lasts."""

    alert: Alert
    wall_ns: int
    is_open: bool


@dataclass(frozen=True, slots=True)
class Held:
    """A round whose evidence is kept for ever, in a case."""

    round: str
    case: str
    by: str
    wall_ns: int


@dataclass(frozen=True, slots=True)
class Noted:
    """A line of the audit log: who viewed, exported or changed what."""

    by: str
    did: str
    subject: str
    wall_ns: int


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The latest first cards of a table: by number of the round, and how long a round takes."""

    number: int
    wall_ns: int
    length_ns: int | None


def open_items(store: Store, tables: Iterable[str] | None = None, limit: int = MOST) -> list[Item]:
    """Return what is open: the gravest first, then the dearest, then the oldest."""
    order = (items.c.rank, func.coalesce(items.c.cents, 0).desc(), items.c.wall_ns, items.c.id)
    wanted = _items().order_by(*order).limit(limit)
    if tables is not None:
        wanted = wanted.where(items.c.table.in_(list(tables)))
    with store.database.reading() as connection:
        return [_item(row) for row in connection.execute(wanted)]


def second_looks(store: Store, not_by: str, limit: int = MOST) -> list[str]:
    """Return rounds that were void, or whose void was not honoured, and that one person alone has reviewed: another."""
    is_void = or_(rounds.c.verdict == "void", alerts.c.code == "void-not-honoured")
    wanted = (
        select(rounds.c.id)
        .join(reviews, reviews.c.round == rounds.c.id)
        .outerjoin(alerts, and_(alerts.c.round == rounds.c.id, alerts.c.state != "withdrawn"))
        .where(is_void)
        .group_by(rounds.c.id)
        .having(func.count(func.distinct(reviews.c.by)) == 1, func.max(reviews.c.by) != not_by)
        .order_by(rounds.c.row)
        .limit(limit)
    )
    with store.database.reading() as connection:
        return list(connection.scalars(wanted))


def system_alerts(store: Store, limit: int = 60) -> list[SystemAlert]:
    """Return the latest alerts about the system, open or not, those first that were told last."""
    with_log = and_(log.c.table == alerts.c.table, log.c.seq == alerts.c.seq)
    wanted = select(log.c.body, log.c.wall_ns, items.c.id).join(alerts, with_log)
    wanted = wanted.outerjoin(items, items.c.id == alerts.c.id).where(alerts.c.code.in_(list(SYSTEM)))
    with store.database.reading() as connection:
        rows = connection.execute(wanted.order_by(log.c.wall_ns.desc()).limit(limit)).all()
    return [SystemAlert(Alert.parse(row.body), row.wall_ns, row.id is not None) for row in rows]


def acknowledgement_of(store: Store, alert_id: str) -> Acknowledgement | None:
    """Return who took an alert last."""
    with_log = and_(log.c.table == acknowledgements.c.table, log.c.seq == acknowledgements.c.seq)
    wanted = select(log.c.body).join(acknowledgements, with_log).where(acknowledgements.c.alert == alert_id)
    with store.database.reading() as connection:
        body = connection.scalar(wanted)
    return None if body is None else Acknowledgement.parse(body)


def entries_of_round(store: Store, row: RoundRow) -> list[dict[str, Any]]:
    """Return what the log holds of the time of a round, and what was said of it later, each entry with its seal."""
    later = [*(alert.seq for alert in row.alerts), *(said.seq for said in dispositions_of(store, row.id))]
    is_wanted = or_(log.c.seq.between(row.first_seq, row.seq or row.first_seq), log.c.seq.in_(later))
    before = log.alias("before")
    is_before = and_(before.c.table == log.c.table, before.c.seq == log.c.seq - 1)
    wanted = select(log, before.c.hash.label("before")).outerjoin(before, is_before)
    with store.database.reading() as connection:
        rows = connection.execute(wanted.where(log.c.table == row.table, is_wanted).order_by(log.c.seq)).all()
    return [
        {
            "envelope": envelope_of(each).record(),
            "wall_ns": each.wall_ns,
            "before": each.before or "",
            "hash": each.hash,
        }
        for each in rows
    ]


def corrections_of(store: Store, round_id: str) -> list[Correction]:
    """Return what was set right of a round, the oldest first."""
    with_log = and_(log.c.table == corrections.c.table, log.c.seq == corrections.c.seq)
    wanted = select(log.c.body).join(corrections, with_log).where(corrections.c.round == round_id)
    with store.database.reading() as connection:
        return [Correction.parse(body) for body in connection.scalars(wanted.order_by(corrections.c.seq))]


# ---- How long a round can be corrected


def rhythms(store: Store, tables: Iterable[str]) -> dict[str, Rhythm]:
    """Return the rhythm of each table that has dealt a card."""
    with store.database.reading() as connection:
        found = {table: _rhythm(connection, table) for table in tables}
    return {table: rhythm for table, rhythm in found.items() if rhythm is not None}


def corrected_until(store: Store, table: str, number: int) -> int | None:
    """Return when the first card after a round was dealt; None while there is none."""
    later = first_cards.c.table == table, first_cards.c.number > number
    wanted = select(first_cards.c.wall_ns).where(*later).order_by(first_cards.c.number).limit(1)
    with store.database.reading() as connection:
        return connection.scalar(wanted)


def _rhythm(connection: Connection, table: str) -> Rhythm | None:
    latest = select(first_cards.c.number, first_cards.c.wall_ns).where(first_cards.c.table == table)
    rows = connection.execute(latest.order_by(first_cards.c.number.desc()).limit(RHYTHM)).all()
    if not rows:
        return None
    gaps = [later.wall_ns - sooner.wall_ns for later, sooner in pairwise(rows)]
    lengths = [gap for gap in gaps if 0 < gap < LONGEST_ROUND_NS]
    return Rhythm(rows[0].number, rows[0].wall_ns, int(median(lengths)) if lengths else None)


# ---- What is kept for ever, and who did what


def hold(store: Store, round_id: str, case: str, by: str, wall_ns: int) -> None:
    """Note that the evidence of a round is kept, and to which case it belongs."""
    row = {"round": round_id, "case": case, "by": by, "wall_ns": wall_ns}
    with store.database.writing() as connection:
        connection.execute(insert(holds).values(row).on_conflict_do_update(["round"], set_=row))


def held(store: Store) -> list[Held]:
    """Return what is kept, by case, the latest first."""
    with store.database.reading() as connection:
        rows = connection.execute(select(holds).order_by(holds.c.case, holds.c.wall_ns.desc())).all()
    return [Held(row.round, row.case, row.by, row.wall_ns) for row in rows]


def note(store: Store, by: str, did: str, subject: str, wall_ns: int) -> None:
    """Note in the audit log who did what."""
    with store.database.writing() as connection:
        connection.execute(insert(audit).values(by=by, did=did, subject=subject, wall_ns=wall_ns))


def noted(store: Store, limit: int = 500) -> list[Noted]:
    """Return the audit log, the latest first."""
    with store.database.reading() as connection:
        rows = connection.execute(select(audit).order_by(audit.c.number.desc()).limit(limit)).all()
    return [Noted(row.by, row.did, row.subject, row.wall_ns) for row in rows]


# ---- Where tables stand


def pit_of_tables(store: Store) -> dict[str, str]:
    """Return the pit of each table that stands in one."""
    with store.database.reading() as connection:
        return {row.table: row.pit for row in connection.execute(select(pits))}


def set_pits(store: Store, chosen: Mapping[str, str]) -> None:
    """Say where tables stand; an empty pit is none."""
    with store.database.writing() as connection:
        connection.execute(delete(pits).where(pits.c.table.in_(list(chosen))))
        rows = [{"table": table, "pit": pit} for table, pit in chosen.items() if pit]
        if rows:
            connection.execute(insert(pits), rows)


# ---- Inside


def _items() -> Select[Any]:
    taken = log.alias("taken")
    return (
        select(items, log.c.body, taken.c.body.label("taken"))
        .join(log, and_(log.c.table == items.c.table, log.c.seq == items.c.seq))
        .outerjoin(acknowledgements, acknowledgements.c.alert == items.c.id)
        .outerjoin(taken, _is_at(taken))
    )


def _is_at(taken: Any) -> ColumnElement[bool]:
    return and_(taken.c.table == acknowledgements.c.table, taken.c.seq == acknowledgements.c.seq)


def _item(row: Row[Any]) -> Item:
    return Item(
        id=row.id,
        kind=row.kind,
        table=row.table,
        round=row.round,
        rank=row.rank,
        cents=row.cents,
        is_certain=row.is_certain,
        wall_ns=row.wall_ns,
        alert=None if row.kind == UNVERIFIABLE else Alert.parse(row.body),
        taken=None if row.taken is None else Acknowledgement.parse(row.taken),
    )
