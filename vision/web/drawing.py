"""A round drawn as a table: where each seat, card and stake lies in the picture. A record enters, places leave.

The picture is as the camera has it: the dealer below, seat 1 at the dealer's left, the others around.
"""

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

from vision.records.round import Dealer, Round, Seat, Wager
from vision.web import amounts, words

WIDTH, HEIGHT = 1500, 840
SEATS: Final = 7
MIDDLE: Final = (750.0, 690.0)  # of the arc on which the seats lie
REACH: Final = (590.0, 530.0)
ANGLES: Final = (174.0, 142.0, 117.0, 90.0, 63.0, 38.0, 6.0)  # of seats 1 to 7
CARD: Final = (52.0, 72.0)
STEP: Final = 34.0  # from card to card of a player's hand
DEALER_Y: Final = 690.0
DEALER_STEP: Final = 60.0
ROW: Final = 24.0
BONUS_X: Final = 1080.0


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card and its place; `mark` says what is special about it."""

    x: float
    y: float
    card: str
    name: str
    mark: str = ""

    @property
    def is_seen(self) -> bool:
        """Whether its face is known."""
        return self.card != "??"

    @property
    def rank(self) -> str:
        """Return the rank as it is printed."""
        return "10" if self.card[0] == "T" else self.card[0]

    @property
    def suit(self) -> str:
        """Return the suit's letter."""
        return self.card[1]


@dataclass(frozen=True, slots=True)
class DrawnWager:
    """One wager in a seat's block."""

    y: float
    name: str
    stake: str
    paid: str
    verdict: str


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """A seat's block, or the mark of an empty one."""

    number: int
    x: float
    y: float
    decision: str = ""
    cards: tuple[DrawnCard, ...] = ()
    wagers: tuple[DrawnWager, ...] = ()

    @property
    def is_taken(self) -> bool:
        """Whether somebody played there."""
        return bool(self.cards or self.wagers)


@dataclass(frozen=True, slots=True)
class Drawing:
    """All that is drawn of a round."""

    seats: tuple[DrawnSeat, ...]
    dealer: tuple[DrawnCard, ...]
    bonus: DrawnCard | None
    width: int = WIDTH
    height: int = HEIGHT


def draw(record: Round) -> Drawing:
    """Lay a round out."""
    played = {seat.seat: seat for seat in record.seats}
    numbers = range(1, max([SEATS, *played]) + 1)
    return Drawing(
        seats=tuple(_seat(number, played.get(number), len(numbers)) for number in numbers),
        dealer=_dealer(record.dealer),
        bonus=_card(BONUS_X, DEALER_Y, record.bonus_card, "bonus") if record.bonus_card else None,
    )


def _place(number: int, seats: int) -> tuple[float, float]:
    first, last = ANGLES[0], ANGLES[-1]
    angle = ANGLES[number - 1] if seats == SEATS else first + (last - first) * (number - 1) / (seats - 1)
    return MIDDLE[0] + REACH[0] * cos(radians(angle)), MIDDLE[1] - REACH[1] * sin(radians(angle))


def _seat(number: int, seat: Seat | None, seats: int) -> DrawnSeat:
    x, y = _place(number, seats)
    if seat is None:
        return DrawnSeat(number, x, y)
    left = x - (STEP * (len(seat.cards) - 1) + CARD[0]) / 2
    return DrawnSeat(
        number=number,
        x=x,
        y=y,
        decision="" if seat.decision == "none" else seat.decision,
        cards=tuple(_card(left + STEP * i, y - 66, card) for i, card in enumerate(seat.cards)),
        wagers=tuple(_wager(y + 44 + ROW * i, *entry) for i, entry in enumerate(seat.wagers.items())),
    )


def _wager(y: float, name: str, wager: Wager) -> DrawnWager:
    told = "–" if wager.paid_cents == 0 else words.money(wager.paid_cents)
    staked = amounts.stake(wager).replace("at least", "≥")
    return DrawnWager(y, words.wager_name(name), staked, told, wager.verdict)


def _dealer(dealer: Dealer) -> tuple[DrawnCard, ...]:
    left = MIDDLE[0] - (DEALER_STEP * (len(dealer.cards) - 1) + CARD[0]) / 2
    return tuple(
        _card(left + DEALER_STEP * i, DEALER_Y, card, "up" if card == dealer.up_card else "")
        for i, card in enumerate(dealer.cards)
    )


def _card(x: float, y: float, card: str, mark: str = "") -> DrawnCard:
    return DrawnCard(round(x, 1), round(y, 1), card, words.card_name(card), mark)
