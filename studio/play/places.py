"""Where things belong: the ground plan of a table for those who act on it.

A Layout enters; places in table space (mm) leave. Nothing here knows what time it is, or what lies on the felt.
"""

from collections.abc import Mapping
from math import atan2, cos, degrees, hypot, radians, sin

from studio.scene import Pose
from vision.table.layout import Layout, SeatLayout, Shape
from vision.values.sizes import CARD_WIDTH_MM, CHIP_DIAMETER_MM

Point = tuple[float, float]
APART_MM = CHIP_DIAMETER_MM + 2.0  # between the axes of stacks that stand side by side
ARM_MM = 330.0  # from the edge of the table to an elbow beyond it


def aim(start: Point, end: Point) -> float:
    """Return the angle of an arm, or a card, that points from one place to another."""
    return degrees(atan2(-(end[0] - start[0]), end[1] - start[1]))


def apart(one: Point | Pose, two: Point | Pose) -> float:
    """Return how far two places are from each other."""
    (x1, y1), (x2, y2) = (p if isinstance(p, tuple) else (p.x, p.y) for p in (one, two))
    return hypot(x2 - x1, y2 - y1)


def step(start: Point, along: Point, mm: float) -> Point:
    """Return the place so many millimetres in a direction."""
    return (start[0] + along[0] * mm, start[1] + along[1] * mm)


def half_width(shape: Shape, along: Point) -> float:
    """Return how far a place reaches from its centre in a direction, on its narrower side."""
    x, y = shape.centre
    reach = [(cx - x) * along[0] + (cy - y) * along[1] for cx, cy in shape.corners]
    return min(max(reach), -min(reach))


def inside(shape: Shape, point: Point) -> Point:
    """Return the point, or the nearest one on the way to the centre that lies in the place."""
    x, y = shape.centre
    for share in (1.0, 0.85, 0.7, 0.55, 0.4, 0.25, 0.1):
        tried = (x + (point[0] - x) * share, y + (point[1] - y) * share)
        if shape.contains(*tried):
            return tried
    return (x, y)


