"""What hands do: reach in, take hold, carry, turn, lift, let go, withdraw. Puppets enter; keys are added to them.

A moment is passed along as `t_s`: every gesture is told when it may begin and returns when it is over. What a hand
carries has its keys at the same moments as the hand, so that both move as one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import cos, radians, sin
from random import Random

from studio.play.places import Ground, Point, apart, step
from studio.play.register import Puppet, height_mm
from studio.play.tempo import Tempo
from studio.scene import Actor, Body, HandBody, Key, Pose, StackBody, moved
from studio.stacking import as_left
from vision.values.sizes import CARD_HEIGHT_MM, CARD_WIDTH_MM

OFF_MM = 130.0  # how far beyond the edge a hand is out of the picture
LINGER_S = 1.3  # a hand that is needed again this soon stays where it is
HAND_LOW_MM, HAND_HIGH_MM = 10.0, 40.0
SLIDE_LIFT_MM, CARD_LIFT_MM, CHIP_LIFT_MM = 3.0, 14.0, 24.0  # over what lies on the way
SLIDE_MM = 120.0  # cards that go no farther are slid
TURN_STEPS = 8
PITCH_REACH_MM = 300.0  # how far a hand goes along with a card it pitches
Load = tuple[Puppet, Pose]  # a thing and where it is to lie


def chip_stack(rng: Random, cents: Sequence[int], sloppy_mm: float) -> StackBody:
    """Pile chips up, as exactly as somebody does."""
    shifts = [(rng.gauss(0, sloppy_mm), rng.gauss(0, sloppy_mm), rng.uniform(0, 360)) for _ in cents]
    kept = [(max(-2.5, min(2.5, x)), max(-2.5, min(2.5, y)), a) for x, y, a in shifts]
    return StackBody(tuple(cents), as_left(kept))


def middle(poses: Sequence[Pose]) -> Point:
    """Return the middle of several things."""
    return (sum(p.x for p in poses) / len(poses), sum(p.y for p in poses) / len(poses))


def turned_z(low_mm: float, turn: float) -> float:
    """Return the height of a card's centre while it is turned, its lower edge on what lies below."""
    return low_mm + CARD_WIDTH_MM / 2 * abs(sin(radians(turn)))


def tilted_z(low_mm: float, tilt: float) -> float:
    """Return the height of a card's centre while its top edge is lifted."""
    return low_mm + CARD_HEIGHT_MM / 2 * sin(radians(tilt))


@dataclass
class Troupe:
    """All actors of a story while it is being written."""

    ground: Ground
    tempo: Tempo
    rng: Random
    puppets: list[Puppet] = field(default_factory=list)
    arms: dict[tuple[int, bool], "Arm"] = field(default_factory=dict)

    def enter(self, body: Body, t_s: float, pose: Pose) -> Puppet:
        """Bring something onto the table."""
        puppet = Puppet(len(self.puppets) + 1, body, [Key(t_s, pose, body)])
        self.puppets.append(puppet)
        return puppet

    def arm(self, person: int, *, left: bool = False) -> "Arm":
        """Return one of a person's hands."""
        if (person, left) not in self.arms:
            self.arms[person, left] = Arm(self, person, left)
        return self.arms[person, left]

    def actors(self) -> tuple[Actor, ...]:
        """Return all that was written so far."""
        return tuple(Actor(p.id, p.keys[0].body or p.body, tuple(p.keys), p.gone_s) for p in self.puppets)

    def last_s(self) -> float:
        """Return when the last thing comes to rest or is gone."""
        ends = [p.gone_s if p.gone_s != float("inf") else p.ready_s for p in self.puppets]
        return max(ends, default=0.0)


