"""The accounts of a round: what every wager of a seat was due and what was done with it, judged.

Money is judged by faces that were read well; where a verdict hangs on another, it is unverifiable.
"""

from collections.abc import Sequence
from typing import Final

from vision.rounds.amounts import NOTHING, Amount, total
from vision.rounds.floor import Floor
from vision.rounds.hands import seat_place
from vision.rounds.playing import RoundInPlay
from vision.rounds.retelling import played_round
from vision.rounds.spots import Payment, Spot
from vision.rounds.verdict import Done, Verdict, judge
from vision.rules.due.record import Line, Settlement
from vision.rules.due.settle import settle

BONUS_OF: Final = "ante_bonus"  # paid beside the ante, on its own spot
AWAY_NS: Final = 600_000_000
UNSEEN_DECISION: Final = "the player's decision was not seen"
JOINED: Final = "the round was under way when watching began"


class Accounts:
    """Judges the wagers of one table's rounds."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    def due(self, played: RoundInPlay) -> Settlement:
        """Return what a round is due, by the faces that were read well."""
        return settle(self._floor.sheet.house, played_round(self._floor, played, is_strict=True))

    def verdicts(self, played: RoundInPlay, due: Settlement, seat: int) -> dict[str, Verdict]:
        """Judge a seat's wagers."""
        lines: dict[str, Line] = next((dict(entry.lines) for entry in due.seats if entry.seat == seat), {})
        spots = {spot.wager: spot for spot in played.spots.values() if spot.seat == seat}
        made = {wager for wager, spot in spots.items() if spot.is_made or spot.payments}
        names = [w for w in (*self._floor.game.wagers, "envy") if w in made or w in lines]
        sheet = self._floor.sheet
        return {w: judge(sheet, lines.get(w), self._done(played, spots, lines, w), due, w) for w in names}

    def _done(self, played: RoundInPlay, spots: dict[str, Spot], lines: dict[str, Line], wager: str) -> Done:
        spot = spots.get("ante" if wager == BONUS_OF else wager)
        if spot is None:
            return Done(NOTHING)
        doubt = UNSEEN_DECISION if spot.seat in played.doubtful else JOINED if played.is_joined else None
        paid = _total(_share(spot.payments, lines, wager))
        if wager == BONUS_OF:
            ante = spot.stake
            stake = Amount(0, ante.p, 0, 0, ((0, 1.0),))
            return Done(stake, paid, is_gone=True, is_gathered=True, is_sure=doubt is None, doubt=doubt)
        cleared = played.hand(seat_place(spot.seat)).cleared_ns
        is_gone = spot.taken_ns is not None or self._is_away(spot)
        is_gathered = spot.taken_ns is not None and (bool(paid.cents) or (cleared or spot.taken_ns) < spot.taken_ns)
        return Done(spot.stake, paid, is_gone, is_gathered, is_sure=doubt is None, doubt=doubt)

    def _is_away(self, spot: Spot) -> bool:
        """Say whether chips were not seen for a while, though a hand may still be near."""
        return all(self._floor.now_ns - stack.seen_ns >= AWAY_NS for stack in spot.stakes)


def _total(payments: Sequence[Payment]) -> Amount:
    return total([payment.amount for payment in payments])


def _share(payments: Sequence[Payment], lines: dict[str, Line], wager: str) -> Sequence[Payment]:
    """Return the payments that belong to a wager: the ante's spot is also where its bonus is paid, after it."""
    bonus, ante = lines.get(BONUS_OF), lines.get("ante")
    if wager not in ("ante", BONUS_OF) or bonus is None or not bonus.paid:
        return [] if wager == BONUS_OF else payments
    if ante is None or not ante.paid:
        return payments if wager == BONUS_OF else []
    return payments[:1] if wager == "ante" else payments[1:]
