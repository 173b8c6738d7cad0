"""Chip sets: sheets are checked, reference pictures are found beside them, and errors name file and field."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.detect.references import EDGE_SIZE, FACE_SIDE, edge_from_photo, face_from_photo, reference_pictures
from vision.values.chips import read_chip_set
from vision.values.errors import InputError
from vision.values.resources import shipped

PATHS = sorted(shipped("calibration").glob("chips/*.toml"))
SHEET = """
name = "two"
[[chip]]
cents = 100
base = "#ffffff"
text = "1"
{first}
[[chip]]
cents = 500
base = "#ff0000"
text = "5"
"""
BOTH = 'face_picture = "face.png"\nedge_picture = "edge.png"'


def sheet(folder: Path, first: str = BOTH) -> Path:
    path = folder / "two.toml"
    path.write_text(SHEET.format(first=first))
    return path


def picture(path: Path, width: int, height: int) -> None:
    cv2.imwrite(str(path), np.full((height, width, 3), 90, np.uint8))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_shipped_chip_has_its_pictures(path: Path) -> None:
    chips = read_chip_set(path)
    found = reference_pictures(chips)
    assert found is not None
    faces, edges = found
    assert faces.shape == (len(chips.chip), FACE_SIDE, FACE_SIDE, 3)
    assert edges.shape == (len(chips.chip), EDGE_SIZE[1], EDGE_SIZE[0], 3)


def test_pictures_do_not_change_what_a_chip_is(tmp_path: Path) -> None:
    """The simulator draws a chip by its text: where its photograph lies is not part of it."""
    picture(tmp_path / "face.png", 64, 64)
    picture(tmp_path / "edge.png", 128, 16)
    with_pictures = read_chip_set(sheet(tmp_path))
    assert with_pictures.of(100).face_picture == tmp_path / "face.png"
    without = read_chip_set(sheet(tmp_path, first=""))
    assert with_pictures.model_dump_json() == without.model_dump_json()
    assert reference_pictures(without) is None


def test_missing_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"two\.toml: chip\[0\]\.face_picture: .*face\.png: cannot be read"):
        read_chip_set(sheet(tmp_path))


def test_not_a_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "face.png").write_text("no picture, but long enough to look like one")
    with pytest.raises(InputError, match=r"face_picture: .*face\.png: not a PNG"):
        read_chip_set(sheet(tmp_path))


@pytest.mark.parametrize(("width", "height"), [(8, 8), (4000, 64)])
def test_size_must_be_sane(tmp_path: Path, width: int, height: int) -> None:
    picture(tmp_path / "face.png", width, height)
    with pytest.raises(InputError, match=rf"face_picture: .*{width}x{height} pixels: want sides of"):
        read_chip_set(sheet(tmp_path))


def test_one_picture_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="want face_picture and edge_picture, or neither"):
        read_chip_set(sheet(tmp_path, first='face_picture = "face.png"'))


def test_truncated_picture_is_named_when_it_is_read(tmp_path: Path) -> None:
    picture(tmp_path / "face.png", 64, 64)
    (tmp_path / "face.png").write_bytes((tmp_path / "face.png").read_bytes()[:40])
    picture(tmp_path / "edge.png", 128, 16)
    chips = read_chip_set(
        sheet(tmp_path, first=BOTH + '\n[[chip]]\ncents = 200\nbase = "#00ff00"\ntext = "2"\n' + BOTH)
    )
    only = chips.model_copy(update={"chip": chips.chip[:2]})
    with pytest.raises(InputError, match=r"face\.png: not a picture"):
        reference_pictures(only)


def test_face_is_cut_from_a_slanted_photograph() -> None:
    """The left half of the chip is red in the photograph, and so it is in the reference."""
    photo = np.zeros((300, 400, 3), np.uint8)
    cv2.ellipse(photo, (200, 150), (120, 80), 0, 0, 360, (255, 255, 255), -1)
    cv2.ellipse(photo, (200, 150), (120, 80), 0, 90, 270, (0, 0, 255), -1)
    around = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    rim = np.stack([200 + 120 * np.cos(around), 150 + 80 * np.sin(around)], axis=1)
    face = face_from_photo(photo, rim)
    assert face.shape == (FACE_SIDE, FACE_SIDE, 3)
    assert face[32, 10].tolist() == [0, 0, 255]
    assert face[32, 54].tolist() == [255, 255, 255]
    assert face[0, 0].tolist() == [128, 128, 128]


def test_face_needs_points() -> None:
    with pytest.raises(InputError, match="3 points"):
        face_from_photo(np.zeros((9, 9, 3), np.uint8), np.zeros((3, 2)))


def test_edge_is_cut_and_repeated() -> None:
    photo = np.zeros((100, 200, 3), np.uint8)
    photo[40:60, 20:100] = (0, 0, 255)
    photo[40:60, 100:180] = (255, 0, 0)
    edge = edge_from_photo(photo, np.array([[20, 40], [180, 40], [180, 60], [20, 60]], float))
    assert edge.shape == (EDGE_SIZE[1], EDGE_SIZE[0], 3)
    assert edge[8, 10].tolist() == [0, 0, 255]
    assert edge[8, 54].tolist() == [255, 0, 0]
    assert np.array_equal(edge[:, :64], edge[:, 64:])
