"""Foreign decks: found only when whole, printed like our own, and fetched without leaving half a deck behind."""

import shutil
import stat
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from studio.art.fetch import Tools, fetch_decks, installed_version, make_deck, render, write_sheet
from studio.art.foreign import (
    GNOME,
    RESERVED_DECKS,
    SOURCES,
    Drawing,
    deck_sheet,
    foreign_back,
    foreign_backs,
    foreign_decks,
    foreign_face,
    foreign_of_split,
    may_be_published,
    print_on_paper,
)
from vision.values.cards import DECK, Card
from vision.values.errors import InputError
from vision.values.picture import Picture

SHAPE = (889, 635, 3)
ACE = Card.parse("As")
KENNARD = SOURCES[0]
needs_rsvg = pytest.mark.skipif(shutil.which("rsvg-convert") is None, reason="needs rsvg-convert (librsvg2-bin)")

# Answers as rsvg-convert does, with one and the same card, unless the drawing's name says that it is empty.
FAKE_RSVG = """#!/bin/sh
test "$1" = --version && exit 0
for last; do :; done
if grep -q empty "$last"; then cat "${0%/*}/empty.png"; else cat "${0%/*}/card.png"; fi
"""
# Packs what lies beside it, as npm pack does, whatever the package.
FAKE_NPM = """#!{python}
import sys, tarfile
from pathlib import Path
where = Path(sys.argv[sys.argv.index("--pack-destination") + 1])
with tarfile.open(where / "it-1.0.0.tgz", "w:gz") as archive:
    archive.add(Path(__file__).parent / "package", "package")
"""
DEAF_NPM = """#!/bin/sh
echo 'npm warn Unknown user config' >&2
echo 'npm error code ENOTFOUND' >&2
exit 1
"""


def art(outline_px: int = 5, paper: tuple[int, int, int] = (250, 250, 250)) -> Picture:
    """Draw a card as the packages do: rounded, transparent outside, with a black line around it."""
    picture = np.zeros((889, 635, 4), np.uint8)
    for inset, colour in ((0, (0, 0, 0)), (outline_px, paper)):
        radius, (high, wide) = 60 - inset, (889, 635)
        for left, top in ((radius, 0), (0, radius)):
            corner = (wide - 1 - inset - left, high - 1 - inset - top)
            cv2.rectangle(picture, (inset + left, inset + top), corner, (*colour, 255), -1)
        for x in (inset + radius, wide - 1 - inset - radius):
            for y in (inset + radius, high - 1 - inset - radius):
                cv2.circle(picture, (x, y), radius, (*colour, 255), -1)
    cv2.rectangle(picture, (280, 400), (350, 480), (30, 20, 200, 255), -1)
    return picture


def write_deck(folder: Path, name: str, lacks: str = "") -> None:
    (folder / name).mkdir(parents=True)
    for card in DECK:
        if str(card) != lacks:
            cv2.imwrite(str(folder / name / f"{card}.png"), art())
    cv2.imwrite(str(folder / name / "back.png"), art())
    cv2.imwrite(str(folder / name / "back-red.png"), art(0, (30, 20, 200)))
    source = replace(KENNARD, deck=name)
    (folder / name / "deck.toml").write_text(write_sheet(source, "1.0"), encoding="utf-8")


