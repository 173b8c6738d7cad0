"""A piece of picture, and how pieces are laid over each other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Patch:
    """Colour (h, w, 3; BGR) and cover (h, w; 255 hides what is below), with the upper left corner in the frame."""

    u: int
    v: int
    colour: Picture
    cover: Picture
