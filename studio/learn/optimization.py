"""What every training shares: endless samples, the learning rate, one optimizer step, mean weights, checkpoints."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

MEAN_KEPT = 0.998  # of the mean weights at each step (chosen)
FIRST_STEPS = 20  # the mean forgets faster in about so many first steps (chosen)
Samples = Callable[[int], Iterator[tuple[Any, ...]]]  # a worker's number enters, samples leave without end


class Stream(IterableDataset[tuple[Any, ...]]):
    """Samples without end, made by worker processes."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        worker = get_worker_info()
        cv2.setNumThreads(1)
        return self._samples(worker.id if worker else 0)


def loader(samples: Samples, batch: int, workers: int = 1) -> "DataLoader[tuple[Any, ...]]":
    """Return batches of endless samples."""
    return DataLoader(Stream(samples), batch, num_workers=workers, prefetch_factor=4)


def cosine(share: float) -> float:
    """Return which part of the learning rate is left at a share of the training: down a cosine, to a hundredth."""
    return 0.01 + 0.99 * (1 + math.cos(math.pi * share)) / 2


def descend(loss: Tensor, net: nn.Module, optimizer: torch.optim.Optimizer, rate: float, longest: float = 2.0) -> None:
    """Take one step against the gradient, which is cut down to a length."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), longest)
    optimizer.step()


@torch.no_grad()
def update_mean(mean: nn.Module, net: nn.Module, steps: int) -> None:
    """Move the mean weights a little towards the network."""
    kept = min(MEAN_KEPT, steps / (steps + FIRST_STEPS))
    for old, new in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
        if old.dtype.is_floating_point:
            old.mul_(kept).add_(new, alpha=1 - kept)
        else:
            old.copy_(new)


def save_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Write a training's state, whole or not at all."""
    half = path.with_suffix(".half")
    torch.save(state, half)
    half.rename(path)
