"""Felts: every design has room for its places, its files say the same as its code, the camera sees it in place."""

from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from studio.art.cloth import MARGIN_MM, bare_table
from studio.art.felt_designs import DESIGNS, SPOTS
from studio.art.felts import REMARK, felt_names, games_with_felts, make_artwork, make_layout, write_layout
from studio.art.furniture import paint_furniture
from studio.art.view import table_view
from studio.light import Light
from vision.rules.book.game import load_game
from vision.table.layout import Layout, Shape, read_layout
from vision.table.layout_text import layout_text
from vision.values.chips import Chip, ChipSet
from vision.values.geometry import Camera, Lens
from vision.values.picture import Picture

SHIPPED = Path(__file__).parents[3] / "calibration" / "layouts"
ABOVE = Camera.looking_at(Lens(480, 270, 375, 239.5, 134.5), (0, 500, 2600), (0, 450, 0))
ASIDE = Camera.looking_at(Lens(480, 270, 375, 239.5, 134.5), (-900, -900, 2300), (0, 430, 0))
CHIPS = ChipSet(
    name="test", chip=[Chip(cents=500, base="#b02020", text="5"), Chip(cents=2500, base="#108040", text="25")]
)


EVERY = [name for game in games_with_felts() for name in felt_names(game)]
OTHERS = [name for name in EVERY if name not in felt_names()]


def places(layout: Layout) -> dict[str, Shape]:
    dealer = layout.dealer
    found = dict(dealer.zones())
    for seat in layout.seat:
        found[f"{seat.number} cards"] = seat.cards
        found |= {f"{seat.number} {name}": spot for name, spot in seat.spots.items()}
    return found


def filled(layout: Layout, outline: list[tuple[float, float]]) -> Picture:
    """Draw a place at 1 px per mm."""
    width, height = layout.size_mm
    mask = np.zeros((int(height) + 100, int(width) + 100), np.uint8)
    pixels = np.array(outline) + np.array([width / 2, 0]) + 50
    cv2.fillPoly(mask, [np.round(pixels).astype(np.int32)], 1)
    return mask


def test_there_are_enough_designs() -> None:
    assert len(felt_names()) >= 8
    assert {len(make_layout(name).seat) for name in felt_names()} == {5, 6, 7}


@pytest.mark.parametrize("name", EVERY)
def test_every_place_has_its_own_room_on_the_felt(name: str) -> None:
    layout = make_layout(name)
    taken = np.zeros_like(filled(layout, [(0, 0), (1, 0), (0, 1)]))
    felt = filled(layout, [(x, y) for x, y in layout.outline])
    for place, shape in places(layout).items():
        mask = filled(layout, shape.corners)
        assert not (mask & taken).any(), f"{place} lies on another place"
        assert not (mask & ~felt & 1).any(), f"{place} hangs over the edge"
        taken |= mask


@pytest.mark.parametrize("name", felt_names())
def test_spots_leave_room_for_chips(name: str) -> None:
    for seat in make_layout(name).seat:
        assert set(seat.spots) == set(SPOTS)
        middles = {spot: np.array(shape.centre) for spot, shape in seat.spots.items() if spot != "progressive"}
        assert all(np.linalg.norm(middles[a] - middles[b]) > 60 for a, b in combinations(middles, 2))
        inward = np.array([np.sin(np.radians(seat.angle)), -np.cos(np.radians(seat.angle))])
        order = [middles[spot] @ inward for spot in ("play", "ante", "aces_up")]
        assert order[0] < order[1] <= order[2] + 0.2


@pytest.mark.parametrize("name", OTHERS)
def test_a_felt_of_another_game_has_a_spot_for_each_of_its_wagers(name: str) -> None:
    layout, game = make_layout(name), load_game(f"{DESIGNS[name].game}/pa")
    assert not layout.lacks(game.stakes, [zone.removeprefix("table.") for zone in game.file.counts if "table" in zone])
    for seat in layout.seat:
        assert set(seat.spots) == set(game.stakes)
        middles = [np.array(shape.centre) for shape in seat.spots.values()]
        assert all(np.linalg.norm(one - two) > 60 for one, two in combinations(middles, 2))


@pytest.mark.parametrize("name", EVERY)
def test_shipped_layout_is_the_design(name: str) -> None:
    assert read_layout(SHIPPED / name) == make_layout(name)
    assert (SHIPPED / name / "layout.toml").read_text(encoding="utf-8") == layout_text(make_layout(name), REMARK)
    artwork = cv2.imread(str(SHIPPED / name / "artwork.png"))
    assert artwork is not None
    assert artwork.shape[:2] == (int(make_layout(name).size_mm[1]), int(make_layout(name).size_mm[0]))
    assert (SHIPPED / name / "artwork.png").stat().st_size < 400_000


def test_written_folder_reads_back(tmp_path: Path) -> None:
    name = felt_names()[0]
    write_layout(name, tmp_path / name)
    assert read_layout(tmp_path / name) == make_layout(name)
    again = cv2.imread(str(tmp_path / name / "artwork.png"))
    assert again is not None
    assert np.array_equal(again, make_artwork(name))


def test_bare_table_is_the_same_for_the_same_seed() -> None:
    layout, artwork = make_layout("noir-or"), make_artwork("noir-or")[::2, ::2]  # half the size is enough, and quick
    one, two, other = (bare_table(layout, artwork, seed) for seed in (5, 5, 6))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)
    assert one.shape == (artwork.shape[0] + MARGIN_MM, artwork.shape[1] + MARGIN_MM, 3)


@pytest.mark.parametrize("camera", [ABOVE, ASIDE])
def test_view_shows_places_where_the_camera_projects_them(camera: Camera) -> None:
    size = (1000 + 2 * MARGIN_MM, 2200 + 2 * MARGIN_MM, 3)
    bare = np.zeros(size, np.uint8)
    x, y = 301.0, 402.0
    bare[
        size[0] - MARGIN_MM - int(y) - 15 : size[0] - MARGIN_MM - int(y) + 15, int(x) + 1620 - 15 : int(x) + 1620 + 15
    ] = 255
    view = table_view(bare, camera)[..., 0].astype(float)
    v, u = (np.indices(view.shape) * view).sum(axis=(1, 2)) / view.sum()
    assert (u, v) == pytest.approx(camera.project((x, y, 0)), abs=0.15)


@pytest.mark.parametrize("camera", [ABOVE, ASIDE])
@pytest.mark.parametrize("seed", [1, 2])
def test_furniture_fits_into_the_picture(camera: Camera, seed: int) -> None:
    patches = paint_furniture(make_layout("royal-blue"), camera, CHIPS, Light(), np.random.default_rng(seed))
    assert len(patches) > 6
    for patch in patches:
        rows, columns = patch.cover.shape
        assert patch.colour.shape == (rows, columns, 3)
        assert 0 <= patch.u <= camera.lens.width - columns
        assert 0 <= patch.v <= camera.lens.height - rows


def test_furniture_out_of_the_picture_is_left_out() -> None:
    away = Camera.looking_at(Lens(64, 48, 4000, 31.5, 23.5), (900, 900, 2600), (900, 901, 0))
    assert not paint_furniture(make_layout("royal-blue"), away, CHIPS, Light(), np.random.default_rng(1))
