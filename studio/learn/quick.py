"""Quick copies of our networks: models and stills enter, models that multiply bytes in place of fractions leave.

A processor with instructions for it multiplies bytes several times as fast. How large each layer's numbers get is
measured on the stills that everything is learned from; nothing is learned anew. What the first layer reads and what the
last ones say stays as it is: there a byte is too coarse.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.sheets import write_model
from vision.detect.corner_refiner import CornerRefiner, cut
from vision.detect.corner_refiner import seen as refiner_seen
from vision.detect.faces import cut_corners, cut_whole, upright_ways
from vision.detect.faces import seen as faces_seen
from vision.detect.finder import Finder, letterboxed
from vision.detect.models import QUICK, open_model
from vision.values.errors import InputError
from vision.values.picture import Picture

Inputs = dict[str, list[NDArray[np.float32]]]  # by the network's name, each of the same shape
NETWORKS: Final = ("finder", "squarer", "faces-whole", "faces-corner")
LAST: Final = {"finder": ("/head/head.1/Conv",)}  # layers that say what was found, kept in fractions
AS_BYTES: Final = ("Conv", "Relu", "Add")
STILLS: Final = 60
PARTS: Final = 3  # of each still, for the finder
SIDE: Final = 384  # of such a part
CARDS: Final = 6  # of each still
SHARE: Final = 99.999  # percent of a layer's numbers that a byte holds; what is beyond counts as the largest


def export(stills: Path, models: Path) -> None:
    """Write `NAME-quick.onnx` and its sheet for each network."""
    inputs = _inputs(_some(stills))
    for name in NETWORKS:
        sheet = open_model(name, folder=models).sheet
        weights = _in_bytes(models / f"{name}.onnx", inputs[name], LAST.get(name, ()))
        write_model(models, name + QUICK, sheet.reads, weights, sheet.settings)


def _some(stills: Path) -> Iterator[Picture]:
    paths = sorted(stills.glob("*/*.jpg"))
    if not paths:
        raise InputError(f"{stills}: no stills: want the folder that `feltwatch train` draws")
    for path in paths[:: -(-len(paths) // STILLS)]:
        yield np.asarray(cv2.imread(str(path)), np.uint8)


def _inputs(pictures: Iterator[Picture]) -> Inputs:
    """Return what each network is given when pictures are looked at, one thing at a time."""
    finder, corner_refiner, places = Finder(), CornerRefiner(), np.random.default_rng(1)
    inputs: Inputs = {name: [] for name in NETWORKS}
    for picture in pictures:
        for _ in range(PARTS):
            top, left = (int(places.integers(0, side - SIDE)) for side in picture.shape[:2])
            inputs["finder"].append(letterboxed(picture[top : top + SIDE, left : left + SIDE]))
        cards = [thing for thing in finder.look(picture) if thing.kind.startswith("card")]
        inputs["squarer"] += [refiner_seen(cut(picture, np.array(card.quad))[None]) for card in cards[:CARDS]]
        up = [np.array(card.quad) for card in corner_refiner.refine(picture, cards) if card.kind == "card_up"]
        for quad in (ways[0] for ways in map(upright_ways, up[:CARDS]) if ways):
            inputs["faces-whole"].append(faces_seen(cut_whole(picture, quad)[None]))
            inputs["faces-corner"] += [faces_seen(corner[None]) for corner in cut_corners(picture, quad)]
    return inputs


def _in_bytes(path: Path, inputs: list[NDArray[np.float32]], last: tuple[str, ...]) -> bytes:
    """Return a network that multiplies bytes, its layers measured on some inputs."""
    import onnx
    from onnxruntime.quantization import CalibrationMethod, QuantFormat, QuantType, quantize_static

    model = onnx.load(path)
    layers = [(node.name, node.op_type) for node in model.graph.node]
    first = next(name for name, kind in layers if kind == "Conv")
    kept = [name for name, kind in layers if kind not in AS_BYTES or name in (first, *last)]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / path.name
        quantize_static(
            model,
            out,
            _Reader(model.graph.input[0].name, inputs),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_exclude=kept,
            calibrate_method=CalibrationMethod.Percentile,
            extra_options={"CalibPercentile": SHARE},
        )
        return out.read_bytes()


class _Reader:
    """Hands inputs to ONNX Runtime one by one."""

    def __init__(self, name: str, inputs: list[NDArray[np.float32]]) -> None:
        self._left = iter([{name: one} for one in inputs])

    def get_next(self) -> dict[str, Any] | None:
        return next(self._left, None)
