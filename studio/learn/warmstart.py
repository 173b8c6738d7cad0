"""Going on from a model that ships: an exported network enters, the same network leaves, ready to learn further.

Exporting folds each normalisation into the convolution before it. Here it is taken apart again: what the convolutions
put out over some pictures gives the mean and the spread that were folded away, so that the network answers as it did.
"""

from itertools import pairwise
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def restore(net: nn.Module, model: Path, pictures: Tensor) -> None:
    """Give a network the weights of its exported model; `pictures` are such as it will learn from."""
    graph = onnx.load(str(model)).graph
    stored = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    convolutions = [[stored[name] for name in node.input[1:]] for node in graph.node if node.op_type == "Conv"]
    norms = _norms(net)
    net.eval()
    with torch.no_grad():
        for conv, weights in zip(_in_order(net, pictures[:1]), convolutions, strict=True):
            conv.weight.copy_(weights[0])
            if conv.bias is not None:
                conv.bias.copy_(weights[1])
            else:
                _fold(norms[conv], weights[1])
        for name, parameter in net.named_parameters():
            if name in stored and parameter.ndim <= 2:
                parameter.copy_(stored[name])
        _unfold(net, norms, pictures)


def _norms(net: nn.Module) -> dict[nn.Conv2d, nn.BatchNorm2d]:
    """Return the normalisation that follows each convolution."""
    rows = [[*module.children()] for module in net.modules() if isinstance(module, nn.Sequential)]
    return {
        first: second
        for row in rows
        for first, second in pairwise(row)
        if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d)
    }


def _in_order(net: nn.Module, pictures: Tensor) -> list[nn.Conv2d]:
    """Return the convolutions in the order in which they work, which is that of the exported graph."""
    order: list[nn.Conv2d] = []
    convs = [module for module in net.modules() if isinstance(module, nn.Conv2d)]
    hooks = [conv.register_forward_hook(lambda conv, _given, _made: order.append(conv)) for conv in convs]
    net(pictures)
    for hook in hooks:
        hook.remove()
    return order


def _fold(norm: nn.BatchNorm2d, shift: Tensor) -> None:
    """Let a normalisation do nothing but add."""
    norm.running_mean.zero_()
    norm.running_var.fill_(1 - norm.eps)
    norm.weight.fill_(1)
    norm.bias.copy_(shift)


def _unfold(net: nn.Module, norms: dict[nn.Conv2d, nn.BatchNorm2d], pictures: Tensor) -> None:
    """Give normalisations the mean and the spread of what reaches them, without changing what they put out."""
    found: dict[nn.Conv2d, tuple[Tensor, Tensor]] = {}

    def note(conv: nn.Conv2d, _given: object, made: Tensor) -> None:
        found[conv] = (made.mean(dim=(0, 2, 3)), made.var(dim=(0, 2, 3)))

    hooks = [conv.register_forward_hook(note) for conv in norms]
    net(pictures)
    for hook in hooks:
        hook.remove()
    for conv, (mean, spread) in found.items():
        norm = norms[conv]
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_(torch.sqrt(spread + norm.eps))
        norm.bias.add_(mean)
