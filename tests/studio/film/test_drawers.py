"""Reserved looks: enough of each kind, none in open footage, all of them drawable, every opening in the ledger."""

from pathlib import Path

import pytest

from studio.art.backs import back
from studio.art.chip_sets import chip_set, reserved_sets, write_chip_set
from studio.art.drawers import DRAWERS, RESERVED, is_reserved
from studio.art.faces import face
from studio.art.felts import make_artwork, make_layout
from studio.film.ledger import LEDGER, drawn_from, open_drawer, openings
from studio.film.look import Choice, choices, choose_look, kinds
from studio.film.rigs import RIGS
from vision.cli import main
from vision.table.layout import check_layout
from vision.values.cards import DECK
from vision.values.chips import read_chip_set
from vision.values.clock import SetClock
from vision.values.errors import InputError

ALL = [(kind, name) for kind, drawers in RESERVED.items() for names in drawers.values() for name in names]


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_drawers_hold_two_and_four_of_each_kind(kind: str) -> None:
    assert [len(RESERVED[kind][drawer]) for drawer in DRAWERS] == [2, 4]
    for split in ("train", "test", "any"):
        assert not any(is_reserved(kind, name) for name in choices(split, None)[kind])


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_reserved_designs_can_be_drawn(kind: str, name: str) -> None:
    match kind:
        case "felt":
            check_layout(make_layout(name))
            assert make_artwork(name).std() > 3
        case "face":
            assert len({face(name, card).tobytes() for card in DECK}) == len(DECK)
        case "back":
            assert back(name).std() > 3
        case "chips":
            assert len(chip_set(name).chip) >= 5
        case _:
            assert RIGS[name].lamps


@pytest.mark.parametrize("name", reserved_sets())
def test_a_reserved_set_is_written_as_it_is(name: str, tmp_path: Path) -> None:
    write_chip_set(name, tmp_path)
    read = read_chip_set(tmp_path / f"{name}.toml")
    assert read.model_dump() == chip_set(name).model_dump()
    assert all(chip.face_picture and chip.edge_picture for chip in read.chip)


@pytest.mark.parametrize("drawer", DRAWERS)
def test_a_closed_drawer_stays_closed(drawer: str) -> None:
    with pytest.raises(InputError, match=f"--split: {drawer}: this drawer is closed: only a closing measurement"):
        choose_look(1, Choice(drawer))
    with pytest.raises(InputError, match="this drawer is closed"):
        choose_look(1, Choice(drawer, opened_by="a command that is not in the ledger"))


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_no_look_is_taken_out_by_its_name(kind: str, name: str) -> None:
    with pytest.raises(InputError, match="--look: "):
        choose_look(1, Choice("any", wanted=((kind, name),)))


def test_the_simulator_offers_no_drawer(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", str(tmp_path / "out"), "--split", "check"])


def test_an_opening_is_written_once_for_each_command(tmp_path: Path) -> None:
    ledger, clock = tmp_path / "opened.jsonl", SetClock(86_400_000_000_000)
    for suite in ("one", "one", "two"):
        command = f"suite filmed {suite} --split check"
        assert open_drawer("check", command, clock, ledger) == command
    assert drawn_from("check", "suite filmed two --split check", ledger)["felt"] == RESERVED["felt"]["check"]
    lines = openings(ledger)
    assert [line["command"].split()[2] for line in lines] == ["one", "two"]
    assert lines[0]["at"] == "1970-01-02T00:00:00+00:00"


def test_the_ledger_is_kept_with_the_project() -> None:
    assert LEDGER.is_file()
    assert all(line["drawer"] in DRAWERS for line in openings())
