"""A whole round of a game whose text gives it wager by wager: each seat's wagers are settled as single ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from vision.rules.book.wagers import find_wager, wager_rounds
from vision.rules.due.single import SingleDue, settle_single
from vision.rules.due.singlewire import printed
from vision.rules.text.gamefile import OptionValue
from vision.rules.text.wagerfile import RoundSpec
from vision.values.errors import InputError, shown
from vision.values.money import Cents, cents_json, exact

RETURNED = {"push": "returned"}  # a round calls a push by what becomes of the stake


@dataclass(frozen=True, slots=True)
class SeatInputs:
    """One seat: its cards, its wagers in cents, and what else its wagers need to know."""

    seat: int
    cards: Sequence[str]
    wagers: Mapping[str, int]
    inputs: Mapping[str, Any]


def settle_wager_round(
    spec: RoundSpec, options: Mapping[str, OptionValue], dealer: Sequence[str], seats: Iterable[SeatInputs]
) -> dict[str, Any]:
    """Settle every wager of every seat; the answer has the form of any round's."""
    settled = [_seat(spec, options, dealer, seat) for seat in sorted(seats, key=lambda seat: -seat.seat)]
    return {
        "status": "settled",
        "violations": [],
        "notes": [],
        "dealer_hand": None,
        "seats": settled,
        "settle_order": [seat["seat"] for seat in settled],
        "meters_after": {},
        "remedy": None,
        "cite": None,
    }


def round_spec(game: str) -> RoundSpec | None:
    """Return the round of a game that stands in a wager file."""
    return wager_rounds().get(game)


def _seat(
    spec: RoundSpec, options: Mapping[str, OptionValue], dealer: Sequence[str], seat: SeatInputs
) -> dict[str, Any]:
    dues = {}
    for name, stake in seat.wagers.items():
        if name not in spec.wagers:
            raise InputError(f"round.seats.wagers: {shown(name)}: want one of {', '.join(spec.wagers)}")
        if stake:
            dues[name] = stake, _due(spec, options, dealer, seat, name)
    net = sum((Fraction(_net(stake, due)) for stake, due in dues.values()), start=Fraction())
    lines = {name: _line(stake, due) for name, (stake, due) in dues.items()}
    return {"seat": seat.seat, "hand": None, "versus": None, "net": cents_json(exact(net)), "wagers": lines}


def _due(
    spec: RoundSpec, options: Mapping[str, OptionValue], dealer: Sequence[str], seat: SeatInputs, name: str
) -> SingleDue:
    wager = find_wager(spec.section, spec.wagers[name])
    stakes = {key: seat.wagers.get(other, 0) for key, other in spec.stakes.items()}
    known = {"player": list(seat.cards), "dealer": list(dealer), **stakes, **spec.given, **seat.inputs}
    needed = {key: value for key, value in known.items() if key in wager.spec.inputs}
    return settle_single(wager, None, options, {**needed, "stake_cents": seat.wagers[name]})


def _back(stake: int, due: SingleDue) -> int | None:
    return None if due.stake_returned is None else stake * due.stake_returned


def _net(stake: int, due: SingleDue) -> Cents:
    back = _back(stake, due)
    return 0 if due.paid is None or back is None else exact(Fraction(due.paid) + back - stake)


def _line(stake: int, due: SingleDue) -> dict[str, Any]:
    back = _back(stake, due)
    total = None if due.paid is None or back is None else exact(Fraction(due.paid) + back)
    body: dict[str, Any] = {
        "outcome": RETURNED.get(due.outcome, due.outcome),
        "stake": stake,
        "paid": None if due.paid is None else cents_json(due.paid),
        "stake_returned": back,
        "total_return": None if total is None else cents_json(total),
        "odds": None if due.pay is None else printed(due.pay),
        "cite": due.cite,
    }
    return {**body, "why": due.why} if due.why else body
