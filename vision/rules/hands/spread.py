"""The cards of a hand laid out by rank and suit, and the patterns that a text can ask them to contain.

Cards enter; what leaves is, for each pattern, the ranks of the made part (highest instance), or None.
A pattern is a *contains* question: three of a kind is found in a full house too. The order of a paytable's
rows, or of a ranking, decides which of several found patterns counts.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from vision.values.cards import RANKS, SUITS, VALUE, Hand

Made = tuple[int, ...]
Pattern = Callable[["Spread"], Made | None]

ACE: Final = VALUE["A"]
LOW_ACE: Final = 1
BLACK: Final = "cs"
SUIT_INDEX: Final = {suit: i for i, suit in enumerate(SUITS)}


@dataclass(frozen=True, slots=True)
class Spread:
    """A hand by rank and suit. Bit r of a mask says that rank r is there; bit 1 is the ace played low."""

    cards: Hand
    ranks: Made  # highest first, one entry per card
    counts: tuple[int, ...]  # index = rank
    suits: tuple[int, ...]  # a mask per suit, in the order of SUITS
    mask: int  # which ranks are there at all
    most_alike: int  # cards of the commonest rank: most patterns fail on this or the next number at once
    most_suited: int  # cards of the commonest suit

    @classmethod
    def of(cls, cards: Hand) -> "Spread":
        """Lay the cards out."""
        counts = [0] * (ACE + 1)
        suits = [0, 0, 0, 0]
        ranks = []
        for card in cards:
            rank = VALUE[card.rank]
            ranks.append(rank)
            counts[rank] += 1
            suits[SUIT_INDEX[card.suit]] |= 1 << rank
        ranks.sort(reverse=True)
        mask = suits[0] | suits[1] | suits[2] | suits[3]
        longest = max(map(int.bit_count, suits))
        return cls(cards, tuple(ranks), tuple(counts), tuple(suits), mask, max(counts), longest)


def ranks_in(mask: int) -> Made:
    """Return the ranks of a mask, highest first, the ace as high card only."""
    return tuple(rank for rank in range(ACE, LOW_ACE, -1) if mask >> rank & 1)


def run_tops(mask: int, length: int) -> int:
    """Return the ranks at which a run ends, as a mask. The ace ends a run at either side, never inside it."""
    mask |= (mask >> ACE & 1) << LOW_ACE
    for _ in range(length - 1):
        mask &= mask << 1  # a bit stays set where a run of one more rank ends
    return mask


def kinds(sizes: tuple[int, ...], of: tuple[frozenset[int], ...]) -> Pattern:
    """Ask for groups of equal rank, largest first, each of a rank in its set."""

    def find(spread: Spread) -> Made | None:
        if spread.most_alike < sizes[0]:
            return None
        made: list[int] = []
        for size, allowed in zip(sizes, of, strict=True):
            for rank in range(ACE, LOW_ACE, -1):
                if spread.counts[rank] >= size and rank in allowed and rank not in made:
                    made.append(rank)
                    break
            else:
                return None
        return tuple(made)

    return find


def run(length: int, top: int | None) -> Pattern:
    """Ask for consecutive ranks, of any suits, perhaps ending at one rank."""
    wanted = -1 if top is None else 1 << top

    def find(spread: Spread) -> Made | None:
        tops = run_tops(spread.mask, length) & wanted
        return (tops.bit_length() - 1,) if tops else None

    return find


def suited_run(length: int, top: int | None, suits: Iterable[str]) -> Pattern:
    """Ask for consecutive ranks of one suit, perhaps ending at one rank."""
    wanted = -1 if top is None else 1 << top
    indices = tuple(SUIT_INDEX[suit] for suit in suits)

    def find(spread: Spread) -> Made | None:
        if spread.most_suited < length:
            return None
        tops = max(run_tops(spread.suits[suit], length) & wanted for suit in indices)
        return (tops.bit_length() - 1,) if tops else None

    return find


def suited(count: int) -> Pattern:
    """Ask for so many cards of one suit; the made part is the highest of them."""

    def find(spread: Spread) -> Made | None:
        if spread.most_suited < count:
            return None
        return max(ranks_in(mask)[:count] for mask in spread.suits if mask.bit_count() >= count)

    return find


def coloured(count: int) -> Pattern:
    """Ask for so many cards of one colour."""

    def find(spread: Spread) -> Made | None:
        black = sum(card.suit in BLACK for card in spread.cards)
        return () if max(black, len(spread.cards) - black) >= count else None

    return find


def has(groups: tuple[frozenset[int], ...], *, same_suit: bool) -> Pattern:
    """Ask for one card out of each group of ranks, all different cards, perhaps of one suit."""

    def find(spread: Spread) -> Made | None:
        for chosen in permutations(spread.cards, len(groups)):
            ranks = tuple(VALUE[card.rank] for card in chosen)
            fits = all(rank in group for rank, group in zip(ranks, groups, strict=True))
            if fits and (not same_suit or len({card.suit for card in chosen}) == 1):
                return ranks
        return None

    return find


def anything(_: Spread) -> Made | None:
    """Ask for nothing: every hand has a highest card."""
    return ()


def rank_set(ranks: Iterable[str] | None) -> frozenset[int]:
    """Return the values of the ranks; all of them where none are named."""
    return frozenset(VALUE[rank] for rank in (RANKS if ranks is None else ranks))
