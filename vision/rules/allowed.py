"""May this happen now? A round's state and an event enter; a ruling leaves, and if it is no: why, by which rule.

The codes are those of the alerts. A ruling is about order and moment; amounts due are `settle`'s business.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from vision.money import dollars
from vision.rules.dealscript import SEAT, place
from vision.rules.decision import raise_fits
from vision.rules.events import (
    Bet,
    Clear,
    Deal,
    Declare,
    Event,
    Fold,
    GiveBack,
    Hand,
    NoMoreBets,
    Pay,
    Take,
    Touch,
    Turn,
)
from vision.rules.gamefile import Stage, TimesRow, WagerSpec
from vision.rules.irregular import effect_of
from vision.rules.record import Irregularity
from vision.rules.tablestate import TableState

UP_CARDS = {
    "dealer.hand": "dealer-card-exposed",
    "table.community": "dealer-card-exposed",
    "table.bonus": "dealer-card-exposed",
}


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer: allowed, or refused with an alert code, the reason, the rule and the remedy."""

    code: str | None = None
    why: str = ""
    cite: str = ""
    remedy: str | None = None

    def __bool__(self) -> bool:
        return self.code is None


YES = Ruling()


def allowed(state: TableState, event: Event) -> Ruling:
    """Rule on one event."""
    match event:
        case Bet():
            return _bet(state, event)
        case Deal():
            return _deal(state, event)
        case Fold():
            return _fold(state, event)
        case Turn():
            return _turn(state, event)
        case Pay() | Take() | GiveBack():
            return _settle(state, event)
        case Clear():
            return _clear(state, event)
        case Touch():
            return _touch(state, event)
        case Declare() | NoMoreBets():
            return YES


def objections(state: TableState) -> list[Ruling]:
    """Return what is wrong with the wagers as they lie: to be asked when betting closes and again at the reveal."""
    return [ruling for seat in state.seats for ruling in _seat_objections(state, seat)]


# ---- wagers


def _bet(state: TableState, event: Bet) -> Ruling:
    wager = state.house.game.stakes.get(event.wager)
    if wager is None:
        return Ruling("wager-not-allowed", f"no {event.wager} wager in this game", state.house.game.file.game.cite)
    before = state.stake(event.seat, event.wager)
    if event.cents == before:
        return YES
    stage = _stage(state, wager.placed)
    if stage.does == "decide":
        return _raise(state, event, wager, before)
    if not state.closed:
        return YES
    what = f"{wager.name} at seat {event.seat} from {dollars(before)} to {dollars(event.cents)} after betting closed"
    return Ruling("late-wager" if event.cents > before else "wager-withdrawn", what, stage.cite)


def _raise(state: TableState, event: Bet, wager: WagerSpec, before: int) -> Ruling:
    base = state.stake(event.seat, wager.of or "")
    stage = _stage(state, wager.placed)
    if event.cents < before:
        return Ruling("wager-withdrawn", f"{wager.name} at seat {event.seat} taken back", stage.cite)
    if not base:
        return Ruling("wager-not-allowed", f"{wager.name} at seat {event.seat} without {wager.of}", wager.cite)
    if event.seat in state.folded:
        return Ruling("late-wager", f"{wager.name} at seat {event.seat} after folding", stage.cite)
    if not state.is_dealt():
        return Ruling("wager-not-allowed", f"{wager.name} at seat {event.seat} before the deal is done", stage.cite)
    if _is_over(state, stage):
        return Ruling("late-wager", f"{wager.name} at seat {event.seat} after the cards were turned", stage.cite)
    most = max((_most(times) for times in wager.times), default=None)
    if most is not None and event.cents > most * base:
        return Ruling(
            "play-out-of-range", f"{dollars(event.cents)} is over {most} times {dollars(base)}", wager.times[0].cite
        )
    return YES


def _is_over(state: TableState, decision: Stage) -> bool:
    """A decision ends when the cards that follow it are turned."""
    stages = state.house.game.file.stage
    following = stages[stages.index(decision) + 1]
    return following.does == "reveal" and _faces(state, following) > _legal_faces(state, following.zone or "", decision)


def _most(times: TimesRow) -> int:
    return max(times.exactly) if times.exactly else times.most or 0


def _seat_objections(state: TableState, seat: int) -> Iterator[Ruling]:
    about = state.house.game.file.game
    if about.seats_max is not None and seat > about.seats_max:
        yield Ruling("wager-not-allowed", f"seat {seat}: the table has {about.seats_max}", about.cite)
    for wager in state.house.game.stakes.values():
        cents = state.stake(seat, wager.id)
        if cents:
            yield from _wager_objections(state, seat, wager, cents)


