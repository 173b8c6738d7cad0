"""What is done without cards or wagers: waiting, closing the bets, a resting hand, a drink or a phone.

A table and moves enter; hands and things move, and the moments of effect and of free hands leave.
"""

from studio.play.gestures import carry
from studio.play.places import Point, apart, step
from studio.play.reserves import bring_chips
from studio.play.script import Move
from studio.play.table import Done, Table
from studio.play.tempo import DEALER
from studio.scene import Pose, PropBody


def wait(table: Table, move: Move, t_s: float) -> Done:
    """Let nothing happen for a while."""
    done_s = max(t_s, table.cues.effect_s) + move.seconds
    table.cues.hold(done_s)
    return done_s, done_s


def close_bets(table: Table, _: Move, t_s: float) -> Done:
    """Sweep a hand over the layout: no more bets."""
    arm, (x, y) = table.troupe.arm(DEALER), table.ground.dealer.work.centre
    there_s = arm.reach(t_s, (x - 260.0, y + 120.0), 35.0, "flat")
    for share, dx in ((0.5, 0.0), (1.0, 260.0)):
        arm.go(there_s + 0.8 * share, (x + dx, y + 150.0 - 40.0 * share), 35.0)
    return arm.ready_s, arm.ready_s


def rest(table: Table, move: Move, t_s: float) -> Done:
    """Let a hand rest on a spot; the others go on."""
    if move.seat is None:
        arm, spot = table.troupe.arm(DEALER), table.ground.dealer.work.centre
    else:
        arm = table.troupe.arm(move.seat, left=table.rng.random() < 0.5)
        spot = table.ground.spot(move.seat, move.wager or "")
    down_s = arm.reach(t_s, spot, 22.0, "flat")
    free_s = arm.go(down_s + move.seconds, (spot[0] + table.rng.gauss(0, 6), spot[1] + table.rng.gauss(0, 6)), 22.0)
    return down_s, free_s


def use_prop(table: Table, move: Move, t_s: float) -> Done:
    """Put something down near a seat, or take it up again."""
    person, kind = move.seat or DEALER, move.note or "drink"
    if move.chips:
        return bring_chips(table, person, move.chips, t_s)
    arm = table.troupe.arm(person, left=True)
    home = Pose(*table.ground.home(person, left=True, beyond_mm=90.0), 20.0)
    known = table.register.props.pop((person, kind), None)
    if known is not None:
        known.gone_s = carry(arm, [(known, home)], t_s, lift_mm=25.0)
        return known.gone_s, known.gone_s
    there_s = arm.reach(t_s, (home.x, home.y), 25.0, "pinch")
    thing = table.troupe.enter(PropBody(kind, table.rng.randrange(4)), there_s, home)
    place = _prop_place(table, person)
    down_s = carry(arm, [(thing, Pose(*place, 0.0, table.rng.uniform(-40, 40)))], there_s, lift_mm=20.0)
    table.register.props[person, kind] = thing
    return down_s, down_s


def _prop_place(table: Table, person: int) -> Point:
    """Return a place near the rail with nothing on it."""
    if person == DEALER:
        return step(table.ground.dealer.work.centre, (1.0, 0.0), 150.0)
    rail, out, side = table.ground.edge(person), table.ground.outward(person), table.ground.sideways(person)
    places = [step(step(rail, out, -back), side, dx) for back in (45, 70) for dx in (110, -110, 75, -75, 140)]
    taken = [thing.pose for thing in (*table.register.stacks(), *table.register.props.values())]
    free = [p for p in places if all(apart(p, pose) > 75 for pose in taken)]
    return free[0] if free else step(rail, out, 30.0)
