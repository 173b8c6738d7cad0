"""Crops that were not printed here: simulated tables and photographs enter, shards to learn from and to weigh by leave.

`real/train-*.npz` is learned from, `real/val-*.npz` decides how much each network counts. Looks and photographs that
are held out appear in neither of the training files.
"""

import json
from pathlib import Path
from typing import Final

import numpy as np

from studio.learn.faces.crops import Crop, stack_crops
from studio.learn.faces.photos import is_held_out, photo_cards, photo_crops, read_labels, training_files
from studio.learn.faces.printing import Box
from studio.learn.faces.prints import PRINT_PX, Prints
from studio.learn.faces.shards import PER_SHARD, crop_maker
from studio.learn.faces.tables import USUAL_INDEX, table_crops
from studio.learn.pictures import read_pictures

EVERY: Final = 8  # look of the simulator is kept for weighing
TIMES: Final = 2  # each table's cards are cut out so often, a little differently
PHOTO_TIMES: Final = 10
TABLE_FILES: Final = 4  # as many as sources of photographs: a batch draws from each file alike


def make_real(out: Path, photos: Path | None, stills: Path, seed: int) -> None:
    """Cut cards out of the simulator's training stills and of the photographs, unless the folder has them."""
    folder = out / "real"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "val-printed.npz").exists():
        maker = crop_maker(out, np.random.default_rng([seed, 4]))
        stack_crops([maker.make() for _ in range(PER_SHARD)]).save(folder / "val-printed.npz")
    if not (folder / "val-tables.npz").exists():
        _save_tables(folder, stills, index_boxes(out), np.random.default_rng([seed, 5]))
    if photos is not None and not list(folder.glob("train-photos-*.npz")):
        _save_photos(folder, photos, np.random.default_rng([seed, 6]))


def index_boxes(out: Path) -> dict[str, Box]:
    """Return where each training design prints its index."""
    prints = Prints.load(out / "prints.npz")
    size = np.array([*PRINT_PX, *PRINT_PX])
    shares = (prints.boxes / size).tolist()
    return {name.lstrip("/"): (box[0], box[1], box[2], box[3]) for name, box in zip(prints.names, shares, strict=True)}


def _save_tables(folder: Path, stills: Path, boxes: dict[str, Box], rng: np.random.Generator) -> None:
    kept: list[Crop] = []
    learned: list[Crop] = []
    for still in read_pictures(stills):
        index = boxes.get(still.look["face"], USUAL_INDEX)
        if int(still.path.parent.name.rpartition("-")[2]) % EVERY == 0:
            kept += table_crops(still, rng, index)
        else:
            for _ in range(TIMES):
                learned += table_crops(still, rng, index)
    if kept:
        stack_crops(kept).save(folder / "val-tables.npz")
    for i in range(TABLE_FILES if learned else 0):
        stack_crops(learned[i::TABLE_FILES]).save(folder / f"train-tables-{i}.npz")


def _save_photos(folder: Path, photos: Path, rng: np.random.Generator) -> None:
    learned: dict[str, list[Crop]] = {}
    for entry in read_labels(photos):
        if not is_held_out(entry):
            for card in photo_cards(photos, entry):
                if card.is_upright_known:
                    learned.setdefault(card.deck, []).extend(photo_crops(photos, card, PHOTO_TIMES, rng))
    told = json.dumps({"trained_on": training_files(photos)}, indent=0)
    (folder.parent / "photos.json").write_text(told + "\n", encoding="utf-8")
    for deck, crops in learned.items():
        stack_crops(crops).save(folder / f"train-photos-{deck}.npz")
