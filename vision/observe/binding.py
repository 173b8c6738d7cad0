"""Which thing that is gone a new one was: things come and go; `Moved` facts leave, with how likely each is."""

from math import log
from typing import Final

from vision.observe.physics import SECOND_NS
from vision.observe.telling import Telling
from vision.observe.thing import Thing

BACK_NS: Final = 6 * SECOND_NS  # for which what vanished may have been missed only
CARDS_NS: Final = 30 * SECOND_NS  # for which a card may be carried: a face comes again only after a shuffle
STACKS_NS: Final = 4 * SECOND_NS  # the same of chips: a reach takes less
SEEN_WAY: Final = 3.0  # log-odds for a way that was seen from the old place
SAME_TRIP, OTHER_TRIP = 2.0, -1.0  # for one reach that took one and put the other, and for two (assumed)
COMMON_AMOUNT: Final = 0.15  # chance that two stacks have one amount (assumed)
DECK: Final = 52


class Binding:
    """Remembers what is gone."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._gone: list[tuple[Thing, int]] = []

    def gone(self, thing: Thing, t_ns: int) -> None:
        """Take in that a thing is gone."""
        self._gone = [(old, old_ns) for old, old_ns in self._gone if t_ns - old_ns <= CARDS_NS]
        self._gone.append((thing, t_ns))

    def lately_gone(self, t_ns: int) -> list[Thing]:
        """Return what vanished so lately that it may have been missed only."""
        return [old for old, old_ns in self._gone if t_ns - old_ns <= BACK_NS]

    def forget(self, thing: Thing) -> None:
        """Take in that a thing is there after all."""
        self._gone = [entry for entry in self._gone if entry[0] is not thing]

    def bind(self, thing: Thing) -> None:
        """Tell what a thing was, once it shows."""
        if thing.is_bound or (self._telling.now_ns - thing.first_ns > STACKS_NS and not thing.from_ids):
            return
        found = [(self._log_odds(thing, old), old) for old, _ in self._gone if self._may_be(thing, old)]
        likely = sorted(((odds, old) for odds, old in found if odds > 0), key=lambda entry: (-entry[0], entry[1].id))
        for odds, old in likely[:2]:
            self._telling.moved(thing, old, odds - log(len(likely)))

    def _may_be(self, thing: Thing, old: Thing) -> bool:
        within = CARDS_NS if thing.kind == "card" else STACKS_NS
        return old.kind == thing.kind and 0 <= thing.first_ns - old.seen_ns <= within

    def _log_odds(self, thing: Thing, old: Thing) -> float:
        """Return the log-odds that one is the other: by a way that was seen, one reach, one face or amount."""
        way = SEEN_WAY if old.id in thing.from_ids else 0.0
        trips = SAME_TRIP if {*thing.trips} & {*old.trips} else OTHER_TRIP
        if thing.kind == "card":
            return way + (self._faces(thing, old) if thing.faces.looks and old.faces.looks else trips - SAME_TRIP - 1.0)
        if thing.chips is None or old.chips is None:
            return way + trips - SAME_TRIP
        return way + trips + log(max(thing.chips.now.likeness(old.chips.now), 1e-3)) - log(COMMON_AMOUNT)

    def _faces(self, thing: Thing, old: Thing) -> float:
        return log(max(float(thing.faces.chances @ old.faces.chances), 1e-6)) + log(DECK) - log(2)
