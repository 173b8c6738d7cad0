"""The deck that is dealt: cards whose backs were read enter; cards of another deck, or a deck out of turn, leave.

A back that was misread, or is not known, says nothing: cards tell of another deck only where their looks leave no
doubt, and only beside others that are surely of this one. Where a table has no pictures of backs nothing is told.
"""

from collections.abc import Iterator
from math import prod
from typing import Final

from vision.observe.tracks import CardTrack
from vision.rules.play import events as ev
from vision.rules.play.dealscript import Place, name_of
from vision.rules.play.ruling import SUPERVISOR_DECIDES, Numbers, Reason, Ruling, numbers
from vision.story.floor import Floor
from vision.story.playing import Happening, RoundInPlay
from vision.values.codes import Code

WRONG_DECK: Final = Code.WRONG_DECK
LOOKS: Final = 3  # at a back, on which a card's deck rests
LIES_NS: Final = 800_000_000  # for which a card must have lain
UNKNOWN: Final = 0.05  # doubt from which on a card does not count for a deck
DOUBT: Final = 5e-3  # that may be left that all cards of the odd deck were misread (of 1464 whole cards none was)
FELLOWS: Final = 2  # cards of the right deck, without which no card is odd
WHOLE: Final = 5  # cards of one deck and none of another, from which on it is known whose deal it is
COMPARE_NS: Final = 400_000_000  # between two comparisons
PAUSE_NS: Final = 120_000_000_000  # after such a break nobody knows which deck's turn it is
SPREAD: Final = 8  # cards on the layout between two rounds: a new deck is being opened
BLIND_NS: Final = 3_000_000_000  # without a sight: a round may have been missed
HELD_MM: Final = 60.0  # a hand so near to a card may be what was taken for it
Told = list[tuple[Place, CardTrack]]  # cards of a deck, and where they lie


class Backs:
    """Watches whose backs are dealt at one table."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._number = 0  # of the round
        self._before: str | None = None  # the deck of the round before
        self._now: str | None = None  # the deck of this round
        self._is_shown = False  # the dealer's hand was revealed: it was a whole round
        self._is_told = False
        self._seen_ns = self._dealt_ns = self._compared_ns = 0

    def rest(self, played: RoundInPlay | None) -> None:
        """Watch the table between two deals: after a gap, or when a deck is opened, any of them may come next."""
        now_ns, is_blind = self._floor.now_ns, self._floor.now_ns - self._seen_ns > BLIND_NS
        self._seen_ns = now_ns
        is_resting = played is None or played.closed_ns is None
        if is_blind or (is_resting and sum(card.is_there for card in self._floor.tracker.cards) >= SPREAD):
            self._before = self._now = None

    def watch(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell cards of another deck than the others, and a deck that is dealt twice running; once in a round."""
        now_ns = self._floor.now_ns
        if played.number != self._number:
            self._begin(played)
        self._dealt_ns, self._is_shown = now_ns, played.revealed_ns is not None
        if now_ns - self._compared_ns < COMPARE_NS:
            return
        self._compared_ns = now_ns
        if self._is_shown and len(self._decks(played)) > 1:
            self._now = None  # a new deal, and the end of this round was not seen: nobody knows what came last
        if self._is_told or self._is_shown:
            return
        wrong, doubt = self._wrong(played)
        if wrong is not None and not played.is_joined:
            self._is_told = True
            reason, about = wrong
            cite = self._floor.game.file.cards.cite
            ruling = Ruling(WRONG_DECK, reason, cite, SUPERVISOR_DECIDES, numbers=about)
            span = (played.closed_ns or played.started_ns, now_ns)
            yield Happening(now_ns, ev.Declare(WRONG_DECK), 1 - doubt, ruling, span)

    def _begin(self, played: RoundInPlay) -> None:
        """Begin a round: what was dealt before counts if it was a whole round, and the last one."""
        was_just_now = (played.closed_ns or 0) - self._dealt_ns <= PAUSE_NS
        follows = played.number == self._number + 1 and was_just_now and self._is_shown
        self._before, self._now = self._now if follows else None, None
        self._number, self._is_told = played.number, False

    def _wrong(self, played: RoundInPlay) -> tuple[tuple[Reason, Numbers] | None, float]:
        """Return what is wrong with the backs of a deal, and what doubt is left; None where nothing is."""
        decks = sorted(self._decks(played).items(), key=lambda entry: -len(entry[1]))
        if not decks:
            return None, 1.0
        ours, cards = decks[0]
        is_whole = len(decks) == 1 and len(cards) >= WHOLE and played.state.deal_is_over
        self._now = ours if is_whole else None
        if is_whole and self._floor.sheet.decks > 1 and ours == self._before:
            return (Reason.DECK_DEALT_AGAIN, numbers(deck=ours)), DOUBT
        for other, odd in decks[1:] if len(cards) >= FELLOWS else ():
            plain = [(place, card) for place, card in odd if self._lies_alone(card)]
            doubt = prod(card.doubt_of(other) for _, card in plain)
            if doubt <= DOUBT:
                places = tuple(sorted({name_of(place) for place, _ in plain}))
                about = numbers(places=places, odd_deck=other, odd_cards=len(plain), deck=ours, cards=len(cards))
                return (Reason.MIXED_DECKS, about), doubt
        return None, 1.0

    def _lies_alone(self, card: CardTrack) -> bool:
        """Say whether a card still lies there, and no hand is so near that it may have been taken for one."""
        tracker = self._floor.tracker
        return card in tracker.cards and not tracker.reaches.is_near(card.x, card.y, HELD_MM)

    def _decks(self, played: RoundInPlay) -> dict[str, Told]:
        """Return the dealt cards that surely have the back of a deck, with their places."""
        decks: dict[str, Told] = {}
        for hand in played.hands.values():
            for card in hand.dealt:
                has_lain = card.seen_ns - card.first_ns >= LIES_NS and card.first_ns >= (played.closed_ns or 0)
                for deck, (looks, _) in card.backs.items():
                    if has_lain and looks >= LOOKS and card.doubt_of(deck) <= UNKNOWN:
                        decks.setdefault(deck, []).append((hand.place, card))
        return decks
