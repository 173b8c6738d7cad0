"""Where things lie: the ground plan of a table for those who act on it, and the register of what they put down.

A Layout enters; places in table space (mm) leave. Nothing here knows what time it is.
"""

from dataclasses import dataclass, field
from math import atan2, ceil, cos, degrees, hypot, pi, radians, sin

from vision.calibrate.layout import Layout, SeatLayout, Shape
from vision.simulate.scene import (
    CARD_HEIGHT_MM,
    CARD_THICKNESS_MM,
    CARD_WIDTH_MM,
    CHIP_DIAMETER_MM,
    CHIP_THICKNESS_MM,
    Body,
    Key,
    Pose,
    StackBody,
)

Point = tuple[float, float]
APART_MM = CHIP_DIAMETER_MM + 2.0  # between the axes of stacks that stand side by side
BESIDE_MM = (42.0, 50.0)  # from a wager to what is paid on it
NEAR_SPOT_MM = 58.0
ARM_MM = 330.0  # from the edge of the table to an elbow beyond it


@dataclass
class Puppet:
    """An actor while it is being written."""

    id: int
    body: Body
    keys: list[Key]
    gone_s: float = float("inf")

    @property
    def pose(self) -> Pose:
        """Return where it was put last."""
        return self.keys[-1].pose

    @property
    def ready_s(self) -> float:
        """Return when it came to rest."""
        return self.keys[-1].t_s

    @property
    def cents(self) -> tuple[int, ...]:
        """Return the chips of a stack, bottom first."""
        return self.body.cents if isinstance(self.body, StackBody) else ()

    def key(self, t_s: float, pose: Pose, body: Body | None = None) -> None:
        """Add a moment to its life; time never goes back."""
        self.body = body or self.body
        self.keys.append(Key(max(t_s, self.ready_s), pose, body))


@dataclass
class Wagered:
    """A stack that stands at a spot: the stake, or what the dealer paid on it."""

    puppet: Puppet
    seat: int
    wager: str
    is_paid: bool = False


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
        spots = self.seat(number).spots
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
        return inside(area, step(area.centre, side, (index % 5 - 2) * gap))

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
        behind = [(min(last + gap * (0.75 + 0.42 * i), x + room), y - min(20.0, deep * 0.6)) for i in range(count)]
        return [inside(area, p) for p in row], [inside(area, p) for p in behind]

    def fan(self, count: int) -> list[Point]:
        """Return places in the work area for a hand that is shown: every index is seen."""
        area = self.dealer.work
        room = max(half_width(area, (1.0, 0.0)) - CARD_WIDTH_MM / 2, 44.0)
        gap = min(36.0, 2 * room / max(count - 1, 1))
        return [step(area.centre, (1.0, 0.0), (i - (count - 1) / 2) * gap) for i in range(count)]

    def bonus(self) -> Point:
        """Return where the bonus card lies."""
        if self.dealer.bonus is not None:
            return self.dealer.bonus.centre
        x, y = self.dealer.cards.centre
        return (x - half_width(self.dealer.cards, (1.0, 0.0)) - CARD_WIDTH_MM, y)

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
        """Tell whether a chip here would be on the felt, nearest to its own seat, and on nothing printed."""
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


def gap_to_card(place: Point, card: Pose) -> float:
    """Return how far a place is from a card that lies flat; 0 on the card."""
    turn = radians(card.angle)
    dx, dy = place[0] - card.x, place[1] - card.y
    across, along = dx * cos(turn) + dy * sin(turn), -dx * sin(turn) + dy * cos(turn)
    return hypot(max(abs(across) - CARD_WIDTH_MM / 2, 0.0), max(abs(along) - CARD_HEIGHT_MM / 2, 0.0))


