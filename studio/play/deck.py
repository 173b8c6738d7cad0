"""The deck between the shoe, the dealer's hand and the discard rack: taken out, counted, cleared, changed.

A table and moves enter; the deck moves, and the moments of effect and of free hands leave.
"""

from studio.play import gestures as do
from studio.play.gestures import Arm, carry
from studio.play.places import Point
from studio.play.register import Puppet
from studio.play.script import Move
from studio.play.table import DECK_SIZE, FACE_DOWN, Done, Table
from studio.play.tempo import DEALER
from studio.scene import CardBody, Pose, PropBody, moved
from vision.values.cards import DECK
from vision.values.sizes import CARD_THICKNESS_MM


def prepare_deck(table: Table) -> None:
    """Put the discards away and have a full deck, while the players bet."""
    if table.pile is not None:
        put_away(table, table.pile, table.cues.effect_s + 0.2)
        table.pile = None
    if table.stub is not None:
        put_away(table, table.stub, table.cues.effect_s + 0.2)
    table.stub, table.cards_left = None, DECK_SIZE
    table.let_deck_go()


def put_away(table: Table, prop: Puppet, t_s: float) -> float:
    """Carry discards or a deck to the shoe or the shuffler."""
    to = Pose(*table.ground.dealer.shoe.centre, 2.0)
    done_s = carry(table.arm_to(prop.pose), [(prop, to)], t_s, lift_mm=20.0)
    prop.gone_s = done_s
    table.cues.free_s[DEALER] = max(table.cues.free_s.get(DEALER, 0.0), done_s)
    return done_s


def take_stub(table: Table, arm: Arm, t_s: float) -> tuple[Puppet, float]:
    """Return the stub, taken out of the shoe where it is still in there, and when it can be moved."""
    if table.stub is None:
        mouth = _shoe_mouth(table)
        t_s = arm.reach(t_s, do.hold_point(arm, [Pose(*mouth)], 26.0), 14.0, "pinch") + table.tempo.grip_s
        table.stub = table.troupe.enter(deck_body(table, "stub", table.cards_left), t_s, Pose(*mouth, 2.0))
    return table.stub, t_s


def _shoe_mouth(table: Table) -> Point:
    """Return where cards leave the shoe."""
    x, y = table.ground.dealer.shoe.centre
    return (x, y + 30.0)


def deck_body(table: Table, kind: str, size: int) -> PropBody:
    """Return a deck, or a part of it, as a body."""
    return PropBody(kind, table.deck, size)


def draw_off(table: Table, t_s: float, count: int) -> None:
    """Take cards off the stub."""
    table.cards_left = max(table.cards_left - count, 0)
    if table.stub is not None:
        table.stub.key(t_s, table.stub.pose, deck_body(table, "stub", table.cards_left))


def discard(table: Table, t_s: float, count: int) -> None:
    """Let the pile in the discard rack grow."""
    if table.pile is None:
        pose = Pose(*table.ground.dealer.discard.centre, 0.0, table.rng.uniform(-4, 4))
        table.pile = table.troupe.enter(deck_body(table, "pile", count), t_s, pose)
    else:
        body = deck_body(table, "pile", int(_size(table.pile)) + count)
        table.pile.key(t_s, table.pile.pose, body)


def clear_stub(table: Table, move: Move, t_s: float) -> Done:
    """Count the stub where told to, and put it into the discard rack."""
    arm = table.troupe.arm(DEALER, left=table.ground.dealer.shoe.centre[0] < 0 or table.is_deck_held)
    table.cards_left = len(move.cards) or table.cards_left
    stub, t_s = take_stub(table, arm, t_s)
    if move.count:
        stub, t_s = _count_stub(table, stub, t_s)
        arm = table.troupe.arm(DEALER)
    done_s = carry(arm, [(stub, Pose(*table.ground.dealer.discard.centre, 4.0))], t_s, lift_mm=15.0)
    stub.gone_s, table.stub = done_s, None
    table.let_deck_go()
    discard(table, done_s, table.cards_left)
    table.cards_left = 0
    return done_s, done_s


def _count_stub(table: Table, stub: Puppet, t_s: float) -> tuple[Puppet, float]:
    """Count the stub down, card by card and face down, onto a heap in the work area; return the heap."""
    x, y = table.ground.dealer.work.centre
    left, right, size = table.troupe.arm(DEALER, left=True), table.troupe.arm(DEALER), table.cards_left
    t_s = carry(left, [(stub, Pose(x - 80.0, y, 10.0))], t_s, lift_mm=12.0)
    t_s = right.reach(t_s, (x - 50.0, y), 14.0, "pinch")
    heap = table.troupe.enter(deck_body(table, "pile", 1), t_s, Pose(x + 40.0, y, 0.0, 3.0))
    for i in range(1, size):
        stub.key(t_s, stub.pose, deck_body(table, "stub", size - i))
        t_s = _count_one(table, heap, Pose(x - 60.0, y, 12.0, 0.0, FACE_DOWN), i + 1, t_s)
    left.go(t_s, do.hold_point(left, [stub.pose], 26.0), 16.0)
    stub.gone_s, table.stub = t_s, heap
    table.let_deck_go()
    return heap, t_s + 0.2


def _count_one(table: Table, heap: Puppet, start: Pose, size: int, t_s: float) -> float:
    right = table.troupe.arm(DEALER)
    card = table.troupe.enter(CardBody(DECK[size % DECK_SIZE], table.deck), t_s, start)
    down = moved(heap.pose, z=size * CARD_THICKNESS_MM, turn=FACE_DOWN)
    down_s = t_s + table.tempo.pitch_s * 0.4
    card.key(down_s, down)
    right.go(down_s, do.hold_point(right, [down], 20.0), 16.0)
    card.gone_s = down_s
    heap.key(down_s, heap.pose, deck_body(table, "pile", size))
    back_s = down_s + table.tempo.pitch_s * 0.25
    return right.go(back_s, do.hold_point(right, [start], 20.0), 16.0)


def change_deck(table: Table, move: Move, t_s: float) -> Done:
    """Take the deck and the discards away, over the dealer's edge, and bring the other deck to the shoe."""
    left = table.ground.dealer.shoe.centre[0] < 0
    arm = table.troupe.arm(DEALER, left=left)
    off = Pose(*table.ground.home(DEALER, left=left, beyond_mm=90.0), 15.0)
    if table.pile is not None:
        t_s = put_away(table, table.pile, t_s)
        table.pile = None
    old, t_s = take_stub(table, arm, t_s)
    if not table.cards_left:
        old.key(t_s, old.pose, deck_body(table, "stub", DECK_SIZE))
    old.gone_s = carry(arm, [(old, off)], t_s, lift_mm=20.0)
    table.deck, table.cards_left, table.stub = move.deck, DECK_SIZE, None
    table.let_deck_go()
    new = table.troupe.enter(deck_body(table, "stub", DECK_SIZE), old.gone_s + 0.3, off)
    done_s = put_away(table, new, old.gone_s + 0.3)
    return done_s, done_s


def _size(prop: Puppet) -> float:
    return prop.body.size if isinstance(prop.body, PropBody) else 0.0
