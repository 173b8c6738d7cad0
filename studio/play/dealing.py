"""Dealing: cards come from the hand, the shoe or the shuffler to their places, now and then face up or amiss.

A table and moves enter; cards lie, and the moments of effect and of free hands leave.
"""

from collections.abc import Sequence

from studio.play import gestures as do
from studio.play.deck import discard, draw_off, take_stub
from studio.play.gestures import carry
from studio.play.places import Point, aim, apart, inside
from studio.play.register import Puppet
from studio.play.replay import TURNED_BACK
from studio.play.script import Move
from studio.play.table import FACE_DOWN, FACE_UP, Done, Table
from studio.play.tempo import DEALER
from studio.scene import CardBody, Pose, moved
from vision.values.cards import Card
from vision.values.sizes import CARD_THICKNESS_MM

SHARED = ("bonus", "community")


def deal(table: Table, move: Move, t_s: float) -> Done:
    """Deal one delivery to its place: card by card, or as a stack from the shuffler."""
    owner = _owner(move)
    if table.script.method == "automated" and len(move.cards) > 1:
        return _deliver(table, move, owner, t_s)
    back = move.note == TURNED_BACK
    is_up = move.up > back
    target = _card_pose(table, owner, len(table.register.hand(owner)), is_up=is_up)
    dealt, land_s, free_s = _deal_one(table, move.cards, move.deck, target, t_s)
    table.register.hand(owner).extend(dealt)
    return _turn_up(table, move, dealt, land_s, free_s)


def _owner(move: Move) -> str:
    if move.zone.startswith("table"):
        return move.zone.removeprefix("table.")
    return "dealer" if move.seat is None or move.zone.startswith("dealer") else f"seat.{move.seat}"


def _card_pose(table: Table, owner: str, index: int, *, is_up: bool) -> Pose:
    """Return where the next card of an owner comes to lie, with a little scatter."""
    loose = table.tempo.scatter_mm
    if owner.startswith("seat"):
        seat = int(owner[5:])
        area, angle = table.ground.seat(seat).cards, aim((0.0, 0.0), table.ground.outward(seat))
        place = table.ground.seat_place(seat, index, table.tempo.spread_mm)
    else:
        area, angle = table.ground.dealer.cards, 0.0
        is_shared = owner in SHARED
        place = _shared_place(table, owner, index) if is_shared else table.ground.dealer_place(index, is_up=is_up)
    scattered = (place[0] + table.rng.gauss(0, loose), place[1] + table.rng.gauss(0, loose))
    place = place if owner in SHARED else inside(area, scattered)
    angle += table.rng.gauss(0, table.tempo.scatter_deg)
    return Pose(*place, table.register.card_z(place, []), angle, FACE_DOWN)


def _shared_place(table: Table, owner: str, index: int) -> Point:
    """Return the place of a shared card: among as many as the round deals there."""
    count = sum(len(move.cards) for move in table.script.moves if move.zone == f"table.{owner}")
    return table.ground.shared(owner, index, max(count, index + 1))


def _turn_up(table: Table, move: Move, dealt: list[Puppet], land_s: float, free_s: float) -> Done:
    """Turn the last cards of a delivery as told; one that should not have been is turned back."""
    turned = dealt[len(dealt) - move.up :]
    for card in turned:
        land_s = free_s = turn_card(table, card, land_s, FACE_UP)
    if turned and move.note == TURNED_BACK:
        free_s = turn_card(table, turned[0], land_s + table.rng.uniform(0.3, 0.9), FACE_DOWN)
    return land_s, free_s


