"""The words that a wager file's expressions may use: questions about cards, dice, tiles, spins and rolls.

Each is a general question that a text asks; none knows a game. Sequences read an ace high or low, never wrapping.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations, takewhile
from typing import Any, Final, Self

from vision.rules.hands.ranking import Ranking, Strength
from vision.rules.hands.spread import Spread
from vision.values.cards import RANKS, VALUE, Card, Hand

RED: Final = "dh"
TENS: Final = "TJQK"
NATURAL, SOFT = 21, 10
LOW_ACE: Final = 1


class Unknown(Exception):  # noqa: N818 - not an error: what was not seen leaves a wager unresolved
    """A fact that a rule asks for and that nobody saw."""


@dataclass(frozen=True, slots=True)
class Joker:
    """The joker of a deck that has one; it is no rank."""

    rank: str = "joker"
    suit: str = "joker"


@dataclass(frozen=True, slots=True)
class Spin:
    """Where a ball came to rest: '17' and 'black'; '0' and '00' are green."""

    number: str
    color: str


class Dice(tuple[int, ...]):
    """Dice as they came to rest; where the text has colours, the red one first."""

    red_is_first: bool

    def __new__(cls, values: tuple[int, ...], *, red_is_first: bool = False) -> Self:
        """Make the tuple, and keep what is known of the colours."""
        dice = super().__new__(cls, values)
        dice.red_is_first = red_is_first
        return dice


Tile = tuple[int, int]  # high half first; a throw of two dice is written the same way


def kinds(things: Iterable[Any]) -> tuple[int, ...]:
    """Return how many are alike, most first: cards by rank, dice and tiles as they are; (3, 2) is a full house."""
    return tuple(sorted(Counter(_face(thing) for thing in things).values(), reverse=True))


def kind(things: Iterable[Any]) -> int:
    """Return how many are alike at most; 0 of nothing."""
    return next(iter(kinds(things)), 0)


def twins(things: Iterable[Any]) -> int:
    """Return how many are the very same at most, suit and all; a shoe of several decks repeats cards."""
    return max(Counter(things).values(), default=0)


def of_rank(cards: Iterable[Card], ranks: str) -> Hand:
    """Return the cards of these ranks."""
    return tuple(card for card in cards if card.rank in ranks)


def of_suit(cards: Iterable[Card], suits: str) -> Hand:
    """Return the cards of these suits."""
    return tuple(card for card in cards if card.suit in suits)


def one_suit(cards: Sequence[Card]) -> bool:
    """Tell whether all cards are of one suit."""
    return len({card.suit for card in cards}) == 1


def one_colour(cards: Sequence[Card]) -> bool:
    """Tell whether all cards are of one colour."""
    return len({card.suit in RED for card in cards}) == 1


def in_sequence(things: Sequence[Any]) -> bool:
    """Tell whether all cards or dice are consecutive, none twice."""
    return _consecutive(things, ace=VALUE["A"]) or _consecutive(things, ace=LOW_ACE)


def same(some: Iterable[Any], others: Iterable[Any]) -> bool:
    """Tell whether two piles hold the same things, in any order."""
    return Counter(some) == Counter(others)


def points(cards: Iterable[Card]) -> int:
    """Return the point count modulo ten: aces 1, tens and faces 0."""
    return sum(_hard(card) for card in cards) % 10


def total(cards: Iterable[Card]) -> int:
    """Return the blackjack total: an ace is 11 where that does not exceed 21."""
    cards = tuple(cards)
    hard = sum(_hard(card) for card in cards)
    return hard + SOFT if hard + SOFT <= NATURAL and of_rank(cards, "A") else hard


def blackjack(cards: Sequence[Card]) -> bool:
    """Tell whether an ace and a ten-value card are the only two cards."""
    return len(cards) == 2 and total(cards) == NATURAL


def highest(cards: Iterable[Card], count: int) -> Hand:
    """Return the highest cards by rank, the ace low; of equals the ones dealt first."""
    return tuple(
        sorted(cards, key=lambda card: LOW_ACE if card.rank == "A" else VALUE[card.rank], reverse=True)[:count]
    )


def wild(cards: Sequence[Card], card: Card) -> tuple[Hand, ...]:
    """Return the hands that the cards can be when one card is wild in rank and keeps its suit."""
    plain = tuple(other for other in cards if other != card)
    taken = combinations_with_replacement(RANKS, len(cards) - len(plain))
    return tuple((*plain, *(Card(rank, card.suit) for rank in ranks)) for ranks in taken)


def orders(things: Sequence[Any]) -> tuple[tuple[Any, ...], ...]:
    """Return the things in every order."""
    return tuple(permutations(things))


def until(things: Sequence[Any], flags: Iterable[bool]) -> tuple[Any, ...]:
    """Return the things before the first that is flagged."""
    paired = takewhile(lambda pair: not pair[1], zip(things, flags, strict=False))
    return tuple(thing for thing, _ in paired)


def fresh(things: Sequence[Any], allowed: Sequence[Any]) -> tuple[Any, ...]:
    """Return the things up to the first that is not allowed or came before."""
    return until(things, (it not in allowed or it in things[:i] for i, it in enumerate(things)))


def covered(things: Iterable[Any], groups: Sequence[Sequence[Any]]) -> int:
    """Return how many of the groups are wholly among the things."""
    there = set(things)
    return sum(there.issuperset(group) for group in groups)


def within(few: Iterable[Any], many: Iterable[Any]) -> bool:
    """Tell whether all of a pile is in another, each as often."""
    return not Counter(few) - Counter(many)


def red(dice: Dice) -> int:
    """Return the red die."""
    if not dice.red_is_first:
        raise Unknown("which of the dice is red was not given")
    return dice[0]


def contains(ranking: Ranking, cards: Hand, class_id: str) -> bool:
    """Tell whether the cards contain a class of a ranking, however much more they are worth."""
    return ranking.contains(Spread.of(cards), class_id)


def strength(ranking: Ranking, cards: Hand) -> Strength:
    """Return what the best hand among the cards is worth; the greater one outranks the other."""
    return ranking.standing(Spread.of(cards)).strength


def color(spin: Spin) -> str:
    """Return the color of the compartment."""
    if not spin.color:
        raise Unknown("the color of a spin was not given")
    return spin.color


def mentions(text: Any, *words: str) -> bool:
    """Tell whether a text, or one of several, contains one of the words."""
    plain = str(text).lower().replace("_", " ").replace("-", " ")
    return any(word in plain for word in words)


def without(text: str, signs: str) -> str:
    """Return a text without some signs: amounts are written with dollar signs and commas, or without."""
    return "".join(sign for sign in text if sign not in signs)


def _hard(card: Card) -> int:
    return LOW_ACE if card.rank == "A" else 10 if card.rank in TENS else int(card.rank)


def _face(thing: Any) -> Any:
    return thing.rank if isinstance(thing, Card | Joker) else thing


def _consecutive(things: Sequence[Any], ace: int) -> bool:
    values = sorted((ace if it.rank == "A" else VALUE[it.rank]) if isinstance(it, Card) else it for it in things)
    return values == list(range(values[0], values[0] + len(values))) if values else False


WORDS: Final[Mapping[str, Callable[..., Any]]] = {
    **{word.__name__: word for word in (kinds, kind, twins, of_rank, of_suit, one_suit, one_colour, in_sequence, same)},
    **{word.__name__: word for word in (total, blackjack, highest, wild, orders, until, fresh, covered)},
    **{
        word.__name__: word
        for word in (within, red, contains, strength, color, mentions, without, tuple, sum, any, all, len, max, min)
    },
    "mod_ten": points,
    "text": str,
    "suit": lambda card: card.suit,
    "rank": lambda card: card.rank,
    "card": Card.parse,
    "spots": sum,
    "throw": lambda high, low: (max(high, low), min(high, low)),
    "number": lambda spin: int(spin.number),
    "pocket": lambda spin: spin.number,
    "parts": lambda mapping: tuple(mapping.values()),
}
