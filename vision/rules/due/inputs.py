"""What was seen of a single wager, off the wire: JSON values enter, cards, dice, tiles, spins and amounts leave.

A reader refuses what cannot be that kind of thing and names it; a card that lies there unread is Undecided, because
whatever depends on it is.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from vision.rules.due.record import Undecided
from vision.rules.hands.vocabulary import Dice, Joker, Spin, Tile
from vision.rules.text.pays import METERS
from vision.rules.text.wagerfile import InputKind
from vision.values.cards import UNSEEN, Card, Hand, parse_seen
from vision.values.errors import InputError, shown

JOKERS: Final = ("joker", "jkr", "jk", "jo", "x", "*")
NO: Final = ("no", "false", "none", "single")
HALVES: Final = range(1, 7)
ANY_METER: Final = "any"  # one number stands for whichever meter the text has


def read_input(where: str, kind: InputKind, value: Any) -> Any:
    """Turn one input into what it stands for; None stays None."""
    if value is None:
        return None
    try:
        return READERS[kind](value)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{where}: {shown(value)}: {error or 'not understood'}") from error


def _cards(value: Any) -> Hand | Undecided:
    cards = tuple(_any_card(text) for text in _texts(value))
    return Undecided("a card was not seen") if UNSEEN in cards else cards


def _card(value: Any) -> Any:
    card = _any_card(value)
    return Undecided("a card was not seen") if card == UNSEEN else card


def _any_card(text: Any) -> Any:
    if not isinstance(text, str):
        raise InputError(f"{shown(text)}: want a card such as 'Td'")
    return Joker() if text.lower() in JOKERS else parse_seen(text)


def _texts(value: Any) -> list[Any]:
    """Return the cards of a list, of a text with blanks, or of lists in a list."""
    if isinstance(value, str):
        return value.split()
    if not isinstance(value, list):
        raise InputError(f"{shown(value)}: want a list of cards")
    return [card for part in value for card in (_texts(part) if isinstance(part, list) else [part])]


def _hands(value: Any) -> tuple[Any, ...] | Undecided:
    """Read the hands of others: lists of cards, or objects that hold one."""
    if not isinstance(value, list | dict):
        raise InputError(f"{shown(value)}: want a list of hands")
    hands = tuple(_cards(_cards_within(hand)) for hand in _parts(value))
    unseen = next((hand for hand in hands if isinstance(hand, Undecided)), None)
    return hands if unseen is None else unseen


def _cards_within(hand: Any) -> Any:
    """Return the cards of an object: its list, or the cards that it names one by one."""
    if not isinstance(hand, dict):
        return hand
    named = [part for part in hand.values() if isinstance(part, str)]
    return next((part for part in hand.values() if isinstance(part, list)), named)


def _combinations(value: Any) -> dict[str, Hand]:
    """Read a combination of cards per position, by its number or in order from position 1."""
    if isinstance(value, dict):
        return {str(position): _combination(cards) for position, cards in value.items()}
    placed = [part.get("position", i) if isinstance(part, dict) else i for i, part in enumerate(value, start=1)]
    return {str(position): _combination(cards) for position, cards in zip(placed, value, strict=True)}


def _combination(value: Any) -> Hand:
    if isinstance(value, str):
        plain = "".join(value.replace("-", " ").replace("/", " ").split())
        value = [plain[i : i + 2] for i in range(0, len(plain), 2)]
    return tuple(Card.parse(text) for text in _texts(_cards_within(value)))


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"{shown(value)}: want a whole number, 0 or more")
    return value


def _flag(value: Any) -> bool:
    """Read yes or no; a number or a list says how many, and more than one is yes."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.lower() not in NO
    return (len(value) if isinstance(value, list) else _whole(value)) > 1


def _points(value: Any) -> dict[str, int]:
    pairs = value.items() if isinstance(value, dict) else zip(("player", "banker"), value, strict=True)
    return {"player" if "player" in str(name) else "banker": _whole(count) for name, count in pairs}


def _meters(value: Any) -> dict[str, int]:
    if not isinstance(value, dict):
        return {ANY_METER: _whole(value)}
    return {_meter(str(name)): _whole(cents) for name, cents in value.items() if cents is not None}


def _meter(name: str) -> str:
    """Return which meter a name means: 'Mega Jackpot' is mega; one that no paytable pays from keeps its name."""
    return next((meter for meter in METERS if meter in name.lower()), name)


def _die(value: Any) -> int:
    number = int(value) if isinstance(value, str) else value
    if isinstance(number, bool) or number not in HALVES:
        raise InputError(f"{shown(value)}: want 1 to 6")
    return int(number)


def _dice(value: Any) -> Dice:
    if not isinstance(value, dict):
        return Dice(tuple(_die(die) for die in value))
    red, blue = value["red"], value["blue"]
    return Dice((_die(red), *(_die(die) for die in blue)), red_is_first=True)


def _rolls(value: Any) -> tuple[Tile, ...]:
    return tuple(_tile(roll) for roll in value)


def _tile(value: Any) -> Tile:
    """Read two halves, the higher first: '4-2', or two dice."""
    low, high = sorted(_die(half) for half in (value.split("-") if isinstance(value, str) else value))
    return high, low


def _numbers(value: Any) -> tuple[int, ...]:
    return tuple(_whole(number) for number in value)


def _spin(value: Any) -> Spin:
    if isinstance(value, dict):
        number = str(value["number"])
        return Spin(_compartment(number), str(value.get("color", "green" if number in ("0", "00") else "")).lower())
    return Spin(_compartment(str(value)), "")


def _compartment(number: str) -> str:
    if number not in ("00", *map(str, range(37))):
        raise InputError(f"{shown(number)}: want '0', '00' or 1 to 36")
    return number


def _spins(value: Any) -> tuple[Spin, ...]:
    return tuple(_spin(spin) for spin in value)


def _picks(value: Any) -> tuple[int, ...]:
    """Read what a player picked before the throw: a number, several, or a text or an object that holds them."""
    if isinstance(value, dict | list):
        return tuple(number for part in _parts(value) for number in _picks(part))
    return tuple(int(digits) for digits in re.findall(r"\d+", str(value)))


def _parts(value: dict[str, Any] | list[Any]) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


READERS: Final[Mapping[InputKind, Callable[[Any], Any]]] = {
    "cards": _cards,
    "card": _card,
    "hands": _hands,
    "combinations": _combinations,
    "cents": _whole,
    "count": _whole,
    "flag": _flag,
    "text": str,
    "points": _points,
    "meters": _meters,
    "die": _die,
    "dice": _dice,
    "rolls": _rolls,
    "numbers": _numbers,
    "tiles": _rolls,
    "spin": _spin,
    "spins": _spins,
    "picks": _picks,
    "anything": lambda value: value,
}
