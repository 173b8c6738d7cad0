"""Cards that are dealt: their order, their number, their faces; and one slip of the dealer is one alert."""

import pytest
from play_rounds import BET, BONUS, CAJUN, DEALER, MD, PA, SD, WA, codes, dealing, reach, table, tell

from vision.rules.play.allowed import allowed
from vision.rules.play.dealscript import SEAT
from vision.rules.play.events import Bet, Deal, DealOver, Event, NoMoreBets
from vision.rules.play.ruling import Reason
from vision.rules.play.tablestate import TableState, after

SEATS = {1: "ante", 3: "ante aces_up six_card progressive", 5: "aces_up"}
SHOE = reach(table(MD, SEATS), "dealing")
MACHINE = reach(table(MD, SEATS, "automated"), "dealing")
VOID = "all hands void; return all wagers; reshuffle"


def dealt(state: TableState, deliveries: int) -> TableState:
    return tell(state, dealing(state)[:deliveries])


@pytest.mark.parametrize(
    ("before", "event", "code"),
    [
        (0, Deal(BONUS), None),  # the bonus card is the first
        (0, Deal(SEAT, 1), "deal-order"),  # a seat before the bonus card
        (1, Deal(SEAT, 1), None),  # the dealer's far left begins
        (1, Deal(SEAT, 3), "deal-order"),  # seat 1 is passed over
        (1, Deal(SEAT, 2), "deal-order"),  # nobody bet at seat 2
        (1, Deal(DEALER), "deal-order"),  # the dealer before the seats
        (1, Deal(BONUS), "wrong-card-count"),  # a second card in the box
        (1, Deal(SEAT, 1, face_up=1), "card-faced-in-deck"),  # a player's card comes up
        (4, Deal(DEALER), None),  # the dealer's turn
        (4, Deal(DEALER, face_up=1), "dealer-card-exposed"),  # a hole card comes up
        (21, Deal(DEALER, face_up=1), None),  # the up-card is legal
        (22, Deal(SEAT, 1), "wrong-card-count"),  # a sixth card to a player
        (22, Deal(DEALER), "wrong-card-count"),  # a seventh to the dealer
    ],
)
def test_one_card_from_the_shoe(before: int, event: Deal, code: str | None) -> None:
    assert allowed(dealt(SHOE, before), event).code == code


@pytest.mark.parametrize(
    ("before", "event", "code"),
    [
        (0, Deal(BONUS), None),  # the box first, always
        (1, Deal(DEALER, cards=6, face_up=1), None),  # the dealer's stack with its bottom card turned
        (1, Deal(DEALER, cards=6, face_up=2), "dealer-card-exposed"),  # two of them turned
        (1, Deal(SEAT, 1, cards=5), "deal-order"),  # a player before the dealer
        (2, Deal(SEAT, 1, cards=5), None),  # then from the left
        (2, Deal(SEAT, 1, cards=6), "wrong-card-count"),  # a stack of six
        (2, Deal(SEAT, 3, cards=5), "deal-order"),  # seat 1 is passed over
    ],
)
def test_one_stack_from_the_machine(before: int, event: Deal, code: str | None) -> None:
    assert allowed(dealt(MACHINE, before), event).code == code


@pytest.mark.parametrize(
    ("state", "event", "code"),
    [
        # Maryland deals players' cards face down, whatever the house would like
        (table(MD, {1: "ante"}), Deal(SEAT, 1, face_up=1), "card-faced-in-deck"),
        # Washington does too, where the house has not chosen otherwise
        (table(WA, {1: "ante"}), Deal(SEAT, 1, face_up=1), "card-faced-in-deck"),
        # by the letter of 22 June 2020 it may
        (table(WA, {1: "ante"}, cards_dealt_face_up=True), Deal(SEAT, 1, face_up=1), None),
        # which does not open the dealer's cards
        (
            dealt(table(WA, {1: "ante"}, cards_dealt_face_up=True), 1),
            Deal(DEALER, face_up=1),
            "dealer-card-exposed",
        ),
        # Pennsylvania's dealing order is not in its text: any order goes
        (table(PA, {1: "ante", 2: "ante"}), Deal(SEAT, 2), None),
        # but a seat without a wager gets no card there either
        (table(PA, {1: "ante", 2: "ante"}), Deal(SEAT, 3), "deal-order"),
        # a community card that comes up is an exposure
        (dealt(table(CAJUN, {1: "ante"}), 2), Deal("table.community", face_up=1), "dealer-card-exposed"),
    ],
)
def test_faces_and_orders_by_place(state: TableState, event: Deal, code: str | None) -> None:
    assert allowed(state, event).code == code


