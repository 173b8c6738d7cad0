"""Clicked points: names of places with pixels enter, a first camera leaves; or why these points will not do."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.calibrate.coarse import camera_of
from vision.calibrate.fit import USUAL_FOCAL, LensHint, Observations
from vision.calibrate.points import check_points, view_of
from vision.table.layout import Layout
from vision.values.errors import InputError, shown
from vision.values.geometry import Camera, Lens

CLICK_PX = 2.0  # how exactly people click


@dataclass(frozen=True)
class Click:
    """A place of the table, in millimetres, and the pixel that shows it."""

    name: str
    place_mm: tuple[float, float]
    pixel: tuple[float, float]

    def __str__(self) -> str:
        """Return the click as it was written."""
        return f"{self.pixel[0]:g},{self.pixel[1]:g}={self.name}"


def parse_click(text: str, layout: Layout) -> Click:
    """Read `812,433=3.ante` (the middle of a spot) or `812,433=-250,215` (millimetres on the table)."""
    pixel, equals, name = text.partition("=")
    if not equals:
        raise InputError(f"--point: {shown(text)}: want U,V=PLACE: '812,433=3.ante' or '812,433=-250,215'")
    return Click(name, _place(name, layout, text), _pair(pixel, text))


def _place(name: str, layout: Layout, text: str) -> tuple[float, float]:
    if "," in name:
        return _pair(name, text)
    number, _, spot = name.partition(".")
    seats = {str(seat.number): seat for seat in layout.seat}
    if number not in seats or spot not in seats[number].spots:
        spots = sorted({spot for seat in layout.seat for spot in seat.spots})
        raise InputError(
            f"--point: {shown(text)}: no such spot: want SEAT.SPOT, seats 1 to {len(seats)}, {', '.join(spots)}"
        )
    return seats[number].spots[spot].centre


def _pair(text: str, whole: str) -> tuple[float, float]:
    try:
        first, second = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--point: {shown(whole)}: want two numbers, as in 812,433, not {shown(text)}") from None
    return first, second


def observed(clicks: Sequence[Click]) -> Observations:
    """Return clicks as observations."""
    places, pixels = np.array([c.place_mm for c in clicks], float), np.array([c.pixel for c in clicks], float)
    return Observations(places, pixels, np.broadcast_to(np.eye(2) / CLICK_PX, (len(clicks), 2, 2)))


def camera_from(clicks: Sequence[Click], size: tuple[int, int], hint: LensHint) -> Camera:
    """Return a first camera from clicks, or say why there is none."""
    seen = observed(clicks)
    check_points([str(click) for click in clicks], seen.pixels, seen.places_mm, size)
    width, height = size
    k1, k2 = hint.distortion or (0.0, 0.0)
    lens = Lens(width, height, hint.focal_px or USUAL_FOCAL * width, (width - 1) / 2, (height - 1) / 2, k1, k2)
    camera = camera_of(view_of(seen.places_mm, seen.pixels), lens, hint)
    if camera is None:
        raise InputError("--point: no camera sees the points like this: is one of them mistaken?")
    return camera
