"""The stage: acts out scripts of moves with hands, cards and chips, in time and space.

Scripts enter, one after the other; `act` returns when each move began and took effect, `story` all that was to be
seen. What lies where is kept in a register, so that every stack and card is the one that was put there.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from vision.calibrate.layout import Layout
from vision.cards import DECK, Card
from vision.simulate.play import gestures as do
from vision.simulate.play.gestures import Arm, Load, Troupe, carry
from vision.simulate.play.places import (
    APART_MM,
    Ground,
    Point,
    Puppet,
    Register,
    Wagered,
    aim,
    apart,
    height_mm,
    inside,
    split_payment,
    step,
)
from vision.simulate.play.script import Do, Move, Script
from vision.simulate.play.tempo import DEALER, Cues, Span, Tempo
from vision.simulate.scene import (
    CARD_THICKNESS_MM,
    CARD_WIDTH_MM,
    CHIP_THICKNESS_MM,
    CardBody,
    Pose,
    PropBody,
    StackBody,
    Story,
    moved,
)

Done = tuple[float, float]  # when a move took effect, and when whoever made it is free again
BY_PLAYERS = frozenset(
    {Do.BET, Do.ADD, Do.PINCH, Do.STRAIGHTEN, Do.PEEK, Do.PLAY, Do.FOLD, Do.GATHER, Do.TOUCH, Do.REST, Do.PROP}
)
DECISIONS = frozenset({Do.PLAY, Do.FOLD})
AWAITED = DECISIONS | {Do.BET}
DEALT = frozenset({Do.DEAL, Do.BURN})
DECK_SIZE = 52
HIGHEST = 20  # chips in a player's own stack
HANDFUL_MM = 75.0  # what is no farther apart, one hand moves at once
FACE_DOWN, FACE_UP = 180.0, 0.0
TURNED_BACK = "turned back"  # a move's note: a card came face up that should not have


class _Table:
    """What all moves share: who acts when, with which hand, on what."""

    def __init__(self, layout: Layout, tempo: Tempo, rng: Random, chips_cents: Sequence[int]) -> None:
        self.tempo, self.rng = tempo, rng
        self.chips_cents = tuple(sorted(chips_cents))
        self.ground = Ground(layout)
        self.troupe = Troupe(self.ground, tempo, rng)
        self.register = Register()
        self.cues = Cues()
        self._script = Script((), (), "manual_shoe")
        self._last: Do | None = None
        self._deck = 0
        self._left = DECK_SIZE  # cards not dealt yet, in the shoe or in the hand
        self._stub: Puppet | None = None  # these, while they can be seen
        self._pile: Puppet | None = None
        self._in_hand = False  # the deck is in the dealer's left hand
        self._places: dict[int, list[Point]] = {}  # for the players' own chips
        self._given: list[tuple[Point, float]] = []  # where stacks were given back, and until when they stood there

    def cards_of(self, seat: int | None) -> tuple[Puppet, ...]:
        """Return the cards of a seat that lie on the table, None: the dealer's."""
        return tuple(self.register.hand("dealer" if seat is None else f"seat.{seat}"))

    def stacks_on(self, seat: int, wager: str) -> tuple[Puppet, ...]:
        """Return the stacks of a wager: stakes, then payments."""
        found = sorted(self.register.at(seat, wager), key=lambda stack: stack.is_paid)
        return tuple(stack.puppet for stack in found)

    def _actor_of(self, move: Move) -> int:
        if move.seat is None or move.do not in BY_PLAYERS:
            return DEALER
        return self._neighbour(move.seat) if move.do is Do.TOUCH else move.seat

    def _neighbour(self, seat: int) -> int:
        others = [n for n in self._script.seats if n != seat] or [
            s.number for s in self.ground.layout.seat if s.number != seat
        ]
        return min(others, key=lambda n: abs(n - seat)) if others else seat

    def _gap(self, move: Move, person: int) -> float:
        if person == DEALER:
            return self.tempo.pause_s * self.rng.uniform(0.6, 1.4)
        if move.do in DECISIONS:
            return self.tempo.think_s * self.rng.uniform(0.6, 1.4)
        return self.tempo.stagger_s * self.rng.uniform(0.0, 1.6)

    def _arm_to(self, place: Point | Pose) -> Arm:
        """Return the dealer's hand that is nearer to a place; only the right one while the left holds the deck."""
        x = place[0] if isinstance(place, tuple) else place.x
        return self.troupe.arm(DEALER, left=x < -120 and not self._in_hand)


