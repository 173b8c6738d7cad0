"""Chips that the dealer pays, takes or gives back: the moment, the seat's turn, the wager's turn, and a void round."""

from dataclasses import replace

import pytest
from play_rounds import BET, BONUS, CAJUN, DEALER, FRENZY, MD, PA, PRIME, SD, WA, play, reach, table, tell

from vision.rules.play.allowed import allowed
from vision.rules.play.dealscript import SEAT
from vision.rules.play.events import Bet, Declare, Event, Fold, GiveBack, Pay, Take, Turn
from vision.rules.play.ruling import Reason, Ruling, numbers
from vision.rules.play.tablestate import TableState, after
from vision.values.codes import Code

OPEN = table(MD, {1: "ante", 3: "ante aces_up six_card progressive", 5: "aces_up"})
SETTLING = reach(OPEN, "settling")


def shown(state: TableState, *seats: int) -> TableState:
    """Return the state with the hands of these seats turned by the dealer."""
    return tell(state, [Turn(SEAT, seat, state.house.game.file.counts[SEAT]) for seat in seats])


@pytest.mark.parametrize(
    ("state", "event", "code"),
    [
        (reach(OPEN, "decision"), Pay(1, "ante"), "settle-order"),  # while players decide
        (shown(reach(OPEN, "reveal"), 5), Pay(5, "aces_up"), "settle-order"),  # before the dealer's hand is open
        (SETTLING, Pay(5, "aces_up"), "settle-order"),  # before the seat's cards are turned
        (SETTLING, Take(5, "aces_up"), "settle-order"),  # nor may it be taken unseen
        (SETTLING, GiveBack(5, "aces_up"), "settle-order"),  # nor pushed
        (shown(SETTLING, 5), Pay(5, "aces_up"), None),  # now it may
        (shown(SETTLING, 5), Take(5, "aces_up"), None),  # or be lost
        (shown(SETTLING, 1), Pay(1, "ante"), "settle-order"),  # seat 1 before the dealer's right
        (shown(SETTLING, 3), Pay(3, "ante"), "settle-order"),  # seat 3 before seat 5
        (tell(shown(SETTLING, 3, 5), [Pay(5, "aces_up")]), Pay(3, "ante"), None),  # seat 5 done: seat 3's turn
        (tell(shown(SETTLING, 3, 5), [Pay(5, "aces_up")]), Pay(3, "play"), None),  # Ante and Play in any order
        (tell(shown(SETTLING, 3, 5), [Pay(5, "aces_up")]), Pay(3, "ante_bonus"), None),  # the bonus with its Ante
        (reach(OPEN, "clearing"), Pay(3, "progressive"), None),  # a meter's pay may take until the end
    ],
)
def test_moment_and_seat(state: TableState, event: Event, code: str | None) -> None:
    assert allowed(state, event).code == code


@pytest.mark.parametrize(
    ("game_id", "first", "then", "code"),
    [
        (SD, "play", "ante", None),  # Play, then Ante
        (SD, "ante", "play", "settle-order"),  # South Dakota's text orders them
        (SD, "aces_up", "ante", "settle-order"),  # a side bet before the base
        (SD, "progressive", "aces_up", None),  # the progressive went at 'no more bets'
        (WA, "ante", "play", None),  # Washington leaves the order to the casino
        (WA, "aces_up", "play", None),  # any order
        (MD, "ante", "play", None),  # one step in Maryland
        (MD, "play", "ante", None),  # either way round
        (MD, "aces_up", "play", "settle-order"),  # Aces Up comes after
        (PA, "aces_up", "play", None),  # Pennsylvania's base game is not in the texts
    ],
)
def test_wager_order(game_id: str, first: str, then: str, code: str | None) -> None:
    state = shown(reach(table(game_id, {2: "ante aces_up progressive"}), "settling"), 2)
    assert allowed(after(state, Pay(2, first)), Pay(2, then)).code == code


@pytest.mark.parametrize(
    ("game_id", "code"),
    [
        (MD, "settle-order"),  # ch.11 §D(4): from the dealer's right
        (SD, "settle-order"),  # (9)
        (WA, "settle-order"),  # Dealing 6: the wagers' order is free, the seats' is not
        (CAJUN, "settle-order"),  # 683b.11(h)
        (PA, None),  # not in the texts
    ],
)
def test_seat_order(game_id: str, code: str | None) -> None:
    state = shown(reach(table(game_id, {2: "ante", 4: "ante"}), "settling"), 2, 4)
    assert allowed(state, Pay(2, "ante")).code == code


