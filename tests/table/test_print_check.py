"""An artwork that does not fit its layout: upside down, cropped at the wrong end, or of another felt."""

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from felts import camera, felt, scene

from vision.calibrate.fit import LensHint
from vision.calibrate.register import register
from vision.cli import main
from vision.table.artwork import Artwork
from vision.table.naming import layout_names
from vision.table.print_check import has_outlines, print_problem
from vision.values.picture import Picture, read_picture, write_picture
from vision.values.resources import shipped


def printed(name: str, picture: Picture) -> Artwork:
    """Return a felt's artwork with another picture."""
    return Artwork(np.ascontiguousarray(picture), felt(name)[1].mm_per_px, felt(name)[1].size_mm)


def cropped(picture: Picture, rows: int) -> Picture:
    """Return a print from which so much was cut at its top that belongs to its bottom."""
    shift = np.array([[1, 0, 0], [0, 1, -rows]], np.float64)
    return np.asarray(cv2.warpAffine(picture, shift, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8)


@pytest.mark.parametrize("name", layout_names())
def test_shipped_felts_fit_their_print(name: str) -> None:
    layout, artwork = felt(name)
    assert has_outlines(artwork, layout)
    assert print_problem(artwork, layout) is None


@pytest.mark.parametrize("name", ["powder-blue", "royal-blue", "bordeaux-bank"])
def test_a_print_that_is_upside_down_is_said_to_be(name: str) -> None:
    layout, artwork = felt(name)
    problem = print_problem(printed(name, artwork.picture[::-1, ::-1]), layout)
    assert problem is not None
    assert "upside down" in problem


@pytest.mark.parametrize("off_mm", [20, 72, 150])
def test_a_print_cropped_at_the_wrong_end_is_said_to_be(off_mm: int) -> None:
    layout, artwork = felt("powder-blue")
    problem = print_problem(printed("powder-blue", cropped(artwork.picture, round(off_mm / artwork.mm_per_px))), layout)
    assert problem is not None
    assert f"{off_mm:+d} mm in y" in problem
    assert "cropped at the wrong end" in problem


def test_spots_measured_by_hand_may_be_a_little_off() -> None:
    layout, artwork = felt("powder-blue")
    assert print_problem(printed("powder-blue", cropped(artwork.picture, round(5 / artwork.mm_per_px))), layout) is None


def test_without_outlines_nothing_is_claimed() -> None:
    layout, artwork = felt("powder-blue")
    noise = np.random.default_rng(1).integers(0, 255, artwork.picture.shape, dtype=np.uint8)
    assert not has_outlines(printed("powder-blue", noise), layout)
    assert print_problem(printed("powder-blue", noise), layout) is None


def test_a_felt_registered_by_a_wrongly_cropped_print_is_refused() -> None:
    """Its camera explains every mark of the print, and puts every spot beside its place."""
    layout, artwork = felt("powder-blue")
    wrong = printed("powder-blue", cropped(artwork.picture, round(72 / artwork.mm_per_px)))
    found = register(scene("powder-blue", camera(), 3), wrong, layout, LensHint())
    assert found is not None
    assert not found.is_good
    assert any("cropped at the wrong end" in problem for problem in found.problems)


def test_table_check_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "felt"
    shutil.copytree(shipped("calibration") / "layouts" / "powder-blue", folder)
    artwork = folder / (felt("powder-blue")[0].artwork or "")
    write_picture(artwork, np.ascontiguousarray(read_picture(artwork)[::-1, ::-1]))
    assert main(["table", "check", str(folder)]) == 1
    record = json.loads(capsys.readouterr().out)
    assert any("upside down" in error for error in record["errors"])
