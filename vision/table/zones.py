"""Which place of the felt each point belongs to: a Layout enters, a map of its zones on a fine grid leaves.

Chips and cards have a map each: what is paid beside a wager belongs to that wager, so chips know payout areas, which
mean nothing to cards; and a card may lie over a spot, but is hardly meant for it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table.layout import Layout, SeatLayout, Shape
from vision.values.geometry import Floats

STEP_MM: Final = 2.0  # between the points of the grid
PAYOUT_MM: Final = 75.0  # how far around its spot a payout may lie
PAYOUT_ON_CARDS_MM: Final = 45.0  # and where the player's cards lie: a chip on the cards holds them down
SEAT_MM: Final = 200.0  # how far a seat's part of the bare felt reaches around its places
RAIL_MM: Final = 140.0  # breadth of the rail where the layout draws none
PAYOUT: Final = "payout:"
Labels = NDArray[np.int16]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Zone:
    """A named place: 'ante', 'payout:ante', 'cards' or 'felt' of a seat; 'dealer.cards', 'tray', 'rail', 'off' …"""

    seat: int | None
    name: str

    def __str__(self) -> str:
        return self.name if self.seat is None else f"seat.{self.seat}.{self.name}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the zone of a text; the inverse of `str`."""
        if not text.startswith("seat."):
            return cls(None, text)
        _, seat, name = text.split(".", 2)
        return cls(int(seat), name)

    @property
    def is_bare(self) -> bool:
        """Return whether nothing is printed here: the felt between the places, the rail, beyond the table."""
        return self.name in ("felt", "rail", "off")


OFF: Final = Zone(None, "off")
FELT: Final = Zone(None, "felt")
RAIL: Final = Zone(None, "rail")


