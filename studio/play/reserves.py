"""The players' own chips near the rail: stacks are built, taken from, added to.

A table, hands and chips enter; stacks change, and the moments when hands are done leave.
"""

from collections.abc import Sequence

from studio.play import gestures as do
from studio.play.gestures import Arm, carry
from studio.play.places import APART_MM, apart, step
from studio.play.register import Puppet, height_mm
from studio.play.table import Done, Table
from studio.scene import Pose, StackBody, moved
from vision.values.sizes import CHIP_THICKNESS_MM

HIGHEST = 20  # chips in a player's own stack
HANDFUL_MM = 75.0  # what is no farther apart, one hand moves at once


def new_stack(table: Table, cents: Sequence[int], t_s: float, pose: Pose, sloppy: float = 1.0) -> Puppet:
    """Build a stack out of chips that were not seen before."""
    return table.troupe.enter(do.chip_stack(table.rng, cents, table.tempo.sloppy_mm * sloppy), t_s, pose)


def set_chips(table: Table, stack: Puppet, t_s: float, cents: Sequence[int]) -> None:
    """Change the chips of a stack at a moment; those that stay, stay as they are."""
    old = stack.body
    assert isinstance(old, StackBody)  # noqa: S101 - only stacks have chips
    fresh = do.chip_stack(table.rng, cents, table.tempo.sloppy_mm)
    kept = old.shifts[: len(cents)]
    stack.key(t_s, stack.pose, StackBody(fresh.cents, kept + fresh.shifts[len(kept) :]))


def seat_players(table: Table) -> None:
    """Give everyone who sits down chips of their own."""
    for seat in table.script.seats:
        if seat in table.register.reserve or not table.chips_cents:
            continue
        table.own_places[seat] = table.ground.reserves(seat)
        own = table.register.reserve.setdefault(seat, [])
        for place in table.own_places[seat][: table.rng.randint(1, 3)]:
            chips = [table.rng.choice(table.chips_cents[:4])] * table.rng.randint(3, 14)
            own.append(new_stack(table, chips, table.cues.effect_s, Pose(*place)))


def reach_own(table: Table, arm: Arm, t_s: float) -> float:
    """Bring a player's hand to the own chips, or to the rail."""
    own = [] if arm.left else table.register.reserve.get(arm.person, [])
    home = table.ground.home(arm.person, left=arm.left, beyond_mm=60.0)
    return arm.reach(t_s, (own[0].pose.x, own[0].pose.y) if own else home, 20.0, "pinch")


def take_own(table: Table, arm: Arm, chips: tuple[int, ...], t_s: float) -> Puppet:
    """Take chips off the player's own stacks; the left hand, and who has none such, takes them from the rail."""
    seat = arm.person
    wanted, source = list(chips), Pose(*table.ground.home(seat, left=arm.left, beyond_mm=60.0))
    for stack in [] if arm.left else list(table.register.reserve.get(seat, [])):
        if stack.cents[-1] in wanted and stack.ready_s <= t_s:
            taken = min(wanted.count(stack.cents[-1]), len(stack.cents))
            for _ in range(taken):
                wanted.remove(stack.cents[-1])
            source = moved(stack.pose, z=height_mm(stack) - taken * CHIP_THICKNESS_MM)
            _lower(table, seat, stack, t_s, len(stack.cents) - taken)
    return new_stack(table, chips, t_s, source)


def _lower(table: Table, seat: int, stack: Puppet, t_s: float, left: int) -> None:
    if left:
        set_chips(table, stack, t_s, stack.cents[:left])
    else:
        stack.gone_s = t_s
        table.register.reserve[seat].remove(stack)


def pull_in(table: Table, arm: Arm, stacks: list[Puppet], t_s: float) -> float:
    """Let a player pull stacks in: onto the own ones where they match, else beside them or over the rail."""
    own = table.register.reserve.setdefault(arm.person, [])
    waiting, done_s = _own_places(table, arm.person, stacks), t_s
    while waiting:
        lead, to, _ = waiting[0]
        handful = [w for w in waiting if apart(w[1], to) < HANDFUL_MM and apart(w[0].pose, lead.pose) < 2 * HANDFUL_MM]
        waiting = [w for w in waiting if w not in handful]
        steady_s = max((onto.ready_s for _, _, onto in handful if onto), default=0.0)
        floor_s = steady_s if waiting else max(steady_s, table.cues.floor_s)
        done_s = carry(arm, [(stack, end) for stack, end, _ in handful], done_s, "flat", floor_s=floor_s)
        for stack, _, onto in handful:
            _join(table, own, stack, onto, done_s)
    return done_s


def _own_places(table: Table, seat: int, stacks: list[Puppet]) -> list[tuple[Puppet, Pose, Puppet | None]]:
    """Return where each stack goes, and which of the player's own it joins: itself, where it is a new one."""
    own, found = table.register.reserve[seat], list[tuple[Puppet, Pose, Puppet | None]]()
    free = [p for p in table.own_places.get(seat, []) if all(apart(p, other.pose) >= APART_MM for other in own)]
    rail, side = table.ground.home(seat, left=False, beyond_mm=70.0), table.ground.sideways(seat)
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


def _join(table: Table, own: list[Puppet], stack: Puppet, onto: Puppet | None, t_s: float) -> None:
    if onto is stack:
        own.append(stack)
        return
    stack.gone_s = t_s
    if onto is not None:
        set_chips(table, onto, t_s, onto.cents + stack.cents)


def bring_chips(table: Table, seat: int, chips: tuple[int, ...], t_s: float) -> Done:
    """Let a player put more of the own chips down near the rail."""
    arm, home = table.troupe.arm(seat), table.ground.home(seat, left=False, beyond_mm=60.0)
    there_s = arm.reach(t_s, home, 20.0, "pinch")
    done_s = pull_in(table, arm, [new_stack(table, chips, there_s, Pose(*home))], there_s)
    return done_s, done_s
