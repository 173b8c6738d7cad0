"""Rejects detections that are felt print, bare felt or sensor lamps.

The felt is known, and how large the house's chips are; every detection is compared with both.
"""

from typing import Final

import numpy as np

from vision.detect.detection import Found
from vision.detect.felt_print import FeltPrint
from vision.table.artwork import Expected
from vision.values.chips import ChipSet
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture
from vision.values.sizes import CHIP_DIAMETER_MM

SMALLEST: Final = 0.83  # of a chip's size: true chips come out at 0.87 and more, lamps below (measured on film)


class FalsePositives:
    """Knows the print of one felt under one camera; without print it knows chips by their size alone."""

    def __init__(self, camera: Camera, view: Expected | None, chips: ChipSet | None) -> None:
        self._camera = camera
        self._print = None if view is None else FeltPrint(view)
        self._radius_mm = (chips.diameter_mm if chips else CHIP_DIAMETER_MM) / 2

    def has(self, picture: Picture, thing: Found, light: Floats) -> bool:
        """Return whether a detection is none of the objects that it seems to be."""
        if thing.kind == "hand":
            return False
        return self._is_small(thing) or (self._print is not None and self._print.shows(picture, thing.quad, light))

    def _is_small(self, thing: Found) -> bool:
        if thing.kind != "stack" or thing.base is None:
            return False
        place = self._camera.place(np.array(thing.base))
        return thing.radius_px < SMALLEST * self._radius_mm * self._camera.scale_px_per_mm(place)
