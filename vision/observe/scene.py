"""The things on one table: what one look shows enters; facts about cards, stacks and other things leave."""

from collections.abc import Iterator, Sequence
from math import hypot, log
from typing import Any, Final, TypeVar

from vision.observe.chips import ChipBelief
from vision.observe.faces import FaceBelief
from vision.observe.frame_observation import FrameObservation
from vision.observe.hands import Hands, Reach
from vision.observe.model import ObservationModel
from vision.observe.physics import (
    CARD_REACH_MM,
    CARD_SPEED,
    LOST_NS,
    OVER_CARD_MM,
    OVER_CHIPS_MM,
    OVER_STACK_MM,
    PALM_MM,
    SAME_CARD_MM,
    SAME_FACE_MM,
    SAME_STACK_MM,
    SECOND_NS,
    STACK_REACH_MM,
    STACK_SPEED,
    STILL_MM,
)
from vision.observe.placing import Placed
from vision.observe.presence import Presence
from vision.observe.thing import Thing, nearest_pairs
from vision.records.fact import (
    FIRST,
    Appeared,
    Changed,
    Fact,
    Flew,
    Glimpsed,
    Moved,
    Present,
    Read,
    Replaced,
    Returned,
    Shifted,
    ThingKind,
    Turned,
    Vanished,
)

REACH: Final = {"card": CARD_REACH_MM, "stack": STACK_REACH_MM, "other": 25.0}
SPEED: Final = {"card": CARD_SPEED, "stack": STACK_SPEED, "other": STACK_SPEED}
OVER_MM: Final = {  # what is so near may hide a thing: card on card by half, a taller stack, a card carried past
    ("card", "card"): OVER_CARD_MM,
    ("card", "stack"): 0.0,  # a chip is too small
    ("card", "other"): OVER_CARD_MM,
    ("stack", "card"): OVER_CHIPS_MM,
    ("stack", "stack"): OVER_STACK_MM,
    ("stack", "other"): OVER_CHIPS_MM,
    ("other", "card"): OVER_CARD_MM,
    ("other", "stack"): 0.0,
    ("other", "other"): OVER_CARD_MM,
}
NEW_BY_HAND, NEW_ALONE = -0.5, -1.5  # log-odds of what is found once, before it is seen again
STEPS: Final = (-1e9, 2.0, 6.0, 10.0)  # log-odds at which it is told again how sure a thing is
BACK_NS: Final = 6 * SECOND_NS  # for which what vanished may have been missed only
FLIGHT_MM: Final = 100.0  # what went so far and was lost flew
T = TypeVar("T")