def test_out_of_turn_is_said_with_the_rule() -> None:
    ruling = allowed(shown(SETTLING, 1), Pay(1, "ante"))
    cite, due = "MD ch.8 §E; ch.11 §D(4)-(8); A-09", numbers(due_seat=5)
    assert ruling == Ruling(Code.SETTLE_ORDER, Reason.SEAT_OUT_OF_TURN, cite, seat=1, wager="ante", numbers=due)


def test_cards_dealt_face_up_are_settled_as_they_lie() -> None:
    """They need no turning, and no camera that saw them come up one by one."""
    state = reach(table(WA, {2: "ante"}, cards_dealt_face_up=True), "settling")
    assert allowed(state, Pay(2, "play"))
    assert allowed(replace(state, turned={(DEALER, None): 6}), Pay(2, "play"))


@pytest.mark.parametrize(
    ("stage", "code"),
    [
        ("betting", "settle-order"),  # betting is still open
        ("dealing", None),  # before any card is dealt
    ],
)
def test_progressive_chips_are_taken_when_betting_closed(stage: str, code: str | None) -> None:
    state = OPEN if stage == "betting" else reach(OPEN, stage)
    assert allowed(state, Take(3, "progressive")).code == code


FOLDS = {1: "decision", 3: "decision"}


@pytest.mark.parametrize(
    ("state", "event", "code"),
    [
        (reach(OPEN, "reveal", FOLDS), Take(1, "ante"), None),  # forfeits go before the reveal
        (reach(OPEN, "reveal", FOLDS), Take(3, "ante"), None),  # in any order of seats
        (reach(OPEN, "reveal", FOLDS), Pay(1, "ante"), "settle-order"),  # a forfeit is not paid
        (reach(OPEN, "reveal", FOLDS), Take(3, "aces_up"), "settle-order"),  # Aces Up stays live in Maryland
        (tell(reach(OPEN, "decision"), [Fold(1)]), Take(1, "ante"), "settle-order"),  # seat 3 has not decided yet
        (reach(OPEN, "reveal"), Take(1, "ante"), "settle-order"),  # nobody folded
        (reach(table(PA, {1: "ante aces_up"}), "reveal", FOLDS), Take(1, "aces_up"), None),  # PA forfeits it
        (reach(table(WA, {1: "ante bad_beat"}), "reveal", FOLDS), Take(1, "bad_beat"), None),  # lost with the hand
        (
            reach(table(CAJUN, {1: "ante pocket", 2: "ante"}), "reveal-2", {1: "decision-2"}),
            Take(1, "raise1"),
            None,
        ),  # the raise that was made goes with the Ante
        (
            reach(table(CAJUN, {1: "ante pocket", 2: "ante"}), "reveal-2", {1: "decision-2"}),
            Take(1, "pocket"),
            "settle-order",
        ),  # the Pocket Bonus stays
        (
            tell(reach(table(FRENZY, {1: "ante odds", 3: "ante odds"}), "decision"), [Fold(1)]),
            Take(1, "odds"),
            None,
        ),  # Frenzy collects on the spot
    ],
)
def test_forfeits(state: TableState, event: Event, code: str | None) -> None:
    assert allowed(state, event).code == code


VOID = tell(reach(OPEN, "decision"), [Turn(DEALER, cards=2), Declare("dealer-card-exposed")])
PRIME_OPEN = table(PRIME, {2: "ante prime aces_bonus all_six", 4: "ante"})
HALF_VOID = tell(reach(PRIME_OPEN, "decision"), [Bet(2, "raise", BET), Turn(DEALER), Declare("dealer-card-exposed")])


