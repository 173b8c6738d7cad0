"""Who may log in: names with argon2 hashes, their sessions, and failed attempts, in the file of the store."""

import hashlib
import re
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from vision.store.database import Database
from vision.values.clock import Clock
from vision.values.errors import InputError, shown

MINUTE_NS: Final = 60 * 1_000_000_000
SESSION_NS: Final = 12 * 60 * MINUTE_NS  # a long shift
WINDOW_NS: Final = 5 * MINUTE_NS  # in which failed attempts are counted
TRIES_PAIR: Final = 5  # for one name from one address
TRIES_ALONE: Final = 20  # for one name from anywhere, or from one address for any name
SHORTEST, LONGEST = 12, 200  # characters of a password
NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that looks like something else

ROLES: Final = ("viewer", "operator", "engineer", "admin")  # each may do what those before it may
BEFORE_ROLES: Final = "admin"  # who was let in when there were no roles could do everything

SCHEMA: Final = MetaData()
people: Final = Table(
    "people",
    SCHEMA,
    Column("name", Text, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("must_change", Boolean, nullable=False),
    Column("made_ns", BigInteger, nullable=False),
)
sessions: Final = Table(
    "sessions",
    SCHEMA,
    Column("key", Text, primary_key=True),  # the hash of the token: the file alone opens no session
    Column("name", Text, nullable=False),
    Column("form_token", Text, nullable=False),
    Column("expires_ns", BigInteger, nullable=False),
)
roles: Final = Table(
    "roles",
    SCHEMA,
    Column("name", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("pits", JSON, nullable=False),  # names of pits; none: all
)
attempts: Final = Table(
    "attempts",
    SCHEMA,
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("t_ns", BigInteger, nullable=False),
    Index("attempts_by_time", "t_ns"),
)


class RefusedError(InputError):
    """A name, a password or a session that opens nothing."""


class TooManyError(RefusedError):
    """Too many failed attempts: one has to wait."""


@dataclass(frozen=True, slots=True)
class Person:
    """One who may log in."""

    name: str
    must_change: bool  # the password is the one that we made up
    made_ns: int
    role: str = BEFORE_ROLES
    pits: tuple[str, ...] = ()  # whose tables the person sees; none: all


@dataclass(frozen=True, slots=True)
class Session:
    """One who is logged in; forms carry the token, so that no other page can send them."""

    name: str
    form_token: str
    must_change: bool
    role: str = BEFORE_ROLES
    pits: tuple[str, ...] = ()

    def may(self, role: str) -> bool:
        """Tell whether this person may do what a role may."""
        return ROLES.index(self.role) >= ROLES.index(role)


class People:
    """The people of a store."""

    def __init__(self, database: Database, clock: Clock, hasher: PasswordHasher | None = None) -> None:
        self._database, self._clock = database, clock
        self._hasher = hasher or PasswordHasher()
        self._one_by_one = threading.Lock()  # a hash takes 64 MiB: a flood of logins must not take them all at once
        self._nobody = self._hasher.hash(secrets.token_hex())
        with database.writing() as connection:
            SCHEMA.create_all(connection)

    # ---- Who there is

    def all(self) -> list[Person]:
        """Return everybody, by name."""
        query = select(people.c.name, people.c.must_change, people.c.made_ns, *_ROLE).outerjoin(roles, _HAS)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(people.c.name)).all()
        return [Person(row.name, row.must_change, row.made_ns, *_role_of(row)) for row in rows]

    def add(self, name: str, role: str = "operator", pits: Sequence[str] = ()) -> str:
        """Add a person, and return the one-time password."""
        checked_role(role)
        if not NAME.fullmatch(name):
            raise InputError(f"name: {shown(name)}: want small letters, digits, '.', '_' and '-', 40 at most")
        password = _made_up()
        row = {"name": name, "hash": self._hashed(password), "must_change": True, "made_ns": self._clock.now_ns()}
        with self._database.writing() as connection:
            if connection.scalar(select(people.c.name).where(people.c.name == name)) is not None:
                raise InputError(f"name: {shown(name)}: is there already")
            connection.execute(insert(people).values(row))
            _set_role(connection, name, role, pits)
        return password

    def set_role(self, name: str, role: str, pits: Sequence[str] = ()) -> None:
        """Say what a person may do, and at the tables of which pits; one admin must remain."""
        checked_role(role)
        others = [person for person in self.all() if person.name != name and person.role == "admin" and not person.pits]
        if not others and (role != "admin" or pits):
            raise InputError(f"name: {shown(name)}: the only admin of all pits: make another one first")
        with self._database.writing() as connection:
            if connection.scalar(select(people.c.name).where(people.c.name == name)) is None:
                raise _unknown(name)
            _set_role(connection, name, role, pits)

    def reset(self, name: str) -> str:
        """Give a person a new one-time password, end all their sessions, and return the password."""
        password = _made_up()
        hashed = self._hashed(password)
        with self._database.writing() as connection:
            _set_password(connection, name, hashed, must_change=True)
        return password

    def remove(self, name: str) -> None:
        """Take a person's access away; what they have written stays."""
        with self._database.writing() as connection:
            if connection.scalar(select(func.count()).select_from(people)) == 1:
                raise InputError(f"name: {shown(name)}: want one person to remain: add another first")
            if not connection.execute(delete(people).where(people.c.name == name)).rowcount:
                raise _unknown(name)
            for table in (sessions, roles):
                connection.execute(delete(table).where(table.c.name == name))

    # ---- Sessions

    def login(self, name: str, password: str, address: str) -> str:
        """Begin a session, and return its token; a refusal does not say whether the name or the password is wrong."""
        name = name.strip().lower()[:LONGEST]
        with self._one_by_one:
            self._check_attempts(name, address)
            if not self._fits(name, password):
                self._failed(name, address)
                raise RefusedError("Wrong name or password.")
            with self._database.writing() as connection:
                mine = (attempts.c.name == name) & (attempts.c.address == address)
                connection.execute(delete(attempts).where(mine))
                return self._begin(connection, name)

    def session(self, token: str) -> Session | None:
        """Return the session of a token, if it is one and has not expired."""
        query = select(sessions.c.name, sessions.c.form_token, people.c.must_change, *_ROLE)
        query = query.join(people, people.c.name == sessions.c.name).outerjoin(roles, _HAS)
        query = query.where(sessions.c.key == _key(token), sessions.c.expires_ns > self._clock.now_ns())
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        return None if row is None else Session(row.name, row.form_token, row.must_change, *_role_of(row))

    def logout(self, token: str) -> None:
        """End a session."""
        with self._database.writing() as connection:
            connection.execute(delete(sessions).where(sessions.c.key == _key(token)))

    def change(self, name: str, old: str, new: str) -> str:
        """Change a password, end all sessions of that person, and return the token of a new one."""
        with self._one_by_one:
            if not self._fits(name, old):
                raise RefusedError("The present password is not right.")
        _check_password(name, old, new)
        hashed = self._hashed(new)
        with self._database.writing() as connection:
            _set_password(connection, name, hashed, must_change=False)
            return self._begin(connection, name)

    # ---- Inside

    def _hashed(self, password: str) -> str:
        with self._one_by_one:
            return self._hasher.hash(password)

    def _fits(self, name: str, password: str) -> bool:
        with self._database.reading() as connection:
            known = connection.scalar(select(people.c.hash).where(people.c.name == name))
        try:  # a name that nobody has costs as much time as one that somebody has
            return self._hasher.verify(known or self._nobody, password) and known is not None
        except (VerificationError, InvalidHashError):
            return False

    def _begin(self, connection: Connection, name: str) -> str:
        token, now = secrets.token_urlsafe(32), self._clock.now_ns()
        connection.execute(delete(sessions).where(sessions.c.expires_ns <= now))
        row = {
            "key": _key(token),
            "name": name,
            "form_token": secrets.token_urlsafe(32),
            "expires_ns": now + SESSION_NS,
        }
        connection.execute(insert(sessions).values(row))
        return token

    def _check_attempts(self, name: str, address: str) -> None:
        since = self._clock.now_ns() - WINDOW_NS
        query = select(attempts.c.name, attempts.c.address, attempts.c.t_ns).where(attempts.c.t_ns > since)
        with self._database.reading() as connection:
            recent = connection.execute(query.order_by(attempts.c.t_ns)).all()
        of_name = [row.t_ns for row in recent if row.name == name]
        of_address = [row.t_ns for row in recent if row.address == address]
        of_both = [row.t_ns for row in recent if row.name == name and row.address == address]
        for tries, limit in ((of_both, TRIES_PAIR), (of_name, TRIES_ALONE), (of_address, TRIES_ALONE)):
            if len(tries) >= limit:
                minutes = -(-(tries[-limit] - since) // MINUTE_NS)
                wait = "a minute" if minutes == 1 else f"{minutes} minutes"
                raise TooManyError(f"Too many attempts. Wait {wait}, then try again.")

    def _failed(self, name: str, address: str) -> None:
        now = self._clock.now_ns()
        with self._database.writing() as connection:
            connection.execute(delete(attempts).where(attempts.c.t_ns <= now - WINDOW_NS))
            connection.execute(insert(attempts).values(name=name, address=address, t_ns=now))


_ROLE: Final = (roles.c.role, roles.c.pits)
_HAS: Final = roles.c.name == people.c.name


def checked_role(role: str) -> str:
    """Return a role if it is one."""
    if role not in ROLES:
        raise InputError(f"role: {shown(role)}: want one of {', '.join(ROLES)}")
    return role


def _role_of(row: Any) -> tuple[str, tuple[str, ...]]:
    return (BEFORE_ROLES, ()) if row.role is None else (row.role, tuple(row.pits))


def _set_role(connection: Connection, name: str, role: str, pits: Sequence[str]) -> None:
    connection.execute(delete(roles).where(roles.c.name == name))
    connection.execute(insert(roles).values(name=name, role=role, pits=sorted(set(pits))))


def _set_password(connection: Connection, name: str, hashed: str, *, must_change: bool) -> None:
    change = update(people).where(people.c.name == name).values(hash=hashed, must_change=must_change)
    if not connection.execute(change).rowcount:
        raise _unknown(name)
    connection.execute(delete(sessions).where(sessions.c.name == name))


def _made_up() -> str:
    """Return a password of 79 bits, in groups of four."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(4)) for _ in range(4))


def _key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _unknown(name: str) -> InputError:
    return InputError(f"name: {shown(name)}: no such person")


def _check_password(name: str, old: str, new: str) -> None:
    if not SHORTEST <= len(new) <= LONGEST:
        raise RefusedError(f"A password has {SHORTEST} to {LONGEST} characters.")
    if new == old or name in new.lower():
        raise RefusedError("The new password must differ from the present one, and not hold your name.")
