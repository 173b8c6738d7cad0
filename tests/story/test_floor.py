"""A table as every part of a round looks at it: places, spots, and whose hand was there."""

from math import hypot
from pathlib import Path

import pytest
from scenes import floor, layout, stack_worth
from things import card, chips, hand

from studio.film.production import house_sheet
from vision.observe.evidence import StackTrack
from vision.observe.frame_observation import FrameObservation
from vision.rules.play.dealscript import SEAT
from vision.story.floor import Floor, inward
from vision.story.hands import BONUS, DEALER, zone_of
from vision.table.layout import read_layout
from vision.table.zones import FELT, Zone
from vision.values.resources import shipped

FELTS = sorted(path.parent for path in (shipped("calibration") / "layouts").glob("*/layout.toml"))


@pytest.mark.parametrize(
    ("house", "wagers", "places"),
    [
        ("maryland", {"ante", "play", "aces_up", "six_card", "progressive"}, [DEALER, BONUS]),
        ("south-dakota", {"ante", "play", "aces_up", "progressive"}, [DEALER]),  # no card for a six card bonus
    ],
)
def test_what_is_printed_and_used(house: str, wagers: set[str], places: list[object]) -> None:
    table = floor(house)
    assert {wager for seat, wager in table.spots() if seat == 1} == wagers
    assert table.table_places() == places
    assert table.places() == [*places, *((SEAT, seat) for seat in table.seats)]
    assert [wager for wager in sorted(wagers) if table.is_raise(wager)] == ["play"]


@pytest.mark.parametrize("felt", FELTS, ids=lambda path: path.name)
def test_inward_is_from_the_player_to_the_middle(felt: Path) -> None:
    found = read_layout(felt)
    middle = found.dealer.work.centre
    for seat in found.seat:
        x, y = inward(seat)
        assert hypot(x, y) == pytest.approx(1.0)
        assert (middle[0] - seat.cards.centre[0]) * x + (middle[1] - seat.cards.centre[1]) * y > 0


def reached(table: Floor, seat: int, along_mm: float, across_mm: float = 0.0, age_ns: int = 0) -> StackTrack:
    """Return chips at which a hand was last seen from so far towards the dealer, and to one side."""
    x, y = table.inward[seat]
    stack = stack_worth(1, 500, Zone(seat, "ante"))
    stack.hand_from = (along_mm * x - across_mm * y, along_mm * y + across_mm * x)
    stack.hand_ns = stack.seen_ns - age_ns
    return stack


@pytest.mark.parametrize(
    ("along_mm", "across_mm", "age_ns", "whose"),
    [
        (100.0, 0.0, 0, "dealer"),  # from inside
        (-100.0, 0.0, 0, "player"),  # from the rail
        (40.0, 0.0, 0, None),  # right over it: anybody's
        (0.0, 200.0, 0, None),  # from the seat beside
        (100.0, 200.0, 0, "dealer"),  # aslant from inside
        (100.0, 0.0, 2_000_000_000, None),  # long before the chips were last seen
    ],
)
@pytest.mark.parametrize("seat", [1, 4])
def test_whose_hand_it_was(seat: int, along_mm: float, across_mm: float, age_ns: int, whose: str | None) -> None:
    table = floor()
    assert table.taker(reached(table, seat, along_mm, across_mm, age_ns), seat) == whose


def test_chips_that_no_hand_was_near_were_taken_by_nobody() -> None:
    assert floor().taker(stack_worth(1, 500, Zone(3, "ante")), 3) is None


@pytest.mark.parametrize(
    ("towards_play_mm", "is_clear"),
    [
        (0.0, True),
        (15.0, True),
        (30.0, False),  # nearly between the two
        (60.0, False),  # nearer to the other
    ],
)
def test_chips_between_two_spots_belong_to_neither(towards_play_mm: float, is_clear: bool) -> None:
    table = floor()
    (ax, ay), (px, py) = (layout().seat_at(4).spots[wager].centre for wager in ("ante", "play"))
    far = hypot(px - ax, py - ay)
    stack = stack_worth(1, 500, Zone(4, "ante"))
    stack.x, stack.y = ax + (px - ax) / far * towards_play_mm, ay + (py - ay) / far * towards_play_mm
    assert table.away_mm(stack, 4, "ante") == pytest.approx(towards_play_mm)
    assert table.is_clearly_at(stack, 4, "ante") is is_clear


def test_cards_by_their_place() -> None:
    table = floor()
    zones = [Zone(2, "cards"), zone_of(DEALER), zone_of(BONUS), FELT]
    lying = [card(100.0 * i, 0.0, zone=zone) for i, zone in enumerate(zones)]
    for t in range(10):
        table.tracker.update(FrameObservation(t, t * 10**8, tuple(lying)))
    here = table.cards_at_places()
    assert [table.place_of(found) for found in here] == [  # what lies on bare felt is no hand's
        (SEAT, 2),
        DEALER,
        BONUS,
    ]


def test_a_hand_covers_a_zone() -> None:
    table = floor()
    ante, play = Zone(2, "ante"), Zone(2, "play")
    table.tracker.update(FrameObservation(0, 0, (hand(0, 0, covers=[ante]), chips(0, 0))))
    assert table.is_covered(ante)
    assert table.is_covered(play, ante)
    assert not table.is_covered(play)


def test_faces_in_the_work_area() -> None:
    table, work = Floor(house_sheet("maryland"), layout()), Zone(None, "work")
    for t in range(5):
        table.tracker.update(FrameObservation(t, t * 10**8, (card(0, 0, "As", work), card(60, 0, None, work))))
    assert [str(shown.best()[0]) for shown in table.shown_cards()] == ["As"]
