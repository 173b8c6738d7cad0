"""The accounts of a round: what every wager of a seat was due and what was done with it, judged.

A wager is judged by every set of cards that the round may have had (`worlds`), and the verdicts are weighed.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, combinations
from typing import Final

from vision.rules.due.decision import raise_fits
from vision.rules.due.record import Outcome
from vision.rules.play import events as ev
from vision.story.amounts import NOTHING, Amount, total
from vision.story.floor import Floor
from vision.story.hands import DEALER, seat_place
from vision.story.playing import RoundInPlay
from vision.story.retelling import hands_seen, played_round
from vision.story.spots import Payment, Spot
from vision.story.stakes import stake_of
from vision.story.verdict import Done, Finding, Verdict, Why, due_bounds, judge, weighed
from vision.story.worlds import Dues, Lines, doubtful, dues
from vision.values.codes import Code
from vision.values.money import Cents

TOO_MUCH: Final = (Code.LOSER_PAID, Code.OVERPAID)  # no further chips put it right
LEFT_NS: Final = 800_000_000  # after a hand is cleared: a lost stake that still stands there is left
Stage = tuple[int, tuple[int | None, str | None] | None, bool]
BONUS_OF: Final = "ante_bonus"  # paid beside the ante, on its own spot
LASTS_NS: Final = 1_000_000_000  # chips that were paid lie there at least so long
AWAY_NS: Final = 600_000_000


class Accounts:
    """Judges the wagers of one table's rounds."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._asked: tuple[int, int, int] | None = None  # round, time and story for which dues were last asked
        self._dues = Dues(())

    def dues(self, played: RoundInPlay) -> Dues:
        """Return what a round is due by all the cards that it may have had; asked twice at a time, it is known."""
        floor, asked = self._floor, (played.number, self._floor.now_ns, len(played.story))
        if asked != self._asked:
            self._asked = asked
            self._dues = dues(floor.sheet.house, played_round(floor, played), hands_seen(floor, played))
        return self._dues

    def verdicts(self, played: RoundInPlay, due: Dues, seat: int) -> dict[str, Verdict]:
        """Judge a seat's wagers."""
        answers = [(self._judged(played, due, seat, lines), chance) for lines, chance in due.lines(seat)]
        judged = weighed(answers, self._doubts(played, seat) if len(answers) > 1 else [])
        if played.revealed_ns is None and played.state.void is None:
            return self._unrevealed(played, judged, seat)
        lies = [played.hand(place).cleared_ns is None for place in (DEALER, seat_place(seat))]
        if played.is_cut_off and all(lies) and seat not in played.state.folded:
            return _unverifiable(judged, Finding.CUT_OFF)
        return judged

    def stage(self, played: RoundInPlay, seat: int) -> Stage | None:
        """Return how far the settlement of a seat is: the payments that stand there, what was done last, what is left.

        None: there is nothing to judge yet.
        """
        mine = [spot for spot in played.spots.values() if spot.seat == seat]
        paid = [stack for spot in mine for payment in spot.payments for stack in payment.stacks]
        is_left = self._is_left(played, seat) and any(spot.is_standing(self._floor.tracker) for spot in mine)
        if not paid and not is_left:
            return None
        return sum(stack.visible_ns >= LASTS_NS for stack in paid), _last_act(played), is_left

    def is_final(self, played: RoundInPlay, seat: int, wager: str, code: str) -> bool:
        """Say whether a mistake is one whatever the dealer does next at this seat."""
        if code == Code.LOSER_NOT_COLLECTED:
            stakes = played.spots[seat, wager].stakes
            return self._is_left(played, seat) and any(s.seen_ns == self._floor.now_ns for s in stakes)
        if code == Code.UNDERPAID:
            spot = (seat, "ante" if wager == BONUS_OF else wager)
            return _last_act(played) not in (None, spot)
        return code in TOO_MUCH

    def _is_left(self, played: RoundInPlay, seat: int) -> bool:
        """Say whether a seat's hand was cleared a while ago: what still stands there then is left there."""
        cleared_ns = played.hand(seat_place(seat)).cleared_ns
        return cleared_ns is not None and self._floor.now_ns - cleared_ns >= LEFT_NS

    def _unrevealed(self, played: RoundInPlay, judged: dict[str, Verdict], seat: int) -> dict[str, Verdict]:
        """Judge a seat in a round in which the dealer's hand was never shown."""
        if played.is_cut_off:
            return _unverifiable(judged, Finding.CUT_OFF)
        is_collected = any(spot.taken_by == "dealer" for spot in played.spots.values() if spot.stakes)
        if not played.is_called_off and is_collected and played.state.folded.issuperset(played.seats()):
            return judged  # nobody was left to play against
        mine = [spot for spot in played.spots.values() if spot.seat == seat]
        if not any(spot.went_back for spot in mine) or any(spot.payments for spot in mine):
            return _unverifiable(judged, Finding.CALLED_OFF)
        returned = str(Outcome.RETURNED)
        return {
            wager: replace(verdict, verdict="right", outcome=returned, due_cents=0, why=None, code=None)
            for wager, verdict in judged.items()
        }

    def _doubts(self, played: RoundInPlay, seat: int) -> list[str]:
        """Return the cards that a seat's verdicts may hang on."""
        hands = hands_seen(self._floor, played)
        return doubtful({place: hand for place, hand in hands.items() if place[1] in (None, seat)})

    def _judged(self, played: RoundInPlay, due: Dues, seat: int, lines: Lines) -> dict[str, Verdict]:
        spots = {spot.wager: spot for spot in played.spots.values() if spot.seat == seat}
        made = {wager for wager, spot in spots.items() if spot.is_made or spot.payments}
        names = [w for w in (*self._floor.game.wagers, "envy") if w in made or w in lines]
        sheet, settled = self._floor.sheet, due.likeliest
        judged = {w: judge(sheet, lines.get(w), self._done(played, spots, lines, w), settled, w) for w in names}
        return _evened_out(judged)

    def _done(self, played: RoundInPlay, spots: dict[str, Spot], lines: Lines, wager: str) -> Done:
        spot = spots.get("ante" if wager == BONUS_OF else wager)
        if spot is None:
            return Done(NOTHING)
        stake = stake_of(self._floor, played, spot)
        doubt = _doubt(played, spot) or (Finding.ODD_STAKE if self._is_odd(played, spot, stake) else None)
        paid = _total(_share(spot.payments, lines, wager))
        if wager == BONUS_OF:
            nothing = Amount(0, stake.p, 0, 0, ((0, 1.0),))  # as sure as the ante that it is reckoned by
            return Done(nothing, paid, is_gone=True, is_gathered=True, doubt=doubt)
        is_gone = spot.taken_ns is not None or self._is_away(spot)
        taker = spot.taken_by or self._taker(spot)
        is_gathered = is_gone and (bool(paid.cents) or taker == "player")
        if taker == "player" and not _outlasts(played, spot):
            doubt = doubt or Finding.TAKER_UNSEEN
        is_taken = spot.is_taking_told and spot.taken_by == "dealer" and not spot.is_pushed
        return Done(stake, paid, is_gone, is_gathered, doubt, is_taken)

    def _is_odd(self, played: RoundInPlay, spot: Spot, stake: Amount) -> bool:
        """Say whether a stake as it was read breaks the rules, and was not found to do so: it may be misread."""
        limits = self._floor.sheet.limits_cents.get(spot.wager)
        if stake.cents is None or not spot.is_made:
            return False
        if limits is not None and not limits[0] <= stake.cents <= limits[1]:
            return True
        spec = self._floor.game.stakes[spot.wager]
        base = played.spots.get((spot.seat, spec.of or ""))
        if not self._floor.is_raise(spot.wager) or base is None or spot.seat in played.ranged:
            return False
        of_cents = stake_of(self._floor, played, base).cents
        return of_cents is not None and not any(raise_fits(stake.cents, of_cents, times) for times in spec.times)

    def _taker(self, spot: Spot) -> str | None:
        last = max(spot.stakes, key=lambda stack: stack.seen_ns, default=None)
        return None if last is None else self._floor.taker(last, spot.seat)

    def _is_away(self, spot: Spot) -> bool:
        """Say whether chips were not seen for a while, though a hand may still be near."""
        return all(self._floor.now_ns - stack.seen_ns >= AWAY_NS for stack in spot.stakes)


