"""The things on one table: what one look shows enters; facts about cards, stacks and other things leave."""

from collections.abc import Iterator, Sequence
from math import hypot, log
from typing import Final

from vision.observe.binding import Binding
from vision.observe.chips import ChipBelief
from vision.observe.faces import FaceBelief
from vision.observe.frame_observation import FrameObservation
from vision.observe.hands import Hands
from vision.observe.matching import REACH, SPEED, at_rest, deduplicated, kind_of, on_the_way, pairs, side_of
from vision.observe.model import ObservationModel
from vision.observe.physics import (
    APART_MM,
    CARD_REACH_MM,
    LOST_NS,
    OVER_CARD_MM,
    OVER_CHIPS_MM,
    OVER_STACK_MM,
    SECOND_NS,
    STACK_REACH_MM,
    STILL_MM,
)
from vision.observe.placing import Placed
from vision.observe.presence import Presence
from vision.observe.shift import Shift
from vision.observe.telling import Telling
from vision.observe.thing import Thing
from vision.records.fact import FIRST, Fact

OVER_MM: Final = {  # what is so near may hide a thing: a card on a card by half, a taller stack, a card carried past
    ("card", "card"): OVER_CARD_MM,
    ("card", "other"): OVER_CARD_MM,
    ("stack", "card"): OVER_CHIPS_MM,
    ("stack", "stack"): OVER_STACK_MM,
    ("stack", "other"): OVER_CHIPS_MM,
    ("other", "card"): OVER_CARD_MM,
    ("other", "other"): OVER_CARD_MM,
}
FLIGHT_MM: Final = 100.0  # what went so far and was lost flew
REST_LOOKS: Final = 2  # at one place, before it is known that a thing rests there
SETTLED: Final = -12.0  # log-odds from which on a card has not been pushed


