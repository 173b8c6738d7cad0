"""The drift watch: movements are noticed and repaired; people, drinks and darkness are none."""

import cv2
import numpy as np
import pytest
from felts import camera, felt, scene, spots_off_mm

from vision.calibrate.drift import DRIFT_CHECK_NS, Drift, DriftWatch, State
from vision.values.picture import Picture

NAME = "slate-modern"


def shifted(picture: Picture, by: tuple[float, float]) -> Picture:
    move = np.array([[1, 0, by[0]], [0, 1, by[1]]], float)
    return np.asarray(cv2.warpAffine(picture, move, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8)


def watched(pictures: list[Picture]) -> list[Drift]:
    layout, artwork = felt(NAME)
    watch = DriftWatch(artwork, layout, camera())
    return [watch.update(i * DRIFT_CHECK_NS, picture) for i, picture in enumerate(pictures)]


def busy(number: int) -> list[Picture]:
    return [scene(NAME, camera(), seed, things=40) for seed in range(number)]


def test_a_still_camera_is_steady() -> None:
    assert {drift.state for drift in watched(busy(4))} == {State.STEADY}


@pytest.mark.parametrize(
    "by",
    [(2.0, 0.0), (-1.5, 1.5), (9.0, -4.0), (-30.0, 25.0)],  # just what must be noticed; diagonal; a knock; a hard one
)
def test_a_shift_is_noticed_within_two_seconds_and_repaired(by: tuple[float, float]) -> None:
    drifts = watched([*busy(2), *(shifted(picture, by) for picture in busy(4))])
    moved = [drift for drift in drifts if drift.state is State.MOVED]
    assert len(moved) == 1
    assert moved[0].t_ns <= 2 * DRIFT_CHECK_NS + 2_000_000_000
    assert moved[0].shift_px == pytest.approx(float(np.hypot(*by)), abs=1.0)
    layout, _ = felt(NAME)
    places = np.array([shape.centre for seat in layout.seat for shape in seat.spots.values()])
    pixels = camera().project(np.c_[places, np.zeros(len(places))]) + by
    assert np.median(np.linalg.norm(drifts[-1].camera.place(pixels)[:, :2] - places, axis=1)) < 1.0


def test_a_turn_is_a_movement_too() -> None:
    after = camera(roll_deg=0.4)
    drifts = watched([*busy(1), *(scene(NAME, after, seed, things=40) for seed in range(3))])
    assert State.MOVED in {drift.state for drift in drifts}
    assert np.median(spots_off_mm(drifts[-1].camera, after, felt(NAME)[0])) < 1.0


def test_the_first_sight_of_a_movement_is_a_doubt() -> None:
    drifts = watched([*busy(1), shifted(busy(1)[0], (5.0, 0.0))])
    assert drifts[-1].state is State.UNSURE


def test_a_short_shake_is_no_movement() -> None:
    drifts = watched([*busy(1), shifted(busy(1)[0], (5.0, 0.0)), shifted(busy(1)[0], (-4.0, 3.0)), *busy(1)])
    assert State.MOVED not in {drift.state for drift in drifts}
    assert drifts[-1].state is State.STEADY


def test_people_and_drinks_are_no_movement() -> None:
    leaning = [picture.copy() for picture in busy(4)]
    for i, picture in enumerate(leaning):
        cv2.ellipse(picture, (300 + 60 * i, 300), (420, 330), 20.0, 0, 360, (60, 50, 40), -1)
        cv2.circle(picture, (1400, 500 + 5 * i), 60, (200, 210, 220), -1)
    assert {drift.state for drift in watched(leaning)} == {State.STEADY}


def test_in_the_dark_it_is_unsure_and_the_camera_stays() -> None:
    dark = [np.random.default_rng(i).integers(0, 6, (1080, 1920, 3), dtype=np.uint8) for i in range(2)]
    drifts = watched([*busy(1), *dark, *busy(1)])
    assert [drift.state for drift in drifts[1:3]] == [State.UNSURE, State.UNSURE]
    assert drifts[-1].state is State.STEADY
    assert drifts[-1].camera == camera()


def test_a_camera_turned_far_away_is_found_again() -> None:
    after = camera(tilt_mm=900.0, roll_deg=12.0)
    drifts = watched([*busy(1), scene(NAME, after, 3, things=30)])
    assert drifts[-1].state is State.MOVED
    assert np.median(spots_off_mm(drifts[-1].camera, after, felt(NAME)[0])) < 1.0


def test_between_two_looks_nothing_is_computed() -> None:
    layout, artwork = felt(NAME)
    watch = DriftWatch(artwork, layout, camera())
    first = watch.update(0, busy(1)[0])
    assert watch.update(DRIFT_CHECK_NS // 2, np.zeros((1080, 1920, 3), np.uint8)) is first
