"""Decks and their counts, as other systems tell them: signals enter; wrong counts, and duties that are due, leave.

No picture tells how old a deck is, or what a dealer counted. A shuffler or the pit's terminal may say it; where nobody
ever said anything, nothing is due: silence proves nothing.
"""

from collections.abc import Iterator
from typing import Final

from vision.records.signal import Signal
from vision.rules.due.irregular import effect_of
from vision.rules.due.record import Irregularity
from vision.rules.play import events as ev
from vision.rules.play.dealscript import SEAT
from vision.rules.play.ruling import Numbers, Reason, Ruling, numbers
from vision.rules.text.gamefile import Clock
from vision.story.floor import Floor
from vision.story.hands import seat_place
from vision.story.playing import Happening, RoundInPlay
from vision.values.codes import Code

HOUR_NS: Final = 3_600_000_000_000
CHANGE, COUNT, WRONG = Code.DECK_CHANGE_DUE, Code.STUB_COUNT_DUE, Code.STUB_COUNT_WRONG


class Decks:
    """Follows the decks of one table."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._since_ns: dict[str, int] = {}  # since when each deck is in play, by its name
        self._told: set[tuple[str, int]] = set()  # decks that are known to be due
        self._counted_ns = 0
        self._rounds: int | None = None  # since the last count; None: nobody ever told of one
        self._is_counted = False  # in the round that is played
        self._is_due = False  # and it was told

    def hear(self, signal: Signal, played: RoundInPlay | None) -> Iterator[Happening]:
        """Take in what was said of a deck."""
        if signal.kind == "deck":
            self._open(signal)
        elif signal.kind == "stub-count":
            yield from self._count(signal, played)
        elif signal.kind == "shuffler-count" and signal.number != self._size:
            event = ev.Declare("shuffler-count", signal.number)
            about = numbers(cards=signal.number or 0, due_cards=self._size)
            yield Happening(signal.t_ns, event, 1.0, self._ruling(event, Reason.SHUFFLER_COUNT, about))

    def watch(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell what is due, once: a change of the deck that is dealt from, a count when the stub is put away."""
        if played.is_begun:
            yield from self._old(played)
        if played.decided_ns or played.revealed_ns is not None:  # the stub is away by then
            yield from self._uncounted(played)

    def end(self, played: RoundInPlay) -> Iterator[Happening]:
        """Count a round that has ended, revealed or not."""
        if played.state.is_dealt():
            yield from self._uncounted(played)
        if self._rounds is not None:
            self._rounds = 0 if self._is_counted else self._rounds + 1
        self._is_counted = False

    def _old(self, played: RoundInPlay) -> Iterator[Happening]:
        clock = self._clock(CHANGE)
        hours = None if clock is None else clock.hours.get(self._floor.sheet.deal_method)
        if clock is None or hours is None:
            return
        for deck in [deck for deck in self._since_ns.items() if deck not in self._told]:
            used_ns = self._floor.now_ns - deck[1]
            if used_ns > hours * HOUR_NS:
                self._told.add(deck)
                about = numbers(hours=used_ns / HOUR_NS, most_hours=hours)
                yield self._due(Ruling(CHANGE, Reason.DECK_TOO_OLD, clock.cite, numbers=about), played)

    def _uncounted(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell that the stub should have been counted by now: this round is the last that may go without."""
        clock = self._clock(COUNT)
        if clock is None or clock.rounds is None or self._floor.sheet.shuffler.counting:
            return
        if self._is_due or self._is_counted or self._rounds is None or self._rounds + 1 < clock.rounds:
            return
        self._is_due = True
        about = numbers(rounds=clock.rounds)
        yield self._due(Ruling(COUNT, Reason.STUB_NOT_COUNTED, clock.cite, numbers=about), played)

    @property
    def _size(self) -> int:
        return self._floor.game.file.cards.size

    def _clock(self, code: str) -> Clock | None:
        return next((entry for entry in self._floor.game.file.clock if entry.code == code), None)

    def _due(self, ruling: Ruling, played: RoundInPlay) -> Happening:
        now_ns = self._floor.now_ns
        return Happening(now_ns, ev.Declare(str(ruling.code)), 1.0, ruling, (played.started_ns, now_ns))

    def _open(self, signal: Signal) -> None:
        """Put a deck into play; where there is one deck only, it takes the place of the other."""
        since_ns = signal.t_ns if signal.since_ns is None else signal.since_ns
        others = {} if self._floor.sheet.decks == 1 else self._since_ns
        self._since_ns = {**others, signal.name or "": since_ns}
        if self._rounds is not None and since_ns >= self._counted_ns:
            self._rounds, self._is_due = 0, False

    def _count(self, signal: Signal, played: RoundInPlay | None) -> Iterator[Happening]:
        """Take in a count of the stub: with what was dealt it makes a deck; between rounds it is all of it."""
        self._rounds, self._is_due, self._counted_ns = 0, False, signal.t_ns
        number = signal.number or 0
        if played is None or played.closed_ns is None:
            if number != self._size and number > self._size - self._floor.counts[SEAT]:  # else a round was missed
                event = ev.Declare("stub-count", number)
                about = numbers(cards=number, due_cards=self._size)
                yield Happening(signal.t_ns, event, 1.0, self._ruling(event, Reason.DECK_COUNT, about))
            return
        self._is_counted = True
        dealt = sum(delivery.cards for delivery in played.state.script)
        left = self._size - dealt - played.state.faced - len(played.faced)  # those were put aside
        if number != left and self._is_sure(played, number - left):
            event = ev.Declare("stub-count", self._size + number - left)
            about = numbers(cards=number, due_cards=left, deck_cards=event.number or 0)
            ruling = self._ruling(event, Reason.STUB_COUNT, about)
            yield played.tell_ruled(self._floor.now_ns, signal.t_ns, event, 1.0, ruling)

    def _is_sure(self, played: RoundInPlay, amiss: int) -> bool:
        """Say whether the hands are known so well that the deck must be wrong: none was missed, none miscounted."""
        is_seen = all(played.hand(seat_place(seat)).dealt for seat in played.seats())
        was_faced = bool(played.faced or played.state.faced)  # cards that were put aside, perhaps not all seen
        return is_seen and not was_faced and not played.miscounted and amiss % self._floor.counts[SEAT] != 0

    def _ruling(self, event: ev.Declare, reason: Reason, about: Numbers) -> Ruling:
        effect = effect_of(self._floor.game, Irregularity(event.code, event.number))
        return Ruling(WRONG, reason, effect.cite, effect.remedy, numbers=about)
