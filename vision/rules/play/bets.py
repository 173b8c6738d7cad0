"""Rulings on chips that players put down, add to or take back."""

from collections.abc import Iterator

from vision.rules.due.decision import raise_fits
from vision.rules.play.events import Bet, Fold
from vision.rules.play.faces import is_over
from vision.rules.play.ruling import YES, Ruling
from vision.rules.play.tablestate import TableState
from vision.rules.text.gamefile import TimesRow, WagerSpec
from vision.values.money import dollars


def rule_bet(state: TableState, event: Bet) -> Ruling:
    """Rule on chips that changed on a betting spot."""
    wager = state.house.game.stakes.get(event.wager)
    if wager is None:
        return Ruling("wager-not-allowed", f"no {event.wager} wager in this game", state.house.game.file.game.cite)
    before = state.stake(event.seat, event.wager)
    if event.cents == before or (event.seat, event.wager) in state.settled:
        return YES  # what is settled is the player's to take
    stage = state.stage_named(wager.placed)
    if stage.does == "decide":
        return _raise(state, event, wager, before)
    if not state.closed:
        return YES
    what = f"{wager.name} at seat {event.seat} from {dollars(before)} to {dollars(event.cents)} after betting closed"
    return Ruling("late-wager" if event.cents > before else "wager-withdrawn", what, stage.cite)


def _raise(state: TableState, event: Bet, wager: WagerSpec, before: int) -> Ruling:
    base = state.stake(event.seat, wager.of or "")
    stage = state.stage_named(wager.placed)
    where = f"{wager.name} at seat {event.seat}"
    if event.cents < before:
        return Ruling("wager-withdrawn", f"{where} taken back", stage.cite)
    if not base:
        return Ruling("wager-not-allowed", f"{where} without {wager.of}", wager.cite)
    if event.seat in state.folded:
        return Ruling("late-wager", f"{where} after folding", stage.cite)
    if state.comes_later(stage):
        return Ruling("wager-not-allowed", f"{where} during {state.stage.id}, before its time", stage.cite)
    if is_over(state, stage):
        return Ruling("late-wager", f"{where} after the cards were turned", stage.cite)
    most = max((_most(times) for times in wager.times), default=None)
    if most is not None and event.cents > most * base:
        why = f"{where}: {dollars(event.cents)} is over {most} times {dollars(base)}"
        return Ruling("play-out-of-range", why, wager.times[0].cite)
    return YES


def _most(times: TimesRow) -> int:
    return max(times.exactly) if times.exactly else times.most or 0


def rule_fold(state: TableState, event: Fold) -> Ruling:
    """Rule on a player giving up the hand."""
    decisions = state.house.game.decisions
    base = decisions[0].of or ""
    if not state.stake(event.seat, base):
        return Ruling("wager-not-allowed", f"seat {event.seat} has no {base} to fold", decisions[0].cite)
    if not state.is_dealt():
        return Ruling("cards-cleared-early", f"seat {event.seat} folds before the deal is done", decisions[0].cite)
    raised = state.stage.wager
    if raised is None or state.stake(event.seat, raised):
        return Ruling("wager-withdrawn", f"seat {event.seat} folds after raising", decisions[0].cite)
    return YES


def objections(state: TableState) -> list[Ruling]:
    """Return what is wrong with the wagers as they lie: to be asked when betting closes and again at the reveal."""
    return [ruling for seat in state.seats for ruling in _seat_objections(state, seat)]


def _seat_objections(state: TableState, seat: int) -> Iterator[Ruling]:
    about = state.house.game.file.game
    if about.seats_max is not None and seat > about.seats_max:
        yield Ruling("wager-not-allowed", f"seat {seat}: the table has {about.seats_max}", about.cite)
    for wager in state.house.game.stakes.values():
        cents = state.stake(seat, wager.id)
        if wager.equal_to and cents != state.stake(seat, wager.equal_to):
            yield Ruling("wager-not-allowed", f"{wager.name} at seat {seat} must equal {wager.equal_to}", wager.cite)
        if cents:
            yield from _wager_objections(state, seat, wager, cents)


def _wager_objections(state: TableState, seat: int, wager: WagerSpec, cents: int) -> Iterator[Ruling]:
    where = f"{wager.name} at seat {seat}"
    if wager.id not in state.house.offered:
        yield Ruling("wager-not-allowed", f"{where}: the house does not offer it", wager.cite)
    lacking = [needed for needed in wager.needs_all if not state.stake(seat, needed)]
    if not lacking and wager.needs_any and not any(state.stake(seat, needed) for needed in wager.needs_any):
        lacking = wager.needs_any
    if lacking:
        yield Ruling("wager-not-allowed", f"{where} without {' or '.join(lacking)}", wager.cite)
    least, most = state.limits_cents.get(wager.id, (0, cents))
    if not least <= cents <= most:
        limits = f"{dollars(least)} to {dollars(most)}"
        yield Ruling("wager-not-allowed", f"{where}: {dollars(cents)} outside {limits}", "table limits")
    base = state.stake(seat, wager.of) if wager.of else 0
    if base and wager.times and not any(raise_fits(cents, base, times) for times in wager.times):
        why = f"{where}: {dollars(cents)} on {wager.of} of {dollars(base)}"
        yield Ruling("play-out-of-range", why, wager.times[0].cite)
