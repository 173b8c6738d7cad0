"""Where a round stands: everything that happened so far, folded into one frozen value.

Events enter one by one through `after`; they are taken as they are, allowed or not, because a monitor
describes what was done. Whether it was allowed is asked before, in `allowed`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from vision.rules.book.house import House
from vision.rules.due.irregular import effect_of
from vision.rules.due.record import Irregularity
from vision.rules.play.dealscript import SEAT, Delivery, deliveries
from vision.rules.play.events import (
    Bet,
    Clear,
    Deal,
    Declare,
    Event,
    Fold,
    GiveBack,
    NoMoreBets,
    Pay,
    Take,
    Touch,
    Turn,
)
from vision.rules.text.gamefile import Irregular, Stage, WagerSpec

Place = tuple[str, int | None]  # zone, seat


@dataclass(frozen=True)
class TableState:
    """One round, up to now."""

    house: House
    method: str  # manual_shoe, hand, automated
    limits_cents: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    closed: bool = False
    bets: Mapping[tuple[int, str], int] = field(default_factory=dict)  # what lay there when it was last a wager
    dealt: Mapping[Place, int] = field(default_factory=dict)
    position: int = 0  # how far the deal is through its script
    turned: Mapping[Place, int] = field(default_factory=dict)
    folded: frozenset[int] = frozenset()
    settled: tuple[tuple[int, str], ...] = ()  # in the order of settling
    cleared: frozenset[Place] = frozenset()
    void: Irregular | None = None

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """Return the seats with a wager, in dealing order."""
        return tuple(sorted({seat for (seat, _), cents in self.bets.items() if cents}))

    @cached_property
    def script(self) -> tuple[Delivery, ...]:
        """Return the deal as it should go."""
        made = frozenset(wager for (_, wager), cents in self.bets.items() if cents)
        return deliveries(self.house.game.file.deal[self.method], self.seats, made)

    def stake(self, seat: int, wager: str) -> int:
        """Return what lies on a betting spot, in cents."""
        return self.bets.get((seat, wager), 0)

    def is_dealt(self) -> bool:
        """Tell whether every hand has its cards, in whatever order they came."""
        wanted: dict[Place, int] = {}
        for delivery in self.script:
            place = (delivery.zone, delivery.seat)
            wanted[place] = wanted.get(place, 0) + delivery.cards
        return self.closed and all(self.dealt.get(place, 0) >= cards for place, cards in wanted.items())

    def is_decided(self, seat: int, raised: WagerSpec) -> bool:
        """Tell whether a seat has made this decision; a seat without the base wager has none to make."""
        return seat in self.folded or not self.stake(seat, raised.of or "") or bool(self.stake(seat, raised.id))

    def undecided(self, raised: WagerSpec) -> list[int]:
        """Return the seats that still have to make this decision."""
        return [seat for seat in self.seats if not self.is_decided(seat, raised)]

    def is_revealed(self, stage: Stage) -> bool:
        """Tell whether the cards of a reveal show."""
        place = (stage.zone or "", None)
        wanted = stage.cards or self.house.game.file.counts[place[0]]
        return self.turned.get(place, 0) >= wanted

    @cached_property
    def stage(self) -> Stage:
        """Return the stage the round is in: the first whose work is not done."""
        stages = self.house.game.file.stage
        return next((stage for stage in stages if not self._is_done(stage)), stages[-1])

    def stage_named(self, stage_id: str | None) -> Stage:
        """Return a stage of the game by its name."""
        return next(stage for stage in self.house.game.file.stage if stage.id == stage_id)

    def stage_doing(self, does: str) -> Stage:
        """Return the first stage of the game in which a thing is done."""
        return next(stage for stage in self.house.game.file.stage if stage.does == does)

    def live(self, seat: int) -> list[str]:
        """Return the wagers of a seat that are still to be settled, in settlement order."""
        return [
            wager for wager in self.house.game.stakes if self.stake(seat, wager) and (seat, wager) not in self.settled
        ]

    def _is_done(self, stage: Stage) -> bool:
        match stage.does:
            case "bet":
                return self.closed
            case "deal":
                return self.is_dealt()
            case "decide":
                return not self.undecided(self.house.game.wagers[stage.wager or ""])
            case "reveal":
                return self.is_revealed(stage)
            case "settle":
                return not any(self.live(seat) for seat in self.seats)
            case "clear":
                return False


def after(state: TableState, event: Event) -> TableState:
    """Return the round with one more thing done."""
    match event:
        case NoMoreBets():
            return replace(state, closed=True)
        case Bet():
            return replace(state, bets={**state.bets, (event.seat, event.wager): event.cents})
        case Deal():
            return _after_deal(state, event)
        case Fold():
            return replace(state, folded=state.folded | {event.seat})
        case Turn():
            place = (event.zone, event.seat)
            return replace(state, turned={**state.turned, place: max(event.cards, state.turned.get(place, 0))})
        case Pay() | Take() | GiveBack():
            done = (event.seat, event.wager)
            return state if done in state.settled else replace(state, settled=(*state.settled, done))
        case Clear():
            return replace(state, cleared=state.cleared | {(event.zone, event.seat)})
        case Declare():
            effect = effect_of(state.house.game, Irregularity(event.code, event.number))
            return replace(state, void=effect) if effect.effect == "void" else state
        case Touch():
            return state


def _after_deal(state: TableState, event: Deal) -> TableState:
    place = (event.zone, event.seat if event.zone == SEAT else None)
    closed = replace(state, closed=True)  # the first card is the latest end of betting
    dealt = {**state.dealt, place: state.dealt.get(place, 0) + event.cards}
    turned = {**state.turned, place: state.turned.get(place, 0) + event.face_up}
    return replace(closed, dealt=dealt, turned=turned, position=_next_position(closed, place))


def _next_position(state: TableState, place: Place) -> int:
    """Step behind this delivery; after a skipped one, catch up, so that one slip is not reported for every card."""
    for i in range(state.position, len(state.script)):
        if (state.script[i].zone, state.script[i].seat) == place:
            return i + 1
    return state.position
