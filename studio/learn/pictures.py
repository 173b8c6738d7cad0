"""Pictures to learn from and to be judged by: a split and a seed enter, folders of tables with their truth leave.

Each look is a folder of its own: `00.jpg` …, `00.png` … (which kind of thing shows where, at a quarter of the size),
and `truth.json` with the look, the camera and what each picture holds.
A folder appears when it is whole, so that an interrupted batch goes on where it stopped.
"""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.backs import INVENTED
from studio.film.export import class_of
from studio.film.gallery import Easel
from studio.film.look import Choice, Look, choose_look
from vision.values.picture import Picture

PER_LOOK = 16
MAP_STEP = 4
QUALITIES = (60, 75, 88, 95)  # of JPEG: recorders squeeze their pictures more or less


@dataclass(frozen=True, slots=True)
class Batch:
    """Which pictures: `looks` looks of a split, from `seed` on; `art` is a folder of fetched decks."""

    split: str
    seed: int
    looks: int
    size: str = "1080p"  # where no view is given
    view: str | None = None  # a view class, or 'mixed'
    art: Path | None = None
    per_look: int = PER_LOOK
    invented_backs: float = 0.0  # share of the pictures whose decks have backs of no deck


def draw_pictures(batch: Batch, out: Path) -> Iterator[Path]:
    """Draw the looks that the folder has not yet; yield each as it is there."""
    for i in range(batch.looks):
        seed = batch.seed + i
        folder = out / f"{batch.split}-{batch.view or batch.size}-{seed:06d}"
        if not folder.exists():
            look = choose_look(seed, Choice(batch.split, batch.size, batch.view, art=batch.art))
            _draw_look(look, batch, folder)
        yield folder


def _draw_look(look: Look, batch: Batch, folder: Path) -> None:
    half = folder.with_name("." + folder.name)
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    easel = Easel(look)
    qualities, decks = np.random.default_rng([look.seed, 17]), np.random.default_rng([look.seed, 19])
    pictures = []
    for i in range(batch.per_look):
        easel.change_backs(_backs(decks, batch.invented_backs) or look.backs)
        picture, objects = easel.draw()
        quality = int(qualities.choice(QUALITIES))
        cv2.imwrite(str(half / f"{i:02d}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        cv2.imwrite(str(half / f"{i:02d}.png"), kinds_map(easel.owners, objects))
        pictures.append({"file": f"{i:02d}.jpg", "objects": objects})
    truth = {"look": _names(look), "camera": look.camera.to_dict(), "pictures": pictures}
    (half / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    half.rename(folder)


def _backs(rng: np.random.Generator, share: float) -> tuple[str, str] | None:
    """Make up the backs of two decks, for a share of the pictures."""
    first, second = (f"{INVENTED}{number}" for number in rng.integers(1_000_000, size=2))
    return (first, second) if rng.random() < share else None


def kinds_map(owners: NDArray[np.uint16], objects: list[dict[str, Any]]) -> Picture:
    """Return which kind shows at every fourth pixel: 0 the table, else one more than the kind's place in `KINDS`."""
    numbers = np.zeros(int(owners.max()) + 1, np.uint8)
    for entry in objects:
        if entry["id"] < len(numbers):
            numbers[entry["id"]] = class_of(entry) + 1
    return np.asarray(numbers[owners[MAP_STEP // 2 :: MAP_STEP, MAP_STEP // 2 :: MAP_STEP]], np.uint8)


def _names(look: Look) -> dict[str, Any]:
    """Return a look's choices by name; of a fetched deck the name alone, not its folder."""
    names = {"felt": look.felt, "face": look.face, "back": look.backs[0], "chips": look.chips, "rig": look.rig}
    return {kind: name.rpartition("::")[2] for kind, name in names.items()}


@dataclass(frozen=True, slots=True)
class Still:
    """One picture with its truth."""

    path: Path
    look: dict[str, str]
    camera: dict[str, Any]
    objects: list[dict[str, Any]]

    def picture(self) -> Picture:
        """Return the picture itself, BGR."""
        found = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        return np.asarray(found, np.uint8)

    def kinds(self) -> Picture:
        """Return which kind of thing shows where; see `kinds_map`."""
        found = cv2.imread(str(self.path.with_suffix(".png")), cv2.IMREAD_GRAYSCALE)
        return np.asarray(found, np.uint8)


def read_pictures(folder: Path) -> list[Still]:
    """Return all pictures of a folder, in order."""
    return list(_stills(folder))


def _stills(folder: Path) -> Iterator[Still]:
    for truth in sorted(folder.glob("*/truth.json")):
        record = json.loads(truth.read_text(encoding="utf-8"))
        for entry in record["pictures"]:
            yield Still(truth.parent / entry["file"], record["look"], record["camera"], entry["objects"])
