"""Camera fitness: a calibrated camera over a felt enters; what it can prove at each place leaves, in numbers and words.

How exactly a stack can be counted follows from its picture. Its height is known to a share of a pixel, blurred by how
far chips lie off the axis (a chip that stands forward looks like height) and by the scale's own error; single edges
can be told apart where they are some pixels high. Both are independent; together they must leave less than half a chip.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, hypot, radians, sqrt, tan
from typing import Final

import cv2
import numpy as np

from vision.table.layout import Layout
from vision.table.views import PlaceView, View, measure_view
from vision.values.chips import ChipSet
from vision.values.errors import InputError
from vision.values.geometry import Camera
from vision.values.picture import Picture

CONTOUR_PX: Final = 0.4  # error of one contour of a stack, over several frames of it
OFFSET_MM: Final = 0.8  # how far chips of a usual stack lie off its axis
SCALE: Final = 0.02  # error of a height by the camera's calibration, as a share
BLIND, FADE_PX = 0.75, 1.25  # chips by which layers mislead, per chip, at a pixel of edge; falls e-fold in so many more
SURE: Final = 1.96  # deviations of 95 %
MOST_CHIPS: Final = 20  # taller stacks are cut down before they are paid
STACK: Final = 5  # chips of the stack whose shade is told
NEAR_MM: Final = 260.0  # stacks farther off never hide a foot
INDEX_MM: Final = 9.0  # height of a usual index
INDEX_PX: Final = (3.5, 5.0)  # below the first no index is read, from the second on every clear one
SOFT_PX, DARK, BRIGHT = 4.0, 35.0, 0.05  # a broader edge is unsharp; mean level; share of pixels at the upper end
CONTRAST: Final = 12.0  # levels; where less is printed, sharpness cannot be told


@dataclass(frozen=True, slots=True)
class Cover:
    """A stack in front that hides the foot of stacks here, from so many chips on."""

    place: str
    chips: int


@dataclass(frozen=True, slots=True)
class Light:
    """How a place looks in a frame: breadth of its edges (None without print), mean level, share of burnt pixels."""

    edge_px: float | None
    level: float
    burnt: float


@dataclass(frozen=True, slots=True)
class PlaceFitness:
    """What a camera can prove at one place."""

    view: PlaceView
    exact: int  # the largest stack that is counted exactly; 0 none
    hides_mm: float  # felt that a stack of five hides behind it
    hides: tuple[str, ...]  # spots whose stacks lose their foot behind a stack of five here
    covers: tuple[Cover, ...]
    index_px: float
    light: Light | None = None

    @property
    def name(self) -> str:
        """Return the name of its zone."""
        return str(self.view.place.zone)

    @property
    def reads_index(self) -> str:
        """Return whether a card's index is read here: 'yes', 'doubtful' or 'no'."""
        return ("no", "doubtful", "yes")[sum(self.index_px >= px for px in INDEX_PX)]


@dataclass(frozen=True, slots=True)
class Fitness:
    """What a camera can prove on a whole felt."""

    view: View
    places: tuple[PlaceFitness, ...]

    @property
    def spots(self) -> list[PlaceFitness]:
        """Return the betting spots."""
        return [place for place in self.places if not place.view.place.has_cards]

    @property
    def cards(self) -> list[PlaceFitness]:
        """Return the places of cards."""
        return [place for place in self.places if place.view.place.has_cards]

    @property
    def unseen(self) -> list[str]:
        """Return the places that are out of the picture."""
        return [place.name for place in self.places if not place.view.is_in_picture]


def assess(camera: Camera, layout: Layout, chips: ChipSet | None = None, frame: Picture | None = None) -> Fitness:
    """Judge a camera at every spot and card place; a frame tells sharpness and light."""
    if frame is not None and frame.shape[:2] != (camera.lens.height, camera.lens.width):
        size = f"{frame.shape[1]}x{frame.shape[0]}"
        wish = f"want {camera.lens.width}x{camera.lens.height}, as the camera was calibrated"
        raise InputError(f"--frame: {size} pixels: {wish}")
    chips = chips or ChipSet.model_construct(name="", chip=[])
    view = measure_view(camera, layout, chips.thickness_mm)
    spots = [place for place in view.places if not place.place.has_cards]
    places = tuple(_judged(place, camera, spots, chips, frame) for place in view.places)
    return Fitness(view, places)


