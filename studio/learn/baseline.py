"""The route that everybody takes: YOLO11n with oriented boxes, by Ultralytics, from scratch, on tiles of 640 pixels.

Labelled stills enter; tiles, a training run and `studio/models/baseline-yolo11n-obb.onnx` leave. Our own finder is
measured against it. Ultralytics and what it exports are AGPL-3.0. A run that was interrupted goes on where it stopped.
"""

import csv
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from studio.learn.pictures import Still, read_pictures
from vision.detect.detection import KINDS
from vision.values.geometry import Floats
from vision.values.picture import Picture

NAME: Final = "baseline-yolo11n-obb"
SIDE: Final = 640
SCALES: Final = (0.6, 1.3)  # of a tile, against the picture; the camera's own resolution is what it should learn
WHOLE: Final = 0.15  # share of tiles that show the whole picture, shrunk: so the benchmark runs it
FILLING: Final = 114  # grey beside a whole picture, as Ultralytics fills it
PER_STILL: Final = 2
LEAST_VISIBLE, LEAST_INSIDE = 0.2, 0.4  # what shows less, or lies mostly outside of the tile, is not asked for
REPORT_EVERY_S: Final = 60
ASIDE_EVERY: Final = 12  # looks: one of so many is kept to choose by
RECIPE: Final[dict[str, Any]] = {
    "imgsz": SIDE,
    "batch": 8,
    "optimizer": "AdamW",
    "lr0": 0.002,
    "lrf": 0.02,
    "cos_lr": True,
    "warmup_epochs": 0.5,
    "degrees": 180.0,
    "scale": 0.3,
    "fliplr": 0.5,
    "flipud": 0.5,
    "hsv_h": 0.04,
    "hsv_s": 0.6,
    "hsv_v": 0.5,
    "mosaic": 0.3,
    "close_mosaic": 1,
    "amp": False,
    "workers": 0,
    "seed": 4,
    "pretrained": False,
}
Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Tile:
    """A square cut out of a picture, with what lies in it: a class and four corners each, as shares of the tile."""

    picture: Picture
    labels: list[tuple[int, Floats]]

    def lines(self) -> str:
        """Return the labels as YOLO-OBB has them."""
        return "".join(
            f"{kind} {' '.join(f'{value:.5f}' for value in corners.ravel())}\n" for kind, corners in self.labels
        )


def cut_tiles(still: Still, random: np.random.Generator, number: int = PER_STILL) -> Iterator[Tile]:
    """Cut tiles around things of a still, near native resolution; now and then the whole picture, shrunk."""
    picture = still.picture()
    asked = [entry for entry in still.objects if entry["visible"] >= LEAST_VISIBLE]
    for _ in range(number):
        height, width = picture.shape[:2]
        if random.random() < WHOLE or not asked:
            scale = SIDE / max(width, height)
            corner = np.array([(width - SIDE / scale) / 2, (height - SIDE / scale) / 2])
        else:
            scale = float(random.uniform(*SCALES))
            middle = np.mean(asked[random.integers(len(asked))]["quad"], axis=0)
            corner = middle - random.uniform(0.15, 0.85, 2) * SIDE / scale
            corner = np.clip(corner, 0, np.maximum([width - SIDE / scale, height - SIDE / scale], 0))
        yield _cut(picture, asked, scale, corner)


def _cut(picture: Picture, asked: list[dict[str, Any]], scale: float, corner: Floats) -> Tile:
    """Cut a square whose first corner lies at `corner`; here a pixel reaches from 0 to 1, as Ultralytics has it."""
    if scale < 1:  # a warp alone would skip pixels: average them first
        size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    stretch = max(scale, 1.0)
    shift = -scale * corner + (stretch - 1) / 2
    matrix = np.array([[stretch, 0, shift[0]], [0, stretch, shift[1]]])
    flat = cv2.warpAffine(picture, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderValue=(FILLING,) * 3)
    labels = []
    for entry in asked:
        inside = _inside((np.array(entry["quad"]) + 0.5 - corner) * scale)
        if inside is not None:
            name = f"card_{entry['face']}" if entry["kind"] == "card" else entry["kind"]
            labels.append((KINDS.index(name), inside))
    return Tile(np.asarray(flat, np.uint8), labels)


def _inside(quad: Floats) -> Floats | None:
    """Return the part of a quad in the tile as four corners, as shares; None where too little of it is there."""
    tile = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    area, common = cv2.intersectConvexConvex(cv2.convexHull(quad.astype(np.float32)), tile)
    whole = abs(cv2.contourArea(quad.astype(np.float32)))
    if common is None or area < LEAST_INSIDE * whole or area < 1:
        return None
    corners = quad if area > 0.999 * whole else cv2.boxPoints(cv2.minAreaRect(common))
    return np.clip(np.asarray(corners, np.float64) / SIDE, 0, 1)


def write_tiles(pictures: Path, out: Path, report: Report) -> Path:
    """Write tiles of all looks that the folder has not yet; return the sheet that Ultralytics trains by."""
    cut = {path.stem for path in out.glob("labels/*/*.whole")}
    for folder, group in groupby(read_pictures(pictures), key=lambda still: still.path.parent):
        if folder.name not in cut:
            part = "train" if len(cut) % ASIDE_EVERY else "aside"  # what was cut before stays where it is
            _write_look(folder.name, list(group), out, part)
            cut.add(folder.name)
            report(f"tiles look={folder.name} part={part}")
    names = "\n".join(f"  {i}: {name}" for i, name in enumerate(KINDS))
    sheet = out / "data.yaml"
    sheet.write_text(
        f"path: {out.resolve()}\ntrain: images/train\nval: images/aside\nnames:\n{names}\n", encoding="utf-8"
    )
    return sheet


