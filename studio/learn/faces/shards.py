"""Shards of crops: a folder and a seed enter, numbered files of a few thousand crops leave, one after the other.

The art (printed designs, type case, backdrops) is made once and kept beside them.
"""

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.faces.crops import CropMaker, stack_crops
from studio.learn.faces.printing import Printer
from studio.learn.faces.prints import Prints, print_all
from studio.learn.faces.scenes import Stage
from studio.learn.faces.typecase import TypeCase, fill_case

PER_SHARD: Final = 2000
BACKDROP_PX: Final = 160
BACKDROPS: Final = 2000


def make_art(out: Path, art: Path | None, stills: Path | None, seed: int) -> None:
    """Print the designs, fill the type case and cut backdrops, unless the folder has them."""
    out.mkdir(parents=True, exist_ok=True)
    if not (out / "prints.npz").exists():
        print_all(art).save(out / "prints.npz")
    if not (out / "typecase.npz").exists():
        fill_case(art, np.random.default_rng([seed, 1])).save(out / "typecase.npz")
    if not (out / "backdrops.npy").exists():
        np.save(out / "backdrops.npy", cut_backdrops(stills, np.random.default_rng([seed, 2])))


def cut_backdrops(stills: Path | None, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Cut squares out of pictures of tables, at many sizes; plain noise where there are no pictures."""
    paths = sorted(stills.glob("*/*.jpg")) if stills else []
    if not paths:
        return rng.integers(0, 255, (8, BACKDROP_PX, BACKDROP_PX, 3), np.uint8)
    pieces: list[NDArray[np.uint8]] = []
    per_picture = 12
    for i in rng.choice(len(paths), min(len(paths), BACKDROPS // per_picture), replace=False):
        picture = np.asarray(cv2.imread(str(paths[i])), np.uint8)
        for _ in range(per_picture):
            side = int(rng.uniform(70, 330))
            left, top = rng.integers(0, picture.shape[1] - side), rng.integers(0, picture.shape[0] - side)
            part = picture[top : top + side, left : left + side]
            piece = cv2.resize(part, (BACKDROP_PX, BACKDROP_PX), interpolation=cv2.INTER_AREA)
            pieces.append(np.asarray(piece, np.uint8))
    return np.stack(pieces)


def crop_maker(out: Path, rng: np.random.Generator) -> CropMaker:
    """Open the folder's art."""
    printer = Printer(Prints.load(out / "prints.npz"), TypeCase.load(out / "typecase.npz"), rng)
    return CropMaker(printer, Stage(printer, np.load(out / "backdrops.npy"), rng), rng)


def shard_paths(out: Path) -> list[Path]:
    """Return the shards that are there."""
    return sorted((out / "shards").glob("crops-*.npz"))


def write_shards(out: Path, seed: int, number: int) -> None:
    """Write the shards that the folder has not yet; each depends on the seed and its number alone."""
    cv2.setNumThreads(1)
    (out / "shards").mkdir(parents=True, exist_ok=True)
    for i in range(number):
        path = out / "shards" / f"crops-{seed:03d}-{i:04d}.npz"
        if not path.exists():
            maker = crop_maker(out, np.random.default_rng([seed, 3, i]))
            stack_crops([maker.make() for _ in range(PER_SHARD)]).save(path)


def read_part(path: Path, kind: str) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Read the whole faces of a shard, or its corners, with their labels: each network needs but one of them."""
    with np.load(path) as record:
        if kind == "whole":
            return record["wholes"], record["labels"][:, 0]
        corners = record["corners"]
        return corners.reshape(-1, *corners.shape[2:]), record["labels"][:, 1:].reshape(-1, 2)
