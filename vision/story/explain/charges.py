"""What is amiss in a story, and how likely: an explained round and its events enter, charges leave.

A charge is no alert yet: whether it is raised is a matter of its likelihood, its price, and its best innocent
explanation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from vision.rules.due.record import Line, Outcome
from vision.rules.play import events as ev
from vision.rules.play.dealscript import name_of
from vision.rules.play.ruling import Reason, Ruling, numbers
from vision.story.explain.cards import SECOND
from vision.story.explain.context import TableContext, seat_place
from vision.story.explain.events import SETTLES_NS, Step, first_cards, out_of_turn
from vision.story.explain.explain import Explained
from vision.story.explain.money import Tally
from vision.story.verdict import Finding, Verdict, Why
from vision.values.cards import Card
from vision.values.codes import Code

MONEY: Final = frozenset(
    (
        Code.UNDERPAID,
        Code.OVERPAID,
        Code.LOSER_PAID,
        Code.LOSER_NOT_COLLECTED,
        Code.WINNER_COLLECTED,
        Code.WINNER_NOT_PAID,
    )
)
SURELY: Final = 0.9  # of a hand that paid or took, from which on the moment is judged
STAYS: Final = 2.0  # log-odds that chips still lie there, from which on they were left
LEFT_NS: Final = 6 * SECOND  # after the first card: by then it shows which progressive wagers were not collected
INNOCENT: Final = {
    Code.UNDERPAID: "a chip of the payment was not seen, or misread",
    Code.OVERPAID: "a chip of the stake was not seen, or misread",
    Code.LOSER_PAID: "the chips belong to another bet, or a card was misread",
    Code.WINNER_COLLECTED: "a card was misread",
    Code.WINNER_NOT_PAID: "the payment was not seen, or a card was misread",
    Code.LOSER_NOT_COLLECTED: "the dealer's hand was not seen when the bet went",
}


@dataclass(frozen=True)
class Charge:
    """One thing that is amiss."""

    code: Code
    p: float
    span: tuple[int, int]
    finding: Ruling | Verdict  # what the rules object to, or how a wager was settled
    seat: int | None = None
    wager: str | None = None
    innocent: str = "what was seen was misread"


def charges(context: TableContext, told: Explained, steps: Sequence[Step], now_ns: int) -> Iterator[Charge]:
    """Yield what is amiss."""
    is_void_told = False
    for step in steps:
        for ruling in step.rulings:
            if not _is_borne_out(step, ruling, steps):
                continue
            if ruling.code == Code.VOID_NOT_HONOURED:
                if is_void_told:
                    continue
                is_void_told = True
            yield from _ruled(told, step, ruling, now_ns)
    if told.is_void and not told.is_honoured and not is_void_told:
        yield from _not_honoured(told, now_ns)
    if not told.is_void:
        yield from _money(told, now_ns)
    yield from _duplicates(told, now_ns)
    yield from _deal_order(context, told, now_ns)
    yield from _left_behind(context, told, now_ns)


def _is_borne_out(step: Step, ruling: Ruling, steps: Sequence[Step]) -> bool:
    """Tell whether what came later shows that something else was due first: else it may only not have been seen."""
    later = [other.event for other in steps if other.t_ns > step.t_ns + SETTLES_NS]
    acts = [event for event in later if isinstance(event, ev.Pay | ev.Take)]
    about = dict(ruling.numbers)
    if ruling.reason is Reason.SEAT_OUT_OF_TURN:
        return any(act.seat == about["due_seat"] for act in acts)
    if ruling.reason is Reason.CLEARED_UNSETTLED:
        return any(act.seat == ruling.seat and act.wager in about["open_wagers"] for act in acts)  # type: ignore[operator]
    if ruling.reason is Reason.CLEARED_BEFORE_SEATS:
        return bool(acts)
    if ruling.reason is Reason.SETTLED_IN_STAGE:
        return any(isinstance(event, ev.Bet) for event in later)  # a decision that was still to come
    return ruling.reason is not Reason.SETTLED_FACE_DOWN or step.p >= SURELY


def _ruled(told: Explained, step: Step, ruling: Ruling, now_ns: int) -> Iterator[Charge]:
    """Yield what the rules object to, where the story is sure of it."""
    code = Code(str(ruling.code))
    if code == Code.DEAL_ORDER:
        return  # told from the first cards of all seats together
    p = step.p
    if ruling.reason in (Reason.OUTSIDE_LIMITS, Reason.RAISE_NOT_IN_RANGE, Reason.RAISE_TOO_HIGH):
        tally = told.money.get(ruling.seat or 0, {}).get(ruling.wager or "")
        p = tally.broken.get(code, 0.0) if tally is not None else 0.0
    yield Charge(code, p, (step.t_ns, now_ns), ruling, ruling.seat, ruling.wager)


def _not_honoured(told: Explained, now_ns: int) -> Iterator[Charge]:
    """Yield the one charge that a void round was settled."""
    for seat, wagers in told.money.items():
        for wager, tally in wagers.items():
            p = tally.codes.get(Code.VOID_NOT_HONOURED, 0.0)
            if p > 0.5:
                about = Verdict(None, 0, None, "returned", "wrong", Why(Finding.NOT_RETURNED, numbers(cents=0)), "")
                yield Charge(Code.VOID_NOT_HONOURED, p, (told.cards.first_ns or 0, now_ns), about, seat, wager)
                return


def _money(told: Explained, now_ns: int) -> Iterator[Charge]:
    start_ns = told.cards.faces.reveal_ns or told.cards.first_ns or 0
    for seat, wagers in told.money.items():
        for wager, tally in wagers.items():
            for code, p in tally.codes.items():
                if code in MONEY and p > 0.02:
                    verdict = verdict_of(tally, code)
                    yield Charge(code, p, (start_ns, now_ns), verdict, seat, wager, INNOCENT[code])


def verdict_of(tally: Tally, code: Code) -> Verdict:
    """Return the verdict on a wager that was settled wrong in this way."""
    stake, paid, due = (_top(shares) for shares in (tally.stakes, tally.paid, tally.due))
    line: Line | None = tally.best[1]
    if code == Code.LOSER_NOT_COLLECTED:
        why = Why(Finding.NOT_COLLECTED, numbers(cents=stake or 0))
    elif code == Code.WINNER_COLLECTED and not due:
        why = Why(Finding.NOT_RETURNED, numbers(cents=stake or 0))
    else:
        why = Why(Finding.PAID_OTHER, numbers(paid_cents=paid or 0, due_cents=due or 0))
    outcome = str(line.outcome if line is not None else Outcome.RETURNED)
    cite = line.cite if line is not None else ""
    return Verdict(stake, due, paid, outcome, "wrong", why, cite, code, chance=tally.codes.get(code, 0.0))


def _top(shares: dict[int, float] | dict[int | None, float]) -> int | None:
    return max(shares, key=lambda cents: shares[cents]) if shares else None


def _duplicates(told: Explained, now_ns: int) -> Iterator[Charge]:
    """Yield cards that surely lie on the table twice."""
    seen: dict[Card, int] = {}
    for hand in told.faces.values():
        for card in hand:
            if isinstance(card, Card):
                seen[card] = seen.get(card, 0) + 1
    start_ns = told.cards.first_ns or 0
    for card, count in seen.items():
        if count > 1:
            ruling = Ruling(Code.DUPLICATE_CARD, Reason.ON_TABLE_TWICE, numbers=numbers(card=str(card)))
            yield Charge(Code.DUPLICATE_CARD, 0.95, (start_ns, now_ns), ruling)


def _deal_order(context: TableContext, told: Explained, now_ns: int) -> Iterator[Charge]:
    """Yield a seat that was dealt to before its turn."""
    if context.game.file.order.deal_force == "house":
        return
    found = out_of_turn(first_cards(told, tuple(told.chips)))
    if found is not None:
        t_ns, seat, due = found
        about = numbers(place=name_of(seat_place(seat)), due_place=name_of(seat_place(due)))
        cite = next((stage.cite for stage in context.game.file.stage if stage.does == "deal"), "")
        ruling = Ruling(Code.DEAL_ORDER, Reason.DEALT_OUT_OF_TURN, cite, seat=seat, numbers=about)
        yield Charge(Code.DEAL_ORDER, 0.85, (t_ns, now_ns), ruling, seat)


def _left_behind(context: TableContext, told: Explained, now_ns: int) -> Iterator[Charge]:
    """Yield wagers that were to be collected before the deal and were not, while others were."""
    first_ns = told.cards.first_ns
    if first_ns is None or now_ns - first_ns < LEFT_NS:
        return
    for wager, spec in context.game.stakes.items():
        if spec.taken is None:
            continue
        spots = {seat: chips.spots[wager] for seat, chips in told.chips.items() if chips.has(wager)}
        others = sum(spot.was_collected for spot in spots.values())
        for seat, spot in spots.items():
            is_sure = any(stack.stays >= STAYS for stack in spot.stakes)
            stands = (spot.gone_ns is None and is_sure) or (spot.gone_ns or 0) > first_ns + LEFT_NS
            if others and not spot.was_collected and stands:
                about = numbers(others=others)
                ruling = Ruling(
                    Code.PROGRESSIVE_COUNT, Reason.LEFT_BEHIND, spec.cite, seat=seat, wager=wager, numbers=about
                )
                yield Charge(Code.PROGRESSIVE_COUNT, 0.9, (first_ns, now_ns), ruling, seat, wager)
