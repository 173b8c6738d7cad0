"""Rejects detections that are felt print, bare felt or sensor lamps.

The felt is known, where its sensors are, and how large the house's chips are; every detection is compared with them.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.detect.detection import Found
from vision.detect.felt_print import FeltPrint
from vision.table.artwork import Expected
from vision.table.layout import Layout, Shape
from vision.values.chips import ChipSet
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture
from vision.values.sizes import CHIP_DIAMETER_MM

SMALLEST: Final = 0.83  # of a chip's size: what is smaller on a sensor is its lamp (measured on film)
NEAR_MM: Final = 12.0  # from a sensor's middle: a lamp is placed no farther off, as it stands on the felt


class FalsePositives:
    """Knows the print and the sensors of one felt under one camera."""

    def __init__(self, camera: Camera, view: Expected | None, layout: Layout, chips: ChipSet | None) -> None:
        self._camera = camera
        self._print = None if view is None else FeltPrint(view)
        diameter_mm = chips.diameter_mm if chips else CHIP_DIAMETER_MM
        self._radius_mm, self._sensors = diameter_mm / 2, _middles(layout.sensors(diameter_mm))

    def has(self, picture: Picture, thing: Found, light: Floats) -> bool:
        """Return whether a detection is none of the objects that it seems to be."""
        if thing.kind == "hand":
            return False
        return self._is_lamp(thing) or (self._print is not None and self._print.shows(picture, thing.quad, light))

    def _is_lamp(self, thing: Found) -> bool:
        """Tell whether something on a sensor is too small for a chip."""
        if thing.kind != "stack" or thing.base is None:
            return False
        place = self._camera.place(np.array(thing.base))
        if not (np.hypot(*(self._sensors - place[:2]).T) <= NEAR_MM).any():
            return False
        return thing.radius_px < SMALLEST * self._radius_mm * self._camera.scale_px_per_mm(place)


def _middles(shapes: Sequence[Shape]) -> Floats:
    return np.array([shape.centre for shape in shapes], float).reshape(-1, 2)
