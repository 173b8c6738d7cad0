"""The colour of the light: pictures enter; by what their colours must be multiplied to be as in plain light leaves.

Chips are told apart by their colours, and cold lamps make a pink chip purple. But the colours of the print are known:
how the felt looks otherwise than it should is how the lamps and the camera tint everything.
"""

from typing import Final

import numpy as np

from vision.table.artwork import Expected
from vision.values.geometry import Floats
from vision.values.picture import Picture

# Assumed where a comment names no measurement.
LIGHT_CHECK_NS: Final = 2_000_000_000  # between two looks at the felt
PIXEL_STRIDE: Final = 6  # pixel, along and across, is enough
DARKEST_COLOUR, BRIGHTEST_COLOUR = 8, 245  # what is darker or brighter has lost its colour
MIN_FELT_PIXELS: Final = 500  # pixels of felt by which light is judged
MAX_GAIN: Final = 2.0  # times: a felt that differs by more is not the one that was drawn


class LightWatch:
    """Watches the light on one felt."""

    def __init__(self, view: Expected) -> None:
        felt = view.picture[::PIXEL_STRIDE, ::PIXEL_STRIDE]
        self._where = view.on_felt[::PIXEL_STRIDE, ::PIXEL_STRIDE] & _has_colour(felt)
        self._wanted = np.log(felt[self._where].astype(float))
        self._looked_ns: int | None = None
        self.white_balance_gains: Floats = np.ones(3)  # for blue, green and red

    def update(self, t_ns: int, picture: Picture) -> None:
        """Look at the felt again if it is time to; what lies on it is less than half of it and does not count."""
        if self._looked_ns is not None and t_ns - self._looked_ns < LIGHT_CHECK_NS:
            return
        self._looked_ns = t_ns
        seen = picture[::PIXEL_STRIDE, ::PIXEL_STRIDE][self._where]
        known = _has_colour(seen)
        if np.count_nonzero(known) >= MIN_FELT_PIXELS:
            tint = np.median(self._wanted[known] - np.log(seen[known].astype(float)), axis=0)
            self.white_balance_gains = np.clip(np.exp(tint), 1 / MAX_GAIN, MAX_GAIN)


def _has_colour(pixels: Picture) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.asarray((pixels.min(axis=-1) >= DARKEST_COLOUR) & (pixels.max(axis=-1) <= BRIGHTEST_COLOUR))