def write_tool(path: Path, text: str) -> str:
    path.write_text(text.replace("{python}", sys.executable), encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def fake_machine(tmp_path: Path) -> Tools:
    """Return a machine on which npm has Kennard's deck, and Debian's decks are missing."""
    bin_folder = tmp_path / "bin"
    for drawing in [*(KENNARD.face.of(card) for card in DECK), *(back for _, back in KENNARD.backs)]:
        path = bin_folder / drawing.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<svg/>", encoding="utf-8")
    (bin_folder / "package" / "README.md").write_text("CC0", encoding="utf-8")
    cv2.imwrite(str(bin_folder / "card.png"), art())
    cv2.imwrite(str(bin_folder / "empty.png"), np.zeros((900, 900, 4), np.uint8))
    npm, rsvg = write_tool(bin_folder / "npm", FAKE_NPM), write_tool(bin_folder / "rsvg-convert", FAKE_RSVG)
    return Tools(npm, rsvg, tmp_path / "share")


def test_only_whole_decks_are_listed(tmp_path: Path) -> None:
    assert foreign_decks(tmp_path / "nowhere") == ()
    write_deck(tmp_path, "whole")
    write_deck(tmp_path, "half", lacks="7c")
    write_deck(tmp_path, ".deck-in-the-making")
    assert foreign_decks(tmp_path) == ("whole",)
    assert foreign_backs(tmp_path) == ("whole", "whole:red")


def test_cards_come_as_our_own_do(tmp_path: Path) -> None:
    write_deck(tmp_path, "whole")
    for picture in (foreign_face(tmp_path, "whole", ACE), foreign_back(tmp_path, "whole")):
        assert picture.shape == SHAPE
        assert picture.dtype == np.uint8
        assert not picture.flags.writeable
    assert foreign_back(tmp_path, "whole:red")[444, 317].tolist() == [30, 20, 200]


@pytest.mark.parametrize("outline_px", [0, 3, 8, 14])
def test_outlines_go_and_paper_reaches_the_edge(outline_px: int) -> None:
    picture = print_on_paper(art(outline_px, (226, 241, 247)))
    print_px = (picture != (226, 241, 247)).any(axis=2)
    assert not print_px[:390].any()  # the corners too, which were transparent
    assert print_px[400:481, 280:351].all()


def test_print_to_the_edge_stays() -> None:
    picture = np.full((889, 635, 4), (160, 40, 20, 255), np.uint8)
    picture[:, ::2, :3] = 255
    assert (print_on_paper(picture) == picture[..., :3]).all()


def test_a_picture_of_another_size_is_refused(tmp_path: Path) -> None:
    write_deck(tmp_path, "whole")
    cv2.imwrite(str(tmp_path / "whole" / "As.png"), np.zeros((100, 70, 4), np.uint8))
    with pytest.raises(InputError, match=r"As\.png.*want 889 x 635"):
        foreign_face(tmp_path, "whole", ACE)
    with pytest.raises(InputError, match=r"Ks\.png.*cannot be read"):
        foreign_face(tmp_path, "nowhere", Card.parse("Ks"))


def test_splits_share_no_deck() -> None:
    names = tuple(source.deck for source in SOURCES)
    train, test = foreign_of_split(names, "train"), foreign_of_split(names, "test")
    assert set(test) == set(RESERVED_DECKS)
    assert set(train) | set(test) == set(names) == set(foreign_of_split(names, "any"))
    assert foreign_of_split(("bellot:red", "aguilar:red"), "test") == ("bellot:red",)


def test_every_source_names_52_drawings() -> None:
    assert len({source.deck for source in SOURCES}) == len(SOURCES)
    for source in SOURCES:
        assert len({source.face.of(card) for card in DECK}) == 52
    assert str(Drawing("deck.svg", "{suit}_{rank}").of(Card.parse("Td"))) == "deck.svg#diamond_10"


def test_fetching_makes_a_whole_deck_and_only_once(tmp_path: Path) -> None:
    told: list[str] = []
    machine, folder = fake_machine(tmp_path), tmp_path / "decks"
    assert fetch_decks(folder, told.append, machine) == ["kennard"] == list(foreign_decks(folder))
    assert [path.name for path in folder.iterdir()] == ["kennard"]  # nothing half done is left
    assert deck_sheet(folder, "kennard").version == "0.5.0"
    assert may_be_published(folder, "kennard")
    assert (folder / "kennard" / "LICENCE").read_text() == "CC0"
    assert any("kennard-jumbo: left out" in line and "missing" in line for line in told)
    assert any("apt-get install gnome-cards-data" in line for line in told)
    made = (folder / "kennard" / "As.png").stat().st_mtime_ns
    assert fetch_decks(folder, told.append, machine) == ["kennard"]
    assert (folder / "kennard" / "As.png").stat().st_mtime_ns == made


def test_an_empty_drawing_costs_the_deck(tmp_path: Path) -> None:
    told: list[str] = []
    machine, folder = fake_machine(tmp_path), tmp_path / "decks"
    (tmp_path / "bin" / KENNARD.face.of(ACE).file).write_text("empty", encoding="utf-8")
    with pytest.raises(InputError, match="no deck could be fetched"):
        fetch_decks(folder, told.append, machine)
    assert any(line.startswith("kennard: left out") and "AS.svg: empty" in line for line in told)
    assert not any(folder.iterdir())


def test_a_deck_that_lacks_cards_is_left_alone(tmp_path: Path) -> None:
    write_deck(tmp_path, "kennard", lacks="7c")
    with pytest.raises(InputError, match="lacks some cards: remove it"):
        make_deck(tmp_path, KENNARD, "1", tmp_path, Tools())


def test_missing_tools_are_named(tmp_path: Path) -> None:
    told: list[str] = []
    machine = fake_machine(tmp_path)
    with pytest.raises(InputError, match=r"rsvg-convert: cannot be run.*apt-get install librsvg2-bin"):
        fetch_decks(tmp_path / "a", told.append, replace(machine, rsvg_convert=str(tmp_path / "rsvg-convert")))
    with pytest.raises(InputError, match="no deck could be fetched"):
        fetch_decks(tmp_path / "a", told.append, replace(machine, npm=str(tmp_path / "npm")))
    assert any("apt-get install npm" in line for line in told)
    with pytest.raises(InputError, match="apt-get install gnome-cards-data"):
        installed_version(GNOME, machine)


def test_npm_without_network_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    machine = fake_machine(tmp_path)
    deaf = replace(machine, npm=write_tool(tmp_path / "bin" / "deaf-npm", DEAF_NPM))
    with pytest.raises(InputError, match="no deck could be fetched"):
        fetch_decks(tmp_path / "decks", told.append, deaf)
    assert any("ENOTFOUND" in line and "warn" not in line for line in told)


@needs_rsvg
def test_a_card_is_found_wherever_it_is_drawn(tmp_path: Path) -> None:
    card = '<g id="spade_1"><rect x="900" y="700" width="63.5" height="88.9" fill="white"/>'
    pip = '<rect x="927" y="740" width="9" height="9" fill="red"/></g>'
    (tmp_path / "deck.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="800">{card}{pip}</svg>', encoding="utf-8"
    )
    picture = render(Drawing("deck.svg", "spade_1"), tmp_path, Tools())
    assert picture.shape == (889, 635, 4)
    assert picture[..., 3].min() > 128
    assert picture[445, 315].tolist() == [0, 0, 255, 255]
    red = np.argwhere(picture[..., 1] < 128)
    assert np.abs(red.min(axis=0) - (400, 270)).max() <= 4
