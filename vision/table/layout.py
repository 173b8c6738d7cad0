"""A felt design in millimetres: seats, spots, card areas, tray, rack. A `layout.toml` enters, a Layout leaves."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations
from math import isfinite
from pathlib import Path
from typing import Annotated, Final, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from vision.values.documents import read_document
from vision.values.errors import shown
from vision.values.geometry import Floats

Point = Annotated[list[float], Field(min_length=2, max_length=2)]
Place = tuple[float, float]
LEAST_AREA_MM2: Final = 1.0  # less is a line, not a place
SLACK_MM: Final = 1.0  # how far an outline may leave the artwork, for rounding's sake


class Entry(BaseModel):
    """Anything in a layout: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Shape(Entry):
    """A place on the felt: a circle (x, y, radius) or a polygon."""

    circle: Annotated[list[float], Field(min_length=3, max_length=3)] | None = None
    polygon: Annotated[list[Point], Field(min_length=3)] | None = None

    @field_validator("circle")
    @classmethod
    def _is_round(cls, circle: list[float] | None) -> list[float] | None:
        if circle is not None and not (all(map(isfinite, circle)) and circle[2] > 0):
            raise ValueError("want a radius above 0")
        return circle

    @field_validator("polygon")
    @classmethod
    def _is_plain(cls, polygon: list[list[float]] | None) -> list[list[float]] | None:
        if polygon is not None:
            _check_polygon(polygon)
        return polygon

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.circle is None) == (self.polygon is None):
            raise ValueError("want either 'circle' or 'polygon'")
        return self

    @cached_property
    def centre(self) -> Place:
        """Return the middle of the place."""
        if self.circle is not None:
            return (self.circle[0], self.circle[1])
        x, y = np.mean(np.array(self.polygon), axis=0)
        return (float(x), float(y))

    @cached_property
    def corners(self) -> list[Place]:
        """Return the outline as points."""
        if self.polygon is not None:
            return [(point[0], point[1]) for point in self.polygon]
        x, y, radius = self.circle or (0.0, 0.0, 0.0)
        turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        return [(float(x + radius * np.cos(t)), float(y + radius * np.sin(t))) for t in turns]

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point lies in the place."""
        if self.circle is not None:
            return (x - self.circle[0]) ** 2 + (y - self.circle[1]) ** 2 <= self.circle[2] ** 2
        inside = False
        corners = self.corners
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                inside = not inside
        return inside

    @cached_property
    def area_mm2(self) -> float:
        """Return how much felt the place takes."""
        if self.circle is not None:
            return float(np.pi * self.circle[2] ** 2)
        x, y = np.array(self.polygon).T
        return abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))) / 2

    def moved(self, dx: float, dy: float) -> "Shape":
        """Return the same place elsewhere."""
        if self.circle is not None:
            return Shape(circle=[round(self.circle[0] + dx, 1), round(self.circle[1] + dy, 1), self.circle[2]])
        return Shape(polygon=[[round(x + dx, 1), round(y + dy, 1)] for x, y in self.corners])


class SeatLayout(Entry):
    """One betting position. `angle` is the way the player's cards point: 0 along +y, counter-clockwise.

    `payouts` says where a spot's winnings are put, where that is not simply around it (see `vision.table.zones`).
    """

    number: Annotated[int, Field(ge=1)]
    angle: float
    cards: Shape
    spots: Annotated[dict[str, Shape], Field(min_length=1)]
    payouts: dict[str, Shape] = {}


class DealerLayout(Entry):
    """The dealer's side; `bonus` and `community` where the game has such cards."""

    cards: Shape
    work: Shape
    tray: Shape
    discard: Shape
    shoe: Shape
    bonus: Shape | None = None
    community: Shape | None = None

    def zones(self) -> dict[str, Shape]:
        """Return the places there are, by name."""
        named = {name: getattr(self, name) for name in DealerLayout.model_fields}
        return {name: shape for name, shape in named.items() if shape is not None}


class Layout(Entry):
    """A whole felt. The artwork covers x from -width/2 to width/2 and y from height (its top row) to 0.

    Without `rail` shapes the rail is a band around the outline, but for the dealer's side.
    """

    name: str
    size_mm: Annotated[list[Annotated[float, Field(gt=0)]], Field(min_length=2, max_length=2)]
    outline: Annotated[list[Point], Field(min_length=3)]
    artwork: str | None = None
    mm_per_px: Annotated[float, Field(gt=0)] = 1.0
    photographed: bool = False  # the artwork is of a photograph, not of the printer's drawing
    rail: list[Shape] = []
    seat: Annotated[list[SeatLayout], Field(min_length=1)]
    dealer: DealerLayout

    @field_validator("outline")
    @classmethod
    def _is_plain(cls, outline: list[list[float]]) -> list[list[float]]:
        _check_polygon(outline)
        return outline

    @cached_property
    def felt(self) -> Shape:
        """Return the whole of the felt as one place."""
        return Shape(polygon=self.outline)

    def sensors(self, chip_diameter_mm: float) -> list[Shape]:
        """Return the spots on which no chip fits: lamps and lenses of a sensor."""
        chip = np.pi * chip_diameter_mm**2 / 4
        return [spot for seat in self.seat for spot in seat.spots.values() if spot.area_mm2 < chip]

    def seat_at(self, number: int) -> SeatLayout:
        """Return a betting position by its number."""
        return next(seat for seat in self.seat if seat.number == number)

    def lacks(self, wagers: Iterable[str], cards: Iterable[str] = ()) -> list[str]:
        """Return the fields that a game needs and this felt has not: a spot for each wager, a box for each common card.

        `wagers` are those that the house offers; `cards` names what is dealt to the table: 'bonus', 'community'.
        """
        missing = [
            f"seat[{i}].spots.{wager}"
            for i, seat in enumerate(self.seat)
            for wager in sorted(set(wagers) - set(seat.spots))
        ]
        return missing + [f"dealer.{name}" for name in cards if name not in self.dealer.zones()]