@dataclass
class Arm:
    """One hand of one person; each of its visits to the table is an actor of its own."""

    troupe: Troupe
    person: int
    left: bool
    puppet: Puppet | None = None
    is_resting: bool = False  # at the own edge of the table, in sight
    is_holding: bool = False  # the deck: it stays until that is put down

    @property
    def ready_s(self) -> float:
        """Return when the hand is done with what it does."""
        return self.puppet.ready_s if self.puppet else 0.0

    def pose(self, tip: Point, z_mm: float) -> Pose:
        """Return the pose of a hand whose fingers are at a place; the arm points back to its owner."""
        angle = self.troupe.ground.hand_angle(self.person, tip, left=self.left)
        return Pose(tip[0], tip[1], min(max(z_mm, HAND_LOW_MM), HAND_HIGH_MM), angle)

    def reach(self, t_s: float, tip: Point, z_mm: float, grip: str) -> float:
        """Bring the hand to a place, starting at a moment or when it is free; return when it is there."""
        self._leave_if_idle(t_s)
        target = self.pose(tip, z_mm)
        if self.puppet is None:
            self._come_in(t_s)
        start_s = max(t_s, self.ready_s)
        assert self.puppet is not None  # noqa: S101 - it came in
        here = self.puppet.pose
        self.puppet.key(start_s, here, HandBody(self.person, grip, self.left))
        self.is_resting = False
        return self.go(start_s + self.troupe.tempo.travel_s(apart(here, target)), tip, z_mm)

    def go(self, until_s: float, tip: Point, z_mm: float, grip: str | None = None) -> float:
        """Move the hand on, to be at a place at a moment."""
        assert self.puppet is not None  # noqa: S101 - only after it reached in
        body = HandBody(self.person, grip, self.left) if grip else None
        self.puppet.key(until_s, self.pose(tip, z_mm), body)
        return self.puppet.ready_s

    def leave(self) -> None:
        """Withdraw as soon as the hand is free: out of sight, or to rest at the edge."""
        if self.puppet is None or self.is_resting or self.is_holding:
            return
        rests = self.troupe.rng.random() < (0.55 if self.person == 0 else 0.35)
        beyond = -12.0 if rests else OFF_MM
        tip = self.troupe.ground.home(self.person, left=self.left, beyond_mm=beyond)
        grip = self.troupe.rng.choice(("flat", "fist", "flat")) if rests else "flat"
        travel = self.troupe.tempo.travel_s(apart(self.puppet.pose, tip)) * 1.1
        done_s = self.go(self.ready_s + travel, tip, 14.0, grip)
        self.is_resting = rests
        if not rests:
            self.puppet.gone_s = done_s
            self.puppet = None

    def _leave_if_idle(self, t_s: float) -> None:
        """Withdraw in the time since the last gesture, where that was long enough to go and come back."""
        if self.puppet is not None and t_s - self.ready_s > LINGER_S:
            self.leave()

    def _come_in(self, t_s: float) -> None:
        tip = self.troupe.ground.home(self.person, left=self.left, beyond_mm=OFF_MM)
        pose = self.pose(tip, 20.0)
        self.puppet = self.troupe.enter(HandBody(self.person, "flat", self.left), t_s, pose)


def hold_point(arm: Arm, poses: Sequence[Pose], short_mm: float) -> Point:
    """Return where fingers hold things: a little short of their middle, on the side the arm comes from."""
    tip = middle(poses)
    angle = radians(arm.pose(tip, 0.0).angle)
    return step(tip, (-sin(angle), cos(angle)), -short_mm)


def short_of(thing: Puppet) -> float:
    """Return how far short of a thing's middle it is held."""
    return 4.0 if isinstance(thing.body, StackBody) else 26.0


def hand_over(loads: Sequence[Puppet], z_mm: float) -> float:
    """Return the height of a hand that holds things: at the upper half of chips, above cards."""
    return max(z_mm + max(0.6 * height_mm(thing), 8.0) for thing in loads)


def carry(
    arm: Arm, loads: Sequence[Load], t_s: float, grip: str = "pinch", lift_mm: float | None = None, floor_s: float = 0.0
) -> float:
    """Take things and put them where they are to lie, not before `floor_s`; return when they lie there."""
    tempo, things = arm.troupe.tempo, [thing for thing, _ in loads]
    starts, ends, short = [thing.pose for thing in things], [pose for _, pose in loads], short_of(things[0])
    way = max(apart(start, end) for start, end in zip(starts, ends, strict=True))
    lift = (
        lift_mm
        if lift_mm is not None
        else CHIP_LIFT_MM
        if things[0].cents
        else CARD_LIFT_MM
        if way > SLIDE_MM
        else SLIDE_LIFT_MM
    )
    begin_s = max(t_s, *(thing.ready_s for thing in things))
    tip = hold_point(arm, starts, short)
    low = min(pose.z for pose in starts)
    taken_s = max(arm.reach(max(t_s, begin_s - 0.3), tip, hand_over(things, low), grip), begin_s) + tempo.grip_s
    arm.go(taken_s, tip, hand_over(things, low))
    up_s = 0.09 if lift > SLIDE_LIFT_MM else 0.05
    down_s = max(taken_s + tempo.travel_s(way) + up_s, floor_s)
    for share, moment in ((0.06, taken_s + up_s), (0.94, down_s - up_s), (1.0, down_s)):
        _carry_to(arm, loads, starts, share, moment, 0.0 if share == 1.0 else lift, taken_s, short)
    return down_s


def _carry_to(
    arm: Arm,
    loads: Sequence[Load],
    starts: list[Pose],
    share: float,
    t_s: float,
    lift: float,
    taken_s: float,
    short: float,
) -> None:
    """Key one moment of a carry, for the things and the hand that holds them."""
    poses = []
    for (thing, end), start in zip(loads, starts, strict=True):
        if share < 0.5:
            thing.key(taken_s, start)
        here = start.towards(end, share)
        poses.append(moved(here, z=max(start.z, end.z) + lift if lift else end.z))
        thing.key(t_s, poses[-1])
    low = min(pose.z for pose in poses)
    arm.go(t_s, hold_point(arm, poses, short), hand_over([thing for thing, _ in loads], low))


