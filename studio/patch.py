"""A piece of picture, and how pieces are laid over each other."""

from dataclasses import dataclass

import numpy as np

from vision.values.picture import Picture


@dataclass(frozen=True, slots=True)
class Patch:
    """Colour (h, w, 3; BGR) and cover (h, w; 255 hides what is below), with the upper left corner in the frame."""

    u: int
    v: int
    colour: Picture
    cover: Picture


STEPS = 5  # copies that make a smear: at surveillance shutters more are not to be told apart


def smeared(patch: Patch, du: float, dv: float) -> Patch:
    """Return a patch as it appears when it moves by so many pixels while the shutter is open."""
    reach_u, reach_v = int(np.ceil(abs(du) / 2)), int(np.ceil(abs(dv) / 2))
    height, width = patch.cover.shape
    shape = (height + 2 * reach_v, width + 2 * reach_u)
    cover = np.zeros(shape, np.uint32)
    colour = np.zeros((*shape, 3), np.uint32)
    weighted = patch.colour.astype(np.uint32) * patch.cover[..., None]
    for share in np.linspace(-0.5, 0.5, STEPS):
        u, v = reach_u + round(du * share), reach_v + round(dv * share)
        cover[v : v + height, u : u + width] += patch.cover
        colour[v : v + height, u : u + width] += weighted
    even = (colour // np.maximum(cover, 1)[..., None]).astype(np.uint8)
    return Patch(patch.u - reach_u, patch.v - reach_v, even, (cover // STEPS).astype(np.uint8))
