"""What is known of one thing: looks at it enter; the likeliest face or worth, and how likely it is, leave.

Looks at the same unmoved thing err alike, so they add less than looks at different things would. Chips are pooled for
as long as nothing proves that they changed; a hand over them proves nothing, readings that exclude each other do.
"""

from dataclasses import dataclass, field
from math import exp, log
from typing import Final

import numpy as np

from vision.observe.placing import Placed
from vision.table.zones import Zone
from vision.values.cards import DECK, Card
from vision.values.geometry import Floats

ALIKE: Final = 0.55  # how much a further look at the same, unmoved face adds: its errors are not new ones
READABLE: Final = 0.3  # of a look at a face, from which on it counts
FLOOR: Final = 1e-4  # probability that any face has in spite of all
PLACES: Final = {card: i for i, card in enumerate(DECK)}
DENIES, SURE_FACE, LOW = 0.8, 0.95, 0.05  # another face that is so likely, where this one was so sure
KEPT: Final = 24  # bounds of looks at chips
KNOWN_BACK: Final = 0.7  # of a look at a back, from which on it shows one of the table's decks: felt gets 0.55
CLEAR, CLEAR_LOOKS = 0.8, 6  # a worth that so many looks say so surely is no other, whatever the bounds
AWAY_NS: Final = 250_000_000  # not seen for so long: it was away, and another may lie in its place
JUMP_MM: Final = 4.0  # more than a card that lies still seems to move: it is placed within 1.1 mm mostly (measured)
SURE_LOOKS: Final = 3  # readings from which on a worth is told


@dataclass(eq=False)
class Track:
    """A thing at a place."""

    id: int
    zone: Zone
    x: float
    y: float
    first_ns: int
    seen_ns: int  # up to when it is known to lie there
    seen: int = 1  # looks
    looked_ns: int = 0  # when it was last looked at
    is_there: bool = False  # it is more than a passing hand or an error
    is_bare: bool = False  # its place was looked at, and it was not there
    missed_ns: int | None = None  # since when it is missed in plain view
    hand_ns: int | None = None  # when a hand was last near it
    busy_ns: int = 0  # the same of one that moved
    hand_from: tuple[float, float] = (0.0, 0.0)  # and from which side it reached there
    put_from: tuple[float, float] | None = None  # the same of the hand that put it there; None: none was seen
    not_before_ns: int = 0  # when its place was last seen without it: it came after that
    absences: list[tuple[int, int]] = field(default_factory=list)  # from when to when it was not seen here

    def at(self, thing: Placed, t_ns: int) -> None:
        """Note that it was seen."""
        self.x, self.y = 0.7 * self.x + 0.3 * thing.x, 0.7 * self.y + 0.3 * thing.y
        if thing.p > 0.6:
            self.zone = thing.zone
        if t_ns - self.seen_ns >= AWAY_NS:
            self.absences.append((self.seen_ns, t_ns))
        self.seen, self.seen_ns, self.looked_ns = self.seen + 1, t_ns, t_ns
        self.is_bare, self.missed_ns = False, None

    @property
    def visible_ns(self) -> int:
        """Return for how long it was seen, all in all."""
        return self.seen_ns - self.first_ns - sum(back - gone for gone, back in self.absences)