@pytest.mark.parametrize(
    ("state", "event", "cite", "remedy"),
    [
        # a wrong number voids every hand
        (dealt(SHOE, 22), Deal(SEAT, 3), "MD ch.13 §D", VOID),
        # a hole card that shows does too
        (dealt(SHOE, 4), Deal(DEALER, face_up=1), "MD ch.13 §E", VOID),
        # one faced card does not
        (
            dealt(SHOE, 1),
            Deal(SEAT, 1, face_up=1),
            "MD ch.13 §A",
            "the card is not used this round and goes to the discard rack",
        ),
        # an order has a rule but no remedy
        (dealt(SHOE, 1), Deal(SEAT, 3), "MD ch.8 §E(1)", None),
        # where the text is silent, that is said
        (
            dealt(table(SD, {1: "ante"}), 1),
            Deal(DEALER, face_up=1),
            "SD silent; A-19",
            "the text is silent: a supervisor decides",
        ),
    ],
)
def test_the_rule_and_the_remedy(state: TableState, event: Deal, cite: str, remedy: str | None) -> None:
    ruling = allowed(state, event)
    assert (ruling.cite, ruling.remedy) == (cite, remedy)


def test_where_a_card_should_have_gone_is_said() -> None:
    assert allowed(dealt(SHOE, 1), Deal(SEAT, 3)).reason is Reason.DEALT_OUT_OF_TURN
    assert allowed(dealt(SHOE, 1), Deal(SEAT, 2)).reason is Reason.DEALT_WITHOUT_WAGER
    too_many = allowed(dealt(SHOE, 22), Deal(DEALER))
    assert (too_many.reason, dict(too_many.numbers)["cards"]) == (Reason.TOO_MANY_DEALT, 7)


# ---- One slip is one alert. The deal for seats 1, 2, 3: '1 2 3 D' five times, then the up-card '^'.
THREE = reach(table(SD, {1: "ante", 2: "ante", 3: "ante"}), "dealing")
AROUND = "1 2 3 D "


def from_text(deal: str) -> list[Event]:
    known: dict[str, Event] = {"D": Deal(DEALER), "^": Deal(DEALER, face_up=1), "B": Deal(BONUS)}
    return [known[word] if word in known else Deal(SEAT, int(word)) for word in deal.split()]


@pytest.mark.parametrize(
    ("deal", "raised"),
    [
        (5 * AROUND + "^", []),  # no slip
        ("1 3 D " + 4 * AROUND + "^ 2", ["deal-order"]),  # seat 2 passed over, made good at the end
        ("1 2 3 " + 4 * AROUND + "^ D", ["deal-order"]),  # the dealer's own card forgotten
        (4 * AROUND + "1 2 D ^ 3", ["deal-order"]),  # a slip in the last pass
        ("1 3 D " + 2 * AROUND + "1 2 D " + AROUND + "^ 2 3", 2 * ["deal-order"]),  # two slips are two
        ("4 " + 5 * AROUND + "^", ["deal-order"]),  # a card to an empty seat
        (
            "1 3 2 D " + 4 * AROUND + "^",
            ["deal-order"],
        ),  # two neighbours swapped, and all have their cards
    ],
)
def test_one_slip_is_one_alert(deal: str, raised: list[str]) -> None:
    assert codes(THREE, from_text(deal)) == raised


@pytest.mark.parametrize(
    "deal",
    [
        "1 3 2 D " + 4 * AROUND + "^",  # two neighbours swapped
        "1 1 2 3 D " + 3 * AROUND + "2 3 D ^",  # two to seat 1 at first, none at last
        AROUND + "1 2 D 3 " + 3 * AROUND + "^",  # the dealer's before the last seat's
    ],
)
def test_a_slip_does_not_make_the_up_card_an_exposure(deal: str) -> None:
    assert "dealer-card-exposed" not in codes(THREE, from_text(deal))


