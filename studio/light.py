"""The light over a table: one main direction and an even rest. How bright a place is, is the frame's business."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PENUMBRA_MM = 1.5  # least breadth of a shadow's soft edge


@dataclass(frozen=True, slots=True)
class Pillar:
    """A round thing that stands on the felt and takes light from what is near it."""

    x: float
    y: float
    top_mm: float
    radius_mm: float


@dataclass(frozen=True, slots=True)
class Light:
    """`towards` points from the felt to the lamp, unit length; `ambient` is the share of light from everywhere."""

    towards: tuple[float, float, float] = (0.3, -0.2, 0.933)
    ambient: float = 0.55

    def on(self, normals: NDArray[Any]) -> NDArray[Any]:
        """Return how bright surfaces with these normals (…, 3) are; 1 is a surface that faces the lamp."""
        lambert = np.clip(np.asarray(normals) @ np.array(self.towards), 0, 1)
        return np.asarray(self.ambient + (1 - self.ambient) * lambert)

    def shaded(self, places: NDArray[Any], pillars: Sequence[Pillar]) -> NDArray[Any]:
        """Return how much of the lamp pillars take from places (…, 3): 0 nothing, 1 all of it."""
        lean = np.array(self.towards[:2]) / max(self.towards[2], 0.2)
        shade = np.zeros(places.shape[:-1], np.float32)
        for pillar in pillars:
            reach = np.maximum(pillar.top_mm - places[..., 2], 0)[..., None] * lean  # from here to the pillar's height
            gap = np.array([pillar.x, pillar.y]) - places[..., :2]
            along = np.clip((gap * reach).sum(-1) / np.maximum((reach * reach).sum(-1), 1e-6), 0, 1)
            away = np.linalg.norm(gap - along[..., None] * reach, axis=-1)
            soft = PENUMBRA_MM + 0.13 * np.linalg.norm(reach, axis=-1)
            is_below = places[..., 2] < pillar.top_mm
            shade = np.maximum(shade, np.clip((pillar.radius_mm - away) / soft + 0.5, 0, 1) * is_below)
        return np.asarray(shade, np.float32)
