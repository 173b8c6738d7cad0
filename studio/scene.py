"""What lies and moves on a filmed table: bodies, their poses, and how they move over time.

A `Story` is what the choreography hands to the camera: actors, each a body with keyed poses. Time is in seconds
from the start of the clip; places are table space in millimetres (see `vision.values.geometry`).
"""

from bisect import bisect_right
from dataclasses import dataclass, replace

from vision.values.cards import Card


@dataclass(frozen=True, slots=True)
class CardBody:
    """One card of a deck; which side shows is the pose's business."""

    card: Card
    deck: int = 0  # index of the deck in the look: which back it has
    curl_mm: float = 0.0  # how far the middle stands above the corners


@dataclass(frozen=True, slots=True)
class StackBody:
    """Chips on top of each other, bottom first; a loose chip is a stack of one."""

    cents: tuple[int, ...]
    shifts: tuple[tuple[float, float, float], ...]  # per chip: dx mm, dy mm off the axis, turn in degrees


@dataclass(frozen=True, slots=True)
class HandBody:
    """A hand with its arm. `grip`: flat, pinch, fist, point or spread; `person`: 0 the dealer, n who sits at seat n."""

    person: int
    grip: str = "flat"
    left: bool = False


@dataclass(frozen=True, slots=True)
class PropBody:
    """Something else: drink, phone, cash, lammer, cutcard, ashtray, sleeve, head, stub, pile, button."""

    kind: str
    variant: int = 0
    size: float = 1.0  # for `pile` and `stub`: number of cards


Body = CardBody | StackBody | HandBody | PropBody


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a body is: (x, y, z) is the centre of a card, of the base of a stack, or the tip of a hand's middle finger.

    `angle` turns it about z, counter-clockwise seen from above (0: a card's top, or a hand's fingers, point to +y);
    `turn` rolls a card about its long axis (0 face up, 180 face down); `tilt` lifts its top edge.
    """

    x: float
    y: float
    z: float = 0.0
    angle: float = 0.0
    turn: float = 0.0
    tilt: float = 0.0

    def towards(self, other: "Pose", share: float) -> "Pose":
        """Return the pose a share of the way to another, angles the short way round."""

        def mix(one: float, two: float) -> float:
            return one + (two - one) * share

        swing = (other.angle - self.angle + 180) % 360 - 180
        return Pose(
            mix(self.x, other.x),
            mix(self.y, other.y),
            mix(self.z, other.z),
            self.angle + swing * share,
            mix(self.turn, other.turn),
            mix(self.tilt, other.tilt),
        )


@dataclass(frozen=True, slots=True)
class Key:
    """A moment in an actor's life: from here on it has this body, and at this moment this pose."""

    t_s: float
    pose: Pose
    body: Body | None = None  # None: as before


@dataclass(frozen=True, slots=True)
class Thing:
    """An actor at one moment."""

    id: int
    body: Body
    pose: Pose


@dataclass(frozen=True, slots=True)
class Actor:
    """A body through time. Between keys the pose moves smoothly; before the first and from `gone_s` on it is away."""

    id: int
    body: Body
    keys: tuple[Key, ...]
    gone_s: float = float("inf")

    def at(self, t_s: float) -> Thing | None:
        """Return the actor at a moment, None while it is not on the table."""
        index = bisect_right(self.keys, t_s, key=lambda key: key.t_s) - 1
        if index < 0 or t_s >= self.gone_s:
            return None
        body = next((key.body for key in reversed(self.keys[: index + 1]) if key.body is not None), self.body)
        here = self.keys[index]
        if index + 1 == len(self.keys):
            return Thing(self.id, body, here.pose)
        following = self.keys[index + 1]
        share = (t_s - here.t_s) / (following.t_s - here.t_s)
        smooth = share * share * (3 - 2 * share)
        return Thing(self.id, body, here.pose.towards(following.pose, smooth))


@dataclass(frozen=True, slots=True)
class Story:
    """All that happens in a clip."""

    actors: tuple[Actor, ...]
    duration_s: float

    def at(self, t_s: float) -> tuple[Thing, ...]:
        """Return what is on the table at a moment, in the order of the actors."""
        found = (actor.at(t_s) for actor in self.actors)
        return tuple(thing for thing in found if thing is not None)


def moved(pose: Pose, **changes: float) -> Pose:
    """Return a pose with some of its numbers changed."""
    return replace(pose, **changes)
