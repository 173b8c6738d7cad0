"""Since when a fault can be seen."""

import json

import pytest
from stories import NS, Record, fault, true_round

from vision.score.records import TrueRound
from vision.score.visible import visible_ns

TURNED = [{"kind": "revealed", "t_ns": 30 * NS}, {"kind": "shown", "seat": 2, "t_ns": 34 * NS}]


def taken(t_s: int) -> Record:
    return {"kind": "taken", "seat": 2, "wager": "ante", "t_ns": t_s * NS}


def dealt(seat: int, cards: list[str]) -> Record:
    return {"kind": "dealt", "zone": "seat.hand", "seat": seat, "cards": cards, "t_ns": 9 * NS}


@pytest.mark.parametrize(
    ("made", "events", "seen_s"),
    [
        (fault("overpaid", 40, 2, "ante"), TURNED, 40),  # at once
        (fault("duplicate-card", 9, 2), TURNED, 34),  # the three of spades is the dealer's too: when both are turned
        (fault("duplicate-card", 9, 2), TURNED[:1], 30),  # a hand that was never turned
        (fault("duplicate-card", 9, 2), [*TURNED, dealt(2, ["3s"]) | {"up": 1}], 30),  # the player's cards lie open
        (fault("wrong-card-count", 9, 2), [*TURNED, dealt(2, ["3h", "3s", "9s", "3c"])], 34),  # a packet
        (fault("wrong-card-count", 9, 2), [*TURNED, dealt(2, ["3h"]), dealt(2, ["3s"])], 9),  # card by card
        (fault("wrong-card-count", 9, 2), [*TURNED, dealt(5, ["Qs", "7h"])], 9),  # another hand's packet
        (fault("wrong-card-count", 9), [*TURNED, dealt(2, ["3h", "3s"])], 9),  # the dealer's is none of a seat's
        (
            fault("wager-not-allowed", 2, 2, "aces_up"),
            [{"kind": "bets-closed", "t_ns": 5 * NS}, dealt(2, ["3h"])],
            9,
        ),  # till then it may go, and nobody hears the announcement
        (fault("progressive-count", 6, 2, "progressive"), [dealt(2, ["3h"])], 9),  # till then it may be collected
        (fault("underpaid", 40, 2, "ante"), [taken(38), taken(43), taken(47)], 43),  # the dealer goes on
        (fault("cards-cleared-early", 40, 2), [taken(38), taken(43)], 40),  # the cards go, and the chips stand there
        (fault("void-not-honoured", 20, 2, "ante"), [taken(20), *TURNED, taken(40)], 20),  # no reason is known
    ],
)
def test_since_when_a_fault_can_be_seen(made: Record, events: list[Record], seen_s: int) -> None:
    dealer = {"cards": ["5c", "3s", "Kd", "8c", "8h", "3d"], "shown": True}
    told = json.dumps(true_round(faults=[made], events=events, dealer=dealer))
    true = TrueRound.model_validate_json(told)
    assert visible_ns(true.faults[0], true) == seen_s * NS


@pytest.mark.parametrize(
    ("exposed_s", "events", "seen_s"),
    [
        (15, [taken(20), taken(40)], 20),  # the first chips that are settled after it
        (25, [taken(20), taken(40)], 40),  # those before were settled in good faith
        (25, [taken(20), {"kind": "cleared", "t_ns": 50 * NS}], 50),  # until then they may be given back
    ],
)
def test_a_void_round_is_settled_once_its_reason_could_be_seen(
    exposed_s: int, events: list[Record], seen_s: int
) -> None:
    faults = [fault("dealer-card-exposed", exposed_s), fault("void-not-honoured", 20, 2, "ante")]
    true = TrueRound.model_validate_json(json.dumps(true_round(faults=faults, events=events)))
    assert visible_ns(true.faults[1], true) == seen_s * NS
