"""All hands at once: the classes and strengths of a ranking over millions of hands, as NumPy arrays.

A second implementation of the patterns in `spread`, made for enumeration; the tests hold the two against each other.
Hands are rows in colexicographic order, so a row's number is the hand's rank in the combinatorial number system.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.rules.hands.ranking import size_of
from vision.rules.hands.spread import ACE, BLACK, LOW_ACE, rank_set
from vision.rules.text.gamefile import ClassSpec, RankSpec, Row
from vision.values.cards import DECK, SUITS, VALUE

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
DIGIT_BITS = 4  # a rank fits; five of them and the class make a strength code
CARD_RANK = np.array([VALUE[card.rank] for card in DECK])
CARD_SUIT = np.array([SUITS.index(card.suit) for card in DECK])
NOT_PAID = -1


@cache
def all_hands(size: int) -> NDArray[np.uint8]:
    """Return every hand of a size, one row of ascending card numbers each, in colexicographic order."""
    if size == 0:
        return np.zeros((1, 0), np.uint8)
    smaller = all_hands(size - 1)
    rows = [
        np.column_stack([smaller[: comb(last, size - 1)], np.full(comb(last, size - 1), last, np.uint8)])
        for last in range(size - 1, len(DECK))
    ]
    return np.concatenate(rows)


@dataclass(frozen=True, slots=True)
class Spreads:
    """Many hands by rank and suit: `counts` has a column per rank, `suits` a mask per suit."""

    counts: NDArray[np.uint8]
    suits: NDArray[np.uint16]

    @classmethod
    def of(cls, hands: NDArray[np.uint8]) -> "Spreads":
        """Lay the hands out."""
        rows = np.arange(len(hands))
        counts = np.zeros((len(hands), ACE + 1), np.uint8)
        suits = np.zeros((len(hands), len(SUITS)), np.uint16)
        for column in hands.T:
            counts[rows, CARD_RANK[column]] += 1
            suits[rows, CARD_SUIT[column]] |= (1 << CARD_RANK[column]).astype(np.uint16)
        return cls(counts, suits)

    def __len__(self) -> int:
        return len(self.counts)

    def with_card(self, card: int, rows: int) -> "Spreads":
        """Return the first rows with one more card."""
        counts, suits = self.counts[:rows].copy(), self.suits[:rows].copy()
        counts[:, CARD_RANK[card]] += 1
        suits[:, CARD_SUIT[card]] |= np.uint16(1 << CARD_RANK[card])
        return Spreads(counts, suits)

    def at(self, chosen: Bools | Ints) -> "Spreads":
        """Return some of the hands."""
        return Spreads(self.counts[chosen], self.suits[chosen])

    def mask(self) -> NDArray[np.uint16]:
        """Return which ranks are there at all."""
        clubs, diamonds, hearts, spades = self.suits.T
        return np.asarray(clubs | diamonds | hearts | spades)


def contains(spec: ClassSpec, spreads: Spreads) -> Bools:
    """Tell which hands contain a class (not for `high`, which needs the whole ranking)."""
    if spec.kinds is not None:
        return _groups(spec, spreads)[0]
    if spec.run is not None:
        return _run_tops(spec, spreads) > 0
    if spec.has is not None:
        return _has(spec, spreads)
    if spec.colour is not None:
        size = spreads.counts.sum(axis=1, dtype=np.int64)
        black = np.bitwise_count(spreads.suits[:, [SUITS.index(suit) for suit in BLACK]]).sum(axis=1, dtype=np.int64)
        return np.asarray(np.maximum(black, size - black) >= spec.colour)
    if spec.any:
        return np.ones(len(spreads), bool)
    return np.asarray(np.bitwise_count(spreads.suits).max(axis=1) >= int(spec.suited))


def strengths(spec: RankSpec, spreads: Spreads) -> Ints:
    """Return a code per hand that orders hands as the ranking does; its class is `code >> class_shift(spec)`."""
    codes = np.zeros(len(spreads), np.int64)
    left = np.arange(len(spreads))
    for weight, cls in zip(range(len(spec.order), 0, -1), spec.order, strict=True):
        rest = spreads.at(left)
        found = contains(cls, rest)
        codes[left[found]] = (weight << class_shift(spec)) + _digits(spec, cls, rest.at(found))
        left = left[~found]
    return codes


def class_shift(spec: RankSpec) -> int:
    """Return how far left the class stands in a strength code."""
    return DIGIT_BITS * spec.pick


def paid_rows(spec: RankSpec, rows: list[Row], spreads: Spreads) -> Ints:
    """Return per hand the number of the paytable row that pays, or NOT_PAID."""
    paid = np.full(len(spreads), NOT_PAID)
    classes = {cls.id: cls for cls in [*spec.order, *spec.also]}
    for i, row in reversed(list(enumerate(rows))):
        if row.cls in classes:
            paid[_contains_or_high(spec, classes[row.cls], spreads)] = i
    return paid


def _contains_or_high(spec: RankSpec, cls: ClassSpec, spreads: Spreads) -> Bools:
    if cls.high is None:
        return contains(cls, spreads)
    codes = strengths(spec, spreads)
    lowest = codes >> class_shift(spec) == 1
    top = codes >> (class_shift(spec) - DIGIT_BITS) & ((1 << DIGIT_BITS) - 1)
    return np.asarray(lowest & (top == VALUE[cls.high]))


def _groups(spec: ClassSpec, spreads: Spreads) -> tuple[Bools, list[Ints]]:
    """Find groups of equal rank as `spread.kinds` does: highest rank first, no rank twice."""
    counts = spreads.counts.copy()
    rows = np.arange(len(counts))
    found = np.ones(len(counts), bool)
    made: list[Ints] = []
    for i, size in enumerate(spec.kinds or ()):
        allowed = rank_set(spec.of[i] if spec.of else None)
        fits = counts >= size
        fits[:, [rank for rank in range(ACE + 1) if rank not in allowed]] = False
        top = ACE - fits[:, ::-1].argmax(axis=1)
        found &= fits.any(axis=1)
        counts[rows, top] = 0
        made.append(top)
    return found, made


def _run_tops(spec: ClassSpec, spreads: Spreads) -> Ints:
    """Return the top rank of each hand's highest run, 0 where it has none."""
    suits = [SUITS.index(suit) for suit in spec.suit or SUITS]
    masks = spreads.suits[:, suits] if spec.suited else spreads.mask()[:, None]
    masks = masks.astype(np.uint32)
    masks |= (masks >> ACE & 1) << LOW_ACE
    for _ in range((spec.run or 1) - 1):
        masks &= masks << 1
    if spec.top is not None:
        masks &= np.uint32(1 << VALUE[spec.top])
    best = masks.max(axis=1)
    return np.asarray(_bit_length(best) - (best > 0))