def _deal_one(
    table: Table, cards: Sequence[Card], deck: int, target: Pose, t_s: float
) -> tuple[list[Puppet], float, float]:
    """Send a card on its way, with those that stick to it; return them, when they lie, when the hand is back."""
    top = moved(target, z=target.z + (len(cards) - 1) * CARD_THICKNESS_MM)
    bodies = [CardBody(card, deck, abs(table.rng.gauss(0, 0.6))) for card in cards]
    if table.script.method == "hand":
        source, ready_s = _deck_hand(table, t_s)
        angle = top.angle if abs(top.angle) < 60 else 0.0
        dealt = table.troupe.enter(bodies[-1], ready_s, Pose(*source, do.CARD_LIFT_MM, angle, FACE_DOWN))
    else:
        source, ready_s = _shoe_hand(table, t_s)
        dealt = _from_shoe(table, bodies[-1], ready_s, source)
    draw_off(table, dealt.ready_s, len(cards))
    land_s, free_s = do.pitch(table.troupe.arm(DEALER), dealt, dealt.ready_s, top, table.cues.floor_s)
    below = [_stuck_to(table, dealt, body, len(bodies) - 1 - i) for i, body in enumerate(bodies[:-1])]
    return [*below, dealt], land_s, max(free_s, t_s + table.tempo.pitch_s)


def _stuck_to(table: Table, top: Puppet, body: CardBody, down: int) -> Puppet:
    """Return a card that goes all the way with another, a little below it."""
    dx, dy = table.rng.gauss(0, 2.5), table.rng.gauss(0, 2.5)
    keys = [(key.t_s, moved(key.pose, x=key.pose.x + dx, y=key.pose.y + dy)) for key in top.keys]
    low = [(t_s, moved(pose, z=pose.z - down * CARD_THICKNESS_MM)) for t_s, pose in keys]
    card = table.troupe.enter(body, *low[0])
    for t_s, pose in low[1:]:
        card.key(t_s, pose)
    return card


def _deck_hand(table: Table, t_s: float) -> tuple[Point, float]:
    """Hold the deck in the left hand, over the tray; the right one takes a card from it."""
    x, y = table.ground.dealer.tray.centre
    place = (x - 70.0, y + 60.0)
    left, right = table.troupe.arm(DEALER, left=True), table.troupe.arm(DEALER)
    if not table.is_deck_held:
        stub, t_s = take_stub(table, left, t_s)
        t_s = carry(left, [(stub, Pose(*place, 12.0, 10.0))], t_s, lift_mm=15.0)
        left.is_holding = True
    left.go(max(t_s, left.ready_s), do.hold_point(left, [Pose(*place)], 26.0), 16.0, "pinch")
    source = (place[0] + 28.0, place[1] + 22.0)
    if right.puppet is None or apart(right.puppet.pose, source) > 60 or t_s - right.ready_s > do.LINGER_S:
        t_s = right.reach(t_s, do.hold_point(right, [Pose(*source)], 20.0), 14.0, "pinch")
    return source, t_s


def _shoe_hand(table: Table, t_s: float) -> tuple[Point, float]:
    """Have one hand at the shoe, and the other where it takes the cards over."""
    x, y = table.ground.dealer.shoe.centre
    near, far = table.troupe.arm(DEALER, left=True), table.troupe.arm(DEALER)
    place = (x + (95.0 if x < 0 else -95.0), y + 45.0)
    for arm, spot in ((near, (x, y + 30.0)), (far, place)):
        tip = do.hold_point(arm, [Pose(*spot)], 20.0)
        if arm.puppet is None or apart(arm.puppet.pose, tip) > 60 or t_s - arm.ready_s > do.LINGER_S:
            arm.reach(t_s, tip, 14.0, "pinch")
    return place, max(t_s, near.ready_s, far.ready_s - 0.3 * table.tempo.pitch_s)


def _from_shoe(table: Table, body: CardBody, t_s: float, place: Point) -> Puppet:
    """Draw a card out of the shoe to where the other hand takes it."""
    x, y = table.ground.dealer.shoe.centre
    near, far = table.troupe.arm(DEALER, left=True), table.troupe.arm(DEALER)
    start = Pose(x, y + 30.0, 3.0, 0.0, FACE_DOWN)
    card = table.troupe.enter(body, t_s, start)
    out_s = max(t_s + 0.3 * table.tempo.pitch_s, far.ready_s)
    near.go(t_s, do.hold_point(near, [start], 20.0), 12.0, "pinch")
    card.key(out_s, moved(start, x=place[0], y=place[1], z=do.CARD_LIFT_MM))
    near.go(out_s, do.hold_point(near, [card.pose], 20.0), 12.0)
    near.go(out_s + 0.25 * table.tempo.pitch_s, do.hold_point(near, [start], 20.0), 12.0)
    return card


