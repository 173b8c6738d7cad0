"""Strangers' hands on players' cards: hands and cards that lie still enter; touches leave.

A hand is told as the box around all of its arm, from the fingers back to the rail. Whose it is follows from the rail
over which it comes, and where its fingers are from the end of the box that is away from there: a neighbour's arm that
only passes by, lies beside the cards, or reaches to the own chips ends elsewhere. Only where it ends right at another
seat's cards, and stays, it is on them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import copysign, hypot
from typing import Final

from vision.calibrate.layout import Layout, SeatLayout, Shape
from vision.rounds.floor import Floor, inward
from vision.rounds.hands import seat_place, zone_of
from vision.rounds.playing import Happening, RoundInPlay
from vision.rules.play import events as ev

END_MM: Final = 50.0  # from the cards to the end of an arm that is on them
BESIDE_MM: Final = 40.0  # and to the side of its box
NARROW_MM: Final = 140.0  # beyond the cards, across: a box that ends in a corner there
SLANTS: Final = 0.62  # across the picture, of along it: with more than that an arm's box ends in a corner
INSIDE_MM: Final = 60.0  # towards the dealer, beyond the cards and the rail that it comes from
RAIL_MM: Final = 260.0  # from a neighbour's rail to an arm that comes over it: players sit as they like
PAST_RAIL_MM: Final = 20.0  # beyond that neighbour: the arm goes on to where the neighbour sits
OWN_ARM_MM: Final = 430.0  # a player's own arm leans so far to a side
SLANTING_MM: Final = 60.0  # beyond the neighbour's rail a slanting arm goes on to where the neighbour sits
LEANING_MM: Final = 180.0  # the same of one along the picture, or the neighbour only leans over here from the own cards
FAR_MM: Final = 600.0  # nobody leans so far
STRAIGHT_MM: Final = 250.0  # the same of a box that does not end in a corner: that of a raised arm is wide
STAYS_NS: Final = 400_000_000  # for which a hand must be on the cards
SIGHTS: Final = 4  # in which it was seen there, or at chips that it put
LOST_NS: Final = 450_000_000  # a hand may be missed for so long
PUT_NS: Final = 600_000_000  # chips that came so recently are those that this hand put there
STEP_MM: Final = 10.0
DEALERS: Final = 0.35  # of the table's width, to either side of its middle
NEIGHBOURS: Final = (-2, -1, 1, 2)  # the seat beside may be empty
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ArmBox:
    """The box around an arm: its corners, its middle, the ways along its two sides, and half their lengths."""

    corners: tuple[Point, ...]
    middle: Point
    ways: tuple[Point, Point]
    half: Point

    @classmethod
    def around(cls, corners: Sequence[Point]) -> "ArmBox":
        """Return the box with these corners, as the camera sees it: on the felt it is seldom square."""
        a, b, c, d = corners
        wide = (b[0] - a[0] + c[0] - d[0]) / 2, (b[1] - a[1] + c[1] - d[1]) / 2
        long = (d[0] - a[0] + c[0] - b[0]) / 2, (d[1] - a[1] + c[1] - b[1]) / 2
        middle = (a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4
        lengths = hypot(*wide) or 1.0, hypot(*long) or 1.0
        ways = (wide[0] / lengths[0], wide[1] / lengths[0]), (long[0] / lengths[1], long[1] / lengths[1])
        return cls(tuple(corners), middle, ways, (lengths[0] / 2, lengths[1] / 2))

    def inside(self, place: Point) -> Point:
        """Return a place as millimetres from the middle along both sides."""
        x, y = place[0] - self.middle[0], place[1] - self.middle[1]
        (a, b), (c, d) = self.ways
        area = a * d - b * c or 1.0
        return (x * d - y * c) / area, (y * a - x * b) / area

    def reach(self, start: Point, way: Point) -> float:
        """Return how far it extends from a place in a direction."""
        return max((x - start[0]) * way[0] + (y - start[1]) * way[1] for x, y in self.corners)


@dataclass(frozen=True, slots=True)
class Way:
    """The way from a neighbour's rail to a seat: which neighbour, both rails, and where the dealer is from the seat."""

    neighbour: int
    start: Point
    own: Point
    inward: Point

    def ends_at(self, arm: ArmBox, place: Point) -> bool:
        """Say whether an arm comes over the neighbour's rail and ends at a place."""
        (px, py), (ex, ey) = arm.inside(place), arm.inside(self.start)
        away = abs(ex - px), abs(ey - py)
        past = arm.half[0] + copysign(px, (ex - px) * px), arm.half[1] + copysign(py, (ey - py) * py)
        main = 0 if away[0] >= away[1] else 1
        if abs(past[main]) > END_MM or past[1 - main] < -BESIDE_MM:
            return False
        gap = hypot(max(abs(ex) - arm.half[0], 0.0), max(abs(ey) - arm.half[1], 0.0))
        if gap > RAIL_MM or not self._comes_from_there(arm, place):
            return False
        beyond, is_slanting = 2 * arm.half[main] - past[main] - away[main], away[1 - main] > SLANTS * away[main]
        if past[1 - main] <= NARROW_MM:
            return beyond >= (SLANTING_MM if is_slanting else LEANING_MM) or away[main] >= OWN_ARM_MM
        is_far = beyond >= STRAIGHT_MM or away[main] >= FAR_MM
        return is_far and not is_slanting and self._inside_mm(arm, place) <= INSIDE_MM

    def _inside_mm(self, arm: ArmBox, place: Point) -> float:
        to_rail = (self.start[0] - place[0]) * self.inward[0] + (self.start[1] - place[1]) * self.inward[1]
        return arm.reach(place, self.inward) - max(to_rail, 0.0)

    def _comes_from_there(self, arm: ArmBox, place: Point) -> bool:
        """Say whether an arm extends to the neighbour's side farther than a player's own arm would."""
        x, y = self.start[0] - self.own[0], self.start[1] - self.own[1]
        far = hypot(x, y) or 1.0
        return arm.reach(place, (x / far, y / far)) >= max(far + PAST_RAIL_MM, OWN_ARM_MM)


