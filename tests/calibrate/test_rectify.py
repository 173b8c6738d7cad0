"""Rectifying against a photograph whose camera is known: the shipped artwork, seen aslant, comes back as it was."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.calibrate.rectify import Mark, rectify
from vision.draw.grid import draw_grid
from vision.table.artwork import Artwork, expected, read_artwork
from vision.table.layout import check_layout, read_layout
from vision.table.naming import find_layout
from vision.table.sketch import layout_like, sketch_layout
from vision.values.errors import InputError
from vision.values.geometry import Camera, Lens
from vision.values.picture import Picture

FOLDER = find_layout("emerald-arc")
LAYOUT = read_layout(FOLDER)
ARTWORK = read_artwork(FOLDER, LAYOUT)
SIZE = ARTWORK.size_mm
CAMERA = Camera.looking_at(Lens(1920, 1080, 1400.0, 959.5, 539.5), (200.0, -900.0, 2400.0), (0.0, 480.0, 0.0), 7.0)
CORNERS = ((-900.0, 60.0), (900.0, 60.0), (700.0, 700.0), (-700.0, 700.0))


@pytest.fixture(scope="module")
def photo() -> Picture:
    return expected(ARTWORK, CAMERA).picture


def marks(*places: tuple[float, float]) -> list[Mark]:
    pixels = CAMERA.project([[x, y, 0.0] for x, y in places]).tolist()
    return [Mark(u, v, x, y) for (u, v), (x, y) in zip(pixels, places, strict=True)]


def test_the_artwork_comes_back(photo: Picture) -> None:
    found = rectify(photo, marks(*CORNERS), SIZE)
    assert found.artwork.picture.shape == ARTWORK.picture.shape
    assert max(found.residuals_mm) < 0.01
    assert found.seen > 0.9
    part = (slice(300, 1000), slice(300, -300))  # well inside the photograph
    back, true = (
        cv2.GaussianBlur(picture[part], (0, 0), 2).astype(float) for picture in (found.artwork.picture, ARTWORK.picture)
    )
    assert np.abs(back - true).mean() < 4
    shift, _ = cv2.phaseCorrelate(back[..., 1].copy(), true[..., 1].copy())
    assert np.linalg.norm(shift) < 0.3  # pixels, which are millimetres


def test_pixels_may_be_finer(photo: Picture) -> None:
    found = rectify(photo, marks(*CORNERS), (1800.0, 800.0), 0.5)
    assert found.artwork.picture.shape == (1600, 3600, 3)


def test_without_a_size_the_felt_holds_the_marks(photo: Picture) -> None:
    assert rectify(photo, marks(*CORNERS)).artwork.size_mm == (1800.0, 700.0)


def test_residuals_tell_how_far_marks_are_off(photo: Picture) -> None:
    six = marks(*CORNERS, (0.0, 400.0), (300.0, 100.0))
    six[4] = Mark(six[4].u, six[4].v, six[4].x + 6, six[4].y)
    residuals = rectify(photo, six, SIZE).residuals_mm
    assert 1 < residuals[4] < 6
    assert residuals[4] == max(residuals)


def _few(given: list[Mark]) -> list[Mark]:
    return given[:3]


def _mirrored(given: list[Mark]) -> list[Mark]:
    return [Mark(mark.u, mark.v, -mark.x, mark.y) for mark in given]


def _swapped(given: list[Mark]) -> list[Mark]:
    places = [given[i] for i in (1, 0, 2, 3)]
    return [Mark(mark.u, mark.v, place.x, place.y) for mark, place in zip(given, places, strict=True)]


def _outside(given: list[Mark]) -> list[Mark]:
    return [*given[:3], Mark(1920, 500, 0, 500)]


def _in_line(given: list[Mark]) -> list[Mark]:
    return [*given[:2], *marks((0.0, 60.0), (700.0, 700.0))]


def _twice(given: list[Mark]) -> list[Mark]:
    return [*given[:3], given[2]]


def _mistaken(given: list[Mark]) -> list[Mark]:
    extra = marks((0.0, 400.0), (300.0, 100.0))
    return [*given, extra[0], Mark(extra[1].u, extra[1].v, 400, 100)]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_few, "--point: 3 given: want 4 or more"),
        (_mirrored, "left and right are swapped"),
        (_swapped, "cross each other"),
        (_outside, "--point: 1920,500=0,500: outside the picture: want a pixel of 1920 x 1080"),
        (_in_line, "want four, no three on a line"),
        (_twice, "want four, no three on a line"),
        (_mistaken, "do not fit together: "),
    ],
)
def test_marks_that_will_not_do(photo: Picture, spoil: Callable[[list[Mark]], list[Mark]], message: str) -> None:
    with pytest.raises(InputError, match="--point") as caught:
        rectify(photo, spoil(marks(*CORNERS)), SIZE)
    assert message in str(caught.value)


@pytest.mark.parametrize("size", [(100.0, 900.0), (20000.0, 900.0), (2000.0, 9000.0)])
def test_sizes_that_will_not_do(photo: Picture, size: tuple[float, float]) -> None:
    with pytest.raises(InputError, match="--size"):
        rectify(photo, marks(*CORNERS), size)


@given(st.tuples(*[st.floats(-5000, 5000).map(lambda value: round(value, 2))] * 4))
def test_marks_survive_their_text(numbers: tuple[float, float, float, float]) -> None:
    mark = Mark(*numbers)
    again = Mark.parse(str(mark))
    assert (again.u, again.v, again.x, again.y) == pytest.approx(numbers, abs=0.01)


@pytest.mark.parametrize("text", ["", "1,2", "1,2=3", "1,2=3,4,5", "a,b=c,d", "1,2=3,nan"])
def test_what_is_no_mark(text: str) -> None:
    with pytest.raises(InputError, match="--point"):
        Mark.parse(text)


@pytest.mark.parametrize("seats", [1, 3, 6, 7])
def test_a_sketch_is_a_layout(seats: int) -> None:
    layout = sketch_layout("new", (2200.0, 1040.0), seats)
    check_layout(layout)
    assert len(layout.seat) == seats
    assert not layout.lacks(["ante", "play", "aces_up", "six_card", "bad_beat", "progressive"], ["bonus"])


def test_too_many_seats_have_no_room() -> None:
    with pytest.raises(InputError, match="12 seats have no room on 900 x 500 mm"):
        sketch_layout("new", (900.0, 500.0), 12)


def test_a_layout_like_another_grows_with_the_felt() -> None:
    same = layout_like(LAYOUT, "again", SIZE)
    assert same.seat == LAYOUT.seat
    grown = layout_like(LAYOUT, "larger", (SIZE[0] * 1.1, SIZE[1]))
    check_layout(grown)
    ante = LAYOUT.seat[0].spots["ante"]
    assert grown.seat[0].spots["ante"].centre == pytest.approx((ante.centre[0] * 1.1, ante.centre[1]), abs=0.06)


def test_a_grid_has_its_lines_at_round_numbers() -> None:
    grid = draw_grid(Artwork(np.zeros((600, 800, 3), np.uint8), 1.0, (800.0, 600.0)))
    lit = grid[430].max(axis=1) > 90  # y is 169.5: between the numbers
    assert np.flatnonzero(lit).tolist() == pytest.approx([0, 100, 200, 300, 400, 500, 600, 700], abs=1)
