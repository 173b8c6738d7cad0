"""A round as it is being played: what was done so far, folded into the rule book's state, and what the rules said.

Events are told as they are seen. One that proves wrong later (a fold of a hand that was only hidden) is taken out, and
the state is folded again from the story that remains.
"""

from dataclasses import dataclass, field
from typing import Final

from vision.observe.tracks import CardTrack
from vision.rules.play import events as ev
from vision.rules.play.allowed import allowed
from vision.rules.play.dealscript import Place
from vision.rules.play.ruling import YES, Ruling
from vision.rules.play.settling import Settling
from vision.rules.play.tablestate import TableState, after
from vision.story.hands import HandWatch, seat_place
from vision.story.spots import Spot
from vision.values.cards import Card
from vision.values.codes import Code

MISCOUNT: Final = Code.WRONG_CARD_COUNT
FALSE_START: Final = 2  # cards: of a deal more are seen
IRREGULAR: Final = (Code.DEALER_CARD_EXPOSED, MISCOUNT, Code.CARD_FACED_IN_DECK)  # what may void a round


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that was done, when, how surely, and what the rules say to it."""

    t_ns: int
    event: ev.Event
    confidence: float
    ruling: Ruling = YES
    span: tuple[int, int] | None = None  # the time that proves it


@dataclass(frozen=True, slots=True)
class Step:
    """Chips that the dealer paid or took, and the round as it stood then."""

    t_ns: int
    told_ns: int
    event: Settling
    before: TableState
    is_clear: bool  # it is surely this wager, and not another of the seat


@dataclass
class RoundInPlay:
    """All that is known of a round."""

    number: int
    started_ns: int
    state: TableState
    spots: dict[tuple[int, str], Spot]
    is_joined: bool = False  # its beginning was not seen
    is_cut_off: bool = False  # the stream ended before it did
    hands: dict[Place, HandWatch] = field(default_factory=dict)
    meters: dict[str, int] = field(default_factory=dict)  # cents, before the dealer's hand was revealed
    closed_ns: int | None = None
    was_bet: bool = False  # there were wagers when betting closed
    checked: set[int] = field(default_factory=set)  # seats whose wagers were held against the rules
    left_behind: list[Spot] = field(default_factory=list)  # whose chips were to be collected, and were not
    last_card_ns: int = 0
    revealed_ns: int | None = None
    emptied_ns: int | None = None
    ended_ns: int | None = None
    decided_ns: dict[int, int] = field(default_factory=dict)
    doubtful: set[int] = field(default_factory=set)  # seats whose decision was not seen
    happenings: list[Happening] = field(default_factory=list)
    story: list[ev.Event] = field(default_factory=list)  # all that the state is folded from
    is_order_told: bool = False  # that cards were dealt out of turn
    waiting: list[CardTrack] = field(default_factory=list)  # cards that came, not told yet
    up_card: CardTrack | None = None
    was_empty: bool = False  # no card lay there for a while: it may be over
    turning_ns: int | None = None  # since when more of the dealer's cards show faces than backs
    exposed: tuple[int, ev.Turn, Ruling] | None = None  # since when faces of the dealer show, and what is said to it
    faced: set[int] = field(default_factory=set)  # tracks of cards that came face up out of the deck
    duplicates: set[Card] = field(default_factory=set)
    compared_ns: int = 0  # when faces were last compared
    waiting_hands: set[int] = field(default_factory=set)  # seats that had wagers to settle at the reveal
    laid_open: list[CardTrack] = field(default_factory=list)  # in the work area before the reveal
    miscounted: dict[Place, int] = field(default_factory=dict)  # hands with another number of cards than they should
    shown_cards: list[CardTrack] = field(default_factory=list)
    settled: list[Step] = field(default_factory=list)  # what was just paid and taken
    out_of_turn: set[int] = field(default_factory=set)  # seats that were told to be settled before their turn
    cleared_early: dict[int, Happening] = field(default_factory=dict)  # by seat: wrong, if it is settled later
    ranged: set[int] = field(default_factory=set)  # seats whose raise was found out of range

    def __post_init__(self) -> None:
        self._blank = self.state

    def hand(self, place: Place) -> HandWatch:
        """Return the watch over a hand."""
        return self.hands.setdefault(place, HandWatch(place))

    def seats(self) -> tuple[int, ...]:
        """Return the seats that play."""
        return self.state.seats

    @property
    def may_be_false_start(self) -> bool:
        """Say whether what closed betting may be no deal: only a card or two were seen."""
        dealt = sum(len(hand.dealt) for hand in self.hands.values())
        return dealt <= FALSE_START and self.revealed_ns is None and self.state.void is None

    @property
    def is_begun(self) -> bool:
        """Say whether cards are surely dealt: several were seen, or two hands have one."""
        return not self.may_be_false_start or sum(bool(hand.dealt) for hand in self.hands.values()) >= FALSE_START

    @property
    def is_called_off(self) -> bool:
        """Say whether it ended without a reveal, and players took their chips back: why, was not seen."""
        is_over = self.emptied_ns is not None and self.revealed_ns is None and self.state.void is None
        return is_over and any(spot.went_back for spot in self.spots.values())

    def apply(self, event: ev.Event) -> None:
        """Fold an event into the state."""
        self.state = after(self.state, event)
        self.story.append(event)

    def may_be_nobody(self, seat: int) -> bool:
        """Say whether all that is at a seat is something on a sensor, where a lamp looks like a chip."""
        made = [spot for spot in self.spots.values() if spot.seat == seat and spot.is_made]
        return all(spot.may_be_lamp for spot in made) and not self.hand(seat_place(seat)).dealt

    def tell(self, now_ns: int, t_ns: int, event: ev.Event, confidence: float, *, is_proved: bool = True) -> Happening:
        """Ask whether it is allowed, then fold it into the state; a ruling that is not proved is not told."""
        return self.tell_ruled(now_ns, t_ns, event, confidence, allowed(self.state, event) if is_proved else YES)

    def tell_ruled(self, now_ns: int, t_ns: int, event: ev.Event, confidence: float, ruling: Ruling) -> Happening:
        """Fold an event into the state that was ruled on when it happened."""
        self.apply(event)
        if ruling.code in IRREGULAR:
            number = self.state.faced if ruling.code == Code.CARD_FACED_IN_DECK else None
            self.apply(ev.Declare(ruling.code, number))
        return Happening(t_ns, event, confidence, ruling, (t_ns, now_ns))

    def take_out(self, event: ev.Event) -> None:
        """Take an event out of the story: it was a mistake to tell it."""
        self.story.remove(event)
        self._fold_again()

    def replace_event(self, wrong: ev.Event, right: ev.Event) -> None:
        """Put the right event into the story where a wrong one was told."""
        self.story[self.story.index(wrong)] = right
        self._fold_again()

    def unfold(self) -> None:
        """Take the folds out of the story of a round that was called off: the dealer only took the cards back."""
        for seat in self.state.folded:
            self.take_out(ev.Fold(seat))

    def put_bet(self, event: ev.Bet) -> None:
        """Put a wager into the story that was made in time and seen late."""
        known = [e for e in self.story if isinstance(e, ev.Bet) and (e.seat, e.wager) == (event.seat, event.wager)]
        for earlier in known:
            self.story.remove(earlier)
        self.story.insert(0, event)
        self._fold_again()

    def _fold_again(self) -> None:
        self.state = self._blank
        for event in self.story:
            self.state = after(self.state, event)