def _judged(
    place: PlaceView, camera: Camera, spots: Sequence[PlaceView], chips: ChipSet, frame: Picture | None
) -> PlaceFitness:
    is_spot = not place.place.has_cards
    others = [other for other in spots if other is not place]
    hides = [str(o.place.zone) for o in others if is_spot and hidden_from(place, o, camera, chips) <= STACK]
    covers = [(str(o.place.zone), hidden_from(o, place, camera, chips)) for o in others if is_spot]
    return PlaceFitness(
        view=place,
        exact=largest_exact(place.chip_edge_px, place.tilt_deg, chips.thickness_mm) if place.is_in_picture else 0,
        hides_mm=STACK * chips.thickness_mm * tan(radians(place.tilt_deg)),
        hides=tuple(hides),
        covers=tuple(Cover(name, count) for name, count in covers if count <= MOST_CHIPS),
        index_px=INDEX_MM * _least_scale(camera, place),
        light=None if frame is None or not place.is_in_picture else light_at(frame, camera, place),
    )


def count_error(number: int, edge_px: float, tilt_deg: float, thickness_mm: float) -> float:
    """Return by how many chips (one deviation) the count of a stack is off."""
    slope = max(tan(radians(tilt_deg)), 1e-3)
    contour, offset = sqrt(2) * CONTOUR_PX / max(edge_px, 1e-3), OFFSET_MM / (thickness_mm * slope)
    height = sqrt(contour**2 + offset**2 + (SCALE * number) ** 2)
    layers = BLIND * exp((1 - edge_px) / FADE_PX) * sqrt(number)
    return 1 / sqrt(1 / height**2 + 1 / layers**2)


def largest_exact(edge_px: float, tilt_deg: float, thickness_mm: float) -> int:
    """Return the largest stack that is counted exactly in 95 of 100 cases; 0 where not even one chip is."""
    for number in range(1, MOST_CHIPS + 1):
        if SURE * count_error(number, edge_px, tilt_deg, thickness_mm) > 0.5:
            return number - 1
    return MOST_CHIPS


def hidden_from(front: PlaceView, behind: PlaceView, camera: Camera, chips: ChipSet) -> int:
    """Return from how many chips on a stack in front hides the foot of one behind it; too many where it never does."""
    never = MOST_CHIPS + 1
    (ax, ay), (bx, by) = front.place.shape.centre, behind.place.shape.centre
    away = hypot(ax - camera.position_mm[0], ay - camera.position_mm[1])
    if hypot(bx - ax, by - ay) > NEAR_MM or away < 1:
        return never
    ux, uy = (ax - camera.position_mm[0]) / away, (ay - camera.position_mm[1]) / away
    along, across = (bx - ax) * ux + (by - ay) * uy, abs((bx - ax) * uy - (by - ay) * ux)
    radius = chips.diameter_mm / 2
    if along <= 0 or across >= radius:
        return never
    shade_mm = along - radius - sqrt(radius**2 - across**2)  # from where the front stack ends to the foot behind
    per_chip = chips.thickness_mm * tan(radians(front.tilt_deg))
    return max(1, ceil(shade_mm / per_chip)) if per_chip > 0 else never


def _least_scale(camera: Camera, place: PlaceView) -> float:
    """Return the pixels of a millimetre in the direction in which it appears shortest."""
    x, y = place.place.shape.centre
    seen = camera.project([[x, y, 0.0], [x + 1, y, 0.0], [x, y + 1, 0.0]])
    return float(np.linalg.svd(seen[1:] - seen[0], compute_uv=False)[-1])


def light_at(frame: Picture, camera: Camera, place: PlaceView) -> Light:
    """Measure how sharp and how bright a frame is around a place."""
    corners = camera.project([[x, y, 0.0] for x, y in place.place.shape.corners])
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 6, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 7, (frame.shape[1], frame.shape[0]))
    part = frame[low[1] : high[1], low[0] : high[0]]
    grey = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 0.7)
    dark, bright = np.percentile(grey, (3, 97))
    slopes = np.hypot(*(cv2.Sobel(grey, cv2.CV_32F, *way, ksize=3, scale=1 / 8) for way in ((1, 0), (0, 1))))
    steepest = float(np.percentile(slopes, 99.5))
    edge_px = float(bright - dark) / max(steepest, 1e-3) if bright - dark >= CONTRAST else None
    return Light(edge_px, float(grey.mean()), float((part >= 250).all(axis=2).mean()))