class Scene:
    """Keeps the things of one table."""

    def __init__(self, model: ObservationModel, hands: Hands) -> None:
        self._model, self._hands = model, hands
        self._telling = Telling(hands)
        self._binding = Binding(self._telling)
        self.lying: list[Thing] = []  # told
        self._coming: list[Thing] = []  # not told yet, or on their way
        self._before_ns = FIRST
        self._at_rest = at_rest(model)

    def update(self, seen: FrameObservation) -> list[Fact]:
        """Take in one look at the table."""
        self._telling.begin(seen.t_ns, seen.index)
        for kind in ("card", "stack", "other"):
            self._match(kind, deduplicated([t for t in seen.things if kind_of(t) == kind], kind), seen)
        self._settle()
        self._before_ns = seen.t_ns
        return self._telling.facts

    def hold(self, t_ns: int) -> None:
        """Let all things lie: nothing can be seen."""
        for thing in self.lying:
            thing.presence.hide()
            thing.seen_ns = thing.looked_ns = t_ns
        self._before_ns, self._coming = t_ns, []

    def places(self) -> Iterator[tuple[int, float, float]]:
        """Yield the things that are told, and where they are."""
        yield from ((thing.id, thing.x, thing.y) for thing in self.lying)

    @property
    def _now_ns(self) -> int:
        return self._telling.now_ns

    # ---- Matching

    def _match(self, kind: str, seen: Sequence[Placed], look: FrameObservation) -> None:
        known = [thing for thing in (*self.lying, *self._coming) if thing.kind == kind]
        found = pairs(known, seen, self._at_rest)
        for i, j in found:
            self._see(known[i], seen[j])
        seen_ids, used = {i for i, _ in found}, {j for _, j in found}
        left = [placed for j, placed in enumerate(seen) if j not in used]
        missing = [thing for i, thing in enumerate(known) if i not in seen_ids]
        flying = [thing for thing in missing if not thing.id]
        flights = pairs(flying, left, on_the_way(self._now_ns))
        for i, j in flights:
            flying[i].moves_to(left[j], self._now_ns)
            self._read(flying[i], left[j])
        lost = [thing for thing in missing if thing.id]
        for placed in (placed for j, placed in enumerate(left) if j not in {j for _, j in flights}):
            self._begin(kind, placed, lost)
        for thing in lost:
            self._miss(thing, look)

    def _see(self, thing: Thing, placed: Placed) -> None:
        """Take in a look that found a thing where it lay."""
        passed_ns = self._now_ns - thing.seen_ns
        if not thing.id and thing.jumped(placed):
            thing.moves_to(placed, self._now_ns)
            self._read(thing, placed)
            return
        is_touched = bool(thing.id) and self._hands.touching(thing.x, thing.y)
        if thing.id and thing.kind == "card" and placed is not thing.last:
            self._check_shift(thing, placed, is_touched=is_touched)
        thing.rests_at(placed, self._now_ns)
        thing.presence.saw(passed_ns)
        if thing.chips is not None and thing.id:
            self._note_hand(thing, thing.chips, is_touched=is_touched)
        if thing.id and thing.kind == "card":
            self._check_side(thing, placed)
        self._read(thing, placed)

    def _begin(self, kind: str, placed: Placed, lost: Sequence[Thing]) -> None:
        by_hand = self._hands.touching(placed.x, placed.y)
        thing = self._new(kind, placed, Presence.begin(self._model, side_of(placed), by_hand=by_hand))
        reach = SPEED[kind] * (self._now_ns - max(self._before_ns, 0)) / 1e6
        thing.from_ids = [old.id for old in lost if hypot(old.x - placed.x, old.y - placed.y) <= reach]
        self._read(thing, placed)
        self._coming.append(thing)

    def _new(self, kind: str, placed: Placed, presence: Presence) -> Thing:
        now_ns = self._now_ns
        thing = Thing(
            kind=kind,
            side=side_of(placed),
            x=placed.x,
            y=placed.y,
            z=placed.z,
            sigma_mm=placed.sigma_mm,
            angle=placed.angle,
            first_ns=now_ns,
            seen_ns=now_ns,
            looked_ns=now_ns,
            presence=presence,
            faces=FaceBelief(self._model.faces),
            chips=ChipBelief(self._model, now_ns) if kind == "stack" else None,
        )
        thing.rests_at(placed, now_ns)
        return thing

    def _miss(self, thing: Thing, look: FrameObservation) -> None:
        """Take in that a thing was not found: it may be hidden, not looked at, missed, or gone."""
        passed_ns = self._now_ns - thing.looked_ns
        is_bare = any(abs(x - thing.x) < STACK_REACH_MM and abs(y - thing.y) < STACK_REACH_MM for x, y in look.bare)
        if self._hands.touching(thing.x, thing.y):
            thing.presence.touched()
            if thing.chips is not None:
                self._note_hand(thing, thing.chips, is_touched=True)
        hidden = 0.0 if is_bare else 1.0 if self._is_under(thing, look) else self._hands.hidden(thing.x, thing.y)
        if hidden >= 1.0:
            thing.presence.hide()
            return
        is_looked_at = is_bare or look.looked is None or (thing.last is not None and thing.last.zone in look.looked)
        if is_looked_at:
            thing.presence.missed(self._now_ns, passed_ns, hidden)
            thing.looked_ns = self._now_ns
        elif thing.presence.missed_ns is None and not self._hands.last_at(thing.x, thing.y, thing.seen_ns):
            thing.seen_ns = self._now_ns  # nothing changed there: it lies there still

    def _note_hand(self, thing: Thing, chips: ChipBelief, *, is_touched: bool) -> None:
        """Note a hand at a stack, or an arm over it, which may have changed it."""
        if is_touched:
            chips.touched(self._now_ns, self._model.hands.changed)
        elif self._hands.hidden(thing.x, thing.y):
            chips.touched(self._now_ns, self._model.hands.changed_under_arm)

    def _is_under(self, thing: Thing, look: FrameObservation) -> bool:
        """Return whether something that is seen now may hide a thing: lying on it, standing before it, carried past."""
        for placed in look.things:
            mm = OVER_MM.get((thing.kind, kind_of(placed)), 0.0)
            dx, dy = abs(placed.x - thing.x), abs(placed.y - thing.y)
            if dx > mm or dy > mm:
                continue
            is_inside = thing.kind == "stack" and placed.kind == "stack" and hypot(dx, dy) < APART_MM
            if is_inside and not self._hands.touching(thing.x, thing.y):
                continue  # two stacks cannot stand in each other: it was pushed, or is gone
            return True
        return False

    # ---- Readings

    def _read(self, thing: Thing, placed: Placed) -> None:
        face, stack = placed.detection.face, placed.detection.stack
        if thing.kind == "card" and face is not None and placed.kind == "card_up":
            against = thing.faces.denial(face) if thing.id else 0.0
            if against <= 0:
                thing.faces.look(face)
            rare = log(self._model.hands.replaced)
            thing.denials = max(thing.denials + against, rare) if thing.denials else rare + max(against, 0.0)
            if thing.denials > 0:
                self._replace(thing, placed)
        if thing.chips is not None and stack is not None:
            odds = thing.chips.look(stack, self._now_ns)
            if odds is not None and thing.id:
                self._telling.changed(thing, odds)

    def _replace(self, thing: Thing, placed: Placed) -> None:
        """Tell that another card lies in a card's place."""
        new = self._new("card", placed, thing.presence)
        new.after_ns = thing.seen_ns
        if placed.detection.face is not None:
            new.faces.look(placed.detection.face)
        self.lying[self.lying.index(thing)] = new
        self._telling.replaced(new, thing, thing.denials)
        self._binding.gone(thing, self._now_ns)

    def _check_side(self, thing: Thing, placed: Placed) -> None:
        side = side_of(placed)
        if side == thing.side:
            thing.flips = 0
            return
        thing.flips += 1
        near = self._hands.last_at(thing.x, thing.y, self._now_ns - SECOND_NS) is not None
        rare = self._model.hands.turned if near else self._model.hands.turned_alone
        odds = log(rare) + thing.flips * (log(1 - self._model.false.flipped) - log(self._model.false.flipped))
        if odds > 0:
            thing.side, thing.flips = side, 0
            self._telling.turned(thing, odds)

    def _check_shift(self, thing: Thing, placed: Placed, *, is_touched: bool) -> None:
        """Weigh whether a card lies elsewhere now: looks that agree on another place, against looks that are off."""
        rates, hands = self._model.found(thing.side), self._model.hands
        shift = thing.shift or Shift(log(hands.shifted if is_touched else hands.shifted_alone))
        shift.look(placed.x - thing.x, placed.y - thing.y, rates)
        thing.shift = shift if shift.log_odds > SETTLED else None
        if shift.log_odds > 0:
            thing.x, thing.y, thing.rest_looks, thing.shift = placed.x, placed.y, 0, None
            self._telling.shifted(thing, *shift.by, shift.log_odds)

    # ---- Telling

    def _settle(self) -> None:
        """Tell what became likelier than not, and what is known better."""
        for thing in [thing for thing in self.lying if thing.presence.log_odds < 0]:
            self._vanish(thing)
        for thing in list(self._coming):
            is_resting = thing.rest_looks >= REST_LOOKS and thing.seen_ns == self._now_ns
            if is_resting and thing.presence.log_odds > 0:
                self._coming.remove(thing)
                self._appear(thing)
            elif self._now_ns - thing.seen_ns > LOST_NS:
                self._coming.remove(thing)
                self._lose(thing)
        for thing in self.lying:
            self._telling.present(thing)
            if thing.seen_ns == self._now_ns:
                self._telling.read(thing)
                self._binding.bind(thing)

    def _vanish(self, thing: Thing) -> None:
        self.lying.remove(thing)
        self._telling.vanished(thing)
        self._binding.gone(thing, self._now_ns)

    def _appear(self, thing: Thing) -> None:
        back = self._returned(thing)
        if back is not None:
            self.lying.append(back)
            self._telling.returned(back)
            return
        for old in [old for old in self.lying if old.id in thing.from_ids and old.presence.missed_ns is not None]:
            self._vanish(old)  # it was seen on its way
        self._telling.appeared(thing)
        self.lying.append(thing)

    def _returned(self, thing: Thing) -> Thing | None:
        """Return the thing that vanished from here: it was only missed."""
        for old in self._binding.lately_gone(self._now_ns):
            mm = hypot(old.x - thing.x, old.y - thing.y)
            if old.kind != thing.kind or mm > REACH[old.kind]:
                continue
            if old.faces.differs_from(thing.faces):
                continue
            is_same = mm < STILL_MM and self._now_ns - old.seen_ns < 2 * SECOND_NS
            if is_same or not (thing.path or self._hands.last_at(old.x, old.y, old.seen_ns)):
                self._binding.forget(old)
                old.presence, old.seen_ns, old.looked_ns = thing.presence, thing.seen_ns, thing.looked_ns
                return old
        return None

    def _lose(self, thing: Thing) -> None:
        """Tell of what was seen on its way, or for a moment, and came to rest nowhere."""
        if thing.kind != "card" or any(hypot(o.x - thing.x, o.y - thing.y) < 2 * CARD_REACH_MM for o in self.lying):
            return
        if thing.path and hypot(thing.path[0][1] - thing.x, thing.path[0][2] - thing.y) > FLIGHT_MM:
            self._telling.flew(thing, thing.presence.real)
        else:
            self._telling.glimpsed(thing)
