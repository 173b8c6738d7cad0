"""Progressive wagers that a system accepted: signals enter; wagers that were collected, and contradictions, leave."""

from typing import Final

from vision.records.signal import Signal
from vision.rules.play import events as ev
from vision.rules.play.ruling import Numbers, Reason, Ruling, numbers
from vision.story.amounts import Amount
from vision.story.floor import Floor
from vision.story.playing import RoundInPlay
from vision.story.spots import Spot
from vision.values.codes import Code

LAG_NS: Final = 3_000_000_000  # after the close: the system tells late what it accepted in time


class Progressives:
    """Knows which wagers the progressive's system accepted for the round that is being bet on."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._cents: dict[int, int] = {}  # by seat

    def hear(self, signal: Signal, played: RoundInPlay | None) -> None:
        """Take in a wager that was accepted."""
        seat, cents = signal.seat or 0, signal.cents or 0
        if played is None or played.closed_ns is None or signal.t_ns - played.closed_ns > LAG_NS:
            self._cents[seat] = cents
            return
        spots = (spot for (owner, _), spot in played.spots.items() if owner == seat and self._is_taken_early(spot))
        for spot in spots:
            if not spot.stakes:
                spot.collected = _exactly(cents)
                played.put_bet(ev.Bet(seat, spot.wager, cents))

    def meet(self, spot: Spot, *, is_dealers: bool) -> Ruling | None:
        """Put what was accepted on a spot when betting closes; object where the dealer took other chips."""
        if not self._cents or not self._is_taken_early(spot):
            return None
        spec, cents, chips = self._floor.game.stakes[spot.wager], self._cents.get(spot.seat), spot.collected
        if cents is not None and not spot.stakes:
            spot.collected = _exactly(cents)
        if chips is None or not is_dealers:
            return None
        if cents is None:
            about = numbers(accepted_seats=tuple(map(str, sorted(self._cents))))
            return _miscounted(spot, Reason.COLLECTED_NOT_ACCEPTED, spec.cite, about)
        if chips.is_sure and not chips.may_be(cents):
            about = numbers(cents=chips.cents or 0, accepted_cents=cents)
            return _miscounted(spot, Reason.COLLECTED_OTHER_AMOUNT, spec.cite, about)
        return None

    def forget(self) -> None:
        """Begin anew: what was accepted is in the round."""
        self._cents.clear()

    def _is_taken_early(self, spot: Spot) -> bool:
        return self._floor.game.stakes[spot.wager].taken is not None


def _miscounted(spot: Spot, reason: Reason, cite: str, about: Numbers) -> Ruling:
    return Ruling(Code.PROGRESSIVE_COUNT, reason, cite, seat=spot.seat, wager=spot.wager, numbers=about)


def _exactly(cents: int) -> Amount:
    return Amount(cents, 1.0, cents, cents, ((cents, 1.0),))
