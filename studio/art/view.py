"""The camera's view of the bare table: the table from above and a camera enter, the empty frame leaves.

The lens is asked at knots only; between them straight lines differ from it by some hundredths of a pixel.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.art.cloth import FLOOR_TILE_MM, MARGIN_MM
from studio.art.paint import Field
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

VIEW_STEP_PX = 8  # the lens is asked this often
RISE_STEPS = 20  # levels at which a line of sight is held against a raised ground
VIEW_BAND_PX = 120  # rows that are worked out at once, to spare memory


def table_view(bare: Picture, camera: Camera, px_per_mm: float = 1.0, heights: Field | None = None) -> Picture:
    """Return the bare table as the camera has it, averaged over what each pixel covers; floor where the table ends.

    `heights` raises it: how high it stands, over the same ground as the table, at a scale of its own.
    """
    lens = camera.lens
    closest = min(camera.scale_px_per_mm((x, 400.0, 0.0)) for x in (-900, 0, 900))
    fold = int(np.clip(np.ceil(px_per_mm / closest), 1, 3))
    view = np.empty((lens.height, lens.width, 3), np.uint8)
    for top in range(0, lens.height, VIEW_BAND_PX):
        bottom = min(top + VIEW_BAND_PX, lens.height)
        places = _places(camera, top, bottom, fold)
        if heights is not None:
            places = _met(places, camera, heights, bare.shape[1] / px_per_mm)
        u, v = _bare_pixels(places, bare.shape, px_per_mm)
        seen = cv2.remap(bare, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        view[top:bottom] = cv2.resize(seen, (lens.width, bottom - top), interpolation=cv2.INTER_AREA)
    return view


def _places(camera: Camera, top: int, bottom: int, fold: int) -> Floats:
    """Return where on the felt's plane the pixels of some rows look, each split `fold` times both ways."""
    u, v = ((np.arange(count * fold) + 0.5) / fold - 0.5 for count in (camera.lens.width, bottom - top))
    knots_u = np.arange(-1, camera.lens.width + VIEW_STEP_PX, VIEW_STEP_PX)
    knots_v = np.arange(-1, bottom - top + VIEW_STEP_PX, VIEW_STEP_PX)
    grid = np.stack(np.meshgrid(knots_u, knots_v + top), axis=-1)
    known = camera.place(grid)[..., :2]
    across, down = _between(knots_u, u), _between(knots_v, v)
    return np.stack([down @ (known[..., axis] @ across.T) for axis in (0, 1)], axis=-1)


def _met(places: Floats, camera: Camera, heights: Field, width_mm: float) -> Floats:
    """Return where lines of sight to places on the felt's plane meet a raised ground on their way."""
    scale = heights.shape[1] / width_mm
    to_camera = ((np.array(camera.position_mm[:2]) - places) / camera.position_mm[2]).astype(np.float32)
    found = places.copy()
    is_open = np.ones(places.shape[:2], bool)
    for level in np.linspace(float(heights.max()), 0, RISE_STEPS, endpoint=False, dtype=np.float32):
        there = places.astype(np.float32) + to_camera * level
        u = there[..., 0] * scale + heights.shape[1] / 2 - 0.5
        v = heights.shape[0] - (there[..., 1] + MARGIN_MM) * scale - 0.5
        ground = cv2.remap(heights, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR, borderValue=(0.0,))
        meets = is_open & (ground >= level)
        found[meets] = there[meets]
        is_open &= ~meets
    return found


def _between(knots: NDArray[np.int64], wanted: Floats) -> Floats:
    """Return the weights that make values at wanted places of values at knots, along straight lines."""
    share = (wanted - knots[0]) / VIEW_STEP_PX
    weights: Floats = np.clip(1 - np.abs(share[:, None] - np.arange(len(knots))), 0, None)
    return weights


def _bare_pixels(places: Floats, shape: tuple[int, ...], px_per_mm: float) -> tuple[Field, Field]:
    """Return places as pixels of the bare table; those beyond it fall onto the repeat of the floor in its corner."""
    rows, columns = shape[:2]
    side = round(FLOOR_TILE_MM * px_per_mm)
    u = places[..., 0] * px_per_mm + columns / 2 - 0.5
    v = rows - (places[..., 1] + MARGIN_MM) * px_per_mm - 0.5
    beyond = (u < 0) | (v < 0) | (u > columns - 1) | (v > rows - 1)
    u = np.where(beyond, u % side, u)
    v = np.where(beyond, rows - side + (v - rows) % side, v)
    return u.astype(np.float32), v.astype(np.float32)
