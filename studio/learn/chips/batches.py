"""Batches: the pool on disk enters; tensors of crops beside their houses' references leave, colours varied.

Crops and references of a house get the same change of colours (another house, as it were); then each gets a small one
of its own (another light, another photographer).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from studio.learn.chips.crops import TALL, TALL_SHARE, Shard
from studio.learn.chips.net import LAYERS, NEVER, WIDE, ReferenceNet, seen_as

HOUSES, EACH = 8, 8  # houses in a batch, crops of each
NAMELESS = 0.05  # share of houses without references: counting must work for chips that nobody knows
HELD_OUT = 20  # every so many shards, one is for validation
SWAPS = tuple(permutations(range(3)))


@dataclass
class Batch:
    """What one step learns from; `references` are pictures per house, `owner` says which house each crop is of."""

    strips: Tensor
    faces: Tensor
    numbers: Tensor
    counts: Tensor  # 0 is one chip
    layers: Tensor
    offsets: Tensor
    levels: Tensor
    houses: list[tuple[Tensor, Tensor] | None]
    owner: Tensor


class Pool:
    """All shards that are there so far; they stay on disk, where the system's cache keeps them near."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.low: list[Path] = []
        self.tall: list[Path] = []
        self.held_out: list[Path] = []
        self.refresh()

    def refresh(self) -> None:
        """Take in what was added."""
        found = sorted(path for path in self._folder.glob("*.npz") if not path.name.endswith(".half.npz"))
        self.held_out = [path for path in found if _number(path) % HELD_OUT == HELD_OUT - 1]
        known = set(self.held_out)
        self.tall = [path for path in found if path.name.startswith(TALL) and path not in known]
        self.low = [path for path in found if not path.name.startswith(TALL) and path not in known]

    def draw(self, rng: np.random.Generator) -> Batch:
        """Return a random batch."""
        home = self.tall if not self.low or (self.tall and rng.random() < TALL_SHARE) else self.low
        parts, houses = [], []
        for _ in range(HOUSES):
            shard = Shard.load(home[int(rng.integers(len(home)))])
            picked = rng.integers(len(shard.arrays["counts"]), size=EACH)
            part, house = _varied(rng, shard, picked)
            parts.append(part)
            houses.append(None if rng.random() < NAMELESS else house)
        return _joined(parts, houses)

    def check(self, most: int) -> Iterator[Batch]:
        """Yield held out shards, as they are, spread over all of them."""
        for path in self.held_out[:: max(1, len(self.held_out) // most)]:
            shard = Shard.load(path)
            arrays = {name: torch.from_numpy(array[:96]) for name, array in shard.arrays.items()}
            arrays["strips"], arrays["faces"] = seen_as(arrays["strips"]), seen_as(arrays["faces"])
            house = (seen_as(torch.from_numpy(shard.faces[0])), seen_as(torch.from_numpy(shard.edges[0])))
            yield _joined([arrays], [house])


def _number(path: Path) -> int:
    return int("".join(char for char in path.stem if char.isdigit())[-5:])


def _joined(parts: list[dict[str, Tensor]], houses: list[tuple[Tensor, Tensor] | None]) -> Batch:
    whole = {name: torch.cat([part[name] for part in parts]) for name in parts[0]}
    owner = torch.cat([torch.full((len(part["counts"]),), i) for i, part in enumerate(parts)])
    counts = whole["counts"].long().clamp(max=LAYERS + 1) - 1
    return Batch(
        whole["strips"].contiguous(memory_format=torch.channels_last),
        whole["faces"].contiguous(memory_format=torch.channels_last),
        whole["numbers"],
        counts,
        whole["layers"],
        whole["offsets"],
        whole["levels"],
        houses,
        owner,
    )


def _varied(
    rng: np.random.Generator, shard: Shard, picked: NDArray[Any]
) -> tuple[dict[str, Tensor], tuple[Tensor, Tensor]]:
    """Return crops and references with other colours."""
    arrays = {name: torch.from_numpy(array[picked]) for name, array in shard.arrays.items()}
    swap = list(SWAPS[int(rng.integers(len(SWAPS)))]) if rng.random() < 0.5 else [0, 1, 2]
    for name in ("strips", "faces"):
        arrays[name] = seen_as(arrays[name])[:, swap]
    light = _tint(rng, len(picked), 0.05, 0.12)
    arrays["strips"], arrays["faces"] = _lit(arrays["strips"], light), _lit(arrays["faces"], light)
    take = int(rng.integers(len(shard.faces)))
    faces = np.rot90(shard.faces[take], int(rng.integers(4)), axes=(1, 2)).copy()
    edges = np.roll(shard.edges[take], int(rng.integers(128)), axis=2)
    other = _tint(rng, len(faces), 0.03, 0.08)
    house = [seen_as(torch.from_numpy(pictures))[:, swap] for pictures in (faces, edges)]
    return arrays, (_lit(house[0], other), _lit(house[1], other))


def _tint(rng: np.random.Generator, number: int, colour: float, bright: float) -> Tensor:
    gains = np.exp(rng.normal(0, colour, (number, 3, 1, 1)) + rng.normal(0, bright, (number, 1, 1, 1)))
    return torch.from_numpy(gains.astype(np.float32))


def _lit(pictures: Tensor, gains: Tensor) -> Tensor:
    """Multiply light, in the networks' own scale, where black is -2 and white is 2."""
    return ((pictures + 2) * gains).clamp(0, 4) - 2


def tokens_of(houses: list[tuple[Tensor, Tensor] | None], net: ReferenceNet, owner: Tensor) -> tuple[Tensor, Tensor]:
    """Return the reference tokens of each crop's house, padded, and what is padding; no house is one token of zeros."""
    known = [house for house in houses if house is not None]
    tokens = [torch.zeros(1, WIDE)] * len(houses)
    if known:
        faces, edges = (torch.cat(pictures) for pictures in zip(*known, strict=True))
        made = iter(net(faces, edges).split([len(house[0]) for house in known]))
        tokens = [blank if house is None else next(made) for house, blank in zip(houses, tokens, strict=True)]
    most = max(len(token) for token in tokens)
    padded = torch.stack([torch.nn.functional.pad(token, (0, 0, 0, most - len(token))) for token in tokens])
    shut = torch.stack([torch.arange(most) >= len(token) for token in tokens]).float() * NEVER
    return padded[owner], shut[owner]
