"""What a seat decided: raised, folded, or something the text does not allow."""

from collections.abc import Iterator
from dataclasses import dataclass

from vision.rules.book.game import Game
from vision.rules.due.record import SeatPlay, Violation
from vision.rules.due.seathands import SeatHands
from vision.rules.text.gamefile import TimesRow, WagerSpec
from vision.values.money import dollars


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat's decision. A disputed one leaves the contested wagers to a person."""

    folded: bool
    violations: tuple[Violation, ...] = ()

    @property
    def is_disputed(self) -> bool:
        """Tell whether a rule was broken for which no text has a remedy."""
        return bool(self.violations)


def decide(game: Game, seat: SeatPlay, hands: SeatHands) -> Decision:
    """Read a seat's decision off its wagers."""
    raises = game.decisions
    if not raises:
        return Decision(folded=False)
    base = raises[0].of or ""
    made = [raised for raised in raises if seat.stake(raised.id)]
    if not seat.stake(base):
        broken = [_violation(seat, raised, f"{_dashed(raised.id)}-without-{_dashed(base)}") for raised in made]
        return Decision(folded=False, violations=(*_unequal(game, seat), *broken))
    missing = next((raised for raised in raises if raised not in made), None)
    broken = [
        *_unequal(game, seat),
        *_wrong_amounts(seat, made, base, hands),
        *_wrong_choice(game, seat, made, missing),
    ]
    folded = seat.folded and missing is not None and not broken
    return Decision(folded=folded, violations=tuple(broken))


def _unequal(game: Game, seat: SeatPlay) -> Iterator[Violation]:
    """Yield wagers that had to equal another and do not."""
    for wager in game.stakes.values():
        if wager.equal_to and seat.stake(wager.id) != seat.stake(wager.equal_to):
            yield _violation(seat, wager, f"{_dashed(wager.id)}-not-equal-to-{_dashed(wager.equal_to)}")


def missing_base(game: Game, seat: SeatPlay) -> Iterator[Violation]:
    """Yield wagers made without the wagers they need."""
    for wager in game.stakes.values():
        if not seat.stake(wager.id):
            continue
        if not all(seat.stake(needed) for needed in wager.needs_all):
            needs = "-and-".join(_dashed(needed) for needed in wager.needs_all)
            yield _violation(seat, wager, f"{_dashed(wager.id)}-needs-{needs}")
        if wager.needs_any and not any(seat.stake(needed) for needed in wager.needs_any):
            yield _violation(seat, wager, f"{_dashed(wager.id)}-needs-base-wager")


def raise_fits(stake: int, base_cents: int, times: TimesRow) -> bool:
    """Tell whether a raise has a size the text allows."""
    if times.exactly:
        return any(stake == n * base_cents for n in times.exactly)
    least, most = times.least or 0, times.most or 0
    return least * base_cents <= stake <= most * base_cents


def _wrong_amounts(seat: SeatPlay, made: list[WagerSpec], base: str, hands: SeatHands) -> Iterator[Violation]:
    for raised in made:
        times = next((row for row in raised.times if hands.holds(row) is True), None)
        if times and not raise_fits(seat.stake(raised.id), seat.stake(base), times):
            yield _violation(seat, raised, f"{_dashed(raised.id)}-out-of-range", times.cite)


def _wrong_choice(game: Game, seat: SeatPlay, made: list[WagerSpec], missing: WagerSpec | None) -> Iterator[Violation]:
    last = game.decisions[-1]
    if missing is None:
        if seat.folded:
            yield _violation(seat, last, f"{_dashed(last.id)}-and-fold")
        return
    later = game.decisions[game.decisions.index(missing) + 1 :]
    if any(raised in made for raised in later) or not seat.folded:
        yield _violation(seat, missing, f"neither-{_dashed(missing.id)}-nor-fold")


def _violation(seat: SeatPlay, wager: WagerSpec, code: str, cite: str | None = None) -> Violation:
    others = {name: dollars(cents) for name, cents in seat.wagers.items() if cents}
    staked = ", ".join(f"{name} {cents}" for name, cents in others.items())
    return Violation(code, seat.seat, f"{wager.name} at seat {seat.seat}: {staked}", cite or wager.cite)


def _dashed(name: str) -> str:
    return name.replace("_", "-")