@dataclass(eq=False)
class CardTrack(Track):
    """A card that lies somewhere; `faces` holds the logarithms of how likely each face is."""

    is_up: bool = False
    up_looks: int = 0  # of the side that shows now
    side_ns: int = 0  # since when this side shows
    faces: Floats = field(default_factory=lambda: np.zeros(len(DECK)))
    belief: Floats = field(default_factory=lambda: np.zeros(len(DECK)))  # what the looks said of each, summed
    read: int = 0  # readable looks at its face
    read_ns: int = 0  # the last of them
    denials: int = 0  # looks in a row that show a face which this card cannot have
    jumps_ns: list[int] = field(default_factory=list)  # when it lay otherwise than before: another may lie on it
    is_off: bool = False  # by the last look it lies elsewhere than it did
    # Looks that showed the back of each deck, and the logarithms of their doubts, summed. There may be two: a card that
    # falls right onto another is taken for that one.
    backs: dict[str, tuple[int, float]] = field(default_factory=dict)

    def at(self, thing: Placed, t_ns: int) -> None:
        """Note that it was seen, and whether it lies otherwise than before."""
        is_off = abs(thing.x - self.x) + abs(thing.y - self.y) > JUMP_MM
        if is_off and not self.is_off:
            self.jumps_ns.append(t_ns)
        self.is_off = is_off
        super().at(thing, t_ns)

    def look(self, thing: Placed, t_ns: int) -> None:
        """Take in one more look."""
        is_up = thing.kind == "card_up"
        if is_up != self.is_up:
            self.is_up, self.up_looks, self.side_ns = is_up, 0, t_ns
        self.up_looks += 1
        face = thing.detection.face
        self.denials = self.denials + 1 if self.denies(thing) else 0
        if is_up and face is not None and not self.denials:
            readable = float(1 - face.p[len(DECK)])
            if readable > READABLE:
                weight = (1.0 if self.read == 0 else ALIKE) * readable
                self.faces += weight * np.log(np.maximum(face.p[: len(DECK)] / max(readable, FLOOR), FLOOR))
                self.belief += face.p[: len(DECK)] / readable
                self.read, self.read_ns = self.read + 1, t_ns
        self._look_at_back(thing)

    def together_ns(self, other: "CardTrack") -> int:
        """Return for how long both showed a face, each at its place; what is only believed to lie there does not."""
        start_ns, end_ns = max(self.first_ns, other.first_ns), min(self.read_ns, other.read_ns)
        apart = [(max(a, start_ns), min(b, end_ns)) for a, b in (*self.absences, *other.absences)]
        return end_ns - start_ns - sum(max(b - a, 0) for a, b in apart)

    def _look_at_back(self, thing: Placed) -> None:
        back = thing.detection.back
        if back is None or back.readable < KNOWN_BACK:
            return
        deck = max(back.decks, key=lambda name: back.decks[name])
        looks, doubt = self.backs.get(deck, (0, 0.0))
        self.backs[deck] = looks + 1, doubt + log(max(1 - back.decks[deck] / back.readable, FLOOR))

    def doubt_of(self, deck: str) -> float:
        """Return how likely those looks were misread that showed a deck's back, on average: more are not surer."""
        looks, doubt = self.backs.get(deck, (0, 0.0))
        return exp(doubt / looks) if looks else 1.0

    def mean_of(self, card: Card) -> float:
        """Return how likely the looks say a face is, on average: many doubtful looks alike are still doubtful."""
        return float(self.belief[PLACES[card]] / self.read) if self.read else 0.0

    def likeliest(self) -> tuple[Card | None, float]:
        """Return the face that the looks say is likeliest on average, and how likely; None where it was never read."""
        if not self.read:
            return None, 0.0
        i = int(self.belief.argmax())
        return DECK[i], float(self.belief[i] / self.read)

    def denies(self, thing: Placed) -> bool:
        """Say whether a look shows a face that this card cannot have: another card lies in its place."""
        face = thing.detection.face
        if face is None or face.card is None or self.read < SURE_LOOKS or face.confidence < DENIES:
            return False
        if DECK[int(self.faces.argmax())] == face.card:
            return False
        return self.best()[1] >= SURE_FACE and self.mean_of(face.card) < LOW

    @property
    def chances(self) -> Floats:
        """Return the probability of each face, by all looks."""
        p = np.exp(self.faces - self.faces.max())
        return np.asarray(p / p.sum())

    def best(self) -> tuple[Card | None, float]:
        """Return the likeliest face and its probability; None where its face was never read."""
        if not self.read:
            return None, 0.0
        chances = self.chances
        i = int(chances.argmax())
        return DECK[i], float(chances[i])


