"""Layers that our small networks share, and the numbers they are trained in."""

from functools import cache

import torch
from torch import Tensor, nn


def conv(into: int, out: int, stride: int = 1) -> nn.Sequential:
    """Return a 3x3 convolution with its normalisation and activation."""
    return nn.Sequential(nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True))


class Block(nn.Module):
    """Two convolutions beside a straight path."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        """Add what the convolutions find."""
        return torch.relu(x + self.second(self.first(x)))


@cache
def halves_help() -> bool:
    """Say whether this processor multiplies bfloat16 natively: twice as fast then, many times slower elsewhere."""
    return bool(torch.cpu._is_avx512_bf16_supported())  # noqa: SLF001 - there is no public way to ask
