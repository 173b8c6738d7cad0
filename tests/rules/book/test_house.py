"""Houses and their sheets: what may be chosen, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from vision.rules.book.game import load_game
from vision.rules.book.house import House
from vision.rules.book.sheet import read_sheet
from vision.values.errors import InputError
from vision.values.resources import shipped

SHEETS = sorted((shipped("calibration") / "houses").glob("*.toml"))


@pytest.mark.parametrize(
    ("game", "paytable", "options", "message"),
    [
        ("four-card-poker/md", {"aces_up": "G"}, {}, "paytable.aces_up: 'G': want one of A, B, C, D, E, F"),
        (
            "four-card-poker/md",
            {"bad_beat": "BBB-01"},
            {},
            "paytable.bad_beat: 'BBB-01': four-card-poker/md has no such",
        ),
        # the bonus and Aces Up of South Dakota are one pair
        (
            "four-card-poker/sd",
            {"aces_up": "FCP-01", "ante_bonus": "FCP-02"},
            {},
            "one pair with aces_up: want 'FCP-01'",
        ),
        (
            "four-card-poker/md",
            {},
            {"folded": True},
            "options.folded: unknown option: want one of folded_progressive_live",
        ),
        ("four-card-poker/md", {}, {"folded_envy_live": 1}, "options.folded_envy_live: 1: want one of true, false"),
        (
            "four-card-poker/sd",
            {},
            {"progressive_basis": "four"},
            "options.progressive_basis: 'four': want one of best4, five",
        ),
        # a payout limit below what the text allows
        ("four-card-prime/pa", {}, {"payout_cap_cents": 100}, "options.payout_cap_cents: 100: want 5000000 or more"),
        ("four-card-prime/pa", {}, {"payout_cap_cents": "all"}, "options.payout_cap_cents: 'all': want a whole number"),
        # Washington deals face up where it is allowed to, Maryland never
        (
            "four-card-poker/md",
            {},
            {"cards_dealt_face_up": True},
            "options.cards_dealt_face_up: True: want one of false",
        ),
    ],
)
def test_a_bad_choice_is_refused(game: str, paytable: dict[str, str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        House.choose(load_game(game), paytable, options)
    assert message in str(caught.value)


def test_a_pair_is_chosen_by_one_half() -> None:
    house = House.choose(load_game("four-card-poker/wa"), {"aces_up": "FCP-08"}, {})
    assert house.letters["ante_bonus"] == "FCP-08"


def test_a_table_of_a_text_we_lack_may_be_named() -> None:
    house = House.choose(load_game("four-card-poker/pa"), {"aces_up": "D", "progressive": "A"}, {})
    assert house.table("aces_up") is None
    assert house.table("progressive") is None


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_the_shipped_sheets_are_sound(path: Path) -> None:
    assert read_sheet(path).house.offered


def test_there_are_sheets_to_test() -> None:
    assert len(SHEETS) >= 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('aces_up = "D"\n', "", "paytable.aces_up: missing: aces_up needs one of A, B, C, D, E, F"),
        ('six_card = "B"\n', "", "paytable.six_card: missing: six_card needs one of A, B"),
        (
            'offered = ["six_card", "progressive"]',
            'offered = ["progressive"]',
            "paytable.six_card: 'B': six_card is not offered",
        ),
        ('offered = ["six_card"', 'offered = ["sixcard"', "offered[0]: 'sixcard': want one of six_card, progressive"),
        (
            'deal_method = "automated"',
            'deal_method = "shoe"',
            "deal_method: 'shoe': want one of manual_shoe, hand, automated",
        ),
        ("ante = [500, 50000]", "ante = [500]", "limits_cents.ante: [500]: want [least, most]"),
        ("ante = [500, 50000]", "anti = [500, 50000]", "limits_cents.anti: no such wager: want one of ante"),
        ("ante = [500, 50000]", "ante = [-5, 50000]", "limits_cents.ante[0]: -5:"),
        ("[100, 500, 2500, 10000, 50000]", "[500, 100]", "chips_cents: [500, 100]: want denominations in rising order"),
        ("automatic = true", "automatic = false", "decks: 2: two decks need an automatic shuffler"),
        ('mode = "down"', 'mode = "bankers"', "rounding.mode: 'bankers'"),
        ('game = "four-card-poker/md"', 'game = "four-card-poker/nj"', "game: 'four-card-poker/nj': want one of"),
        ("boxes_per_player = 2", "boxes = 2", "boxes: 2: unknown key"),
    ],
)
def test_a_bad_sheet_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (shipped("calibration") / "houses" / "maryland.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "sheet.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_sheet(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_what_is_printed_as_one_table_is_chosen_as_one(tmp_path: Path) -> None:
    text = (shipped("calibration") / "houses" / "south-dakota.toml").read_text(encoding="utf-8")
    path = tmp_path / "sheet.toml"
    path.write_text(text.replace('envy = "PMG-01"', 'envy = "FCPP-1"'), encoding="utf-8")
    with pytest.raises(InputError, match=r"paytable\.envy: 'FCPP-1': printed with progressive: want 'PMG-01'"):
        read_sheet(path)
