"""What all moves on a stage share: who acts when, with which hand, on what.

A layout, a tempo and a generator enter; the moves change what lies where and who is free when.
"""

from collections.abc import Sequence
from random import Random

from studio.play.gestures import Arm, Troupe
from studio.play.places import Ground, Point
from studio.play.register import Puppet, Register
from studio.play.script import Do, Move, Script
from studio.play.tempo import DEALER, Cues, Tempo
from studio.scene import Pose
from vision.table.layout import Layout
from vision.values.cards import DECK

Done = tuple[float, float]  # when a move took effect, and when whoever made it is free again
BY_PLAYERS = frozenset(
    {Do.BET, Do.ADD, Do.PINCH, Do.STRAIGHTEN, Do.PEEK, Do.PLAY, Do.FOLD, Do.GATHER, Do.TOUCH, Do.REST, Do.PROP}
)
DECISIONS = frozenset({Do.PLAY, Do.FOLD})
DECK_SIZE = len(DECK)
FACE_DOWN, FACE_UP = 180.0, 0.0


class Table:
    """A table while it is acted on: its ground, its people's hands, all that lies on it, and the deck."""

    def __init__(self, layout: Layout, tempo: Tempo, rng: Random, chips_cents: Sequence[int]) -> None:
        self.tempo, self.rng = tempo, rng
        self.chips_cents = tuple(sorted(chips_cents))
        self.ground = Ground(layout)
        self.troupe = Troupe(self.ground, tempo, rng)
        self.register = Register()
        self.cues = Cues()
        self.script = Script((), (), "manual_shoe")
        self.deck = 0
        self.cards_left = DECK_SIZE  # not dealt yet, in the shoe or in the hand
        self.stub: Puppet | None = None  # these, while they can be seen
        self.pile: Puppet | None = None  # in the discard rack
        self.own_places: dict[int, list[Point]] = {}  # for the players' own chips
        self.given: list[tuple[Point, float]] = []  # where stacks were given back, and until when they stood there

    def cards_of(self, seat: int | None) -> tuple[Puppet, ...]:
        """Return the cards of a seat that lie on the table, None: the dealer's."""
        return tuple(self.register.hand("dealer" if seat is None else f"seat.{seat}"))

    def stacks_on(self, seat: int, wager: str) -> tuple[Puppet, ...]:
        """Return the stacks of a wager: stakes, then payments."""
        found = sorted(self.register.at(seat, wager), key=lambda stack: stack.is_paid)
        return tuple(stack.puppet for stack in found)

    def actor_of(self, move: Move) -> int:
        """Return who makes a move."""
        if move.seat is None or move.do not in BY_PLAYERS:
            return DEALER
        return self._neighbour(move.seat) if move.do is Do.TOUCH else move.seat

    def _neighbour(self, seat: int) -> int:
        others = [n for n in self.script.seats if n != seat] or [
            s.number for s in self.ground.layout.seat if s.number != seat
        ]
        return min(others, key=lambda n: abs(n - seat)) if others else seat

    def gap_s(self, move: Move, person: int) -> float:
        """Return how long a person hesitates before a move."""
        if person == DEALER:
            return self.tempo.pause_s * self.rng.uniform(0.6, 1.4)
        if move.do in DECISIONS:
            return self.tempo.think_s * self.rng.uniform(0.6, 1.4)
        return self.tempo.stagger_s * self.rng.uniform(0.0, 1.6)

    @property
    def is_deck_held(self) -> bool:
        """Return whether the dealer's left hand holds the deck."""
        return self.troupe.arm(DEALER, left=True).is_holding

    def let_deck_go(self) -> None:
        """Free the dealer's left hand."""
        self.troupe.arm(DEALER, left=True).is_holding = False

    def arm_to(self, place: Point | Pose) -> Arm:
        """Return the dealer's hand that is nearer to a place; only the right one while the left holds the deck."""
        x = place[0] if isinstance(place, tuple) else place.x
        return self.troupe.arm(DEALER, left=x < -120 and not self.is_deck_held)

    def stray(self, usual_mm: float, most_mm: float) -> float:
        """Return how far off its mark something comes to lie, by chance."""
        return max(-most_mm, min(most_mm, self.rng.gauss(0, usual_mm)))


def seat_of(move: Move) -> int:
    """Return the seat of a move that must have one."""
    if move.seat is None:
        raise ValueError(f"{move.do}: seat: None: want the number of a seat")
    return move.seat


def wager_of(move: Move) -> str:
    """Return the wager of a move that must have one."""
    if move.wager is None:
        raise ValueError(f"{move.do}: wager: None: want the name of a spot")
    return move.wager
