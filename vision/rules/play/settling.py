"""Rulings on chips that the dealer pays, takes or gives back."""

from vision.rules.play.dealscript import SEAT
from vision.rules.play.events import GiveBack, Pay, Take
from vision.rules.play.ruling import YES, Reason, Ruling, Value, numbers
from vision.rules.play.tablestate import TableState
from vision.values.codes import Code

Settling = Pay | Take | GiveBack


def rule_settling(state: TableState, event: Settling) -> Ruling:
    """Rule on the dealer's chips: the moment, the seat's turn and the wager's turn."""
    if state.void is not None:
        return _after_void(state, event)
    wager = state.house.game.wagers.get(event.wager)
    if wager is not None and wager.taken == "no_more_bets" and isinstance(event, Take):
        in_time = state.closed and not state.dealt
        return YES if in_time else _refused(Reason.COLLECTED_OUT_OF_TIME, wager.cite, event)
    if isinstance(event, Take) and _is_forfeit(state, event):
        return YES
    cite = state.stage_doing("settle").cite
    if state.stage.does not in ("settle", "clear"):
        return _refused(Reason.SETTLED_IN_STAGE, cite, event, stage=state.stage.id)
    if wager is None:
        return YES  # envy is about others' hands and may come in their turn
    shown = state.turned.get((SEAT, event.seat), 0)
    if shown < state.house.game.file.counts[SEAT] and not state.house.options.get("cards_dealt_face_up"):
        return _refused(Reason.SETTLED_FACE_DOWN, cite, event)
    return _in_turn(state, event)


def _refused(reason: Reason, cite: str, event: Settling, **about: Value) -> Ruling:
    return Ruling(Code.SETTLE_ORDER, reason, cite, seat=event.seat, wager=event.wager, numbers=numbers(**about))


def _after_void(state: TableState, event: Settling) -> Ruling:
    """After a void everything goes back, except what the text still settles."""
    effect = state.void
    if effect is None or isinstance(event, GiveBack) or event.wager in effect.still_settle:
        return YES
    reason, seat, wager = Reason.SETTLED_IN_VOID, event.seat, event.wager
    return Ruling(Code.VOID_NOT_HONOURED, reason, effect.cite, effect.remedy, seat=seat, wager=wager)


def _is_forfeit(state: TableState, event: Take) -> bool:
    """A folded seat's lost wagers are collected before the dealer reveals."""
    plan = state.house.plans.get(event.wager)
    fate = plan.fold if plan is not None else None
    in_time = state.is_past_decisions or state.house.game.file.order.forfeits == "at_once"
    return in_time and event.seat in state.folded and fate is not None and fate.fate in ("forfeit", "lose")


def _in_turn(state: TableState, event: Settling) -> Ruling:
    """Seats are settled from the dealer's right, and each seat's wagers in their order."""
    order = state.house.game.file.order
    if event.wager not in state.house.game.stakes:
        return YES  # a bonus is paid with the wager it belongs to
    waiting = [seat for seat in reversed(state.seats) if state.live(seat)]
    if order.settle_force == "must" and waiting and event.seat < waiting[0]:
        return _refused(Reason.SEAT_OUT_OF_TURN, order.cite, event, due_seat=waiting[0])
    skipped = _settled_too_soon(state, event)
    if order.wagers_force == "must" and skipped is not None:
        return _refused(Reason.WAGER_OUT_OF_TURN, order.cite, event, earlier_wager=skipped)
    return YES


def _settled_too_soon(state: TableState, event: Settling) -> str | None:
    """Return a wager of this seat that was settled before this one and should have come after."""
    turn = {wager: i for i, group in enumerate(state.house.game.file.order.wagers) for wager in group}
    for seat, wager in state.settled:
        early = seat == event.seat and turn.get(wager, -1) > turn[event.wager]
        if early and state.house.game.wagers[wager].taken is None:
            return wager
    return None