def turn_over(arm: Arm, card: Puppet, t_s: float, to: float, z_mm: float) -> float:
    """Turn a card about its long axis, one edge held; return when it lies."""
    begin_s, start, tempo = max(t_s, card.ready_s), card.pose, arm.troupe.tempo
    side = (cos(radians(start.angle)), sin(radians(start.angle)))
    at_edge = step((start.x, start.y), side, CARD_WIDTH_MM / 2)
    begin_s = max(arm.reach(max(t_s, begin_s - 0.3), at_edge, 12.0, "spread"), begin_s)
    arm.go(begin_s, at_edge, 12.0)
    for i in range(TURN_STEPS + 1):
        share = i / TURN_STEPS
        turn = start.turn + (to - start.turn) * share
        low = start.z + (z_mm - start.z) * share
        pose = Pose(start.x, start.y, turned_z(low, turn), start.angle, turn)
        moment = begin_s + tempo.turn_s * share
        card.key(moment, pose)
        arm.go(moment, step((start.x, start.y), side, CARD_WIDTH_MM * 0.5 * cos(radians(180 * share))), pose.z + 10.0)
    return begin_s + tempo.turn_s


def turn_together(arm: Arm, cards: Sequence[Puppet], t_s: float, to: float) -> float:
    """Turn a squared packet over at once: what was on top comes to lie below."""
    tempo, begin_s = arm.troupe.tempo, max(t_s, *(card.ready_s for card in cards))
    heights = sorted((card.pose.z for card in cards), reverse=True)
    order = sorted(cards, key=lambda card: card.pose.z)
    tip = hold_point(arm, [card.pose for card in cards], 30.0)
    begin_s = max(arm.reach(begin_s, tip, 14.0, "spread"), begin_s)
    for card, height in zip(order, heights, strict=True):
        start = card.pose
        for i in range(TURN_STEPS + 1):
            share = i / TURN_STEPS
            turn = start.turn + (to - start.turn) * share
            low = start.z + (height - start.z) * share
            card.key(begin_s + tempo.turn_s * 1.2 * share, replace(start, z=turned_z(low, turn), turn=turn))
    for share, height in ((0.5, 40.0), (1.0, 12.0)):
        arm.go(begin_s + tempo.turn_s * 1.2 * share, tip, height)
    return begin_s + tempo.turn_s * 1.2


def pitch(arm: Arm, card: Puppet, t_s: float, target: Pose, floor_s: float) -> tuple[float, float]:
    """Send a card to its place: the hand goes along for a while, the card glides on; return when it lies, and when
    the hand is back for the next.
    """
    tempo, start = arm.troupe.tempo, card.pose
    way = apart(start, target)
    land_s = max(t_s + max(tempo.pitch_s * 0.62, way * 1.5 / 3300), floor_s)
    card.key(t_s, start)
    card.key(land_s - 0.03, moved(start.towards(target, 0.985), z=CARD_LIFT_MM - 1))
    card.key(land_s, target)
    arm.go(t_s, hold_point(arm, [start], 20.0), 14.0, "pinch")
    along = min(tempo.follow, (PITCH_REACH_MM * (0.6 + tempo.pitch_s)) / max(way, 1.0))
    for i in range(1, 5):
        share = i / 4 * along
        smooth = share * share * (3 - 2 * share)
        arm.go(t_s + (land_s - t_s) * share, hold_point(arm, [start.towards(target, smooth)], 20.0), 14.0)
    out = apart(start, start.towards(target, smooth))
    return land_s, arm.go(arm.ready_s + max(0.1, out / 1900), hold_point(arm, [start], 20.0), 16.0, "pinch")


def lift_corners(
    arms: Sequence[Arm], cards: Sequence[Puppet], t_s: float, tilt: float, hold_s: float
) -> tuple[float, float]:
    """Lift the near edge of face-down cards to look at them; return when they are up, and when they lie again."""
    starts = [card.pose for card in cards]
    begin_s = max(t_s, *(card.ready_s for card in cards))
    centre, near = middle(starts), radians(starts[0].angle)
    edge = step(centre, (-sin(near), cos(near)), CARD_HEIGHT_MM / 2 - 6)
    tips = [step(edge, (cos(near), sin(near)), side) for side in (18.0, -18.0)]
    arrived = [arm.reach(max(t_s, begin_s - 0.3), tip, 12.0, "pinch") for arm, tip in zip(arms, tips, strict=False)]
    begin_s = max(begin_s, *arrived)
    moments = (begin_s, begin_s + 0.35, begin_s + 0.35 + hold_s, begin_s + 0.65 + hold_s)
    for moment, share in zip(moments, (0.0, 1.0, 1.0, 0.0), strict=True):
        for card, start in zip(cards, starts, strict=True):
            card.key(moment, replace(start, tilt=tilt * share, z=tilted_z(start.z, tilt * share)))
        for arm, tip in zip(arms, tips, strict=False):
            arm.go(moment, tip, 12.0 + CARD_HEIGHT_MM * sin(radians(tilt * share)))
    return moments[1], moments[3]
