"""Stands in for torchvision where the real one does not import: only `ops.nms` is there.

Ultralytics asks for this package's version when it is imported, and for `ops.nms` when it suppresses boxes. Training,
validation, prediction and export of detectors and oriented boxes need no more; classification does.
"""

from torchvision import ops

__all__ = ["ops"]
__version__ = "0.28.0+stand.in"
