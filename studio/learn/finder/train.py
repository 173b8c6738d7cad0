"""Training the finder: stills enter, a checkpoint and its curves leave. It goes on where it was stopped."""

import math
import os
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from studio.learn.augment import weathered
from studio.learn.finder.loss import Truth, losses, total
from studio.learn.finder.net import FinderNet
from studio.learn.finder.sources import Sources
from studio.learn.finder.targets import targets_of
from studio.learn.finder.tiles import SIDE
from studio.learn.layers import halves_help
from studio.learn.warmstart import restore

BATCH = 16
RATE = 2.5e-3
WARM_UP = 300  # steps
KEPT = 0.998  # of the slow copy of the weights, each step
SAVE_EVERY = 100  # steps
PROBES = 6  # batches by which an exported model is taken apart
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """What to learn from, for how many tiles."""

    sources: Sources
    out: Path
    tiles: int
    seed: int = 1
    threads: int = 1
    workers: int = 1
    rate: float = RATE
    start: Path | None = None  # an exported model to go on from, instead of from nothing


class TileStream(IterableDataset[tuple[torch.Tensor, ...]]):
    """Tiles with their targets, as tensors, without end."""

    def __init__(self, plan: Plan, done: int) -> None:
        self._plan = plan
        self._done = done

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        worker = get_worker_info()
        cv2.setNumThreads(1)
        rng = np.random.default_rng([self._plan.seed, self._done, worker.id if worker else 0])
        for tile in self._plan.sources.stream(rng):
            goal = targets_of(tile.things, SIDE, tile.silent)
            seen = torch.from_numpy(weathered(tile.picture, rng)[..., ::-1].copy()).permute(2, 0, 1)
            maps = (goal.heat, goal.judged, goal.shape, goal.holds)
            yield (seen, *(torch.from_numpy(part) for part in maps), torch.from_numpy(tile.shown).long())


@dataclass
class State:
    """A training in progress."""

    net: FinderNet
    slow: FinderNet
    optimiser: torch.optim.Optimizer
    step: int = 0
    curve: list[dict[str, float]] = field(default_factory=list)

    @classmethod
    def fresh(cls, seed: int) -> "State":
        """Return a network that knows nothing."""
        torch.manual_seed(seed)
        net = FinderNet().to(memory_format=torch.channels_last)
        return cls(net, deepcopy(net), torch.optim.AdamW(net.parameters(), RATE, weight_decay=0.02))

    def save(self, path: Path) -> None:
        """Write the checkpoint, whole or not at all."""
        record = {
            "net": self.net.state_dict(),
            "slow": self.slow.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "curve": self.curve,
        }
        half = path.with_suffix(".half")
        torch.save(record, half)
        half.rename(path)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint."""
        record: dict[str, Any] = torch.load(path, weights_only=True)
        self.net.load_state_dict(record["net"])
        self.slow.load_state_dict(record["slow"])
        self.optimiser.load_state_dict(record["optimiser"])
        self.step, self.curve = record["step"], record["curve"]

    def take(self, model: Path, tiles: torch.Tensor) -> None:
        """Begin with the weights of an exported model."""
        restore(self.net, model, _seen(tiles))
        self.slow.load_state_dict(self.net.state_dict())


def train(plan: Plan, tell: Tell) -> None:
    """Train until the planned number of tiles was seen."""
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    torch.set_num_threads(plan.threads)
    plan.out.mkdir(parents=True, exist_ok=True)
    state, checkpoint = State.fresh(plan.seed), plan.out / "finder.pt"
    loader = DataLoader(TileStream(plan, state.step), BATCH, num_workers=plan.workers, prefetch_factor=4)
    if checkpoint.exists():
        state.load(checkpoint)
    elif plan.start is not None:
        state.take(plan.start, torch.cat([batch[0] for batch in islice(loader, PROBES)]))
    steps = plan.tiles // BATCH
    recent: list[dict[str, float]] = []
    for batch in loader:
        if state.step >= steps:
            break
        recent.append(_step(state, batch, plan.rate * _share(state.step, steps)))
        if state.step % SAVE_EVERY == 0 or state.step == steps:
            state.curve.append({name: float(np.mean([part[name] for part in recent])) for name in recent[0]})
            recent.clear()
            state.save(checkpoint)
            tell(f"step {state.step}/{steps} " + " ".join(f"{k} {v:.3f}" for k, v in state.curve[-1].items()))


def _step(state: State, batch: list[torch.Tensor], rate: float) -> dict[str, float]:
    for group in state.optimiser.param_groups:
        group["lr"] = rate
    pictures = _seen(batch[0])
    state.net.train()
    with torch.autocast("cpu", torch.bfloat16, enabled=halves_help()):
        found = state.net(pictures)
    parts = losses(found.float(), Truth(*batch[1:]))
    loss = total(parts)
    state.optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(state.net.parameters(), 5.0)
    state.optimiser.step()
    state.step += 1
    _follow(state.slow, state.net, min(KEPT, state.step / (state.step + 20)))
    return {name: float(part.detach()) for name, part in parts.items()}


def _seen(tiles: torch.Tensor) -> torch.Tensor:
    return (tiles.float() / 255).contiguous(memory_format=torch.channels_last)


def _share(step: int, steps: int) -> float:
    """Return the learning rate's share: up quickly, then down along a cosine."""
    if step < WARM_UP:
        return (step + 1) / WARM_UP
    return 0.01 + 0.99 * (1 + math.cos(math.pi * min(step / steps, 1.0))) / 2


@torch.no_grad()
def _follow(slow: FinderNet, net: FinderNet, kept: float) -> None:
    """Move the slow copy a little towards the network."""
    for old, new in zip(slow.state_dict().values(), net.state_dict().values(), strict=True):
        if old.dtype.is_floating_point:
            old.mul_(kept).add_(new, alpha=1 - kept)
        else:
            old.copy_(new)
