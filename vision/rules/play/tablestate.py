"""Where a round stands: everything that happened so far, folded into one frozen value.

Events enter one by one through `after`; they are taken as they are, allowed or not, because a monitor
describes what was done. Whether it was allowed is asked before, in `allowed`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from vision.rules.book.house import House
from vision.rules.due.irregular import gravest
from vision.rules.due.record import Irregularity
from vision.rules.play.dealscript import SEAT, DealProgress, Delivery, Place, deliveries
from vision.rules.play.events import (
    Bet,
    Clear,
    Deal,
    DealOver,
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

BEFORE_REVEAL = ("bet", "deal", "decide")


@dataclass(frozen=True)
class TableState:
    """One round, up to now."""

    house: House
    method: str  # manual_shoe, hand, automated
    limits_cents: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    entered: tuple[int, ...] | None = None  # the seats of the round, fixed when betting closes
    bets: Mapping[tuple[int, str], int] = field(default_factory=dict)  # what lay there when it was last a wager
    deal: DealProgress = field(default_factory=DealProgress)
    deal_is_over: bool = False  # the dealer put the stub away, whatever was dealt
    dealt: Mapping[Place, int] = field(default_factory=dict)
    faced: int = 0  # cards that came face up and should not have
    turned: Mapping[Place, int] = field(default_factory=dict)
    raised: frozenset[tuple[int, str]] = frozenset()  # raises once made; a player may gather the chips later
    folded: frozenset[int] = frozenset()
    settled: tuple[tuple[int, str], ...] = ()  # in the order of settling
    cleared: frozenset[Place] = frozenset()
    irregularities: tuple[Irregularity, ...] = ()

    @property
    def closed(self) -> bool:
        """Tell whether betting is over."""
        return self.entered is not None

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """Return the seats of the round in dealing order; while betting is open, those with chips."""
        if self.entered is not None:
            return self.entered
        return tuple(sorted({seat for (seat, _), cents in self.bets.items() if cents}))

    @property
    def script(self) -> tuple[Delivery, ...]:
        """Return the deal as it should go; while betting is open, as it would go now."""
        if self.closed:
            return self.deal.script
        made = frozenset(wager for (_, wager), cents in self.bets.items() if cents)
        return deliveries(self.house.game.file.deal[self.method], self.seats, made)

    @cached_property
    def void(self) -> Irregular | None:
        """Return the irregularity that voids the round, the gravest of several."""
        effect = gravest(self.house.game, self.irregularities)
        return effect if effect is not None and effect.effect == "void" else None

    def stake(self, seat: int, wager: str) -> int:
        """Return what lies on a betting spot, in cents."""
        return self.bets.get((seat, wager), 0)

    def is_dealt(self) -> bool:
        """Tell whether every hand has its cards, in whatever order they came, or the deal has ended without."""
        return self.closed and (self.deal.is_complete or self.deal_is_over)

    def is_decided(self, seat: int, raised: WagerSpec) -> bool:
        """Tell whether a seat has made this decision; a seat without the base wager has none to make."""
        return seat in self.folded or not self.stake(seat, raised.of or "") or (seat, raised.id) in self.raised

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

    @property
    def is_past_decisions(self) -> bool:
        """Tell whether every player has raised or folded."""
        return self.stage.does not in BEFORE_REVEAL

    def stage_named(self, stage_id: str | None) -> Stage:
        """Return a stage of the game by its name."""
        return next(stage for stage in self.house.game.file.stage if stage.id == stage_id)

    def stage_doing(self, does: str) -> Stage:
        """Return the first stage of the game in which a thing is done."""
        return next(stage for stage in self.house.game.file.stage if stage.does == does)

    def comes_later(self, stage: Stage) -> bool:
        """Tell whether a stage is still to come."""
        stages = self.house.game.file.stage
        return stages.index(stage) > stages.index(self.stage)

    def live(self, seat: int) -> list[str]:
        """Return the wagers of a seat whose chips are still to be settled, in settlement order.

        Chips that were taken before the deal are settled only when they win, and then by a pay alone.
        """
        return [
            wager.id
            for wager in self.house.game.stakes.values()
            if self.stake(seat, wager.id) and wager.taken is None and (seat, wager.id) not in self.settled
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
        case Bet():
            return _after_bet(state, event)
        case NoMoreBets() | Deal() | DealOver():
            return _after_closing(_closed(state), event)
        case Fold():
            return replace(state, folded=state.folded | {event.seat})
        case Turn():
            place = (event.zone, event.seat)
            return replace(state, turned={**state.turned, place: max(event.cards, state.turned.get(place, 0))})
        case Pay() | Take() | GiveBack():
            return _after_settling(state, event)
        case Clear():
            return replace(state, cleared=state.cleared | {(event.zone, event.seat)})
        case Declare():
            known = Irregularity(event.code, event.number, after_raises=state.is_past_decisions)
            return replace(state, irregularities=(*state.irregularities, known))
        case Touch():
            return state


def _closed(state: TableState) -> TableState:
    """Close betting: who plays and how the deal should go is fixed now. The first card is the latest moment."""
    if state.closed:
        return state
    return replace(state, entered=state.seats, deal=DealProgress(state.script))


def _after_bet(state: TableState, event: Bet) -> TableState:
    spot = (event.seat, event.wager)
    made = {spot} if event.cents and any(event.wager == raised.id for raised in state.house.game.decisions) else set()
    return replace(state, bets={**state.bets, spot: event.cents}, raised=state.raised | made)


def _after_closing(state: TableState, event: NoMoreBets | Deal | DealOver) -> TableState:
    if isinstance(event, Deal):
        return _after_deal(state, event)
    return replace(state, deal_is_over=isinstance(event, DealOver))


def _after_deal(state: TableState, event: Deal) -> TableState:
    place = (event.zone, event.seat if event.zone == SEAT else None)
    index = state.deal.taken_by(place, event.face_up)
    legal = state.deal.script[index].face_up if index is not None else 0
    return replace(
        state,
        deal=state.deal.after(place, event.cards, event.face_up),
        dealt={**state.dealt, place: state.dealt.get(place, 0) + event.cards},
        turned={**state.turned, place: state.turned.get(place, 0) + event.face_up},
        faced=state.faced + max(event.face_up - legal, 0),
    )


def _after_settling(state: TableState, event: Pay | Take | GiveBack) -> TableState:
    wager = state.house.game.wagers.get(event.wager)
    done = (event.seat, event.wager)
    collected = isinstance(event, Take) and wager is not None and wager.taken is not None
    return state if collected or done in state.settled else replace(state, settled=(*state.settled, done))
