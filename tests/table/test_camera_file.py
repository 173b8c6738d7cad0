"""Saved cameras: they come back as they were, the last good one is kept, nothing is half written."""

from pathlib import Path

import pytest
from felts import camera

from vision.table.camera_file import camera_path, previous_path, read_camera, save_camera
from vision.values.errors import InputError


def test_a_camera_comes_back_as_it_was(tmp_path: Path) -> None:
    path = camera_path(tmp_path / "table.toml")
    save_camera(path, camera(), {"off_px": 0.2, "problems": []})
    assert path.name == "camera.toml"
    assert read_camera(path) == camera()


def test_the_one_before_is_kept(tmp_path: Path) -> None:
    path = camera_path(tmp_path / "07.toml")
    save_camera(path, camera(), {})
    save_camera(path, camera(tilt_mm=700.0), {})
    assert path.name == "07.camera.toml"
    assert read_camera(path) == camera(tilt_mm=700.0)
    assert read_camera(previous_path(path)) == camera()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["07.camera.previous.toml", "07.camera.toml"]


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    path.write_text("[camera]\nwidth = 0\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"camera\.toml: camera\.width: 0"):
        read_camera(path)
