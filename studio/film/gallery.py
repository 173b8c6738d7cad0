"""Labelled single pictures for training: an order enters, a folder of pictures, labels and crops leaves."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.film.export import CLASSES, coco, write_picture_set
from studio.film.filmset import FilmSet
from studio.film.look import Look
from studio.film.production import Order, Report, clip_record, ordered_look
from studio.film.sensor import Sensor
from studio.film.stills import random_cast, random_scene
from studio.film.truth import frame_truth
from vision.values.picture import Picture

PER_LOOK = 40  # pictures before the look changes: building a look costs as much as a dozen pictures

Labelled = tuple[str, int, int, list[dict[str, Any]]]


def draw_stills(order: Order, number: int, out: Path, report: Report) -> None:
    """Draw pictures; the same order draws the same ones, and those that a folder has already are left as they are."""
    out.mkdir(parents=True, exist_ok=True)
    images: list[Labelled] = []
    looks = []
    for batch in range(-(-number // PER_LOOK)):
        ordered = _batch_order(order, batch)
        looks.append(clip_record(ordered, ordered_look(ordered)))
        images += _draw_batch(ordered, min(PER_LOOK, number - batch * PER_LOOK), out, batch)
        report(len(images), number)
    (out / "coco.json").write_text(json.dumps(coco(images)), encoding="utf-8")
    (out / "looks.json").write_text(json.dumps(looks, indent=1), encoding="utf-8")
    (out / "data.yaml").write_text(_yolo_sheet(), encoding="utf-8")


def _batch_order(order: Order, batch: int) -> Order:
    return replace(order, rounds=0, seed=order.seed * 1000 + batch)


def _draw_batch(order: Order, number: int, out: Path, batch: int) -> list[Labelled]:
    look = ordered_look(order)
    easel, size = Easel(look), (look.camera.lens.width, look.camera.lens.height)
    drawn: list[Labelled] = []
    for i in range(number):
        name = f"{order.split}-{batch:04d}-{i:02d}"
        picture, objects = easel.draw()
        if not (out / "images" / f"{name}.jpg").exists():
            write_picture_set(out, name, picture, objects)
        drawn.append((f"{name}.jpg", *size, objects))
    return drawn


class Easel:
    """Draws random tables in one look. `owners` tells which object each pixel of the last one shows, by its id."""

    owners: NDArray[np.uint16]

    def __init__(self, look: Look) -> None:
        self._set = FilmSet(look)
        self._random = np.random.default_rng([look.seed, 13])
        self._cast = random_cast(self._random, self._set.layout)
        self._sensor = Sensor(look.sensor, (look.camera.lens.width, look.camera.lens.height), self._random)

    def change_backs(self, backs: tuple[str, str]) -> None:
        """Play with other decks from now on."""
        self._set.look = replace(self._set.look, backs=backs)

    def draw(self) -> tuple[Picture, list[dict[str, Any]]]:
        """Draw one table with its truth."""
        maker = self._set.frames()
        things = random_scene(self._random, self._set.layout, self._set.chips, self._cast)
        maker.show(things)
        self.owners = maker.owners
        record = frame_truth(0, 0, things, maker, self._set.look.camera)
        return self._sensor.develop_whole(maker.picture, 0.0), record["objects"]


def _yolo_sheet() -> str:
    names = "\n".join(f"  {i}: {name}" for i, name in enumerate(CLASSES))
    return f"path: .\ntrain: images\nval: images\nnames:\n{names}\n"
