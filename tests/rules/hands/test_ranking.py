"""Rankings against a second opinion: brute force over all k of n, written without the engine's patterns."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.rules.book.game import game_ids, load_game
from vision.rules.hands.spread import Spread
from vision.values.cards import DECK, VALUE, Hand, parse_hand

FOUR = load_game("four-card-poker/md").rankings["four"]
FIVE = load_game("four-card-poker/md").rankings["five"]
ORDER = {
    4: ["high_card", "pair", "two_pair", "straight", "flush", "three_of_a_kind", "straight_flush", "four_of_a_kind"],
    5: ["high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind"],
}
ORDER[5] += ["straight_flush", "royal_flush"]


def naive(cards: Hand) -> tuple[int, ...]:
    """Rank exactly four or five cards by counting, the way people do."""
    values = sorted((VALUE[card.rank] for card in cards), reverse=True)
    groups = sorted(Counter(values).items(), key=lambda group: (-group[1], -group[0]))
    shape = [size for _, size in groups]
    flush = len({card.suit for card in cards}) == 1
    low = [14, *range(len(cards), 1, -1)]
    top = len(cards) if values == low else values[0]
    straight = values == low or values == list(range(values[0], values[0] - len(cards), -1))
    if straight:
        name = "straight_flush" if flush else "straight"
        name = "royal_flush" if flush and len(cards) == 5 and top == 14 else name
        return (ORDER[len(cards)].index(name), top)
    name = {4: "four_of_a_kind", 3: "three_of_a_kind", 2: "pair", 1: "high_card"}[shape[0]]
    name = "two_pair" if shape[:2] == [2, 2] else "full_house" if shape == [3, 2] else name
    if flush and ORDER[len(cards)].index(name) < ORDER[len(cards)].index("flush"):
        return (ORDER[len(cards)].index("flush"), *values)
    return (ORDER[len(cards)].index(name), *(value for value, _ in groups))


def best(cards: Hand, pick: int) -> tuple[int, ...]:
    return max(naive(chosen) for chosen in combinations(cards, pick))


def hands(size: int) -> st.SearchStrategy[Hand]:
    """Draw hands from a few ranks and suits, so that great ones are common."""
    crowded = [card for card in DECK if card.rank in "A23456JQK"]
    some = st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True)
    many = st.lists(st.sampled_from(crowded), min_size=size, max_size=size, unique=True)
    return st.one_of(some, many).map(tuple)


@settings(max_examples=1000)
@given(one=hands(5), other=hands(6))
def test_four_card_ranking_agrees_with_brute_force(one: Hand, other: Hand) -> None:
    ours = [FOUR.standing(Spread.of(hand)) for hand in (one, other)]
    theirs = [best(hand, 4) for hand in (one, other)]
    assert [standing.cls for standing in ours] == [ORDER[4][key[0]] for key in theirs]
    assert (ours[0].strength > ours[1].strength) == (theirs[0] > theirs[1])
    assert (ours[0].strength == ours[1].strength) == (theirs[0] == theirs[1])


@settings(max_examples=1000)
@given(one=hands(6), other=hands(6))
def test_five_card_ranking_agrees_with_brute_force(one: Hand, other: Hand) -> None:
    ours = [FIVE.standing(Spread.of(hand)) for hand in (one, other)]
    theirs = [best(hand, 5) for hand in (one, other)]
    assert [standing.cls for standing in ours] == [ORDER[5][key[0]] for key in theirs]
    assert (ours[0].strength > ours[1].strength) == (theirs[0] > theirs[1])


@given(cards=hands(5), seed=st.randoms(use_true_random=False))
def test_the_order_of_cards_is_irrelevant(cards: Hand, seed: Random) -> None:
    shuffled = list(cards)
    seed.shuffle(shuffled)
    assert FOUR.standing(Spread.of(tuple(shuffled))) == FOUR.standing(Spread.of(cards))


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2c 2d 2h 2s 3c", "As Ks Qs Js 2d"),  # four of a kind beats a straight flush
        ("3d 4d 5d 2d 9c", "Ah 2h 3h 4h 9d"),  # A-2-3-4 is the lowest straight flush
        ("2c 3d 4h 5s 9c", "Ac 2d 3h 4s Kc"),  # and the lowest straight, in spite of its ace
        ("Kc Kd 4h 3s 2c", "5c 5d Ah Qs Jc"),  # the pair's rank comes before the kickers
        ("Kc Kd Ah 3s 2c", "Kh Ks Qh Js 9c"),  # equal pairs: the highest kicker
        ("2c 2d 2h 3s 4c", "As Ks Qs 2s 3d"),  # three of a kind beats a flush
        ("Ac Kc Qc 9c 2d", "Ad Kd Qd 8d 2c"),  # flushes by their cards in turn
        ("Ac Kd Qh Js 2c", "Kc Qd Jh Ts 2d"),  # straights by their top card
    ],
)
def test_higher_hand(higher: str, lower: str) -> None:
    up, down = (FOUR.standing(Spread.of(parse_hand(text))).strength for text in (higher, lower))
    assert up > down


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ac Kd Qh 9s 2c", "Ad Kh Qs 9c 8d"),  # the fifth card never breaks a tie
        ("Kc Kd Ah Qs 3c", "Kh Ks Ac Qd 9h"),  # nor beside a pair
        ("Ac 2c 3c 4c 9d", "Ad 2d 3d 4d 5h"),  # suits are equal
    ],
)
def test_ties(one: str, other: str) -> None:
    assert FOUR.standing(Spread.of(parse_hand(one))).strength == FOUR.standing(Spread.of(parse_hand(other))).strength


@pytest.mark.parametrize(
    ("cards", "cls", "found"),
    [
        ("Qc Kd Ah 2s 9c", "straight", False),  # no wrap around the ace
        ("Ac 2d 3h 4s 5c", "straight", True),  # five cards: the ace is low here too
        ("Kc Kd Kh 2s 2c", "three_of_a_kind", True),  # a full house contains three of a kind
        ("Ad Kd Qd Jd Td", "straight_flush", True),  # a royal flush contains a straight flush
        ("Ad Kd Qd Jd Td 9d", "super_royal_of_diamonds", True),
        ("Ah Kh Qh Jh Th 9h", "super_royal_of_diamonds", False),
        ("Ah Kh Qh Jh Th 9h", "super_royal", True),
        ("Kh Qh Jh Th 9h 8h", "super_royal", False),  # six in a row, but not to the ace
    ],
)
def test_contains_on_five(cards: str, cls: str, *, found: bool) -> None:
    assert FIVE.contains(Spread.of(parse_hand(cards)), cls) == found


@pytest.mark.parametrize(
    ("game", "rank", "cards", "cls", "found"),
    [
        ("cajun-stud/pa", "two", "Ac Jc", "suited_ace", True),
        ("cajun-stud/pa", "two", "Ac Jd", "suited_ace", False),
        ("cajun-stud/pa", "two", "Ac Tc", "unsuited_ace", False),  # a ten is no face card
        ("cajun-stud/pa", "three", "Ac Kc Qc", "mini_royal", True),
        ("cajun-stud/pa", "three", "Ac 2d 3h", "straight", True),
        ("cajun-stud/pa", "five", "7c 5d 4h 3s 2c", "seven_high", True),
        ("cajun-stud/pa", "five", "7c 5c 4c 3c 2c", "seven_high", False),  # a flush is no low hand
        ("cajun-stud/pa", "five", "6c 5d 4h 3s 2c", "seven_high", False),  # nor is a straight
        ("cajun-stud/pa", "five", "9c 9d 4h 3s 2c", "pair_of_sixes_to_tens", True),
        ("four-card-prime/pa", "four", "Ac Ks 9c 4s 2d", "four_of_one_colour", True),
        ("four-card-prime/pa", "four", "Ac Kd 9c 4s 2d", "four_of_one_colour", False),
        ("four-card-frenzy/pa", "four", "Ac Ad Qh Qs 2d", "two_aces_and_two_queens", True),
        ("four-card-frenzy/pa", "four", "Ac Ad Kh Ks 2d", "two_aces_and_two_queens", False),
    ],
)
def test_contains_elsewhere(game: str, rank: str, cards: str, cls: str, *, found: bool) -> None:
    assert load_game(game).rankings[rank].contains(Spread.of(parse_hand(cards)), cls) == found


@pytest.mark.parametrize("game_id", game_ids())
def test_the_last_class_takes_any_hand(game_id: str) -> None:
    for ranking in load_game(game_id).rankings.values():
        assert ranking.standing(Spread.of(parse_hand("2c 4d 6h 8s Tc 3d"[: 3 * ranking.pick - 1]))).cls
