"""Where to hang a camera: wishes of an installer enter, the mounting that they describe, or the best one, leaves."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from vision.calibrate.fitness import Fitness, assess
from vision.table.layout import Layout
from vision.table.mounting import Mounting, hang, picture_size, plain_lens
from vision.table.views import view_names
from vision.values.chips import ChipSet
from vision.values.errors import InputError, shown
from vision.values.geometry import Camera, Lens

HEIGHTS_MM: Final = (1800.0, 2200.0, 2600.0, 3000.0, 3500.0)
TILTS_DEG: Final = tuple(float(tilt) for tilt in range(20, 51, 3))
AZIMUTHS_DEG: Final = (0.0, -20.0, 20.0, -40.0, 40.0, 180.0)
LIMITS: Final = {"--height": (800.0, 12000.0), "--tilt": (0.0, 75.0), "--azimuth": (-180.0, 360.0)}


@dataclass(frozen=True, slots=True)
class Wish:
    """What an installer asks for; what is None is open."""

    resolution: str = "4k"
    height_mm: float | None = None
    tilt_deg: float | None = None
    azimuth_deg: float | None = None
    focal: str | None = None  # pixels, or the horizontal field of view: '62deg'; None: zoomed to the felt
    view: str | None = None  # the class that must be reached

    def check(self) -> None:
        """Refuse numbers that no camera has."""
        given = {"--height": self.height_mm, "--tilt": self.tilt_deg, "--azimuth": self.azimuth_deg}
        for option, value in given.items():
            low, high = LIMITS[option]
            if value is not None and not low <= value <= high:
                raise InputError(f"{option}: {value:g}: want {low:g} to {high:g}")

    def lens(self) -> Lens | None:
        """Return the lens that is asked for."""
        size = picture_size(self.resolution)
        return None if self.focal is None else plain_lens(size, _focal_px(self.focal, size[0]))


@dataclass(frozen=True, slots=True)
class Plan:
    """A mounting with its camera and what that can prove."""

    mounting: Mounting
    camera: Camera
    fitness: Fitness

    def record(self) -> dict[str, object]:
        """Return where the camera hangs, as one JSON object."""
        lens = self.camera.lens
        field = 2 * np.degrees(np.arctan(lens.width / 2 / lens.focal_px))
        return {
            "height_mm": round(self.mounting.height_mm),
            "tilt_deg": round(self.mounting.tilt_deg, 1),
            "azimuth_deg": round(self.mounting.azimuth_deg, 1),
            "resolution": f"{lens.width}x{lens.height}",
            "focal_px": round(lens.focal_px),
            "field_of_view_deg": round(float(field), 1),
            "position_mm": [round(mm) for mm in self.camera.position_mm],
        }


def planned(wish: Wish, layout: Layout, chips: ChipSet | None) -> Plan:
    """Return the mounting that is described in full; the azimuth may be left out."""
    wish.check()
    if wish.height_mm is None or wish.tilt_deg is None:
        missing = "--height" if wish.height_mm is None else "--tilt"
        raise InputError(f"{missing}: missing: want both --height and --tilt, or --best to find them")
    plan = _plan(Mounting.at_height(wish.tilt_deg, wish.azimuth_deg or 0.0, wish.height_mm), wish, layout, chips)
    return _met(plan, wish)


def best(wish: Wish, layout: Layout, chips: ChipSet | None) -> Plan:
    """Return the mounting that proves most, of those that a wish leaves open."""
    wish.check()
    plans = [_plan(mounting, wish, layout, chips) for mounting in _mountings(wish)]
    return _met(max(plans, key=_merit), wish)


def _mountings(wish: Wish) -> Iterator[Mounting]:
    heights = HEIGHTS_MM if wish.height_mm is None else (wish.height_mm,)
    tilts = TILTS_DEG if wish.tilt_deg is None else (wish.tilt_deg,)
    sides = AZIMUTHS_DEG if wish.azimuth_deg is None else (wish.azimuth_deg,)
    for height, tilt, side in product(heights, tilts, sides):
        yield Mounting.at_height(tilt, side, height)


def _plan(mounting: Mounting, wish: Wish, layout: Layout, chips: ChipSet | None) -> Plan:
    camera = hang(mounting, layout, picture_size(wish.resolution), wish.lens())
    return Plan(mounting, camera, assess(camera, layout, chips))


def _merit(plan: Plan) -> tuple[float, ...]:
    """Return what makes one mounting better than another, the weightiest first."""
    fitness = plan.fitness
    countable = [place.exact if place.view.is_in_picture else 0 for place in fitness.spots]
    early = sum(max(0, 6 - cover.chips) for place in fitness.spots for cover in place.covers)
    readable = sum(place.reads_index == "yes" for place in fitness.cards)
    rank = view_names().index(fitness.view.name)
    counted = sum(countable) - 2 * early
    return (-len(fitness.unseen), -rank, readable, min(countable), counted, fitness.view.least.card_px)


def _met(plan: Plan, wish: Wish) -> Plan:
    """Return the plan, or say why what was asked for cannot be had."""
    fitness, where = plan.fitness, f"{plan.mounting.height_mm:.0f} mm high, {plan.mounting.tilt_deg:.0f} degrees"
    if fitness.unseen:
        names = ", ".join(fitness.unseen[:4]) + (" …" if len(fitness.unseen) > 4 else "")
        raise InputError(
            f"cannot be met: {where}: out of the picture: {names}: want a shorter --focal or more --height"
        )
    if wish.view and view_names().index(fitness.view.name) > view_names().index(wish.view):
        lacks = "; ".join(fitness.view.lacks)
        raise InputError(f"--view: {wish.view}: cannot be met: {where} is a {fitness.view.name} view: {lacks}")
    return plan


def _focal_px(text: str, width: int) -> float:
    """Read a focal length: pixels, or a horizontal field of view in degrees."""
    number = text.removesuffix("deg")
    try:
        value = float(number)
    except ValueError:
        value = 0.0
    if text.endswith("deg") and 5 <= value <= 150:
        return float(width / 2 / np.tan(np.radians(value / 2)))
    if number == text and 100 <= value <= 100_000:
        return value
    raise InputError(f"--focal: {shown(text)}: want pixels (100 to 100000), or a field of view: '62deg'")
