"""Overlays: every place is drawn where the camera has it, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest

from vision.draw.overlay import CARDS, DEALER, WAGERS, Colour, draw_flat, draw_overlay, plain_ground
from vision.table.artwork import read_artwork
from vision.table.layout import read_layout
from vision.table.naming import find_layout
from vision.values.errors import InputError
from vision.values.geometry import Camera, Floats, Lens
from vision.values.picture import Picture

FOLDER = find_layout("emerald-arc")
LAYOUT = read_layout(FOLDER)
LENS = Lens(1920, 1080, 1250.0, 959.5, 539.5, -0.1, 0.01)
CAMERA = Camera.looking_at(LENS, (100.0, -300.0, 2300.0), (0.0, 500.0, 0.0), 5.0)
BLANK = np.full((1080, 1920, 3), 60, np.uint8)


def drawn_at(picture: Picture, pixels: Floats, colour: Colour) -> float:
    """Return the share of pixels with a line of a colour on them."""
    u, v = np.rint(pixels).astype(int).T
    return float((np.abs(picture[v, u].astype(int) - colour).max(axis=1) < 60).mean())


def test_places_are_drawn_where_the_lens_bends_them() -> None:
    sheet = draw_overlay(BLANK, CAMERA, LAYOUT)
    flat = replace(CAMERA, lens=replace(LENS, k1=0.0, k2=0.0))
    for seat in LAYOUT.seat:
        ante = np.array([[*corner, 0.0] for corner in seat.spots["ante"].corners])
        assert drawn_at(sheet, CAMERA.project(ante), WAGERS["ante"]) > 0.5  # its name may cover some
    cards = np.array([[*corner, 0.0] for corner in LAYOUT.seat[0].cards.corners])
    assert drawn_at(sheet, CAMERA.project(cards), CARDS) == 1
    assert drawn_at(sheet, flat.project(cards), CARDS) == 0  # the lens bends some pixels here
    tray = np.array([[*corner, 0.0] for corner in LAYOUT.dealer.tray.corners])
    assert drawn_at(sheet, CAMERA.project(tray), DEALER) == 1


def test_the_picture_itself_is_not_touched() -> None:
    before = BLANK.copy()
    draw_overlay(BLANK, CAMERA, LAYOUT)
    assert (before == BLANK).all()


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(InputError, match="the picture is 1280 x 720: want 1920 x 1080"):
        draw_overlay(np.zeros((720, 1280, 3), np.uint8), CAMERA, LAYOUT)


def test_what_is_behind_the_camera_is_not_drawn() -> None:
    level = Camera.looking_at(LENS, (0.0, 500.0, 300.0), (0.0, 2500.0, 0.0))
    assert draw_overlay(BLANK, level, LAYOUT).shape == BLANK.shape


def test_flat_places_are_drawn_on_the_print() -> None:
    artwork = read_artwork(FOLDER, LAYOUT)
    for ground in (artwork, plain_ground(LAYOUT)):
        sheet = draw_flat(ground, LAYOUT)
        tray = ground.to_px(np.array(LAYOUT.dealer.tray.corners))
        assert drawn_at(sheet, tray, DEALER) == 1
