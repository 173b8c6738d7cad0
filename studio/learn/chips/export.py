"""Export of the chip reader: a run's checkpoint enters; two checked ONNX files with their sheets leave.

Temperatures are fitted on held out crops, so that a stated 90 % is right nine times of ten.
"""

from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from studio.learn.chips.batches import Pool
from studio.learn.chips.net import WIDE, StackNet, chain_loss
from studio.learn.chips.pairs import fitted, painted_pairs
from studio.learn.chips.pool import POOL
from studio.learn.chips.priors import counted, painted_stacks
from studio.learn.chips.reader import Reader
from studio.learn.chips.scenes import Felts
from studio.learn.onnx_file import check_same, onnx_bytes
from studio.learn.sheets import write_model
from vision.detect.references import EDGE_SIZE, FACE_SIDE
from vision.detect.stack_crop import FACE, GEOMETRY, STRIP
from vision.detect.stacks import REFERENCES, STACKS, StackReader

CHECKED = 40  # held out shards that the temperatures are fitted on
PAIRS, PAIRS_SEED = 400, 5_000  # pairs that comparisons are fitted on
TOLERANCE = 2e-3  # largest difference of a score between PyTorch and ONNX
TEMPERATURES = np.exp(np.linspace(np.log(0.6), np.log(2.5), 40))

READS = {
    REFERENCES: "a chip's face and edge, as reference pictures; gives the token that chips-stacks compares with",
    STACKS: "a stack's unrolled wall and its top; gives the number of chips and which ones, from the top down",
}


class _Served(torch.nn.Module):
    """The stack network as the program calls it: one house for the whole batch, no padding, no helpers."""

    def __init__(self, net: StackNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, strips: Tensor, faces: Tensor, numbers: Tensor, references: Tensor) -> tuple[Tensor, ...]:
        tokens = references[None].expand(strips.shape[0], -1, -1)
        shut = torch.zeros_like(tokens[..., 0])
        count, layers, steps, _, borders, _ = self.net(strips, faces, numbers, tokens, shut)
        return count, layers, steps, borders


def export(out: Path, models: Path) -> None:
    """Write the mean weights of a run to a folder of models."""
    torch.set_num_threads(1)
    reader = Reader()
    reader.load_state_dict(torch.load(out / "last.pt", weights_only=True)["mean"])
    reader.eval()
    learned = counted("learned", "stacks that were painted", painted_stacks())
    settings: dict[str, float | list[float] | str] = {
        "token_width": float(WIDE),
        **temperatures(reader, Pool(out / POOL)),
        "learned_counts": learned.counts,
        "learned_steps": learned.steps,
    }
    wide, tall = EDGE_SIZE
    pictures = (torch.randn(3, 3, FACE_SIDE, FACE_SIDE), torch.randn(3, 3, tall, wide))
    tokens = _checked(reader.references, pictures, (["faces", "edges"], ["tokens"]))
    write_model(models, REFERENCES, READS[REFERENCES], tokens, {})
    stack = (torch.randn(2, 3, *STRIP), torch.randn(2, 3, FACE, FACE), torch.randn(2, GEOMETRY), torch.randn(3, WIDE))
    names = (["strips", "faces", "numbers", "references"], ["count", "layers", "steps", "borders"])
    weights = _checked(_Served(reader.stack), stack, names)
    write_model(models, STACKS, READS[STACKS], weights, settings)
    write_model(models, STACKS, READS[STACKS], weights, {**settings, **_comparisons(StackReader(folder=models))})


def _comparisons(reader: StackReader) -> dict[str, list[float]]:
    """Return the weights of comparisons, fitted on pairs of houses of their own."""
    found, felts = {}, Felts(np.random.default_rng(PAIRS_SEED), is_printed=False)
    for name, in_place in (("compare_in_place", True), ("compare_beside", False)):
        pairs = list(painted_pairs((reader, felts), PAIRS, PAIRS_SEED + in_place, in_place))
        weights = fitted(pairs, in_place)
        found[name] = [round(number, 4) for number in (*weights.features, *weights.starts)]
    return found


def _checked(net: torch.nn.Module, example: tuple[Tensor, ...], names: tuple[list[str], list[str]]) -> bytes:
    """Return a network as an ONNX file that answers as it does, at another batch size too."""
    axes: dict[str, dict[int, str]] = {name: {0: "batch"} for name in names[0] + names[1]}
    if "references" in axes:
        axes["references"] = {0: "chips"}
        axes["layers"][2] = axes["steps"][2] = axes["steps"][3] = "chips"
    weights = onnx_bytes(net, example, *names, axes)
    several = tuple(torch.cat([part, part * 0.5]) for part in example)
    check_same(names[1][0], net, weights, several, TOLERANCE)
    return weights


def temperatures(reader: Reader, pool: Pool) -> dict[str, float]:
    """Return the temperatures at which held out counts and chains are most likely."""
    counts = np.zeros(len(TEMPERATURES))
    chains = np.zeros(len(TEMPERATURES))
    for batch in pool.check(CHECKED):
        with torch.no_grad():
            count, layers, steps = reader(batch)[:3]
        for i, warmth in enumerate(TEMPERATURES):
            counts[i] += float(functional.cross_entropy(count / warmth, batch.counts))
            chains[i] += float(chain_loss(layers / warmth, steps / warmth, batch.layers).mean())
    best = [float(TEMPERATURES[int(loss.argmin())]) for loss in (counts, chains)]
    return {"count_temperature": round(best[0], 4), "chain_temperature": round(best[1], 4)}
