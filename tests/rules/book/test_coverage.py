"""The page of sections against the files: nothing is claimed that is not there, nothing is there that is not listed."""

import json
from collections import Counter

import pytest

from vision.cli import main
from vision.rules.book.coverage import Covered, State, coverage
from vision.rules.book.wagers import families, wager_book
from vision.values.resources import GAMES

SECTIONS = {entry.section.id: entry for entry in coverage()}


def test_no_section_stands_twice() -> None:
    assert max(Counter(entry.section.id for entry in coverage()).values()) == 1


@pytest.mark.parametrize(
    "entry", [entry for entry in SECTIONS.values() if entry.state is State.IN_GAME], ids=lambda entry: entry.section.id
)
def test_a_game_file_cites_the_section_it_is_said_to_have(entry: Covered) -> None:
    text = (GAMES / entry.where).read_text(encoding="utf-8")
    if entry.text == "PA" and "Reserved" not in entry.section.title:
        assert f"PA {entry.section.id}" in text
    else:
        assert entry.section.id in text


def test_every_section_of_a_wager_file_is_listed() -> None:
    of_procedures = {id_ for family in families() for proc in family.file.procedure for id_ in proc.sections}
    assert {*wager_book(), *of_procedures} <= set(SECTIONS)


def test_what_is_not_used_says_why() -> None:
    for entry in SECTIONS.values():
        assert entry.where, entry.section.id
        assert (entry.state is State.NOT_USED) == (entry.section.why is not None), entry.section.id


@pytest.mark.parametrize(
    ("section", "state"),
    [
        ("633b.13", State.SETTLED),
        ("679b.1", State.UNRESOLVED),  # the odds are chapter 679a's
        ("601b.1", State.PROCEDURE),
        ("641b.1", State.IN_GAME),
        ("637b.2", State.RESERVED),
        ("004.A", State.NOT_USED),  # an appendix that is not in the texts
    ],
)
def test_states(section: str, state: State) -> None:
    assert SECTIONS[section].state is state


def test_the_command_prints_every_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "coverage"]) == 0
    table = capsys.readouterr().out
    assert all(section.split()[-1] in table for section in SECTIONS)
    assert main(["rules", "coverage", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["section"] for line in lines] == list(SECTIONS)


@pytest.mark.parametrize("name", ["blackjack", "633b.6", "cage"])
def test_families_and_sections_are_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", name, "--paytables"]) == 0
    assert "Pennsylvania" in capsys.readouterr().out
