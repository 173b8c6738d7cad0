"""How pages say things."""

from typing import Any

import bodies
import pytest

from vision.records.event import Event
from vision.records.round import Wager
from vision.web import amounts, words


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"kind": "nomorebets"}, "No more bets"),
        ({"kind": "bet", "seat": 2, "wager": "aces_up", "cents": 1250}, "Seat 2, Aces Up: $12.50 wagered"),
        ({"kind": "bet", "seat": 2, "wager": "ante", "cents": 0}, "Seat 2, Ante: nothing wagered"),
        ({"kind": "deal", "zone": "dealer.hand", "cards": 6}, "Dealer's hand: 6 cards dealt"),
        ({"kind": "deal", "zone": "seat.hand", "seat": 3, "cards": 1}, "Seat 3: 1 card dealt"),
        ({"kind": "turn", "zone": "table.bonus", "cards": 1}, "Bonus card: 1 card shown"),
        ({"kind": "touch", "seat": 1, "by": "stranger"}, "Seat 1: cards touched by stranger"),
        ({"kind": "pay", "seat": 4, "wager": "play", "cents": 500}, "Seat 4, Play: paid $5"),
        ({"kind": "declare", "code": "duplicate-card"}, "Duplicate card"),
        ({"kind": "something-new", "seat": 1}, "Something new Seat 1"),
    ],
)
def test_events(event: dict[str, Any], said: str) -> None:
    assert words.event_words(Event.of(bodies.event() | event)) == said


@pytest.mark.parametrize(
    ("wager", "said"),
    [
        ({"cents": 600}, "$6"),
        ({"cents": None}, "not known"),
        ({"cents": 600, "bounds": [225, None]}, "at least $2.25"),
        ({"cents": 600, "bounds": [225, 563106]}, "at least $2.25"),
        ({"cents": 600, "bounds": [500, 700]}, "$5 to $7"),
    ],
)
def test_stakes(wager: dict[str, Any], said: str) -> None:
    assert amounts.stake(Wager.of(wager)) == said


@pytest.mark.parametrize(
    ("t_ns", "said"),
    [(0, "0:00.00"), (72_609_000_000, "1:12.60"), (3_600_000_000_000, "1:00:00.00"), (-5, "0:00.00")],
)
def test_stream_time(t_ns: int, said: str) -> None:
    assert words.stream_time(t_ns) == said


@pytest.mark.parametrize(
    ("cents", "is_certain", "said"),
    [
        (2500, True, "$25"),
        (2500, False, "about $25"),
        (100_350, False, "about $1,000"),
        (163_417, False, "about $1,600"),
        (None, False, "not known"),
    ],
)
def test_amounts(cents: int | None, is_certain: bool, said: str) -> None:
    assert amounts.amount(cents, is_certain=is_certain) == said


def test_small_words() -> None:
    assert [words.span(s * words.SECOND_NS) for s in (0, 119, 120, 7199, 7200)] == [
        "0 s",
        "119 s",
        "2 min",
        "119 min",
        "2 h",
    ]
    assert [amounts.percent(share) for share in (0.0, 0.578, 1.0)] == ["under 1 %", "57 %", "over 99 %"]
    assert [words.card_name(card) for card in ("As", "Td", "7c", "??")] == [
        "ace of spades",
        "10 of diamonds",
        "7 of clubs",
        "card not seen",
    ]
    assert [words.spoken_round(f"t-{name}", "t") for name in ("0012", "12345", "idle")] == [
        "round 12",
        "round 12345",
        "between rounds",
    ]