def _wager_objections(state: TableState, seat: int, wager: WagerSpec, cents: int) -> Iterator[Ruling]:
    lacking = [needed for needed in wager.needs_all if not state.stake(seat, needed)]
    if not lacking and wager.needs_any and not any(state.stake(seat, needed) for needed in wager.needs_any):
        lacking = wager.needs_any
    if lacking:
        yield Ruling("wager-not-allowed", f"{wager.name} at seat {seat} without {' or '.join(lacking)}", wager.cite)
    if wager.equal_to and cents != state.stake(seat, wager.equal_to):
        yield Ruling("wager-not-allowed", f"{wager.name} at seat {seat} must equal {wager.equal_to}", wager.cite)
    least, most = state.limits_cents.get(wager.id, (0, cents))
    if not least <= cents <= most:
        limits = f"{dollars(least)} to {dollars(most)}"
        yield Ruling(
            "wager-not-allowed", f"{wager.name} at seat {seat}: {dollars(cents)} outside {limits}", "table limits"
        )
    base = state.stake(seat, wager.of) if wager.of else 0
    if base and wager.times and not any(raise_fits(cents, base, times) for times in wager.times):
        what = f"{wager.name} at seat {seat}: {dollars(cents)} on {wager.of} of {dollars(base)}"
        yield Ruling("play-out-of-range", what, wager.times[0].cite)


# ---- cards


def _deal(state: TableState, event: Deal) -> Ruling:
    target = (event.zone, event.seat if event.zone == SEAT else None)
    there = state.dealt.get(target, 0) + event.cards
    want = state.house.game.file.counts.get(event.zone)
    if want is None or there > want:
        misdeal = effect_of(state.house.game, Irregularity("wrong-card-count"))
        return Ruling(
            "wrong-card-count", f"{place(*target)} gets card {there} of {want or 0}", misdeal.cite, misdeal.remedy
        )
    if event.zone == SEAT and event.seat not in state.seats:
        return Ruling("deal-order", f"seat {event.seat} has no wager", _stage_doing(state, "deal").cite)
    expected = state.script[state.position] if state.position < len(state.script) else None
    if expected is None or (expected.zone, expected.seat) != target:
        wanted = f", want {expected}" if expected else ""
        return Ruling("deal-order", f"{place(*target)} is dealt to{wanted}", expected.cite if expected else "")
    if event.face_up > expected.face_up:
        return _faced(state, event)
    return YES


def _faced(state: TableState, event: Deal) -> Ruling:
    """A card came face up that should not have."""
    if event.zone == SEAT and state.house.options.get("cards_dealt_face_up"):
        return YES
    code = UP_CARDS.get(event.zone, "card-faced-in-deck")
    effect = effect_of(state.house.game, Irregularity(code, 1))
    return Ruling(code, f"a card of {place(event.zone, event.seat)} came face up", effect.cite, effect.remedy)


def _turn(state: TableState, event: Turn) -> Ruling:
    if event.zone == SEAT:
        return YES  # a player may show the own hand; the dealer turns it at settlement
    if event.cards <= _legal_faces(state, event.zone, state.stage):
        return YES
    code = UP_CARDS.get(event.zone, "dealer-card-exposed")
    effect = effect_of(state.house.game, Irregularity(code))
    why = f"{place(event.zone, None)}: {event.cards} faces shown during {state.stage.id}"
    return Ruling(code, why, effect.cite, effect.remedy)


def _faces(state: TableState, reveal: Stage) -> int:
    return state.turned.get((reveal.zone or "", None), 0)


def _legal_faces(state: TableState, zone: str, stage: Stage) -> int:
    """Return how many faces of a zone may show in a stage: the up-cards of the deal, then what was to be revealed."""
    stages = state.house.game.file.stage
    here = stages.index(stage)
    up_cards = sum(delivery.face_up for delivery in state.script if delivery.zone == zone)
    reveals = [other for other in stages[: here + 1] if other.does == "reveal" and other.zone == zone]
    if reveals:
        return reveals[-1].cards or state.house.game.file.counts[zone]
    revealed_later = any(other.does == "reveal" and other.zone == zone for other in stages)
    settling = stages.index(_stage_doing(state, "settle"))
    if not revealed_later and here >= settling:
        return state.house.game.file.counts.get(zone, 0)  # a bonus card turns when its wager is settled
    return up_cards


def _touch(state: TableState, event: Touch) -> Ruling:
    rule = next((entry for entry in state.house.game.file.procedure if entry.id == "touch"), None)
    if rule is None or event.by is not Hand.STRANGER:
        return YES
    return Ruling("card-touched", f"a stranger's hand on the cards of seat {event.seat}", rule.cite)


