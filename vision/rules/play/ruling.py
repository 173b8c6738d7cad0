"""The answer to "may this happen now?": allowed, or refused with an alert code, the reason, the rule and the remedy.

A ruling is data; `vision.alerts.words` puts it into words, last.
"""

from dataclasses import KW_ONLY, dataclass
from enum import Enum, auto

from vision.values.codes import Code

SUPERVISOR_DECIDES = "a supervisor decides"  # the remedy where the text of a game has none
Value = int | float | str | tuple[str, ...]
Numbers = tuple[tuple[str, Value], ...]


class Reason(Enum):
    """Why something is refused; the comment names the numbers that come with it."""

    # wagers
    NO_SUCH_WAGER = auto()
    CHANGED_AFTER_CLOSE = auto()  # before_cents, cents
    RAISE_TAKEN_BACK = auto()
    OTHER_WAGER_MISSING = auto()  # needed_wagers, of which one would do
    RAISED_AFTER_FOLD = auto()
    RAISED_TOO_EARLY = auto()  # stage
    RAISED_AFTER_REVEAL = auto()
    RAISE_TOO_HIGH = auto()  # cents, times, base_cents
    RAISE_NOT_IN_RANGE = auto()  # cents, base_wager, base_cents
    NOTHING_TO_FOLD = auto()  # base_wager
    FOLD_DURING_DEAL = auto()
    FOLD_AFTER_RAISE = auto()
    NO_SUCH_SEAT = auto()  # seats
    NOT_EQUAL = auto()  # base_wager
    NOT_OFFERED = auto()
    OUTSIDE_LIMITS = auto()  # cents, least_cents, most_cents
    # settling
    COLLECTED_OUT_OF_TIME = auto()
    SETTLED_IN_STAGE = auto()  # stage
    SETTLED_FACE_DOWN = auto()
    SETTLED_IN_VOID = auto()
    SEAT_OUT_OF_TURN = auto()  # due_seat
    WAGER_OUT_OF_TURN = auto()  # earlier_wager
    LEFT_BEHIND = auto()  # others
    COLLECTED_NOT_ACCEPTED = auto()  # accepted_seats
    COLLECTED_OTHER_AMOUNT = auto()  # cents, accepted_cents
    # cards
    TOO_MANY_DEALT = auto()  # place, cards, due_cards
    TOO_FEW_DEALT = auto()  # place, cards, due_cards
    WRONG_NUMBER_SHOWN = auto()  # place, cards, due_cards
    DEALT_WITHOUT_WAGER = auto()
    DEALT_OUT_OF_TURN = auto()  # place, due_place
    WRONG_PACKET = auto()  # place, cards, due_cards
    UP_CARD_FACE_DOWN = auto()  # place
    DEALT_FACE_UP = auto()  # place
    EXPOSED_EARLY = auto()  # place, cards, stage
    TURNED_EARLY = auto()  # place, cards, stage
    FACED_IN_DECK = auto()  # cards, card: the last of them
    ON_TABLE_TWICE = auto()  # card
    STRANGERS_HAND = auto()
    CLEARED_UNSETTLED = auto()  # open_wagers
    CLEARED_BEFORE_SEATS = auto()  # place
    # decks
    DECK_DEALT_AGAIN = auto()  # deck
    MIXED_DECKS = auto()  # places, odd_deck, odd_cards, deck, cards
    DECK_TOO_OLD = auto()  # hours, most_hours
    STUB_NOT_COUNTED = auto()  # rounds
    SHUFFLER_COUNT = auto()  # cards, due_cards
    DECK_COUNT = auto()  # cards, due_cards
    STUB_COUNT = auto()  # cards, due_cards, deck_cards


@dataclass(frozen=True, slots=True)
class Ruling:
    """An answer; true when the thing is allowed."""

    code: Code | None = None
    reason: Reason | None = None
    cite: str = ""
    remedy: str | None = None
    _: KW_ONLY
    seat: int | None = None
    wager: str | None = None
    numbers: Numbers = ()

    def __bool__(self) -> bool:
        return self.code is None


def numbers(**values: Value) -> Numbers:
    """Return what a reason comes with: amounts in cents, numbers of cards, places, wagers."""
    return tuple(values.items())


YES = Ruling()