def _bit_length(masks: NDArray[Any]) -> Ints:
    return np.asarray(np.frexp(masks.astype(np.float64))[1], np.int64)


def _has(spec: ClassSpec, spreads: Spreads) -> Bools:
    masks = spreads.suits if spec.suited else spreads.mask()[:, None]
    fits = np.ones(masks.shape, bool)
    for group in spec.has or ():
        fits &= (masks & np.uint16(sum(1 << VALUE[rank] for rank in group))) > 0
    return np.asarray(fits.any(axis=1))


def _digits(spec: RankSpec, cls: ClassSpec, spreads: Spreads) -> Ints:
    """Return made part and kickers as digits, leftmost first."""
    counts = spreads.counts.copy()
    rows = np.arange(len(counts))
    made: list[Ints] = []
    if cls.kinds is not None:
        made = _groups(cls, spreads)[1]
        for top, size in zip(made, cls.kinds, strict=True):
            counts[rows, top] -= np.uint8(size)
    elif cls.run is not None:
        made = [_run_tops(cls, spreads)]
    elif not cls.any:
        return _packed(_flush_ranks(spec.pick, spreads), spec.pick)
    for _ in range(spec.pick - size_of(cls)):
        top = ACE - (counts[:, ::-1] > 0).argmax(axis=1)
        counts[rows, top] -= 1
        made.append(top)
    return _packed(made, spec.pick)


def _flush_ranks(pick: int, spreads: Spreads) -> list[Ints]:
    """Return the highest cards of each hand's flush suit."""
    suit = np.bitwise_count(spreads.suits).argmax(axis=1)
    mask = spreads.suits[np.arange(len(spreads)), suit].astype(np.int64)
    made: list[Ints] = []
    for _ in range(pick):
        top = _bit_length(mask) - 1
        mask -= 1 << top
        made.append(top)
    return made


def _packed(digits: list[Ints], pick: int) -> Ints:
    packed: Ints = np.zeros(len(digits[0]), np.int64)
    for i, digit in enumerate(digits):
        packed += digit << DIGIT_BITS * (pick - 1 - i)
    return packed


def hands_of_six() -> Iterator[tuple[int, int]]:
    """Yield (last card, number of five-card rows below it): with `with_card`, every six-card hand once."""
    for last in range(5, len(DECK)):
        yield last, comb(last, 5)
