"""The second look at cards: what it is taught is what it gives back, and its crops show the card in their middle."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.learn.finder.things import Thing, card_thing
from studio.learn.finder.tiles import Tile
from studio.learn.squarer.crops import crops, quad_of, shaken
from vision.detect.corner_refiner import BOX, SIDE, UNIT_PX, cut, moved, place, to_crop
from vision.detect.overlap import iou_matrix

seeds = st.integers(0, 10_000)


def some_quad(rng: np.random.Generator) -> np.ndarray:
    width, angle = float(rng.uniform(25, 110)), float(rng.uniform(0, 6.28))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]]) * width
    return np.asarray(corners @ turn.T + rng.uniform(120, 200, 2))


@given(seeds)
def test_a_card_roughly_found_fills_the_box(seed: int) -> None:
    quad = some_quad(np.random.default_rng(seed))
    matrix = to_crop(quad)
    assert quad @ matrix[:, :2].T + matrix[:, 2] == pytest.approx(place())
    assert np.array(moved(quad, np.zeros((4, 2)))) == pytest.approx(quad)


@given(seeds)
def test_the_moves_that_are_taught_lead_to_the_card(seed: int) -> None:
    rng = np.random.default_rng(seed)
    true = some_quad(rng)
    thing = card_thing(0, true, 1.0)
    rough = shaken(quad_of(thing), rng)
    matrix = to_crop(rough)
    options = [
        t @ matrix[:, :2].T + matrix[:, 2] - place() for t in (quad_of(thing), np.roll(quad_of(thing), 2, axis=0))
    ]
    best = min(options, key=lambda moves: float(np.abs(moves).sum()))
    assert iou_matrix([moved(rough, best)], [true])[0, 0] > 0.999


def white_card(side: int = 320) -> tuple[np.ndarray, Thing]:
    picture = np.full((side, side, 3), 40, np.uint8)
    picture[120:197, 130:185] = 250
    quad = np.array([[130, 120], [185, 120], [185, 197], [130, 197]], float) - 0.5
    return picture, card_thing(0, quad, 1.0)


def test_a_crop_shows_the_card() -> None:
    picture, thing = white_card()
    crop = cut(picture, quad_of(thing))
    middle = crop[
        SIDE // 2 - BOX[1] // 2 + 2 : SIDE // 2 + BOX[1] // 2 - 2,
        SIDE // 2 - BOX[0] // 2 + 2 : SIDE // 2 + BOX[0] // 2 - 2,
    ]
    assert middle.min() > 200
    assert crop[:10].max() < 80


def test_crops_of_a_tile_are_cards_and_other_places() -> None:
    picture, thing = white_card()
    tile = Tile(picture, [thing], np.zeros((80, 80), np.uint8))
    rng = np.random.default_rng(1)
    found = [crop for _ in range(40) for crop in crops(tile, rng)]
    assert {crop.side for crop in found} == {0, 1}
    assert all(np.abs(crop.moves).max() * UNIT_PX < SIDE for crop in found)


def test_where_a_tile_is_silent_no_place_is_called_empty() -> None:
    picture, thing = white_card()
    tile = Tile(picture, [thing], np.zeros((80, 80), np.uint8), (0, 1, 2, 3, 4))
    rng = np.random.default_rng(1)
    assert {crop.side for _ in range(20) for crop in crops(tile, rng)} == {1}


def test_no_card_gives_no_error() -> None:
    tile = Tile(np.zeros((320, 320, 3), np.uint8), [], np.zeros((80, 80), np.uint8))
    assert {crop.side for crop in crops(tile, np.random.default_rng(2))} == {0}