@pytest.mark.parametrize(
    ("deal", "raised"),
    [
        ("B " + 5 * "1 D " + "^", []),  # no slip
        (5 * "1 D " + "^ B", ["deal-order"]),  # the bonus card forgotten at first
    ],
)
def test_a_late_bonus_card_is_one_alert(deal: str, raised: list[str]) -> None:
    state = reach(table(MD, {1: "ante aces_up six_card"}), "dealing")
    assert codes(state, from_text(deal)) == raised


def test_the_up_card_stays_open_while_a_closed_one_is_due() -> None:
    one = reach(table(MD, {1: "ante"}), "dealing")
    assert codes(one, from_text("1 1 D 1 D 1 D 1 D D ^")) == ["deal-order"]  # seat 1 had two at first


def test_all_cards_out_is_dealt_in_whatever_order() -> None:
    assert tell(THREE, from_text("1 3 D " + 4 * AROUND + "^ 2")).is_dealt()
    assert not tell(THREE, from_text("1 3 D " + 4 * AROUND + "^")).is_dealt()


# ---- Suspected faults, each with the text that says otherwise
def test_two_faced_cards_in_one_stack_void() -> None:
    assert allowed(dealt(MACHINE, 2), Deal(SEAT, 1, cards=5, face_up=2)).cite == "MD ch.13 §B"


def test_a_second_faced_card_voids() -> None:
    state = after(dealt(SHOE, 1), Deal(SEAT, 1, face_up=1))
    assert allowed(state, Deal(SEAT, 3, face_up=1)).cite == "MD ch.13 §B"


def test_a_faced_card_goes_to_the_discard_rack() -> None:
    assert allowed(dealt(SHOE, 1), Deal("table.discard", face_up=1)).code != "wrong-card-count"


def test_a_bonus_card_dealt_face_up_is_no_exposure_of_the_dealer() -> None:
    assert allowed(SHOE, Deal(BONUS, face_up=1)).code != "dealer-card-exposed"


def test_a_second_bonus_card_voids_no_hands() -> None:
    assert allowed(dealt(SHOE, 1), Deal(BONUS)).remedy != VOID


def test_the_up_card_is_legal_in_any_order_the_house_deals() -> None:
    assert codes(reach(table(PA, {1: "ante"}), "dealing"), from_text("1 1 1 1 1 D D D D D ^")) == []


def test_two_cards_at_once_from_the_shoe() -> None:
    assert not allowed(dealt(SHOE, 1), Deal(SEAT, 1, cards=2))


def test_a_late_bonus_wager_does_not_upset_the_deal() -> None:
    state = reach(table(MD, {1: "ante aces_up", 2: "ante"}), "dealing")
    events = dealing(state)
    late: list[Event] = [*events[:4], Bet(1, "six_card", BET), *events[4:]]
    assert codes(state, late) == ["late-wager"]


def test_a_pinched_bet_does_not_upset_the_deal() -> None:
    events = dealing(THREE)
    pinched: list[Event] = [*events[:5], Bet(1, "ante", 0), *events[5:8]]
    assert codes(THREE, pinched) == ["wager-withdrawn"]


def test_no_more_bets_may_always_be_said() -> None:
    assert allowed(SHOE, NoMoreBets())


@pytest.mark.parametrize(
    ("deal", "raised"),
    [
        (5 * AROUND + "^", []),  # all have their cards
        (4 * AROUND + "1 2 D ^", ["deal-order", "wrong-card-count"]),  # seat 3 passed over and never made good
        (5 * AROUND, ["wrong-card-count"]),  # the dealer's sixth card forgotten
    ],
)
def test_the_end_of_a_deal_finds_short_hands(deal: str, raised: list[str]) -> None:
    assert codes(THREE, [*from_text(deal), DealOver()]) == raised


def test_after_a_short_deal_the_round_goes_on() -> None:
    """The misdeal was ruled on; what follows is not refused for it a second time."""
    state = tell(THREE, [*from_text(4 * AROUND + "1 2 D ^"), DealOver()])
    assert state.stage.id == "decision"
    assert allowed(state, Bet(1, "play", BET))


def test_the_up_card_must_be_up() -> None:
    state = tell(THREE, from_text(5 * AROUND))
    assert allowed(state, Deal(DEALER)).code == "deal-order"
