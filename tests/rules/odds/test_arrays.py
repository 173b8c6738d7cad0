"""The vectorised evaluator against exact counts known elsewhere, and against the one-hand evaluator."""

from math import comb

import numpy as np
import pytest

from vision.rules.book.game import load_game
from vision.rules.hands.spread import Spread
from vision.rules.odds.arrays import Spreads, all_hands, class_shift, paid_rows, strengths
from vision.rules.text.gamefile import Row
from vision.rules.text.pays import Pay
from vision.values.cards import DECK

# exact counts over all hands, from an independent program
BEST_FOUR_OF_FIVE = {
    "four_of_a_kind": 624,
    "straight_flush": 2_072,
    "three_of_a_kind": 58_656,
    "flush": 114_616,
    "straight": 101_808,
    "two_pair": 123_552,
    "pair": 1_047_552,
    "high_card": 1_150_080,
}
FIVE_OF_FIVE = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pair": 123_552,
    "pair": 1_098_240,
    "high_card": 1_302_540,
}
THREE_CARDS = {
    "mini_royal": 4,
    "straight_flush": 44,
    "three_of_a_kind": 52,
    "straight": 720,
    "flush": 1_096,
    "pair": 3_744,
}
LOW_HANDS = {"seven_high": 4_080, "eight_high": 14_280, "nine_high": 34_680, "ten_high": 70_380, "jack_high": 127_500}
COLOURS = {"five_of_one_colour": 131_560, "four_of_one_colour": 777_400}
POCKET = {"pair_of_aces": 6, "suited_ace": 12, "unsuited_ace": 36, "pair": 72}


def counts(game: str, rank: str, cards: int, classes: dict[str, int]) -> dict[str, int]:
    """Count over all hands of a size which of the classes is the first that they contain."""
    rows = [Row(cls=cls, pay=Pay.parse("1 to 1")) for cls in classes]
    paid = paid_rows(load_game(game).file.rank[rank], rows, Spreads.of(all_hands(cards)))
    return {cls: int(np.count_nonzero(paid == i)) for i, cls in enumerate(classes)}


@pytest.mark.parametrize(
    ("game", "rank", "cards", "want"),
    [
        ("four-card-poker/md", "four", 5, BEST_FOUR_OF_FIVE),
        ("four-card-poker/md", "five", 5, FIVE_OF_FIVE),
        ("cajun-stud/pa", "three", 3, THREE_CARDS),
        ("cajun-stud/pa", "two", 2, POCKET),
        ("cajun-stud/pa", "five", 5, LOW_HANDS),
        ("four-card-prime/pa", "four", 5, COLOURS),
    ],
)
def test_exact_counts(game: str, rank: str, cards: int, want: dict[str, int]) -> None:
    assert counts(game, rank, cards, want) == want


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5])
def test_a_row_number_is_the_hands_rank(size: int) -> None:
    hands = all_hands(size)
    ranks = sum((np.array([comb(int(card), k + 1) for card in hands[:, k]]) for k in range(size)), start=np.zeros(1))
    assert len(hands) == comb(52, size)
    assert np.array_equal(np.broadcast_to(ranks, len(hands)), np.arange(len(hands)))


@pytest.mark.parametrize(("rank", "cards"), [("four", 5), ("four", 6), ("five", 5), ("five", 6)])
def test_both_evaluators_order_hands_alike(rank: str, cards: int) -> None:
    game = load_game("four-card-poker/md")
    random = np.random.default_rng(4)
    hands = np.sort(random.permuted(np.tile(np.arange(52), (4000, 1)), axis=1)[:, :cards], axis=1).astype(np.uint8)
    codes = strengths(game.file.rank[rank], Spreads.of(hands))
    standings = [game.rankings[rank].standing(Spread.of(tuple(DECK[card] for card in hand))) for hand in hands]
    by_code = sorted(zip(codes.tolist(), (standing.strength for standing in standings), strict=True))
    assert [strength for _, strength in by_code] == sorted(standing.strength for standing in standings)
    weights = codes >> class_shift(game.file.rank[rank])
    assert weights.tolist() == [standing.strength[0] for standing in standings]
