"""A growing pool of crops on disk: folders of stills enter, shards leave, painted ones between those of stills."""

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import numpy as np

from studio.learn.chips.contents import MOST
from studio.learn.chips.crops import LOW_CHIPS, TALL, Crop, known_house, painted_shard, shard_of, still_crops
from studio.learn.chips.scenes import Felts
from studio.learn.pictures import read_pictures
from studio.learn.recipes import ChipsRecipe

POOL = "pool"  # the folder of crops in a run's folder
LOW_CROPS, TALL_CROPS = 128, 24  # crops of each invented house: of low stacks, or of stacks of any height
KEPT_FOR_TESTS = frozenset({"meridian", "riverlight"})
TALL_EVERY = 7  # every so many houses is painted in stacks of any height
AGAIN = 2  # times that each still's stacks are cut, each time found a little differently


def prepare(recipe: ChipsRecipe, stills: Path, out: Path, report: Callable[[str], None]) -> None:
    """Fill a run's pool: the stacks of all stills in a folder, and those of invented houses."""
    cut_pool(stills, out / POOL, report)
    for seed in recipe.painted_seeds:
        paint_pool(out / POOL, seed, recipe.painted // len(recipe.painted_seeds), report)


def paint_pool(out: Path, seed: int, shards: int, report: Callable[[str], None]) -> None:
    """Paint shards of invented houses that the pool has not yet."""
    out.mkdir(parents=True, exist_ok=True)
    felts = Felts(np.random.default_rng([seed, 1]))
    for i in range(shards):
        is_tall = i % TALL_EVERY == 0
        path = out / f"{TALL if is_tall else 'low'}-{seed:03d}-{i:05d}.npz"
        if not path.exists():
            number, most = (TALL_CROPS, MOST) if is_tall else (LOW_CROPS, LOW_CHIPS)
            painted_shard(np.random.default_rng([seed, 2, i]), felts, number, most).save(path)
            report(f"painted {path.name}")


def cut_pool(stills: Path, out: Path, report: Callable[[str], None]) -> None:
    """Cut the stacks of all looks in a folder of stills that the pool has not yet; reserved chips are refused."""
    out.mkdir(parents=True, exist_ok=True)
    for look, group in groupby(read_pictures(stills), lambda still: still.path.parent):
        path = out / f"{TALL}-still-{look.name}.npz"
        if path.exists():
            continue
        pictures = list(group)
        name = pictures[0].look["chips"]
        if name in KEPT_FOR_TESTS:
            raise ValueError(f"{look}: chips {name!r} are kept for tests")
        house = known_house(name)
        rng = np.random.default_rng([int(look.name[-6:]), 3])
        crops: list[Crop] = []
        for still in pictures:
            for _ in range(AGAIN):
                crops += still_crops(rng, still, house.chips)
        if crops:
            shard_of(crops, house.faces[None], house.edges[None]).save(path)
            report(f"cut {path.name}: {len(crops)} crops")
