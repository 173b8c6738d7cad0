"""How many cards a group of overlapping ones holds, on quads laid out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detect.detection import Found
from vision.detect.spreads import spreads
from vision.values.picture import Quad

WIDTH, HEIGHT = 60.0, 84.0


def card(x: float, y: float = 100.0, turn_deg: float = 0.0, kind: str = "card_down") -> Found:
    """A card whose middle is at x, y."""
    turn = np.radians(turn_deg)
    right, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    corners = [np.array([x, y]) + s * right * WIDTH / 2 + t * down * HEIGHT / 2 for s, t in SIGNS]
    quad: Quad = tuple((float(u), float(v)) for u, v in corners)  # type: ignore[assignment]
    return Found(kind, 0.9, quad)


SIGNS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def row(*places: float) -> list[Found]:
    return [card(x) for x in places]


def fan(number: int, step_deg: float) -> list[Found]:
    """Cards turned around a point below them, as a player holds them."""
    turns = [step_deg * (i - (number - 1) / 2) for i in range(number)]
    return [
        card(300 + 160 * np.sin(np.radians(turn)), 300 - 160 * np.cos(np.radians(turn)), turn, "card_up")
        for turn in turns
    ]


@pytest.mark.parametrize(
    ("found", "at_least", "at_most", "why"),
    [
        (row(100), 1, None, "one card"),
        (row(100, 101), 2, None, "nearly squared"),
        (row(100, 130), 2, None, "two cards"),
        (row(100, 120, 140, 160), 4, 4, "an even spread"),
        (row(100, 122, 139, 161), 4, 4, "an even spread"),  # by hand, not by ruler
        (row(100, 120, 160, 180), 4, 5, "may hide 1"),  # a gap of two steps
        (row(100, 115, 130, 175, 190), 5, 7, "may hide 2"),
        (row(100, 120, 123, 140, 160), 5, None, "nearly squared"),
        (row(100, 120, 127, 147, 167), 5, None, "a heap"),
        (fan(5, 8.0), 5, 5, "an even spread"),
        (fan(13, 5.0), 13, 13, "an even spread"),
    ],
)
def test_bounds(found: list[Found], at_least: int, at_most: int | None, why: str) -> None:
    (spread,) = spreads(found)
    assert (spread.seen, spread.at_least, spread.at_most) == (len(found), at_least, at_most)
    assert why in spread.why


def test_cards_side_by_side_are_groups_of_their_own() -> None:
    assert [spread.members for spread in spreads(row(100, 161, 222))] == [(0,), (1,), (2,)]


def test_a_chain_is_one_group_though_its_ends_do_not_meet() -> None:
    assert [spread.seen for spread in spreads(row(100, 150, 200, 250, 300))] == [5]


def test_members_are_in_order_along_the_spread_and_other_things_are_left_out() -> None:
    hand = Found("hand", 0.9, card(120).quad)
    found = [card(160), hand, card(100), card(400, kind="card_up"), card(140), card(120)]
    assert [spread.members for spread in spreads(found)] == [(2, 5, 4, 0), (3,)]


def test_a_spread_may_run_up_the_picture() -> None:
    (spread,) = spreads([card(100, y) for y in (180, 140, 160, 120)])
    assert spread.members in {(3, 1, 2, 0), (0, 2, 1, 3)}
    assert spread.at_most == 4


@pytest.mark.parametrize("found", [[], [Found("stack", 0.9, card(1).quad)]])
def test_nothing(found: list[Found]) -> None:
    assert spreads(found) == []


def test_a_quad_without_area_harms_nobody() -> None:
    point: Quad = ((5.0, 5.0), (5.0, 5.0), (5.0, 5.0), (5.0, 5.0))
    assert [spread.seen for spread in spreads([Found("card_up", 0.3, point), card(100)])] == [1, 1]


@given(st.lists(st.tuples(st.floats(0, 800), st.floats(0, 500), st.floats(0, 360)), max_size=12))
def test_every_card_is_in_one_group_and_the_bounds_hold_what_was_seen(
    places: list[tuple[float, float, float]],
) -> None:
    groups = spreads([card(*place) for place in places])
    assert sorted(member for group in groups for member in group.members) == list(range(len(places)))
    for group in groups:
        assert group.at_least <= group.seen
        assert group.at_most is None or group.at_most >= group.seen
