"""Which thing is which: things and what one look shows enter; pairs leave, the likeliest first, each used once."""

from collections.abc import Callable, Sequence
from math import hypot, log
from typing import Final

from vision.observe.model import ObservationModel
from vision.observe.physics import (
    CARD_REACH_MM,
    CARD_SPEED,
    SAME_CARD_MM,
    SAME_FACE_MM,
    SAME_STACK_MM,
    STACK_REACH_MM,
    STACK_SPEED,
)
from vision.observe.placing import Placed
from vision.observe.thing import Thing
from vision.records.fact import ThingKind

REACH: Final = {"card": CARD_REACH_MM, "stack": STACK_REACH_MM, "other": 25.0}
SPEED: Final = {"card": CARD_SPEED, "stack": STACK_SPEED, "other": STACK_SPEED}
LEAST_MM: Final = 1.8  # a stack that is counted otherwise is placed otherwise (measured: offsets of 2 to 3 mm)
PUSH: Final = 3.0  # cost of a card that was pushed, and grows with how far
PUSH_MM: Final = 4.0
NEW: Final = 8.0  # cost of another stack beside one that cannot be seen: e to this is how seldom that is (assumed)
OTHER_FACE: Final = 3.0  # cost from which on two faces are not one card's
WAY_MM: Final = 60.0  # of a way, that costs as much as a face which is half as likely
Cost = Callable[[Thing, Placed], float | None]


def at_rest(model: ObservationModel) -> Cost:
    """Return the cost of taking what is seen for a thing that lies where it lay; None where it cannot be."""

    def cost(thing: Thing, placed: Placed) -> float | None:
        dx, dy, reach = abs(thing.x - placed.x), abs(thing.y - placed.y), REACH[thing.kind]
        if dx > reach or dy > reach:
            return None
        jitter = max(model.found(thing.side).jitter_mm, LEAST_MM)
        apart = (dx * dx + dy * dy) / (2 * jitter * jitter)
        if thing.kind == "stack":
            return apart if apart < NEW or not thing.id else None
        apart, other = min(apart, PUSH + hypot(dx, dy) / PUSH_MM), conflict(thing, placed)
        if not thing.id and other > OTHER_FACE:
            return None
        return apart + other + _turned(thing, placed)

    return cost


def on_the_way(t_ns: int) -> Cost:
    """Return the cost of taking what is seen for a thing on its way; None where it cannot be."""

    def cost(thing: Thing, placed: Placed) -> float | None:
        mm = hypot(thing.x - placed.x, thing.y - placed.y)
        if mm > SPEED[thing.kind] * (t_ns - thing.seen_ns) / 1e6:
            return None
        other = conflict(thing, placed)
        return None if other > OTHER_FACE else mm / WAY_MM + other

    return cost


def pairs(things: Sequence[Thing], seen: Sequence[Placed], cost: Cost) -> list[tuple[int, int]]:
    """Return pairs of a thing and what is seen of it, by their indices."""
    known = {id(thing.last): i for i, thing in enumerate(things) if thing.last is not None and thing.id}
    found = [(known[id(placed)], j) for j, placed in enumerate(seen) if id(placed) in known]  # the very same look
    used_things, used_seen = {i for i, _ in found}, {j for _, j in found}
    ranked = [
        (price, i, j)
        for i, thing in enumerate(things)
        if i not in used_things
        for j, placed in enumerate(seen)
        if j not in used_seen and (price := cost(thing, placed)) is not None
    ]
    for _, i, j in sorted(ranked):
        if i not in used_things and j not in used_seen:
            used_things.add(i)
            used_seen.add(j)
            found.append((i, j))
    return found


def conflict(thing: Thing, placed: Placed) -> float:
    """Return how badly a face that is seen fits what was read of a card before: 0 where nothing was."""
    face = placed.detection.face
    if face is None or not thing.faces.looks:
        return 0.0
    agrees = thing.faces.agreement(face)
    return 0.0 if agrees is None else -log(max(agrees, 0.01))


def _turned(thing: Thing, placed: Placed) -> float:
    """Return how far a card lies turned, as a cost."""
    if thing.angle is None or placed.angle is None:
        return 0.0
    turn = abs((thing.angle - placed.angle + 90) % 180 - 90)
    return min(turn / 10, 3.0)


def kind_of(placed: Placed) -> str:
    """Return whether something is a card, a stack, another thing or a hand."""
    return "card" if placed.kind.startswith("card") else placed.kind


def side_of(placed: Placed) -> ThingKind:
    """Return the kind of a thing as it is told."""
    match placed.kind:
        case "card_up":
            return "card_up"
        case "card_down":
            return "card_down"
        case "stack":
            return "stack"
    return "other"


def deduplicated(seen: Sequence[Placed], kind: str) -> list[Placed]:
    """Return what was found without what is another thing, found twice; the surer one stays."""
    kept: list[Placed] = []
    for placed in sorted(seen, key=lambda placed: -placed.detection.found.score):
        if not any(_is_same(other, placed, kind) for other in kept):
            kept.append(placed)
    return kept


def _is_same(one: Placed, other: Placed, kind: str) -> bool:
    apart_mm = abs(one.x - other.x) + abs(one.y - other.y)
    if apart_mm > SAME_FACE_MM:
        return False
    faces = [placed.detection.face.card for placed in (one, other) if placed.detection.face is not None]
    is_same_face = len(faces) == 2 and faces[0] is not None and faces[0] == faces[1]
    return apart_mm <= (SAME_FACE_MM if is_same_face else SAME_STACK_MM if kind == "stack" else SAME_CARD_MM)
