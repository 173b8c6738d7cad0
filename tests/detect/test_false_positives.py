"""What is rejected for its size: lamps of sensors, and nothing else."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from vision.detect.detection import Found
from vision.detect.false_positives import FalsePositives
from vision.detect.stacks import PLAIN
from vision.table.table import Table, read_table

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "clean"
QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))  # not looked at: no print is given


@cache
def table() -> Table:
    return read_table(SAMPLE)


def stack(wager: str, size: float, off_mm: float = 0.0) -> Found:
    """Return a chip as found on a spot of seat 3, at a share of its true size."""
    x, y = table().layout.seat_at(3).spots[wager].centre
    camera = table().camera
    u, v = camera.project(np.array([[x + off_mm, y, 0.0]]))[0].tolist()
    radius = size * table().chips.diameter_mm / 2 * camera.scale_px_per_mm((x, y, 0.0))
    return Found("stack", 0.9, QUAD, base=(u, v), top=(u, v), radius_px=radius)


@pytest.mark.parametrize(
    ("wager", "size", "off_mm", "is_none"),
    [
        ("progressive", 0.7, 0.0, True),  # the lamp of a sensor
        ("progressive", 0.7, 8.0, True),  # found a little beside it
        ("progressive", 0.95, 0.0, False),  # a chip on the sensor
        ("ante", 0.75, 0.0, False),  # a dark chip on dark felt comes out small, and so does a chip in 4K
        ("progressive", 0.75, 40.0, False),  # a chip beside the sensor
    ],
)
def test_only_on_a_sensor_is_something_too_small_for_a_chip(
    wager: str, size: float, off_mm: float, *, is_none: bool
) -> None:
    known = FalsePositives(table().camera, None, table().layout, table().chips)
    assert known.has(np.zeros((4, 4, 3), np.uint8), stack(wager, size, off_mm), PLAIN) is is_none
