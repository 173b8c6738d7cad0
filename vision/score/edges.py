"""How much of a chip's edge the camera sees on each spot: the folder of a clip enters, pixels leave."""

import numpy as np

from vision.score.records import Spot, Truth
from vision.table.layout import Layout
from vision.table.table import read_table
from vision.table.views import edge_px
from vision.values.chips import ChipSet
from vision.values.geometry import Camera


def edges_px(truth: Truth) -> dict[Spot, float]:
    """Return the pixels of one chip's edge, by spot; nothing where no camera or table is beside the truth."""
    table = truth.path.parent / "table.toml"
    if truth.clip.camera is None or not table.is_file():
        return {}
    read = read_table(table)
    return chip_edges_px(truth.clip.camera.camera(), read.layout, read.chips)


def chip_edges_px(camera: Camera, layout: Layout, chips: ChipSet) -> dict[Spot, float]:
    """Return the pixels of one chip's edge that a camera sees on each spot."""
    spots = {(seat.number, name): spot.centre for seat in layout.seat for name, spot in seat.spots.items()}
    edges = edge_px(camera, np.array(list(spots.values())), chips.thickness_mm)
    return dict(zip(spots, edges.tolist(), strict=True))
