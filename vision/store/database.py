"""The file of the store: opened, made where it is missing, checked that it is ours; what goes wrong is said clearly."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from sqlalchemy import Connection, MetaData, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import DBAPIError

from vision.store.schema import VERSION
from vision.values.errors import InputError

OURS: Final = 0x46454C54  # 'FELT', SQLite's mark for whose file it is
PATIENCE_S: Final = 5.0  # how long one waits for another writer
RETRY_S: Final = 0.01  # between two attempts at what SQLite does not wait for by itself
WRITES: Final = "writes"  # the option of a connection that will write

WRONG: Final = {
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk fails, or is full",
    sqlite3.SQLITE_BUSY: "locked by another program for too long",
    sqlite3.SQLITE_LOCKED: "locked by another program for too long",
    sqlite3.SQLITE_NOTADB: "not a store of Feltwatch: another kind of file",
    sqlite3.SQLITE_CORRUPT: "damaged: put it aside and keep it; a backup or a new store must take its place",
    sqlite3.SQLITE_READONLY: "cannot be written: no permission",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: no such folder, or no permission",
}


class StoreError(InputError):
    """A store that cannot be read or written."""


class Database:
    """A file with tables. Any thread may use it: readers never wait, writers wait for one another."""

    def __init__(self, path: Path, patience_s: float = PATIENCE_S) -> None:
        self.path = path
        self.added: frozenset[str] = frozenset()  # tables that a store of an earlier version lacked
        self._engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": patience_s})
        event.listen(self._engine, "connect", lambda raw, _: _connected(raw, patience_s))
        event.listen(self._engine, "begin", _begun)
        self._writer = self._engine.execution_options(**{WRITES: True})

    @classmethod
    def open(cls, path: Path, schema: MetaData, patience_s: float = PATIENCE_S) -> Self:
        """Open a file, with its tables; a missing one is made."""
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not path.exists():
                path.touch(mode=0o600)  # its journal gets the same mode: nobody else reads who was where
        except OSError as error:
            raise StoreError(f"{path}: cannot be made: {error.strerror}") from error
        database = cls(path, patience_s)
        try:
            database._prepare(schema)
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection that sees one moment of the store."""
        with self._explained(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield the connection of the one writer; all is durable when the block ends, or nothing was done."""
        with self._explained(), self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    def _prepare(self, schema: MetaData) -> None:
        """Check whose file it is before anything is written to it, and make the tables that it lacks."""
        with self.reading() as connection:
            tables = set(connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type='table'").scalars())
            mark = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
            version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        if tables and mark != OURS:
            raise StoreError(f"{self.path}: not a store of Feltwatch: another program's database")
        if version > VERSION:
            raise StoreError(f"{self.path}: made by a newer Feltwatch: version {version}, want {VERSION} at most")
        lacking = set(schema.tables) - tables
        if lacking:
            self._make(schema)
            self.added = frozenset(lacking if tables else ())

    def _make(self, schema: MetaData) -> None:
        with self.writing() as connection:
            schema.create_all(connection)
            connection.exec_driver_sql(f"PRAGMA application_id={OURS}")
            connection.exec_driver_sql(f"PRAGMA user_version={VERSION}")
        self._engine.dispose()  # the journal of a file that is ours is chosen as a connection begins

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
            raise StoreError(f"{self.path}: {WRONG.get(code, error.orig)}") from error


def _connected(raw: DBAPIConnection, patience_s: float) -> None:
    """Leave transactions to us, and make every one of them durable before it is done."""
    raw.isolation_level = None
    cursor = raw.cursor()
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA application_id")
    if cursor.fetchone() == (OURS,):
        _journal_ahead(cursor, patience_s)
    cursor.close()


def _journal_ahead(cursor: DBAPICursor, patience_s: float) -> None:
    """Choose the journal with which readers and the writer do not wait for one another.

    SQLite refuses the change at once while another connection reads or writes the old way; it does not wait by itself.
    """
    until = time.monotonic() + patience_s
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(RETRY_S)
        else:
            return


def _begun(connection: Connection) -> None:
    """Take the writer's place at once: who only asks for it later could find that what was read is no longer so."""
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
