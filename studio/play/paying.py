"""Payments and takings: chips go from the tray to the spots and back.

A table and moves enter; stacks move, and the moments of effect and of free hands leave.
"""

from math import ceil

from studio.play.gestures import carry
from studio.play.places import APART_MM, Point
from studio.play.register import Puppet, Wagered
from studio.play.reserves import new_stack, set_chips
from studio.play.revealing import muck_cards
from studio.play.script import Move
from studio.play.table import Done, Table, seat_of
from studio.scene import Pose, moved
from vision.values.sizes import CHIP_THICKNESS_MM


def pay(table: Table, move: Move, t_s: float) -> Done:
    """Pay a wager beside its stake, in as many trips as the chips need."""
    seat, wager = seat_of(move), move.wager or ""
    high = max(table.tempo.stack_high, len(move.chips) // 3)
    stacks = _split(move.chips, high, is_cut=move.count == 1)
    places = table.register.beside(table.ground, seat, wager, len(stacks))
    down_s = t_s
    while stacks:
        trip = max(i for i in range(1, len(stacks) + 1) if i == 1 or sum(map(len, stacks[:i])) <= 25)
        down_s = _pay_trip(table, move, stacks[:trip], places[:trip], down_s)
        stacks, places = stacks[trip:], places[trip:]
    return down_s, down_s + table.tempo.grip_s


def _split(chips: tuple[int, ...], high: int, *, is_cut: bool) -> list[tuple[int, ...]]:
    """Part chips into stacks by denomination, none higher than `high`; cut: even stacks of at most five."""
    kinds = sorted(set(chips), reverse=True)
    stacks: list[tuple[int, ...]] = []
    for cents in kinds:
        count = chips.count(cents)
        parts = ceil(count / 5) if is_cut else ceil(count / high)
        if is_cut and count > 1 and len(kinds) == 1:
            parts = max(parts, 2)
        parts = min(parts, 4)
        stacks += [(cents,) * (count // parts + (i < count % parts)) for i in range(parts)]
    return stacks


def _pay_trip(table: Table, move: Move, stacks: list[tuple[int, ...]], places: list[Point], t_s: float) -> float:
    """Bring one column from the tray and set it down, stack by stack."""
    arm, tray = table.arm_to(places[0]), tray_place(table, stacks[0][0])
    there_s = arm.reach(t_s, tray, 20.0, "pinch") + table.tempo.grip_s + table.tempo.cut_s * 0.5
    arm.go(there_s, tray, 20.0)
    column = new_stack(table, [c for stack in stacks for c in stack], there_s, Pose(*tray, 8.0), 0.6)
    down_s = there_s
    for i, place in enumerate(places):
        down_s = carry(
            arm, [(column, Pose(*place, table.register.chip_z(place)))], down_s, lift_mm=24.0 if i == 0 else 12.0
        )
        table.register.wagered.append(Wagered(column, seat_of(move), move.wager or "", is_paid=True))
        if i + 1 < len(places):
            down_s += table.tempo.cut_s if move.count == 1 and i == 0 else 0.05
            column = _cut(table, column, len(stacks[i]), down_s)
    return down_s


def _cut(table: Table, column: Puppet, low: int, t_s: float) -> Puppet:
    """Part a column: the lower chips stay, the upper ones are a stack of their own."""
    upper, pose = column.cents[low:], column.pose
    set_chips(table, column, t_s, column.cents[:low])
    return new_stack(table, upper, t_s, moved(pose, z=pose.z + low * CHIP_THICKNESS_MM), 0.6)


def take(table: Table, move: Move, t_s: float) -> Done:
    """Take a lost stake into the tray, and the cards where the move names them."""
    seat = seat_of(move)
    stakes = [w for w in table.register.at(seat, move.wager or "") if not w.is_paid]
    done_s = to_tray(table, [w.puppet for w in stakes], t_s) if stakes else t_s
    table.register.wagered = [w for w in table.register.wagered if w not in stakes]
    if move.cards:
        done_s = muck_cards(table, f"seat.{seat}", done_s)
    return done_s, done_s


def to_tray(table: Table, stacks: list[Puppet], t_s: float) -> float:
    """Carry stacks into the tray; return when they are there."""
    place = tray_place(table, stacks[0].cents[-1])
    side = [(i - (len(stacks) - 1) / 2) * APART_MM for i in range(len(stacks))]
    loads = [(s, Pose(place[0] + dx, place[1], 6.0)) for s, dx in zip(stacks, side, strict=True)]
    tall = max(len(stack.cents) for stack in stacks) > 3
    done_s = carry(table.arm_to(stacks[0].pose), loads, t_s, "pinch" if tall else "flat", None if tall else 6.0)
    for stack in stacks:
        stack.gone_s = done_s
    return done_s


def tray_place(table: Table, cents: int) -> Point:
    """Return where chips of a denomination lie in the tray."""
    order = sorted({*table.chips_cents, cents})
    return table.ground.tray((order.index(cents) + 0.5) / len(order))


def collect_progressive(table: Table, move: Move, t_s: float) -> Done:
    """Bring the progressive chips in front of the tray, from seat to seat, then put them into it."""
    wager = move.wager or "progressive"
    mine = [w for w in table.register.wagered if w.wager.startswith(wager) and move.seat in (None, w.seat)]
    mine = [w for w in mine if w.seat != move.skip]
    mine.sort(key=lambda w: w.seat)
    table.register.wagered = [w for w in table.register.wagered if w not in mine]
    row = table.ground.fan(max(len(mine), 1))
    x, y = table.ground.dealer.work.centre
    done_s = t_s
    for i, stake in enumerate(mine):
        place = (x + (i - (len(mine) - 1) / 2) * APART_MM, y) if len(row) > 1 else (x, y)
        done_s = carry(table.arm_to(stake.puppet.pose), [(stake.puppet, Pose(*place))], done_s)
    done_s = to_tray(table, [w.puppet for w in mine], done_s + 0.3) if mine else done_s
    return done_s, done_s
