"""What lies on the table now: puppets are put down and taken up, free places beside them are found.

Puppets enter as they are put down; who owns what, how high it lies and where there is room leaves (mm).
"""

from dataclasses import dataclass, field
from math import cos, hypot, pi, radians, sin

from studio.play.places import APART_MM, Ground, Point, apart, step
from studio.scene import Body, Key, Pose, StackBody
from vision.values.sizes import CARD_HEIGHT_MM, CARD_THICKNESS_MM, CARD_WIDTH_MM, CHIP_DIAMETER_MM, CHIP_THICKNESS_MM

BESIDE_MM = (42.0, 50.0)  # from a wager to what is paid on it
NEAR_SPOT_MM = 58.0


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
        """Return whether a card put here would touch no chip and no other hand."""
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


def height_mm(stack: Puppet) -> float:
    """Return how high a stack is."""
    return len(stack.cents) * CHIP_THICKNESS_MM


def gap_to_card(place: Point, card: Pose) -> float:
    """Return how far a place is from a card that lies flat; 0 on the card."""
    turn = radians(card.angle)
    dx, dy = place[0] - card.x, place[1] - card.y
    across, along = dx * cos(turn) + dy * sin(turn), -dx * sin(turn) + dy * cos(turn)
    return hypot(max(abs(across) - CARD_WIDTH_MM / 2, 0.0), max(abs(along) - CARD_HEIGHT_MM / 2, 0.0))
