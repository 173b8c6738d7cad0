"""Training the finder: stills enter, a checkpoint and its curves leave. It goes on where it was stopped."""

import os
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from studio.learn.augment import weathered
from studio.learn.finder.loss import Truth, losses, total
from studio.learn.finder.net import FinderNet
from studio.learn.finder.sources import Sources
from studio.learn.finder.targets import targets_of
from studio.learn.finder.tiles import SIDE
from studio.learn.layers import halves_help
from studio.learn.optimization import cosine, descend, loader, save_checkpoint, update_mean
from studio.learn.warmstart import restore

BATCH = 16
RATE = 2.5e-3
WARM_UP = 300  # steps
SAVE_EVERY = 100  # steps
PROBES = 6  # batches by which an exported model is taken apart
Report = Callable[[str], None]


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


def _tiles(plan: Plan, done: int, worker: int) -> Iterator[tuple[torch.Tensor, ...]]:
    """Yield tiles with their targets, as tensors, without end."""
    rng = np.random.default_rng([plan.seed, done, worker])
    for tile in plan.sources.stream(rng):
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
        parts = {"net": self.net, "slow": self.slow, "optimiser": self.optimiser}
        states = {name: part.state_dict() for name, part in parts.items()}
        save_checkpoint(path, {**states, "step": self.step, "curve": self.curve})

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


def train(plan: Plan, report: Report) -> None:
    """Train until the planned number of tiles was seen."""
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    torch.set_num_threads(plan.threads)
    plan.out.mkdir(parents=True, exist_ok=True)
    state, checkpoint = State.fresh(plan.seed), plan.out / "finder.pt"
    batches = loader(partial(_tiles, plan, state.step), BATCH, plan.workers)
    if checkpoint.exists():
        state.load(checkpoint)
    elif plan.start is not None:
        state.take(plan.start, torch.cat([batch[0] for batch in islice(batches, PROBES)]))
    steps = plan.tiles // BATCH
    recent: list[dict[str, float]] = []
    for batch in batches:
        if state.step >= steps:
            break
        recent.append(_step(state, batch, plan.rate * _share(state.step, steps)))
        if state.step % SAVE_EVERY == 0 or state.step == steps:
            state.curve.append({name: float(np.mean([part[name] for part in recent])) for name in recent[0]})
            recent.clear()
            state.save(checkpoint)
            report(f"step {state.step}/{steps} " + " ".join(f"{k} {v:.3f}" for k, v in state.curve[-1].items()))


def _step(state: State, batch: list[torch.Tensor], rate: float) -> dict[str, float]:
    pictures = _seen(batch[0])
    state.net.train()
    with torch.autocast("cpu", torch.bfloat16, enabled=halves_help()):
        found = state.net(pictures)
    parts = losses(found.float(), Truth(*batch[1:]))
    descend(total(parts), state.net, state.optimiser, rate, longest=5.0)
    state.step += 1
    update_mean(state.slow, state.net, state.step)
    return {name: float(part.detach()) for name, part in parts.items()}


def _seen(tiles: torch.Tensor) -> torch.Tensor:
    return (tiles.float() / 255).contiguous(memory_format=torch.channels_last)


def _share(step: int, steps: int) -> float:
    """Return the learning rate's share: up quickly, then down along a cosine."""
    return (step + 1) / WARM_UP if step < WARM_UP else cosine(min(step / steps, 1.0))
