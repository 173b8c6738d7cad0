"""Enrolment: photographs of single chips become a set by themselves, and what cannot be told apart is refused."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from studio.art.chips import paint_stack
from studio.light import Light
from studio.scene import Pose, StackBody
from vision.cli import main
from vision.detect.chip_enrolment import ALIKE, enrol, find_chip
from vision.detect.references import reference_pictures
from vision.values.chips import read_chip_set
from vision.values.errors import InputError
from vision.values.geometry import Camera, Lens
from vision.values.picture import Picture
from vision.values.resources import shipped

MERIDIAN = read_chip_set(shipped("calibration") / "chips" / "meridian.toml")
SLIM = MERIDIAN.thickness_mm / MERIDIAN.diameter_mm


def photograph(cents: tuple[int, ...], above_deg: float) -> Picture:
    """Paint chips on grey felt, seen from so far above their plane."""
    lean = np.radians(90 - above_deg)
    lens = Lens(500, 400, 300 / 39 * 1500, 249.5, 199.5)
    place = (0.0, -1500 * float(np.sin(lean)), 1500 * float(np.cos(lean)))
    camera = Camera.looking_at(lens, place, (0.0, 0.0, 0.0), 0.0)
    body = StackBody(cents, ((0.0, 0.0, 20.0),) * len(cents))
    patch = paint_stack(body, Pose(0.0, 0.0), camera, MERIDIAN, Light())
    picture = np.full((400, 500, 3), (70, 110, 60), np.uint8)
    tall, wide = patch.cover.shape
    part = picture[patch.v : patch.v + tall, patch.u : patch.u + wide]
    share = patch.cover[..., None] / 255
    part[:] = (part * (1 - share) + patch.colour * share).astype(np.uint8)
    return picture


def write_photographs(folder: Path, named: dict[str, tuple[int, float]]) -> None:
    folder.mkdir()
    for name, (cents, above_deg) in named.items():
        cv2.imwrite(str(folder / f"{name}.png"), photograph((cents,), above_deg))


@pytest.mark.parametrize("above_deg", [12.0, 25.0, 65.0, 80.0])
def test_a_chip_is_found_and_how_it_is_seen(above_deg: float) -> None:
    chip = find_chip(photograph((500,), above_deg), SLIM)
    assert chip.radius == pytest.approx(150, abs=3)
    assert chip.flatness == pytest.approx(np.sin(np.radians(above_deg)), abs=0.03)
    assert chip.edge == pytest.approx(300 * SLIM * np.cos(np.radians(above_deg)), abs=3)


def test_a_stack_is_no_single_chip() -> None:
    with pytest.raises(InputError, match="no single chip"):
        find_chip(photograph((500,) * 5, 20.0), SLIM)


def test_bare_ground_shows_no_chip() -> None:
    with pytest.raises(InputError, match="nothing stands out"):
        find_chip(np.full((200, 200, 3), 90, np.uint8), SLIM)


def test_photographs_become_a_set_like_the_drawn_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = [chip.cents for chip in MERIDIAN.chip][:4]
    named = {f"{cents / 100:g}-above": (cents, 70.0) for cents in values}
    named |= {f"{cents / 100:g}-side": (cents, 15.0) for cents in values}
    write_photographs(tmp_path / "photos", named)
    assert main(["chips", "enrol", "mine", str(tmp_path / "photos"), "--out", str(tmp_path)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["chips"] == values
    assert Path(told["contact_sheet"]).exists()
    found = read_chip_set(Path(told["set"]))
    mine, drawn = reference_pictures(found), reference_pictures(MERIDIAN)
    assert mine is not None
    assert drawn is not None
    for kind in (0, 1):
        colours = [np.array([one.reshape(-1, 3).mean(axis=0) for one in part[kind][:4]]) for part in (mine, drawn)]
        one, other = (part / part.mean() for part in colours)  # another light
        gaps = np.linalg.norm(one[:, None] - other[None], axis=-1)
        assert (gaps.argmin(axis=1) == np.arange(4)).all()


def test_denominations_that_look_alike_are_refused(tmp_path: Path) -> None:
    named = {"5-a": (500, 70.0), "5-b": (500, 15.0), "25-a": (500, 70.0), "25-b": (500, 15.0)}
    write_photographs(tmp_path / "photos", named)
    with pytest.raises(InputError, match=rf"\$5 and \$25: their edges differ by 0\.0 .* want {ALIKE:g}"):
        enrol(sorted((tmp_path / "photos").iterdir()), SLIM)


def test_what_lacks_is_named(tmp_path: Path) -> None:
    write_photographs(tmp_path / "photos", {"5-a": (500, 70.0), "nameless": (500, 15.0)})
    with pytest.raises(InputError, match=r"\$5: no photograph from the side"):
        enrol([tmp_path / "photos" / "5-a.png"], SLIM)
    with pytest.raises(InputError, match=r"nameless\.png: no amount in its name"):
        enrol([tmp_path / "photos" / "nameless.png"], SLIM)
