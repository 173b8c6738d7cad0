"""The baseline's data: tiles with their labels; and, where PyTorch is, that its export says what it says itself."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from studio.learn import baseline
from studio.learn.baseline import SIDE, cut_tiles, write_tiles
from studio.learn.pictures import Still, read_pictures
from vision.detect.detection import KINDS

RED = (30, 30, 220)


def write_look(folder: Path, name: str, size: tuple[int, int] = (1920, 1080)) -> None:
    """A look of two dark pictures with a red card each, and a stack that hardly shows."""
    picture = np.full((size[1], size[0], 3), 40, np.uint8)
    quad = [[900.0, 500.0], [959.0, 500.0], [959.0, 583.0], [900.0, 583.0]]
    picture[500:584, 900:960] = RED
    objects = [
        {"kind": "card", "face": "down", "quad": quad, "visible": 1.0},
        {"kind": "stack", "quad": [[10, 10], [40, 10], [40, 50], [10, 50]], "visible": 0.1},
    ]
    (folder / name).mkdir(parents=True)
    pictures = [{"file": f"{i:02d}.jpg", "objects": objects} for i in range(2)]
    for entry in pictures:
        cv2.imwrite(str(folder / name / str(entry["file"])), picture)
    record = {"look": {}, "camera": {}, "pictures": pictures}
    (folder / name / "truth.json").write_text(json.dumps(record), encoding="utf-8")


@pytest.fixture
def still(tmp_path: Path) -> Still:
    write_look(tmp_path, "look")
    return read_pictures(tmp_path)[0]


def test_labels_lie_where_the_card_is(still: Still) -> None:
    for tile in cut_tiles(still, np.random.default_rng(1), 5):
        assert tile.picture.shape == (SIDE, SIDE, 3)
        ((kind, corners),) = tile.labels  # the stack that hardly shows is not asked for
        assert KINDS[kind] == "card_down"
        rows, columns = np.nonzero(np.abs(tile.picture.astype(int) - RED).max(axis=2) < 60)
        low, high = corners.min(axis=0) * SIDE, corners.max(axis=0) * SIDE
        np.testing.assert_allclose([columns.min(), rows.min()], low, atol=2)
        np.testing.assert_allclose([columns.max() + 1, rows.max() + 1], high, atol=2)


def test_tiles_vary_in_size_and_stay_in_the_picture(still: Still) -> None:
    tiles = list(cut_tiles(still, np.random.default_rng(2), 16))
    widths = [float(np.ptp(tile.labels[0][1][:, 0])) * SIDE for tile in tiles]
    assert min(widths) < 25 < 50 < max(widths)  # the whole picture, shrunk; and near native resolution
    filled = [(tile.picture == 114).all(axis=2).mean() for tile in tiles]
    assert 0 < np.mean(np.array(filled) > 0.3) < 0.4


@pytest.mark.parametrize(
    ("quad", "share"),
    [
        ([[10, 10], [50, 10], [50, 60], [10, 60]], 1.0),
        ([[-10, 10], [30, 10], [30, 60], [-10, 60]], 0.75),  # a quarter lies outside: the rest is the label
        ([[-30, 10], [10, 10], [10, 60], [-30, 60]], None),  # most of it does
        ([[700, 10], [740, 10], [740, 60], [700, 60]], None),
        ([[10, 10], [10, 10], [10, 10], [10, 10]], None),
    ],
)
def test_things_at_the_edge(quad: list[list[float]], share: float | None) -> None:
    inside = baseline._inside(np.array(quad, float))
    if share is None:
        assert inside is None
    else:
        assert inside is not None
        area = cv2.contourArea((inside * SIDE).astype(np.float32))
        assert area == pytest.approx(share * 2000, rel=1e-3)
        assert inside.min() >= 0


def test_what_was_cut_stays_and_more_is_added(tmp_path: Path) -> None:
    told: list[str] = []
    for name in ("b", "c"):
        write_look(tmp_path / "stills", name)
    sheet = write_tiles(tmp_path / "stills", tmp_path / "tiles", told.append)
    write_look(tmp_path / "stills", "a")
    write_tiles(tmp_path / "stills", tmp_path / "tiles", told.append)
    assert told == ["tiles look=b part=aside", "tiles look=c part=train", "tiles look=a part=train"]
    images = sorted(path.relative_to(tmp_path / "tiles") for path in (tmp_path / "tiles").rglob("*.jpg"))
    assert len(images) == 12
    for image in images:
        label = tmp_path / "tiles" / "labels" / image.parent.name / f"{image.stem}.txt"
        assert len(label.read_text().split()) == 9
    assert "val: images/aside" in sheet.read_text()


def test_the_run_s_hours_are_counted(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    assert baseline._spent_s(results) == 0
    results.write_text("epoch,time,loss\n1,12.5,3\n2,30.25,2\n")
    assert baseline._spent_s(results) == 30.25


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # PyTorch and Ultralytics warn of each other
def test_the_export_says_what_the_network_says(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from ultralytics import YOLO

    from vision.detect.models import open_model

    torch.manual_seed(3)
    network = YOLO("yolo11n-obb.yaml", task="obb")
    network.save(tmp_path / "fresh.pt")
    baseline.export(tmp_path / "fresh.pt", tmp_path, "fresh")
    model = open_model(baseline.NAME, folder=tmp_path)
    batch = np.random.default_rng(4).random((1, 3, SIDE, SIDE), np.float32)
    (ours,) = model.run(batch)
    with torch.no_grad():
        theirs = network.model.eval()(torch.from_numpy(batch))
    theirs = theirs[0] if isinstance(theirs, tuple) else theirs
    np.testing.assert_allclose(ours, theirs.numpy(), atol=2e-2, rtol=1e-3)
    assert "AGPL-3.0" in model.sheet.licence
