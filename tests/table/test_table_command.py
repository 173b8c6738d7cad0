"""`feltwatch table` as a user meets it: a felt from a photograph, a table for it, what is wrong, pictures of both."""

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.cli import main
from vision.table.artwork import expected, read_artwork
from vision.table.layout import read_layout
from vision.table.naming import find_layout, find_table
from vision.table.table import read_table
from vision.values.errors import InputError
from vision.values.geometry import Camera, Lens
from vision.values.picture import read_picture
from vision.values.resources import shipped

FOLDER = find_layout("noir-or")
LAYOUT = read_layout(FOLDER)
CAMERA = Camera.looking_at(Lens(1920, 1080, 1400.0, 959.5, 539.5), (200.0, -900.0, 2400.0), (0.0, 480.0, 0.0), 7.0)
PLACES = ((-900.0, 60.0), (900.0, 60.0), (700.0, 700.0), (-700.0, 700.0))
POINTS = [
    f"--point={u:.2f},{v:.2f}={x:g},{y:g}"
    for (u, v), (x, y) in zip(CAMERA.project([[x, y, 0.0] for x, y in PLACES]).tolist(), PLACES, strict=True)
]
TABLE = ("--layout", "noir-or", "--house", "maryland", "--chips", "meridian")


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photo") / "empty.png"
    cv2.imwrite(str(path), expected(read_artwork(FOLDER, LAYOUT), CAMERA).picture)
    return path


def answer(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    record = json.loads(capsys.readouterr().out)
    assert isinstance(record, dict)
    return record


def test_a_felt_from_a_photograph(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new-felt"
    assert main(["table", "new", str(out), "--photo", str(photo), *POINTS, "--size", "2060,960"]) == 0
    record = answer(capsys)
    assert record["size_mm"] == [2060, 960]
    assert max(record["residuals_mm"].values()) < 0.1
    assert sorted(path.name for path in out.iterdir()) == ["artwork.png", "grid.png", "layout.toml"]
    assert not list(tmp_path.glob(".*"))
    layout = read_layout(out)
    assert (layout.name, len(layout.seat)) == ("new-felt", 6)
    artwork = read_artwork(out, layout)
    true = read_artwork(FOLDER, LAYOUT)
    near = np.abs(artwork.picture[300:900, 300:-300].astype(int) - true.picture[300:900, 300:-300])
    assert near.mean() < 8
    assert main(["table", "check", str(out)]) == 1, "its places are a guess until someone has measured them"
    assert "still a guess" in str(answer(capsys)["errors"])


def test_a_felt_like_another(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "like"
    assert (
        main(["table", "new", str(out), "--photo", str(photo), *POINTS, "--like", "noir-or", "--mm-per-px", "2"]) == 0
    )
    assert answer(capsys)["mm_per_px"] == 2
    layout = read_layout(out)
    assert layout.seat == LAYOUT.seat
    assert "are those of noir-or" in (out / "layout.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (POINTS[:3], "--point: 3 given: want 4 or more"),
        ([*POINTS, "--point=a,b=c,d"], "--point: 'a,b=c,d': want U,V=X,Y"),
        ([*POINTS, "--size", "2060"], "--size: '2060': want two numbers"),
        ([*POINTS, "--size", "900,500", "--seats", "12"], "12 seats have no room"),
        ([*POINTS, "--seats", "0"], "--seats: 0: want 1 to 12"),
        ([*POINTS, "--mm-per-px", "0"], "--mm-per-px: 0: want"),
        ([*POINTS, "--like", "nowhere"], "'nowhere': no such layout"),
    ],
)
def test_a_felt_that_will_not_do_leaves_nothing(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    assert main(["table", "new", str(tmp_path / "new"), "--photo", str(photo), *more]) == 1
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_is_there_is_kept(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "layout.toml").write_text("mine", encoding="utf-8")
    assert main(["table", "new", str(tmp_path), "--photo", str(photo), *POINTS]) == 1
    assert "is there already" in capsys.readouterr().err
    (tmp_path / "table.toml").write_text("mine", encoding="utf-8")
    assert main(["table", "new", str(tmp_path), *TABLE]) == 1
    assert f"{tmp_path / 'table.toml'}: is there already" in capsys.readouterr().err
    assert [path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir())] == ["mine", "mine"]


def test_a_photograph_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "photo.png").write_text("no picture", encoding="utf-8")
    assert main(["table", "new", str(tmp_path / "new"), "--photo", str(tmp_path / "photo.png"), *POINTS]) == 1
    assert "photo.png: not a picture" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_table_for_a_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "pit" / "07"
    decks = ["--deck", "standard,rings-blue", "--deck", "standard,rays-red"]
    assert main(["table", "new", str(out), *TABLE, "--source", "rtsp://cam/7", *decks]) == 0
    record = answer(capsys)
    assert (record["ok"], record["camera"]) == (True, "missing")
    assert record["decks"] == ["standard, rings-blue", "standard, rays-red"]
    table = read_table(find_table(str(out)))
    assert (table.file.name, table.file.source, table.layout.name) == ("07", "rtsp://cam/7", "noir-or")


def test_paths_are_written_as_seen_from_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    felt = tmp_path / "felts" / "mine"
    felt.mkdir(parents=True)
    for name in ("layout.toml", "artwork.png"):
        (felt / name).write_bytes((FOLDER / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    assert main(["table", "new", "tables/one", *TABLE[2:], "--layout", "felts/mine"]) == 0
    capsys.readouterr()
    assert 'layout = "../../felts/mine"' in (tmp_path / "tables" / "one" / "table.toml").read_text(encoding="utf-8")
    assert read_table(tmp_path / "tables" / "one").layout == LAYOUT


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--layout", "noir-or"), "--house: missing"),
        (("--layout", "nowhere", *TABLE[2:]), "layouts: 'nowhere': no such file"),
        ((*TABLE[:4], "--chips", "none"), "chips: 'none': no such file"),
        ((*TABLE, "--deck", "standard"), "--deck: 'standard': want FACES,BACK"),
    ],
)
def test_a_table_that_will_not_do_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert main(["table", "new", str(tmp_path / "new"), *arguments]) == 1
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def made(tmp_path: Path, old: str, new: str, house: str = "maryland") -> Path:
    """Write a table whose layout differs from the shipped one."""
    text = (FOLDER / "layout.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "layout.toml").write_text(text.replace(old, new), encoding="utf-8")
    (tmp_path / "artwork.png").write_bytes((FOLDER / "artwork.png").read_bytes())
    table = f'name = "t"\nlayout = "."\nchips = "meridian"\nhouse = "{house}"\n'
    (tmp_path / "table.toml").write_text(table, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new", "house", "message"),
    [
        (
            "spots.six_card",
            "spots.seven_card",
            "maryland",
            "layout.toml: seat[0].spots.six_card: missing: four-card-poker/md",
        ),
        ("bonus = ", "community = ", "maryland", "layout.toml: dealer.bonus: missing"),
        ('artwork = "artwork.png"', 'artwork = "none.png"', "maryland", "none.png: cannot be read"),
        ("mm_per_px = 1.0", "mm_per_px = 2.0", "maryland", "artwork.png: 2060 x 960 px: want 1030 x 480"),
        ("number = 2", "number = 9", "maryland", "want seats numbered 1, 2, 3"),
        ("number = 2", "number = 2", "nowhere", "houses: 'nowhere': no such file"),
    ],
)
def test_what_is_wrong_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, house: str, message: str
) -> None:
    assert main(["table", "check", str(made(tmp_path, old, new, house))]) == 1
    out, err = capsys.readouterr()
    record = json.loads(out)
    assert not record["ok"]
    assert any(message in error for error in record["errors"])
    assert message in err


def test_a_zone_that_the_game_does_not_need_may_be_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = made(tmp_path, "spots.six_card", "spots.seven_card", "washington")
    assert main(["table", "check", str(table)]) == 0
    assert answer(capsys)["ok"]


@pytest.mark.parametrize(("width", "found"), [(1280, None), (1920, "want 1920 x 720, as the camera was calibrated")])
def test_a_recording_of_another_size_than_the_camera_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], width: int, found: str | None
) -> None:
    sample = shipped("datasets") / "samples" / "mispay"
    for name in ("layout.toml", "layout.png"):
        shutil.copy(sample / name, tmp_path)
    text = (sample / "table.toml").read_text(encoding="utf-8").replace('"video.mp4"', f'"{sample / "video.mp4"}"')
    (tmp_path / "table.toml").write_text(text.replace("width = 1280", f"width = {width}"), encoding="utf-8")
    assert main(["table", "check", str(tmp_path)]) == (1 if found else 0)
    errors = answer(capsys)["errors"]
    assert (found in errors[0]) if found else errors == []


