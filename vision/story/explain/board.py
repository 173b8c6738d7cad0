"""What lay on the table, and who reached there: facts enter one by one; things with their whole history leave.

A thing is a frozen value that is replaced when more is known of it. So an explanation may keep what it was made from,
and nothing that it looks at changes under it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from vision.records import fact as f
from vision.records.signal import Signal
from vision.table.zones import PAYOUT, Zone

NOBODY: Final = ""
DEALER_HAND: Final = "dealer"
LEGIBLE: Final = 0.1  # of a face, below which nothing is read: chance alone would say 0.02


@dataclass(frozen=True, slots=True)
class Content:
    """The chips of a stack for as long as they are the same."""

    start_ns: int
    grew: float = 0.5  # how likely there is more than before
    amounts: tuple[tuple[int, float], ...] = ()
    bounds: tuple[int, int] | None = None
    looks: int = 0


@dataclass(frozen=True)
class Thing:
    """A card or a stack, from when it came until it went."""

    id: int
    kind: str
    place: f.Place
    born_ns: int
    after_ns: int  # the last moment at which it was not there
    known_ns: int
    log_odds: float  # that it is, or was, real
    stays: float = 0.0  # log-odds that it lies there now
    put_by: tuple[tuple[int, float], ...] = ()
    gone_ns: int | None = None
    gone_by: tuple[tuple[int, float], ...] = ()
    sides: tuple[tuple[int, bool], ...] = ()  # when it showed which side: time, face up
    faces: Mapping[str, float] = field(default_factory=dict)
    face_looks: int = 0
    contents: tuple[Content, ...] = ()
    came_from: tuple[tuple[int, float], ...] = ()  # things that it may be, which vanished elsewhere
    frames: tuple[int, ...] = ()

    @property
    def is_card(self) -> bool:
        """Tell whether it is a card."""
        return self.kind.startswith("card")

    @property
    def zone(self) -> Zone:
        """Return the likeliest zone."""
        return Zone.parse(self.place.zones[0][0]) if self.place.zones else Zone(None, "off")

    @cached_property
    def zones(self) -> dict[Zone, float]:
        """Return every zone that it may belong to, with its probability."""
        return {Zone.parse(name): p for name, p in self.place.zones}

    @property
    def face(self) -> str | None:
        """Return the likeliest face; None where none was read."""
        best = max(self.faces, key=lambda name: self.faces[name], default=None)
        return best if best is not None and self.faces[best] >= LEGIBLE else None

    def is_there(self, t_ns: int) -> bool:
        """Tell whether it was there at a time."""
        return self.born_ns <= t_ns and (self.gone_ns is None or self.gone_ns > t_ns)

    def is_up(self, t_ns: int) -> bool:
        """Tell whether its face showed at a time."""
        shown = [up for at_ns, up in self.sides if at_ns <= t_ns]
        return shown[-1] if shown else bool(self.sides and self.sides[0][1])

    def spot(self) -> tuple[int, str] | None:
        """Return the likeliest spot whose chips these are: on it, or beside it."""
        zone = self.zone
        return None if zone.seat is None else (zone.seat, zone.name.removeprefix(PAYOUT))

    def content_at(self, t_ns: int) -> Content:
        """Return the chips that a stack was at a time."""
        known = [content for content in self.contents if content.start_ns <= t_ns]
        return known[-1] if known else self.contents[0]


class Board:
    """Collects the facts of one table."""

    def __init__(self) -> None:
        self.now_ns, self.frame = 0, 0
        self.things: dict[int, Thing] = {}
        self.trips: dict[int, f.Trip] = {}
        self.covers: list[f.Covered] = []
        self.signals: list[Signal] = []
        self.began_ns: int | None = None
        self.version = 0  # counts facts that may change an explanation

    def add(self, fact: f.Fact) -> bool:
        """Take in a fact; tell whether it may change an explanation."""
        self.now_ns = max(self.now_ns, fact.known_ns)
        self.began_ns = fact.known_ns if self.began_ns is None else self.began_ns
        self.frame = fact.frames[-1] if fact.frames else self.frame
        is_news = self._take(fact)
        self.version += is_news
        return is_news

    def _take(self, fact: f.Fact) -> bool:
        """Note a fact; tell whether it may change an explanation."""
        handler = getattr(self, f"_note_{fact.kind}", None)
        return handler is not None and handler(fact) is not False

    def _note_appeared(self, fact: f.Appeared) -> None:
        self.things[fact.thing] = _thing(fact)

    def _note_present(self, fact: f.Present) -> bool:
        known = self.things.get(fact.thing)
        surest = max(fact.log_odds, known.log_odds) if known else fact.log_odds  # what was there was there
        self._update(fact.thing, place=fact.place, log_odds=surest, stays=fact.log_odds, kind=fact.thing_kind)
        return known is not None and known.place.zones[:1] != fact.place.zones[:1]

    def _note_vanished(self, fact: f.Vanished) -> None:
        self._update(fact.thing, gone_ns=fact.t_ns, gone_by=fact.by)

    def _note_returned(self, fact: f.Returned) -> None:
        self._update(fact.thing, gone_ns=None, gone_by=())

    def _note_trip(self, fact: f.Trip) -> None:
        self.trips[fact.trip] = fact

    def _note_covered(self, fact: f.Covered) -> bool:
        self.covers = [c for c in self.covers if (c.zone, c.t_ns) != (fact.zone, fact.t_ns)]
        self.covers.append(fact)
        return False

    def _note_signal(self, fact: f.SignalFact) -> None:
        self.signals.append(fact.signal)

    def _update(self, thing: int, **values: object) -> None:
        if thing in self.things:
            known = {name: value for name, value in values.items() if value is not None or name == "gone_ns"}
            self.things[thing] = replace(self.things[thing], **known)  # type: ignore[arg-type]

    def _note_moved(self, fact: f.Moved) -> None:
        known = self.things.get(fact.thing)
        if known is not None:
            p = 1 / (1 + 2.718281828**-fact.log_odds)
            others = tuple(entry for entry in known.came_from if entry[0] != fact.was)
            self._update(fact.thing, came_from=(*others, (fact.was, round(p, 5))))

    def _note_turned(self, fact: f.Turned) -> None:
        known = self.things.get(fact.thing)
        if known is not None:
            sides = (*known.sides, (fact.t_ns, fact.thing_kind == "card_up"))
            self._update(fact.thing, kind=fact.thing_kind, sides=sides)

    def _note_changed(self, fact: f.Changed) -> None:
        known = self.things.get(fact.thing)
        if known is not None:
            before = (*known.contents, *(Content(known.born_ns) for _ in range(fact.content - len(known.contents))))
            self._update(fact.thing, contents=(*before, Content(fact.t_ns, fact.grew)))

    def _note_replaced(self, fact: f.Replaced) -> None:
        if fact.was in self.things and self.things[fact.was].gone_ns is None:
            self._update(fact.was, gone_ns=fact.t_ns, gone_by=fact.by)
        if fact.thing not in self.things:
            self.things[fact.thing] = _thing(fact)

    def _note_read(self, fact: f.Read) -> bool:
        """Note a reading; it changes an explanation only where it says something else."""
        known = self.things.get(fact.thing)
        if known is None:
            return False
        if fact.faces is not None:
            self._update(fact.thing, faces=dict(fact.faces), face_looks=fact.looks)
        if fact.amounts is not None:
            number = fact.content or 0
            contents = list(known.contents) or [Content(known.born_ns)]
            if number < len(contents):
                read = {"amounts": fact.amounts, "bounds": fact.bounds, "looks": fact.looks}
                contents[number] = replace(contents[number], **read)  # type: ignore[arg-type]
                self._update(fact.thing, contents=tuple(contents))
        return _says(known) != _says(self.things[fact.thing])

    # ---- What explanations ask

    def cards(self, since_ns: int) -> Iterator[Thing]:
        """Yield the cards that were there at some time since then, in the order in which they came."""
        yield from sorted((t for t in self._since(since_ns) if t.is_card), key=_when)

    def stacks(self, since_ns: int) -> Iterator[Thing]:
        """Yield the stacks that were there at some time since then, in the order in which they came."""
        yield from sorted((t for t in self._since(since_ns) if t.kind == "stack"), key=_when)

    def _since(self, since_ns: int) -> Iterator[Thing]:
        return (t for t in self.things.values() if t.gone_ns is None or t.gone_ns >= since_ns)

    def whose(self, trips: tuple[tuple[int, float], ...]) -> dict[str, float]:
        """Return whose hand it may have been, by the trips that may have done it; '' where nobody knows."""
        found: dict[str, float] = {}
        for trip, p in trips:
            who = self.trips[trip].who if trip in self.trips else ()
            for name, chance in who:
                found[name] = found.get(name, 0.0) + p * chance
        found[NOBODY] = max(1 - sum(found.values()), 0.0)
        return found

    def was_covered(self, zone: Zone, start_ns: int, end_ns: int) -> bool:
        """Tell whether a zone could not be seen for all of a time."""
        name = str(zone)
        spans = [c for c in self.covers if c.zone == name and c.t_ns <= start_ns]
        return any(c.end_ns is None or c.end_ns >= end_ns for c in spans)

    def forget(self, before_ns: int) -> None:
        """Drop what was gone before a time: no explanation asks for it any more."""
        self.things = {i: t for i, t in self.things.items() if t.gone_ns is None or t.gone_ns >= before_ns}
        self.trips = {i: t for i, t in self.trips.items() if t.end_ns is None or t.end_ns >= before_ns}
        self.covers = [c for c in self.covers if c.end_ns is None or c.end_ns >= before_ns]


def _says(thing: Thing) -> tuple[object, ...]:
    """Return what is read of a thing, as far as it matters: the likeliest, and roughly how sure."""
    face = thing.face
    amounts = tuple((c.amounts[0][0], round(c.amounts[0][1], 1)) for c in thing.contents if c.amounts)
    return face, round(thing.faces[face], 1) if face else 0.0, amounts


def _when(thing: Thing) -> tuple[int, int]:
    return thing.born_ns, thing.id


def _thing(fact: f.Appeared | f.Replaced) -> Thing:
    is_up = fact.thing_kind == "card_up"
    return Thing(
        id=fact.thing,
        kind=fact.thing_kind,
        place=fact.place,
        born_ns=fact.t_ns,
        after_ns=fact.after_ns,
        known_ns=fact.known_ns,
        log_odds=fact.log_odds,
        stays=fact.log_odds,
        put_by=fact.by,
        sides=((fact.t_ns, is_up),) if fact.thing_kind.startswith("card") else (),
        contents=() if fact.thing_kind.startswith("card") else (Content(fact.t_ns),),
        frames=fact.frames,
    )