class _CardMoves(_Table):
    """Dealing, looking, showing, and all else that is done with cards."""

    def _prepare_deck(self) -> None:
        """Put the discards away and have a full deck, while the players bet."""
        if self._pile is not None:
            self._away(self._pile, self.cues.effect_s + 0.2)
            self._pile = None
        if self._stub is not None:
            self._away(self._stub, self.cues.effect_s + 0.2)
        self._stub, self._in_hand, self._left = None, False, DECK_SIZE

    def _away(self, prop: Puppet, t_s: float) -> float:
        """Carry discards or a deck to the shoe or the shuffler."""
        to = Pose(*self.ground.dealer.shoe.centre, 2.0)
        done_s = carry(self._arm_to(prop.pose), [(prop, to)], t_s, lift_mm=20.0)
        prop.gone_s = done_s
        self.cues.free_s[DEALER] = max(self.cues.free_s.get(DEALER, 0.0), done_s)
        return done_s

    def _taken_stub(self, arm: Arm, t_s: float) -> tuple[Puppet, float]:
        """Return the stub, taken out of the shoe where it is still in there, and when it can be moved."""
        if self._stub is None:
            mouth = self._mouth()
            t_s = arm.reach(t_s, do.hold_point(arm, [Pose(*mouth)], 26.0), 14.0, "pinch") + self.tempo.grip_s
            self._stub = self.troupe.enter(self._deck_body("stub", self._left), t_s, Pose(*mouth, 2.0))
        return self._stub, t_s

    def _mouth(self) -> Point:
        """Return where cards leave the shoe."""
        x, y = self.ground.dealer.shoe.centre
        return (x, y + 30.0)

    def _deck_body(self, kind: str, size: int) -> PropBody:
        return PropBody(kind, self._deck, size)

    def _draw(self, t_s: float, count: int) -> None:
        """Take cards off the stub."""
        self._left = max(self._left - count, 0)
        if self._stub is not None:
            self._stub.key(t_s, self._stub.pose, self._deck_body("stub", self._left))

    def _discard(self, t_s: float, count: int) -> None:
        """Let the pile in the discard rack grow."""
        if self._pile is None:
            pose = Pose(*self.ground.dealer.discard.centre, 0.0, self.rng.uniform(-4, 4))
            self._pile = self.troupe.enter(self._deck_body("pile", count), t_s, pose)
        else:
            body = self._deck_body("pile", int(_size(self._pile)) + count)
            self._pile.key(t_s, self._pile.pose, body)

    def _owner(self, move: Move) -> str:
        if move.zone.startswith("table"):
            return "bonus"
        return "dealer" if move.seat is None or move.zone.startswith("dealer") else f"seat.{move.seat}"

    def _card_pose(self, owner: str, index: int, *, is_up: bool) -> Pose:
        """Return where the next card of an owner comes to lie, with a little scatter."""
        loose = self.tempo.scatter_mm
        if owner.startswith("seat"):
            seat = int(owner[5:])
            area, angle = self.ground.seat(seat).cards, aim((0.0, 0.0), self.ground.outward(seat))
            place = self.ground.seat_place(seat, index, self.tempo.spread_mm)
        else:
            area, angle = self.ground.dealer.cards, 0.0
            place = self.ground.bonus() if owner == "bonus" else self.ground.dealer_place(index, is_up=is_up)
        scattered = (place[0] + self.rng.gauss(0, loose), place[1] + self.rng.gauss(0, loose))
        place = place if owner == "bonus" else inside(area, scattered)
        angle += self.rng.gauss(0, self.tempo.scatter_deg)
        return Pose(*place, self.register.card_z(place, []), angle, FACE_DOWN)

    def _deal(self, move: Move, t_s: float) -> Done:
        owner = self._owner(move)
        if self._script.method == "automated" and len(move.cards) > 1:
            return self._deliver(move, owner, t_s)
        back = move.note == TURNED_BACK
        is_up = move.up > back
        target = self._card_pose(owner, len(self.register.hand(owner)), is_up=is_up)
        dealt, land_s, free_s = self._deal_one(move.cards, move.deck, target, t_s)
        self.register.hand(owner).extend(dealt)
        return self._turn_up(move, dealt, land_s, free_s)

    def _turn_up(self, move: Move, dealt: list[Puppet], land_s: float, free_s: float) -> Done:
        """Turn the last cards of a delivery as told; one that should not have been is turned back."""
        turned = dealt[len(dealt) - move.up :]
        for card in turned:
            land_s = free_s = self._turn(card, land_s, FACE_UP)
        if turned and move.note == TURNED_BACK:
            free_s = self._turn(turned[0], land_s + self.rng.uniform(0.3, 0.9), FACE_DOWN)
        return land_s, free_s

    def _deal_one(
        self, cards: Sequence[Card], deck: int, target: Pose, t_s: float
    ) -> tuple[list[Puppet], float, float]:
        """Send a card on its way, with those that stick to it; return them, when they lie, when the hand is back."""
        top = moved(target, z=target.z + (len(cards) - 1) * CARD_THICKNESS_MM)
        bodies = [CardBody(card, deck, abs(self.rng.gauss(0, 0.6))) for card in cards]
        if self._script.method == "hand":
            source, ready_s = self._deck_hand(t_s)
            angle = top.angle if abs(top.angle) < 60 else 0.0
            dealt = self.troupe.enter(bodies[-1], ready_s, Pose(*source, do.CARD_LIFT_MM, angle, FACE_DOWN))
        else:
            source, ready_s = self._shoe_hand(t_s)
            dealt = self._from_shoe(bodies[-1], ready_s, source)
        self._draw(dealt.ready_s, len(cards))
        land_s, free_s = do.pitch(self.troupe.arm(DEALER), dealt, dealt.ready_s, top, self.cues.floor_s)
        below = [self._stuck_to(dealt, body, len(bodies) - 1 - i) for i, body in enumerate(bodies[:-1])]
        return [*below, dealt], land_s, max(free_s, t_s + self.tempo.pitch_s)

    def _stuck_to(self, top: Puppet, body: CardBody, down: int) -> Puppet:
        """Return a card that goes all the way with another, a little below it."""
        dx, dy = self.rng.gauss(0, 2.5), self.rng.gauss(0, 2.5)
        keys = [(key.t_s, moved(key.pose, x=key.pose.x + dx, y=key.pose.y + dy)) for key in top.keys]
        low = [(t_s, moved(pose, z=pose.z - down * CARD_THICKNESS_MM)) for t_s, pose in keys]
        card = self.troupe.enter(body, *low[0])
        for t_s, pose in low[1:]:
            card.key(t_s, pose)
        return card

    def _deck_hand(self, t_s: float) -> tuple[Point, float]:
        """Hold the deck in the left hand, over the tray; the right one takes a card from it."""
        x, y = self.ground.dealer.tray.centre
        place = (x - 70.0, y + 60.0)
        left, right = self.troupe.arm(DEALER, left=True), self.troupe.arm(DEALER)
        if not self._in_hand:
            stub, t_s = self._taken_stub(left, t_s)
            t_s = carry(left, [(stub, Pose(*place, 12.0, 10.0))], t_s, lift_mm=15.0)
            self._in_hand = True
        left.go(max(t_s, left.ready_s), do.hold_point(left, [Pose(*place)], 26.0), 16.0, "pinch")
        source = (place[0] + 28.0, place[1] + 22.0)
        if right.puppet is None or apart(right.puppet.pose, source) > 60 or t_s - right.ready_s > do.LINGER_S:
            t_s = right.reach(t_s, do.hold_point(right, [Pose(*source)], 20.0), 14.0, "pinch")
        return source, t_s

    def _shoe_hand(self, t_s: float) -> tuple[Point, float]:
        """Have one hand at the shoe, and the other where it takes the cards over."""
        x, y = self.ground.dealer.shoe.centre
        near, far = self.troupe.arm(DEALER, left=True), self.troupe.arm(DEALER)
        place = (x + (95.0 if x < 0 else -95.0), y + 45.0)
        for arm, spot in ((near, (x, y + 30.0)), (far, place)):
            tip = do.hold_point(arm, [Pose(*spot)], 20.0)
            if arm.puppet is None or apart(arm.puppet.pose, tip) > 60 or t_s - arm.ready_s > do.LINGER_S:
                arm.reach(t_s, tip, 14.0, "pinch")
        return place, max(t_s, near.ready_s, far.ready_s - 0.3 * self.tempo.pitch_s)

    def _from_shoe(self, body: CardBody, t_s: float, place: Point) -> Puppet:
        """Draw a card out of the shoe to where the other hand takes it."""
        x, y = self.ground.dealer.shoe.centre
        near, far = self.troupe.arm(DEALER, left=True), self.troupe.arm(DEALER)
        start = Pose(x, y + 30.0, 3.0, 0.0, FACE_DOWN)
        card = self.troupe.enter(body, t_s, start)
        out_s = max(t_s + 0.3 * self.tempo.pitch_s, far.ready_s)
        near.go(t_s, do.hold_point(near, [start], 20.0), 12.0, "pinch")
        card.key(out_s, moved(start, x=place[0], y=place[1], z=do.CARD_LIFT_MM))
        near.go(out_s, do.hold_point(near, [card.pose], 20.0), 12.0)
        near.go(out_s + 0.25 * self.tempo.pitch_s, do.hold_point(near, [start], 20.0), 12.0)
        return card

    def _deliver(self, move: Move, owner: str, t_s: float) -> Done:
        """Bring a stack from the shuffler to its place, and spread it."""
        x, y = self.ground.dealer.shoe.centre
        first = len(self.register.hand(owner))
        ends = [self._card_pose(owner, first + i, is_up=i >= len(move.cards) - move.up) for i in range(len(move.cards))]
        mid, angle = do.middle(ends), ends[0].angle
        low = self.register.card_z(mid, [])
        there_s = self._arm_to((x, y)).reach(t_s, (x, y), 14.0, "pinch")
        cards = [
            self.troupe.enter(CardBody(card, move.deck), there_s, Pose(x, y, 2 + i * CARD_THICKNESS_MM, 0.0, FACE_DOWN))
            for i, card in enumerate(move.cards)
        ]
        self._draw(there_s, len(cards))
        self.register.hand(owner).extend(cards)
        heights = [low + i * CARD_THICKNESS_MM for i in range(len(cards))]
        packet = [Pose(*mid, height, angle, FACE_DOWN) for height in heights]
        arm = self._arm_to(mid) if abs(x - mid[0]) < 500 else self._arm_to((x, y))
        done_s = carry(arm, list(zip(cards, packet, strict=True)), there_s)
        spread = [moved(end, z=height) for end, height in zip(ends, heights, strict=True)]
        done_s = carry(arm, list(zip(cards, spread, strict=True)), done_s, "spread", 1.5)
        return self._turn_up(move, cards, done_s, done_s)

    def _turn(self, card: Puppet, t_s: float, to: float) -> float:
        height = self.register.card_z((card.pose.x, card.pose.y), [card])
        return do.turn_over(self._arm_to(card.pose), card, t_s, to, height)

    def _burn(self, move: Move, t_s: float) -> Done:
        rack = Pose(*self.ground.dealer.discard.centre, 8.0, 0.0, FACE_DOWN)
        done_s = free_s = t_s
        for card in move.cards:
            x, y = self.ground.dealer.work.centre
            target = rack if not move.up else Pose(x, y, 1.0, 0.0, FACE_DOWN)
            (burnt,), done_s, free_s = self._deal_one((card,), move.deck, target, free_s)
            if move.up:
                done_s = do.turn_over(self.troupe.arm(DEALER), burnt, done_s, FACE_UP, 1.0)
                done_s = free_s = carry(self.troupe.arm(DEALER), [(burnt, rack)], done_s + 0.4)
            burnt.gone_s = done_s
            self._discard(done_s, 1)
        return done_s, free_s

    def _stub_(self, move: Move, t_s: float) -> Done:
        """Count the stub where told to, and put it into the discard rack."""
        arm = self.troupe.arm(DEALER, left=self.ground.dealer.shoe.centre[0] < 0 or self._in_hand)
        stub, t_s = self._taken_stub(arm, t_s)
        if move.count:
            stub, t_s = self._count_stub(stub, t_s)
            arm = self.troupe.arm(DEALER)
        done_s = carry(arm, [(stub, Pose(*self.ground.dealer.discard.centre, 4.0))], t_s, lift_mm=15.0)
        stub.gone_s, self._stub, self._in_hand = done_s, None, False
        self._discard(done_s, self._left)
        self._left = 0
        return done_s, done_s

    def _count_stub(self, stub: Puppet, t_s: float) -> tuple[Puppet, float]:
        """Count the stub down, card by card and face down, onto a heap in the work area; return the heap."""
        x, y = self.ground.dealer.work.centre
        left, right, size = self.troupe.arm(DEALER, left=True), self.troupe.arm(DEALER), self._left
        t_s = carry(left, [(stub, Pose(x - 80.0, y, 10.0))], t_s, lift_mm=12.0)
        t_s = right.reach(t_s, (x - 50.0, y), 14.0, "pinch")
        heap = self.troupe.enter(self._deck_body("pile", 1), t_s, Pose(x + 40.0, y, 0.0, 3.0))
        for i in range(1, size):
            stub.key(t_s, stub.pose, self._deck_body("stub", size - i))
            t_s = self._count_one(heap, Pose(x - 60.0, y, 12.0, 0.0, FACE_DOWN), i + 1, t_s)
        left.go(t_s, do.hold_point(left, [stub.pose], 26.0), 16.0)
        stub.gone_s, self._stub, self._in_hand = t_s, heap, False
        return heap, t_s + 0.2

    def _count_one(self, heap: Puppet, start: Pose, size: int, t_s: float) -> float:
        right = self.troupe.arm(DEALER)
        card = self.troupe.enter(CardBody(DECK[size % DECK_SIZE], self._deck), t_s, start)
        down = moved(heap.pose, z=size * CARD_THICKNESS_MM, turn=FACE_DOWN)
        down_s = t_s + self.tempo.pitch_s * 0.4
        card.key(down_s, down)
        right.go(down_s, do.hold_point(right, [down], 20.0), 16.0)
        card.gone_s = down_s
        heap.key(down_s, heap.pose, self._deck_body("pile", size))
        back_s = down_s + self.tempo.pitch_s * 0.25
        return right.go(back_s, do.hold_point(right, [start], 20.0), 16.0)

    def _peek(self, move: Move, t_s: float) -> Done:
        seat = _seat(move)
        cards = list(self.cards_of(seat))
        if not cards:
            return t_s, t_s
        if self._script.face_up_players and cards[0].pose.turn == FACE_DOWN:
            return self._lay_open(seat, cards, t_s)
        if cards[0].pose.turn == FACE_UP:
            return self._touch_cards(self.troupe.arm(seat), cards, t_s)
        arms = [self.troupe.arm(seat), self.troupe.arm(seat, left=True)][: self.rng.randint(1, 2)]
        squared_s = carry(arms[0], self._squared(cards, 0.4), t_s, "flat", 1.0)
        tilt, hold_s = self.rng.uniform(16, 36), self.rng.uniform(0.5, 1.6)
        return do.lift_corners(arms, cards, squared_s, tilt, hold_s)

    def _squared(self, cards: list[Puppet], share: float, to: Pose | None = None) -> list[Load]:
        """Return the cards pushed together, or brought together at a place."""
        poses = [card.pose for card in cards]
        goal = to or Pose(*do.middle(poses), poses[0].z, poses[0].angle, poses[0].turn)
        low = goal.z if to else min(pose.z for pose in poses)
        order = sorted(cards, key=lambda card: card.pose.z)
        loads = []
        for i, card in enumerate(order):
            near = card.pose.towards(goal, share if to is None else 1.0)
            turn = card.pose.turn if to is None else goal.turn
            loads.append((card, replace(near, z=low + i * CARD_THICKNESS_MM, turn=turn, tilt=0.0)))
        return loads

    def _lay_open(self, seat: int, cards: list[Puppet], t_s: float) -> Done:
        """Let a player turn the own cards face up and fan them."""
        arm = self.troupe.arm(seat)
        done_s = carry(arm, self._squared(cards, 1.0), t_s, "flat", 1.0)
        done_s = do.turn_together(arm, cards, done_s, FACE_UP)
        area, side = self.ground.seat(seat).cards, self.ground.sideways(seat)
        room = self.ground.seat_place(seat, 4, 34.0)
        gap = max(apart(room, area.centre) / 2, 14.0)
        order = sorted(cards, key=lambda card: card.pose.z)
        ends = [inside(area, step(area.centre, side, (2 - i) * gap)) for i in range(len(order))]
        loads = [(c, Pose(*end, c.pose.z, c.pose.angle)) for c, end in zip(order, ends, strict=True)]
        done_s = carry(arm, loads, done_s, "spread", 1.5)
        return done_s, done_s

    def _tucked(self, seat: int, wager: str, cards: list[Puppet]) -> list[Load]:
        """Return the cards squared, and pushed to the Play wager where nothing is in the way."""
        squared = self._squared(cards, self.rng.uniform(0.6, 1.0))
        if cards[0].pose.turn == FACE_UP or self.rng.random() >= self.tempo.tuck:
            return squared
        spot, (x, y) = self.ground.spot(seat, wager), do.middle([card.pose for card in cards])
        away = max(apart(spot, (x, y)), 1.0)
        push = max(min(away - self.rng.choice((34.0, 62.0)), 60.0), 0.0)
        goal = inside(self.ground.seat(seat).cards, step((x, y), ((spot[0] - x) / away, (spot[1] - y) / away), push))
        pushed = [(card, moved(pose, x=pose.x + goal[0] - x, y=pose.y + goal[1] - y)) for card, pose in squared]
        return pushed if all(self.register.is_clear(pose, seat) for _, pose in pushed) else squared

    def _fold(self, move: Move, t_s: float) -> Done:
        seat = _seat(move)
        cards = list(self.cards_of(seat))
        if not cards:
            return t_s, t_s
        out, side, swing = self.ground.outward(seat), self.ground.sideways(seat), self.rng.gauss(0, 9)
        squared = self._squared(cards, 0.7)
        for push, across in ((75, 0), (60, 0), (45, 0), (40, 30), (40, -30), (28, 0), (14, 0)):
            dx, dy = -out[0] * push + side[0] * across, -out[1] * push + side[1] * across
            loads = [(c, moved(p, x=p.x + dx, y=p.y + dy, angle=p.angle + swing)) for c, p in squared]
            if all(self.register.is_clear(pose, seat) for _, pose in loads):
                break
        else:
            loads = squared
        done_s = carry(self.troupe.arm(seat), loads, t_s, "flat", 1.0, self.cues.floor_s)
        return done_s, done_s

    def _flash(self, move: Move, t_s: float) -> Done:
        """Let the face of one of the dealer's cards be seen for a moment."""
        hidden = [card for card in self.cards_of(None) if card.pose.turn == FACE_DOWN]
        cards = self.cards_of(None)
        if not hidden:
            return t_s, t_s
        card = cards[min(move.count, len(cards) - 1)]
        card = card if card in hidden else hidden[-1]
        start, arm = card.pose, self._arm_to(card.pose)
        tip = do.hold_point(arm, [start], 40.0)
        begin_s = max(arm.reach(t_s, tip, 12.0, "pinch"), card.ready_s)
        shown, lift_s = self.rng.uniform(25, 50), 0.28
        for share, moment in [(i / 6, begin_s + lift_s * i / 6) for i in range(7)]:
            turn = FACE_DOWN + (shown - FACE_DOWN) * share
            card.key(moment, replace(start, turn=turn, z=do.turned_z(start.z + 1, turn)))
        up_s = begin_s + lift_s
        for share, moment in [(i / 6, up_s + move.seconds + lift_s * i / 6) for i in range(7)]:
            turn = shown + (FACE_DOWN - shown) * share
            card.key(moment, replace(start, turn=turn, z=do.turned_z(start.z + (0 if share == 1 else 1), turn)))
        free_s = arm.go(card.ready_s, tip, 12.0)
        return up_s, free_s

    def _reveal(self, move: Move, t_s: float) -> Done:
        """Turn the dealer's cards one after another, then lay out the best four and set the others aside."""
        cards, done_s = list(self.cards_of(None)), t_s
        for card in cards:
            if card.pose.turn != FACE_UP:
                done_s = self._turn(card, done_s, FACE_UP)
        best = [card for card in cards if isinstance(card.body, CardBody) and card.body.card in move.cards][:4]
        best.sort(key=lambda card: move.cards.index(card.body.card) if isinstance(card.body, CardBody) else 0)
        rest = [card for card in cards if card not in best]
        row, behind = self.ground.revealed(len(rest))
        order = list(zip(rest, behind, strict=True)) + list(zip(best, row, strict=False))
        done_s += self.tempo.read_s
        ends = [done_s]
        for i, (card, place) in enumerate(order):
            arm = self._arm_to(place) if self._in_hand else self.troupe.arm(DEALER, left=place[0] < row[2][0] - 1)
            end = Pose(*place, (i + 1) * CARD_THICKNESS_MM, self.rng.gauss(0, 1.5), FACE_UP)
            ends.append(carry(arm, [(card, end)], max(done_s + 0.12 * i, arm.ready_s)))
        return max(ends), max(ends)

    def _turn_bonus(self, _: Move, t_s: float) -> Done:
        done_s = t_s
        for card in self.register.hand("bonus"):
            done_s = self._turn(card, done_s, FACE_UP) if card.pose.turn != FACE_UP else done_s
        return done_s, done_s

    def _show(self, move: Move, t_s: float) -> Done:
        """Bring a seat's hand to the work area, turn it, and fan it so that every index is seen."""
        cards = list(self.cards_of(_seat(move)))
        if not cards:
            return t_s, t_s
        (x, y), turn = self.ground.dealer.work.centre, cards[0].pose.turn
        low = self.register.card_z((x, y), cards)
        to = Pose(x, y, low, self.rng.gauss(0, 3), turn)
        arm = self._arm_to(cards[0].pose)
        done_s = carry(arm, self._squared(cards, 1.0), t_s, "flat", 1.0)
        done_s = carry(arm, self._squared(cards, 1.0, to), done_s)
        if turn != FACE_UP:
            done_s = do.turn_together(arm, cards, done_s, FACE_UP)
        order = sorted(cards, key=lambda card: card.pose.z)
        places = self.ground.fan(len(order))
        bend = self.rng.uniform(0, 7)
        loads = [
            (card, Pose(*place, card.pose.z, to.angle - bend * (i - (len(order) - 1) / 2), FACE_UP))
            for i, (card, place) in enumerate(zip(order, places, strict=True))
        ]
        done_s = carry(arm, loads, done_s, "spread", 1.5)
        arm.go(done_s + 0.18, step(places[-1], (0.35, -0.9), CARD_WIDTH_MM), 20.0)
        return done_s, done_s + self.tempo.read_s

    def _muck(self, move: Move, t_s: float) -> Done:
        done_s = self._muck_cards(f"seat.{_seat(move)}", t_s)
        return done_s, done_s

    def _muck_dealer(self, _: Move, t_s: float) -> Done:
        done_s = self._muck_cards("dealer", t_s)
        done_s = self._muck_cards("bonus", done_s)
        return done_s, done_s

    def _muck_cards(self, owner: str, t_s: float) -> float:
        """Gather cards into a packet and carry it to the discard rack."""
        cards = self.register.cards.pop(owner, [])
        if not cards:
            return t_s
        arm = self._arm_to(do.middle([card.pose for card in cards]))
        loads = self._squared(cards, 1.0)
        done_s = carry(arm, loads, t_s, "flat", 1.0) if len(cards) > 1 else t_s
        rack = Pose(*self.ground.dealer.discard.centre, 6.0, 0.0, FACE_DOWN)
        done_s = carry(arm, self._squared(cards, 1.0, rack), done_s, lift_mm=16.0)
        for card in cards:
            card.gone_s = done_s
        self._discard(done_s, len(cards))
        return done_s

    def _touch_cards(self, arm: Arm, cards: list[Puppet], t_s: float) -> Done:
        """Lay fingers on cards and push the top one a little."""
        if not cards:
            return t_s, t_s
        top = max(cards, key=lambda card: card.pose.z)
        nudged = moved(top.pose, x=top.pose.x + self.rng.gauss(0, 4), angle=top.pose.angle + self.rng.gauss(0, 5))
        done_s = carry(arm, [(top, nudged)], t_s, "point", 0.4)
        arm.go(done_s + 0.5, do.hold_point(arm, [nudged], 20.0), 12.0)
        return done_s, done_s + 0.5


