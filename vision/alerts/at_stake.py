"""What money an alert is about: an alert and the record of its round enter, an amount leaves."""

from dataclasses import dataclass

from vision.records.alert import Alert
from vision.records.round import RoundResult, Wager


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of money, and whether each part of it was read for certain."""

    cents: int
    is_certain: bool


def at_stake(alert: Alert, played: RoundResult) -> Amount | None:
    """Return what an alert is about: what was paid wrong, else what lay on the spot, else all that was wagered."""
    wagers = {(seat.seat, name): wager for seat in played.seats for name, wager in seat.wagers.items()}
    mine = wagers.get((alert.seat or 0, alert.wager or ""))
    if mine is not None and mine.due_cents is not None and mine.paid_cents is not None and mine.verdict == "wrong":
        return Amount(abs(mine.due_cents - mine.paid_cents) or (mine.cents or 0), _is_certain(mine))
    if alert.wager is not None:
        return _sum([] if mine is None else [mine])
    return _sum([wager for (seat, _), wager in wagers.items() if alert.seat in (None, seat)])


def not_verified(played: RoundResult) -> Amount | None:
    """Return what lay on the wagers that could not be verified."""
    wagers = [wager for seat in played.seats for wager in seat.wagers.values()]
    return _sum([wager for wager in wagers if wager.verdict == "unverifiable"])


def _sum(wagers: list[Wager]) -> Amount | None:
    known = [_least_cents(wager) for wager in wagers]
    if not known:
        return None
    return Amount(sum(known), all(_is_certain(wager) for wager in wagers))


def _least_cents(wager: Wager) -> int:
    if wager.bounds is not None:
        return wager.bounds[0]
    return wager.cents or 0


def _is_certain(wager: Wager) -> bool:
    return wager.bounds is None and wager.cents is not None