def _last_act(played: RoundInPlay) -> tuple[int | None, str | None] | None:
    """Return the seat and the wager at which the dealer did something last: paid, took, showed or cleared a hand."""
    acts = (h.event for h in reversed(played.happenings) if isinstance(h.event, ev.Pay | ev.Take | ev.Turn | ev.Clear))
    return next(((act.seat, getattr(act, "wager", None)) for act in acts), None)


def _outlasts(played: RoundInPlay, spot: Spot) -> bool:
    """Say whether chips were seen after the dealer was done with their seat: what went before went by the dealer."""
    done = (played.hand(place).cleared_ns for place in (seat_place(spot.seat), DEALER))
    done_ns = next((t_ns for t_ns in done if t_ns is not None), None)
    return done_ns is not None and any(stack.seen_ns > done_ns for stack in spot.stakes)


def _unverifiable(judged: dict[str, Verdict], finding: Finding) -> dict[str, Verdict]:
    why = Why(finding)
    return {wager: replace(verdict, verdict="unverifiable", why=why, code=None) for wager, verdict in judged.items()}


def _evened_out(judged: dict[str, Verdict]) -> dict[str, Verdict]:
    """Return the verdicts; where all that was paid at a seat is what was due there, it only lies between the spots."""
    paid = {wager: verdict.paid_cents for wager, verdict in judged.items()}
    due = {wager: verdict.due_cents for wager, verdict in judged.items()}
    known = [w for w in judged if paid[w] is not None and due[w] is not None and paid[w] != due[w]]
    groups = (group for size in range(len(known), 1, -1) for group in combinations(known, size))
    even = next((g for g in groups if sum(paid[w] or 0 for w in g) == sum(due[w] or 0 for w in g)), ())
    right = {w: replace(judged[w], paid_cents=due[w], verdict="right", why=None, code=None) for w in even}
    return _shared(_within({**judged, **right}))


