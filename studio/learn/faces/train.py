"""Training of the face readers: art, photographs and hours enter; checkpoints, curves and at last models leave.

A child process prints crops while the two networks, a process each, learn from those that are there. A run that was
stopped goes on from its checkpoints.
"""

import json
import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from studio.learn.faces.net import FaceNet
from studio.learn.faces.real import make_real
from studio.learn.faces.shards import make_art, read_part, shard_paths, write_shards
from studio.learn.optimization import descend, save_checkpoint
from vision.detect.faces import NONE

KINDS: Final = ("whole", "corner")
BATCH: Final = 64  # a quarter of it real crops, where there are any
PEAK_RATE: Final = 3e-3
DECAY: Final = 0.995  # of the running mean of the weights, which is what is shipped
SHARDS: Final = 60
CHECK_S: Final = 60.0
Report = Callable[[str], None]


@dataclass
class Learner:
    """One network with all that it needs to go on learning."""

    kind: str
    net: Any
    mean: Any
    optimizer: Any
    steps: int = 0

    @classmethod
    def new(cls, kind: str) -> "Learner":
        """Start from nothing."""
        net = FaceNet(kind).to(memory_format=torch.channels_last)
        mean = torch.optim.swa_utils.AveragedModel(
            net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(DECAY), use_buffers=True
        )
        return cls(kind, net, mean, torch.optim.AdamW(net.parameters(), lr=PEAK_RATE, weight_decay=0.01))

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint keeps."""
        return {
            "net": self.net.state_dict(),
            "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "steps": self.steps,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.net.load_state_dict(state["net"])
        self.mean.load_state_dict(state["mean"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps = int(state["steps"])

    def step(self, pictures: NDArray[np.uint8], labels: NDArray[np.int64], rate: float) -> float:
        """Learn from one batch; return the loss."""
        self.net.train()
        found = loss_of(self.net(_varied(_tensor(pictures))), torch.from_numpy(labels))
        descend(found, self.net, self.optimizer, rate)
        self.mean.update_parameters(self.net)
        self.steps += 1
        return float(found.detach())


def loss_of(logits: Any, labels: Any) -> Any:
    """Return how wrong rank and suit are; -1 is not learned from."""
    losses = []
    for part, truth in ((logits[:, : NONE + 1], labels[:, 0]), (logits[:, NONE + 1 :], labels[:, 1])):
        if bool((truth >= 0).any()):
            losses.append(nn.functional.cross_entropy(part, truth, ignore_index=-1, label_smoothing=0.02))
    return sum(losses)


def _tensor(pictures: NDArray[np.uint8]) -> Any:
    batch = torch.from_numpy(np.ascontiguousarray(pictures)).permute(0, 3, 1, 2).float()
    return batch.contiguous(memory_format=torch.channels_last)


def _varied(batch: Any) -> Any:
    """Change light and colour of each crop a little, so that a crop seen again is not the same."""
    number = batch.shape[0]
    gain = 1 + 0.12 * torch.randn(number, 1, 1, 1) + 0.05 * torch.randn(number, 3, 1, 1)
    return (batch * gain + 10 * torch.randn(number, 1, 1, 1) + 3 * torch.randn_like(batch)).clamp(0, 255)


Lot = tuple[NDArray[np.uint8], NDArray[np.int64]]  # pictures and their labels


class Stock:
    """The crops of one kind that there are: printed ones and real ones, as they appear."""

    def __init__(self, out: Path, kind: str, seed: int) -> None:
        self._out, self._kind, self._rng = out, kind, np.random.default_rng([seed, 9])
        self._printed: dict[str, Lot] = {}
        self._real: dict[str, Lot] = {}

    def refresh(self) -> int:
        """Read shards that have appeared; return how many printed crops there are."""
        for path in shard_paths(self._out):
            if path.name not in self._printed:
                self._printed[path.name] = read_part(path, self._kind)
        for path in sorted((self._out / "real").glob("train-*.npz")):
            if path.name not in self._real:
                self._real[path.name] = read_part(path, self._kind)
        return sum(len(labels) for _, labels in self._printed.values())

    def draw(self) -> Lot:
        """Return one batch of pictures and labels."""
        printed, real = list(self._printed.values()), list(self._real.values())
        shares = [(printed[self._rng.integers(len(printed))], BATCH // 4) for _ in range(3)]
        if real:
            shares += [(real[self._rng.integers(len(real))], BATCH // 16) for _ in range(4)]
        parts = [self._from(lot, number) for lot, number in shares]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def _from(self, lot: Lot, number: int) -> Lot:
        chosen = self._rng.integers(len(lot[1]), size=number)
        return lot[0][chosen], lot[1][chosen]


def train(out: Path, art: Path | None, photos: Path | None, hours: float, seed: int, report: Report) -> None:
    """Train both readers for some hours more, side by side; each goes on from its checkpoint in `out`."""
    make_art(out, art, out.parent / "train", seed)
    context = multiprocessing.get_context("spawn")
    printer = context.Process(target=write_shards, args=(out, seed, SHARDS), daemon=True)
    printer.start()
    make_real(out, photos, out.parent / "train", seed)
    while not shard_paths(out):
        time.sleep(2)
    corner = context.Process(target=run, args=(out, "corner", hours, seed), daemon=True)
    corner.start()
    run(out, "whole", hours, seed, report)
    corner.join()
    printer.terminate()
    draw_curves(out)


def run(out: Path, kind: str, hours: float, seed: int, report: Report | None = None, peak: float = PEAK_RATE) -> None:
    """Learn from the crops of a folder for some hours; the rate rises at first and falls to nothing at the end."""
    torch.set_num_threads(1)
    learner = Learner.new(kind)
    _restore(out, learner)
    torch.manual_seed(seed + learner.steps)
    stock, history = Stock(out, kind, seed + learner.steps), _history(out, kind)
    begun = told = time.monotonic()
    number, losses = stock.refresh(), []
    while (share := (time.monotonic() - begun) / (hours * 3600)) < 1:
        rate = peak * min(1.0, share / 0.04 + 0.05) * (0.5 + 0.5 * float(np.cos(np.pi * share)))
        losses.append(learner.step(*stock.draw(), rate))
        if time.monotonic() - told > CHECK_S:
            told = time.monotonic()
            history.append((learner.steps, float(np.mean(losses))))
            if report:
                report(f"faces {kind} share={share:.2f} steps={learner.steps} crops={number} loss={history[-1][1]:.4f}")
            number, losses = stock.refresh(), []
            _keep(out, learner, history)
    _keep(out, learner, history)


def _keep(out: Path, learner: Learner, history: list[tuple[int, float]]) -> None:
    save_checkpoint(out / f"{learner.kind}.pt", learner.state())
    (out / f"history-{learner.kind}.json").write_text(json.dumps(history), encoding="utf-8")


def _restore(out: Path, learner: Learner) -> None:
    path = out / f"{learner.kind}.pt"
    if path.exists():
        learner.restore(torch.load(path, weights_only=True))


def _history(out: Path, kind: str) -> list[tuple[int, float]]:
    path = out / f"history-{kind}.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return [(int(steps), float(loss)) for steps, loss in found]


def draw_curves(out: Path) -> None:
    """Draw how the loss of both networks fell, as `curves.png`."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    for kind in KINDS:
        history = _history(out, kind)
        axes.plot([steps for steps, _ in history], [loss for _, loss in history], label=kind)
    axes.set(xlabel="steps of 64 crops", ylabel="loss (rank + suit)", title="Face readers")
    axes.legend()
    figure.savefig(out / "curves.png", dpi=110)
    pyplot.close(figure)
