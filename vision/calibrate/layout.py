"""A felt design in millimetres: seats, spots, card areas, tray, rack. A `layout.toml` enters, a Layout leaves."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from vision.documents import read_document

Point = Annotated[list[float], Field(min_length=2, max_length=2)]


class Entry(BaseModel):
    """Anything in a layout: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Shape(Entry):
    """A place on the felt: a circle (x, y, radius) or a polygon."""

    circle: Annotated[list[float], Field(min_length=3, max_length=3)] | None = None
    polygon: Annotated[list[Point], Field(min_length=3)] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.circle is None) == (self.polygon is None):
            raise ValueError("want either 'circle' or 'polygon'")
        if self.circle is not None and self.circle[2] <= 0:
            raise ValueError("want a radius above 0")
        return self

    @cached_property
    def centre(self) -> tuple[float, float]:
        """Return the middle of the place."""
        if self.circle is not None:
            return (self.circle[0], self.circle[1])
        x, y = np.mean(np.array(self.polygon), axis=0)
        return (float(x), float(y))

    @cached_property
    def corners(self) -> list[tuple[float, float]]:
        """Return the outline as points."""
        if self.polygon is not None:
            return [(point[0], point[1]) for point in self.polygon]
        x, y, radius = self.circle or (0.0, 0.0, 0.0)
        turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        return [(float(x + radius * np.cos(t)), float(y + radius * np.sin(t))) for t in turns]

    def contains(self, x: float, y: float) -> bool:
        """Tell whether a point lies in the place."""
        if self.circle is not None:
            return (x - self.circle[0]) ** 2 + (y - self.circle[1]) ** 2 <= self.circle[2] ** 2
        inside = False
        corners = self.corners
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                inside = not inside
        return inside


class SeatLayout(Entry):
    """One betting position. `angle` is the way the player's cards point: 0 along +y, counter-clockwise."""

    number: Annotated[int, Field(ge=1)]
    angle: float
    cards: Shape
    spots: dict[str, Shape]


class DealerLayout(Entry):
    """The dealer's side."""

    cards: Shape
    work: Shape
    tray: Shape
    discard: Shape
    shoe: Shape
    bonus: Shape | None = None


class Layout(Entry):
    """A whole felt. The artwork covers x from -width/2 to width/2 and y from height (its top row) to 0."""

    name: str
    size_mm: Annotated[list[float], Field(min_length=2, max_length=2)]
    outline: Annotated[list[Point], Field(min_length=3)]
    artwork: str | None = None
    mm_per_px: float = 1.0
    seat: Annotated[list[SeatLayout], Field(min_length=1)]
    dealer: DealerLayout

    def seat_at(self, number: int) -> SeatLayout:
        """Return a betting position by its number."""
        return next(seat for seat in self.seat if seat.number == number)


def read_layout(folder: Path) -> Layout:
    """Read and check the layout in a folder."""
    return read_document(folder / "layout.toml", Layout, _check)


def _check(layout: Layout) -> None:
    numbers = [seat.number for seat in layout.seat]
    if numbers != list(range(1, len(numbers) + 1)):
        raise ValueError(f"seat: {numbers}: want seats numbered 1, 2, 3 … from the dealer's left")
    by_x = [seat.cards.centre[0] for seat in layout.seat]
    if by_x != sorted(by_x):
        raise ValueError("seat: the dealer's left is -x: want the seats in rising order of x")
