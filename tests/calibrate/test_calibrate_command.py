"""`feltwatch calibrate` as a user runs it: what is printed, saved, drawn and refused."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from felts import camera, felt, scene, spots_off_mm

from vision.cli import main
from vision.table.camera_file import read_camera
from vision.table.table import read_table
from vision.values.picture import read_picture

TABLE = 'name = "t"\nlayout = "emerald-arc"\nchips = "riverlight"\nhouse = "maryland"\n'


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "table.toml").write_text(TABLE, encoding="utf-8")
    return tmp_path


def photographed(folder: Path, name: str = "emerald-arc") -> str:
    path = folder / "frame.png"
    cv2.imwrite(str(path), scene(name, camera(), 11))
    return str(path)


def test_a_good_registration_is_saved_and_used(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    overlay = table / "overlay.png"
    assert main(["calibrate", str(table), "--frame", photographed(table), "--overlay", str(overlay)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["good"]
    assert said["off_px"] < 1
    assert said["saved"] == str(table / "camera.toml")
    assert np.median(spots_off_mm(read_table(table).camera, camera(), felt("emerald-arc")[0])) < 1.0
    assert read_picture(overlay).shape == (1080, 1920, 3)


def test_a_bad_one_leaves_the_last_good_one(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["calibrate", str(table), "--frame", photographed(table)])
    before = read_camera(table / "camera.toml")
    assert main(["calibrate", str(table), "--frame", photographed(table, "crimson-club")]) == 1
    assert read_camera(table / "camera.toml") == before
    assert "feltwatch: " in capsys.readouterr().err


def test_a_dry_run_saves_nothing(table: Path) -> None:
    assert main(["calibrate", str(table), "--frame", photographed(table), "--dry-run"]) == 0
    assert not (table / "camera.toml").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "source: missing"),  # neither a picture nor a camera
        (["--frame", "nowhere.png"], "nowhere.png: cannot be read"),
        (["--source", "nowhere.mp4"], "nowhere.mp4: cannot be played"),
        (["--frame", "FRAME", "--focal", "-5"], "--focal: -5"),
        (["--frame", "FRAME", "--points-only", "--point", "1,2=3.ante"], "1 given: want 4"),
        (["--frame", "FRAME", "--point", "1,2=9.ante"], "no such spot"),
    ],
)
def test_what_is_refused(table: Path, words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    frame = photographed(table) if "FRAME" in words else ""
    assert main(["calibrate", str(table), *(frame if word == "FRAME" else word for word in words)]) == 1
    assert why in capsys.readouterr().err


def test_an_unknown_table_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "atlantis", "--frame", "x.png"]) == 1
    assert "atlantis" in capsys.readouterr().err