class Scene:
    """Keeps the things of one table; ids count from 1, and are given when a thing is first told."""

    def __init__(self, model: ObservationModel, hands: Hands) -> None:
        self._model, self._hands = model, hands
        self.lying: list[Thing] = []  # told
        self._coming: list[Thing] = []  # not told yet, or on their way
        self._gone: list[tuple[Thing, int]] = []  # told to be gone, and when
        self._count, self._frame, self._now_ns, self._before_ns = 0, 0, 0, FIRST
        self._facts: list[Fact] = []

    def update(self, seen: FrameObservation) -> list[Fact]:
        """Take in one look at the table."""
        self._before_ns, self._now_ns, self._frame = self._now_ns if self._before_ns != FIRST else FIRST, seen.t_ns, 0
        self._frame, self._facts = seen.index, []
        for kind in ("card", "stack", "other"):
            self._match(kind, deduplicated([t for t in seen.things if kind_of(t) == kind], kind), seen)
        self._settle()
        self._gone = [(thing, t_ns) for thing, t_ns in self._gone if seen.t_ns - t_ns <= BACK_NS]
        self._before_ns = seen.t_ns
        return self._facts

    def hold(self, t_ns: int) -> None:
        """Let all things lie: nothing can be seen."""
        self._now_ns = self._before_ns = t_ns
        for thing in self.lying:
            thing.presence.missed_ns, thing.seen_ns, thing.looked_ns = None, t_ns, t_ns
        self._coming = []

    # ---- Matching

    def _match(self, kind: str, seen: Sequence[Placed], look: FrameObservation) -> None:
        known = [thing for thing in (*self.lying, *self._coming) if thing.kind == kind]
        pairs = nearest_pairs(known, seen, [REACH[kind]] * len(known))
        for i, j in pairs:
            self._see(known[i], seen[j])
        left = [placed for j, placed in enumerate(seen) if j not in {j for _, j in pairs}]
        missing = [thing for i, thing in enumerate(known) if i not in {i for i, _ in pairs}]
        flying = [thing for thing in missing if not thing.id]
        ways = [SPEED[kind] * (self._now_ns - thing.seen_ns) / 1e6 for thing in flying]
        flights = nearest_pairs(flying, left, ways)
        for i, j in flights:
            flying[i].moves_to(left[j], self._now_ns)
            self._read(flying[i], left[j])
        for j, placed in enumerate(left):
            if j not in {j for _, j in flights}:
                self._begin(kind, placed, [thing for thing in missing if thing.id])
        for thing in (thing for thing in missing if thing.id):
            self._miss(thing, look)

    def _see(self, thing: Thing, placed: Placed) -> None:
        """Take in a look that found a thing where it lay."""
        passed_ns = self._now_ns - thing.seen_ns
        if not thing.id and thing.jumped(placed):
            thing.moves_to(placed, self._now_ns)
            self._read(thing, placed)
            return
        if thing.id and thing.kind == "card":
            self._check_shift(thing, placed)
        is_touched = thing.id and self._hands.touching(thing.x, thing.y)
        thing.rests_at(placed, self._now_ns)
        thing.looked_ns = self._now_ns
        thing.presence.saw(passed_ns)
        if is_touched and thing.chips is not None:
            thing.chips.touched(self._now_ns)
        if thing.id and thing.kind == "card":
            self._check_side(thing, placed)
        self._read(thing, placed)

    def _begin(self, kind: str, placed: Placed, missing: Sequence[Thing]) -> None:
        by = self._hands.touching(placed.x, placed.y)
        thing = Thing(
            kind=kind,
            side=side_of(placed),
            x=placed.x,
            y=placed.y,
            z=placed.z,
            sigma_mm=placed.sigma_mm,
            angle=placed.angle,
            first_ns=self._now_ns,
            seen_ns=self._now_ns,
            looked_ns=self._now_ns,
            presence=Presence(self._model, NEW_BY_HAND if by else NEW_ALONE, 1, 1),
            faces=FaceBelief(self._model),
            chips=ChipBelief(self._model, self._now_ns) if kind == "stack" else None,
        )
        reach = SPEED[kind] * (self._now_ns - max(self._before_ns, 0)) / 1e6
        near = [old for old in missing if hypot(old.x - placed.x, old.y - placed.y) <= reach]
        thing.from_ids = [old.id for old in near]
        thing.rests_at(placed, self._now_ns)
        self._read(thing, placed)
        self._coming.append(thing)

    def _miss(self, thing: Thing, look: FrameObservation) -> None:
        """Take in that a thing was not found: it may be hidden, not looked at, missed, or gone."""
        passed_ns = self._now_ns - thing.looked_ns
        is_bare = any(abs(x - thing.x) < STACK_REACH_MM and abs(y - thing.y) < STACK_REACH_MM for x, y in look.bare)
        if self._hands.touching(thing.x, thing.y):
            thing.presence.touched()
        if not is_bare and (self._hands.covered(thing.x, thing.y, PALM_MM) or self._is_under(thing, look)):
            thing.presence.missed_ns = None
            if thing.chips is not None and self._hands.touching(thing.x, thing.y):
                thing.chips.touched(self._now_ns)
            return
        is_looked_at = is_bare or look.looked is None or (thing.last is not None and thing.last.zone in look.looked)
        if not is_looked_at:
            if thing.presence.missed_ns is None and not self._hands.last_at(thing.x, thing.y, thing.seen_ns):
                thing.seen_ns = self._now_ns  # nothing changed there: it lies there still
            return
        thing.presence.hazard(passed_ns)
        thing.presence.missed_now(self._now_ns, passed_ns)
        thing.looked_ns = self._now_ns

    def _is_under(self, thing: Thing, look: FrameObservation) -> bool:
        """Tell whether something that is seen now may hide a thing: lying on it, standing before it, carried past."""
        return any(
            abs(placed.x - thing.x) <= OVER_MM[thing.kind, kind_of(placed)]
            and abs(placed.y - thing.y) <= OVER_MM[thing.kind, kind_of(placed)]
            for placed in look.things
            if placed.kind != "hand"
        )

    # ---- Readings

    def _read(self, thing: Thing, placed: Placed) -> None:
        face, stack = placed.detection.face, placed.detection.stack
        if thing.kind == "card" and face is not None and thing.side == "card_up":
            against = thing.faces.denial(face)
            if against <= 0 or not thing.id:
                thing.faces.look(face)
            thing.denials = max(thing.denials + against, log(0.005)) if thing.faces.looks > 1 else log(0.005)
            if thing.denials > 0 and thing.id:
                self._replace(thing, placed)
        if thing.chips is not None and stack is not None:
            odds = thing.chips.look(stack, self._now_ns)
            if odds is not None and thing.id:
                self._change(thing, odds)

    def _replace(self, thing: Thing, placed: Placed) -> None:
        """Tell that another card lies in a card's place."""
        self.lying.remove(thing)
        new = self._copy(thing, placed)
        self._count += 1
        new.id = self._count
        self.lying.append(new)
        assert placed.detection.face is not None  # noqa: S101 - it denied
        new.faces.look(placed.detection.face)
        by = self._by(thing, thing.seen_ns - SECOND_NS, self._now_ns)
        self._facts.append(Replaced(**self._common(new, self._now_ns, by), log_odds=thing.denials, was=thing.id))

    def _copy(self, thing: Thing, placed: Placed) -> Thing:
        new = Thing(
            kind=thing.kind,
            side=side_of(placed),
            x=placed.x,
            y=placed.y,
            z=placed.z,
            sigma_mm=placed.sigma_mm,
            angle=placed.angle,
            first_ns=self._now_ns,
            seen_ns=self._now_ns,
            looked_ns=self._now_ns,
            presence=thing.presence,
            faces=FaceBelief(self._model),
            chips=None,
            after_ns=thing.seen_ns,
        )
        new.rests_at(placed, self._now_ns)
        return new

    def _change(self, thing: Thing, odds: float) -> None:
        assert thing.chips is not None  # noqa: S101 - only of stacks
        before, now = thing.chips.contents[-2:]
        by = self._by(thing, now.start_ns - SECOND_NS, self._now_ns)
        grew = 1.0 if now.worth > before.worth else 0.0 if now.worth < before.worth else 0.5
        common = self._common(thing, now.start_ns, by)
        self._facts.append(Changed(**common, log_odds=odds, content=thing.chips.number, grew=grew))

    def _check_side(self, thing: Thing, placed: Placed) -> None:
        side = side_of(placed)
        if side == thing.side:
            thing.flips = 0
            return
        thing.flips += 1
        near = self._hands.at(thing.x, thing.y, self._now_ns - SECOND_NS, self._now_ns)
        odds = log(0.1 if near else 1e-4) + thing.flips * log(1 / self._model.flipped - 1)
        if odds > 0:
            thing.side, thing.flips = side, 0
            by = self._by(thing, self._now_ns - SECOND_NS, self._now_ns)
            self._facts.append(Turned(**self._common(thing, self._now_ns, by), log_odds=odds))

    def _check_shift(self, thing: Thing, placed: Placed) -> None:
        dx, dy = placed.x - thing.x, placed.y - thing.y
        odds = (dx * dx + dy * dy) / 2 / self._model.jitter_mm**2 - 10.0
        if odds <= 0:
            return
        thing.x, thing.y = placed.x, placed.y
        by = self._by(thing, self._now_ns - SECOND_NS // 2, self._now_ns)
        self._facts.append(Shifted(**self._common(thing, self._now_ns, by), log_odds=odds, dx=dx, dy=dy))

    # ---- Telling

    def _settle(self) -> None:
        """Tell what became likelier than not, and what is known better."""
        for thing in [thing for thing in self.lying if thing.presence.log_odds < 0]:
            self._vanish(thing)
        for thing in list(self._coming):
            if thing.rest_looks >= 2 and thing.presence.log_odds > 0 and thing.seen_ns == self._now_ns:
                self._coming.remove(thing)
                self._appear(thing)
            elif self._now_ns - thing.seen_ns > LOST_NS:
                self._coming.remove(thing)
                self._lose(thing)
        for thing in self.lying:
            self._tell_presence(thing)
            self._tell_reading(thing)

    def _appear(self, thing: Thing) -> None:
        back = self._returned(thing)
        if back is not None:
            self.lying.append(back)
            self._facts.append(Returned(**self._common(back, self._now_ns, ()), log_odds=thing.presence.log_odds))
            return
        self._count += 1
        thing.id, clear_ns = self._count, self._hands.last_clear_ns(thing.x, thing.y)
        thing.after_ns = FIRST if clear_ns is None else min(clear_ns, thing.first_ns)
        if thing.after_ns >= thing.first_ns:
            thing.after_ns = thing.path[-1][0] if thing.path else FIRST
        self.lying.append(thing)
        hand_ns = self._hands.last_at(thing.x, thing.y, max(thing.after_ns, thing.first_ns - 2 * SECOND_NS))
        t_ns = thing.first_ns if hand_ns is None else min(hand_ns, thing.first_ns)
        by = self._by(thing, min(thing.after_ns, t_ns - SECOND_NS // 2), self._now_ns)
        thing.told_odds = thing.presence.log_odds
        self._facts.append(Appeared(**self._common(thing, t_ns, by), log_odds=thing.presence.log_odds))
        self._bind(thing, by)

    def _bind(self, thing: Thing, by: Sequence[tuple[Reach, float]]) -> None:
        """Tell which thing it was before, where its way was seen from there."""
        for old in [old for old in self.lying if old.id in thing.from_ids and old.presence.missed_ns is not None]:
            self._vanish(old)
        for old, _ in self._gone:
            if old.id in thing.from_ids and old.kind == thing.kind:
                common = self._common(thing, thing.first_ns, by)
                self._facts.append(Moved(**common, log_odds=2.0, was=old.id))

    def _returned(self, thing: Thing) -> Thing | None:
        """Return the thing that vanished from here without a hand: it was only missed."""
        for entry in self._gone:
            old, _ = entry
            if old.kind != thing.kind or hypot(old.x - thing.x, old.y - thing.y) > REACH[old.kind]:
                continue
            is_same = hypot(old.x - thing.x, old.y - thing.y) < STILL_MM and self._now_ns - old.seen_ns < SECOND_NS
            if not is_same and (thing.path or self._hands.last_at(old.x, old.y, old.seen_ns)):
                continue
            self._gone.remove(entry)
            old.presence, old.seen_ns, old.looked_ns = thing.presence, thing.seen_ns, thing.looked_ns
            return old
        return None

    def _vanish(self, thing: Thing) -> None:
        self.lying.remove(thing)
        self._gone.append((thing, self._now_ns))
        hand_ns = self._hands.last_at(thing.x, thing.y, thing.seen_ns, 60.0)
        t_ns = thing.seen_ns if hand_ns is None else min(hand_ns, self._now_ns)
        by = self._by(thing, thing.seen_ns - SECOND_NS // 2, self._now_ns)
        common = self._common(thing, t_ns, by) | {"after_ns": thing.seen_ns}
        self._facts.append(Vanished(**common, log_odds=-thing.presence.log_odds))

    def _lose(self, thing: Thing) -> None:
        """Tell of what was seen on its way, or for a moment, and came to rest nowhere."""
        if thing.kind != "card" or any(hypot(o.x - thing.x, o.y - thing.y) < 2 * CARD_REACH_MM for o in self.lying):
            return
        common = self._common(thing, thing.seen_ns, self._by(thing, thing.first_ns - SECOND_NS // 2, self._now_ns))
        self._count += 1
        thing.id = self._count
        common |= {"thing": thing.id}
        path = (*thing.path, (thing.seen_ns, thing.x, thing.y))
        if len(thing.path) and hypot(path[0][1] - thing.x, path[0][2] - thing.y) > FLIGHT_MM:
            self._facts.append(Flew(**common, log_odds=1.0, path=path))
        else:
            self._facts.append(Glimpsed(**common, log_odds=-1.0, looks=thing.presence.looks, faces=thing.faces.tell()))

    def _tell_presence(self, thing: Thing) -> None:
        before = max(i for i, step in enumerate(STEPS) if thing.told_odds >= step)
        now = max(i for i, step in enumerate(STEPS) if thing.presence.log_odds >= step)
        if now == before or abs(thing.told_odds - thing.presence.log_odds) < 1.0:
            return
        thing.told_odds = thing.presence.log_odds
        presence = thing.presence
        common = self._common(thing, self._now_ns, ())
        self._facts.append(Present(**common, log_odds=presence.log_odds, looks=presence.looks, looked=presence.looked))

    def _tell_reading(self, thing: Thing) -> None:
        if thing.seen_ns != self._now_ns:
            return
        common = self._common(thing, self._now_ns, ()) | {"log_odds": thing.presence.log_odds}
        if thing.kind == "card" and thing.side == "card_up":
            faces = thing.faces.tell()
            if faces is not None:
                self._facts.append(Read(**common, looks=thing.faces.looks, faces=faces))
        content = thing.chips.tell() if thing.chips is not None else None
        if content is not None and thing.chips is not None:
            self._facts.append(
                Read(
                    **common,
                    looks=content.looks,
                    content=thing.chips.number,
                    amounts=content.told_amounts,
                    bounds=content.told_bounds,
                    counts=content.told_counts,
                )
            )

    def _by(self, thing: Thing, start_ns: int, end_ns: int) -> tuple[tuple[Reach, float], ...]:
        return self._hands.at(thing.x, thing.y, start_ns, end_ns)

    def _common(self, thing: Thing, t_ns: int, by: Sequence[tuple[Reach, float]]) -> dict[str, Any]:
        for reach, _ in by:
            reach.things.append(thing.id)
        return {
            "known_ns": self._now_ns,
            "t_ns": t_ns,
            "frames": (self._frame,),
            "thing": thing.id,
            "thing_kind": thing.side,
            "after_ns": thing.after_ns,
            "place": thing.place,
            "by": tuple((reach.id, p) for reach, p in by),
        }

    def near(self) -> Iterator[tuple[int, float, float]]:
        """Yield the things that are told, and where they are."""
        yield from ((thing.id, thing.x, thing.y) for thing in self.lying)


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