class Ground:
    """The ground plan: who sits where, where hands come from, where cards and chips belong."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.dealer = layout.dealer
        self.paid_at: Mapping[str, str] = {}  # bonus -> the wager at whose spot it is paid
        self._felt = Shape(polygon=[list(point) for point in layout.outline])
        self._outward = {seat.number: self._find_outward(seat) for seat in layout.seat}
        self._edges = {seat.number: self._find_edge(seat) for seat in layout.seat}

    def seat(self, number: int) -> SeatLayout:
        """Return a betting position."""
        return self.layout.seat_at(number)

    def outward(self, number: int) -> Point:
        """Return the direction from a seat's cards to the player."""
        return self._outward[number]

    def _find_outward(self, seat: SeatLayout) -> Point:
        x, y = -sin(radians(seat.angle)), cos(radians(seat.angle))
        away = x * seat.cards.centre[0] + y * (seat.cards.centre[1] + 200.0) > 0
        return (x, y) if away else (-x, -y)

    def sideways(self, number: int) -> Point:
        """Return the direction to the player's left, which is the dealer's right."""
        x, y = self.outward(number)
        return (y, -x)

    def edge(self, number: int) -> Point:
        """Return where the felt ends in front of a player."""
        return self._edges[number]

    def _find_edge(self, seat: SeatLayout) -> Point:
        place, out = seat.cards.centre, self._outward[seat.number]
        while self._felt.contains(*place):
            place = step(place, out, 10.0)
        return place

    def home(self, person: int, *, left: bool, beyond_mm: float) -> Point:
        """Return a place at a person's edge of the table, so far beyond it, on the side of one hand."""
        if person == 0:
            return (-150.0 if left else 150.0, -beyond_mm)
        beyond = step(self.edge(person), self.outward(person), beyond_mm)
        return step(beyond, self.sideways(person), 95.0 if left else -95.0)

    def hand_angle(self, person: int, tip: Point, *, left: bool) -> float:
        """Return which way an arm points whose fingers are at a place."""
        x, y = self.home(person, left=left, beyond_mm=ARM_MM)
        return aim((x + tip[0] * 0.4, y) if person == 0 else (x, y), tip)  # the dealer leans to the side

    def spot_name(self, number: int, wager: str) -> str:
        """Return the spot at which a wager stands: its own, or that of the wager it belongs to (ante_bonus: ante)."""
        spots, wager = self.seat(number).spots, self.paid_at.get(wager, wager)
        if wager in spots:
            return wager
        kin = [name for name in spots if wager.startswith(name) or name.startswith(wager)]
        return max(kin, key=len) if kin else next(iter(spots))

    def spot(self, number: int, wager: str) -> Point:
        """Return the middle of a wager's spot."""
        return self.seat(number).spots[self.spot_name(number, wager)].centre

    def tray(self, column: float) -> Point:
        """Return a place in the tray; `column` runs from 0 at its left to 1."""
        (x, y), reach = self.dealer.tray.centre, half_width(self.dealer.tray, (1.0, 0.0))
        return (x + (2 * column - 1) * max(reach - 30.0, 0.0), y)

    def seat_place(self, number: int, index: int, spread_mm: float) -> Point:
        """Return where the n-th card of a seat lands: a loose fan across the card area."""
        area, side = self.seat(number).cards, self.sideways(number)
        room = max(half_width(area, side) - CARD_WIDTH_MM / 2, 4.0)
        gap = min(spread_mm, room / 2)
        return inside(area, step(area.centre, side, (index - 2) * gap))

    def dealer_place(self, index: int, *, is_up: bool) -> Point:
        """Return where the n-th card of the dealer lands: those face down in a fan, the up-card at its side."""
        area = self.dealer.cards
        room = half_width(area, (1.0, 0.0)) - CARD_WIDTH_MM / 2
        gap = min(24.0, room / 4)
        across = min(room, 100.0) if is_up else (index % 7 - 4) * gap
        return inside(area, step(area.centre, (1.0, 0.0), across))

    def revealed(self, count: int) -> tuple[list[Point], list[Point]]:
        """Return the row for a dealer's best cards, and places behind it for the others."""
        area = self.dealer.cards
        room = max(half_width(area, (1.0, 0.0)) - CARD_WIDTH_MM / 2, 60.0)
        deep = half_width(area, (0.0, 1.0))
        gap = min(CARD_WIDTH_MM + 4.0, room * 2 / 5.2)
        x, y = area.centre
        row = [(x - room + i * gap, y) if gap < CARD_WIDTH_MM else (x - 2.1 * gap + i * gap, y) for i in range(4)]
        last = row[-1][0]
        behind = [(min(last + gap * (1.0 + 0.42 * i), x + room), y - min(20.0, deep * 0.6)) for i in range(count)]
        return [inside(area, p) for p in row], [inside(area, p) for p in behind]

    def fan(self, count: int) -> list[Point]:
        """Return places in the work area for a hand that is shown: every index is seen."""
        area = self.dealer.work
        room = max(half_width(area, (1.0, 0.0)) - CARD_WIDTH_MM / 2, 44.0)
        gap = min(36.0, 2 * room / max(count - 1, 1))
        return [step(area.centre, (1.0, 0.0), (i - (count - 1) / 2) * gap) for i in range(count)]

    def shared(self, zone: str, index: int, count: int) -> Point:
        """Return where one of so many shared cards lies: side by side in their box, overlapping where it is narrow."""
        area = getattr(self.dealer, zone)
        if area is None:
            x, y = self.dealer.cards.centre
            return (x - half_width(self.dealer.cards, (1.0, 0.0)) - CARD_WIDTH_MM, y)
        room = max(half_width(area, (1.0, 0.0)) - CARD_WIDTH_MM / 2, 0.0)
        gap = min(CARD_WIDTH_MM + 4.0, 2 * room / max(count - 1, 1))
        return step(area.centre, (1.0, 0.0), (index - (count - 1) / 2) * gap)

    def reserves(self, number: int) -> list[Point]:
        """Return places for a player's own chips: near the rail, off every printed place."""
        out, side = self.outward(number), self.sideways(number)
        rail, found = self.edge(number), list[Point]()
        for back in range(38, 300, 14):
            for across in (-70, 70, -112, 112, -28, 28, -154, 154):
                place = step(step(rail, out, -back), side, across)
                if self._is_open(number, place) and all(apart(place, other) > APART_MM for other in found):
                    found.append(place)
        return found[:5]

    def _is_open(self, number: int, place: Point) -> bool:
        """Return whether a chip here would be on the felt, nearest to its own seat, and on nothing printed."""
        printed = [shape for seat in self.layout.seat for shape in (seat.cards, *seat.spots.values())]
        shapes = [shape for shape in printed if apart(shape.centre, place) < 220.0]
        if any(shape.contains(*place) or _to_outline(shape, place) < 34.0 for shape in shapes):
            return False
        near = min(self.layout.seat, key=lambda seat: apart(seat.cards.centre, place)).number
        return near == number and self._felt.contains(*step(place, self.outward(number), 26.0))


def _to_outline(shape: Shape, place: Point) -> float:
    ends = [*shape.corners[1:], shape.corners[0]]
    return min(_to_line(place, a, b) for a, b in zip(shape.corners, ends, strict=True))


def _to_line(place: Point, a: Point, b: Point) -> float:
    length2 = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 or 1.0
    share = ((place[0] - a[0]) * (b[0] - a[0]) + (place[1] - a[1]) * (b[1] - a[1])) / length2
    share = min(max(share, 0.0), 1.0)
    return apart(place, (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
