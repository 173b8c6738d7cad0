"""How much of a chip's edge the camera sees on each spot: the folder of a clip enters, pixels leave."""

from pathlib import Path

import numpy as np

from vision.calibrate.table import read_table
from vision.geometry import Camera
from vision.score.records import Spot, Truth


def edges_px(truth: Truth) -> dict[Spot, float]:
    """Return the pixels of one chip's edge, by spot; nothing where no camera or table is beside the truth."""
    table = truth.path.parent / "table.toml"
    if truth.clip.camera is None or not table.is_file():
        return {}
    return _edges(truth.clip.camera.camera(), table)


def _edges(camera: Camera, path: Path) -> dict[Spot, float]:
    table = read_table(path)
    spots = {(seat.number, name): spot.centre for seat in table.layout.seat for name, spot in seat.spots.items()}
    feet = np.array([(x, y, 0.0) for x, y in spots.values()])
    rise = camera.project(feet + np.array([0.0, 0.0, table.chips.thickness_mm])) - camera.project(feet)
    return dict(zip(spots, np.linalg.norm(rise, axis=1).tolist(), strict=True))
