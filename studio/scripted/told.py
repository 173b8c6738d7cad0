"""Things as facts tell of them: facts enter in their order; each thing with its places and contents leaves."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from vision.records.fact import Appeared, Fact, Flew, Glimpsed, Read, Replaced, Returned, ThingFact, Vanished

NEVER: Final = 10**18
BACK: Final = "??"


@dataclass
class ToldThing:
    """A thing as the facts have it; times are nanoseconds."""

    number: int
    kind: str
    start_ns: int
    known_ns: int
    end_ns: int = NEVER
    gone_known_ns: int = NEVER
    contents: list[tuple[int, str]] = field(default_factory=list)  # known since, and what
    places: list[tuple[int, float, float]] = field(default_factory=list)
    by: tuple[tuple[int, float], ...] = ()
    gone_by: tuple[tuple[int, float], ...] = ()

    def at(self, t_ns: int) -> tuple[float, float]:
        """Return where it was told to be at a time."""
        known = [(x, y) for t, x, y in self.places if t <= t_ns]
        return known[-1] if known else self.places[0][1:]

    def content_at(self, t_ns: int) -> str | None:
        """Return what was told of its face or amount up to a time."""
        return next((content for t, content in reversed(self.contents) if t <= t_ns), None)

    def take(self, fact: ThingFact) -> None:
        """Take in a fact about it."""
        self.places.append((fact.known_ns, fact.place.x, fact.place.y))
        if fact.thing_kind == "card_down" and (not self.contents or self.contents[-1][1] != BACK):
            self.contents.append((fact.known_ns, BACK))
        if isinstance(fact, Returned):
            self.end_ns = self.gone_known_ns = NEVER
        if isinstance(fact, Vanished):
            self.end_ns, self.gone_known_ns, self.gone_by = fact.t_ns, fact.known_ns, fact.by
        if isinstance(fact, Read) and (fact.faces or fact.amounts):
            likeliest = next(iter(fact.faces)) if fact.faces else str((fact.amounts or ((0, 1.0),))[0][0])
            self.contents.append((fact.known_ns, likeliest))


def things_of(facts: Iterable[Fact]) -> list[ToldThing]:
    """Return the cards and stacks that facts tell of."""
    known: dict[int, ToldThing] = {}
    for fact in facts:
        if not isinstance(fact, ThingFact) or isinstance(fact, Flew | Glimpsed):
            continue
        if isinstance(fact, Appeared | Replaced):
            kind = "card" if fact.thing_kind.startswith("card") else fact.thing_kind
            known[fact.thing] = ToldThing(fact.thing, kind, fact.t_ns, fact.known_ns, by=fact.by)
        if isinstance(fact, Replaced):
            known[fact.was].end_ns, known[fact.was].gone_known_ns = fact.t_ns, fact.known_ns
        known[fact.thing].take(fact)
    return [thing for thing in known.values() if thing.kind in ("card", "stack")]
