"""The baseline's own steps: the square, the way back to the picture, and turned boxes as corners."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from studio.learn.yolo import Fit, decoded, letterboxed
from vision.detect.detection import KINDS
from vision.detect.overlap import areas

AS_IT_IS = Fit(scale=1.0, left=0, top=0)


def candidate(kind: str, score: float, box: tuple[float, float, float, float], angle: float = 0.0) -> list[float]:
    scores = [score if name == kind else 0.01 for name in KINDS]
    return [*box, *scores, angle]


def output(*candidates: list[float]) -> NDArray[np.float32]:
    return np.array(candidates, np.float32).T


@pytest.mark.parametrize(
    ("size", "fit"),
    [
        ((1920, 1080), Fit(1 / 3, 0, 140)),
        ((1080, 1920), Fit(1 / 3, 140, 0)),
        ((640, 640), Fit(1.0, 0, 0)),
        ((320, 160), Fit(2.0, 0, 160)),  # small pictures are enlarged
        ((1, 1), Fit(640.0, 0, 0)),
        ((5000, 1), Fit(640 / 5000, 0, 319)),  # a line stays a line
    ],
)
def test_letterbox(size: tuple[int, int], fit: Fit) -> None:
    square, found = letterboxed(np.zeros((size[1], size[0], 3), np.uint8), 640)
    assert square.shape == (640, 640, 3)
    assert found == fit
    assert square[fit.top, fit.left].max() == 0
    assert fit.top == 0 or square[fit.top - 1, 320].min() == 114


def test_a_pixel_is_found_again_where_it_was() -> None:
    picture = np.zeros((1080, 1920, 3), np.uint8)
    picture[300:330, 900:930] = 255
    square, fit = letterboxed(picture, 640)
    rows, columns = np.nonzero(square[fit.top : 640 - fit.top, :, 0] > 127)
    middle = np.array([[columns.mean() + 0.5, rows.mean() + 0.5 + fit.top]])
    np.testing.assert_allclose(fit.back(middle), [[914.5, 314.5]], atol=0.01)


def test_things_below_the_limit_are_left_out_and_the_best_come_first() -> None:
    box = (100.0, 100.0, 20.0, 30.0)
    found = decoded(
        output(candidate("stack", 0.3, box), candidate("hand", 0.9, box), candidate("other", 0.2, box)), AS_IT_IS, 0.25
    )
    assert [(thing.kind, round(thing.score, 3)) for thing in found] == [("hand", 0.9), ("stack", 0.3)]


def test_an_upright_box() -> None:
    (thing,) = decoded(output(candidate("card_up", 0.8, (100, 50, 20, 30))), AS_IT_IS, 0.25)
    np.testing.assert_allclose(thing.quad, [(89.5, 34.5), (109.5, 34.5), (109.5, 64.5), (89.5, 64.5)])


@given(
    angle=st.floats(-np.pi / 4, 3 * np.pi / 4), width=st.floats(5, 90), height=st.floats(5, 90), scale=st.floats(0.2, 2)
)
def test_corners_run_clockwise_from_a_short_side(angle: float, width: float, height: float, scale: float) -> None:
    fit = Fit(scale, 11, 7)
    (thing,) = decoded(output(candidate("card_down", 0.8, (200, 150, width, height), angle)), fit, 0.25)
    corners = np.array(thing.quad)
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(*sides.T)
    assert lengths[0] <= lengths[1] + 1e-3
    assert sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0] > 0  # clockwise, as v points down
    assert areas([thing.quad])[0] == pytest.approx(width * height / scale**2, rel=1e-3)
    np.testing.assert_allclose(corners.mean(axis=0), [189 / scale - 0.5, 143 / scale - 0.5], rtol=1e-4)


def test_an_empty_answer() -> None:
    assert decoded(np.zeros((4 + len(KINDS) + 1, 0), np.float32), AS_IT_IS, 0.25) == []
