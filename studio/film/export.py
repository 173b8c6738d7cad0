"""Data sets out of clips and stills: YOLO oriented boxes and COCO, card crops and stack crops with their labels."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.values.picture import Picture

CLASSES = ("card_up", "card_down", "stack", "hand", "other")
LEAST_VISIBLE = 0.15  # what shows less is not asked of a detector
CROP = (96, 128)  # width and height of a rectified card


def class_of(entry: dict[str, Any]) -> int:
    """Return the number of an object's class."""
    name = f"card_{entry['face']}" if entry["kind"] == "card" else entry["kind"]
    return CLASSES.index(name)


def labelled(objects: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the objects of a frame that show enough to be labelled."""
    return [entry for entry in objects if entry["visible"] >= LEAST_VISIBLE]


def yolo_lines(objects: Sequence[dict[str, Any]], width: int, height: int) -> Iterator[str]:
    """Yield YOLO-OBB lines: class and the four corners, as shares of the picture."""
    for entry in labelled(objects):
        corners = np.array(entry["quad"]) / [width, height]
        yield " ".join([str(class_of(entry)), *(f"{value:.6f}" for value in np.clip(corners, 0, 1).ravel())])


def coco(images: Sequence[tuple[str, int, int, Sequence[dict[str, Any]]]]) -> dict[str, Any]:
    """Return a COCO document for pictures given as (file name, width, height, objects)."""
    annotations: list[dict[str, Any]] = []
    for image_id, (_, _, _, objects) in enumerate(images, start=1):
        for entry in labelled(objects):
            annotations.append(_annotation(len(annotations) + 1, image_id, entry))
    return {
        "images": [
            {"id": i, "file_name": name, "width": width, "height": height}
            for i, (name, width, height, _) in enumerate(images, start=1)
        ],
        "categories": [{"id": i, "name": name} for i, name in enumerate(CLASSES)],
        "annotations": annotations,
    }


def _annotation(number: int, image_id: int, entry: dict[str, Any]) -> dict[str, Any]:
    corners = np.array(entry["quad"])
    low, high = corners.min(axis=0), corners.max(axis=0)
    return {
        "id": number,
        "image_id": image_id,
        "category_id": class_of(entry),
        "bbox": [*map(float, low), *map(float, high - low)],
        "segmentation": [[float(value) for value in corners.ravel()]],
        "area": float(abs(cv2.contourArea(corners.astype(np.float32)))),
        "iscrowd": 0,
        "visible": entry["visible"],
    }


def card_crop(picture: Picture, quad: Sequence[Sequence[float]]) -> Picture:
    """Return a card cut out and set upright."""
    width, height = CROP
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(quad, np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, matrix, CROP, flags=cv2.INTER_AREA), np.uint8)


def write_picture_set(folder: Path, name: str, picture: Picture, objects: Sequence[dict[str, Any]]) -> None:
    """Write one picture with its labels in every format."""
    for part in ("images", "labels", "crops/cards", "crops/stacks"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    height, width = picture.shape[:2]
    cv2.imwrite(str(folder / "images" / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    labels = "\n".join(yolo_lines(objects, width, height))
    (folder / "labels" / f"{name}.txt").write_text(labels + "\n", encoding="utf-8")
    for entry in labelled(objects):
        if entry["kind"] == "card" and entry["face"] == "up":
            path = folder / "crops" / "cards" / f"{entry['card']}-{name}-{entry['id']}.png"
            cv2.imwrite(str(path), card_crop(picture, entry["quad"]))
        if entry["kind"] == "stack":
            _write_stack(folder / "crops" / "stacks" / f"{name}-{entry['id']}", picture, entry)


def _write_stack(path: Path, picture: Picture, entry: dict[str, Any]) -> None:
    (u0, v0), _, (u1, v1), _ = ((max(int(u), 0), max(int(v), 0)) for u, v in entry["quad"])
    crop = picture[v0 : v1 + 1, u0 : u1 + 1]
    if crop.size:
        cv2.imwrite(f"{path}.png", crop)
        Path(f"{path}.json").write_text(
            json.dumps({"cents": entry["cents"], "visible": entry["visible"]}), encoding="utf-8"
        )
