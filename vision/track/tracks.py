"""Things that last: sights enter one by one; cards and stacks with the evidence for what they are remain.

A thing is known by where it lies: what is seen at the same place is the same thing. What lies under a hand, or where
nobody looked, is neither seen nor missed. What is missed for a while, in plain view, is gone.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.calibrate.placing import Placed
from vision.calibrate.zones import Zone
from vision.cards import DECK, Card
from vision.geometry import Floats
from vision.track.sight import Sight

CARD_MM: Final = 16.0  # a card seen this near to where one lay is that card
STACK_MM: Final = 15.0
OVER_MM: Final = 22.0  # a card this near may lie on another and hide it
GONE_NS: Final = 450_000_000  # missed for so long in plain view: gone
FLEETING_NS: Final = 300_000_000  # the same for what was seen once or twice: it was passing by, or never there
SURE_LOOKS: Final = 3  # looks from which on a thing is there
ALIKE: Final = 0.55  # how much a further look at the same, unmoved face adds: its errors are not new ones
FLOOR: Final = 1e-4  # probability that any face has in spite of all
NEAR_MM: Final = 40.0  # a hand so near to a place may have been over it a moment ago
PAST: Final = 60  # sights of which it is remembered where hands were
HIDES: Final = 0.3  # share of a zone under a hand from which on what lies there may be hidden


@dataclass(eq=False)
class Track:
    """A thing at a place."""

    id: int
    zone: Zone
    x: float
    y: float
    first_ns: int
    seen_ns: int
    seen: int = 1
    missed_ns: int | None = None  # since when it is missed in plain view
    not_before_ns: int = 0  # when its place was last seen without it: it came after that

    @property
    def is_there(self) -> bool:
        """Say whether it was seen often enough to be more than a passing hand or an error."""
        return self.seen >= SURE_LOOKS

    def at(self, thing: Placed, t_ns: int) -> None:
        """Note that it was seen."""
        self.x, self.y = 0.7 * self.x + 0.3 * thing.x, 0.7 * self.y + 0.3 * thing.y
        if thing.p > 0.6:
            self.zone = thing.zone
        self.seen, self.seen_ns, self.missed_ns = self.seen + 1, t_ns, None


@dataclass(eq=False)
class CardTrack(Track):
    """A card that lies somewhere; `faces` holds the logarithms of how likely each face is."""

    is_up: bool = False
    up_looks: int = 0  # of the side that shows now
    side_ns: int = 0  # since when this side shows
    faces: Floats = field(default_factory=lambda: np.zeros(len(DECK)))
    read: int = 0  # readable looks at its face

    def look(self, thing: Placed, t_ns: int) -> None:
        """Take in one more look."""
        is_up = thing.kind == "card_up"
        if is_up != self.is_up:
            self.is_up, self.up_looks, self.side_ns = is_up, 0, t_ns
        self.up_looks += 1
        face = thing.detection.face
        if is_up and face is not None:
            readable = float(1 - face.p[len(DECK)])
            if readable > 0.3:
                weight = (1.0 if self.read == 0 else ALIKE) * readable
                self.faces += weight * np.log(np.maximum(face.p[: len(DECK)] / max(readable, FLOOR), FLOOR))
                self.read += 1

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
class Epoch:
    """The time in which a stack was not touched: its readings are of the same chips."""

    start_ns: int
    end_ns: int
    looks: int = 0
    votes: dict[int, float] = field(default_factory=dict)  # cents -> belief, summed over looks
    low: float = 0.0  # sums of the bounds
    high: float = 0.0

    def look(self, thing: Placed, t_ns: int) -> None:
        """Take in one more reading."""
        reading = thing.detection.stack
        self.end_ns = t_ns
        if reading is None or reading.value_cents is None:
            return
        low, high = reading.value_bounds or (reading.value_cents, reading.value_cents)
        self.looks += 1
        self.votes[reading.value_cents] = self.votes.get(reading.value_cents, 0.0) + reading.value_p
        self.low, self.high = self.low + low, self.high + high

    @property
    def value(self) -> tuple[int | None, float]:
        """Return the likeliest worth in cents, and how likely it is."""
        if not self.looks:
            return None, 0.0
        best = max(self.votes, key=lambda cents: (self.votes[cents], -cents))
        return best, self.votes[best] / max(sum(self.votes.values()), 1e-9) * min(
            1.0, self.votes[best] / self.looks + 0.2
        )

    @property
    def bounds(self) -> tuple[int, int] | None:
        """Return what it is worth at least and at most, on average over the looks."""
        return (round(self.low / self.looks), round(self.high / self.looks)) if self.looks else None


@dataclass(eq=False)
class StackTrack(Track):
    """Chips that stand somewhere; a new epoch begins after each time that a hand was there."""

    epochs: list[Epoch] = field(default_factory=list)
    was_hidden: bool = False

    def look(self, thing: Placed, t_ns: int) -> None:
        """Take in one more look."""
        if self.was_hidden or not self.epochs:
            self.epochs.append(Epoch(t_ns, t_ns))
            self.was_hidden = False
        self.epochs[-1].look(thing, t_ns)

    @property
    def value(self) -> tuple[int | None, float]:
        """Return what it is worth now."""
        return self._told().value

    @property
    def bounds(self) -> tuple[int, int] | None:
        """Return what it is worth now at least and at most."""
        return self._told().bounds

    def _told(self) -> Epoch:
        """Return the latest epoch with enough looks to tell, else the latest."""
        return next((epoch for epoch in reversed(self.epochs) if epoch.looks >= SURE_LOOKS), self.epochs[-1])

    def value_at(self, t_ns: int) -> tuple[int | None, float]:
        """Return what it was worth at a time, by all looks of the epoch around it."""
        before = [epoch for epoch in self.epochs if epoch.start_ns <= t_ns and epoch.looks] or self.epochs[:1]
        return before[-1].value

    def bounds_at(self, t_ns: int) -> tuple[int, int] | None:
        """Return what it was worth at a time at least and at most."""
        before = [epoch for epoch in self.epochs if epoch.start_ns <= t_ns and epoch.looks] or self.epochs[:1]
        return before[-1].bounds


class Tracker:
    """Keeps the things of one table. Ids count from 1."""

    def __init__(self) -> None:
        self.cards: list[CardTrack] = []
        self.stacks: list[StackTrack] = []
        self.hands: tuple[Placed, ...] = ()
        self.gone: list[Track] = []  # by the last update
        self._past: deque[tuple[int, list[Floats]]] = deque(maxlen=PAST)  # where hands were
        self._count = 0

    def update(self, sight: Sight) -> None:
        """Take in one sight."""
        self.hands = tuple(thing for thing in sight.things if thing.kind == "hand")
        cards = [thing for thing in sight.things if thing.kind.startswith("card")]
        stacks = [thing for thing in sight.things if thing.kind == "stack"]
        self.gone = []
        self._match(self.cards, cards, CARD_MM, sight)
        self._match(self.stacks, stacks, STACK_MM, sight)
        self.cards = [card for card in self.cards if not self._ends(card, sight)]
        self.stacks = [stack for stack in self.stacks if not self._ends(stack, sight)]
        boxes = [np.array(hand.corners_mm) for hand in self.hands if hand.corners_mm is not None]
        self._past.append((sight.t_ns, boxes))

    def _match(self, tracks: Sequence[Track], things: Sequence[Placed], reach_mm: float, sight: Sight) -> None:
        taken: dict[int, int] = dict(_nearest(tracks, things, reach_mm))
        for j, thing in enumerate(things):
            if j in taken:
                track = tracks[taken[j]]
                track.at(thing, sight.t_ns)
            else:
                track = self._begin(thing, sight.t_ns)
            if isinstance(track, CardTrack | StackTrack):
                track.look(thing, sight.t_ns)
        seen = set(taken.values())
        for i, track in enumerate(tracks[: len(tracks)]):
            if i not in seen and track.seen_ns != sight.t_ns:
                self._missed(track, sight)

    def _last_bare_ns(self, thing: Placed, t_ns: int) -> int:
        """Return when a place was last in plain view, before a thing was seen there."""
        for when, boxes in reversed(self._past):
            if not any(_is_near(box, thing) for box in boxes):
                return when
        return self._past[0][0] if self._past else t_ns

    def _begin(self, thing: Placed, t_ns: int) -> Track:
        track = self._new(thing, t_ns)
        track.not_before_ns = self._last_bare_ns(thing, t_ns)
        return track

    def _new(self, thing: Placed, t_ns: int) -> Track:
        self._count += 1
        if thing.kind == "stack":
            stack = StackTrack(self._count, thing.zone, thing.x, thing.y, t_ns, t_ns)
            self.stacks.append(stack)
            return stack
        card = CardTrack(
            self._count, thing.zone, thing.x, thing.y, t_ns, t_ns, is_up=thing.kind == "card_up", side_ns=t_ns
        )
        self.cards.append(card)
        return card

    def _missed(self, track: Track, sight: Sight) -> None:
        """Note that a thing was not seen, unless nobody could have seen it."""
        if self.is_hidden(track):
            if isinstance(track, StackTrack):
                track.was_hidden = True
            track.missed_ns = None
            return
        was_looked_at = sight.looked is None or track.zone in sight.looked
        is_under = isinstance(track, CardTrack) and self._is_under(track, sight.t_ns)
        if was_looked_at and not is_under and track.missed_ns is None:
            track.missed_ns = sight.t_ns

    def _ends(self, track: Track, sight: Sight) -> bool:
        if track.missed_ns is None:
            return False
        patience = GONE_NS if track.is_there else FLEETING_NS
        is_gone = sight.t_ns - track.missed_ns >= patience
        if is_gone and track.is_there:
            self.gone.append(track)
        return is_gone

    def is_hidden(self, track: Track) -> bool:
        """Say whether a hand may hide a thing."""
        return any(covers(hand, track) for hand in self.hands)

    def is_hand_near(self, tracks: Sequence[Track], margin_mm: float) -> bool:
        """Say whether a hand is over some things or near them, where more of them may lie hidden."""
        if not tracks:
            return False
        places = np.array([(track.x, track.y) for track in tracks])
        low, high = places.min(axis=0) - margin_mm, places.max(axis=0) + margin_mm
        boxes = [np.array(hand.corners_mm) for hand in self.hands if hand.corners_mm is not None]
        return any(bool((box.max(axis=0) >= low).all() and (box.min(axis=0) <= high).all()) for box in boxes)

    def _is_under(self, card: CardTrack, t_ns: int) -> bool:
        """Say whether a card may lie under another that is seen now."""
        return any(
            other is not card
            and other.seen_ns == t_ns
            and abs(other.x - card.x) < OVER_MM
            and abs(other.y - card.y) < OVER_MM
            for other in self.cards
        )

    def cards_on(self, zone: Zone) -> Iterator[CardTrack]:
        """Yield the cards that are on a zone for sure."""
        return (card for card in self.cards if card.zone == zone and card.is_there)

    def stacks_on(self, zones: Iterable[Zone]) -> Iterator[StackTrack]:
        """Yield the stacks that are on some zones for sure."""
        wanted = set(zones)
        return (stack for stack in self.stacks if stack.zone in wanted and stack.is_there)


def covers(hand: Placed, track: Track) -> bool:
    """Say whether a hand may cover a thing: its zone is partly under it, or its place inside the hand's corners."""
    if any(belief.zone == track.zone and belief.p >= HIDES for belief in hand.covers):
        return True
    if hand.corners_mm is None:
        return False
    corners = np.array(hand.corners_mm)
    low, high = corners.min(axis=0), corners.max(axis=0)
    return bool(low[0] <= track.x <= high[0] and low[1] <= track.y <= high[1])


def _is_near(box: Floats, thing: Placed) -> bool:
    """Say whether a hand is over a place or so near that it may just have been."""
    low, high = box.min(axis=0) - NEAR_MM, box.max(axis=0) + NEAR_MM
    return bool(low[0] <= thing.x <= high[0] and low[1] <= thing.y <= high[1])


def _nearest(tracks: Sequence[Track], things: Sequence[Placed], reach_mm: float) -> Iterator[tuple[int, int]]:
    """Yield pairs of a thing and its track, the nearest first, each once."""
    if not tracks or not things:
        return
    there = np.array([(track.x, track.y) for track in tracks])
    here = np.array([(thing.x, thing.y) for thing in things])
    apart = np.hypot(here[:, 0, None] - there[None, :, 0], here[:, 1, None] - there[None, :, 1])
    rows, columns = np.nonzero(apart < reach_mm)
    used: set[int] = set()
    done: set[int] = set()
    for k in np.argsort(apart[rows, columns], kind="stable"):
        j, i = int(rows[k]), int(columns[k])
        if j not in done and i not in used:
            done.add(j)
            used.add(i)
            yield j, i