def test_every_finding_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = made(tmp_path, "number = 2", "number = 9", "nowhere")
    assert main(["table", "check", str(table)]) == 1
    assert len(answer(capsys)["errors"]) == 2


def test_a_table_is_drawn_flat_and_by_its_camera(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = made(tmp_path, "number = 2", "number = 2")
    flat, seen = tmp_path / "flat.png", tmp_path / "seen.png"
    assert main(["table", "show", str(table), "--out", str(flat)]) == 0
    assert read_picture(flat).shape == (960, 2060, 3)
    assert main(["table", "show", str(table), "--frame", str(photo), "--out", str(seen)]) == 1
    assert "calibrate the table first" in capsys.readouterr().err
    lines = [f"{key} = {json.dumps(value)}" for key, value in CAMERA.to_dict().items()]
    with (table / "table.toml").open("a", encoding="utf-8") as file:
        file.write("\n".join(["", "[camera]", *lines, ""]))
    assert main(["table", "show", str(table), "--frame", str(photo), "--out", str(seen)]) == 0
    assert read_picture(seen).shape == (1080, 1920, 3)
    assert main(["table", "check", str(table)]) == 0
    assert answer(capsys)["camera"] == "calibrated"


def test_a_layout_alone_has_no_camera(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.png"
    assert main(["table", "show", "noir-or", "--out", str(out)]) == 0
    assert main(["table", "show", "noir-or", "--frame", str(photo), "--out", str(out)]) == 1
    assert "is a layout" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["nowhere", "nowhere/table.toml"])
def test_what_is_not_there_is_named(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "check", name]) == 1
    assert f"{name!r}: no such table or layout" in capsys.readouterr().err


def test_tables_are_found_by_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no table\.toml in this folder"):
        find_table(str(tmp_path))
    with pytest.raises(InputError, match="'nowhere': no such table"):
        find_table("nowhere")
    with pytest.raises(InputError, match=r"no layout\.toml in this folder"):
        find_layout(str(tmp_path))
    (tmp_path / "table.toml").touch()
    assert find_table(str(tmp_path)) == find_table(str(tmp_path / "table.toml")) == tmp_path / "table.toml"


@pytest.mark.parametrize("words", [["table"], ["table", "new", "x"], ["table", "show", "noir-or"]])
def test_wrong_use(words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
