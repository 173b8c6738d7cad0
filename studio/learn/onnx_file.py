"""Networks as ONNX files: a network and an example of its inputs enter; bytes leave, checked against the network."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

OPSET = 17  # version of the ONNX operators that all our models are written in (chosen)
Axes = Mapping[str, Mapping[int, str]]


def onnx_bytes(net: nn.Module, example: tuple[Tensor, ...], inputs: list[str], outputs: list[str], axes: Axes) -> bytes:
    """Return a network as an ONNX file; `axes` names the dimensions that may have any size."""
    buffer, names = io.BytesIO(), {"input_names": inputs, "output_names": outputs}
    torch.onnx.export(net.eval(), example, buffer, dynamic_axes=axes, opset_version=OPSET, dynamo=False, **names)
    return buffer.getvalue()


def run_onnx(weights: bytes, inputs: Sequence[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
    """Return what an ONNX file answers."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    names = [entry.name for entry in session.get_inputs()]
    return [np.asarray(part) for part in session.run(None, dict(zip(names, inputs, strict=True)))]


def check_same(name: str, net: nn.Module, weights: bytes, inputs: tuple[Tensor, ...], most: float) -> None:
    """Refuse an ONNX file that answers otherwise than its network."""
    with torch.no_grad():
        wanted: Any = net(*inputs)
    wanted = (wanted,) if isinstance(wanted, Tensor) else wanted
    found = run_onnx(weights, [part.numpy() for part in inputs])
    gap = max(float(np.abs(one.numpy() - two).max()) for one, two in zip(wanted, found, strict=True))
    if gap > most:
        raise ValueError(f"{name}: ONNX and PyTorch differ by {gap:.4f}: want {most} at most")
