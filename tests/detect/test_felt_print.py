"""What is only print, and in which light it is seen: a filmed sample held against its felt's own print."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.attention.light import LIGHT_CHECK_NS, MAX_GAIN, LightWatch
from vision.detect.felt_print import FeltPrint
from vision.detect.stacks import PLAIN
from vision.table.artwork import Expected, expected, read_artwork
from vision.table.table import Table, read_table
from vision.values.picture import Picture, Quad

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "clean"
CHIP_MM = 39.0


@cache
def table() -> Table:
    return read_table(SAMPLE)


@cache
def view() -> Expected:
    return expected(read_artwork(table().layout_folder, table().layout), table().camera)


def spot(seat: int, wager: str, *, off_px: float = 0.0) -> Quad:
    """Return the box of a chip that would stand in the middle of a spot, or a little beside it."""
    x, y = table().layout.seat_at(seat).spots[wager].centre
    half = CHIP_MM / 2
    corners = [(x - half, y + half), (x + half, y + half), (x + half, y - half), (x - half, y - half)]
    pixels = table().camera.project(np.array([(*corner, 0.0) for corner in corners])) + off_px
    (left, top), (right, bottom) = pixels.min(axis=0).tolist(), pixels.max(axis=0).tolist()
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def chip_on(picture: Picture, where: Quad) -> Picture:
    (left, top), _, (right, bottom), _ = where
    drawn = picture.copy()
    middle, radius = (round((left + right) / 2), round((top + bottom) / 2)), round((right - left) / 2)
    cv2.circle(drawn, middle, radius, (40, 40, 200), -1, cv2.LINE_AA)
    cv2.circle(drawn, middle, radius * 2 // 3, (230, 235, 240), -1, cv2.LINE_AA)
    return drawn


def seen(gain: float = 1.0, tint: tuple[float, float, float] = (1.0, 1.0, 1.0), noise: float = 0.0) -> Picture:
    """Return the bare felt as a camera would see it in some light."""
    rng = np.random.default_rng(1)
    felt = view().picture * (gain * np.array(tint)) + rng.normal(0, noise, view().picture.shape)
    return np.asarray(np.clip(felt, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("picture", "off_px"),
    [
        (seen(), 0.0),  # as it was drawn
        (seen(0.5), 0.0),  # in half the light
        (seen(tint=(1.3, 1.0, 0.8)), 0.0),  # in cold light
        (seen(noise=6.0), 0.0),  # by a cheap camera
        (seen(), 2.0),  # found a little beside it
    ],
)
def test_print_is_known_for_print(picture: Picture, off_px: float) -> None:
    assert FeltPrint(view()).shows(picture, spot(3, "ante", off_px=off_px), PLAIN)


def test_a_chip_on_a_spot_is_no_print() -> None:
    where = spot(3, "ante")
    assert not FeltPrint(view()).shows(chip_on(seen(), where), where, PLAIN)


def card_at(x: float, y: float) -> Quad:
    """Return the quad of a card on the felt."""
    corners = [(x - 32, y + 44), (x + 32, y + 44), (x + 32, y - 44), (x - 32, y - 44)]
    (a, b), (c, d), (e, f), (g, h) = table().camera.project(np.array([(*c, 0.0) for c in corners])).tolist()
    return ((a, b), (c, d), (e, f), (g, h))


@pytest.mark.parametrize(
    ("tint", "light", "is_felt"),
    [
        ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), True),  # as it was drawn
        ((0.7, 0.7, 0.7), (1.0, 1.0, 1.0), True),  # in the shadow of an arm
        ((1.25, 1.0, 0.8), (0.8, 1.0, 1.25), True),  # in cold light that is known
        ((1.25, 1.0, 0.8), (1.0, 1.0, 1.0), False),  # another colour than the felt's
    ],
)
def test_plain_felt_is_known_by_its_colour(
    tint: tuple[float, float, float], light: tuple[float, float, float], *, is_felt: bool
) -> None:
    flat = Expected(np.full_like(view().picture, (60, 90, 40)), view().on_felt)
    picture = np.clip(flat.picture * np.array(tint), 0, 255).astype(np.uint8)
    assert FeltPrint(flat).shows(picture, card_at(0.0, 450.0), np.array(light)) is is_felt


def test_a_card_of_which_a_half_shows_is_no_felt() -> None:
    flat = Expected(np.full_like(view().picture, (60, 90, 40)), view().on_felt)
    picture, quad = flat.picture.copy(), card_at(0.0, 450.0)
    left = min(u for u, _ in quad)
    right = max(u for u, _ in quad)
    picture[:, round((left + right) / 2) : round(right) + 1] = (235, 240, 240)
    assert not FeltPrint(flat).shows(picture, quad, PLAIN)


def test_what_reaches_out_of_the_picture_is_not_compared() -> None:
    assert not FeltPrint(view()).shows(seen(), ((-20.0, 10.0), (20.0, 10.0), (20.0, 50.0), (-20.0, 50.0)), PLAIN)


@pytest.mark.parametrize(
    ("tint", "gains"),
    [
        ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0)),
        ((1.25, 1.0, 0.8), (0.8, 1.0, 1.25)),  # cold lamps
        ((0.5, 0.5, 0.5), (2.0, 2.0, 2.0)),  # half the light
        ((0.2, 0.2, 0.2), (MAX_GAIN, MAX_GAIN, MAX_GAIN)),  # another felt, or none
    ],
)
def test_the_felt_tells_the_light(tint: tuple[float, float, float], gains: tuple[float, float, float]) -> None:
    light = LightWatch(view())
    light.update(0, seen(tint=tint))
    assert light.white_balance_gains == pytest.approx(gains, rel=0.04)


def test_light_is_looked_at_now_and_then_and_things_on_the_felt_do_not_matter() -> None:
    light = LightWatch(view())
    light.update(0, seen())
    light.update(LIGHT_CHECK_NS // 2, seen(tint=(1.25, 1.0, 0.8)))
    assert light.white_balance_gains == pytest.approx((1.0, 1.0, 1.0), rel=0.04)
    crowded = seen(tint=(1.25, 1.0, 0.8))
    crowded[:, : crowded.shape[1] // 3] = (200, 150, 120)  # an arm
    light.update(LIGHT_CHECK_NS, crowded)
    assert light.white_balance_gains == pytest.approx((0.8, 1.0, 1.25), rel=0.04)


def test_in_the_dark_the_light_is_what_it_was() -> None:
    light = LightWatch(view())
    light.update(0, seen(tint=(1.25, 1.0, 0.8)))
    light.update(LIGHT_CHECK_NS, np.zeros_like(seen()))
    assert light.white_balance_gains == pytest.approx((0.8, 1.0, 1.25), rel=0.04)
