"""Export of the chip reader: a run's checkpoint enters; two checked ONNX files with their sheets leave.

Temperatures are fitted on held out crops, so that a stated 90 % is right nine times of ten.
"""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from torch import Tensor
from torch.nn import functional

from studio.learn.chips.batches import Pool
from studio.learn.chips.net import WIDE, StackNet, chain_loss
from studio.learn.chips.pool import POOL
from studio.learn.chips.reader import Reader
from vision.detect.references import EDGE_SIZE, FACE_SIDE
from vision.detect.stack_crop import FACE, GEOMETRY, STRIP
from vision.detect.stacks import REFERENCES, STACKS

OPSET = 17
TOLERANCE = 2e-3  # largest difference of a score between PyTorch and ONNX
TEMPERATURES = np.exp(np.linspace(np.log(0.6), np.log(2.5), 40))


class _Served(torch.nn.Module):
    """The stack network as the program calls it: one house for the whole batch, no padding, no helpers."""

    def __init__(self, net: StackNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, strips: Tensor, faces: Tensor, numbers: Tensor, references: Tensor) -> tuple[Tensor, ...]:
        tokens = references[None].expand(strips.shape[0], -1, -1)
        shut = torch.zeros_like(tokens[..., 0])
        return tuple(self.net(strips, faces, numbers, tokens, shut)[:3])


def export(out: Path, models: Path) -> None:
    """Write the mean weights of a run to a folder of models."""
    torch.set_num_threads(1)
    reader = Reader()
    reader.load_state_dict(torch.load(out / "last.pt", weights_only=True)["mean"])
    reader.eval()
    settings = {"token_width": float(WIDE), **temperatures(reader, Pool(out / POOL, is_check=True))}
    models.mkdir(parents=True, exist_ok=True)
    wide, tall = EDGE_SIZE
    pictures = (torch.randn(3, 3, FACE_SIDE, FACE_SIDE), torch.randn(3, 3, tall, wide))
    _write(reader.references, pictures, models / REFERENCES, (["faces", "edges"], ["tokens"]), {})
    stack = (torch.randn(2, 3, *STRIP), torch.randn(2, 3, FACE, FACE), torch.randn(2, GEOMETRY), torch.randn(3, WIDE))
    names = (["strips", "faces", "numbers", "references"], ["count", "layers", "steps"])
    _write(_Served(reader.stack).eval(), stack, models / STACKS, names, settings)


def _write(
    net: torch.nn.Module,
    like: tuple[Tensor, ...],
    base: Path,
    names: tuple[list[str], list[str]],
    settings: dict[str, float],
) -> None:
    """Write one network and its sheet."""
    weights = base.with_suffix(".onnx")
    axes: dict[str, dict[int, str]] = {name: {0: "batch"} for name in names[0] + names[1]}
    if "references" in axes:
        axes["references"] = {0: "chips"}
        axes["layers"][2] = axes["steps"][2] = axes["steps"][3] = "chips"
    torch.onnx.export(
        net, like, str(weights), input_names=names[0], output_names=names[1], dynamic_axes=axes, opset_version=OPSET,
        dynamo=False,
    )  # fmt: skip
    _agree(net, like, weights)
    lines = [
        f'name = "{base.name}"',
        f'reads = "{_READS[base.name]}"',
        f'sha256 = "{hashlib.sha256(weights.read_bytes()).hexdigest()}"',
        'licence = "AGPL-3.0-or-later"',
        *(["", "[settings]"] if settings else []),
        *(f"{name} = {value:.4f}" for name, value in settings.items()),
    ]
    base.with_suffix(".toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


_READS = {
    REFERENCES: "a chip's face and edge, as reference pictures; gives the token that chips-stacks compares with",
    STACKS: "a stack's unrolled wall and its top; gives the number of chips and which ones, from the top down",
}


def _agree(net: torch.nn.Module, like: tuple[Tensor, ...], weights: Path) -> None:
    """Refuse an export that answers differently, at another batch size too."""
    session = onnxruntime.InferenceSession(str(weights), providers=["CPUExecutionProvider"])
    names = [entry.name for entry in session.get_inputs()]
    several = tuple(torch.cat([part, part * 0.5]) for part in like)
    with torch.no_grad():
        wanted: Any = net(*several)
    wanted = (wanted,) if isinstance(wanted, Tensor) else wanted
    found = session.run(None, {name: part.numpy() for name, part in zip(names, several, strict=True)})
    gap = max(float(np.abs(one.numpy() - two).max()) for one, two in zip(wanted, found, strict=True))
    if gap > TOLERANCE:
        raise ValueError(f"{weights}: scores differ by {gap:.4f} from PyTorch: want {TOLERANCE} at most")


def temperatures(reader: Reader, pool: Pool) -> dict[str, float]:
    """Return the temperatures at which held out counts and chains are most likely."""
    counts = np.zeros(len(TEMPERATURES))
    chains = np.zeros(len(TEMPERATURES))
    for batch in pool.check():
        with torch.no_grad():
            count, layers, steps, _, _ = reader(batch)
        for i, warmth in enumerate(TEMPERATURES):
            counts[i] += float(functional.cross_entropy(count / warmth, batch.counts))
            chains[i] += float(chain_loss(layers / warmth, steps / warmth, batch.layers).mean())
    best = [float(TEMPERATURES[int(loss.argmin())]) for loss in (counts, chains)]
    return {"count_temperature": best[0], "chain_temperature": best[1]}
