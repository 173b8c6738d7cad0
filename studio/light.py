"""The light over a table: one main direction and an even rest. How bright a place is, is the frame's business."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Light:
    """`towards` points from the felt to the lamp, unit length; `ambient` is the share of light from everywhere."""

    towards: tuple[float, float, float] = (0.3, -0.2, 0.933)
    ambient: float = 0.55

    def on(self, normals: NDArray[Any]) -> NDArray[Any]:
        """Return how bright surfaces with these normals (…, 3) are; 1 is a surface that faces the lamp."""
        lambert = np.clip(np.asarray(normals) @ np.array(self.towards), 0, 1)
        return np.asarray(self.ambient + (1 - self.ambient) * lambert)
