"""A link of tables that share progressive meters: its file enters, checked meters with seeds and increments leave.

A link file names the tables and, where a text prints them, the game and paytable whose seeds and increments count:

    name = "Harbour link"
    game = "four-card-poker/pa"
    paytable = "C"
    tables = ["table-1", "table-2"]
    [meter.mega]            # what is not said here is the paytable's
    reserve_percent = 2.5
"""

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from vision.rules.book.game import load_game
from vision.rules.text.gamefile import Entry, Meter, Table
from vision.values.documents import read_document
from vision.values.errors import InputError, shown

PROGRESSIVE = "progressive"


def _percent(value: Any) -> Fraction:
    share = Fraction(str(value))  # of 4.25, not of the binary number nearest to it
    if not 0 <= share <= 100:
        raise ValueError("want 0 to 100 percent")
    return share


Percent = Annotated[Fraction, BeforeValidator(_percent)]


class MeterSpec(Entry):
    """One meter: what it starts at, and which part of every wager it grows by."""

    seed_cents: Annotated[int, Field(ge=0)] | None = None
    increment_percent: Percent | None = None
    reserve_percent: Percent = Fraction()  # kept aside, and added to the seed when the whole meter is won


class LinkFile(Entry):
    """A whole link file."""

    name: str
    tables: Annotated[list[str], Field(min_length=1)]
    game: str | None = None
    paytable: str | None = None
    tolerance_cents: Annotated[int, Field(ge=0)] = 1  # a display drops parts of a cent
    meter: dict[Meter, MeterSpec]


class Terms(Entry):
    """What one meter of a link rests on, all of it known."""

    seed_cents: int
    increment: Fraction  # of a wager
    reserve: Fraction


class Link(Entry):
    """A link, ready: its tables and the terms of its meters."""

    name: str
    tables: tuple[str, ...]
    tolerance_cents: int
    terms: dict[str, Terms]
    rows: Table | None = None  # the paytable that the winners are read on
    game: str | None = None


def read_link(path: Path) -> Link:
    """Read and check a link file."""
    return make_link(read_document(path, LinkFile))


def make_link(file: LinkFile) -> Link:
    """Fill in what the paytable prints; an increment that nobody names is an error."""
    table = _printed(file)
    terms = {name: _terms(name, spec, table) for name, spec in file.meter.items()}
    return Link(
        name=file.name,
        tables=tuple(file.tables),
        tolerance_cents=file.tolerance_cents,
        terms=terms,
        rows=table,
        game=file.game,
    )


def _printed(file: LinkFile) -> Table | None:
    if file.game is None:
        return None
    letters = load_game(file.game).letters(PROGRESSIVE)
    if file.paytable not in letters:
        raise InputError(f"paytable: {shown(file.paytable)}: want one of {', '.join(letters)}")
    return letters[file.paytable]


def _terms(name: str, spec: MeterSpec, table: Table | None) -> Terms:
    seeds, increments = (table.seeds_cents, table.increments_percent) if table else ({}, {})
    seed = seeds.get(name) if spec.seed_cents is None else spec.seed_cents
    percent = increments.get(name) if spec.increment_percent is None else spec.increment_percent
    if seed is None or percent is None:
        missing = "seed_cents" if seed is None else "increment_percent"
        raise InputError(f"meter.{name}.{missing}: missing: neither the link nor its paytable says it")
    if table is not None and table.seeds_minimum and seed < seeds.get(name, 0):
        raise InputError(f"meter.{name}.seed_cents: {seed}: want {seeds[name]} or more ({table.seeds_cite})")
    kept = spec.reserve_percent or Fraction(table.reserve_percent if table else 0)
    return Terms(seed_cents=seed, increment=Fraction(percent) / 100, reserve=kept / 100)
