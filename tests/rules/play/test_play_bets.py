"""Chips that players put down, add to or take back: what is refused, and what is wrong with them as they lie."""

import pytest
from play_rounds import BET, CAJUN, DEALER, FRENZY, MD, PA, PRIME, SD, WA, dealing, house, reach, table, tell

from vision.rules.book.game import load_game
from vision.rules.book.house import House
from vision.rules.play.allowed import allowed
from vision.rules.play.bets import objections
from vision.rules.play.dealscript import SEAT
from vision.rules.play.events import Bet, Deal, Event, Fold, Pay, Turn
from vision.rules.play.ruling import Reason
from vision.rules.play.tablestate import TableState, after

OPEN = table(MD, {1: "ante", 3: "ante aces_up six_card progressive", 5: "aces_up"})
CLOSED = reach(OPEN, "dealing")
DECIDING = reach(OPEN, "decision")
FOLDED = tell(DECIDING, [Fold(1)])
REVEALED = reach(OPEN, "settling")
CAJUN_OPEN = table(CAJUN, {1: "ante", 2: "ante"})


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Bet(1, "ante", BET), None),  # the same chips seen again
        (Bet(1, "aces_up", BET), "late-wager"),  # a late bet on a free spot
        (Bet(2, "ante", BET), "late-wager"),  # a late bet at a free seat
        (Bet(5, "progressive", BET), "late-wager"),  # the progressive is locked with the rest
        (Bet(1, "ante", BET + 100), "late-wager"),  # capped: chips added to a bet
        (Bet(1, "ante", BET - 100), "wager-withdrawn"),  # pinched: chips taken off a bet
        (Bet(5, "aces_up", 0), "wager-withdrawn"),  # a bet taken back whole
        (Bet(1, "bad_beat", BET), "wager-not-allowed"),  # Maryland knows no Bad Beat Bonus
        (Bet(1, "ante_bonus", BET), "wager-not-allowed"),  # a bonus is not bet on
    ],
)
@pytest.mark.parametrize("state", [CLOSED, DECIDING, REVEALED], ids=["closed", "deciding", "revealed"])
def test_chips_after_betting_closed(state: TableState, event: Bet, code: str | None) -> None:
    assert allowed(state, event).code == code


@pytest.mark.parametrize("cents", [0, BET - 100, BET + 100])
def test_chips_may_come_and_go_before_betting_closes(cents: int) -> None:
    assert allowed(OPEN, Bet(1, "ante", cents))


def test_the_first_card_closes_betting_without_a_word() -> None:
    state = tell(OPEN, [Deal("table.bonus")])
    ruling = allowed(state, Bet(2, "ante", BET))
    assert (ruling.code, ruling.reason, ruling.cite) == ("late-wager", Reason.CHANGED_AFTER_CLOSE, "MD ch.7 §C-§D")
    assert (ruling.seat, ruling.wager, ruling.numbers) == (2, "ante", (("before_cents", 0), ("cents", BET)))