@dataclass(eq=False)
class Content:
    """Chips that are the same for a time: what all readings of them say together."""

    start_ns: int
    looks: int = 0
    named: int = 0  # looks that say what it is worth
    votes: dict[int, float] = field(default_factory=dict)  # cents -> belief, summed over looks
    told: list[tuple[int, int]] = field(default_factory=list)  # the bounds of the last looks

    def look(self, thing: Placed) -> None:
        """Take in one more reading; chips that were counted, but not named, give bounds alone."""
        reading = thing.detection.stack
        if reading is None or reading.value_bounds is None:
            return
        self.looks += 1
        self.told = [*self.told[-KEPT:], reading.value_bounds]
        if reading.value_cents is not None:
            self.named += 1
            for cents, p in reading.worths or ((reading.value_cents, reading.value_p),):
                self.votes[cents] = self.votes.get(cents, 0.0) + p

    def add(self, other: "Content") -> None:
        """Take in the readings of the same chips at another time."""
        self.looks, self.told = self.looks + other.looks, [*self.told, *other.told][-KEPT:]
        self.named += other.named
        for cents, belief in other.votes.items():
            self.votes[cents] = self.votes.get(cents, 0.0) + belief

    @property
    def value(self) -> tuple[int | None, float]:
        """Return the likeliest worth in cents, and how likely it is: what the looks say of it on average."""
        if not self.votes:
            return None, 0.0
        best = max(self.votes, key=lambda cents: (self.votes[cents], -cents))
        return best, self.votes[best] / self.looks

    @property
    def bounds(self) -> tuple[int, int] | None:
        """Return what it is worth at least and at most, by the middle one of the last looks."""
        if not self.told:
            return None
        lows, highs = (sorted(bounds) for bounds in zip(*self.told, strict=True))
        return lows[len(lows) // 2], highs[len(highs) // 2]

    def may_be(self, other: "Content") -> bool:
        """Say whether the readings of two times allow that the chips are the same."""
        (mine, p), (theirs, q) = self.value, other.value
        if self.bounds is None or other.bounds is None or mine is None or theirs is None:
            return True
        if mine != theirs and min(p, q) >= CLEAR and min(self.looks, other.looks) >= CLEAR_LOOKS:
            return False
        return (
            mine == theirs or self.bounds[0] <= theirs <= self.bounds[1] or other.bounds[0] <= mine <= other.bounds[1]
        )


@dataclass(eq=False)
class StackTrack(Track):
    """Chips that stand somewhere. After a hand was there they are read afresh, and then taken for the same or not."""

    contents: list[Content] = field(default_factory=list)
    fresh: Content | None = None  # read since a hand was last over it
    was_hidden: bool = False

    def look(self, thing: Placed, t_ns: int) -> None:
        """Take in one more look."""
        if self.was_hidden or not self.contents:
            self.was_hidden = False
            self.fresh = Content(t_ns)
        if self.fresh is None:
            self.contents[-1].look(thing)
            return
        self.fresh.look(thing)
        if not self.contents:
            self.contents.append(self.fresh)
            self.fresh = None
        elif self._is_enough(self.fresh):
            self._compare(self.fresh)

    def _is_enough(self, fresh: Content) -> bool:
        """Say whether chips were read often enough to compare; where they were read surely before, a few looks more."""
        before = self.contents[-1]
        is_clear = before.looks >= CLEAR_LOOKS and before.value[1] >= CLEAR
        return fresh.named >= (CLEAR_LOOKS if is_clear else SURE_LOOKS) or fresh.looks >= KEPT

    def _compare(self, fresh: Content) -> None:
        """Take what was read afresh for the chips known before, or for others."""
        if self.contents[-1].looks < SURE_LOOKS:
            fresh.start_ns = self.contents[-1].start_ns  # it was not known well before
            fresh.add(self.contents[-1])
            self.contents[-1] = fresh
        elif self.contents[-1].may_be(fresh):
            self.contents[-1].add(fresh)
        else:
            self.contents.append(fresh)
        self.fresh = None

    @property
    def value(self) -> tuple[int | None, float]:
        """Return what it is worth now."""
        return self.contents[-1].value

    @property
    def bounds(self) -> tuple[int, int] | None:
        """Return what it is worth now at least and at most."""
        return self.contents[-1].bounds

    def content_at(self, t_ns: int) -> Content:
        """Return what it was at a time."""
        before = [content for content in self.contents if content.start_ns <= t_ns]
        return before[-1] if before else self.contents[0]
