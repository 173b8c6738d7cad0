"""Overlap of quads against areas that can be said by hand, and against a raster of a million points."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detect.overlap import areas, iou_matrix, shared_areas, suppress

Points = list[tuple[float, float]]


def box(u: float, v: float, width: float, height: float) -> Points:
    return [(u, v), (u + width, v), (u + width, v + height), (u, v + height)]


def turned(middle: tuple[float, float], size: tuple[float, float], angle: float) -> np.ndarray:
    return cv2.boxPoints((middle, size, angle)).astype(float)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (box(0, 0, 10, 10), box(0, 0, 10, 10), 1.0),  # the same
        (box(0, 0, 10, 10), box(5, 0, 10, 10), 1 / 3),  # half of each shared
        (box(0, 0, 10, 10), box(10, 0, 10, 10), 0.0),  # they only touch
        (box(0, 0, 10, 10), box(50, 50, 1, 1), 0.0),  # far apart
        (box(0, 0, 10, 10), box(2, 2, 5, 5), 0.25),  # one inside the other
        (box(0, 0, 10, 10), box(0, 0, 10, 10)[::-1], 1.0),  # the other way round is the same quad
        (box(0, 0, 10, 10), box(3, 3, 0, 0), 0.0),  # a point has no area
        (box(1e5, 1e5, 10, 10), box(1e5 + 5, 1e5, 10, 10), 1 / 3),  # far from the origin
    ],
)
def test_overlap_of_boxes(one: Points, other: Points, expected: float) -> None:
    assert iou_matrix([one], [other])[0, 0] == pytest.approx(expected, abs=1e-4)


@given(
    st.tuples(st.floats(20, 80), st.floats(20, 80)),
    st.tuples(st.floats(5, 40), st.floats(5, 40)),
    st.floats(0, 180),
)
def test_turned_quads_share_what_a_raster_counts(
    middle: tuple[float, float], size: tuple[float, float], angle: float
) -> None:
    one, other = turned((50, 50), (60, 30), 20.0), turned(middle, size, angle)
    masks = []
    for quad in (one, other):
        mask = np.zeros((1000, 1000), np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad * 10).astype(np.int32), 1)
        masks.append(mask)
    counted = float((masks[0] & masks[1]).sum()) / 100
    assert shared_areas([one], [other])[0, 0] == pytest.approx(counted, abs=0.05 * areas([other])[0] + 12)


def test_the_better_of_two_stays() -> None:
    quads = [box(0, 0, 10, 10), box(1, 0, 10, 10), box(40, 0, 10, 10)]
    assert suppress(quads, [0.5, 0.9, 0.3], 0.5) == [1, 2]


def test_fanned_cards_all_stay() -> None:
    quads = [box(step, 0, 55, 77) for step in range(0, 60, 12)]
    assert sorted(suppress(quads, [0.9, 0.8, 0.7, 0.6, 0.5], 0.66)) == [0, 1, 2, 3, 4]


def test_nothing_has_no_overlap() -> None:
    assert iou_matrix([], [box(0, 0, 1, 1)]).shape == (0, 1)
    assert suppress([], [], 0.5) == []
