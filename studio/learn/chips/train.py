"""Training of the chip reader: a pool of crops and some hours enter; checkpoints, curves and model files leave.

The run is bound by time: the learning rate falls along the hours given, and a run that was stopped goes on from its
last checkpoint.
"""

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from studio.learn.chips.batches import Batch, Pool
from studio.learn.chips.pool import POOL
from studio.learn.chips.reader import Reader, losses
from studio.learn.optimization import cosine, descend, save_checkpoint, update_mean

RATE, WARM_STEPS, DECAY = 1.2e-3, 200, 0.02
ROWS_WEIGHT, BORDERS_WEIGHT = 0.5, 0.25
CHECK_S, LOG_S = 240.0, 60.0
CHECKED = 24  # held out shards that a check reads


class Run:
    """A training run in a folder."""

    def __init__(self, out: Path, seed: int) -> None:
        torch.manual_seed(seed)
        self.out, self.rng = out, np.random.default_rng([seed, 5])
        self.reader, self.mean = Reader(), Reader()
        self.mean.load_state_dict(self.reader.state_dict())
        self.optimiser = torch.optim.AdamW(self.reader.parameters(), RATE, weight_decay=DECAY)
        self.steps, self.spent_s = 0, 0.0
        self.history: list[dict[str, float]] = []
        if self.checkpoint.exists():
            self._resume()

    @property
    def checkpoint(self) -> Path:
        """Return where the run's state is kept."""
        return self.out / "last.pt"

    def _resume(self) -> None:
        state: dict[str, Any] = torch.load(self.checkpoint, weights_only=True)
        self.reader.load_state_dict(state["reader"])
        self.mean.load_state_dict(state["mean"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.steps, self.spent_s = state["steps"], state["spent_s"]
        self.history = json.loads(state["history"])
        self.rng = np.random.default_rng([self.steps, 6])

    def save(self) -> None:
        """Write the state, whole or not at all."""
        parts = {"reader": self.reader, "mean": self.mean, "optimiser": self.optimiser}
        states = {name: part.state_dict() for name, part in parts.items()}
        numbers = {"steps": self.steps, "spent_s": self.spent_s, "history": json.dumps(self.history)}
        save_checkpoint(self.checkpoint, {**states, **numbers})

    def step(self, batch: Batch, share: float) -> dict[str, float]:
        """Learn from one batch at a share of the time."""
        rate = RATE * min(1.0, (self.steps + 1) / WARM_STEPS) * cosine(share)
        found = losses(self.reader.train()(batch), batch)
        total = found["count"] + found["chain"] + BORDERS_WEIGHT * found["borders"]
        total = total + ROWS_WEIGHT * found.get("rows", torch.zeros(()))
        descend(total, self.reader, self.optimiser, rate)
        self.steps += 1
        update_mean(self.mean, self.reader, self.steps)
        return {name: float(value.detach()) for name, value in found.items()}


def train(out: Path, hours: float, seed: int, report: Callable[[str], None]) -> None:
    """Train in a folder until the hours are spent; `out/pool` holds the crops, and may grow meanwhile."""
    torch.set_num_threads(1)
    run, pool = Run(out, seed), Pool(out / POOL)
    report(f"{len(pool.low)} and {len(pool.tall)} shards, {len(pool.held_out)} held out; {run.steps} steps so far")
    start, limit = time.monotonic() - run.spent_s, hours * 3600
    logged = checked = run.spent_s
    recent: list[dict[str, float]] = []
    while run.spent_s < limit:
        recent.append(run.step(pool.draw(run.rng), min(run.spent_s / limit, 1.0)))
        run.spent_s = time.monotonic() - start
        if run.spent_s - logged > LOG_S:
            logged = run.spent_s
            report(_line(run, recent, limit))
        if run.spent_s - checked > CHECK_S or run.spent_s >= limit:
            checked = run.spent_s
            pool.refresh()
            run.history.append({"steps": run.steps, **_means(recent), **check(run.mean, pool)})
            recent = []
            run.save()
            draw_curves(run.history, out / "curves.png")
            report(json.dumps({name: round(value, 4) for name, value in run.history[-1].items()}))


def _means(recent: list[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([entry.get(name, 0.0) for entry in recent])) for name in ("count", "chain", "rows")}


def _line(run: Run, recent: list[dict[str, float]], limit: float) -> str:
    means = _means(recent[-100:])
    words = " ".join(f"{name}={value:.3f}" for name, value in means.items())
    return f"step {run.steps} {run.spent_s / 60:.1f}/{limit / 60:.0f} min {words}"


def check(reader: Reader, pool: Pool) -> dict[str, float]:
    """Return how well held out shards are read."""
    reader.eval()
    sums: dict[str, float] = {}
    for batch in pool.check(CHECKED):
        with torch.no_grad():
            scores = reader(batch)
        for name, value in losses(scores, batch).items():
            _add(sums, f"val_{name}", float(value), 1.0)
        for name, hits in _hits(scores, batch).items():
            _add(sums, name, float(hits.sum()), float(len(hits)))
    return {name: sums[name] / max(sums[f"{name}#"], 1.0) for name in sums if not name.endswith("#")}


def _hits(scores: tuple[torch.Tensor, ...], batch: Batch) -> dict[str, torch.Tensor]:
    """Return which counts and chips are right, by view: edges of 2 pixels a chip, and of about one."""
    off = (scores[0].argmax(1) - batch.counts).abs()
    edge_px = torch.exp(batch.numbers[:, 0]) * 1.5
    posed = batch.numbers[:, 4] > 0.5
    clear = (edge_px >= 2) & (batch.counts < 8)
    near = (edge_px >= 0.7) & (edge_px < 1.5) & (batch.counts < 8)
    return {
        "exact": (off == 0).float(),
        "exact_clear": (off[clear & posed] == 0).float(),
        "one_clear": (off[clear & posed] <= 1).float(),
        "exact_unposed": (off[clear & ~posed] == 0).float(),
        "exact_near": (off[near & posed] == 0).float(),
        "one_near": (off[near & posed] <= 1).float(),
        "chip": (scores[1].argmax(2) == batch.layers)[batch.layers >= 0].float(),
        "top_chip": (scores[1][:, 0].argmax(1) == batch.layers[:, 0]).float(),
    }


def _add(sums: dict[str, float], name: str, value: float, number: float) -> None:
    sums[name] = sums.get(name, 0.0) + value
    sums[f"{name}#"] = sums.get(f"{name}#", 0.0) + number


def draw_curves(history: list[dict[str, float]], path: Path) -> None:
    """Draw losses and held out scores over the steps."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4))
    steps = [entry["steps"] for entry in history]
    for name in ("count", "chain", "val_count", "val_chain"):
        left.plot(steps, [entry.get(name, math.nan) for entry in history], label=name)
    for name in ("exact", "exact_clear", "exact_near", "chip", "top_chip"):
        right.plot(steps, [entry.get(name, math.nan) for entry in history], label=name)
    for axes in (left, right):
        axes.set_xlabel("steps")
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(path, dpi=80, bbox_inches="tight")
    pyplot.close(figure)
