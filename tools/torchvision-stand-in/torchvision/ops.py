"""Suppression of boxes: boxes, scores and a limit enter, the indices of the kept ones leave, best first."""

from typing import Any


def nms(boxes: Any, scores: Any, iou_threshold: float) -> Any:
    """Return what torchvision's own would, through Ultralytics' suppression in plain PyTorch."""
    from ultralytics.utils.nms import TorchNMS  # here, because Ultralytics imports this package first

    return TorchNMS.nms(boxes, scores, iou_threshold)