# ---- decisions and settlement


def _fold(state: TableState, event: Fold) -> Ruling:
    decisions = state.house.game.decisions
    base = decisions[0].of or ""
    if not state.stake(event.seat, base):
        return Ruling("wager-not-allowed", f"seat {event.seat} has no {base} to fold", decisions[0].cite)
    if not state.is_dealt():
        return Ruling("cards-cleared-early", f"seat {event.seat} folds before the deal is done", decisions[0].cite)
    if state.stage.does != "decide":
        return Ruling("wager-withdrawn", f"seat {event.seat} folds during {state.stage.id}", decisions[0].cite)
    return YES


def _settle(state: TableState, event: Pay | Take | GiveBack) -> Ruling:
    wager = state.house.game.wagers.get(event.wager)
    if state.void is not None:
        return _void(state, event)
    if wager is not None and wager.taken == "no_more_bets" and isinstance(event, Take):
        early = "" if state.closed else f"{wager.name} of seat {event.seat} taken before betting closed"
        return Ruling("settle-order", early, wager.cite) if early else YES
    if isinstance(event, Take) and _is_forfeit(state, event):
        return YES
    stage = _stage_doing(state, "settle")
    if state.stage.does not in ("settle", "clear"):
        return Ruling("settle-order", f"{event.wager} of seat {event.seat} settled during {state.stage.id}", stage.cite)
    if not state.turned.get((SEAT, event.seat)) and not state.house.options.get("cards_dealt_face_up"):
        return Ruling("settle-order", f"seat {event.seat} is settled before its cards are turned", stage.cite)
    return _turn_of(state, event)


def _void(state: TableState, event: Pay | Take | GiveBack) -> Ruling:
    """After a void everything goes back, except what the text still settles."""
    effect = state.void
    if effect is None or isinstance(event, GiveBack) or event.wager in effect.still_settle:
        return YES
    return Ruling(
        "void-not-honoured", f"{event.wager} of seat {event.seat} in a void round", effect.cite, effect.remedy
    )


def _is_forfeit(state: TableState, event: Take) -> bool:
    """A folded seat's lost wagers are collected before the dealer reveals."""
    wager = state.house.game.stakes.get(event.wager)
    fate = state.house.fold_row(wager) if wager is not None else None
    decided = state.stage.does not in ("bet", "deal", "decide")
    return decided and event.seat in state.folded and fate is not None and fate.fate in ("forfeit", "lose")


def _turn_of(state: TableState, event: Pay | Take | GiveBack) -> Ruling:
    """Seats are settled from the dealer's right, and each seat's wagers in their order."""
    order = state.house.game.file.order
    waiting = [seat for seat in reversed(state.seats) if state.live(seat)]
    if order.settle_force == "must" and waiting and event.seat < waiting[0] and event.wager in state.house.game.stakes:
        return Ruling("settle-order", f"seat {event.seat} before seat {waiting[0]}", order.cite)
    settled = [wager for seat, wager in state.settled if seat == event.seat]
    places = order.wagers
    late = [
        wager
        for wager in settled
        if wager in places and event.wager in places and _comes_after(places, wager, event.wager)
    ]
    if order.wagers_force == "must" and late and event.wager in state.live(event.seat):
        taken = state.house.game.wagers[late[0]].taken
        if taken is None:
            return Ruling("settle-order", f"{event.wager} of seat {event.seat} after {late[0]}", order.cite)
    return YES


def _comes_after(places: list[str], one: str, other: str) -> bool:
    return places.index(one) > places.index(other)


def _clear(state: TableState, event: Clear) -> Ruling:
    stage = _stage_doing(state, "clear")
    if state.void is not None:
        return YES
    if event.zone == SEAT and event.seat is not None:
        live = state.live(event.seat)
        if live:
            return Ruling(
                "cards-cleared-early", f"seat {event.seat} cleared with {', '.join(live)} unsettled", stage.cite
            )
    elif event.zone in state.house.game.file.counts and any(state.live(seat) for seat in state.seats):
        return Ruling(
            "cards-cleared-early", f"{place(event.zone, None)} cleared before all seats are settled", stage.cite
        )
    return YES


def _stage(state: TableState, stage_id: str | None) -> Stage:
    return next(stage for stage in state.house.game.file.stage if stage.id == stage_id)


def _stage_doing(state: TableState, does: str) -> Stage:
    return next(stage for stage in state.house.game.file.stage if stage.does == does)
