"""The stage: acts out scripts of moves with hands, cards and chips, in time and space.

Scripts enter, one after the other; `act` returns when each move began and took effect, `story` all that was to be
seen. What lies where is kept in a register, so that every stack and card is the one that was put there.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from studio.play import betting, dealing, deck, handling, opening, pauses, paying, returning, revealing
from studio.play.register import Puppet
from studio.play.reserves import seat_players
from studio.play.script import Do, Move, Script
from studio.play.table import DECISIONS, Done, Table
from studio.play.tempo import DEALER, Span, Tempo
from studio.scene import Story
from vision.table.layout import Layout

AWAITED = DECISIONS | {Do.BET}
DEALT = frozenset({Do.DEAL, Do.BURN})
ACTED_BY: Mapping[Do, Callable[[Table, Move, float], Done]] = {
    Do.BET: betting.bet,
    Do.ADD: betting.add,
    Do.PINCH: betting.pinch,
    Do.STRAIGHTEN: betting.straighten,
    Do.CLOSE: pauses.close_bets,
    Do.COLLECT_PROGRESSIVE: paying.collect_progressive,
    Do.DEAL: dealing.deal,
    Do.BURN: dealing.burn,
    Do.STUB: deck.clear_stub,
    Do.PEEK: handling.peek,
    Do.PLAY: betting.play,
    Do.FOLD: handling.fold,
    Do.TAKE: paying.take,
    Do.FLASH: revealing.flash,
    Do.REVEAL: revealing.reveal,
    Do.TURN_BONUS: revealing.turn_bonus,
    Do.SHOW: revealing.show,
    Do.PAY: paying.pay,
    Do.MUCK: revealing.muck,
    Do.MUCK_DEALER: revealing.muck_dealer,
    Do.GATHER: betting.gather,
    Do.GIVE_BACK: returning.give_back,
    Do.TOUCH: handling.touch,
    Do.REST: pauses.rest,
    Do.PROP: pauses.use_prop,
    Do.COLOUR_UP: returning.colour_up,
    Do.DROP: dealing.drop,
    Do.WAIT: pauses.wait,
    Do.OPEN: opening.open_deck,
    Do.CHANGE_DECK: deck.change_deck,
}


class Stage:
    """A table on which rounds are played, one script after the other."""

    def __init__(self, layout: Layout, tempo: Tempo, rng: Random, chips_cents: Sequence[int]) -> None:
        self.table = Table(layout, tempo, rng, chips_cents)
        self._last: Do | None = None  # that the dealer did

    def cards_of(self, seat: int | None) -> tuple[Puppet, ...]:
        """Return the cards of a seat that lie on the table, None: the dealer's."""
        return self.table.cards_of(seat)

    def stacks_on(self, seat: int, wager: str) -> tuple[Puppet, ...]:
        """Return the stacks of a wager: stakes, then payments."""
        return self.table.stacks_on(seat, wager)

    def act(self, script: Script) -> list[Span]:
        """Act out a script after all that went before; return the span of each of its moves."""
        layout = self.table.ground.layout
        unknown = set(script.seats) - {seat.number for seat in layout.seat}
        if unknown:
            raise ValueError(f"{layout.name}: seats {sorted(unknown)}: want seats that the felt has")
        self.table.script = script
        self.table.ground.paid_at = script.paid_at
        seat_players(self.table)
        first = next((i for i, move in enumerate(script.moves) if move.do is Do.DEAL), None)
        if first is not None and not any(move.do in (Do.CHANGE_DECK, Do.OPEN) for move in script.moves[:first]):
            self.table.deck = script.moves[first].deck
            deck.prepare_deck(self.table)
        return [self._act(move) for move in script.moves]

    def story(self) -> Story:
        """Return all that was acted so far; every hand withdraws."""
        troupe = self.table.troupe
        for arm in troupe.arms.values():
            arm.leave()
        return Story(troupe.actors(), troupe.last_s() + 0.5)

    def _act(self, move: Move) -> Span:
        table, cues = self.table, self.table.cues
        person = table.actor_of(move)
        start_s = cues.start_s(person, table.gap_s(move, person), at_once={self._last, move.do} <= DEALT)
        if move.do in DECISIONS and table.rng.random() < 0.7:
            start_s = max(start_s, cues.effect_s - 0.3)  # most wait for their turn to decide
        effect_s, free_s = ACTED_BY[move.do](table, move, start_s)
        self._last = move.do if person == DEALER else self._last
        return cues.note(person, Span(start_s, effect_s), free_s, is_awaited=move.do in AWAITED)