def _within(judged: dict[str, Verdict]) -> dict[str, Verdict]:
    """Return the verdicts; what one wager got too much another may lack, as far as the stakes are known."""
    amiss = [w for w, v in judged.items() if v.due_cents and v.paid_cents and v.paid_cents != v.due_cents]
    for pair in combinations(amiss, 2):
        low, high = (sum(limits) for limits in zip(*(due_bounds(judged[w]) for w in pair), strict=True))
        if low <= sum(judged[w].paid_cents or 0 for w in pair) <= high:
            return {**judged, **_unverifiable({w: judged[w] for w in pair}, Finding.BETWEEN)}
    return judged


def _shared(judged: dict[str, Verdict]) -> dict[str, Verdict]:
    """Return the verdicts; a wager may have been paid with another of its seat that seems to have got too much."""
    surplus = [w for w, v in judged.items() if v.paid_cents and v.due_cents is not None and v.paid_cents > v.due_cents]
    over = sum((judged[w].paid_cents or 0) - (judged[w].due_cents or 0) for w in surplus)
    unpaid = {w: v for w, v in judged.items() if v.code == Code.WINNER_NOT_PAID and due_bounds(v)[0] <= over}
    in_doubt = {w: judged[w] for w in (*surplus, *unpaid)} if surplus and unpaid else {}
    return {**judged, **_unverifiable(in_doubt, Finding.BETWEEN)}


def _doubt(played: RoundInPlay, spot: Spot) -> Finding | None:
    """Return why a difference at a wager would prove nothing, if something else about it is in doubt."""
    if played.is_joined:
        return Finding.JOINED
    if spot.seat in played.doubtful:
        return Finding.DECISION_UNSEEN
    if not spot.is_made:
        return Finding.SENSOR_ONLY if spot.is_sensor else Finding.NOT_MADE
    hand = played.hand(seat_place(spot.seat))
    if not hand.dealt and hand.shown_ns is None:
        return Finding.NO_CARDS
    if hand.shown_ns is not None and not hand.is_sure:
        return Finding.OWNER_UNSEEN
    if any(not payment.is_dealers for payment in spot.payments):
        return Finding.PAYER_UNSEEN
    if any(payment.is_between for payment in spot.payments):
        return Finding.BETWEEN
    paid = [stack for payment in spot.payments for stack in payment.stacks]
    is_brief = any(stack.visible_ns < LASTS_NS for stack in paid)
    is_moved = spot.moved_ns is not None and spot.moved_ns > (played.revealed_ns or 0) and not spot.payments
    return Finding.GLIMPSED if spot.is_glimpsed or is_brief or is_moved else None


def _total(payments: Sequence[Payment]) -> Amount:
    return total([payment.amount for payment in payments])


def _share(payments: Sequence[Payment], lines: Lines, wager: str) -> Sequence[Payment]:
    """Return the payments that belong to a wager: the ante's spot is also where its bonus is paid, after it."""
    bonus, ante = lines.get(BONUS_OF), lines.get("ante")
    if wager not in ("ante", BONUS_OF) or bonus is None or not bonus.paid:
        return [] if wager == BONUS_OF else payments
    if ante is None or not ante.paid:
        return payments if wager == BONUS_OF else []
    first = _first(payments, ante.paid, bonus.paid)
    return payments[:first] if wager == "ante" else payments[first:]


def _first(payments: Sequence[Payment], ante: Cents, bonus: Cents) -> int:
    """Return how many payments are the ante's own, the first ones: so many that both come nearest to what is due."""
    paid = [0, *accumulate(payment.amount.cents or 0 for payment in payments)]

    def amiss(first: int) -> tuple[int, bool, Fraction, int]:
        off = abs(paid[first] - Fraction(ante)), abs(paid[-1] - paid[first] - Fraction(bonus))
        return -off.count(Fraction(0)), first == 0, off[0] + off[1], -first

    return min(range(len(paid)), key=amiss)
