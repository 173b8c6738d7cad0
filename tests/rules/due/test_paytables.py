"""Every row of every paytable of every game, paid by the engine on a hand made for it."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import pytest

from vision.rules.book.game import Game, game_ids, load_game
from vision.rules.book.gamechecks import specimen
from vision.rules.hands.ranking import Ranking
from vision.rules.hands.spread import Spread
from vision.rules.text.gamefile import ClassSpec, Table
from vision.rules.text.pays import Kind
from vision.values.cards import DECK, Card, Hand

Case = tuple[str, str, str, int]  # game, paytable group, letter, row


def cases() -> Iterator[Case]:
    for game_id in game_ids():
        for group, tables in load_game(game_id).file.pay.items():
            for letter, table in tables.tables.items():
                for i in range(len(table.rows)):
                    yield game_id, group, letter, i


def hand_of(game: Game, group: str, table: Table) -> str:
    rows = [row for wager in game.file.wager for row in wager.settle if row.table == group]
    return table.hand or next((row.hand for row in rows if row.hand), game.file.main_hand)


def class_spec(game: Game, rank: str, cls: str) -> ClassSpec:
    spec = game.file.rank[rank]
    return next(entry for entry in [*spec.order, *spec.also] if entry.id == cls)


def filled(made: Hand, size: int, ranking: Ranking, above: list[str], cls: str) -> Hand:
    """Add cards to a made part until the hand has its size, without making it a better one."""
    if len(made) >= size:
        return made
    spare = [card for card in DECK if card not in made]
    for added in combinations(spare, size - len(made)):
        hand = (*made, *added)
        spread = Spread.of(hand)
        if ranking.first(spread, above) is None and ranking.contains(spread, cls):
            return hand
    raise AssertionError(f"no hand of {size} cards is a {cls} and nothing above it")


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: "-".join(map(str, case)))
def test_every_row_pays_its_own_hand(case: Case) -> None:
    game_id, group, letter, i = case
    game = load_game(game_id)
    table = game.letters(group)[letter]
    row = table.rows[i]
    hand = game.file.hand[hand_of(game, group, table)]
    ranking = game.rankings[hand.rank]
    size = sum(game.file.counts[zone] for zone in hand.cards)
    made = specimen(class_spec(game, hand.rank, row.cls))
    cards = filled(made, size, ranking, [above.cls for above in table.rows[:i]], row.cls)
    assert ranking.first(Spread.of(cards), table.by_class) == row.cls


@pytest.mark.parametrize("game_id", game_ids())
def test_pays_do_not_rise_down_a_table(game_id: str) -> None:
    """A better hand is never paid less. The one exception is printed: aces and queens in Frenzy (Q-6)."""
    for group, tables in load_game(game_id).file.pay.items():
        for letter, table in tables.tables.items():
            odds = [
                Fraction(row.pay.numerator, row.pay.denominator)
                for row in table.rows
                if row.pay.kind in (Kind.TO, Kind.FOR) and row.cls != "two_aces_and_two_queens"
            ]
            if (group, letter) == ("all_six_printed", "A"):
                continue  # the misprint of Q-7, on purpose
            assert odds == sorted(odds, reverse=True), f"{group} {letter}"


def test_a_specimen_is_a_hand() -> None:
    assert all(isinstance(card, Card) for card in specimen(class_spec(load_game("four-card-poker/md"), "four", "pair")))
