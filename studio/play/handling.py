"""What players do with their cards: look, push them together, tuck them, fold, touch.

A table and moves enter; cards move, and the moments of effect and of free hands leave.
"""

from dataclasses import replace

from studio.play import gestures as do
from studio.play.gestures import Arm, Load, carry
from studio.play.places import apart, inside, step
from studio.play.register import Puppet
from studio.play.script import Move
from studio.play.table import FACE_DOWN, FACE_UP, Done, Table, seat_of
from studio.scene import Pose, moved
from vision.values.sizes import CARD_THICKNESS_MM


def peek(table: Table, move: Move, t_s: float) -> Done:
    """Let a player look at the own cards: the corners lifted, or all turned where they lie open."""
    seat = seat_of(move)
    cards = list(table.cards_of(seat))
    if not cards:
        return t_s, t_s
    if table.script.face_up_players and cards[0].pose.turn == FACE_DOWN:
        return _lay_open(table, seat, cards, t_s)
    if cards[0].pose.turn == FACE_UP:
        return _touch_cards(table, table.troupe.arm(seat), cards, t_s)
    arms = [table.troupe.arm(seat), table.troupe.arm(seat, left=True)][: table.rng.randint(1, 2)]
    squared_s = carry(arms[0], square_up(cards, 0.4), t_s, "flat", 1.0)
    tilt, hold_s = table.rng.uniform(16, 36), table.rng.uniform(0.5, 1.6)
    return do.lift_corners(arms, cards, squared_s, tilt, hold_s)


def square_up(cards: list[Puppet], share: float, to: Pose | None = None) -> list[Load]:
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


def _lay_open(table: Table, seat: int, cards: list[Puppet], t_s: float) -> Done:
    """Let a player turn the own cards face up and fan them."""
    arm = table.troupe.arm(seat)
    done_s = carry(arm, square_up(cards, 1.0), t_s, "flat", 1.0)
    done_s = do.turn_together(arm, cards, done_s, FACE_UP)
    area, side = table.ground.seat(seat).cards, table.ground.sideways(seat)
    room = table.ground.seat_place(seat, 4, 34.0)
    gap = max(apart(room, area.centre) / 2, 14.0)
    order = sorted(cards, key=lambda card: card.pose.z)
    ends = [inside(area, step(area.centre, side, (2 - i) * gap)) for i in range(len(order))]
    loads = [(c, Pose(*end, c.pose.z, c.pose.angle)) for c, end in zip(order, ends, strict=True)]
    done_s = carry(arm, loads, done_s, "spread", 1.5)
    return done_s, done_s


def tuck(table: Table, seat: int, wager: str, cards: list[Puppet]) -> list[Load]:
    """Return the cards squared, and pushed to the Play wager where nothing is in the way."""
    squared = square_up(cards, table.rng.uniform(0.6, 1.0))
    if cards[0].pose.turn == FACE_UP or table.rng.random() >= table.tempo.tuck:
        return squared
    spot, (x, y) = table.ground.spot(seat, wager), do.middle([card.pose for card in cards])
    away = max(apart(spot, (x, y)), 1.0)
    push = max(min(away - table.rng.choice((34.0, 62.0)), 60.0), 0.0)
    goal = inside(table.ground.seat(seat).cards, step((x, y), ((spot[0] - x) / away, (spot[1] - y) / away), push))
    pushed = [(card, moved(pose, x=pose.x + goal[0] - x, y=pose.y + goal[1] - y)) for card, pose in squared]
    return pushed if all(table.register.is_clear(pose, seat) for _, pose in pushed) else squared


def fold(table: Table, move: Move, t_s: float) -> Done:
    """Push the cards towards the dealer, clear of every chip."""
    seat = seat_of(move)
    cards = list(table.cards_of(seat))
    if not cards:
        return t_s, t_s
    out, side, swing = table.ground.outward(seat), table.ground.sideways(seat), table.rng.gauss(0, 9)
    squared = square_up(cards, 0.7)
    for push, across in ((75, 0), (60, 0), (45, 0), (40, 30), (40, -30), (28, 0), (14, 0)):
        dx, dy = -out[0] * push + side[0] * across, -out[1] * push + side[1] * across
        loads = [(c, moved(p, x=p.x + dx, y=p.y + dy, angle=p.angle + swing)) for c, p in squared]
        if all(table.register.is_clear(pose, seat) for _, pose in loads):
            break
    else:
        loads = squared
    done_s = carry(table.troupe.arm(seat), loads, t_s, "flat", 1.0, table.cues.floor_s)
    return done_s, done_s


def touch(table: Table, move: Move, t_s: float) -> Done:
    """Let somebody else lay fingers on a seat's cards."""
    cards = list(table.cards_of(move.seat))
    return _touch_cards(table, table.troupe.arm(table.actor_of(move)), cards, t_s)


def _touch_cards(table: Table, arm: Arm, cards: list[Puppet], t_s: float) -> Done:
    """Lay fingers on cards and push the top one a little."""
    if not cards:
        return t_s, t_s
    top = max(cards, key=lambda card: card.pose.z)
    nudged = moved(top.pose, x=top.pose.x + table.rng.gauss(0, 4), angle=top.pose.angle + table.rng.gauss(0, 5))
    done_s = carry(arm, [(top, nudged)], t_s, "point", 0.4)
    arm.go(done_s + 0.5, do.hold_point(arm, [nudged], 20.0), 12.0)
    return done_s, done_s + 0.5
