"""Labelled single pictures for training: an order enters, a folder of pictures, labels and crops leaves."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from vision.simulate.export import CLASSES, coco, write_picture_set
from vision.simulate.film.filmset import FilmSet
from vision.simulate.film.patch import Picture
from vision.simulate.film.sensor import Sensor
from vision.simulate.film.truth import frame_truth
from vision.simulate.look import SIZES
from vision.simulate.stills import random_scene
from vision.simulate.studio import Order, Tell, clip_record, ordered_look

PER_LOOK = 25  # pictures before the look changes: building a look costs as much as a dozen pictures

Labelled = tuple[str, int, int, list[dict[str, Any]]]


def draw_stills(order: Order, number: int, out: Path, tell: Tell) -> None:
    """Draw pictures; the same order draws the same ones, and those that a folder has already are left as they are."""
    out.mkdir(parents=True, exist_ok=True)
    images: list[Labelled] = []
    looks = []
    for batch in range(-(-number // PER_LOOK)):
        ordered = _batch_order(order, batch)
        looks.append(clip_record(ordered, ordered_look(ordered)))
        images += _draw_batch(ordered, min(PER_LOOK, number - batch * PER_LOOK), out, batch)
        tell(len(images), number)
    (out / "coco.json").write_text(json.dumps(coco(images)), encoding="utf-8")
    (out / "looks.json").write_text(json.dumps(looks, indent=1), encoding="utf-8")
    (out / "data.yaml").write_text(_yolo_sheet(), encoding="utf-8")


def _batch_order(order: Order, batch: int) -> Order:
    return Order(rounds=0, seed=order.seed * 1000 + batch, look=order.look, split=order.split, size=order.size)


def _draw_batch(order: Order, number: int, out: Path, batch: int) -> list[Labelled]:
    film_set = FilmSet(ordered_look(order))
    rng = np.random.default_rng([order.seed, 13])
    size = SIZES[order.size]
    drawn: list[Labelled] = []
    for i in range(number):
        name = f"{order.split}-{batch:04d}-{i:02d}"
        picture, objects = draw_one(film_set, rng)
        if not (out / "images" / f"{name}.jpg").exists():
            write_picture_set(out, name, picture, objects)
        drawn.append((f"{name}.jpg", *size, objects))
    return drawn


def draw_one(film_set: FilmSet, rng: np.random.Generator) -> tuple[Picture, list[dict[str, Any]]]:
    """Draw one random table with its truth."""
    camera = film_set.look.camera
    maker = film_set.frames()
    things = random_scene(rng, film_set.layout, film_set.chips)
    maker.show(things)
    sensor = Sensor(film_set.look.sensor, (camera.lens.width, camera.lens.height), rng)
    record = frame_truth(0, 0, things, maker, camera)
    return sensor.develop(maker.picture, [], 0.0), record["objects"]


def _yolo_sheet() -> str:
    names = "\n".join(f"  {i}: {name}" for i, name in enumerate(CLASSES))
    return f"path: .\ntrain: images\nval: images\nnames:\n{names}\n"
