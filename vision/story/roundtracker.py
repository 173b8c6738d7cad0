"""One table's rounds: observations enter; happenings in the rule book's words leave, each with its ruling.

The tracker knows what lies where; here it becomes what was done: a stack on a spot before the first card is a bet, one
that appears beside it after the reveal is a payment. Whether it was allowed is asked of `rules.play.allowed` before it
is folded into the round's state. Nothing is decided from one look, and what cannot be told is left open.
"""

from collections.abc import Iterator

from vision.observe.frame_observation import FrameObservation
from vision.records.signal import Signal
from vision.rules.book.sheet import HouseSheet
from vision.story.backs import Backs
from vision.story.betting import Betting
from vision.story.dealing import Dealing
from vision.story.deciding import Deciding
from vision.story.decks import Decks
from vision.story.floor import Floor
from vision.story.playing import Happening, RoundInPlay
from vision.story.settling import Settling
from vision.story.showing import Showing
from vision.story.touching import Touching
from vision.table.layout import Layout

__all__ = ["Happening", "RoundInPlay", "RoundTracker"]


class RoundTracker:
    """Tells the rounds of one table as they go."""

    def __init__(self, sheet: HouseSheet, layout: Layout, rounds_before: int = 0) -> None:
        self.floor = Floor(sheet, layout)
        self.round: RoundInPlay | None = None
        self._betting = Betting(self.floor, rounds_before)
        self._dealing = Dealing(self.floor)
        self._decks = Decks(self.floor)
        self._deciding = Deciding(self.floor)
        self._showing = Showing(self.floor, self._deciding)
        self._settling = Settling(self.floor, self._showing)
        self._backs = Backs(self.floor)
        self._touching = Touching(self.floor)

    def signal(self, signal: Signal) -> list[Happening]:
        """Take in what another system says."""
        if signal.kind == "meter" and signal.name is not None:
            self.floor.meters[signal.name] = signal.cents or 0
        elif signal.kind == "progressive":
            self._betting.progressives.hear(signal, self.round)
        elif signal.kind != "no-more-bets":
            return self._noted(self._decks.hear(signal, self.round))
        elif self.round is not None and self.round.closed_ns is None:
            return self._noted(self._betting.close(self.round, signal.t_ns))
        return []

    def update(self, sight: FrameObservation) -> list[Happening]:
        """Take in one sight; return what was done since."""
        self.floor.see(sight)
        self._betting.watch()
        self._backs.rest(self.round)
        if self.round is None:
            self.round = self._betting.open()
        if self.round is None or self.round.ended_ns is not None:
            return []
        told = self._noted(self._steps(self.round))
        if self._betting.is_false_start(self.round):
            self.round = self._betting.reopen(self.round)
        elif self.round.ended_ns is not None:
            told += self.end()
        return told

    def end(self) -> list[Happening]:
        """Return what can be said of a round only when it has ended, or the stream."""
        return [] if self.round is None else self._noted(self._decks.end(self.round))

    def _noted(self, told: Iterator[Happening]) -> list[Happening]:
        """Return what was done, and keep it in the round."""
        found = list(told)
        if self.round is not None:
            self.round.happenings += found
        return found

    def _steps(self, played: RoundInPlay) -> Iterator[Happening]:
        if played.revealed_ns is None:
            played.meters = dict(self.floor.meters)  # what the winners of this round meet
        if played.closed_ns is None:
            self._betting.note_collected()
            self._showing.note_laid_open(played)
            first_ns = self._betting.first_card_ns()
            if first_ns is None:
                return
            yield from self._betting.close(played, first_ns)
        yield from self._betting.check(played)
        yield from self._dealing.watch(played)
        yield from self._decks.watch(played)
        yield from self._backs.watch(played)
        yield from self._betting.changes(played)
        yield from self._deciding.watch(played)
        yield from self._touching.watch(played)
        yield from self._showing.watch(played)
        yield from self._settling.watch(played)

    def look_afresh(self) -> None:
        """Take what lies there from now on as when watching began: for a while nothing was seen."""
        self._betting.look_afresh()

    def next_round(self) -> None:
        """Forget the round: the next one begins with the next bet."""
        self._betting.leave_cards()
        self.round = None
