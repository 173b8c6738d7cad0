"""A story as a record: an explained round enters, the round record leaves."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from vision.records.round import Dealer, Round, RoundVerdict, Seat, Wager
from vision.rules.due.record import Status
from vision.story.explain.context import BONUS, DEALER, TableContext, seat_place
from vision.story.explain.explain import RIGHT_FROM, WRONG_FROM, Explained, Explainer
from vision.story.explain.money import Tally
from vision.values.codes import Code

DECIDED: Final = 0.5  # share from which on a bonus is told of


def round_record(
    context: TableContext, explainer: Explainer, told: Explained, round_id: str, span: tuple[int, int]
) -> Round:
    """Return a round as it is written."""
    seats = tuple(_seat(context, explainer, told, seat) for seat in told.chips)
    verdicts = [wager.verdict for seat in seats for wager in seat.wagers.values()]
    return Round(
        id=round_id,
        table=context.table,
        game=context.sheet.game,
        house=context.sheet.name,
        started_ns=span[0],
        ended_ns=span[1],
        verdict=_worst(verdicts, is_void=told.dues.status is Status.VOID),
        dealer=Dealer(
            cards=tuple(map(str, told.faces.get(DEALER, ()))), up_card=str(told.up_card) if told.up_card else None
        ),
        bonus_card=str(told.faces[BONUS][0]) if told.faces.get(BONUS) else None,
        seats=seats,
    )


def _worst(verdicts: Sequence[str], *, is_void: bool) -> RoundVerdict:
    """Return the verdict on a round: the worst of its wagers; void where all was returned."""
    if "wrong" in verdicts:
        return "wrong"
    if "unverifiable" in verdicts:
        return "unverifiable"
    return "void" if is_void else "right"


def _seat(context: TableContext, explainer: Explainer, told: Explained, seat: int) -> Seat:
    chips = told.chips[seat]
    has_raised = any(chips.has(raised.id) for raised in context.game.decisions)
    folded = not told.is_honoured and explainer.has_folded(told.cards, chips)
    wagers = {w: wager_record(tally) for w, tally in told.money.get(seat, {}).items() if _is_told(tally)}
    order = [*context.game.wagers, "envy"]
    return Seat(
        seat=seat,
        cards=tuple(map(str, told.faces.get(seat_place(seat), ()))),
        decision="play" if has_raised else "fold" if folded else "none",
        wagers={w: wagers[w] for w in sorted(wagers, key=order.index)},
    )


def _is_told(tally: Tally) -> bool:
    """Tell whether a wager belongs into the record: something was staked, due or paid."""
    nothing = tally.stakes.get(0, 0.0) > DECIDED and tally.paid.get(0, 0.0) > DECIDED
    return not (nothing and tally.outcomes.get("", 0.0) + tally.due.get(0, 0.0) > DECIDED)


def wager_record(tally: Tally) -> Wager:
    """Return what is told of a wager."""
    code, p_wrong = worst_code(tally)
    p_right = tally.codes.get(None, 0.0)
    due = max(tally.due, key=lambda cents: tally.due[cents])
    line = tally.best[1]
    verdict: Literal["right", "wrong", "unverifiable"] = "unverifiable"
    if p_right >= RIGHT_FROM or p_wrong >= WRONG_FROM:
        verdict = "right" if p_right >= RIGHT_FROM else "wrong"
    return Wager(
        cents=_likeliest(tally.stakes),
        due_cents=due,
        paid_cents=_likeliest(tally.paid),
        outcome=max(tally.outcomes, key=lambda name: tally.outcomes[name]) or "returned",
        verdict="unverifiable" if due is None else verdict,
        why=None if verdict == "right" and due is not None else str(code or ""),
        cite=line.cite if line is not None else "",
    )


def worst_code(tally: Tally) -> tuple[Code | None, float]:
    """Return the likeliest kind of wrong settlement, and how likely any is."""
    codes: Mapping[Code, float] = {code: p for code, p in tally.codes.items() if code is not None}
    if not codes:
        return None, 0.0
    best = max(codes, key=lambda code: codes[code])
    return best, sum(codes.values())


def _likeliest(shares: Mapping[int, float]) -> int | None:
    return max(shares, key=lambda cents: (shares[cents], -cents)) if shares else None
