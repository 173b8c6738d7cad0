"""The shipped models on a committed picture of a look they never learned from; `feltwatch detect` as a user meets it.

The picture is an easy one on purpose: cards and chips apart from each other. How good the models are on hard ones is
measured by `feltwatch evaluate`, not here.
"""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.cli import main
from vision.detect.detection import Detection
from vision.detect.detectors import Detectors
from vision.detect.finder import scale_of
from vision.detect.models import quick_copy
from vision.detect.overlap import iou_matrix
from vision.values.chips import read_chip_set
from vision.values.geometry import Camera, Lens
from vision.values.picture import Picture, read_picture
from vision.values.resources import shipped

PICTURES = Path(__file__).parent / "pictures"
CLEAR = PICTURES / "clear.jpg"


@pytest.fixture(scope="module")
def truth() -> list[dict[str, Any]]:
    objects: list[dict[str, Any]] = json.loads((PICTURES / "clear.json").read_text(encoding="utf-8"))["objects"]
    return objects


@pytest.fixture(scope="module", params=sorted({"", quick_copy()}), ids="networks{}".format)
def detectors(request: pytest.FixtureRequest) -> Detectors:
    """Return eyes with each copy of the networks that this processor is good for."""
    return Detectors(copy=request.param)


@pytest.fixture(scope="module")
def clear() -> Picture:
    return read_picture(CLEAR)


def at(entry: dict[str, Any], found: list[Detection], scale: float = 1.0) -> Detection:
    """Return what was found at the place of a true thing."""
    overlap = iou_matrix([np.array(entry["quad"]) * scale], [one.found.quad for one in found])[0]
    assert overlap.max() >= 0.5, f"{entry} was not found"
    return found[int(overlap.argmax())]


def test_every_card_is_found_and_named(detectors: Detectors, clear: Picture, truth: list[dict[str, Any]]) -> None:
    found = [one for one in detectors.detect(clear) if one.found.kind.startswith("card")]
    cards = [entry for entry in truth if entry["kind"] == "card"]
    for entry in cards:
        one = at(entry, found)
        assert one.found.kind == f"card_{entry['face']}"
        if entry["face"] == "up":
            assert one.face is not None
            assert str(one.face.card) == entry["card"]
    assert len(found) == len(cards)


def test_every_stack_is_found(detectors: Detectors, clear: Picture, truth: list[dict[str, Any]]) -> None:
    found = [one for one in detectors.detect(clear) if one.found.kind == "stack"]
    for entry in (entry for entry in truth if entry["kind"] == "stack"):
        assert at(entry, found).stack is not None


def test_without_a_chip_set_nothing_is_valued(detectors: Detectors, clear: Picture) -> None:
    stacks = [one.stack for one in detectors.detect(clear) if one.stack]
    assert stacks
    assert all(stack.value_cents is None and set(stack.denominations) <= {None} for stack in stacks)


def test_with_a_chip_set_values_have_bounds(detectors: Detectors, clear: Picture) -> None:
    chips = read_chip_set(shipped("calibration") / "chips" / "meridian.toml")
    for stack in (one.stack for one in detectors.detect(clear, chips) if one.stack):
        assert stack.value_bounds is not None
        assert stack.value_cents is not None
        assert stack.value_bounds[0] <= stack.value_cents <= stack.value_bounds[1]


