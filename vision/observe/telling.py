"""Facts about things as they are made: what happened to a thing enters; its facts, in order, leave."""

from math import hypot
from typing import Any, Final

from vision.observe.hands import Hands, Reach
from vision.observe.physics import SECOND_NS
from vision.observe.thing import Thing
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
    Turned,
    Vanished,
)

STEPS: Final = (1.5, 5.0)  # log-odds at which it is told again how sure a thing is: 80 %, and 99 %
AGAIN_NS: Final = SECOND_NS  # between two such facts that go down, at least
BEFORE_NS: Final = SECOND_NS // 2  # a hand that was there so long before may have done it: looks are that far apart
FINGERTIPS_MM: Final = 60.0  # fingertips hold a card that far from its middle at most
MOVED_MM: Final = 6.0  # another place than was told
By = tuple[tuple[Reach, float], ...]


class Telling:
    """Makes the facts of one look at a time; ids of things count from 1."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self._count = 0
        self.now_ns, self._frame = 0, 0
        self.facts: list[Fact] = []

    def begin(self, t_ns: int, frame: int) -> None:
        """Begin with another look."""
        self.now_ns, self._frame, self.facts = t_ns, frame, []

    def name(self, thing: Thing) -> None:
        """Give a thing its id."""
        self._count += 1
        thing.id = self._count

    def appeared(self, thing: Thing) -> None:
        """Tell that a thing is there; it gets its id, and since when its place was not bare."""
        self.name(thing)
        clear_ns = self._hands.last_clear_ns(thing.x, thing.y)
        on_way_ns = thing.path[-1][0] if thing.path else FIRST
        thing.after_ns = max(on_way_ns, clear_ns if clear_ns is not None and clear_ns < thing.first_ns else FIRST)
        hand_ns = self._hands.last_at(thing.x, thing.y, max(thing.after_ns, thing.first_ns - 2 * SECOND_NS))
        t_ns = thing.first_ns if hand_ns is None else min(hand_ns, thing.first_ns)
        by = self._by(thing, min(max(thing.after_ns, 0), t_ns) - BEFORE_NS)
        thing.trips, thing.told_odds = tuple(reach.id for reach, _ in by), thing.presence.log_odds
        self.facts.append(Appeared(**self._common(thing, t_ns, by), log_odds=thing.presence.log_odds))

    def returned(self, thing: Thing) -> None:
        """Tell that a thing was only missed."""
        thing.told_odds = thing.presence.log_odds
        self.facts.append(Returned(**self._common(thing, self.now_ns, ()), log_odds=thing.presence.log_odds))

    def vanished(self, thing: Thing) -> None:
        """Tell that a thing is gone: since the last fingertips left its place, or since it was last seen."""
        hand_ns = self._hands.last_at(thing.x, thing.y, thing.seen_ns, FINGERTIPS_MM)
        by = self._by(thing, thing.seen_ns - BEFORE_NS)
        thing.trips, thing.after_ns = tuple(reach.id for reach, _ in by), thing.seen_ns
        t_ns = thing.seen_ns if hand_ns is None else min(hand_ns, self.now_ns)
        self.facts.append(Vanished(**self._common(thing, t_ns, by), log_odds=-thing.presence.log_odds))

    def moved(self, thing: Thing, was: Thing, log_odds: float) -> None:
        """Tell which thing that is gone this one was."""
        thing.is_bound = True
        by = self._by(thing, was.seen_ns)
        common = self._common(thing, thing.first_ns, by) | {"after_ns": was.seen_ns}
        self.facts.append(Moved(**common, log_odds=log_odds, was=was.id))

    def turned(self, thing: Thing, log_odds: float) -> None:
        """Tell that a card shows its other side."""
        by = self._by(thing, self.now_ns - SECOND_NS)
        self.facts.append(Turned(**self._common(thing, self.now_ns, by), log_odds=log_odds))

    def replaced(self, thing: Thing, was: Thing, log_odds: float) -> None:
        """Tell that another card lies where one lay."""
        self.name(thing)
        thing.told_odds = thing.presence.log_odds
        by = self._by(thing, was.seen_ns - SECOND_NS)
        common = self._common(thing, thing.first_ns, by)
        self.facts.append(Replaced(**common, log_odds=log_odds, was=was.id))

    def shifted(self, thing: Thing, dx: float, dy: float, log_odds: float) -> None:
        """Tell that a card lies a little elsewhere."""
        by = self._by(thing, self.now_ns - BEFORE_NS)
        self.facts.append(Shifted(**self._common(thing, self.now_ns, by), log_odds=log_odds, dx=dx, dy=dy))

    def changed(self, thing: Thing, log_odds: float) -> None:
        """Tell that a stack has other chips than before."""
        assert thing.chips is not None  # noqa: S101 - only of stacks
        before, now = thing.chips.contents[-2:]
        grew = thing.chips.grew
        hand_ns = self._hands.last_at(thing.x, thing.y, before.last_ns)
        t_ns = now.start_ns if hand_ns is None else min(hand_ns, now.start_ns)
        by = self._by(thing, before.last_ns - BEFORE_NS)
        common = self._common(thing, max(t_ns, before.last_ns), by) | {"after_ns": before.last_ns}
        self.facts.append(Changed(**common, log_odds=log_odds, content=thing.chips.number, grew=grew))

    def flew(self, thing: Thing, log_odds: float) -> None:
        """Tell of a card that was seen on its way, and came to rest nowhere."""
        self.name(thing)
        by = self._by(thing, (thing.path[0][0] if thing.path else thing.first_ns) - BEFORE_NS)
        path = (*thing.path, (thing.seen_ns, thing.x, thing.y))
        self.facts.append(Flew(**self._common(thing, thing.seen_ns, by), log_odds=log_odds, path=path))

    def glimpsed(self, thing: Thing) -> None:
        """Tell of what was seen for a moment."""
        self.name(thing)
        common = self._common(thing, thing.seen_ns, self._by(thing, thing.first_ns - BEFORE_NS))
        presence = thing.presence
        faces = thing.faces.tell()
        self.facts.append(Glimpsed(**common, log_odds=presence.real, looks=presence.looks, faces=faces))

    def present(self, thing: Thing) -> None:
        """Tell how sure a thing is by now, where that says more than what was told."""
        odds = thing.presence.log_odds
        before, now = (sum(at >= step for step in STEPS) for at in (thing.told_odds, odds))
        is_lower = now < before and self.now_ns - max(thing.told_ns, thing.seen_ns) >= AGAIN_NS
        is_elsewhere = hypot(thing.x - thing.told_at[0], thing.y - thing.told_at[1]) > MOVED_MM
        if not (now > before or is_lower or (is_elsewhere and thing.rest_looks > 1)):
            return
        thing.told_odds, thing.told_ns = odds, self.now_ns
        common, presence = self._common(thing, self.now_ns, ()), thing.presence
        self.facts.append(Present(**common, log_odds=odds, looks=presence.looks, looked=presence.looked))

    def read(self, thing: Thing) -> None:
        """Tell what is known of a face or of chips, where that says more than what was told."""
        if thing.kind == "card" and thing.side == "card_up":
            faces = thing.faces.tell()
            if faces is not None:
                self.facts.append(Read(**self._reading(thing), looks=thing.faces.looks, faces=faces))
        content = thing.chips.tell() if thing.chips is not None else None
        if content is not None and thing.chips is not None:
            chips: dict[str, Any] = {
                "looks": content.looks,
                "content": thing.chips.number,
                "amounts": content.told_amounts,
                "bounds": content.told_bounds,
                "counts": content.told_counts,
            }
            self.facts.append(Read(**self._reading(thing), **chips))

    def _reading(self, thing: Thing) -> dict[str, Any]:
        return self._common(thing, self.now_ns, ()) | {"log_odds": thing.presence.log_odds}

    def _by(self, thing: Thing, start_ns: int) -> By:
        return self._hands.at(thing.x, thing.y, start_ns, self.now_ns)

    def _common(self, thing: Thing, t_ns: int, by: By) -> dict[str, Any]:
        thing.told_at = thing.x, thing.y
        for reach, _ in by:
            reach.things.append(thing.id)
        return {
            "known_ns": self.now_ns,
            "t_ns": t_ns,
            "frames": (self._frame,),
            "thing": thing.id,
            "thing_kind": thing.side,
            "after_ns": thing.after_ns,
            "place": thing.place,
            "by": tuple((reach.id, p) for reach, p in by),
        }
