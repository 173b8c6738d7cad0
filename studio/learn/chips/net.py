"""The chip reader's networks: strips, faces, numbers and references enter; how many chips, and which, leave.

`ReferenceNet` turns the pictures of a denomination into a token. `StackNet` turns a stack into tokens (rows of its
strip, places of its face, its numbers), lets them look at each other and at the references, and answers with
a count and a chain: per layer from the top a score for each reference, and per step down a score for each pair. The
chain's probability is normalised as a whole (a conditional random field), so runs of one colour are learned.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.detect.stack_crop import ABOVE, DEEP, FACE, GEOMETRY, ROWS_PER_CHIP

LAYERS = 20
COUNTS = LAYERS + 1  # one, two, … twenty, more
WIDE = 96
HEADS = 4
DEPTH = 3
FACE_TOKENS = (FACE // 16) ** 2
ROWS = 2 * (ABOVE + DEEP)  # tokens of a whole strip, two to a chip; low stacks are learned from lower strips
BORDERS = 2 * ROWS + 1  # places where a wall may begin or end: quarters of a chip, and beyond
ROW_PX = ROWS_PER_CHIP // 2
NEVER = -1e4  # score of what cannot be; finite, so that sums stay numbers


def _conv(
    wide_in: int, wide_out: int, stride: int | tuple[int, int] = 1, reach: tuple[int, int] = (3, 3)
) -> nn.Sequential:
    around = (reach[0] // 2, reach[1] // 2)
    conv = nn.Conv2d(wide_in, wide_out, reach, stride, around, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(wide_out), nn.ReLU(inplace=True))


def _along(wide_in: int, wide_out: int, reach: int) -> nn.Sequential:
    conv = nn.Conv1d(wide_in, wide_out, reach, 1, reach // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm1d(wide_out), nn.ReLU(inplace=True))


def seen_as(picture: Tensor) -> Tensor:
    """Return bytes (…, h, w, BGR) as the networks want them (…, BGR, h, w)."""
    return (picture.float() / 255 - 0.5).movedim(-1, -3) * 4


class ReferenceNet(nn.Module):
    """A denomination's face and edge become one token."""

    def __init__(self) -> None:
        super().__init__()
        self.face = nn.Sequential(_conv(3, 16, 2), _conv(16, 24, 2), _conv(24, 40, 2), nn.AdaptiveAvgPool2d(2))
        self.edge = nn.Sequential(_conv(3, 16, 2), _conv(16, 24, 2), _conv(24, 40, 2), nn.AdaptiveAvgPool2d(1))
        self.join = nn.Sequential(nn.Linear(40 * 5 + 24, WIDE * 2), nn.ReLU(), nn.Linear(WIDE * 2, WIDE))

    def forward(self, face: Tensor, edge: Tensor) -> Tensor:
        """Return tokens (k, WIDE) of faces (k, 3, 64, 64) and edges (k, 3, 16, 128)."""
        flat_edge = edge.flatten(2)
        plain = torch.cat([flat_edge.mean(2), flat_edge.std(2), _quarters(edge)], 1)
        return self.join(torch.cat([self.face(face).flatten(1), self.edge(edge).flatten(1), plain], 1))


def _quarters(edge: Tensor) -> Tensor:
    """Return the mean colours of an edge's darkest to brightest parts: bases and spots apart."""
    row = edge.mean(2)[:, :, :126]
    order = row.mean(1, keepdim=True).argsort(2).expand_as(row)
    return torch.gather(row, 2, order).reshape(row.shape[0], 3, 6, 21).mean(3).flatten(1)


