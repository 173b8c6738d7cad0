"""Training and export of the corner refiner: tiles of the finder's sources enter; a checkpoint, then a model leave."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, smooth_l1_loss

from studio.learn.augment import weathered
from studio.learn.finder.lessons import lesson_of, name_of, read_lessons
from studio.learn.finder.sources import Sources
from studio.learn.layers import Block, conv, halves_help
from studio.learn.onnx_file import onnx_bytes
from studio.learn.optimization import cosine, descend, loader, save_checkpoint
from studio.learn.pictures import read_pictures
from studio.learn.sheets import write_model
from studio.learn.squarer.crops import Crop, crops, still_crops
from vision.detect.corner_refiner import SIDE

BATCH, RATE, WARM_UP, SHUFFLED = 96, 2e-3, 100, 1500
STUDIED = 0.4  # stills a tile: so that most crops are of what the finder found
CORNERS = 4.0  # how much corners count beside sides
SAVE_S = 60.0
# How sure both looks must be: in one picture of a table (98 of 100 are cards then, on half of the test stills), where
# more looks follow (compared on filmed test looks), and in any other picture.
LEAST = {"least": 0.55, "least_watched": 0.44, "least_searched": 0.34}
Report = Callable[[str], None]


class SquarerNet(nn.Module):
    """Crops (n, 3, SIDE, SIDE) in 0..1 enter; logits of none, up, down, and eight moves of corners leave."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            conv(3, 24, 2), conv(24, 32), conv(32, 48, 2), Block(48), conv(48, 80, 2), Block(80), conv(80, 96, 2)
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(96 * (SIDE // 16) ** 2, 128), nn.ReLU(inplace=True))
        self.sides = nn.Linear(128, 3)
        self.corners = nn.Linear(128, 8)

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """Return sides and corners."""
        found = self.head(self.trunk(pictures * 2 - 1))
        return self.sides(found), self.corners(found)


def _samples(sources: Sources, seed: int, worker: int) -> Iterator[tuple[Any, ...]]:
    """Yield crops as tensors, without end, mixed from many tiles."""
    rng = np.random.default_rng([seed, worker, 3])
    waiting: list[Any] = []
    for some in _groups(sources, rng):
        waiting += some
        while len(waiting) > SHUFFLED:
            one = waiting.pop(int(rng.integers(len(waiting))))
            picture = torch.from_numpy(weathered(one.picture, rng).copy()).permute(2, 0, 1)
            yield picture, one.side, torch.from_numpy(one.moves.reshape(8).astype(np.float32))


def _groups(sources: Sources, rng: np.random.Generator) -> Iterator[Iterator[Crop]]:
    """Yield crops in groups: of tiles from all sources, and of stills as the finder saw them, where it did."""
    lessons = read_lessons(sources.lessons)
    stills = [still for still in read_pictures(sources.stills) if name_of(still) in lessons]
    for tile in sources.stream(rng):
        yield crops(tile, rng)
        if stills and rng.random() < STUDIED:
            still = stills[int(rng.integers(len(stills)))]
            yield still_crops(still, lesson_of(still, lessons).rough, rng)


def train(sources: Sources, out: Path, steps: int, seed: int, report: Report) -> None:
    """Train for a number of steps, going on from a checkpoint."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    out.mkdir(parents=True, exist_ok=True)
    net, checkpoint = SquarerNet().to(memory_format=torch.channels_last), out / "squarer.pt"
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=0.02)
    step = _resume(checkpoint, net, optimiser)
    saved, recent = time.monotonic(), []
    for batch in loader(partial(_samples, sources, seed + step), BATCH):
        if step >= steps:
            break
        recent.append(_step(net, optimiser, batch, RATE * min(1.0, (step + 1) / WARM_UP) * cosine(step / steps)))
        step += 1
        if time.monotonic() - saved > SAVE_S or step == steps:
            saved = time.monotonic()
            state = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "step": step}
            save_checkpoint(checkpoint, state)
            side, corner, right = np.mean(recent, axis=0)
            report(f"squarer step {step}/{steps} sides {side:.3f} corners {corner:.4f} right {right:.3f}")
            recent = []


def _step(net: SquarerNet, optimiser: Any, batch: tuple[Tensor, ...], rate: float) -> tuple[float, ...]:
    pictures, sides, moves = batch
    net.train()
    with torch.autocast("cpu", torch.bfloat16, enabled=halves_help()):
        said = net((pictures.float() / 255).contiguous(memory_format=torch.channels_last))
    logits, found = (part.float() for part in said)
    cards = sides > 0
    side = cross_entropy(logits, sides)
    corner = smooth_l1_loss(found[cards], moves[cards], beta=0.1) if cards.any() else torch.zeros(())
    descend(side + CORNERS * corner, net, optimiser, rate)
    right = (logits.argmax(1) == sides).float().mean()
    return float(side.detach()), float(corner.detach()), float(right)


def _resume(checkpoint: Path, net: SquarerNet, optimiser: Any) -> int:
    if not checkpoint.exists():
        return 0
    state = torch.load(checkpoint, weights_only=True)
    net.load_state_dict(state["net"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])


def export(out: Path, models: Path) -> None:
    """Write `squarer.onnx` and `squarer.toml`; it sees crops as BGR."""
    net = SquarerNet()
    net.load_state_dict(torch.load(out / "squarer.pt", weights_only=True)["net"])
    axes = {name: {0: "batch"} for name in ("crops", "sides", "corners")}
    weights = onnx_bytes(net, (torch.zeros(2, 3, SIDE, SIDE),), ["crops"], ["sides", "corners"], axes)
    write_model(models, "squarer", "the corners and the side of a card roughly found", weights, LEAST)
