"""Every section of the texts, and where it lives: a list of sections enters, a state and a place for each leaves."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Literal

from pydantic import Field

from vision.rules.book.wagers import Family, families, wager_book
from vision.rules.text.gamefile import Entry
from vision.values.documents import read_document
from vision.values.resources import GAMES

Kind = Literal["settlement", "paytable", "procedure", "equipment", "definition", "reserved"]


class State(StrEnum):
    """What became of a section."""

    SETTLED = "settled"  # at least one of its wagers
    UNRESOLVED = "unresolved"  # all its wagers wait for a chapter that is not in the texts
    PROCEDURE = "procedure"
    IN_GAME = "in the game file"
    RESERVED = "reserved"
    NOT_USED = "not used"


class SectionEntry(Entry):
    """A section as the texts number and title it."""

    id: str
    title: str
    kind: Kind
    game: str | None = Field(default=None, alias="in")
    why: str | None = None  # why no file has it


class TextEntry(Entry):
    """One of the texts."""

    id: str
    name: str
    sections: list[SectionEntry]


class Sections(Entry):
    """The list of sections."""

    text: list[TextEntry]


@dataclass(frozen=True, slots=True)
class Covered:
    """A section with its state and its place."""

    text: str
    section: SectionEntry
    state: State
    where: str


@cache
def read_sections() -> Sections:
    """Return the list of sections."""
    return read_document(GAMES / "sections.toml", Sections)


def coverage() -> Iterator[Covered]:
    """Yield every section of every text with its state and where it lives, or why not."""
    for text in read_sections().text:
        for section in text.sections:
            yield Covered(text.id, section, *_place(section))


def _place(section: SectionEntry) -> tuple[State, str]:
    if section.kind == "reserved":
        return State.RESERVED, "only the heading stands in the text"
    if section.game is not None:
        return State.IN_GAME, f"{section.game}.toml"
    if section.id in wager_book():
        return _wager_place(section.id)
    family = next((family for family in families() if section.id in _procedures(family)), None)
    if family is not None:
        return State.PROCEDURE, _file(family)
    return State.NOT_USED, section.why or ""


def _wager_place(section: str) -> tuple[State, str]:
    wagers = wager_book()[section].values()
    settled = sum(not wager.is_unresolved for wager in wagers)
    state = State.SETTLED if settled else State.UNRESOLVED
    return state, f"{_file(next(iter(wagers)).family)}: {settled} of {len(wagers)} wagers settled"


def _procedures(family: Family) -> set[str]:
    return {section for procedure in family.file.procedure for section in procedure.sections}


def _file(family: Family) -> str:
    return f"wagers/{family.name}.toml"