def _deliver(table: Table, move: Move, owner: str, t_s: float) -> Done:
    """Bring a stack from the shuffler to its place, and spread it."""
    x, y = table.ground.dealer.shoe.centre
    first = len(table.register.hand(owner))
    ends = [_card_pose(table, owner, first + i, is_up=i >= len(move.cards) - move.up) for i in range(len(move.cards))]
    mid, angle = do.middle(ends), ends[0].angle
    low = table.register.card_z(mid, [])
    there_s = table.arm_to((x, y)).reach(t_s, (x, y), 14.0, "pinch")
    cards = [
        table.troupe.enter(CardBody(card, move.deck), there_s, Pose(x, y, 2 + i * CARD_THICKNESS_MM, 0.0, FACE_DOWN))
        for i, card in enumerate(move.cards)
    ]
    draw_off(table, there_s, len(cards))
    table.register.hand(owner).extend(cards)
    heights = [low + i * CARD_THICKNESS_MM for i in range(len(cards))]
    packet = [Pose(*mid, height, angle, FACE_DOWN) for height in heights]
    arm = table.arm_to(mid) if abs(x - mid[0]) < 500 else table.arm_to((x, y))
    done_s = carry(arm, list(zip(cards, packet, strict=True)), there_s)
    spread = [moved(end, z=height) for end, height in zip(ends, heights, strict=True)]
    done_s = carry(arm, list(zip(cards, spread, strict=True)), done_s, "spread", 1.5)
    return _turn_up(table, move, cards, done_s, done_s)


def turn_card(table: Table, card: Puppet, t_s: float, to: float) -> float:
    """Turn one card where it lies; return when it lies again."""
    height = table.register.card_z((card.pose.x, card.pose.y), [card])
    return do.turn_over(table.arm_to(card.pose), card, t_s, to, height)


def _hand_size(table: Table, owner: str) -> int:
    """Return how many cards a place gets in this round: a whole hand starts at its first place again."""
    return sum(len(move.cards) for move in table.script.moves if move.cards and move.zone and _owner(move) == owner)


def burn(table: Table, move: Move, t_s: float) -> Done:
    """Put cards into the discard rack; one that was face up is shown first."""
    rack = Pose(*table.ground.dealer.discard.centre, 8.0, 0.0, FACE_DOWN)
    done_s = free_s = t_s
    for card in move.cards:
        x, y = table.ground.dealer.work.centre
        target = rack if not move.up else Pose(x, y, 1.0, 0.0, FACE_DOWN)
        (burnt,), done_s, free_s = _deal_one(table, (card,), move.deck, target, free_s)
        if move.up:
            done_s = do.turn_over(table.troupe.arm(DEALER), burnt, done_s, FACE_UP, 1.0)
            done_s = free_s = carry(table.troupe.arm(DEALER), [(burnt, rack)], done_s + 0.4)
        burnt.gone_s = done_s
        discard(table, done_s, 1)
    return done_s, free_s


def drop(table: Table, move: Move, t_s: float) -> Done:
    """Let a card fall beside its place, and put it right."""
    owner = _owner(move)
    cards = table.register.hand(owner)
    right = _card_pose(table, owner, len(cards) % max(_hand_size(table, owner), 1), is_up=False)
    aside = moved(right, x=right.x + table.rng.choice((-1, 1)) * 75, y=right.y - 70, angle=right.angle + 40)
    if move.cards:
        (card,), down_s, _ = _deal_one(table, move.cards[:1], move.deck, aside, t_s)
        cards.append(card)
    elif cards:
        card = cards[min(move.count, len(cards) - 1)]
        right = card.pose
        arm = table.arm_to(right)
        down_s = carry(arm, [(card, moved(aside, turn=right.turn))], t_s)
    else:
        return t_s, t_s
    done_s = carry(table.arm_to(right), [(card, right)], down_s + 0.4)
    return done_s, done_s
