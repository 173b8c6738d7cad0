"""What was due against what was done: one wager as it was seen enters, the verdict on it leaves.

Stake and payment are read each with its doubt, but they explain each other: a dealer who pays right pays what the stake
asks for. So a doubtful stake that a clear payment fits is that stake; wrong is only what no reading of both explains.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from typing import Final

from vision.rules.book.sheet import HouseSheet
from vision.rules.due.record import Line, Outcome, Settlement, Status
from vision.rules.play.ruling import Numbers, numbers
from vision.story.amounts import NOTHING, POSSIBLE, Amount
from vision.values.codes import Code

LOST: Final = (Outcome.LOSE, Outcome.FORFEIT)
PROBABLY, CERTAINLY = 0.8, 0.99  # chances from which on a wager is settled right, and wrong
WITHOUT_DOUBT: Final = 0.999  # the same of too much that was paid, where cards of the hand are in doubt
FITS: Final = 0.05  # how likely stake and payment must be together, against what each is likeliest


class Finding(Enum):
    """Why a wager is wrong, or cannot be verified; the comment names the numbers that come with it."""

    PAID_OTHER = auto()  # paid_cents, due_cents
    PAID_OTHER_BY_BOUNDS = auto()  # the same, with what is due at least
    NOT_RETURNED = auto()  # cents
    NOT_COLLECTED = auto()  # cents
    RULES_SILENT = auto()  # text, of the game file or the settlement
    PAID_ELSEWHERE = auto()  # cents, meter
    STAKE_UNKNOWN = auto()  # least_cents
    PAYMENT_UNKNOWN = auto()  # least_cents
    PAYMENT_UNCERTAIN = auto()  # least_cents, most_cents
    CARDS_UNCERTAIN = auto()  # doubted_cards
    VIEW_LOST = auto()  # code, what
    CAMERA_MOVED = auto()
    DECISION_UNSEEN = auto()
    GLIMPSED = auto()  # chips were seen beside it for a moment and could not be followed
    CALLED_OFF = auto()  # or the end of the round was not seen
    PAYER_UNSEEN = auto()
    BETWEEN = auto()  # chips lie between it and a wager that was being paid
    NO_CARDS = auto()  # its chips may be left from the last round
    OWNER_UNSEEN = auto()  # of the hand that was shown
    TAKER_UNSEEN = auto()
    ODD_STAKE = auto()  # it breaks the rules of the table as it was read
    NOT_MADE = auto()  # no wager was seen there that could be paid
    SENSOR_ONLY = auto()  # only its sensor knows whether it was made
    CUT_OFF = auto()  # the stream ended before it was settled
    JOINED = auto()  # the beginning of the round was not seen


@dataclass(frozen=True, slots=True)
class Why:
    """A finding with its numbers."""

    finding: Finding
    numbers: Numbers = ()


@dataclass(frozen=True)
class Done:
    """What was done with one wager: the stake, what was paid, whether its chips were taken or left."""

    stake: Amount
    paid: Amount = NOTHING
    is_gone: bool = False  # the stake is not there any more
    is_gathered: bool = False  # and it was its owner's to take
    doubt: Finding | None = None  # why something else about it is in doubt
    is_taken: bool = False  # the dealer was seen to take it


@dataclass(frozen=True)
class Verdict:
    """The verdict on one wager; `code` is the alert where it is wrong."""

    cents: int | None
    due_cents: int | None
    paid_cents: int | None
    outcome: str
    verdict: str
    why: Why | None
    cite: str
    code: Code | None = None
    bounds: tuple[int, int | None] | None = None  # of the stake, where it is not certain
    is_stake_sure: bool = True  # it may be relied on, though bounds are told
    chance: float = 1.0  # of the verdict, by the cards that may have been


def judge(sheet: HouseSheet, line: Line | None, done: Done, due: Settlement, wager: str) -> Verdict:
    """Compare one wager."""
    line = line or _silent(done, due)
    cents = _rounded(sheet, line)
    plain = Verdict(done.stake.cents, cents, done.paid.cents, str(line.outcome), "right", None, line.cite)
    if not done.stake.is_certain and done.stake.high != 0:
        plain = replace(plain, bounds=(done.stake.low, done.stake.high), is_stake_sure=done.stake.is_sure)
    if cents is None:
        return replace(plain, verdict="unverifiable", why=Why(Finding.RULES_SILENT, numbers(text=line.why or "")))
    if line.meter is not None and cents and done.paid.cents == 0:
        elsewhere = Why(Finding.PAID_ELSEWHERE, numbers(cents=cents, meter=line.meter))
        return replace(plain, verdict="unverifiable", why=elsewhere)
    explained = _explained(line, cents, done)
    if explained is not None:
        stake, paid = explained
        right = replace(plain, cents=stake, due_cents=paid, paid_cents=paid)
        return _left_there(sheet, wager, line, done, right)
    doubt = _doubt(line, cents, done)
    if doubt is not None:
        return replace(plain, verdict="unverifiable", why=doubt)
    paid = done.paid.cents or 0
    finding = Finding.PAID_OTHER_BY_BOUNDS if is_due_by_bounds(plain) else Finding.PAID_OTHER
    why = Why(finding, numbers(paid_cents=paid, due_cents=due_bounds(plain)[0]))
    return replace(plain, verdict="wrong", why=why, code=_paid_code(line, cents, paid, done))


def is_due_by_bounds(verdict: Verdict) -> bool:
    """Say whether only the least that is due is known, since the stake is known by its bounds only."""
    return not verdict.is_stake_sure and bool(verdict.cents and verdict.due_cents)


def due_bounds(verdict: Verdict) -> tuple[int, int]:
    """Return what is due at least and at most, by the bounds of the stake."""
    due, stake = verdict.due_cents or 0, verdict.cents
    if verdict.bounds is None or verdict.is_stake_sure or not stake:
        return due, due
    low, high = verdict.bounds
    return due * low // stake, due * (stake if high is None else high) // stake


def _rounded(sheet: HouseSheet, line: Line) -> int | None:
    return None if line.paid is None else sheet.house.rounding.apply(line.paid, sheet.house.rounding_unit_cents)


def _silent(done: Done, due: Settlement) -> Line:
    """Return the line of a wager that the settlement does not speak of."""
    cents = done.stake.cents or 0
    if due.status in (Status.SUPERVISOR, Status.INVALID_CARDS):
        why = due.remedy or "; ".join(due.notes)
        return Line(Outcome.UNRESOLVED, cents, None, None, due.cite or "", why=why)
    return Line(Outcome.RETURNED, cents, 0, cents, due.cite or "")


def _explained(line: Line, due_cents: int, done: Done) -> tuple[int | None, int] | None:
    """Return the stake and the payment, if there is a reading of both by which what was paid was due."""
    stake, paid = done.stake, done.paid
    if not due_cents:
        return (stake.cents, 0) if paid.cents == 0 or (not paid.is_sure and paid.may_be(0)) else None
    if paid.cents == 0:
        return None
    if stake.cents is not None and paid.cents == due_cents:
        return stake.cents, due_cents
    if not line.stake:  # nothing was staked: paid by a fixed amount, or on another wager
        is_possible = paid.cents is None or (paid.may_be(due_cents) and not paid.is_sure)
        return (stake.cents, due_cents) if is_possible else None
    return _fitting(Fraction(due_cents, line.stake), stake, paid)


def _fitting(odds: Fraction, stake: Amount, paid: Amount) -> tuple[int, int] | None:
    """Return the likeliest stake and payment in this proportion, if they are likely enough together."""
    pairs = [(value, value * odds) for value, _ in stake.chances]
    pairs += [
        (int(value / odds), Fraction(value)) for value, _ in paid.chances if value and (value / odds).denominator == 1
    ]
    if stake.cents is None or paid.cents is None or not (stake.is_sure or paid.is_sure):
        return None  # two guesses explain anything
    fitting = [(_ease(stake, s) * _ease(paid, int(p)), s, int(p)) for s, p in pairs if p.denominator == 1]
    best = max(fitting, default=(0.0, 0, 0))
    return (best[1], best[2]) if best[0] >= FITS else None


def _ease(amount: Amount, cents: int) -> float:
    """Return how likely an amount is so much, against what it is likeliest: one that was hardly read yields easily."""
    return amount.chance_of(cents) / max(amount.p, POSSIBLE)


def _left_there(sheet: HouseSheet, wager: str, line: Line, done: Done, right: Verdict) -> Verdict:
    """Return the verdict on a wager that was paid right: a lost one has to be collected too."""
    spec = sheet.house.game.wagers.get(wager)
    is_collected = spec is not None and spec.taken is not None
    is_kept = not done.is_gone or done.is_gathered
    is_held_back = done.is_taken and line.outcome is Outcome.RETURNED
    is_left = line.outcome in LOST and is_kept
    if is_collected or not line.stake or not (is_left or is_held_back):
        return right
    if done.doubt is not None:
        return replace(right, verdict="unverifiable", why=Why(done.doubt))
    if is_held_back:
        why = Why(Finding.NOT_RETURNED, numbers(cents=line.stake))
        return replace(right, verdict="wrong", why=why, code=Code.VOID_NOT_HONOURED)
    why = Why(Finding.NOT_COLLECTED, numbers(cents=line.stake))
    return replace(right, verdict="wrong", why=why, code=Code.LOSER_NOT_COLLECTED)


def _paid_code(line: Line, due_cents: int, paid: int, done: Done) -> Code:
    if not due_cents:
        return Code.LOSER_PAID if line.outcome in LOST else Code.OVERPAID
    if not paid:
        return Code.WINNER_COLLECTED if done.is_gone and not done.is_gathered and line.stake else Code.WINNER_NOT_PAID
    return Code.UNDERPAID if paid < due_cents else Code.OVERPAID


def _doubt(line: Line, due_cents: int, done: Done) -> Why | None:
    """Return why a difference proves nothing, if it does not: the chips may allow what was due."""
    paid, stake = done.paid, done.stake
    if done.doubt is not None:
        return Why(done.doubt)
    if _is_excluded(line, due_cents, done):
        return None
    if not stake.is_sure and due_cents:
        return Why(Finding.STAKE_UNKNOWN, numbers(least_cents=stake.low))
    if paid.cents is None:
        return Why(Finding.PAYMENT_UNKNOWN, numbers(least_cents=paid.low))
    bounds = numbers(least_cents=paid.low, most_cents=paid.high or paid.low)
    return Why(Finding.PAYMENT_UNCERTAIN, bounds)


def _is_excluded(line: Line, due_cents: int, done: Done) -> bool:
    """Say whether the bounds of stake and payment exclude that what was paid was due."""
    paid, stake = done.paid, done.stake
    if not due_cents or paid.cents == 0:
        return (paid.low > 0) == (due_cents == 0)
    if stake.high is None or paid.high is None:
        return False
    if not line.stake:  # a fixed amount, or one that is reckoned by another wager
        return stake.is_sure and not paid.low <= due_cents <= paid.high
    odds = Fraction(due_cents, line.stake)
    return paid.high < odds * stake.low or paid.low > odds * stake.high


def weighed(answers: Sequence[tuple[Mapping[str, Verdict], float]], doubts: Sequence[str] = ()) -> dict[str, Verdict]:
    """Return one verdict on each wager, of several with their chances, the likeliest first.

    Dealers pay right far more often than cards are misread, so what was probably due was due; wrong is what was wrong
    by nearly every set of cards that it may have been.
    """
    names = list(dict.fromkeys(wager for verdicts, _ in answers for wager in verdicts))
    found = {w: [(verdicts[w], chance) for verdicts, chance in answers if w in verdicts] for w in names}
    judged = {wager: _weighed(verdicts, doubts) for wager, verdicts in found.items()}
    return {wager: verdict for wager, verdict in judged.items() if verdict is not None}


def _weighed(answers: Sequence[tuple[Verdict, float]], doubts: Sequence[str]) -> Verdict | None:
    """Return the verdict on one wager; None for a bonus that was probably not due, and not paid either."""
    chances: dict[str, float] = {}
    for verdict, chance in answers:
        chances[verdict.verdict] = chances.get(verdict.verdict, 0.0) + chance
    if 1 - sum(chances.values()) >= PROBABLY:
        return None
    for name in ("right", "wrong"):
        first = next((verdict for verdict, _ in answers if verdict.verdict == name), None)
        if first is not None and chances[name] >= _enough(first, doubts):
            return replace(first, chance=chances[name])
    open_one = next((verdict for verdict, _ in answers if verdict.verdict == "unverifiable"), None)
    if open_one is not None and chances["unverifiable"] >= PROBABLY:
        return open_one
    why = Why(Finding.CARDS_UNCERTAIN, numbers(doubted_cards=tuple(doubts[:2])))
    return replace(answers[0][0], verdict="unverifiable", why=why, code=None)


def _enough(verdict: Verdict, doubts: Sequence[str]) -> float:
    """Return how likely a verdict must be. A misread card spoils a good hand more easily than it makes one."""
    if verdict.verdict == "right":
        return PROBABLY
    return WITHOUT_DOUBT if doubts and verdict.code in (Code.LOSER_PAID, Code.OVERPAID) else CERTAINLY


def round_verdict(verdicts: Mapping[tuple[int, str], Verdict], status: Status) -> str:
    """Return the verdict on a round: the worst of its wagers, or void."""
    names = [verdict.verdict for verdict in verdicts.values()]
    if "wrong" in names:
        return "wrong"
    if "unverifiable" in names:
        return "unverifiable"
    return "void" if status is Status.VOID else "right"