class ZoneMap:
    """The zones of a layout on a grid; `chips` and `cards` hold indices into `zones`."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.zones: tuple[Zone, ...] = tuple(dict.fromkeys(_all_zones(layout)))
        self.index = {zone: i for i, zone in enumerate(self.zones)}
        outline = np.array(layout.outline)
        self._low = np.floor(outline.min(axis=0) - RAIL_MM - 2 * STEP_MM)
        count = np.ceil((outline.max(axis=0) + RAIL_MM + 2 * STEP_MM - self._low) / STEP_MM).astype(int) + 1
        self.xs, self.ys = (self._low[i] + np.arange(count[i]) * STEP_MM for i in (0, 1))
        self._last = count - 1
        ground = self._ground()
        self.chips = self._chip_map(ground)
        self.cards = self._card_map(ground)

    @cached_property
    def spots(self) -> dict[int, Shape]:
        """Return the betting spots by the index of their zone."""
        return {self.index[Zone(s.number, name)]: spot for s in self.layout.seat for name, spot in s.spots.items()}

    def at(self, labels: Labels, places: Floats) -> NDArray[np.intp]:
        """Return which zone of a map each of the places (…, 2) belongs to; beyond the grid all is off the table."""
        cells = np.clip((places - self._low) * (1 / STEP_MM) + 0.5, 0, self._last).astype(np.int32)
        flat = cells[..., 1] * np.int32(len(self.xs)) + cells[..., 0]
        return np.asarray(labels.ravel()[flat], np.intp)

    def outlines(self, zone: Zone) -> list[Floats]:
        """Return the borders (n, 2) of a zone of the chips' map, in millimetres."""
        mask = (self.chips == self.index[zone]).astype(np.uint8)
        borders, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return [np.asarray(border[:, 0] * STEP_MM + self._low, float) for border in borders]

    def _ground(self) -> Labels:
        """Return what lies under all printed places: rail, felt, and each seat's part of it."""
        ground = np.zeros((len(self.ys), len(self.xs)), np.int16)
        felt = self._mask(self.layout.felt)
        ground[self._rail(felt)] = self.index[RAIL]
        nearest = np.full(ground.shape, SEAT_MM, np.float32)
        ground[felt] = self.index[FELT]
        for seat in self.layout.seat:
            away = _away_mm(self._taken([seat.cards, *seat.spots.values()]))
            mine = felt & (away < nearest)
            ground[mine] = self.index[Zone(seat.number, "felt")]
            nearest = np.minimum(nearest, away)
        return ground

    def _rail(self, felt: Mask) -> Mask:
        if self.layout.rail:
            return self._taken(self.layout.rail) & ~felt
        beyond_dealer = self.ys[:, None] > min(y for _, y in self.layout.outline)
        return np.asarray((_away_mm(felt) <= RAIL_MM) & ~felt & beyond_dealer)

    def _chip_map(self, ground: Labels) -> Labels:
        labels = ground.copy()
        for seat in self.layout.seat:
            self._paint(labels, seat.cards, Zone(seat.number, "cards"))
        self._paint_payouts(labels)
        self._paint_dealer(labels)
        for seat in self.layout.seat:
            for name, shape in seat.payouts.items():
                self._paint(labels, shape, Zone(seat.number, PAYOUT + name))
        self._paint_spots(labels)
        return _fenced(labels)

    def _card_map(self, ground: Labels) -> Labels:
        labels = ground.copy()
        self._paint_spots(labels)
        for seat in self.layout.seat:
            self._paint(labels, seat.cards, Zone(seat.number, "cards"))
        self._paint_dealer(labels)
        return _fenced(labels)

    def _paint_payouts(self, labels: Labels) -> None:
        """Give the felt around each spot to its payouts, up to halfway to the next spot; drawn payouts are left out."""
        felt, cards = self._mask(self.layout.felt), self._taken([seat.cards for seat in self.layout.seat])
        nearest = np.where(cards, PAYOUT_ON_CARDS_MM, PAYOUT_MM).astype(np.float32)
        for seat in self.layout.seat:
            for name, spot in seat.spots.items():
                window = self._window(spot, PAYOUT_MM)
                away = _away_mm(self._mask(spot, window))
                mine = (away < nearest[window]) & felt[window]
                zone = Zone(seat.number, "felt" if name in seat.payouts else PAYOUT + name)
                labels[window][mine] = self.index[zone]
                nearest[window][mine] = away[mine]

    def _paint_spots(self, labels: Labels) -> None:
        for i, spot in self.spots.items():
            self._paint(labels, spot, self.zones[i])

    def _paint_dealer(self, labels: Labels) -> None:
        for name, shape in self.layout.dealer.zones().items():
            self._paint(labels, shape, dealer_zone(name))

    def _paint(self, labels: Labels, shape: Shape, zone: Zone) -> None:
        window = self._window(shape, 0.0)
        labels[window][self._mask(shape, window)] = self.index[zone]

    def _window(self, shape: Shape, around_mm: float) -> tuple[slice, slice]:
        """Return the rows and columns of the grid in which a shape lies, and so much around it."""
        corners = np.array(shape.corners)
        low = np.floor((corners.min(axis=0) - around_mm - self._low) / STEP_MM).astype(int)
        high = np.ceil((corners.max(axis=0) + around_mm - self._low) / STEP_MM).astype(int) + 1
        (left, top), (right, bottom) = np.maximum(low, 0).tolist(), np.maximum(high, 0).tolist()
        return slice(top, bottom), slice(left, right)

    def _taken(self, shapes: Iterable[Shape]) -> Mask:
        """Return which points of the grid lie in any of some shapes."""
        taken = np.zeros((len(self.ys), len(self.xs)), bool)
        for shape in shapes:
            window = self._window(shape, 0.0)
            taken[window] |= self._mask(shape, window)
        return taken

    def _mask(self, shape: Shape, window: tuple[slice, slice] = (slice(None), slice(None))) -> Mask:
        """Return which points of the grid lie in a shape."""
        xs, ys = self.xs[window[1]], self.ys[window[0]]
        if shape.circle is not None:
            x, y, radius = shape.circle
            return np.asarray(np.hypot(xs[None] - x, ys[:, None] - y) <= radius)
        inside = np.zeros((len(ys), len(xs)), bool)
        corners = shape.corners
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
            rows = np.flatnonzero((y1 > ys) != (y2 > ys))  # as `Shape.contains`, row by row
            if len(rows):
                cut = (x2 - x1) * (ys[rows] - y1) / (y2 - y1) + x1
                inside[rows] ^= xs[None] < cut[:, None]
        return inside


def dealer_zone(name: str) -> Zone:
    """Return the zone of one of the dealer's places; of those only the cards have a namesake at the seats."""
    return Zone(None, "dealer.cards" if name == "cards" else name)


def _all_zones(layout: Layout) -> Iterator[Zone]:
    """Return every zone there is; the first is off the table."""
    yield from (OFF, FELT, RAIL)
    yield from (dealer_zone(name) for name in layout.dealer.zones())
    for seat in layout.seat:
        yield from _seat_zones(seat)


def _seat_zones(seat: SeatLayout) -> Iterator[Zone]:
    names = ["felt", "cards", *seat.spots, *(PAYOUT + name for name in seat.spots)]
    return (Zone(seat.number, name) for name in names)


def _fenced(labels: Labels) -> Labels:
    """Return a map whose border is off the table: what lies beyond the grid is looked up there."""
    labels[[0, -1]] = 0
    labels[:, [0, -1]] = 0
    return labels


def _away_mm(taken: Mask) -> NDArray[np.float32]:
    """Return how far each point of the grid is from those taken."""
    away = cv2.distanceTransform((~taken).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.asarray(away * np.float32(STEP_MM), np.float32)