@pytest.mark.parametrize(
    ("state", "event", "code"),
    [
        (VOID, GiveBack(1, "ante"), None),  # everything goes back
        (VOID, GiveBack(3, "six_card"), None),  # the side bets too
        (VOID, GiveBack(3, "progressive"), None),  # and the chips that were collected
        (VOID, Take(1, "ante"), "void-not-honoured"),  # nothing is kept
        (VOID, Pay(5, "aces_up"), "void-not-honoured"),  # nothing is paid
        (VOID, Pay(3, "ante_bonus"), "void-not-honoured"),  # no bonus either
        (VOID, Take(3, "progressive"), "void-not-honoured"),  # nor collected now
        (HALF_VOID, GiveBack(2, "ante"), None),  # Prime returns the Ante
        (HALF_VOID, GiveBack(2, "raise"), None),  # and the Raise
        (HALF_VOID, Pay(2, "raise"), "void-not-honoured"),  # which is not paid
        (HALF_VOID, Take(2, "ante"), "void-not-honoured"),  # nor taken
        (HALF_VOID, Pay(2, "win_bonus"), "void-not-honoured"),  # nor any bonus on it
        (HALF_VOID, Pay(2, "prime"), None),  # while Prime is settled
        (HALF_VOID, Take(2, "aces_bonus"), None),  # and the Aces Bonus
        (HALF_VOID, Take(2, "all_six"), None),  # and the All-Six Bonus
    ],
)
def test_void(state: TableState, event: Event, code: str | None) -> None:
    assert allowed(state, event).code == code


def test_a_void_that_is_not_honoured_names_rule_and_remedy() -> None:
    ruling = allowed(VOID, Pay(1, "ante"))
    remedy = "all hands void; return all wagers; reshuffle"
    reason = Reason.SETTLED_IN_VOID
    assert ruling == Ruling(Code.VOID_NOT_HONOURED, reason, "MD ch.13 §E", remedy, seat=1, wager="ante")


@pytest.mark.parametrize(
    ("game_id", "declared", "is_void"),
    [
        (MD, [Declare("dealer-card-exposed")], True),  # ch.13 §E
        (MD, [Declare("wrong-card-count")], True),  # ch.13 §D
        (MD, [Declare("shoe-jam")], True),  # ch.13 §G
        (MD, [Declare("card-faced-in-deck", 1)], False),  # one faced card goes to the rack
        (MD, [Declare("card-faced-in-deck", 2)], True),  # two void
        (MD, [Declare("stub-count", 52)], False),  # the deck is whole
        (MD, [Declare("stub-count", 51)], True),  # it is not
        (MD, [Declare("shoe-jam"), Declare("shuffler-jam")], True),  # a void stays a void
        (SD, [Declare("dealer-card-exposed")], False),  # the text is silent: a person decides
        (SD, [Declare("wrong-card-count")], True),  # (14)
        (
            MD,
            [Declare("card-faced-in-deck", 1), Declare("card-faced-in-deck", 1)],
            True,
        ),  # one and one are two
    ],
)
def test_what_voids(game_id: str, declared: list[Declare], is_void: bool) -> None:
    state = tell(reach(table(game_id, {1: "ante"}), "decision"), declared)
    assert (state.void is not None) == is_void


# ---- Suspected faults
def test_an_exposure_after_the_raises_does_not_void_prime() -> None:
    assert after(reach(PRIME_OPEN, "reveal"), Declare("dealer-card-exposed")).void is None


def test_a_partial_void_does_not_soften_a_full_one() -> None:
    state = tell(reach(PRIME_OPEN, "decision"), [Declare("shoe-jam"), Declare("dealer-card-exposed")])
    assert allowed(state, Pay(2, "prime")).code == "void-not-honoured"


def test_envy_is_paid_in_the_winners_turn() -> None:
    both = reach(table(MD, {1: "ante progressive", 3: "ante progressive"}), "settling")
    play(shown(both, 3), [Pay(3, "ante"), Pay(3, "play"), Pay(3, "progressive"), Pay(1, "envy")])


def test_envy_of_a_folded_player() -> None:
    state = reach(table(MD, {1: "ante progressive", 3: "ante progressive"}), "settling", {1: "decision"})
    play(shown(state, 3), [Pay(3, "ante"), Pay(3, "play"), Pay(3, "progressive"), Pay(1, "envy")])


def test_all_cards_of_a_seat_are_turned_before_it_is_settled() -> None:
    assert allowed(after(SETTLING, Turn(SEAT, 5, cards=1)), Pay(5, "aces_up")).code == "settle-order"


def test_a_wager_is_settled_once() -> None:
    state = tell(shown(SETTLING, 5), [Pay(5, "aces_up"), Pay(5, "aces_up")])
    assert state.settled.count((5, "aces_up")) == 1
    assert state.live(3) == ["ante", "play", "aces_up", "six_card"]


def test_the_bonus_card_opens_in_the_first_turn_that_needs_it() -> None:
    state = tell(shown(SETTLING, 5, 3), [Pay(5, "aces_up"), Pay(3, "ante"), Take(3, "play"), Take(3, "aces_up")])
    play(state, [Turn(BONUS), Pay(3, "six_card")])
