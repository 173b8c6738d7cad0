"""The log: every stored envelope in order, each sealed with all before it; nothing in it is ever edited."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from sqlalchemy import Connection, Row, Select, delete, func, insert, select

from vision.bus.envelope import Envelope, checked_table
from vision.bus.topics import Topic
from vision.records.record import canonical
from vision.store.database import PATIENCE_S, Database, StoreError
from vision.store.index import enter
from vision.store.schema import INDEXES, SCHEMA, log

PAGE: Final = 1000
FIRST_SEAL: Final = ""  # what stands before the first entry of a table


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be stored: an envelope that has no number yet."""

    topic: Topic
    t_ns: int
    body: dict[str, Any]


class Store:
    """The store of all tables. Any thread and any process may use it; appending is done by one at a time."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @classmethod
    def open(cls, path: Path, *, make: bool = True, patience_s: float = PATIENCE_S) -> Self:
        """Open the store in a file; unless told otherwise, a missing one is made."""
        if not make and not path.is_file():
            raise StoreError(f"{path}: no such store: nothing was watched with this home yet")
        store = cls(Database.open(path, SCHEMA, patience_s))
        if store.database.added:
            store.make_index()
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()

    def append(self, table: str, topic: Topic, t_ns: int, body: dict[str, Any], wall_ns: int) -> Envelope:
        """Store one entry; when this returns, the entry is durable."""
        (envelope,) = self.append_all(table, [Entry(topic, t_ns, body)], wall_ns)
        return envelope

    def append_all(self, table: str, entries: Sequence[Entry], wall_ns: int) -> list[Envelope]:
        """Store entries: all of them, or on an error none."""
        checked_table(table)
        with self.database.writing() as connection:
            last, seal = _end(connection, table)
            envelopes: list[Envelope] = []
            for seq, entry in enumerate(entries, start=last + 1):
                text = canonical(entry.body)
                body = json.loads(text)  # as whoever reads it will find it
                envelope = Envelope(table=table, seq=seq, t_ns=entry.t_ns, topic=entry.topic, body=body)
                seal = sealed(seal, wall_ns, envelope)
                row = envelope.record() | {"body": text, "wall_ns": wall_ns, "hash": seal}
                connection.execute(insert(log).values(row))
                enter(connection, envelope, wall_ns)
                envelopes.append(envelope)
        return envelopes

    def make_index(self) -> None:
        """Make the index again from the log."""
        with self.database.writing() as connection:
            for table in reversed(INDEXES):
                connection.execute(delete(table))
            for row in connection.execute(select(log).order_by(log.c.wall_ns, log.c.table, log.c.seq)).all():
                enter(connection, envelope_of(row), row.wall_ns)

    def since(self, table: str, seq: int, limit: int = PAGE) -> list[Envelope]:
        """Return what follows a number, in order, `limit` at most."""
        with self.database.reading() as connection:
            return [envelope_of(row) for row in _rows(connection, table, seq, limit)]

    def since_with_time(self, table: str, seq: int, limit: int = PAGE) -> list[tuple[Envelope, int]]:
        """Return what follows a number, in order, each with the time of day at which it was stored."""
        with self.database.reading() as connection:
            return [(envelope_of(row), row.wall_ns) for row in _rows(connection, table, seq, limit)]

    def last_seq(self, table: str) -> int:
        """Return the number of a table's last entry; 0 if there is none."""
        with self.database.reading() as connection:
            return _end(connection, table)[0]

    def seal(self, table: str) -> str:
        """Return the hash of a table's last entry: who keeps it elsewhere can prove later what the log held."""
        with self.database.reading() as connection:
            return _end(connection, table)[1]

    def tables(self) -> list[str]:
        """Return the tables of which anything is stored."""
        with self.database.reading() as connection:
            return list(connection.scalars(each_table()))

    def verify(self, table: str) -> int | None:
        """Return the number of the first entry that is not as it was stored, or None."""
        seal = FIRST_SEAL
        for seq, row in enumerate(self._all(table), start=1):
            if row.seq != seq or row.hash != _seal_of(row, seal):
                return seq
            seal = row.hash
        return None

    def _all(self, table: str) -> Iterator[Row[Any]]:
        seq = 0
        with self.database.reading() as connection:
            while rows := _rows(connection, table, seq, PAGE):
                yield from rows
                seq = rows[-1].seq


def sealed(before: str, wall_ns: int, envelope: Envelope) -> str:
    """Return the hash of an entry: over the hash before it, its time of day, and itself."""
    return hashlib.sha256(f"{before}\n{wall_ns}\n{envelope}".encode()).hexdigest()


def envelope_of(row: Row[Any]) -> Envelope:
    """Return the envelope that a row of the log holds."""
    try:
        topic, body = Topic(row.topic), json.loads(row.body)
    except ValueError as error:
        raise StoreError(f"log: entry {row.seq} of {row.table}: damaged: {error}") from error
    return Envelope(table=row.table, seq=row.seq, t_ns=row.t_ns, topic=topic, version=row.version, body=body)


def _seal_of(row: Row[Any], before: str) -> str | None:
    """Return the hash that a row should have; None if it holds no envelope at all."""
    try:
        return sealed(before, row.wall_ns, envelope_of(row))
    except StoreError:
        return None


def each_table() -> Select[tuple[str]]:
    """Ask for each table by one step of the index from the last: a log has millions of entries, and a few tables."""
    found = select(func.min(log.c.table).label("name")).cte("found", recursive=True)
    following = select(func.min(log.c.table)).where(log.c.table > found.c.name).scalar_subquery()
    found = found.union_all(select(following).where(found.c.name.is_not(None)))
    return select(found.c.name).where(found.c.name.is_not(None))


def _rows(connection: Connection, table: str, after: int, limit: int) -> Sequence[Row[Any]]:
    wanted = select(log).where(log.c.table == table, log.c.seq > after).order_by(log.c.seq).limit(limit)
    return connection.execute(wanted).all()


def _end(connection: Connection, table: str) -> tuple[int, str]:
    """Return the number and the hash of a table's last entry."""
    last = select(func.max(log.c.seq)).where(log.c.table == table).scalar_subquery()
    row = connection.execute(select(log.c.seq, log.c.hash).where(log.c.table == table, log.c.seq == last)).first()
    return (0, FIRST_SEAL) if row is None else (row.seq, row.hash)
