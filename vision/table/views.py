"""View classes: a calibrated camera over a layout enters; what it shows at each place, and its class, leave.

`calibration/views.toml` defines the classes. Places are named as zones are: 'seat.3.ante', 'seat.3.cards',
'dealer.cards'.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from vision.table.layout import Layout, Shape
from vision.table.mounting import felt_middle
from vision.table.zones import Zone, dealer_zone
from vision.values.documents import read_document
from vision.values.geometry import Camera, Floats
from vision.values.resources import shipped
from vision.values.sizes import CARD_WIDTH_MM, CHIP_THICKNESS_MM

MEGA: Final = 1e6
CARD_PLACES: Final = ("cards", "work", "bonus", "community")  # of the dealer
DEALER_ANGLE: Final = 180.0  # the dealer's cards point to the dealer
Span = tuple[float, float]


class ViewEntry(BaseModel):
    """Anything in the file of view classes: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Detail(ViewEntry):
    """How large things appear at a place."""

    px_per_mm: float
    chip_edge_px: float
    card_px: float


class Filming(ViewEntry):
    """How the simulator hangs a camera of a class."""

    sizes: Annotated[list[str], Field(min_length=1)]
    tilt_deg: Span
    azimuth_deg: Annotated[float, Field(ge=0, le=180)]  # at most so far to either side of the players' middle
    distance_mm: Span
    share: Annotated[float, Field(ge=0, le=1)]


class ViewClass(ViewEntry):
    """What a class demands of a camera, and what an ordinary camera of it shows."""

    name: str
    about: str
    megapixels: float
    tilt_deg: Span
    fill: float
    least: Detail
    nearest: Detail
    farthest: Detail
    filming: Filming


