"""Chips that go back to their owner, and small ones changed into larger ones.

A table and moves enter; stacks move, and the moments of effect and of free hands leave.
"""

from studio.play.gestures import carry
from studio.play.paying import to_tray, tray_place
from studio.play.places import APART_MM, Point, apart, step
from studio.play.register import Puppet
from studio.play.reserves import HIGHEST, new_stack, pull_in, reach_own, take_own
from studio.play.script import Move
from studio.play.table import Done, Table, seat_of
from studio.scene import Pose


def give_back(table: Table, move: Move, t_s: float) -> Done:
    """Push a stake back towards its owner, who pulls it in."""
    seat = seat_of(move)
    mine = [w for w in table.register.at(seat, move.wager or "") if not w.is_paid]
    table.register.wagered = [w for w in table.register.wagered if w not in mine]
    if not mine:
        return _return_chips(table, seat, move, t_s)
    stack = mine[0].puppet
    pushed = _push_place(table, seat, stack, t_s)
    done_s = carry(table.arm_to(pushed), [(stack, Pose(*pushed, table.register.chip_z(pushed)))], t_s, "flat", 2.0)
    home_s = pull_in(table, table.troupe.arm(seat), [w.puppet for w in mine], done_s + 0.2)
    table.given.append((pushed, home_s))
    table.cues.free_s[seat] = home_s
    return done_s, done_s


def _push_place(table: Table, seat: int, stack: Puppet, t_s: float) -> Point:
    """Return a free place nearer to the player, to which a stack is pushed."""
    out, side, start = table.ground.outward(seat), table.ground.sideways(seat), (stack.pose.x, stack.pose.y)
    standing = [(s.pose.x, s.pose.y) for s in table.register.stacks()]
    standing += [place for place, until_s in table.given if until_s > t_s]
    ways = [(far, across) for far in (35, 60, 20, 85, 5) for across in (0, 45, -45, 75, -75, 105, -105)]
    places = [step(step(start, out, far), side, across) for far, across in ways]
    return next((p for p in places if all(apart(p, other) >= APART_MM for other in standing)), places[0])


def _return_chips(table: Table, seat: int, move: Move, t_s: float) -> Done:
    """Give chips back that are in the tray already: from there to the player."""
    if not move.chips:
        return t_s, t_s
    tray, place = tray_place(table, move.chips[0]), table.register.beside(table.ground, seat, move.wager or "", 1)[0]
    there_s = table.arm_to(place).reach(t_s, tray, 20.0, "pinch") + table.tempo.grip_s
    stack = new_stack(table, move.chips, there_s, Pose(*tray, 8.0), 0.6)
    done_s = carry(table.arm_to(place), [(stack, Pose(*place))], there_s)
    table.cues.free_s[seat] = pull_in(table, table.troupe.arm(seat), [stack], done_s + 0.2)
    return done_s, done_s


def colour_up(table: Table, move: Move, t_s: float) -> Done:
    """Change a player's small chips into larger ones over the work area."""
    seat, total = seat_of(move), sum(move.chips)
    small = [c for c in table.chips_cents if c < min(move.chips) and total % c == 0 and total // c <= HIGHEST]
    old = (small[0],) * (total // small[0]) if small else move.chips
    arm = table.troupe.arm(seat)
    place = _exchange_place(table, seat)
    taken_s = reach_own(table, arm, t_s)
    offered = take_own(table, arm, old, taken_s)
    t_s = carry(arm, [(offered, Pose(*place))], taken_s)
    tray_s = to_tray(table, [offered], t_s + 0.3)
    dealer = table.arm_to(place)
    change = new_stack(table, move.chips, tray_s + 0.1, Pose(*tray_place(table, move.chips[0]), 8.0), 0.6)
    down_s = carry(dealer, [(change, Pose(*place))], tray_s + 0.1)
    home_s = pull_in(table, arm, [change], down_s + 0.3)
    table.cues.free_s[seat] = home_s
    return down_s, down_s


def _exchange_place(table: Table, seat: int) -> Point:
    """Return a free place between a player and the dealer."""
    x, y = table.ground.dealer.work.centre
    toward = table.ground.seat(seat).cards.centre
    places = [(x + (toward[0] - x) * share, y + (toward[1] - y) * share) for share in (0.3, 0.2, 0.4, 0.1, 0.0)]
    return next((p for p in places if _is_bare(table, p)), places[-1])


def _is_bare(table: Table, place: Point) -> bool:
    return all(apart(place, thing.pose) > 85 for thing in [*table.register.stacks(), *table.register.all_cards()])
