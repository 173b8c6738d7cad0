"""From a checkpoint to a model that ships: weights in ONNX and the sheet with their checksum and settings."""

from pathlib import Path

import torch

from studio.learn.finder.net import FinderNet
from studio.learn.sheets import write_model

# Cards may be doubtful, the squarer looks again; hands are sure where they show at all.
LEAST = {"least_card": 0.06, "least_stack": 0.35, "least_hand": 0.5, "least_other": 0.35}


def load(checkpoint: Path) -> FinderNet:
    """Return the slow copy of the weights, which is the better one, ready to run."""
    net = FinderNet()
    net.load_state_dict(torch.load(checkpoint, weights_only=True)["slow"])
    return net.eval()


def export(out: Path, models: Path) -> None:
    """Write `finder.onnx` and `finder.toml`."""
    net = load(out / "finder.pt")
    half = out / "finder.onnx"
    sides = {2: "height", 3: "width"}
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 320, 320),),
        str(half),
        input_names=["pictures"],
        output_names=["maps"],
        dynamic_axes={"pictures": {0: "batch", **sides}, "maps": {0: "batch", 2: "rows", 3: "columns"}},
        opset_version=17,
        dynamo=False,
    )
    write_model(models, "finder", "cards, chip stacks, hands and other things in a picture", half.read_bytes(), LEAST)