class ViewFile(ViewEntry):
    """The file of view classes, the best first; the last demands nothing."""

    view: Annotated[list[ViewClass], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Place:
    """Where chips or cards belong: its zone, its middle, and the way cards lie there."""

    zone: Zone
    shape: Shape
    angle: float
    has_cards: bool


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place as the camera sees it."""

    place: Place
    px_per_mm: float
    chip_edge_px: float
    card_px: float
    tilt_deg: float  # of the line of sight, off the vertical
    distance_mm: float
    is_in_picture: bool

    @property
    def detail(self) -> Detail:
        """Return how large things appear here."""
        return Detail(px_per_mm=self.px_per_mm, chip_edge_px=self.chip_edge_px, card_px=self.card_px)


@dataclass(frozen=True, slots=True)
class View:
    """A camera's view of a felt, with its class and the reasons why it is in no better one."""

    name: str
    megapixels: float
    tilt_deg: float
    fill: float
    least: Detail
    nearest: PlaceView
    farthest: PlaceView
    places: tuple[PlaceView, ...]
    lacks: tuple[str, ...]


@cache
def view_classes() -> tuple[ViewClass, ...]:
    """Return the view classes, the best first."""
    return tuple(read_document(shipped("calibration") / "views.toml", ViewFile).view)


def view_class(name: str) -> ViewClass:
    """Return a view class by its name."""
    return next(view for view in view_classes() if view.name == name)


def view_names() -> tuple[str, ...]:
    """Return the names of the view classes, the best first."""
    return tuple(view.name for view in view_classes())


def places_of(layout: Layout) -> Iterator[Place]:
    """Yield every betting spot and every place of cards."""
    for seat in layout.seat:
        for name, spot in seat.spots.items():
            yield Place(Zone(seat.number, name), spot, seat.angle, has_cards=False)
        yield Place(Zone(seat.number, "cards"), seat.cards, seat.angle, has_cards=True)
    for name, shape in layout.dealer.zones().items():
        if name in CARD_PLACES:
            yield Place(dealer_zone(name), shape, DEALER_ANGLE, has_cards=True)


def edge_px(camera: Camera, feet_mm: Floats, thickness_mm: float = CHIP_THICKNESS_MM) -> Floats:
    """Return the pixels of one chip's edge at places (n, 2) on the felt."""
    feet = np.column_stack([feet_mm, np.zeros(len(feet_mm))])
    rise = camera.project(feet + np.array([0.0, 0.0, thickness_mm])) - camera.project(feet)
    return np.asarray(np.linalg.norm(rise, axis=1))


def measure_place(camera: Camera, place: Place, thickness_mm: float = CHIP_THICKNESS_MM) -> PlaceView:
    """Measure how large things appear at a place."""
    x, y = place.shape.centre
    foot = np.array([x, y, 0.0])
    turn = np.radians(place.angle)
    across = np.array([np.cos(turn), np.sin(turn), 0.0]) * CARD_WIDTH_MM / 2
    left, right, middle = camera.project([foot - across, foot + across, foot])
    sight = np.array(camera.position_mm) - foot
    inside = bool(((middle >= 0) & (middle < (camera.lens.width, camera.lens.height))).all())
    return PlaceView(
        place=place,
        px_per_mm=camera.scale_px_per_mm(foot),
        chip_edge_px=float(edge_px(camera, np.array([[x, y]]), thickness_mm)[0]),
        card_px=float(np.linalg.norm(right - left)),
        tilt_deg=_off_vertical(sight),
        distance_mm=float(np.linalg.norm(sight)),
        is_in_picture=inside and bool(camera.to_camera(foot)[2] > 0),
    )


def measure_view(camera: Camera, layout: Layout, thickness_mm: float = CHIP_THICKNESS_MM) -> View:
    """Measure a camera's view of a felt, and say which class it belongs to."""
    places = tuple(measure_place(camera, place, thickness_mm) for place in places_of(layout))
    spots = [place for place in places if not place.place.has_cards]
    least = Detail(
        px_per_mm=min(place.px_per_mm for place in places),
        chip_edge_px=min(place.chip_edge_px for place in spots),
        card_px=min(place.card_px for place in places if place.place.has_cards),
    )
    tilt_deg = _off_vertical(np.subtract(camera.position_mm, felt_middle(layout)))
    megapixels = camera.lens.width * camera.lens.height / MEGA
    fill = _fill(camera, layout)
    missed = {view.name: _missed(view, megapixels, tilt_deg, fill, least) for view in view_classes()}
    name = next(view.name for view in view_classes() if not missed[view.name])
    best = view_classes()[0].name
    return View(
        name=name,
        megapixels=megapixels,
        tilt_deg=tilt_deg,
        fill=fill,
        least=least,
        nearest=min(spots, key=lambda place: place.distance_mm),
        farthest=max(spots, key=lambda place: place.distance_mm),
        places=places,
        lacks=tuple(missed[best]),
    )


def _missed(view: ViewClass, megapixels: float, tilt_deg: float, fill: float, least: Detail) -> list[str]:
    """Return what a camera lacks for a class, in words."""
    steepest, flattest = view.tilt_deg
    found = []
    if megapixels < view.megapixels:
        found.append(f"{megapixels:.1f} megapixels: want {view.megapixels:g}")
    if not steepest <= round(tilt_deg) <= flattest:
        found.append(f"{tilt_deg:.0f} degrees off the vertical: want {steepest:g} to {flattest:g}")
    if fill < view.fill:
        found.append(f"the felt spans {fill:.0%} of the picture: want {view.fill:.0%}")
    for name, unit in (("px_per_mm", "px per mm"), ("chip_edge_px", "px of edge per chip"), ("card_px", "px per card")):
        if getattr(least, name) < getattr(view.least, name):
            found.append(f"{getattr(least, name):.2f} {unit}: want {getattr(view.least, name):g}")
    return found


def _fill(camera: Camera, layout: Layout) -> float:
    """Return the share of the picture's width or height that the felt spans, the larger of both."""
    seen = camera.project([[x, y, 0.0] for x, y in layout.outline])
    low, high = np.maximum(seen.min(axis=0), 0), np.minimum(seen.max(axis=0), (camera.lens.width, camera.lens.height))
    return float(np.clip((high - low) / (camera.lens.width, camera.lens.height), 0, 1).max())


def _off_vertical(sight: Floats) -> float:
    return float(np.degrees(np.arctan2(np.hypot(sight[0], sight[1]), sight[2])))
