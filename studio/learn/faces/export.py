"""Export: a checkpoint enters; ONNX files that answer as the networks do, with their sheets, leave."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from studio.learn.faces.crops import Crops
from studio.learn.faces.net import SIZES, FaceNet
from studio.learn.faces.weigh import Answers, places_of, weigh
from studio.learn.onnx_file import check_same, onnx_bytes, run_onnx
from studio.learn.sheets import write_model

AGREED: Final = 1e-3  # of a logit; probabilities then agree far closer
READS: Final = {
    "whole": "the face of a card cut out whole, upright or upside down: rank (or none) and suit",
    "corner": "the corner of a card where an index stands: rank (or none) and suit",
}


def load_net(out: Path, kind: str) -> Any:
    """Return a trained network: the running mean of its weights."""
    state = torch.load(out / f"{kind}.pt", weights_only=True)["mean"]
    net = FaceNet(kind)
    net.load_state_dict({name.removeprefix("module."): value for name, value in state.items() if name != "n_averaged"})
    return net.eval()


def export(out: Path, models: Path) -> None:
    """Write both models with the weights of their answers, fitted on the folder's validation crops."""
    torch.set_num_threads(1)
    weights = {kind: exported(load_net(out, kind), kind) for kind in SIZES}
    tables, printed = (Crops.load(out / "real" / f"val-{name}.npz") for name in ("tables", "printed"))
    found = weigh(ask(weights, tables), ask(weights, printed))
    told: dict[str, float | list[float] | str] = {
        "whole": found.whole,
        "corner": found.corner,
        "unreadable": list(found.unreadable),
    }
    write_model(models, "faces-whole", READS["whole"], weights["whole"], told)
    write_model(models, "faces-corner", READS["corner"], weights["corner"], {})


def exported(net: Any, kind: str) -> bytes:
    """Return a network as an ONNX file that answers as it does, on noise."""
    wide, high = SIZES[kind]
    axes = {"crops": {0: "n"}, "logits": {0: "n"}}
    weights = onnx_bytes(net, (torch.zeros(2, 3, high, wide),), ["crops"], ["logits"], axes)
    noise = np.random.default_rng(0).uniform(0, 255, (5, 3, high, wide)).astype(np.float32)
    check_same(f"faces-{kind}", net, weights, (torch.from_numpy(noise),), AGREED)
    return weights


def ask(weights: dict[str, bytes], crops: Crops) -> Answers:
    """Return what both networks say about crops."""
    corners = crops.corners.reshape(-1, *crops.corners.shape[2:])
    told = _answers(weights["corner"], corners).reshape(len(crops.labels), 2, -1)
    return Answers(_answers(weights["whole"], crops.wholes), told, places_of(crops.labels[:, 0]))


def _answers(weights: bytes, crops: NDArray[np.uint8]) -> NDArray[np.float64]:
    batches = [crops[start : start + 64] for start in range(0, len(crops), 64)]
    told = [run_onnx(weights, [part.transpose(0, 3, 1, 2).astype(np.float32)])[0] for part in batches]
    return np.concatenate(told).astype(float)
