"""Rulings on chips that players put down, add to or take back."""

from collections.abc import Iterator

from vision.rules.due.decision import raise_fits
from vision.rules.play.events import Bet, Fold
from vision.rules.play.faces import is_over
from vision.rules.play.ruling import YES, Reason, Ruling, Value, numbers
from vision.rules.play.tablestate import TableState
from vision.rules.text.gamefile import TimesRow, WagerSpec
from vision.values.codes import Code


def rule_bet(state: TableState, event: Bet) -> Ruling:
    """Rule on chips that changed on a betting spot."""
    wager = state.house.game.stakes.get(event.wager)
    if wager is None:
        return _refused(Code.WAGER_NOT_ALLOWED, Reason.NO_SUCH_WAGER, state.house.game.file.game.cite, event)
    before = state.stake(event.seat, event.wager)
    if event.cents == before or (event.seat, event.wager) in state.settled:
        return YES  # what is settled is the player's to take
    stage = state.stage_named(wager.placed)
    if stage.does == "decide":
        return _raise(state, event, wager, before)
    if not state.closed:
        return YES
    code = Code.LATE_WAGER if event.cents > before else Code.WAGER_WITHDRAWN
    return _refused(code, Reason.CHANGED_AFTER_CLOSE, stage.cite, event, before_cents=before, cents=event.cents)


def _refused(code: Code, reason: Reason, cite: str, event: Bet, **about: Value) -> Ruling:
    return Ruling(code, reason, cite, seat=event.seat, wager=event.wager, numbers=numbers(**about))


def _raise(state: TableState, event: Bet, wager: WagerSpec, before: int) -> Ruling:
    base = state.stake(event.seat, wager.of or "")
    stage = state.stage_named(wager.placed)
    if event.cents < before:
        return _refused(Code.WAGER_WITHDRAWN, Reason.RAISE_TAKEN_BACK, stage.cite, event)
    if not base:
        return _refused(
            Code.WAGER_NOT_ALLOWED, Reason.OTHER_WAGER_MISSING, wager.cite, event, needed_wagers=(wager.of or "",)
        )
    if event.seat in state.folded:
        return _refused(Code.LATE_WAGER, Reason.RAISED_AFTER_FOLD, stage.cite, event)
    if state.comes_later(stage):
        return _refused(Code.WAGER_NOT_ALLOWED, Reason.RAISED_TOO_EARLY, stage.cite, event, stage=state.stage.id)
    if is_over(state, stage):
        return _refused(Code.LATE_WAGER, Reason.RAISED_AFTER_REVEAL, stage.cite, event)
    most = max((_most(times) for times in wager.times), default=None)
    if most is not None and event.cents > most * base:
        about: dict[str, Value] = {"cents": event.cents, "times": most, "base_cents": base}
        return _refused(Code.PLAY_OUT_OF_RANGE, Reason.RAISE_TOO_HIGH, wager.times[0].cite, event, **about)
    return YES


def _most(times: TimesRow) -> int:
    return max(times.exactly) if times.exactly else times.most or 0


def rule_fold(state: TableState, event: Fold) -> Ruling:
    """Rule on a player giving up the hand."""
    decision = state.house.game.decisions[0]
    base, cite, seat = decision.of or "", decision.cite, event.seat
    if not state.stake(seat, base):
        about = numbers(base_wager=base)
        return Ruling(Code.WAGER_NOT_ALLOWED, Reason.NOTHING_TO_FOLD, cite, seat=seat, numbers=about)
    if not state.is_dealt():
        return Ruling(Code.CARDS_CLEARED_EARLY, Reason.FOLD_DURING_DEAL, cite, seat=seat)
    raised = state.stage.wager
    if raised is None or state.stake(seat, raised):
        return Ruling(Code.WAGER_WITHDRAWN, Reason.FOLD_AFTER_RAISE, cite, seat=seat)
    return YES


def objections(state: TableState) -> list[Ruling]:
    """Return what is wrong with the wagers as they lie: to be asked when betting closes and again at the reveal."""
    return [ruling for seat in state.seats for ruling in _seat_objections(state, seat)]


def _seat_objections(state: TableState, seat: int) -> Iterator[Ruling]:
    about = state.house.game.file.game
    if about.seats_max is not None and seat > about.seats_max:
        seats = numbers(seats=about.seats_max)
        yield Ruling(Code.WAGER_NOT_ALLOWED, Reason.NO_SUCH_SEAT, about.cite, seat=seat, numbers=seats)
    for wager in state.house.game.stakes.values():
        bet, base = Bet(seat, wager.id, state.stake(seat, wager.id)), wager.equal_to
        if base and bet.cents != state.stake(seat, base):
            yield _refused(Code.WAGER_NOT_ALLOWED, Reason.NOT_EQUAL, wager.cite, bet, base_wager=base)
        if bet.cents:
            yield from _wager_objections(state, bet, wager)


def _wager_objections(state: TableState, bet: Bet, wager: WagerSpec) -> Iterator[Ruling]:
    seat, cents = bet.seat, bet.cents
    if wager.id not in state.house.offered:
        yield _refused(Code.WAGER_NOT_ALLOWED, Reason.NOT_OFFERED, wager.cite, bet)
    lacking = [needed for needed in wager.needs_all if not state.stake(seat, needed)]
    if not lacking and wager.needs_any and not any(state.stake(seat, needed) for needed in wager.needs_any):
        lacking = wager.needs_any
    if lacking:
        about: dict[str, Value] = {"needed_wagers": tuple(lacking)}
        yield _refused(Code.WAGER_NOT_ALLOWED, Reason.OTHER_WAGER_MISSING, wager.cite, bet, **about)
    least, most = state.limits_cents.get(wager.id, (0, cents))
    if not least <= cents <= most:
        about = {"cents": cents, "least_cents": least, "most_cents": most}
        yield _refused(Code.WAGER_NOT_ALLOWED, Reason.OUTSIDE_LIMITS, "table limits", bet, **about)
    base = state.stake(seat, wager.of) if wager.of else 0
    if base and wager.times and not any(raise_fits(cents, base, times) for times in wager.times):
        about = {"cents": cents, "base_wager": wager.of or "", "base_cents": base}
        yield _refused(Code.PLAY_OUT_OF_RANGE, Reason.RAISE_NOT_IN_RANGE, wager.times[0].cite, bet, **about)