class Touching:
    """Watches the hands over the players' cards at one table."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._is_ruled = any(entry.id == "touch" for entry in floor.game.file.procedure)
        self._ways = _ways(floor.layout)
        self._number = 0  # of the round
        self._bettors: dict[tuple[int, int], int] = {}  # seats, neighbours who bet there, and in how many sights
        self._stays: dict[tuple[int, int], tuple[int, int, int]] = {}  # since when, until when, in how many sights
        self._told: set[int] = set()

    def bets(self, played: RoundInPlay | None) -> None:
        """Note, while bets are made, who puts chips on whose spots: who bets there plays there."""
        if self._is_ruled and played is not None and played.closed_ns is None:
            self._begin(played)
            self._note_bettors(self._arms())

    def watch(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell hands that are on the cards of another's seat, after the deal and until the reveal."""
        self._begin(played)
        is_open = played.state.is_dealt() and played.revealed_ns is None and played.state.void is None
        if self._is_ruled and is_open and not played.is_joined:
            yield from self._touched(played, self._arms())

    def _begin(self, played: RoundInPlay) -> None:
        if played.number != self._number:
            self._number = played.number
            self._bettors, self._stays, self._told = {}, {}, set()

    def _arms(self) -> list[ArmBox]:
        """Return the arms over the table but the dealer's, which come over the middle of the near edge."""
        boxes = [hand.corners_mm for hand in self._floor.tracker.hands if hand.corners_mm is not None]
        reach = DEALERS * self._floor.layout.size_mm[0]
        return [ArmBox.around(box) for box in boxes if not any(y < 0 and abs(x) < reach for x, y in box)]

    def _note_bettors(self, arms: Sequence[ArmBox]) -> None:
        for stack in self._floor.tracker.stacks:
            if stack.zone.seat is None or self._floor.now_ns - stack.first_ns > PUT_NS:
                continue
            for way in self._ways.get(stack.zone.seat, ()):
                if any(way.ends_at(arm, (stack.x, stack.y)) for arm in arms):
                    pair = stack.zone.seat, way.neighbour
                    self._bettors[pair] = self._bettors.get(pair, 0) + 1

    def _touched(self, played: RoundInPlay, arms: Sequence[ArmBox]) -> Iterator[Happening]:
        for seat in self._floor.seats:
            cards = [(card.x, card.y) for card in self._floor.tracker.cards_on(zone_of(seat_place(seat)))]
            for way in self._ways.get(seat, ()) if seat not in self._told else ():
                is_on = any(way.ends_at(arm, place) for arm in arms for place in cards)
                if not is_on or self._bettors.get((seat, way.neighbour), 0) >= SIGHTS:
                    continue
                since_ns, sights = self._stay(seat, way.neighbour)
                if self._floor.now_ns - since_ns >= STAYS_NS and sights >= SIGHTS:
                    self._told.add(seat)
                    yield played.tell(self._floor.now_ns, since_ns, ev.Touch(seat, ev.Hand.STRANGER), 0.85)
                    break

    def _stay(self, seat: int, neighbour: int) -> tuple[int, int]:
        """Note that a hand is on the cards; return since when, and in how many sights."""
        now_ns = self._floor.now_ns
        since_ns, last_ns, sights = self._stays.get((seat, neighbour), (now_ns, now_ns, 0))
        if now_ns - last_ns > LOST_NS:
            since_ns, sights = now_ns, 0
        self._stays[seat, neighbour] = since_ns, now_ns, sights + 1
        return since_ns, sights + 1


def _ways(layout: Layout) -> dict[int, list[Way]]:
    """Return for each seat the ways from the rails of those who sit near it."""
    felt = Shape(polygon=[list(point) for point in layout.outline])
    seats = {seat.number: seat for seat in layout.seat}
    rails = {number: _rail(felt, seat) for number, seat in seats.items()}
    return {
        number: [
            Way(number + by, rails[number + by], rails[number], inward(seat))
            for by in NEIGHBOURS
            if number + by in rails
        ]
        for number, seat in seats.items()
    }


def _rail(felt: Shape, seat: SeatLayout) -> Point:
    """Return where the felt ends in front of a player."""
    (x, y), (along, across) = seat.cards.centre, inward(seat)
    while felt.contains(x, y):
        x, y = x - STEP_MM * along, y - STEP_MM * across
    return x, y