def _write_look(name: str, stills: list[Still], out: Path, part: str) -> None:
    images, labels = out / "images" / part, out / "labels" / part
    for folder in (images, labels):
        folder.mkdir(parents=True, exist_ok=True)
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])
    random = np.random.default_rng(seed)
    for still in stills:
        for i, tile in enumerate(cut_tiles(still, random)):
            stem = f"{name}-{still.path.stem}-{i}"
            cv2.imwrite(str(images / f"{stem}.jpg"), tile.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
            (labels / f"{stem}.txt").write_text(tile.lines(), encoding="utf-8")
    (labels / f"{name}.whole").touch()


def train(out: Path, pictures: Path, hours: float, report: Report, threads: int = 1) -> Path:
    """Train for so many hours in all, going on where an earlier call stopped; return the best weights."""
    os.environ.setdefault("YOLO_VERBOSE", "False")  # its progress bars would fill a log
    from ultralytics import YOLO

    sheet = write_tiles(pictures, out / "tiles", report)
    run = out / "run"
    spent_s, last = _spent_s(run / "results.csv"), run / "weights" / "last.pt"
    if spent_s < hours * 3600:
        model = YOLO(str(last) if last.exists() else "yolo11n-obb.yaml", task="obb")
        for event, callback in _callbacks(spent_s, threads, report).items():
            model.add_callback(event, callback)
        place = {"project": str(out.resolve()), "name": run.name, "exist_ok": True}
        model.train(data=str(sheet), time=hours, resume=last.exists(), device=_device(), **place, **RECIPE)
    return run / "weights" / "best.pt"


def _device() -> str:
    import torch

    return "0" if torch.cuda.is_available() else "cpu"


def _spent_s(results: Path) -> float:
    """Return the seconds that a run has taken so far."""
    if not results.exists():
        return 0.0
    with results.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, skipinitialspace=True))
    return float(rows[-1]["time"]) if rows else 0.0


def _callbacks(spent_s: float, threads: int, report: Report) -> dict[str, Callable[[Any], None]]:
    def begin(trainer: Any) -> None:
        import torch

        torch.set_num_threads(threads)  # Ultralytics has just set its own
        trainer.train_time_start -= spent_s  # the hours are for the whole run, not for this call

    def begin_epoch(trainer: Any) -> None:
        trainer.start_epoch = 0  # it estimates the epochs that fit by those since the start, which is the run's, too

    reported_s = [time.monotonic()]

    def end_batch(trainer: Any) -> None:
        if time.monotonic() - reported_s[0] >= REPORT_EVERY_S:
            reported_s[0] = time.monotonic()
            losses = {name: round(float(value), 3) for name, value in trainer.tloss.items()}
            report(f"epoch={trainer.epoch + 1} of={trainer.epochs} {json.dumps(losses)}")

    def end_epoch(trainer: Any) -> None:
        shown = {key.rpartition("/")[2]: round(float(value), 4) for key, value in trainer.metrics.items()}
        report(f"epoch={trainer.epoch + 1} of={trainer.epochs} {json.dumps(shown)}")

    return {
        "on_train_start": begin,
        "on_train_epoch_start": begin_epoch,
        "on_train_batch_end": end_batch,
        "on_fit_epoch_end": end_epoch,
    }


def export(weights: Path, folder: Path, recipe: str) -> Path:
    """Write the model with its sheet into a folder of models; return the ONNX file."""
    import onnx
    from ultralytics import YOLO

    made = onnx.load(YOLO(str(weights), task="obb").export(format="onnx", imgsz=SIDE, opset=17, simplify=False))
    kept = [entry for entry in made.metadata_props if entry.key not in ("date", "description")]  # no clock, no paths
    del made.metadata_props[:]
    made.metadata_props.extend(kept)
    model = folder / f"{NAME}.onnx"
    onnx.save(made, model)
    digest = hashlib.sha256(model.read_bytes()).hexdigest()
    (folder / f"{NAME}.toml").write_text(_sheet(digest, recipe), encoding="utf-8")
    return model


def _sheet(digest: str, recipe: str) -> str:
    return (
        "# The baseline of `feltwatch bench detect`: what one would use instead of our finder. Made with Ultralytics,\n"
        "# whose licence (AGPL-3.0) holds for the weights that it exports, too.\n"
        f'name = "{NAME}"\n'
        'reads = "oriented boxes of cards, stacks, hands and other things, in one picture of 640 x 640 pixels"\n'
        f'sha256 = "{digest}"\n'
        'licence = "AGPL-3.0-only (Ultralytics)"\n\n'
        "[settings]\n"
        f'recipe = "{recipe}"\n'
        f"side = {SIDE}\nscore = 0.25\n"
    )


def export_run(out: Path, models: Path) -> None:
    """Write the model of a run, with what it was made of in its sheet."""
    tiles = len(list((out / "tiles" / "images" / "train").glob("*.jpg")))
    hours = _spent_s(out / "run" / "results.csv") / 3600
    export(out / "run" / "weights" / "best.pt", models, f"feltwatch train baseline: {tiles} tiles, {hours:.1f} hours")
