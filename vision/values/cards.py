"""Playing cards, written rank then suit: 'As', 'Td', '7c'. A card whose face was not seen is '??'."""

from dataclasses import dataclass
from typing import Final

RANKS: Final = tuple("23456789TJQKA")  # lowest first; suits never outrank each other
SUITS: Final = tuple("cdhs")
VALUE: Final = {rank: value for value, rank in enumerate(RANKS, start=2)}


@dataclass(frozen=True, slots=True)
class Card:
    """One card. An instance that exists is a real card."""

    rank: str
    suit: str

    def __post_init__(self) -> None:
        if self.rank not in VALUE or self.suit not in SUITS:
            raise ValueError(f"not a card: {self.rank + self.suit!r}: want rank, suit: 'Td'")

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read the text form; the inverse of `str`."""
        return _BY_TEXT[text] if text in _BY_TEXT else cls(text[:-1], text[-1:])

    def __str__(self) -> str:
        return self.rank + self.suit


DECK: Final = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
_BY_TEXT: Final = {str(card): card for card in DECK}


@dataclass(frozen=True, slots=True)
class Unseen:
    """A card that lies there and whose face nobody read: a value of its own, never a guess."""

    def __str__(self) -> str:
        return "??"


UNSEEN: Final = Unseen()
Hand = tuple[Card, ...]
DealtHand = tuple[Card | Unseen, ...]


def parse_seen(text: str) -> Card | Unseen:
    """Read a card as records write it; '??' is a card whose face was not seen."""
    return UNSEEN if text == str(UNSEEN) else Card.parse(text)


def parse_hand(text: str) -> Hand:
    """Read cards parted by blanks: 'As Kd 7c'."""
    return tuple(Card.parse(word) for word in text.split())