class Block(nn.Module):
    """One round of looking around, then thinking."""

    def __init__(self) -> None:
        super().__init__()
        self.calm, self.calm_too = nn.LayerNorm(WIDE), nn.LayerNorm(WIDE)
        self.ask, self.tell = nn.Linear(WIDE, WIDE * 3), nn.Linear(WIDE, WIDE)
        self.think = nn.Sequential(nn.Linear(WIDE, WIDE * 2), nn.GELU(), nn.Linear(WIDE * 2, WIDE))

    def forward(self, tokens: Tensor, shut: Tensor) -> Tensor:
        """Return the tokens after the round; `shut` (b, 1, 1, n) is NEVER where a token is not there."""
        some, number, _ = tokens.shape
        parts = self.ask(self.calm(tokens)).reshape(some, number, 3, HEADS, WIDE // HEADS).permute(2, 0, 3, 1, 4)
        weights = (parts[0] @ parts[1].transpose(-1, -2) * (WIDE // HEADS) ** -0.5 + shut).softmax(-1)
        tokens = tokens + self.tell((weights @ parts[2]).transpose(1, 2).reshape(some, number, WIDE))
        return tokens + self.think(self.calm_too(tokens))


class StackNet(nn.Module):
    """A stack and the references of its house become scores."""

    def __init__(self) -> None:
        super().__init__()
        tall = nn.Conv2d(3, 32, (7, 5), (ROW_PX, 2), (2, 2), bias=False)  # two rows to a chip
        self.rows = nn.Sequential(
            tall, nn.BatchNorm2d(32), nn.ReLU(inplace=True), _conv(32, 40, (1, 2)), _conv(40, 48, (1, 2))
        )
        self.strip = _conv(48, 64, (1, 2))
        self.edges = nn.Sequential(
            _along(48 * 8, 64, 1), _along(64, 64, 5), _along(64, 64, 5), nn.Conv1d(64, 4, 5, 1, 2)
        )
        self.row = nn.Linear(64 * 4, WIDE)
        self.top = nn.Sequential(_conv(3, 16, 2), _conv(16, 32, 2), _conv(32, 48, 2), _conv(48, 64, 2))
        self.spot = nn.Linear(64, WIDE)
        self.number = nn.Sequential(nn.Linear(GEOMETRY, 64), nn.ReLU(), nn.Linear(64, WIDE))
        self.layer = nn.Parameter(torch.randn(1, LAYERS, WIDE) * 0.1)
        self.place = nn.Parameter(torch.randn(1, ROWS, WIDE) * 0.1)
        self.spots = nn.Parameter(torch.randn(1, FACE_TOKENS, WIDE) * 0.1)
        self.kind = nn.Parameter(torch.randn(1, 1, WIDE) * 0.1)  # of references
        self.blocks = nn.ModuleList([Block() for _ in range(DEPTH)])
        self.calm = nn.LayerNorm(WIDE)
        self.count = nn.Sequential(nn.Linear(WIDE, WIDE), nn.GELU(), nn.Linear(WIDE, COUNTS))
        self.trust = nn.Parameter(torch.ones(1))  # in where the wall begins and ends
        self.step, self.rims = nn.Linear(WIDE, 1), nn.Conv1d(64, 1, 5, 1, 2)  # how many chips begin in a row
        self.faith = nn.Parameter(torch.full((1,), -2.0))  # in the number of chips that begin in all rows
        self.along = nn.Linear(WIDE, WIDE)  # rows that belong to a chip by the number of those that began above
        self.pair = nn.Linear(WIDE * 2, WIDE)  # the two halves of a chip
        self.asked, self.offered = nn.Linear(WIDE, WIDE), nn.Linear(WIDE, WIDE)
        self.stay = nn.Linear(WIDE, 3)  # scores of the same chip, a dearer one, a cheaper one, below this layer
        self.border = nn.Linear(WIDE, 4)  # rows: the wall begins in their upper half, in their lower; it ends there
        self.beyond = nn.Linear(WIDE, 1)  # the wall ends below the strip

    def tokens(self, seen: Tensor, face: Tensor, numbers: Tensor) -> Tensor:
        """Return a stack's own tokens: its numbers, its rows, its face."""
        rows = self.row(self.strip(seen).permute(0, 2, 1, 3).flatten(2))
        spots = self.spot(self.top(face).flatten(2).transpose(1, 2)) + self.spots
        return torch.cat([self.number(numbers)[:, None], rows + self.place[:, : rows.shape[1]], spots], 1)

    def forward(
        self, strip: Tensor, face: Tensor, numbers: Tensor, references: Tensor, shut: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Return scores of counts, layers and steps; then of the rows: scores, borders, how many chips begin there.

        `references` (b, k, WIDE); `shut` (b, k) is 0 for a reference and NEVER for padding.
        """
        seen = self.rows(strip)
        own = self.tokens(seen, face, numbers)
        here = own.shape[1]
        tokens = torch.cat([own, references + self.kind], 1)
        closed = torch.cat([torch.zeros_like(own[..., 0]), shut], 1)[:, None, None]
        for block in self.blocks:
            tokens = block(tokens, closed)
        tokens = self.calm(tokens)
        rows = tokens[:, 1 : here - FACE_TOKENS]
        local = self.edges[:3](seen.permute(0, 1, 3, 2).flatten(1, 2))
        begin, end = self._borders(local, rows, tokens[:, 0])
        starts = functional.softplus(self.step(rows)[..., 0] + self.rims(local)[:, 0] - 2)
        halves = _shares(begin.softmax(1), rows.shape[1]) @ rows
        layers = self.layer + self.pair(halves.unflatten(1, (LAYERS, 2)).flatten(2)) + self.along(_begun(starts) @ rows)
        offered = self.offered(tokens[:, here:])
        scores = self.asked(torch.cat([layers, rows], 1)) @ offered.transpose(1, 2) * WIDE**-0.5 + shut[:, None]
        seen_height = _counted(begin.softmax(1), end.softmax(1), stretch(numbers))
        count = self.count(tokens[:, 0]) + self.trust * seen_height + self._added_up(starts)
        steps = _steps(self.stay(layers), references.shape[1])
        return count, scores[:, :LAYERS], steps, scores[:, LAYERS:], torch.stack([begin, end], 1), starts

    def _added_up(self, starts: Tensor) -> Tensor:
        """Return count scores (b, COUNTS) by what each row adds to the number of chips."""
        total = starts.sum(1, keepdim=True)
        return -functional.softplus(self.faith) * (torch.arange(1, COUNTS + 1) - total).square().clamp(max=9.0)

    def _borders(self, local: Tensor, rows: Tensor, whole: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores of where the wall begins and ends, in quarters of a chip from the strip's first row.

        Edges are local and want the full resolution; what they mean is known to the tokens: both have a say.
        """
        known = self.border(rows) + self.edges[3](local).transpose(1, 2)
        begin, end = known[..., :2].flatten(1), known[..., 2:].flatten(1)
        return torch.cat([begin, torch.full_like(begin[:, :1], NEVER)], 1), torch.cat([end, self.beyond(whole)], 1)


def stretch(numbers: Tensor) -> Tensor:
    """Return a chip's height in the strip (b,): 1, or less where the camera looks down too steeply to stretch it."""
    return torch.exp(numbers[:, 0] - numbers[:, 1]).clamp(max=1.0)


def _shares(begin: Tensor, rows: int) -> Tensor:
    """Return how much each row belongs to the halves of each layer (b, 2 * LAYERS, rows), by where the wall begins."""
    from_start = 2 * (torch.arange(rows)[None] - torch.arange(2 * LAYERS)[:, None])  # in quarters
    shares = torch.zeros(1)
    for nudge, weight in ((0, 1.0), (1, 0.5), (-1, 0.5)):
        at = from_start + nudge
        shares = shares + weight * begin[:, at.clamp(min=0)] * (at >= 0).float()
    return shares


def _begun(starts: Tensor) -> Tensor:
    """Return how much each row belongs to each layer (b, LAYERS, rows), by how many chips began down to there."""
    begun = starts.cumsum(1)[:, None] - 1.25
    shares = (1 - (begun - torch.arange(LAYERS)[None, :, None]).abs() / 0.75).clamp(min=0)
    return shares / (shares.sum(2, keepdim=True) + 0.1)


def _counted(begin: Tensor, end: Tensor, chip: Tensor) -> Tensor:
    """Return count scores (b, COUNTS) by the distance from where the wall begins to where it ends."""
    number = begin.shape[1]
    places = torch.arange(number)
    last = places[:, None] + places[None]
    apart = end[:, last.clamp(max=number - 1)] * (last < number).float()
    tall = (begin[:, None] @ apart)[:, 0]  # shares of heights in quarters of a chip
    wanted = 4 * torch.arange(1, COUNTS + 1) * chip[:, None]
    fits = (2.5 - (places - wanted[..., None]).abs()).clamp(0, 1)
    more = (places >= wanted[:, -1:]).float()
    fits = torch.cat([fits[:, :-1], torch.maximum(fits[:, -1], more)[:, None]], 1)
    return torch.log((fits @ tall[..., None])[..., 0] + 1e-4)


def _steps(stay: Tensor, kinds: int) -> Tensor:
    """Return the score of each pair (upper, lower) from the scores of same, dearer and cheaper."""
    order = torch.arange(kinds)
    gap = order[None, :] - order[:, None]
    same, dearer, cheaper = ((gap == 0).float(), (gap > 0).float(), (gap < 0).float())
    return stay[..., 0, None, None] * same + stay[..., 1, None, None] * dearer + stay[..., 2, None, None] * cheaper


def chain_loss(scores: Tensor, steps: Tensor, layers: Tensor) -> Tensor:
    """Return -log p of each true chain (b,); `layers` (b, LAYERS) holds references from the top, -1 below the last."""
    there = layers >= 0
    truth = layers.clamp(min=0).long()
    got = scores.gather(2, truth[..., None])[..., 0]
    upper, lower = truth[:, :-1], truth[:, 1:]
    pairs = steps[:, :-1].gather(2, upper[..., None, None].expand(-1, -1, 1, steps.shape[3]))[:, :, 0]
    linked = pairs.gather(2, lower[..., None])[..., 0]
    path = (got * there).sum(1) + (linked * there[:, 1:]).sum(1)
    front = scores[:, 0]
    for i in range(1, layers.shape[1]):
        further = torch.logsumexp(front[:, :, None] + steps[:, i - 1], 1) + scores[:, i]
        front = torch.where(there[:, i, None], further, front)
    return torch.logsumexp(front, 1) - path


def border_loss(borders: Tensor, truth: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """Return how badly it is known where the wall begins, and would end if all chips lay under the highest one.

    `truth` is the number of chips less one, how many chips too low the strip hangs, and a chip's height in the strip.
    """
    counts, offsets, chip = truth
    begin = 4 * (ABOVE - offsets)
    end = begin + 4 * (counts + 1) * chip
    limits = torch.stack([begin, end], 1).round().clamp(0, borders.shape[2] - 1).long()
    return functional.cross_entropy(borders.transpose(1, 2), limits)


def row_loss(scores: Tensor, starts: Tensor, layers: Tensor, levels: Tensor) -> Tensor:
    """Return how badly rows know which chip they show, and how many chips begin in them.

    `levels` (b, LAYERS): where each chip's rim lies, top to bottom, NaN below the last; chips lie off their axis.
    """
    rims, last = visible_starts(levels)
    rows = (torch.arange(scores.shape[1]) + 0.5) / 2 - ABOVE
    begun = (rows[None, :, None] >= rims[:, None]).sum(2)
    shown = layers.long().gather(1, (begun - 1).clamp(0, LAYERS - 1))
    is_wall = (begun > 0) & (rows[None] < last[:, None] + 1)
    named = functional.cross_entropy(scores.transpose(1, 2), shown.where(is_wall, -1), ignore_index=-1)
    steps = (rows[None, :, None] - rims[:, None]) * 2 + 0.5
    passed = steps.clamp(0, 1).sum(2)  # chips begun down to each row's middle, without jumps
    gaps = starts.cumsum(1) - passed
    wanted = torch.diff(passed, dim=1, prepend=torch.zeros_like(passed[:, :1]))
    return named + 0.5 * functional.smooth_l1_loss(gaps, 0 * gaps) + 4 * functional.mse_loss(starts, wanted)


def visible_starts(levels: Tensor) -> tuple[Tensor, Tensor]:
    """Return where each chip begins to show (b, LAYERS), far away where there is none, and the lowest chip's rim."""
    there = ~levels.isnan()
    known = levels.nan_to_num(0.0)
    hidden = torch.cat([torch.full_like(known[:, :1], -1e3), known[:, :-1] + 1], 1)  # the chip above ends there
    last = known.gather(1, (there.sum(1, keepdim=True) - 1).clamp(min=0))[:, 0]
    return torch.maximum(known, hidden).where(there, torch.full_like(known, 1e3)), last
