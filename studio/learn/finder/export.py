"""From a checkpoint to a model that ships: weights in ONNX and the sheet with their checksum and settings."""

from pathlib import Path

import torch

from studio.learn.finder.net import FinderNet
from studio.learn.onnx_file import onnx_bytes
from studio.learn.sheets import write_model

# Cards may be doubtful, the corner refiner looks again; hands are sure where they show at all.
LEAST = {"least_card": 0.06, "least_stack": 0.35, "least_hand": 0.5, "least_other": 0.35}


def load(checkpoint: Path) -> FinderNet:
    """Return the slow copy of the weights, which is the better one, ready to run."""
    net = FinderNet()
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["slow"])
    return net.eval()


def export(out: Path, models: Path) -> None:
    """Write `finder.onnx` and `finder.toml`."""
    net = load(out / "finder.pt")
    axes = {"pictures": {0: "batch", 2: "height", 3: "width"}, "maps": {0: "batch", 2: "rows", 3: "columns"}}
    weights = onnx_bytes(net, (torch.zeros(1, 3, 320, 320),), ["pictures"], ["maps"], axes)
    write_model(models, "finder", "cards, chip stacks, hands and other things in a picture", weights, LEAST)
