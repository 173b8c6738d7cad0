"""Cards that are turned, touched or cleared: whose faces may show when, whose hands may be on them, when they go."""

import pytest
from play_rounds import (
    BET,
    BONUS,
    CAJUN,
    COMMUNITY,
    DEALER,
    FRENZY,
    MD,
    PA,
    PRIME,
    SD,
    WA,
    codes,
    dealing,
    forfeits,
    play,
    reach,
    table,
    tell,
)

from vision.rules.play.allowed import allowed
from vision.rules.play.dealscript import SEAT
from vision.rules.play.events import Bet, Clear, Deal, Declare, Event, Hand, Pay, Take, Touch, Turn
from vision.rules.play.faces import is_over, is_revealed_by_stage, legal_faces
from vision.rules.play.ruling import Reason
from vision.rules.play.tablestate import TableState

TABLES = {
    MD: table(MD, {1: "ante", 3: "ante aces_up six_card progressive", 5: "aces_up"}),
    SD: table(SD, {1: "ante", 3: "ante progressive"}),
    WA: table(WA, {1: "ante", 3: "ante bad_beat"}),
    PA: table(PA, {1: "ante aces_up six_card", 3: "ante aces_up"}),
    PRIME: table(PRIME, {1: "ante prime all_six", 3: "ante"}),
    FRENZY: table(FRENZY, {1: "ante odds prime", 3: "ante odds"}),
    CAJUN: table(CAJUN, {1: "ante", 3: "ante pocket all_six"}),
}
EXPOSED = "dealer-card-exposed"
VOID = "all hands void; return all wagers; reshuffle"
PARTLY_VOID = "exposed before the Raises: hands void; return Ante and Raise; reshuffle; "
PARTLY_VOID += "settle Prime, Aces Bonus and All-Six Bonus"


@pytest.mark.parametrize(
    ("game_id", "stage", "event", "code"),
    [
        (MD, "decision", Turn(DEALER, cards=1), None),  # the up-card is no exposure
        (MD, "decision", Turn(DEALER, cards=2), EXPOSED),  # a hole card beside it is
        (MD, "reveal", Turn(DEALER, cards=6), None),  # everyone has acted: the dealer's hand
        (MD, "settling", Turn(DEALER, cards=6), None),  # and it stays open
        (SD, "decision", Turn(DEALER, cards=2), EXPOSED),  # the text is silent on the remedy, not on the up-card
        (PRIME, "decision", Turn(DEALER, cards=1), EXPOSED),  # no up-card in this game
        (FRENZY, "decision", Turn(DEALER, cards=1), EXPOSED),  # nor in this
        (CAJUN, "dealing", Turn(COMMUNITY, cards=1), EXPOSED),  # a board card before the hands are out
        (CAJUN, "decision-1", Turn(COMMUNITY, cards=1), EXPOSED),  # before the first Raise
        (CAJUN, "reveal-1", Turn(COMMUNITY, cards=1), None),  # after it
        (CAJUN, "reveal-1", Turn(COMMUNITY, cards=2), EXPOSED),  # the second with the first
        (CAJUN, "decision-2", Turn(COMMUNITY, cards=2), EXPOSED),  # before the second Raise
        (CAJUN, "reveal-2", Turn(COMMUNITY, cards=2), None),  # after it
        (CAJUN, "decision-3", Turn(COMMUNITY, cards=3), EXPOSED),  # before the third
        (CAJUN, "reveal-3", Turn(COMMUNITY, cards=3), None),  # the board is complete
        (MD, "decision", Turn(BONUS), "settle-order"),  # the bonus card while players decide
        (MD, "reveal", Turn(BONUS), "settle-order"),  # or with the dealer's hand
        (MD, "settling", Turn(BONUS), None),  # when its wager is settled
        (CAJUN, "decision-3", Turn(BONUS, cards=4), "settle-order"),  # the bonus cards before the last Raise
        (CAJUN, "settling", Turn(BONUS, cards=4), "settle-order"),  # after the other wagers, not before
        (MD, "decision", Turn(SEAT, 1, cards=5), None),  # a player may show the own hand
    ],
)
def test_turned(game_id: str, stage: str, event: Turn, code: str | None) -> None:
    assert allowed(reach(TABLES[game_id], stage), event).code == code