def read_layout(folder: Path) -> Layout:
    """Read and check the layout in a folder."""
    return read_document(folder / "layout.toml", Layout, check_layout)


def check_layout(layout: Layout) -> None:
    """Raise ValueError where a felt's places do not fit each other."""
    _check_seats(layout)
    _check_size(layout)
    _check_inside(layout)
    _check_apart(layout)


def _check_seats(layout: Layout) -> None:
    numbers = [seat.number for seat in layout.seat]
    if numbers != list(range(1, len(numbers) + 1)):
        raise ValueError(f"seat: {numbers}: want seats numbered 1, 2, 3 … from the dealer's left")
    by_x = [seat.cards.centre[0] for seat in layout.seat]
    if by_x != sorted(by_x):
        raise ValueError("seat: the dealer's left is -x: want the seats in rising order of x")
    for i, seat in enumerate(layout.seat):
        for name in sorted(set(seat.payouts) - set(seat.spots)):
            raise ValueError(f"seat[{i}].payouts.{name}: no such spot: want one of {', '.join(seat.spots)}")


def _check_size(layout: Layout) -> None:
    width, height = layout.size_mm
    for i, (x, y) in enumerate(layout.outline):
        if abs(x) > width / 2 + SLACK_MM or not -SLACK_MM <= y <= height + SLACK_MM:
            wish = f"want x from {-width / 2:g} to {width / 2:g} and y from 0 to {height:g}, as size_mm says"
            raise ValueError(f"outline[{i}]: {[x, y]}: {wish}")


def _check_inside(layout: Layout) -> None:
    """Spots lie wholly on the felt; of larger places, which may be cut into its edge, the middle does."""
    for field, spot in _spots(layout):
        if not all(layout.felt.contains(x, y) for x, y in spot.corners):
            raise ValueError(f"{field}: {shown(spot.circle or spot.polygon)}: want a spot inside the outline")
    areas = [(f"seat[{i}].cards", seat.cards) for i, seat in enumerate(layout.seat)]
    areas += [(f"dealer.{name}", shape) for name, shape in layout.dealer.zones().items()]
    for field, area in areas:
        if not layout.felt.contains(*area.centre):
            raise ValueError(f"{field}: {shown(area.circle or area.polygon)}: want its middle inside the outline")


def _check_apart(layout: Layout) -> None:
    """No spot may hold another one's middle: a chip could belong to both."""
    for (other, one), (field, two) in combinations(_spots(layout), 2):
        if one.contains(*two.centre) or two.contains(*one.centre):
            raise ValueError(f"{field}: {shown(two.circle or two.polygon)}: lies on {other}")


def _spots(layout: Layout) -> Iterator[tuple[str, Shape]]:
    for i, seat in enumerate(layout.seat):
        for name, spot in seat.spots.items():
            yield f"seat[{i}].spots.{name}", spot


def _check_polygon(points: list[list[float]]) -> None:
    """Raise ValueError where points bound no area, or cross each other's lines."""
    around = np.array(points, float)
    if not np.isfinite(around).all():
        raise ValueError("want numbers")
    around = around[(around != np.roll(around, 1, axis=0)).any(axis=1)]  # a repeated point does no harm
    x, y = around.T
    if abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2 < LEAST_AREA_MM2:
        raise ValueError(f"want points around an area of {LEAST_AREA_MM2:g} mm² or more")
    if _crosses_itself(around):
        raise ValueError("want lines that do not cross: the points one after the other around the place")


def _crosses_itself(around: Floats) -> bool:
    """Return whether any two sides of a polygon cross, not counting the corners where they meet."""
    start, end = around, np.roll(around, -1, axis=0)

    def side(point: Floats) -> Floats:
        """Return on which side of each line each point lies."""
        way, to = (end - start)[:, None], point[None] - start[:, None]
        return np.asarray(np.sign(np.round(way[..., 0] * to[..., 1] - way[..., 1] * to[..., 0], 6)))

    across = side(start) * side(end) < 0
    return bool((across & across.T).any())
