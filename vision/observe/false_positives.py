"""What was found and is no thing: print that looks like a chip, felt where a card lay, the lamp of a sensor.

The felt is known, and how large the house's chips are; both are held against everything that is found.
"""

from typing import Final

from vision.attention.light import LightWatch
from vision.detect.detection import Found
from vision.detect.stacks import PLAIN
from vision.observe.felt_print import FeltPrint
from vision.observe.placing import Placer
from vision.table.artwork import Expected
from vision.values.geometry import Floats
from vision.values.picture import Picture

SMALLEST: Final = 0.83  # of a chip's size: of true chips 0.87 and more is found, of lamps less (measured on film)


class FalsePositives:
    """Knows the impostors of one felt under one camera; without print it knows chips by their size alone."""

    def __init__(self, placer: Placer, view: Expected | None) -> None:
        self._placer = placer
        self._print = None if view is None else FeltPrint(view)
        self._watch = None if view is None else LightWatch(view)

    @property
    def light(self) -> Floats:
        """Return what makes colours those of the print."""
        return PLAIN if self._watch is None else self._watch.white_balance_gains

    def update(self, t_ns: int, picture: Picture) -> None:
        """Look at the light."""
        if self._watch is not None:
            self._watch.update(t_ns, picture)

    def has(self, picture: Picture, thing: Found) -> bool:
        """Tell whether what was found is none of the things that it seems to be."""
        if thing.kind == "hand":
            return False
        return self._is_small(thing) or (self._print is not None and self._print.shows(picture, thing.quad, self.light))

    def _is_small(self, thing: Found) -> bool:
        if thing.kind != "stack" or thing.base is None:
            return False
        return thing.radius_px < SMALLEST * self._placer.chip_radius_px(thing.base)