@pytest.mark.parametrize(
    ("game_id", "stage", "event", "cite", "remedy"),
    [
        # Maryland voids the round
        (MD, "decision", Turn(DEALER, cards=2), "MD ch.13 §E", VOID),
        # South Dakota leaves it to a person
        (SD, "decision", Turn(DEALER, cards=2), "SD silent; A-19", "the text is silent: a supervisor decides"),
        # Prime voids the hands and settles the side bets
        (
            PRIME,
            "decision",
            Turn(DEALER),
            "PA 682b.13(d)",
            PARTLY_VOID,
        ),
        # so does Cajun Stud for the board
        (
            CAJUN,
            "decision-2",
            Turn(COMMUNITY, cards=2),
            "PA 683b.13(d)",
            "hands void; return Ante and Raises; reshuffle; settle Pocket, Board, Lo Ball and All-Six Bonus",
        ),
        # for a bonus card there is an order, no remedy
        (MD, "decision", Turn(BONUS), "MD ch.11 §D(4)-(10)", None),
    ],
)
def test_an_exposure_names_rule_and_remedy(
    game_id: str, stage: str, event: Turn, cite: str, remedy: str | None
) -> None:
    ruling = allowed(reach(TABLES[game_id], stage), event)
    assert (ruling.cite, ruling.remedy) == (cite, remedy)


@pytest.mark.parametrize(
    ("game_id", "zone", "faces"),
    [
        # decision, reveal, settling: one up-card, then all six
        (MD, DEALER, [1, 6, 6]),
        # no up-card
        (FRENZY, DEALER, [0, 5, 5]),
        # the bonus card has no stage: it opens with the settling
        (MD, BONUS, [0, 0, 1]),
        # decision and reveal three times, then settling
        (CAJUN, COMMUNITY, [0, 1, 1, 2, 2, 3, 3]),
    ],
)
def test_faces_that_may_show(game_id: str, zone: str, faces: list[int]) -> None:
    stages = TABLES[game_id].house.game.file.stage[2:-1]
    assert [legal_faces(reach(TABLES[game_id], stage.id), zone) for stage in stages] == faces


def test_a_zone_is_revealed_in_a_stage_or_with_its_wager() -> None:
    revealed = {zone for zone in (DEALER, BONUS, COMMUNITY) if is_revealed_by_stage(TABLES[CAJUN], zone)}
    assert revealed == {COMMUNITY}


def test_a_decision_is_over_when_the_next_cards_show() -> None:
    decision = TABLES[MD].stage_named("decision")
    assert [is_over(reach(TABLES[MD], stage), decision) for stage in ("decision", "reveal", "settling")] == [0, 0, 1]


@pytest.mark.parametrize(
    ("game_id", "by", "code"),
    [
        (MD, Hand.STRANGER, "card-touched"),  # ch.11 §A(2)
        (PRIME, Hand.STRANGER, "card-touched"),  # 682b.11(a)
        (MD, Hand.OWNER, None),  # the own cards
        (MD, Hand.DEALER, None),  # the dealer's work
        (SD, Hand.STRANGER, None),  # no such rule in the text
        (WA, Hand.STRANGER, None),  # nor here
    ],
)
def test_touched(game_id: str, by: Hand, code: str | None) -> None:
    assert allowed(reach(TABLES[game_id], "decision"), Touch(1, by)).code == code


def test_a_strangers_hand_is_reported_by_the_rule() -> None:
    ruling = allowed(TABLES[MD], Touch(3, Hand.STRANGER))
    assert (ruling.reason, ruling.seat, ruling.cite) == (Reason.STRANGERS_HAND, 3, "MD ch.11 §A(2)-(3)")


FOLDED = reach(TABLES[MD], "reveal", {1: "decision", 3: "decision"})
SETTLING = reach(TABLES[MD], "settling")
SEAT_5_DONE = play(SETTLING, [Turn(SEAT, 5, 5), Take(5, "aces_up")])