class _ChipMoves(_CardMoves):
    """Bets, payments, and all else that is done with chips."""

    def _stack(self, cents: Sequence[int], t_s: float, pose: Pose, sloppy: float = 1.0) -> Puppet:
        return self.troupe.enter(do.chip_stack(self.rng, cents, self.tempo.sloppy_mm * sloppy), t_s, pose)

    def _set_chips(self, stack: Puppet, t_s: float, cents: Sequence[int]) -> None:
        """Change the chips of a stack at a moment; those that stay, stay as they are."""
        old = stack.body
        assert isinstance(old, StackBody)  # noqa: S101 - only stacks have chips
        fresh = do.chip_stack(self.rng, cents, self.tempo.sloppy_mm)
        kept = old.shifts[: len(cents)]
        stack.key(t_s, stack.pose, StackBody(fresh.cents, kept + fresh.shifts[len(kept) :]))

    def _seat_players(self) -> None:
        """Give everyone who sits down chips of their own."""
        for seat in self._script.seats:
            if seat in self.register.reserve or not self.chips_cents:
                continue
            self._places[seat] = self.ground.reserves(seat)
            own = self.register.reserve.setdefault(seat, [])
            for place in self._places[seat][: self.rng.randint(1, 3)]:
                chips = [self.rng.choice(self.chips_cents[:4])] * self.rng.randint(3, 14)
                own.append(self._stack(chips, self.cues.effect_s, Pose(*place)))

    def _from_reserve(self, arm: Arm, chips: tuple[int, ...], t_s: float) -> Puppet:
        """Take chips off the player's own stacks; the left hand, and who has none such, takes them from the rail."""
        seat = arm.person
        wanted, source = list(chips), Pose(*self.ground.home(seat, left=arm.left, beyond_mm=60.0))
        for stack in [] if arm.left else list(self.register.reserve.get(seat, [])):
            if stack.cents[-1] in wanted and stack.ready_s <= t_s:
                taken = min(wanted.count(stack.cents[-1]), len(stack.cents))
                for _ in range(taken):
                    wanted.remove(stack.cents[-1])
                source = moved(stack.pose, z=height_mm(stack) - taken * CHIP_THICKNESS_MM)
                self._lower(seat, stack, t_s, len(stack.cents) - taken)
        return self._stack(chips, t_s, source)

    def _lower(self, seat: int, stack: Puppet, t_s: float, left: int) -> None:
        if left:
            self._set_chips(stack, t_s, stack.cents[:left])
        else:
            stack.gone_s = t_s
            self.register.reserve[seat].remove(stack)

    def _to_reserve(self, arm: Arm, seat: int, stacks: list[Puppet], t_s: float) -> float:
        """Let a player pull stacks in: onto the own ones where they match, else beside them or over the rail."""
        own = self.register.reserve.setdefault(seat, [])
        waiting, done_s = self._own_places(seat, stacks), t_s
        while waiting:
            lead, to, _ = waiting[0]
            handful = [
                w for w in waiting if apart(w[1], to) < HANDFUL_MM and apart(w[0].pose, lead.pose) < 2 * HANDFUL_MM
            ]
            waiting = [w for w in waiting if w not in handful]
            steady_s = max((onto.ready_s for _, _, onto in handful if onto), default=0.0)
            floor_s = steady_s if waiting else max(steady_s, self.cues.floor_s)
            done_s = carry(arm, [(stack, end) for stack, end, _ in handful], done_s, "flat", floor_s=floor_s)
            for stack, _, onto in handful:
                self._join(own, stack, onto, done_s)
        return done_s

    def _own_places(self, seat: int, stacks: list[Puppet]) -> list[tuple[Puppet, Pose, Puppet | None]]:
        """Return where each stack goes, and which of the player's own it joins: itself, where it is a new one."""
        own, found = self.register.reserve[seat], list[tuple[Puppet, Pose, Puppet | None]]()
        free = [p for p in self._places.get(seat, []) if all(apart(p, other.pose) >= APART_MM for other in own)]
        rail, side = self.ground.home(seat, left=False, beyond_mm=70.0), self.ground.sideways(seat)
        for stack in stacks:
            joined = [onto for _, _, onto in found]
            fits = [o for o in own if o.cents[0] == stack.cents[0] and len(o.cents + stack.cents) <= HIGHEST]
            match = next((other for other in fits if other not in joined), None)
            if match is not None:
                found.append((stack, moved(match.pose, z=height_mm(match)), match))
            elif free:
                found.append((stack, Pose(*free.pop(0)), stack))
            else:
                found.append((stack, Pose(*step(rail, side, APART_MM * (len(found) % 3))), None))
        return found

    def _join(self, own: list[Puppet], stack: Puppet, onto: Puppet | None, t_s: float) -> None:
        if onto is stack:
            own.append(stack)
            return
        stack.gone_s = t_s
        if onto is not None:
            self._set_chips(onto, t_s, onto.cents + stack.cents)

    def _bet(self, move: Move, t_s: float) -> Done:
        seat, wager = _seat(move), move.wager or "play"
        arm = min((self.troupe.arm(seat, left=left) for left in (False, True)), key=lambda arm: arm.ready_s)
        spot = self.ground.spot(seat, wager)
        place = (spot[0] + _clip(self.rng.gauss(0, 2.5), 6), spot[1] + _clip(self.rng.gauss(0, 2.5), 6))
        if any(apart(place, s.pose) < APART_MM for s in self.register.stacks()):
            place = self.register.beside(self.ground, seat, wager, 1)[0]
        down_s, _ = self._put_chips(arm, seat, wager, move.chips, place, t_s)
        return down_s, t_s + 0.3  # the other hand may bet at the same time

    def _put_chips(self, arm: Arm, seat: int, wager: str, chips: tuple[int, ...], place: Point, t_s: float) -> Done:
        """Let a player take chips from the own ones and put them down at a spot."""
        taken_s = self._reach_own(arm, t_s)
        stack = self._from_reserve(arm, chips, taken_s)
        down_s = carry(arm, [(stack, Pose(*place, self.register.chip_z(place)))], taken_s, floor_s=self.cues.floor_s)
        self.register.wagered.append(Wagered(stack, seat, wager))
        return down_s, down_s + self.tempo.grip_s

    def _reach_own(self, arm: Arm, t_s: float) -> float:
        """Bring a player's hand to the own chips, or to the rail."""
        own = [] if arm.left else self.register.reserve.get(arm.person, [])
        home = self.ground.home(arm.person, left=arm.left, beyond_mm=60.0)
        return arm.reach(t_s, (own[0].pose.x, own[0].pose.y) if own else home, 20.0, "pinch")

    def _add(self, move: Move, t_s: float) -> Done:
        seat, wager = _seat(move), move.wager or "play"
        below = next((w.puppet for w in self.register.at(seat, wager) if not w.is_paid), None)
        if below is None or len(below.cents + move.chips) > 2 * HIGHEST:
            return self._bet(move, t_s)
        arm = self.troupe.arm(seat)
        taken_s = max(self._reach_own(arm, t_s), below.ready_s)
        stack = self._from_reserve(arm, move.chips, taken_s)
        top = moved(below.pose, z=below.pose.z + height_mm(below))
        down_s = carry(arm, [(stack, top)], taken_s, floor_s=self.cues.floor_s)
        stack.gone_s = down_s
        self._set_chips(below, down_s, below.cents + move.chips)
        return down_s, down_s + self.tempo.grip_s

    def _pinch(self, move: Move, t_s: float) -> Done:
        seat = _seat(move)
        stake = next(w for w in self.register.at(seat, move.wager or "") if not w.is_paid)
        stack, arm = stake.puppet, self.troupe.arm(seat)
        left = list(stack.cents)
        for cents in move.chips:
            left.reverse()
            left.remove(cents)  # the topmost of its kind
            left.reverse()
        tip = do.hold_point(arm, [stack.pose], 4.0)
        off_s = max(arm.reach(t_s, tip, height_mm(stack), "pinch"), stack.ready_s) + self.tempo.grip_s
        off_s = max(off_s, self.cues.floor_s)
        taken = self._stack(move.chips, off_s, moved(stack.pose, z=stack.pose.z + len(left) * CHIP_THICKNESS_MM))
        if left:
            self._set_chips(stack, off_s, left)
        else:
            stack.gone_s = off_s
            self.register.wagered.remove(stake)
        home_s = self._to_reserve(arm, seat, [taken], off_s)
        return home_s, home_s

    def _straighten(self, move: Move, t_s: float) -> Done:
        person = move.seat or DEALER
        stakes = self.register.at(person, move.wager or "")
        arm = self.troupe.arm(person)
        tip = (
            self.ground.spot(person, move.wager or "")
            if not stakes
            else do.hold_point(arm, [stakes[0].puppet.pose], 2.0)
        )
        there_s = arm.reach(t_s, tip, 16.0, "pinch")
        for stake in stakes[:1]:
            there_s = max(there_s, stake.puppet.ready_s)
            body = do.chip_stack(self.rng, stake.puppet.cents, 0.15)
            stake.puppet.key(there_s + 0.35, stake.puppet.pose, body)
        arm.go(there_s + 0.4, tip, 16.0)
        return there_s + 0.4, there_s + 0.4

    def _take(self, move: Move, t_s: float) -> Done:
        seat = _seat(move)
        stakes = [w for w in self.register.at(seat, move.wager or "") if not w.is_paid]
        done_s = self._to_tray([w.puppet for w in stakes], t_s) if stakes else t_s
        self.register.wagered = [w for w in self.register.wagered if w not in stakes]
        if move.cards:
            done_s = self._muck_cards(f"seat.{seat}", done_s)
        return done_s, done_s

    def _to_tray(self, stacks: list[Puppet], t_s: float) -> float:
        place = self._tray_place(stacks[0].cents[-1])
        side = [(i - (len(stacks) - 1) / 2) * APART_MM for i in range(len(stacks))]
        loads = [(s, Pose(place[0] + dx, place[1], 6.0)) for s, dx in zip(stacks, side, strict=True)]
        tall = max(len(stack.cents) for stack in stacks) > 3
        done_s = carry(self._arm_to(stacks[0].pose), loads, t_s, "pinch" if tall else "flat", None if tall else 6.0)
        for stack in stacks:
            stack.gone_s = done_s
        return done_s

    def _tray_place(self, cents: int) -> Point:
        order = sorted({*self.chips_cents, cents})
        return self.ground.tray((order.index(cents) + 0.5) / len(order))

    def _pay(self, move: Move, t_s: float) -> Done:
        seat, wager = _seat(move), move.wager or ""
        high = max(self.tempo.stack_high, len(move.chips) // 3)
        stacks = split_payment(move.chips, high, is_cut=move.count == 1)
        places = self.register.beside(self.ground, seat, wager, len(stacks))
        down_s = t_s
        while stacks:
            trip = max(i for i in range(1, len(stacks) + 1) if i == 1 or sum(map(len, stacks[:i])) <= 25)
            down_s = self._pay_trip(move, stacks[:trip], places[:trip], down_s)
            stacks, places = stacks[trip:], places[trip:]
        return down_s, down_s + self.tempo.grip_s

    def _pay_trip(self, move: Move, stacks: list[tuple[int, ...]], places: list[Point], t_s: float) -> float:
        """Bring one column from the tray and set it down, stack by stack."""
        arm, tray = self._arm_to(places[0]), self._tray_place(stacks[0][0])
        there_s = arm.reach(t_s, tray, 20.0, "pinch") + self.tempo.grip_s + self.tempo.cut_s * 0.5
        arm.go(there_s, tray, 20.0)
        column = self._stack([c for stack in stacks for c in stack], there_s, Pose(*tray, 8.0), 0.6)
        down_s = there_s
        for i, place in enumerate(places):
            down_s = carry(
                arm, [(column, Pose(*place, self.register.chip_z(place)))], down_s, lift_mm=24.0 if i == 0 else 12.0
            )
            self.register.wagered.append(Wagered(column, _seat(move), move.wager or "", is_paid=True))
            if i + 1 < len(places):
                down_s += self.tempo.cut_s if move.count == 1 and i == 0 else 0.05
                column = self._cut(column, len(stacks[i]), down_s)
        return down_s

    def _cut(self, column: Puppet, low: int, t_s: float) -> Puppet:
        """Part a column: the lower chips stay, the upper ones are a stack of their own."""
        upper, pose = column.cents[low:], column.pose
        self._set_chips(column, t_s, column.cents[:low])
        return self._stack(upper, t_s, moved(pose, z=pose.z + low * CHIP_THICKNESS_MM), 0.6)

    def _gather(self, move: Move, t_s: float) -> Done:
        seat = _seat(move)
        mine = [w for w in self.register.wagered if w.seat == seat and move.wager in (None, w.wager)]
        self.register.wagered = [w for w in self.register.wagered if w not in mine]
        arms, ends = [self.troupe.arm(seat, left=left) for left in (False, True)], [t_s]
        for i in range(0, len(mine), 3):  # as many as a hand pulls in at once
            arm = arms[i // 3 % 2]
            ends.append(self._to_reserve(arm, seat, [w.puppet for w in mine[i : i + 3]], max(t_s, arm.ready_s)))
        return max(ends), max(ends)

    def _give_back(self, move: Move, t_s: float) -> Done:
        seat = _seat(move)
        mine = [w for w in self.register.at(seat, move.wager or "") if not w.is_paid]
        self.register.wagered = [w for w in self.register.wagered if w not in mine]
        if not mine:
            return self._return_chips(seat, move, t_s)
        stack = mine[0].puppet
        pushed = self._push_place(seat, stack, t_s)
        done_s = carry(self._arm_to(pushed), [(stack, Pose(*pushed, self.register.chip_z(pushed)))], t_s, "flat", 2.0)
        home_s = self._to_reserve(self.troupe.arm(seat), seat, [w.puppet for w in mine], done_s + 0.2)
        self._given.append((pushed, home_s))
        self.cues.free_s[seat] = home_s
        return done_s, done_s

    def _push_place(self, seat: int, stack: Puppet, t_s: float) -> Point:
        """Return a free place nearer to the player, to which a stack is pushed."""
        out, side, start = self.ground.outward(seat), self.ground.sideways(seat), (stack.pose.x, stack.pose.y)
        standing = [(s.pose.x, s.pose.y) for s in self.register.stacks()]
        standing += [place for place, until_s in self._given if until_s > t_s]
        ways = [(far, across) for far in (35, 60, 20, 85, 5) for across in (0, 45, -45, 75, -75, 105, -105)]
        places = [step(step(start, out, far), side, across) for far, across in ways]
        return next((p for p in places if all(apart(p, other) >= APART_MM for other in standing)), places[0])

    def _return_chips(self, seat: int, move: Move, t_s: float) -> Done:
        """Give chips back that are in the tray already: from there to the player."""
        if not move.chips:
            return t_s, t_s
        tray, place = self._tray_place(move.chips[0]), self.register.beside(self.ground, seat, move.wager or "", 1)[0]
        there_s = self._arm_to(place).reach(t_s, tray, 20.0, "pinch") + self.tempo.grip_s
        stack = self._stack(move.chips, there_s, Pose(*tray, 8.0), 0.6)
        done_s = carry(self._arm_to(place), [(stack, Pose(*place))], there_s)
        self.cues.free_s[seat] = self._to_reserve(self.troupe.arm(seat), seat, [stack], done_s + 0.2)
        return done_s, done_s

    def _collect_progressive(self, move: Move, t_s: float) -> Done:
        """Bring the progressive chips in front of the tray, from seat to seat, then put them into it."""
        wager = move.wager or "progressive"
        mine = [w for w in self.register.wagered if w.wager.startswith(wager) and move.seat in (None, w.seat)]
        mine.sort(key=lambda w: w.seat)
        self.register.wagered = [w for w in self.register.wagered if w not in mine]
        row = self.ground.fan(max(len(mine), 1))
        x, y = self.ground.dealer.work.centre
        done_s = t_s
        for i, stake in enumerate(mine):
            place = (x + (i - (len(mine) - 1) / 2) * APART_MM, y) if len(row) > 1 else (x, y)
            done_s = carry(self._arm_to(stake.puppet.pose), [(stake.puppet, Pose(*place))], done_s)
        done_s = self._to_tray([w.puppet for w in mine], done_s + 0.3) if mine else done_s
        return done_s, done_s

    def _colour_up(self, move: Move, t_s: float) -> Done:
        """Change a player's small chips into larger ones over the work area."""
        seat, total = _seat(move), sum(move.chips)
        small = [c for c in self.chips_cents if c < min(move.chips) and total % c == 0 and total // c <= HIGHEST]
        old = (small[0],) * (total // small[0]) if small else move.chips
        arm = self.troupe.arm(seat)
        place = self._exchange_place(seat)
        taken_s = self._reach_own(arm, t_s)
        offered = self._from_reserve(arm, old, taken_s)
        t_s = carry(arm, [(offered, Pose(*place))], taken_s)
        tray_s = self._to_tray([offered], t_s + 0.3)
        dealer = self._arm_to(place)
        change = self._stack(move.chips, tray_s + 0.1, Pose(*self._tray_place(move.chips[0]), 8.0), 0.6)
        down_s = carry(dealer, [(change, Pose(*place))], tray_s + 0.1)
        home_s = self._to_reserve(arm, seat, [change], down_s + 0.3)
        self.cues.free_s[seat] = home_s
        return down_s, down_s

    def _more_chips(self, seat: int, chips: tuple[int, ...], t_s: float) -> Done:
        """Let a player put more of the own chips down near the rail."""
        arm, home = self.troupe.arm(seat), self.ground.home(seat, left=False, beyond_mm=60.0)
        there_s = arm.reach(t_s, home, 20.0, "pinch")
        done_s = self._to_reserve(arm, seat, [self._stack(chips, there_s, Pose(*home))], there_s)
        return done_s, done_s

    def _exchange_place(self, seat: int) -> Point:
        """Return a free place between a player and the dealer."""
        x, y = self.ground.dealer.work.centre
        toward = self.ground.seat(seat).cards.centre
        places = [(x + (toward[0] - x) * share, y + (toward[1] - y) * share) for share in (0.3, 0.2, 0.4, 0.1, 0.0)]
        return next((p for p in places if self._is_bare(p)), places[-1])

    def _is_bare(self, place: Point) -> bool:
        return all(apart(place, thing.pose) > 85 for thing in [*self.register.stacks(), *self.register.all_cards()])

    def _play(self, move: Move, t_s: float) -> Done:
        seat, wager = _seat(move), move.wager or "play"
        cards, tucked_s = list(self.cards_of(seat)), t_s
        if cards:
            arm = self.troupe.arm(seat, left=True)
            tucked_s = carry(arm, self._tucked(seat, wager, cards), t_s, "flat", 2.0)
        spot = self.ground.spot(seat, wager)
        place = (spot[0] + _clip(self.rng.gauss(0, 2.5), 6), spot[1] + _clip(self.rng.gauss(0, 2.5), 6))
        if any(apart(place, stack.pose) < APART_MM for stack in self.register.stacks()):
            place = self.register.beside(self.ground, seat, wager, 1)[0]
        start_s = max(t_s, tucked_s - 0.5)
        return self._put_chips(self.troupe.arm(seat), seat, wager, move.chips, place, start_s)


class Stage(_ChipMoves):
    """A table on which rounds are played, one script after the other."""

    def __init__(self, layout: Layout, tempo: Tempo, rng: Random, chips_cents: Sequence[int]) -> None:
        super().__init__(layout, tempo, rng, chips_cents)
        names = {Do.STUB: "_stub_"}  # `_stub` is the stub itself
        self._moves: dict[Do, Callable[[Move, float], Done]] = {
            kind: getattr(self, names.get(kind, f"_{kind.value}")) for kind in Do
        }

    def act(self, script: Script) -> list[Span]:
        """Act out a script after all that went before; return the span of each of its moves."""
        unknown = set(script.seats) - {seat.number for seat in self.ground.layout.seat}
        if unknown:
            raise ValueError(f"{self.ground.layout.name}: seats {sorted(unknown)}: want seats that the felt has")
        self._script = script
        self._seat_players()
        deal = next((move for move in script.moves if move.do is Do.DEAL), None)
        if deal is not None and not any(move.do in (Do.CHANGE_DECK, Do.OPEN) for move in script.moves):
            self._deck = deal.deck
            self._prepare_deck()
        return [self._act(move) for move in script.moves]

    def story(self) -> Story:
        """Return all that was acted so far; every hand withdraws."""
        for arm in self.troupe.arms.values():
            arm.leave()
        return Story(self.troupe.actors(), self.troupe.last_s() + 0.5)

    def _act(self, move: Move) -> Span:
        person = self._actor_of(move)
        start_s = self.cues.start_s(person, self._gap(move, person), at_once={self._last, move.do} <= DEALT)
        if move.do in DECISIONS and self.rng.random() < 0.7:
            start_s = max(start_s, self.cues.effect_s - 0.3)  # most wait for their turn to decide
        effect_s, free_s = self._moves[move.do](move, start_s)
        self._last = move.do if person == DEALER else self._last
        return self.cues.note(person, Span(start_s, effect_s), free_s, is_awaited=move.do in AWAITED)

    def _wait(self, move: Move, t_s: float) -> Done:
        done_s = max(t_s, self.cues.effect_s) + move.seconds
        self.cues.hold(done_s)
        return done_s, done_s

    def _close(self, _: Move, t_s: float) -> Done:
        """Sweep a hand over the layout: no more bets."""
        arm, (x, y) = self.troupe.arm(DEALER), self.ground.dealer.work.centre
        there_s = arm.reach(t_s, (x - 260.0, y + 120.0), 35.0, "flat")
        for share, dx in ((0.5, 0.0), (1.0, 260.0)):
            arm.go(there_s + 0.8 * share, (x + dx, y + 150.0 - 40.0 * share), 35.0)
        return arm.ready_s, arm.ready_s

    def _touch(self, move: Move, t_s: float) -> Done:
        cards = list(self.cards_of(move.seat))
        return self._touch_cards(self.troupe.arm(self._actor_of(move)), cards, t_s)

    def _rest(self, move: Move, t_s: float) -> Done:
        """Let a hand rest on a spot; the others go on."""
        if move.seat is None:
            arm, spot = self.troupe.arm(DEALER), self.ground.dealer.work.centre
        else:
            arm = self.troupe.arm(move.seat, left=self.rng.random() < 0.5)
            spot = self.ground.spot(move.seat, move.wager or "")
        down_s = arm.reach(t_s, spot, 22.0, "flat")
        free_s = arm.go(down_s + move.seconds, (spot[0] + self.rng.gauss(0, 6), spot[1] + self.rng.gauss(0, 6)), 22.0)
        return down_s, free_s

    def _prop(self, move: Move, t_s: float) -> Done:
        """Put something down near a seat, or take it up again."""
        person, kind = move.seat or DEALER, move.note or "drink"
        if move.chips:
            return self._more_chips(person, move.chips, t_s)
        arm = self.troupe.arm(person, left=True)
        home = Pose(*self.ground.home(person, left=True, beyond_mm=90.0), 20.0)
        known = self.register.props.pop((person, kind), None)
        if known is not None:
            known.gone_s = carry(arm, [(known, home)], t_s, lift_mm=25.0)
            return known.gone_s, known.gone_s
        there_s = arm.reach(t_s, (home.x, home.y), 25.0, "pinch")
        thing = self.troupe.enter(PropBody(kind, self.rng.randrange(4)), there_s, home)
        place = self._prop_place(person)
        down_s = carry(arm, [(thing, Pose(*place, 0.0, self.rng.uniform(-40, 40)))], there_s, lift_mm=20.0)
        self.register.props[person, kind] = thing
        return down_s, down_s

    def _prop_place(self, person: int) -> Point:
        """Return a place near the rail with nothing on it."""
        if person == DEALER:
            return step(self.ground.dealer.work.centre, (1.0, 0.0), 150.0)
        rail, out, side = self.ground.edge(person), self.ground.outward(person), self.ground.sideways(person)
        places = [step(step(rail, out, -back), side, dx) for back in (45, 70) for dx in (110, -110, 75, -75, 140)]
        taken = [thing.pose for thing in (*self.register.stacks(), *self.register.props.values())]
        free = [p for p in places if all(apart(p, pose) > 75 for pose in taken)]
        return free[0] if free else step(rail, out, 30.0)

    def _drop(self, move: Move, t_s: float) -> Done:
        """Let a card fall beside its place, and put it right."""
        owner = self._owner(move)
        right, cards = self._card_pose(owner, len(self.register.hand(owner)), is_up=False), self.register.hand(owner)
        aside = moved(right, x=right.x + self.rng.choice((-1, 1)) * 75, y=right.y - 70, angle=right.angle + 40)
        if move.cards:
            (card,), down_s, _ = self._deal_one(move.cards[:1], move.deck, aside, t_s)
            cards.append(card)
        elif cards:
            card = cards[min(move.count, len(cards) - 1)]
            right = card.pose
            arm = self._arm_to(right)
            down_s = carry(arm, [(card, moved(aside, turn=right.turn))], t_s)
        else:
            return t_s, t_s
        done_s = carry(self._arm_to(right), [(card, right)], down_s + 0.4)
        return done_s, done_s

    def _open(self, move: Move, t_s: float) -> Done:
        """Spread a new deck face up by suit, turn it, wash it, stack it."""
        self._deck = move.deck
        x, y = self.ground.dealer.work.centre
        arms = [self.troupe.arm(DEALER), self.troupe.arm(DEALER, left=True)]
        begin_s = max(arm.reach(t_s, (x + side, y), 20.0, "spread") for arm, side in zip(arms, (40, -40), strict=True))
        faces = move.cards or DECK
        cards = [
            self.troupe.enter(CardBody(card, move.deck), begin_s, Pose(x, y, i * CARD_THICKNESS_MM, 0.0, FACE_UP))
            for i, card in enumerate(faces)
        ]
        spread_s = self._sweep_all(arms, cards, self._by_suit(cards), begin_s + 0.2, 2.0)
        turned = [replace(card.pose, turn=FACE_DOWN, z=(len(cards) - i) * 0.3) for i, card in enumerate(cards)]
        turned_s = self._sweep_all(arms, cards, turned, spread_s + 1.5, 1.5)
        for _ in range(3):
            turned_s = self._sweep_all(arms, cards, self._washed(cards), turned_s + 0.1, 1.0)
        stack = [Pose(x, y, i * CARD_THICKNESS_MM, 0.0, FACE_DOWN) for i in range(len(cards))]
        done_s = self._sweep_all(arms, cards, stack, turned_s + 0.1, 1.4)
        for card in cards:
            card.gone_s = done_s
        self._left = DECK_SIZE
        deck = self.troupe.enter(self._deck_body("stub", len(cards)), done_s, Pose(x, y))
        done_s = self._away(deck, done_s)
        return done_s, done_s

    def _by_suit(self, cards: Sequence[Puppet]) -> list[Pose]:
        """Return the places of a deck spread face up in four rows."""
        (x, y), gap = self.ground.dealer.work.centre, 21.0
        rows = [(i % 13, i // 13) for i in range(len(cards))]
        return [
            Pose(
                x + (rank - 6) * gap,
                y + (3 - row) * 38.0 - 0.9 * abs(rank - 6),
                0.3 + i * 0.1,
                (6 - rank) * 0.8,
                FACE_UP,
            )
            for i, (rank, row) in enumerate(rows)
        ]

    def _washed(self, cards: Sequence[Puppet]) -> list[Pose]:
        """Return the places of a deck pushed about on the felt."""
        (x, y), rng = self.ground.dealer.work.centre, self.rng
        order = rng.sample(range(len(cards)), len(cards))
        return [
            Pose(
                x + _clip(rng.gauss(0, 110), 240),
                y + 50 + _clip(rng.gauss(0, 40), 90),
                0.3 + 0.1 * i,
                rng.uniform(0, 360),
                FACE_DOWN,
            )
            for i in order
        ]

    def _sweep_all(
        self, arms: list[Arm], cards: Sequence[Puppet], ends: list[Pose], t_s: float, lasts_s: float
    ) -> float:
        """Move a whole deck with both hands, one card after the other."""
        (x, y), share = self.ground.dealer.work.centre, 0.5
        for i, (card, end) in enumerate(zip(cards, ends, strict=True)):
            begin_s = t_s + lasts_s * share * i / len(cards)
            card.key(begin_s, card.pose)
            turns = card.pose.turn != end.turn
            start = card.pose
            if turns:
                for j in range(1, 5):
                    mid = start.towards(end, j / 5)
                    card.key(begin_s + lasts_s * share * j / 5, moved(mid, z=do.turned_z(mid.z, mid.turn)))
            card.key(begin_s + lasts_s * share, end)
        for i in range(5):
            dx = 150.0 * (i % 2)
            for arm, side in zip(arms, (1, -1), strict=True):
                arm.go(t_s + lasts_s * i / 4, (x + side * (40 + dx), y + 40.0 * (i % 3)), 18.0, "flat")
        return t_s + lasts_s

    def _change_deck(self, move: Move, t_s: float) -> Done:
        """Take the deck and the discards away, over the dealer's edge, and bring the other deck to the shoe."""
        left = self.ground.dealer.shoe.centre[0] < 0
        arm = self.troupe.arm(DEALER, left=left)
        off = Pose(*self.ground.home(DEALER, left=left, beyond_mm=90.0), 15.0)
        if self._pile is not None:
            t_s = self._away(self._pile, t_s)
            self._pile = None
        old, t_s = self._taken_stub(arm, t_s)
        if not self._left:
            old.key(t_s, old.pose, self._deck_body("stub", DECK_SIZE))
        old.gone_s = carry(arm, [(old, off)], t_s, lift_mm=20.0)
        self._deck, self._left, self._stub, self._in_hand = move.deck, DECK_SIZE, None, False
        new = self.troupe.enter(self._deck_body("stub", DECK_SIZE), old.gone_s + 0.3, off)
        done_s = self._away(new, old.gone_s + 0.3)
        return done_s, done_s


def _seat(move: Move) -> int:
    if move.seat is None:
        raise ValueError(f"{move.do}: seat: None: want the number of a seat")
    return move.seat


def _size(prop: Puppet) -> float:
    return prop.body.size if isinstance(prop.body, PropBody) else 0.0


def _clip(value: float, most: float) -> float:
    return max(-most, min(most, value))
