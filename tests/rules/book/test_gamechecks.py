"""What the loader refuses, and how it says so: file, field, value, wish."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vision.rules.book.game import game_ids, load_game, read_game
from vision.rules.book.gamechecks import specimen
from vision.rules.hands.spread import Spread
from vision.values.errors import InputError
from vision.values.resources import GAMES

Breakage = Callable[[str], str]
MD = GAMES / "four-card-poker" / "md.toml"


def swap(old: str, new: str) -> Breakage:
    def change(text: str) -> str:
        assert old in text, f"the test's own anchor is gone: {old}"
        return text.replace(old, new, 1)

    return change


@pytest.mark.parametrize(
    ("breakage", "message"),
    [
        # an unknown key
        (swap("seats_max = 7", "seats_max = 7\nseat_max = 7"), "game.seat_max: 7: unknown key"),
        # a key that is missing
        (swap('cite = "MD ch.2 §A(1)"', ""), "game.cite: missing"),
        # a pay nobody can read
        (swap('"25 to 1"', '"25:1"'), "pay.ante_bonus.tables.only.rows[0].pay: '25:1': not a pay"),
        # a class that no ranking has
        (
            swap('["flush", "6 to 1", "(d)"]', '["flsh", "6 to 1", "(d)"]'),
            "pay.aces_up.A.rows[3]: 'flsh': no such class",
        ),
        # a row that an earlier row swallows
        (
            swap('["pair_of_aces", "1 to 1", "(g)"]', '["four_of_a_kind", "1 to 1", "(g)"]'),
            "pay.aces_up.A.rows[6]: 'four_of_a_kind': never paid, four_of_a_kind above takes every such hand",
        ),
        (
            swap(
                '["four_aces", "100% main", "(i)"],\n    ["four_of_a_kind", "300 for 1", "(ii)"]',
                '["four_of_a_kind", "300 for 1", "(ii)"],\n    ["four_aces", "100% main", "(i)"]',
            ),
            "pay.progressive.A.rows[1]: 'four_aces': never paid, four_of_a_kind above takes every such hand",
        ),
        # a "to" pay on a stake that was taken before the deal
        (
            swap('["three_of_a_kind", "9 for 1", "(iv)"]', '["three_of_a_kind", "9 to 1", "(iv)"]'),
            "pay.progressive.A.rows[3]: '9 to 1': the stake is already taken; want 'for'",
        ),
        # a void that forgets a wager
        (
            swap(
                'refund = ["ante", "play", "aces_up", "six_card", "progressive"]',
                'refund = ["ante", "play", "aces_up"]',
            ),
            "irregular[0]: 'card-faced-in-deck': the void must refund or still settle six_card, one of the two",
        ),
        # names that lead nowhere
        (swap('placed = "decision"', 'placed = "decison"'), "wager.play.placed: 'decison': want one of betting"),
        (
            swap('needs_all = ["ante", "aces_up"]', 'needs_all = ["ante", "acesup"]'),
            "wager.six_card: 'acesup': want one of",
        ),
        (
            swap('table = "six_card", hand = "six"', 'table = "six_card", hand = "sixth"'),
            "wager.six_card.settle[0].hand: 'sixth'",
        ),
        (swap('table = "aces_up", hand', 'table = "aces", hand'), "wager.aces_up.settle[0].table: 'aces': want one of"),
        (swap('from = ["dealer.hand"]', 'from = ["dealer.hnd"]'), "hand.dealer.from[0]: 'dealer.hnd'"),
        (
            swap("folded_progressive_live = true }", "folded_live = true }"),
            "wager.progressive.fold[0].option: 'folded_live': no such",
        ),
        (
            swap("folded_progressive_live = true }", 'folded_progressive_live = "yes" }'),
            "folded_progressive_live: 'yes': want one of",
        ),
        # a wager without a place in the settlement order
        (swap('["aces_up"], ["six_card"]', '["six_card"]'), "wager: 'aces_up': want one of ante"),
        # a deal that comes out with the wrong number of cards
        (swap("each = 6", "each = 7"), "deal.automated: 7 cards to dealer.hand: want 6"),
        # a ranking that cannot place every hand
        (
            swap('{ id = "high_card", any = true, cite = "MD ch.6 §D" },\n', ""),
            "rank.four.order: 'pair': want a last class",
        ),
        # a class that asks two questions at once
        (swap("kinds = [4], cite", "kinds = [4], run = 4, cite"), "want exactly one of kinds, run, suited"),
        # a card rank that does not exist
        (swap('of = [["A"]]', 'of = [["1"]]'), "'1': not a rank: want one of 2 3 4"),
        # not TOML at all
        (lambda text: text + "\n[[[", "not a TOML file"),
    ],
)
def test_a_bad_game_file_is_refused(tmp_path: Path, breakage: Breakage, message: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(breakage(MD.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_game(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_a_missing_game_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: cannot be read: No such file"):
        read_game(tmp_path / "none.toml")


def test_an_unknown_game_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="'blackjack/nv': want one of cajun-stud/pa"):
        load_game("blackjack/nv")


@pytest.mark.parametrize("game_id", game_ids())
def test_every_class_is_found_in_its_own_specimen(game_id: str) -> None:
    game = load_game(game_id)
    for name, spec in game.file.rank.items():
        for cls in [*spec.order, *spec.also]:
            assert game.rankings[name].contains(Spread.of(specimen(cls)), cls.id), f"{name}.{cls.id}"


def citations(document: Any, path: str = "") -> list[tuple[str, str]]:
    """Collect every entry of a game file with its citation."""
    found = []
    if isinstance(document, dict):
        if "cite" in document:
            found.append((path, document["cite"]))
        for key, value in document.items():
            found += citations(value, f"{path}.{key}")
    if isinstance(document, list):
        for i, value in enumerate(document):
            found += citations(value, f"{path}[{i}]")
    return found


@pytest.mark.parametrize("game_id", game_ids())
def test_citations_name_their_own_text(game_id: str) -> None:
    """A citation begins with the jurisdiction, or says that it is a reading or a house's choice."""
    place = game_id.split("/")[1].upper()
    own = (place, "A-", "RP", "house option", "no such wager")
    document = tomllib.loads((GAMES / f"{game_id}.toml").read_text(encoding="utf-8"))
    for path, cite in citations(document):
        assert cite.startswith(own), f"{path}: {cite}"
