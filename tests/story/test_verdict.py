"""One wager as it was seen against what was due: right, wrong with its code, or unverifiable with the reason."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.film.production import house_sheet
from vision.alerts.words import due_words, finding_words
from vision.rules.due.record import Line, Outcome, Settlement, Status, unresolved
from vision.story.amounts import NOTHING, Amount
from vision.story.verdict import Done, Finding, Verdict, judge, round_verdict, weighed
from vision.values.codes import Code

SHEET = house_sheet("maryland")
SETTLED = Settlement(Status.SETTLED)
BLIND = Amount(None, 0.0, 0, None)


def sure(cents: int) -> Amount:
    return Amount(cents, 0.95, cents, cents, ((cents, 0.95),))


def between(cents: int, low: int, high: int | None, p: float = 0.5) -> Amount:
    """Return an amount that is doubtful, with its bounds."""
    return Amount(cents, p, low, high, ((cents, p),))


def either(*cents: int) -> Amount:
    """Return an amount of which looks say this or that, the first most."""
    chances = tuple((value, 0.6 if i == 0 else 0.4 / (len(cents) - 1)) for i, value in enumerate(cents))
    return Amount(cents[0], 0.6, min(cents), max(cents), chances)


def won(stake: int, paid: int) -> Line:
    return Line(Outcome.WIN, stake, paid, stake, "§W")


def lost(stake: int) -> Line:
    return Line(Outcome.LOSE, stake, 0, 0, "§L")


def pushed(stake: int) -> Line:
    return Line(Outcome.RETURNED, stake, 0, stake, "§P")


WIN, LOSS, BONUS = won(500, 500), lost(500), Line(Outcome.WIN, 0, 1000, 0, "§B")
RETURNED = Line(Outcome.RETURNED, 500, 0, 500, "§V")
OPEN = unresolved(500, "the dealer's hand was not seen", "§U")
STAKE = sure(500)

CASES = [
    # what is due, what was done, the verdict, its code
    (WIN, Done(STAKE, sure(500)), "right", None),
    (WIN, Done(STAKE, sure(400)), "wrong", "underpaid"),
    (WIN, Done(STAKE, sure(600)), "wrong", "overpaid"),
    (WIN, Done(STAKE), "wrong", "winner-not-paid"),  # the stake still stands there
    (WIN, Done(STAKE, is_gone=True), "wrong", "winner-collected"),  # it does not
    (WIN, Done(STAKE, is_gone=True, is_gathered=True), "wrong", "winner-not-paid"),  # its owner took it
    (LOSS, Done(STAKE, is_gone=True), "right", None),
    (LOSS, Done(STAKE), "wrong", "loser-not-collected"),  # it stands there still
    (LOSS, Done(STAKE, is_gone=True, is_gathered=True), "wrong", "loser-not-collected"),  # its owner took it
    (LOSS, Done(STAKE, sure(500)), "wrong", "loser-paid"),
    (Line(Outcome.FORFEIT, 500, 0, 0, "§F"), Done(STAKE, sure(500)), "wrong", "loser-paid"),
    (pushed(500), Done(STAKE), "right", None),  # a push stays where it is
    (RETURNED, Done(STAKE, is_gone=True, is_gathered=True), "right", None),
    (RETURNED, Done(STAKE, is_gone=True, is_taken=True), "wrong", "void-not-honoured"),
    (pushed(500), Done(STAKE, sure(500)), "wrong", "overpaid"),
    (BONUS, Done(NOTHING, sure(1000), is_gone=True), "right", None),
    (BONUS, Done(NOTHING, is_gone=True), "wrong", "winner-not-paid"),  # there was no stake to collect
    (BONUS, Done(NOTHING, sure(500), is_gone=True), "wrong", "underpaid"),
    # stake and payment explain each other
    (won(1000, 1000), Done(either(1000, 500), sure(500)), "right", None),  # the other reading of the stake
    (WIN, Done(STAKE, either(400, 500)), "right", None),  # the other reading of the payment
    (won(1000, 3000), Done(either(1000, 500), sure(1500)), "right", None),  # in the odds of the line
    (WIN, Done(STAKE, between(400, 300, 600, p=0.9)), "unverifiable", None),  # clear, but the bounds allow what is due
    (WIN, Done(STAKE, between(400, 300, 450, p=0.9)), "wrong", "underpaid"),  # the bounds exclude it
    (BONUS, Done(NOTHING, BLIND, is_gone=True), "right", None),  # something was paid, and nothing speaks against it
    # what proves nothing
    (WIN, Done(between(500, 500, 1500, p=0.66), sure(1000)), "unverifiable", None),  # only the bounds allow it
    (WIN, Done(between(500, 500, 1500), sure(1000)), "right", None),  # the same, and the stake was hardly read
    (OPEN, Done(STAKE, sure(500)), "unverifiable", None),
    (WIN, Done(between(500, 500, 600), between(900, 400, 1500)), "unverifiable", None),  # neither is known
    (WIN, Done(BLIND), "wrong", "winner-not-paid"),  # whatever the stake was, nothing is too little
    (WIN, Done(STAKE, BLIND), "unverifiable", None),
    (WIN, Done(STAKE, sure(400), doubt=Finding.DECISION_UNSEEN), "unverifiable", None),
    (LOSS, Done(STAKE, doubt=Finding.DECISION_UNSEEN), "unverifiable", None),
    (LOSS, Done(STAKE, between(500, 0, 500)), "wrong", "loser-not-collected"),  # no payment for sure; it stands
    # bounds that exclude each other
    (WIN, Done(between(500, 500, 600), between(200, 100, 300)), "wrong", "underpaid"),
    (WIN, Done(between(500, 400, 600), between(2000, 1500, 2500)), "wrong", "overpaid"),
    (WIN, Done(between(500, 400, None), between(2000, 1500, 2500)), "unverifiable", None),  # no upper bound
    (LOSS, Done(between(500, 100, 900), between(500, 100, 900)), "wrong", "loser-paid"),  # some chips were paid
]


@pytest.mark.parametrize(("line", "done", "verdict", "code"), CASES)
def test_a_wager_is_judged(line: Line, done: Done, verdict: str, code: str | None) -> None:
    found = judge(SHEET, line, done, SETTLED, "ante")
    assert (found.verdict, found.code) == (verdict, code), found.why
    assert found.cite == line.cite
    assert (found.why is None) == (verdict == "right")


def test_a_stake_that_the_payment_explains_is_told_as_that() -> None:
    found = judge(SHEET, won(1000, 1000), Done(either(1000, 500), sure(500)), SETTLED, "ante")
    assert (found.cents, found.due_cents, found.paid_cents) == (500, 500, 500)


def test_a_doubtful_stake_is_told_with_its_bounds() -> None:
    found = judge(SHEET, WIN, Done(between(500, 400, 700), sure(100)), SETTLED, "ante")
    assert found.bounds == (400, 700)
    assert judge(SHEET, WIN, Done(STAKE, sure(100)), SETTLED, "ante").bounds is None


@pytest.mark.parametrize(
    ("p", "bounds", "words"),
    [
        (0.97, None, "$5"),  # certain: nothing else is told of the stake
        (0.8, (400, 700), "$5"),  # it may be relied on, and the bounds are told
        (0.5, (400, 700), "at least $4"),  # only the bounds are known
    ],
)
def test_bounds_are_told_unless_a_stake_is_certain(p: float, bounds: tuple[int, int] | None, words: str) -> None:
    found = judge(SHEET, WIN, Done(between(500, 400, 700, p), sure(100)), SETTLED, "ante")
    assert (found.bounds, due_words(found)) == (bounds, words)


@pytest.mark.parametrize(
    ("status", "done", "verdict"),
    [
        (Status.VOID, Done(STAKE, is_gone=True), "right"),  # it went back
        (Status.VOID, Done(STAKE, sure(500)), "wrong"),  # nothing is paid in a void round
        (Status.SUPERVISOR, Done(STAKE, sure(500)), "unverifiable"),  # a person decides
        (Status.INVALID_CARDS, Done(STAKE, sure(500)), "unverifiable"),
    ],
)
def test_a_wager_of_which_the_settlement_does_not_speak(status: Status, done: Done, verdict: str) -> None:
    assert judge(SHEET, None, done, Settlement(status, notes=("why",)), "ante").verdict == verdict


def test_what_is_collected_before_the_deal_is_not_asked_for_again() -> None:
    assert judge(SHEET, lost(100), Done(sure(100)), SETTLED, "progressive").verdict == "right"


def test_the_house_rounds() -> None:
    line = Line(Outcome.WIN, 500, Fraction(2549, 1), 500, "§R")  # to half a dollar, down
    assert judge(SHEET, line, Done(STAKE, sure(2500)), SETTLED, "aces_up").verdict == "right"


CENTS = st.integers(1, 200).map(lambda n: 100 * n)


@settings(deadline=None)
@given(CENTS, st.integers(1, 50), CENTS)
def test_what_is_seen_clearly_is_right_exactly_when_it_is_due(stake: int, odds: int, paid: int) -> None:
    line = won(stake, stake * odds)
    found = judge(SHEET, line, Done(sure(stake), sure(paid)), SETTLED, "ante")
    assert (found.verdict == "right") == (paid == stake * odds)
    assert found.code == (None if paid == stake * odds else "underpaid" if paid < stake * odds else "overpaid")


AMOUNTS = st.builds(
    lambda cents, p, below, above: between(cents, max(cents - below, 0), cents + above, p),
    CENTS,
    st.floats(0.05, 1.0),
    CENTS,
    CENTS,
)
DONE = st.builds(Done, AMOUNTS, AMOUNTS | st.just(NOTHING) | st.just(BLIND), st.booleans(), st.booleans())
LINES = st.one_of(st.builds(won, CENTS, CENTS), st.builds(lost, CENTS), st.builds(pushed, CENTS), st.just(OPEN))


@settings(deadline=None)
@given(LINES, DONE)
def test_wrong_has_a_code_and_a_reason_and_nothing_else_has_a_code(line: Line, done: Done) -> None:
    found = judge(SHEET, line, done, SETTLED, "ante")
    assert (found.code is not None) == (found.verdict == "wrong")
    assert found.verdict == "right" or found.why


@settings(deadline=None)
@given(LINES, DONE)
def test_where_something_else_is_in_doubt_nothing_is_wrong(line: Line, done: Done) -> None:
    doubted = Done(done.stake, done.paid, done.is_gone, done.is_gathered, Finding.DECISION_UNSEEN)
    assert judge(SHEET, line, doubted, SETTLED, "ante").verdict != "wrong"


def judged(*names: str) -> dict[tuple[int, str], Verdict]:
    return {(i, "ante"): Verdict(500, 500, 500, "win", name, None, "§") for i, name in enumerate(names)}


@pytest.mark.parametrize(
    ("names", "status", "verdict"),
    [
        (("right", "right"), Status.SETTLED, "right"),
        ((), Status.SETTLED, "right"),
        (("right", "unverifiable"), Status.SETTLED, "unverifiable"),
        (("unverifiable", "wrong", "right"), Status.SETTLED, "wrong"),  # the worst of its wagers
        (("right",), Status.VOID, "void"),  # and all was returned
        (("right", "wrong"), Status.VOID, "wrong"),  # void, and not returned
    ],
)
def test_the_verdict_on_a_round(names: tuple[str, ...], status: Status, verdict: str) -> None:
    assert round_verdict(judged(*names), status) == verdict


def told(verdict: str, code: Code | None = None) -> Verdict:
    return Verdict(500, 500, 0, "win", verdict, None, "§", code)


RIGHT, OPEN_ONE = told("right"), told("unverifiable")
UNPAID, COLLECTED = told("wrong", Code.WINNER_NOT_PAID), told("wrong", Code.WINNER_COLLECTED)


@pytest.mark.parametrize(
    ("answers", "verdict", "code"),
    [
        ([(RIGHT, 1.0)], "right", None),
        ([(UNPAID, 1.0)], "wrong", "winner-not-paid"),
        ([(RIGHT, 0.85), (UNPAID, 0.15)], "right", None),  # dealers err more rarely than cards are misread
        ([(UNPAID, 0.9), (RIGHT, 0.1)], "unverifiable", None),  # one in ten is no proof
        ([(UNPAID, 0.6), (COLLECTED, 0.4)], "wrong", "winner-not-paid"),  # wrong whatever the cards were
        ([(OPEN_ONE, 0.9), (UNPAID, 0.1)], "unverifiable", None),
        ([(UNPAID, 0.995), (RIGHT, 0.005)], "wrong", "winner-not-paid"),
    ],
)
def test_verdicts_by_several_sets_of_cards_are_weighed(
    answers: list[tuple[Verdict, float]], verdict: str, code: str | None
) -> None:
    found = weighed([({"ante": told_one}, chance) for told_one, chance in answers])["ante"]
    assert (found.verdict, found.code) == (verdict, code)


def test_a_bonus_that_was_due_by_unlikely_cards_only_is_not_spoken_of() -> None:
    assert set(weighed([({"ante": RIGHT}, 0.9), ({"ante": RIGHT, "ante_bonus": UNPAID}, 0.1)])) == {"ante"}


def test_what_a_verdict_hangs_on_is_named() -> None:
    found = weighed([({"ante": UNPAID}, 0.6), ({"ante": RIGHT}, 0.4)], ["6c 8c"])["ante"]
    assert finding_words(found.why) == "depends on cards not read reliably: 6♣ or 8♣"
