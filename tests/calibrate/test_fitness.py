"""Camera fitness: numbers that follow the physics, words that say what can be proved, refusals that say why."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.calibrate.fitness import MOST_CHIPS, assess, count_error, hidden_from, largest_exact
from vision.calibrate.fitness_words import record, title, words
from vision.calibrate.planning import Wish, best, planned
from vision.cli import main
from vision.draw.fitness import BAD, FINE, colour_of
from vision.table.artwork import expected, read_artwork
from vision.table.camera_file import save_camera
from vision.table.layout import read_layout
from vision.table.mounting import SIZES, Mounting, hang
from vision.values.chips import read_chip_set
from vision.values.errors import InputError
from vision.values.picture import read_picture
from vision.values.resources import shipped

FOLDER = shipped("calibration") / "layouts" / "emerald-arc"
LAYOUT = read_layout(FOLDER)
CHIPS = read_chip_set(shipped("calibration") / "chips" / "riverlight.toml")
REFERENCE = hang(Mounting(35, 0, 3000.0), LAYOUT, SIZES["4k"])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    made = [
        "table",
        "new",
        str(tmp_path / "t"),
        "--layout",
        "emerald-arc",
        "--house",
        "maryland",
        "--chips",
        "riverlight",
    ]
    assert main(made) == 0
    save_camera(tmp_path / "t" / "camera.toml", REFERENCE, {})
    return tmp_path / "t"


@pytest.mark.parametrize(
    ("edge_px", "tilt", "low", "high"),
    [
        (0.7, 15, 0, 0),  # 1080p from above: nothing is exact
        (1.3, 35, 0, 0),  # 1080p from a slant
        (2.6, 35, 1, 3),  # 1440p: a few chips
        (3.3, 35, 5, 10),  # 4K: what people bet
        (4.0, 40, 12, MOST_CHIPS),
    ],
)
def test_larger_edges_count_larger_stacks(edge_px: float, tilt: float, low: int, high: int) -> None:
    assert low <= largest_exact(edge_px, tilt, 3.3) <= high


def test_errors_grow_with_the_stack_and_shrink_with_pixels() -> None:
    assert count_error(10, 3.0, 35, 3.3) > count_error(3, 3.0, 35, 3.3) > count_error(3, 4.0, 35, 3.3)


def test_a_tall_stack_hides_the_one_behind_it() -> None:
    places = {str(place.place.zone): place for place in assess(REFERENCE, LAYOUT, CHIPS).view.places}
    flat = hang(Mounting(60, 0, 3000.0), LAYOUT, SIZES["4k"])
    low = {str(place.place.zone): place for place in assess(flat, LAYOUT, CHIPS).view.places}
    play, ante = "seat.4.play", "seat.4.ante"  # the ante lies behind the play spot, seen from the players' side
    chips = hidden_from(places[play], places[ante], REFERENCE, CHIPS)
    assert 5 < chips <= MOST_CHIPS
    assert hidden_from(low[play], low[ante], flat, CHIPS) < chips
    assert hidden_from(places[ante], places[play], REFERENCE, CHIPS) > MOST_CHIPS


def test_words_say_what_can_be_proved() -> None:
    fitness = assess(REFERENCE, LAYOUT, CHIPS)
    lines = words(fitness)
    assert lines[0].startswith("View: reference (8.3 megapixels, 35 degrees off the vertical)")
    assert any(
        line.startswith("Seat 4 Ante: stacks up to ") and "hidden behind the Play stack from" in line for line in lines
    )
    assert lines[-1].startswith("Cards: indices are read: Seat 1 cards, ")
    assert record(fitness)["says"] == lines


def test_a_steep_camera_proves_no_amounts() -> None:
    lines = words(assess(hang(Mounting(10, 0, 3000.0), LAYOUT, SIZES["1080p"]), LAYOUT, CHIPS))
    assert "No stack is counted exactly: amounts are told as bounds." in lines
    assert any(line.startswith("Not a reference view: 2.1 megapixels: want 8; 10 degrees off") for line in lines)


@pytest.mark.parametrize(
    ("name", "says"),
    [("seat.3.aces_up", "Seat 3 Aces Up"), ("seat.1.cards", "Seat 1 cards"), ("dealer.cards", "Dealer cards")],
)
def test_places_have_names(name: str, says: str) -> None:
    assert title(name) == says


@pytest.mark.parametrize(
    ("blur", "gain", "says"),
    [
        (0.0, 1.0, ""),  # sharp and well lit: nothing to say
        (4.0, 1.0, "Not sharp: "),
        (0.0, 0.15, "Too dark: "),
    ],
)
def test_a_frame_tells_sharpness_and_light(blur: float, gain: float, says: str) -> None:
    picture = expected(read_artwork(FOLDER, LAYOUT), REFERENCE).picture.astype(np.float32) * gain
    if blur:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.float32)
    lines = words(assess(REFERENCE, LAYOUT, CHIPS, np.clip(picture, 0, 255).astype(np.uint8)))
    found = [line for line in lines if line.startswith(("Not sharp", "Too dark", "Overexposed"))]
    assert len(found) == bool(says)
    assert not says or found[0].startswith(says)


def test_a_frame_of_another_size_is_refused() -> None:
    with pytest.raises(InputError, match="--frame: 1920x1080 pixels: want 3840x2160, as the camera was calibrated"):
        assess(REFERENCE, LAYOUT, CHIPS, np.zeros((1080, 1920, 3), np.uint8))


def test_the_best_mounting_is_a_reference_view() -> None:
    plan = best(Wish(height_mm=2600.0), LAYOUT, CHIPS)
    assert plan.fitness.view.name == "reference"
    assert plan.record()["height_mm"] == 2600
    other = planned(Wish(height_mm=2600.0, tilt_deg=22.0), LAYOUT, CHIPS)
    assert min(place.exact for place in plan.fitness.spots) > min(place.exact for place in other.fitness.spots)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        (
            Wish(resolution="1080p", view="reference"),
            "--view: reference: cannot be met: .* is a legacy view: 2.1 megapixels",
        ),
        (Wish(height_mm=2000.0, focal="20deg"), "cannot be met: .*: out of the picture: seat.1.play"),
        (Wish(height_mm=100.0), "--height: 100: want 800 to 12000"),
        (Wish(tilt_deg=89.0), "--tilt: 89: want 0 to 75"),
        (Wish(resolution="16k"), "--resolution: '16k': want one of"),
        (Wish(focal="6mm"), "--focal: '6mm': want pixels"),
    ],
)
def test_what_cannot_be_met_is_said(wish: Wish, message: str) -> None:
    with pytest.raises(InputError, match=message):
        best(wish, LAYOUT, CHIPS)


def test_a_mounting_needs_height_and_tilt() -> None:
    with pytest.raises(InputError, match="--tilt: missing: want both --height and --tilt, or --best"):
        planned(Wish(height_mm=2600.0), LAYOUT, None)


def test_colours_run_from_red_to_green() -> None:
    assert (colour_of(0), colour_of(20)) == (BAD, FINE)


def test_the_command_prints_and_draws(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["table", "fitness", str(table), "--json", "--out", str(tmp_path / "fit.png")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["view"] == "reference"
    spot = next(place for place in found["places"] if place["place"] == "seat.4.ante")
    assert spot["chip_edge_px"] > 2.5
    assert read_picture(tmp_path / "fit.png").shape == (1040, 2200, 3)
    assert main(["table", "fitness", "emerald-arc", "--height", "2600", "--tilt", "35", "--azimuth", "0"]) == 0
    assert capsys.readouterr().out.startswith("Mounting: 2600 mm above the felt, 35.0 degrees off the vertical")


def test_a_layout_without_a_camera_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "fitness", "emerald-arc"]) == 1
    assert (
        "a layout has no camera: want a calibrated table, or --height and --tilt, or --best" in capsys.readouterr().err
    )
