"""Bets: players put chips on spots, add to them, pinch them, straighten them, and gather what is theirs.

A table and moves enter; stacks move, and the moments of effect and of free hands leave.
"""

from studio.play import gestures as do
from studio.play.gestures import Arm, carry
from studio.play.handling import tuck
from studio.play.places import APART_MM, Point, apart
from studio.play.register import Wagered, height_mm
from studio.play.reserves import HIGHEST, new_stack, pull_in, reach_own, set_chips, take_own
from studio.play.script import Move
from studio.play.table import Done, Table, seat_of, wager_of
from studio.play.tempo import DEALER
from studio.scene import Pose, moved
from vision.values.sizes import CHIP_THICKNESS_MM


def bet(table: Table, move: Move, t_s: float) -> Done:
    """Put a stake on its spot, or beside what stands there."""
    seat, wager = seat_of(move), wager_of(move)
    arm = min((table.troupe.arm(seat, left=left) for left in (False, True)), key=lambda arm: arm.ready_s)
    down_s, _ = _put_chips(table, arm, wager, move.chips, t_s)
    return down_s, t_s + 0.3  # the other hand may bet at the same time


def _put_chips(table: Table, arm: Arm, wager: str, chips: tuple[int, ...], t_s: float) -> Done:
    """Let a player take chips from the own ones and put them down at a spot."""
    place = _stake_place(table, arm.person, wager)
    taken_s = reach_own(table, arm, t_s)
    stack = take_own(table, arm, chips, taken_s)
    down_s = carry(arm, [(stack, Pose(*place, table.register.chip_z(place)))], taken_s, floor_s=table.cues.floor_s)
    table.register.wagered.append(Wagered(stack, arm.person, wager))
    return down_s, down_s + table.tempo.grip_s


def _stake_place(table: Table, seat: int, wager: str) -> Point:
    """Return where a stake comes to stand: on its spot, or beside what stands there."""
    spot = table.ground.spot(seat, wager)
    place = (spot[0] + table.stray(2.5, 6), spot[1] + table.stray(2.5, 6))
    if any(apart(place, stack.pose) < APART_MM for stack in table.register.stacks()):
        place = table.register.beside(table.ground, seat, wager, 1)[0]
    return place


def play(table: Table, move: Move, t_s: float) -> Done:
    """Push the cards together and put the raise down."""
    seat, wager = seat_of(move), wager_of(move)
    cards, tucked_s = list(table.cards_of(seat)), t_s
    if cards:
        arm = table.troupe.arm(seat, left=True)
        tucked_s = carry(arm, tuck(table, seat, wager, cards), t_s, "flat", 2.0)
    start_s = max(t_s, tucked_s - 0.5)
    return _put_chips(table, table.troupe.arm(seat), wager, move.chips, start_s)


def add(table: Table, move: Move, t_s: float) -> Done:
    """Put chips on top of a stake; where there is none, bet."""
    seat, wager = seat_of(move), wager_of(move)
    below = next((w.puppet for w in table.register.at(seat, wager) if not w.is_paid), None)
    if below is None or len(below.cents + move.chips) > 2 * HIGHEST:
        return bet(table, move, t_s)
    arm = table.troupe.arm(seat)
    taken_s = max(reach_own(table, arm, t_s), below.ready_s)
    stack = take_own(table, arm, move.chips, taken_s)
    top = moved(below.pose, z=below.pose.z + height_mm(below))
    down_s = carry(arm, [(stack, top)], taken_s, floor_s=table.cues.floor_s)
    stack.gone_s = down_s
    set_chips(table, below, down_s, below.cents + move.chips)
    return down_s, down_s + table.tempo.grip_s


def pinch(table: Table, move: Move, t_s: float) -> Done:
    """Take chips off a stake, back to the player's own."""
    seat = seat_of(move)
    stake = next(w for w in table.register.at(seat, move.wager or "") if not w.is_paid)
    stack, arm = stake.puppet, table.troupe.arm(seat)
    left = list(stack.cents)
    for cents in move.chips:
        left.reverse()
        left.remove(cents)  # the topmost of its kind
        left.reverse()
    tip = do.hold_point(arm, [stack.pose], 4.0)
    off_s = max(arm.reach(t_s, tip, height_mm(stack), "pinch"), stack.ready_s) + table.tempo.grip_s
    off_s = max(off_s, table.cues.floor_s)
    taken = new_stack(table, move.chips, off_s, moved(stack.pose, z=stack.pose.z + len(left) * CHIP_THICKNESS_MM))
    if left:
        set_chips(table, stack, off_s, left)
    else:
        stack.gone_s = off_s
        table.register.wagered.remove(stake)
    home_s = pull_in(table, arm, [taken], off_s)
    return home_s, home_s


def straighten(table: Table, move: Move, t_s: float) -> Done:
    """Square up a stake with the fingers."""
    person = move.seat or DEALER
    stakes = table.register.at(person, move.wager or "")
    arm = table.troupe.arm(person)
    tip = (
        table.ground.spot(person, move.wager or "") if not stakes else do.hold_point(arm, [stakes[0].puppet.pose], 2.0)
    )
    there_s = arm.reach(t_s, tip, 16.0, "pinch")
    for stake in stakes[:1]:
        there_s = max(there_s, stake.puppet.ready_s)
        body = do.chip_stack(table.rng, stake.puppet.cents, 0.15)
        stake.puppet.key(there_s + 0.35, stake.puppet.pose, body)
    arm.go(there_s + 0.4, tip, 16.0)
    return there_s + 0.4, there_s + 0.4


def gather(table: Table, move: Move, t_s: float) -> Done:
    """Let a player pull in all that lies on the own spots, with both hands."""
    seat = seat_of(move)
    mine = [w for w in table.register.wagered if w.seat == seat and move.wager in (None, w.wager)]
    table.register.wagered = [w for w in table.register.wagered if w not in mine]
    arms, ends = [table.troupe.arm(seat, left=left) for left in (False, True)], [t_s]
    for i in range(0, len(mine), 3):  # as many as a hand pulls in at once
        arm = arms[i // 3 % 2]
        ends.append(pull_in(table, arm, [w.puppet for w in mine[i : i + 3]], max(t_s, arm.ready_s)))
    return max(ends), max(ends)
