"""Both networks together, as they are trained: a batch enters, scores and losses leave."""

import torch
from torch import Tensor
from torch.nn import functional

from studio.learn.chips.batches import Batch, tokens_of
from studio.learn.chips.net import LAYERS, ReferenceNet, StackNet, border_loss, chain_loss, row_loss, stretch

HAS_FAST_HALVES = torch.backends.cpu.get_cpu_capability() == "AVX512"  # elsewhere half precision is slower


class Reader(torch.nn.Module):
    """Both networks, as they are trained."""

    def __init__(self) -> None:
        super().__init__()
        self.references = ReferenceNet()
        self.stack = StackNet().to(memory_format=torch.channels_last)

    def forward(self, batch: Batch) -> tuple[Tensor, ...]:
        """Return all scores of a batch."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.training and HAS_FAST_HALVES):
            tokens, shut = tokens_of(batch.houses, self.references, batch.owner)
            scores = self.stack(batch.strips, batch.faces, batch.numbers, tokens, shut)
        return tuple(score.float() for score in scores)


def losses(scores: tuple[Tensor, ...], batch: Batch) -> dict[str, Tensor]:
    """Return what is to be made small: wrong counts, wrong chains, and rows that do not know where they are."""
    count, layers, steps, rows, borders, starts = scores
    named = torch.tensor([house is not None for house in batch.houses])[batch.owner]
    found = {"count": functional.cross_entropy(count, batch.counts), "chain": torch.zeros(())}
    if named.any():
        found["chain"] = chain_loss(layers[named], steps[named], batch.layers[named]).mean()
    found["borders"] = border_loss(borders, (batch.counts, batch.offsets, stretch(batch.numbers)))
    seen = named & ~batch.levels[:, 0].isnan() & (batch.counts < LAYERS)
    if seen.any():
        found["rows"] = row_loss(rows[seen], starts[seen], batch.layers[seen], batch.levels[seen])
    return found