@pytest.mark.parametrize(
    ("state", "event", "code"),
    [
        (SETTLING, Clear(SEAT, 1), "cards-cleared-early"),  # Ante and Play still lie there
        (SETTLING, Clear(DEALER), "cards-cleared-early"),  # the hand all are compared with
        (SETTLING, Clear(BONUS), "cards-cleared-early"),  # the card the Six Card Bonus needs
        (SETTLING, Clear("table.discard"), None),  # the rack is not a hand
        (SEAT_5_DONE, Clear(SEAT, 5), None),  # its one wager is settled
        (SEAT_5_DONE, Clear(SEAT, 3), "cards-cleared-early"),  # its neighbour's are not
        (SEAT_5_DONE, Clear(DEALER), "cards-cleared-early"),  # seats 3 and 1 are still to come
        (FOLDED, Clear(SEAT, 1), "cards-cleared-early"),  # folded, the Ante not collected yet
        (tell(FOLDED, [Take(1, "ante")]), Clear(SEAT, 1), None),  # folded, and nothing left
        (tell(FOLDED, [Take(3, "ante")]), Clear(SEAT, 3), "cards-cleared-early"),  # folded with a live Aces Up
        (reach(TABLES[MD], "clearing"), Clear(DEALER), None),  # all is settled
        (tell(SETTLING, [Declare("shoe-jam")]), Clear(SEAT, 1), None),  # a void round is cleared at once
    ],
)
def test_cleared(state: TableState, event: Clear, code: str | None) -> None:
    assert allowed(state, event).code == code


def test_what_was_unsettled_is_said() -> None:
    ruling = allowed(tell(FOLDED, forfeits(FOLDED)), Clear(SEAT, 3))
    assert (ruling.reason, ruling.seat, ruling.cite) == (Reason.CLEARED_UNSETTLED, 3, "MD ch.11 §D(11); A-04")
    assert dict(ruling.numbers) == {"open_wagers": ("aces_up", "six_card")}


# ---- Suspected faults
def test_a_hole_card_turned_during_the_deal_is_an_exposure() -> None:
    state = reach(table(SD, {1: "ante"}), "dealing")
    events = dealing(state)
    assert EXPOSED in codes(state, [*events[:2], Turn(DEALER, cards=1), *events[2:]])


def test_a_late_bet_at_an_empty_seat_does_not_undo_the_deal() -> None:
    state = tell(reach(TABLES[MD], "reveal"), [Bet(2, "ante", BET)])
    assert allowed(state, Turn(DEALER, cards=6))


def test_chips_for_the_next_round_do_not_stop_the_settling() -> None:
    state = tell(SETTLING, [Bet(2, "ante", BET), Turn(SEAT, 5, 5)])
    assert allowed(state, Take(5, "aces_up"))


def test_a_folded_hand_with_a_live_progressive_stays() -> None:
    state = reach(TABLES[SD], "reveal", {3: "decision"})
    assert allowed(tell(state, [Take(3, "ante")]), Clear(SEAT, 3)).code == "cards-cleared-early"


def test_the_bonus_card_waits_for_the_main_wagers_in_pennsylvania() -> None:
    assert not allowed(reach(TABLES[PA], "settling"), Turn(BONUS))


def test_pays_and_takes_leave_the_cards_where_they_are() -> None:
    events: list[Event] = [Pay(1, "ante"), Take(3, "ante"), Touch(1, Hand.STRANGER)]
    state = tell(SETTLING, events)
    assert (state.dealt, state.turned, state.cleared) == (SETTLING.dealt, SETTLING.turned, SETTLING.cleared)


def test_a_card_dealt_face_up_is_a_face_that_shows() -> None:
    state = tell(TABLES[SD], [Deal(SEAT, 1, face_up=1), Deal(SEAT, 3), Deal(DEALER), Turn(SEAT, 3, 1)])
    assert state.turned[SEAT, 1] == state.turned[SEAT, 3] == 1
    assert state.turned[DEALER, None] == 0