@dataclass
class Register:
    """What lies on the table now: cards by whose they are, wagers, the players' own chips, other things."""

    cards: dict[str, list[Puppet]] = field(default_factory=dict)  # seat.3, dealer, bonus
    wagered: list[Wagered] = field(default_factory=list)
    reserve: dict[int, list[Puppet]] = field(default_factory=dict)
    props: dict[tuple[int, str], Puppet] = field(default_factory=dict)

    def hand(self, owner: str) -> list[Puppet]:
        """Return the cards of an owner, in the order dealt."""
        return self.cards.setdefault(owner, [])

    def all_cards(self) -> list[Puppet]:
        """Return every card on the felt."""
        return [card for hand in self.cards.values() for card in hand]

    def stacks(self) -> list[Puppet]:
        """Return every stack on the felt."""
        return [found.puppet for found in self.wagered] + [s for own in self.reserve.values() for s in own]

    def at(self, seat: int, wager: str) -> list[Wagered]:
        """Return stakes and payments of one wager."""
        return [found for found in self.wagered if (found.seat, found.wager) == (seat, wager)]

    def card_z(self, place: Point, moving: list[Puppet]) -> float:
        """Return how high a card comes to lie that is put on whatever lies here."""
        below = [c.pose.z for c in self.all_cards() if c not in moving and apart(place, c.pose) < CARD_HEIGHT_MM - 8]
        return max(below, default=0.0) + CARD_THICKNESS_MM

    def chip_z(self, place: Point) -> float:
        """Return how high a stack stands here: on the felt, or on the cards below it."""
        reach = CHIP_DIAMETER_MM / 2 - 1
        below = [c.pose.z for c in self.all_cards() if gap_to_card(place, c.pose) < reach and c.pose.tilt == 0]
        return max(below, default=0.0)

    def is_clear(self, card: Pose, seat: int) -> bool:
        """Tell whether a card put here would touch no chip and no other hand."""
        chips = all(gap_to_card((s.pose.x, s.pose.y), card) > CHIP_DIAMETER_MM / 2 + 1 for s in self.stacks())
        others = [c for owner, hand in self.cards.items() if owner != f"seat.{seat}" for c in hand]
        return chips and all(apart(c.pose, card) > CARD_HEIGHT_MM for c in others)

    def beside(self, ground: Ground, seat: int, wager: str, count: int) -> list[Point]:
        """Return free places for payments around a wager, the best first and all apart from each other."""
        spot = ground.spot(seat, wager)
        stake = next((w.puppet.pose for w in self.at(seat, wager) if not w.is_paid), None)
        around = (stake.x, stake.y) if stake else spot
        found: list[Point] = []
        while len(found) < count:
            found.append(self._best_beside(ground, seat, spot, around, found))
        return found

    def _best_beside(self, ground: Ground, seat: int, spot: Point, around: Point, taken: list[Point]) -> Point:
        standing = [(s.pose.x, s.pose.y) for s in self.stacks()] + taken
        rings = [BESIDE_MM[0] + 2.0 * i for i in range(5)] + [55.0, 64.0, 75.0, 86.0, 98.0, 112.0, 130.0, 150.0]
        turns = [2 * pi * i / 24 for i in range(24)]
        places = [step(around, (cos(turn), sin(turn)), ring) for ring in rings for turn in turns]
        free = [p for p in places if all(apart(p, other) >= APART_MM for other in standing)]
        others = [s.centre for s in ground.seat(seat).spots.values() if apart(s.centre, spot) > 1.0]
        cards = [c.pose for c in self.all_cards()]

        def worth(place: Point) -> float:
            crowd = sum(max(62.0 - apart(place, other), 0.0) for other in others)
            covered = sum(40.0 for card in cards if gap_to_card(place, card) < CHIP_DIAMETER_MM / 2)
            far = max(apart(place, spot) - NEAR_SPOT_MM + 2, 0.0) * 8
            first = apart(place, taken[0]) * 0.1 if taken else 0.0
            return crowd + covered + far + first + place[1] * 0.01

        return min(free, key=worth)


def split_payment(chips: tuple[int, ...], high: int, *, is_cut: bool) -> list[tuple[int, ...]]:
    """Part chips into stacks by denomination, none higher than `high`; cut: even stacks of at most five."""
    kinds = sorted(set(chips), reverse=True)
    stacks: list[tuple[int, ...]] = []
    for cents in kinds:
        count = chips.count(cents)
        parts = ceil(count / 5) if is_cut else ceil(count / high)
        if is_cut and count > 1 and len(kinds) == 1:
            parts = max(parts, 2)
        parts = min(parts, 4)
        stacks += [(cents,) * (count // parts + (i < count % parts)) for i in range(parts)]
    return stacks


def height_mm(stack: Puppet) -> float:
    """Return how high a stack is."""
    return len(stack.cents) * CHIP_THICKNESS_MM
