"""Which of all that looks like a hand is one: what moves, over the felt."""

import numpy as np
import pytest

from vision.attention.change import Crop, Grid, Mask
from vision.detect.detection import Found
from vision.detect.hand_detector import PAUSE_NS, HandDetector

GRID = Grid(960, 540)  # tiles of 16 px: 34 rows of 60
FELT_ROW = 10  # the felt begins here: above it is the rail, and the carpet


def felt() -> Mask:
    tiles = GRID.none()
    tiles[FELT_ROW:] = True
    return tiles


def hand(top: int, bottom: int, left: int = 20, right: int = 26) -> Found:
    """Return what looks like a hand on some tiles."""
    low, high = (left * 16.0 + 1, top * 16.0 + 1), (right * 16.0 - 1, bottom * 16.0 - 1)
    return Found("hand", 0.9, (low, (high[0], low[1]), high, (low[0], high[1])))


def moving(top: int, bottom: int) -> Mask:
    tiles = GRID.none()
    tiles[top:bottom, 20:26] = True
    return tiles


OVER, ON_RAIL = hand(6, 16), hand(2, 8)


@pytest.mark.parametrize(
    ("seen", "moved", "is_hand"),
    [
        (OVER, moving(8, 14), True),  # reaches in
        (OVER, moving(2, 8), False),  # only on the rail something moves: nothing is looked for
        (ON_RAIL, moving(6, 16), False),  # what it takes for a hand lies on the rail
        (hand(6, 16, left=40, right=46), moving(6, 16), False),  # elsewhere in the picture that was looked at
    ],
)
def test_where_something_moves_over_the_felt_there_may_be_a_hand(seen: Found, moved: Mask, *, is_hand: bool) -> None:
    hands = HandDetector(GRID, felt())
    hands.update(0, moved, lambda _: [seen])
    assert (hands.boxes == [seen]) is is_hand


def test_off_the_felt_nothing_is_looked_for() -> None:
    looked: list[Crop] = []

    def find(part: Crop) -> list[Found]:
        looked.append(part)
        return []

    HandDetector(GRID, felt()).update(0, moving(0, 8), find)
    assert looked == []


@pytest.mark.parametrize(
    ("seen", "is_hand"),
    [
        (OVER, True),  # it came before watching began, and rests: a player's arm on the edge
        (ON_RAIL, False),  # a glass on the rail
        (hand(12, 16), False),  # a fold of the felt
    ],
)
def test_when_watching_begins_what_lies_over_the_edge_may_be_a_hand(seen: Found, *, is_hand: bool) -> None:
    hands = HandDetector(GRID, felt())
    hands.seen(np.ones(GRID.shape, bool), [seen])
    assert (hands.boxes == [seen]) is is_hand


def test_what_never_moved_is_no_hand() -> None:
    hands = HandDetector(GRID, felt())
    hands.seen(np.ones(GRID.shape, bool), [])
    hands.seen(np.ones(GRID.shape, bool), [OVER])
    assert hands.boxes == []


def test_a_hand_that_came_and_rests_stays_a_hand_however_often_it_is_seen() -> None:
    hands = HandDetector(GRID, felt())
    hands.update(0, moving(8, 14), lambda _: [])  # too quick to be seen while it moves
    for _ in range(3):
        hands.seen(np.ones(GRID.shape, bool), [OVER])
        assert hands.boxes == [OVER]
    hands.update(PAUSE_NS, moving(8, 14), lambda _: [])
    hands.seen(np.ones(GRID.shape, bool), [])
    assert hands.boxes == []