@pytest.mark.parametrize("scale", [0.7, 3.0], ids=["farther", "nearer"])
def test_cards_are_found_at_other_sizes(
    detectors: Detectors, clear: Picture, truth: list[dict[str, Any]], scale: float
) -> None:
    scaled = np.asarray(cv2.resize(clear, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    found = [one for one in detectors.detect(scaled) if one.found.kind.startswith("card")]
    for entry in (entry for entry in truth if entry["kind"] == "card"):
        at(entry, found, scale)


@pytest.mark.parametrize("ratio", [2.0, 2.2])
def test_a_card_on_a_sheet_of_paper_is_found(
    detectors: Detectors, clear: Picture, truth: list[dict[str, Any]], ratio: float
) -> None:
    """The finder faintly takes the sheet for a card with a card printed on it; the corner refiner knows better."""
    queen = next(entry for entry in truth if entry.get("card") == "Qd")
    corners = np.array(queen["quad"])
    middle = corners.mean(axis=0)
    paper, card = clear.copy(), np.zeros(clear.shape[:2], np.uint8)
    cv2.fillConvexPoly(paper, np.rint(middle + ratio * (corners - middle)).astype(np.int32), (200, 200, 200))
    cv2.fillConvexPoly(card, np.rint(middle + 1.04 * (corners - middle)).astype(np.int32), 1)
    picture = np.where(card[..., None] > 0, clear, paper)
    at(queen, [one for one in detectors.detect(picture) if one.found.kind == "card_up"])


@pytest.mark.parametrize(
    ("width", "focal_px", "scale"),
    [(1280, 1200.0, 1.0), (1920, 2600.0, 1.0), (2560, 3000.0, 1.0), (3840, 5600.0, 0.5), (7680, 11200.0, 0.25)],
)
def test_a_table_is_searched_at_the_scale_of_1080p(width: int, focal_px: float, scale: float) -> None:
    lens = Lens(width, width * 9 // 16, focal_px, (width - 1) / 2, (width * 9 // 16 - 1) / 2)
    assert scale_of(Camera.looking_at(lens, (0.0, 2200.0, 2500.0), (0.0, 500.0, 0.0))) == scale


def test_large_stacks_come_out_at_their_size(detectors: Detectors, clear: Picture, truth: list[dict[str, Any]]) -> None:
    """Searched at its own size, a picture in 4K gives stacks at 0.7 of their size, or none."""
    enlarged = np.asarray(cv2.resize(clear, None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC), np.uint8)
    stacks = [Detection(thing) for thing in detectors.find(enlarged, 0.5) if thing.kind == "stack"]
    for entry in (entry for entry in truth if entry["kind"] == "stack"):
        width = 2.5 * np.ptp(np.array(entry["quad"])[:, 0])
        assert 2 * at(entry, stacks, 2.5).found.radius_px == pytest.approx(width, rel=0.12)


def test_the_same_picture_gives_the_same_answer(clear: Picture) -> None:
    first, second = (Detectors().detect(clear) for _ in range(2))
    assert [one.found for one in first] == [one.found for one in second]


@pytest.mark.parametrize(
    "shape",
    [(1, 1, 3), (3, 2000, 3), (31, 33, 3), (200, 300, 3)],  # nothing to see, and sizes that no network likes
    ids=str,
)
def test_empty_pictures_show_nothing(detectors: Detectors, shape: tuple[int, int, int]) -> None:
    assert [one for one in detectors.detect(np.full(shape, 90, np.uint8)) if one.face or one.stack] == []


def test_detect_prints_one_line_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "seen.png"
    assert main(["detect", str(CLEAR), "--draw", str(out)]) == 0
    record = json.loads(capsys.readouterr().out)
    height, width = read_picture(CLEAR).shape[:2]
    assert (record["image"], record["w"], record["h"]) == (str(CLEAR), width, height)
    assert sorted(card["card"] for card in record["cards"] if card["face"] == "up") == ["6c", "9h", "As", "Qd", "Tc"]
    assert all(card["card"] is None for card in record["cards"] if card["face"] == "down")
    assert read_picture(out).shape[:2] == (height, width)


def test_a_bad_picture_does_not_stop_the_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_text("not a picture", encoding="utf-8")
    assert main(["detect", str(bad), str(CLEAR)]) == 1
    said = capsys.readouterr()
    assert str(bad) in said.err
    assert json.loads(said.out)["image"] == str(CLEAR)


def test_several_pictures_want_a_folder_to_draw_in(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["detect", str(CLEAR), str(CLEAR), "--draw", str(tmp_path / "one.png")]) == 1
    assert "want a folder" in capsys.readouterr().err


def test_an_unknown_chip_set_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", str(CLEAR), "--chips", "nowhere"]) == 1
    assert "nowhere" in capsys.readouterr().err