@pytest.mark.parametrize(
    ("state", "event", "code"),
    [
        (DECIDING, Bet(1, "play", BET), None),  # once the Ante
        (DECIDING, Bet(1, "play", 3 * BET), None),  # three times the Ante
        (DECIDING, Bet(1, "play", BET * 3 // 2), None),  # a broken multiple in range is legal
        (DECIDING, Bet(1, "play", 3 * BET + 1), "play-out-of-range"),  # over three times
        (OPEN, Bet(1, "play", BET), "wager-not-allowed"),  # before the deal began
        (tell(CLOSED, dealing(CLOSED)[:-1]), Bet(1, "play", BET), "wager-not-allowed"),  # the up-card is still to come
        (DECIDING, Bet(5, "play", BET), "wager-not-allowed"),  # no Ante at seat 5
        (DECIDING, Bet(2, "play", BET), "wager-not-allowed"),  # nothing at all at seat 2
        (FOLDED, Bet(1, "play", BET), "late-wager"),  # a folded hand stays folded
        (REVEALED, Bet(1, "play", 2 * BET), "late-wager"),  # more chips once the dealer's hand shows
        (tell(DECIDING, [Turn("dealer.hand", cards=6)]), Bet(1, "play", BET), "late-wager"),  # a Play made on sight
        (tell(DECIDING, [Bet(1, "play", BET)]), Bet(1, "play", 0), "wager-withdrawn"),  # a Play taken back
        (tell(DECIDING, [Bet(1, "play", BET)]), Bet(1, "play", 2 * BET), None),  # still deciding how much
    ],
)
def test_play(state: TableState, event: Bet, code: str | None) -> None:
    assert allowed(state, event).code == code


@pytest.mark.parametrize(
    ("stage", "event", "code"),
    [
        ("decision-1", Bet(1, "raise1", 3 * BET), None),  # three times the Ante
        ("decision-1", Bet(1, "raise1", 4 * BET), "play-out-of-range"),  # four times
        ("decision-2", Bet(1, "raise2", BET), None),  # the second decision in its time
        ("decision-2", Bet(1, "raise1", 2 * BET), "late-wager"),  # the first board card shows
        ("reveal-1", Bet(1, "raise1", 2 * BET), None),  # everyone decided, but no card has been turned
        (
            "decision-1",
            Bet(1, "raise2", BET),
            "wager-not-allowed",
        ),  # the second raise before the first board card
    ],
)
def test_three_raises(stage: str, event: Bet, code: str | None) -> None:
    assert allowed(reach(CAJUN_OPEN, stage), event).code == code


@pytest.mark.parametrize(
    ("state", "event", "code"),
    [
        (DECIDING, Fold(1), None),  # a decision like another
        (FOLDED, Fold(3), None),  # the next one gives up too
        (DECIDING, Fold(5), "wager-not-allowed"),  # Aces Up alone has no decision to make
        (CLOSED, Fold(1), "cards-cleared-early"),  # before the hand is there
        (REVEALED, Fold(1), "wager-withdrawn"),  # after the dealer's hand is known
        (reach(CAJUN_OPEN, "decision-3"), Fold(2), None),  # having raised twice
        (
            tell(DECIDING, [Bet(1, "play", BET)]),
            Fold(1),
            "wager-withdrawn",
        ),  # first Play, then fold
    ],
)
def test_fold(state: TableState, event: Fold, code: str | None) -> None:
    assert allowed(state, event).code == code


def test_a_refused_play_names_rule_and_reason() -> None:
    ruling = allowed(DECIDING, Bet(1, "play", 4 * BET))
    assert (ruling.code, ruling.reason, ruling.cite) == ("play-out-of-range", Reason.RAISE_TOO_HIGH, "MD ch.11 §B(1)")
    assert dict(ruling.numbers) == {"cents": 4 * BET, "times": 3, "base_cents": BET}


def lying(game_id: str, *events: Event) -> list[str | None]:
    state = tell(TableState(house=house(game_id), method="hand"), events)
    return [ruling.code for ruling in objections(state)]


@pytest.mark.parametrize(
    ("game_id", "events", "found"),
    [
        (MD, [Bet(1, "ante", BET)], []),  # an Ante alone
        (MD, [Bet(1, "aces_up", BET)], []),  # Aces Up alone
        (MD, [Bet(1, "aces_up", BET), Bet(1, "six_card", BET)], ["wager-not-allowed"]),  # Six Card without Ante
        (MD, [Bet(1, "ante", BET), Bet(1, "six_card", BET)], ["wager-not-allowed"]),  # Six Card without Aces Up
        (MD, [Bet(1, "progressive", BET)], ["wager-not-allowed"]),  # progressive without either base
        (MD, [Bet(1, "aces_up", BET), Bet(1, "progressive", BET)], []),  # either base will do
        (SD, [Bet(1, "progressive", BET)], []),  # South Dakota's may stand alone
        (WA, [Bet(1, "aces_up", BET), Bet(1, "bad_beat", BET)], ["wager-not-allowed"]),  # Bad Beat without Ante
        (MD, [Bet(1, "ante", BET), Bet(2, "six_card", BET)], ["wager-not-allowed"]),  # the neighbour's base is no base
        (MD, [Bet(7, "ante", BET)], []),  # the seventh seat
        (MD, [Bet(8, "ante", BET)], ["wager-not-allowed"]),  # the eighth
        (PRIME, [Bet(7, "ante", BET)], ["wager-not-allowed"]),  # the seventh of six
        (WA, [Bet(8, "ante", BET)], []),  # Washington names no limit
        (MD, [Bet(1, "ante", BET), Bet(1, "play", BET - 1)], ["play-out-of-range"]),  # below once the Ante
        (MD, [Bet(1, "ante", BET), Bet(1, "play", 3 * BET + 1)], ["play-out-of-range"]),  # over three times
        (MD, [Bet(1, "ante", BET), Bet(1, "play", BET * 5 // 2)], []),  # a broken multiple in range
        (PRIME, [Bet(1, "ante", BET), Bet(1, "raise", BET * 3 // 2)], ["play-out-of-range"]),  # whole multiples only
        (PA, [Bet(1, "ante", BET), Bet(1, "play", 9 * BET)], []),  # the base game's sizes are not in the text
        (FRENZY, [Bet(1, "ante", BET), Bet(1, "odds", BET)], []),  # Odds equal to the Ante
        (FRENZY, [Bet(1, "ante", BET), Bet(1, "odds", 2 * BET)], ["wager-not-allowed"]),  # Odds of another size
        (FRENZY, [Bet(1, "odds", BET)], ["wager-not-allowed"]),  # Odds without an Ante
        (
            FRENZY,
            [Bet(1, "ante", BET)],
            ["wager-not-allowed"],
        ),  # an Ante without the Odds that must equal it
    ],
)
def test_wagers_as_they_lie(game_id: str, events: list[Bet], found: list[str]) -> None:
    assert lying(game_id, *events) == found


@pytest.mark.parametrize(
    ("cents", "is_fine"),
    [
        (499, False),  # under the least
        (500, True),  # the least
        (10_000, True),  # the most
        (10_001, False),  # over the most
    ],
)
def test_table_limits(cents: int, is_fine: bool) -> None:
    limited = TableState(house=house(MD), method="hand", limits_cents={"ante": (500, 10_000)})
    state = tell(limited, [Bet(1, "ante", cents), Bet(1, "aces_up", 5)])  # Aces Up has no limits here
    assert [ruling.cite for ruling in objections(state)] == ([] if is_fine else ["table limits"])


def test_every_wrong_wager_is_named() -> None:
    bets = [Bet(8, "six_card", BET), Bet(1, "ante", BET), Bet(1, "play", BET - 1)]
    found = objections(tell(TableState(house=house(MD), method="hand"), bets))
    assert [(ruling.code, ruling.reason, ruling.seat, ruling.cite) for ruling in found] == [
        ("play-out-of-range", Reason.RAISE_NOT_IN_RANGE, 1, "MD ch.11 §B(1)"),
        ("wager-not-allowed", Reason.NO_SUCH_SEAT, 8, "MD ch.2 §A(1)"),
        ("wager-not-allowed", Reason.OTHER_WAGER_MISSING, 8, "MD ch.7 §E(5)(a)"),
    ]


def test_what_is_settled_is_the_players_to_take() -> None:
    state = tell(reach(table(MD, {1: "ante"}), "settling"), [Turn(SEAT, 1, 5), Pay(1, "ante", BET)])
    assert allowed(state, Bet(1, "ante", 0))


def test_a_flash_of_one_card_does_not_end_the_decisions() -> None:
    state = after(reach(table(SD, {1: "ante", 2: "ante"}), "decision"), Turn(DEALER, cards=2))
    assert allowed(state, Bet(1, "play", BET))


def test_a_wager_the_house_does_not_offer() -> None:
    state = TableState(
        House.choose(load_game(MD), {"aces_up": "D"}, {}), "hand", bets={(1, "ante"): 500, (1, "six_card"): 100}
    )
    assert [(found.reason, found.wager) for found in objections(state)][:1] == [(Reason.NOT_OFFERED, "six_card")]


def test_gathering_a_raise_does_not_reopen_the_decision() -> None:
    state = tell(
        reach(table(MD, {1: "ante", 2: "ante"}), "settling"), [Turn(SEAT, 2, 5), Pay(2, "ante"), Pay(2, "play")]
    )
    state = tell(state, [Bet(2, "play", 0), Bet(2, "ante", 0)])
    assert state.stage.id == "settling"
