"""Player against dealer, exactly: how often the lower of two hands dealt from one deck is of each class.

Five cards against six from the same 52 is 2.8e13 deals, too many to walk. Two facts make it minutes shorter:

1. The lower hand is at least of class c just when both are. So only deals with *both at least c* are counted,
   and ties are taken off afterwards.
2. The dealer hands that avoid a player's five cards are found by inclusion and exclusion over the subsets of those
   five: `N(S)`, the number of dealer hands of at least class c that contain S, is tabled for every S once.
"""

from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from vision.rules.odds.arrays import Ints, Spreads, all_hands, class_shift, hands_of_six, strengths
from vision.rules.text.gamefile import RankSpec
from vision.values.cards import SUITS

PLAYER, DEALER, DECK_SIZE = 5, 6, 52
DEALS = comb(DECK_SIZE, PLAYER) * comb(DECK_SIZE - PLAYER, DEALER)
SUIT_SHIFT = 16  # a whole hand as one number: a 16-bit rank mask per suit


@dataclass(frozen=True, slots=True)
class LowerHand:
    """Of all deals, in how many the lower hand is of a class, and in how many both are equal in it."""

    beaten: int
    tied: int


def lower_hands(spec: RankSpec, least: str) -> dict[str, LowerHand]:
    """Count the deals by the class of the lower hand, for the classes from `least` up."""
    weights = {cls.id: len(spec.order) - i for i, cls in enumerate(spec.order)}
    classes = [cls.id for cls in spec.order if weights[cls.id] >= weights[least]]
    players = Spreads.of(all_hands(PLAYER))
    codes = strengths(spec, players)
    shift = class_shift(spec)
    tables, dealers = _dealer_tables(spec, players, weights[least])
    both = {name: _both(codes >> shift, tables, weights[name]) for name in classes}
    tied = _ties(spec, players, codes, dealers, weights[least])
    found = {}
    for stronger, name in zip([None, *classes], classes, strict=False):
        ties = tied.get(weights[name], 0)
        found[name] = LowerHand(both[name] - (both[stronger] if stronger else 0) - ties, ties)
    return found


@dataclass(frozen=True, slots=True)
class _Dealers:
    """The dealer hands of the classes that matter, by strength."""

    codes: Ints
    masks: Ints


def _dealer_tables(spec: RankSpec, players: Spreads, least: int) -> tuple[dict[int, Ints], _Dealers]:
    """Table, per class weight, how many dealer hands of that class contain each five-card set."""
    size = comb(DECK_SIZE, PLAYER)
    tables = {weight: np.zeros(size, np.int64) for weight in range(least, len(spec.order) + 1)}
    without = _ranks_without_one()
    kept: list[tuple[Ints, Ints]] = []
    for last, rows in hands_of_six():
        spreads = players.with_card(last, rows)
        codes = strengths(spec, spreads)
        weights = codes >> class_shift(spec)
        for weight, table in tables.items():
            chosen = np.flatnonzero(weights == weight)
            table[chosen] += 1
            for ranks in without:
                table[:] += np.bincount(ranks[chosen] + comb(last, PLAYER), minlength=size)
        great = weights >= least
        kept.append((codes[great], _hand_masks(spreads.at(great))))
    return tables, _Dealers(np.concatenate([codes for codes, _ in kept]), np.concatenate([mask for _, mask in kept]))


def _ranks_without_one() -> list[Ints]:
    """Return, for each of a five-card hand's cards, the rank of the other four in colexicographic order."""
    hands = all_hands(PLAYER)
    return [_ranks(hands[:, [i for i in range(PLAYER) if i != left_out]]) for left_out in range(PLAYER)]


def _ranks(sets: NDArray[np.uint8]) -> Ints:
    """Return the row numbers of card sets among all sets of their size."""
    binomial = np.array([[comb(card, k) for k in range(PLAYER + 1)] for card in range(DECK_SIZE)])
    ranks: Ints = np.zeros(len(sets), np.int64)
    for k in range(sets.shape[1]):
        ranks += binomial[sets[:, k], k + 1]
    return ranks


def _both(player_weights: Ints, tables: dict[int, Ints], weight: int) -> int:
    """Count the deals in which both hands are of a class or higher."""
    containing = {PLAYER: sum((table for w, table in tables.items() if w >= weight), start=np.zeros(1, np.int64))}
    for size in range(PLAYER - 1, -1, -1):  # each dealer hand over a set is met once per card it has beside it
        containing[size] = _shrink(containing[size + 1], size) // (DEALER - size)
    hands = all_hands(PLAYER)[player_weights >= weight]
    deals = 0
    for size in range(PLAYER + 1):
        for columns in combinations(range(PLAYER), size):
            deals += (-1) ** size * int(containing[size][_ranks(hands[:, list(columns)])].sum())
    return deals


def _shrink(containing: Ints, size: int) -> Ints:
    """Sum a table over all sets of one card more."""
    larger = all_hands(size + 1)
    smaller = np.zeros(comb(DECK_SIZE, size), np.int64)
    for left_out in range(size + 1):
        ranks = _ranks(larger[:, [i for i in range(size + 1) if i != left_out]])
        smaller += np.bincount(ranks, weights=containing, minlength=len(smaller)).astype(np.int64)
    return smaller


def _ties(spec: RankSpec, players: Spreads, codes: Ints, dealers: _Dealers, least: int) -> dict[int, int]:
    """Count the deals with two equal hands, by class weight. Suits are interchangeable: one hand stands for many."""
    chosen = np.flatnonzero(codes >> class_shift(spec) >= least)
    keys, first, times = np.unique(_suitless(players.at(chosen)), return_index=True, return_counts=True)
    player_codes = codes[chosen][first]
    order = np.argsort(dealers.codes, kind="stable")
    sorted_codes, sorted_masks = dealers.codes[order], dealers.masks[order]
    starts = np.searchsorted(sorted_codes, player_codes, side="left")
    ends = np.searchsorted(sorted_codes, player_codes, side="right")
    tied: dict[int, int] = {}
    for key, code, times_seen, start, end in zip(keys, player_codes, times, starts, ends, strict=True):
        disjoint = int(np.count_nonzero((sorted_masks[start:end] & key) == 0))
        weight = int(code) >> class_shift(spec)
        tied[weight] = tied.get(weight, 0) + disjoint * int(times_seen)
    return tied


def _hand_masks(spreads: Spreads) -> Ints:
    return _joined(spreads, tuple(range(len(SUITS))))


def _suitless(spreads: Spreads) -> Ints:
    """Return one representative for all hands that differ by a change of suits."""
    masks = [_joined(spreads, order) for order in permutations(range(len(SUITS)))]
    return np.asarray(np.minimum.reduce(masks))


def _joined(spreads: Spreads, order: tuple[int, ...]) -> Ints:
    """Write a hand as one number, its suits in the given order."""
    joined: Ints = np.zeros(len(spreads), np.int64)
    for i, suit in enumerate(order):
        joined |= spreads.suits[:, suit].astype(np.int64) << SUIT_SHIFT * i
    return joined
