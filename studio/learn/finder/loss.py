"""How wrong the finder's maps are: focal loss on heat, shares of size on descriptions, cross-entropy on what shows."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, logsigmoid

from studio.learn.finder.tiles import UNJUDGED
from vision.detect import maps

# Heat is a sum over all cells and would drown the rest: without these shares hands are not learned for hours.
WEIGHTS = {"heat": 0.4, "offset": 1.5, "card": 1.0, "stack": 1.0, "box": 0.2, "shown": 2.0}
RARE_KINDS = (1.0, 1.0, 1.0, 2.0, 1.0, 1.0)  # of what shows: hands count double, they hide the rest


@dataclass(frozen=True)
class Truth:
    """A batch of targets as tensors."""

    heat: Tensor
    judged: Tensor
    shape: Tensor
    holds: Tensor
    shown: Tensor


def losses(found: Tensor, truth: Truth) -> dict[str, Tensor]:
    """Return every part of the loss by name."""
    shape = found[:, : maps.SHOWN.start]
    size = truth.shape[:, maps.LONG].norm(dim=1, keepdim=True).clamp(min=1.0)
    off = (shape - truth.shape).abs() * truth.holds
    card = off[:, maps.LONG.start : maps.SHORT.stop] / size
    stack = torch.cat([off[:, maps.BASE], off[:, maps.TOP], off[:, maps.RADIUS : maps.FLATNESS + 1] * 3], dim=1)
    return {
        "heat": _focal(found[:, : maps.HEATS], truth),
        "offset": _mean(off[:, maps.OFFSET], truth.holds[:, maps.OFFSET]),
        "card": _mean(card, truth.holds[:, maps.LONG.start : maps.SHORT.stop]) * 4,
        "stack": _mean(stack, truth.holds[:, maps.BASE.start : maps.FLATNESS + 1]) * 2,
        "box": _mean(off[:, maps.HALF], truth.holds[:, maps.HALF]),
        "shown": cross_entropy(
            found[:, maps.SHOWN], truth.shown, weight=torch.tensor(RARE_KINDS), ignore_index=UNJUDGED
        ),
    }


def total(parts: dict[str, Tensor]) -> Tensor:
    """Return the weighted sum."""
    return torch.stack([WEIGHTS[name] * part for name, part in parts.items()]).sum()


def _focal(found: Tensor, truth: Truth) -> Tensor:
    """Judge heat: middles should be hot, all else cold, and near a middle it matters less."""
    p = found.sigmoid()
    middle = (truth.heat >= 1).float()
    hot = logsigmoid(found) * (1 - p) ** 2 * middle
    cold = logsigmoid(-found) * p**2 * (1 - truth.heat) ** 4 * (1 - middle) * truth.judged
    return -(hot + cold).sum() / middle.sum().clamp(min=1.0)


def _mean(off: Tensor, holds: Tensor) -> Tensor:
    return off.sum() / holds.sum().clamp(min=1.0)
