"""Things that last: observations enter one by one; cards and stacks with the evidence for what they are remain.

A thing is known by where it lies: what is seen at the same place is the same thing. What lies under a hand, or where
nobody looked, is neither seen nor missed. Things come and go by hands: where none was near, the detector has to say it
for much longer before it is believed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

import numpy as np

from vision.observe.evidence import AWAY_NS, SURE_LOOKS, CardTrack, StackTrack, Track
from vision.observe.frame_observation import FrameObservation
from vision.observe.hand_history import NO_SIDE, Reaches
from vision.observe.placing import Placed
from vision.table.zones import Zone

__all__ = ["CardTrack", "StackTrack", "Track", "Tracker"]

CARD_MM: Final = 16.0  # a card seen this near to where one lay is that card
STACK_MM: Final = 15.0
SAME_MM: Final = {"card": 8.0, "stack": 30.0}  # two of a kind nearer than this are one, told twice; a chip is 39 mm
SAME_FACE_MM: Final = 40.0
OVER_MM: Final = 22.0  # a card this near may lie on another and hide it
GONE_NS: Final = 450_000_000  # missed for so long in plain view after a hand was near: gone
GONE_ALONE_NS: Final = 2_500_000_000  # the same where no hand was near
FLEETING_NS: Final = 300_000_000  # the same for what was never sure to be there
COMES_NS: Final = {"card": 150_000_000, "stack": 350_000_000}  # seen for so long after a hand was near: there
COMES_ALONE_NS: Final = {"card": 150_000_000, "stack": 1_500_000_000}  # cards are thrown: no hand need be near
TOUCH_MM: Final = 25.0  # a hand so near to chips may change them
TOUCH_NS: Final = 1_200_000_000  # and so long ago
ARM_MM: Final = 120.0  # the arm behind a hand, or one that was not found for a moment, may hide what is so near
ARM_NS: Final = 350_000_000
ARM_RESTS_NS: Final = 6_000_000_000  # an arm that is so long beside chips rests there, and does not hide them
PASSING_NS: Final = 20_000_000_000  # for which it is remembered where cards were seen that did not stay
BACK_NS: Final = 6_000_000_000  # for which a thing that vanished may come back
HIDES: Final = 0.3  # share of a zone under a hand from which on what lies there may be hidden
HARDLY: Final = 0.001  # of the looks at things that lie still: so few are missed where absence proves something
FORGET: Final = 40_000  # looks after which earlier ones count for less: light and lens change
AnyTrack = TypeVar("AnyTrack", CardTrack, StackTrack)


class Tracker:
    """Keeps the things of one table. Ids count from 1."""

    def __init__(self) -> None:
        self.cards: list[CardTrack] = []
        self.stacks: list[StackTrack] = []
        self.hands: tuple[Placed, ...] = ()
        self.gone: list[Track] = []  # by the last update
        self.now_ns = 0
        self._lost: list[Track] = []  # things that are gone, and may have been missed only
        self._passing: list[tuple[Zone, int]] = []  # where and since when cards were seen that did not stay
        self.reaches = Reaches()
        self._covered: set[Zone] = set()  # zones that are partly under a hand now
        self._looks, self._misses = 0, 0  # at things that lie still, and how many of them were not found before
        self._count = 0
        self._cards_on: dict[Zone, list[CardTrack]] = {}  # as they lie since the last update
        self._stacks_on: dict[Zone, list[StackTrack]] = {}

    def update(self, sight: FrameObservation) -> None:
        """Take in one sight."""
        self.now_ns = sight.t_ns
        self.hands = tuple(thing for thing in sight.things if thing.kind == "hand")
        self.reaches.update(sight.t_ns, self.hands)
        self._covered = {belief.zone for hand in self.hands for belief in hand.covers if belief.p >= HIDES}
        self.gone = []
        if sight.trouble is not None:
            self._wait(sight.t_ns)
        else:
            self._look(sight)
        self._cards_on, self._stacks_on = _by_zone(self.cards), _by_zone(self.stacks)

    def _look(self, sight: FrameObservation) -> None:
        self._match(self.cards, once([t for t in sight.things if t.kind.startswith("card")], "card"), CARD_MM, sight)
        self._match(self.stacks, once([t for t in sight.things if t.kind == "stack"], "stack"), STACK_MM, sight)
        for track in (*self.cards, *self.stacks):
            self._note_hands(track)
            track.is_there = track.is_there or self._has_come(track)
        ended = [card for card in self.cards if self._ends(card, sight)]
        self.cards = [card for card in self.cards if card not in ended]
        passed = [(card.zone, card.first_ns) for card in ended if not card.is_there]
        self._passing = [entry for entry in (*self._passing, *passed) if sight.t_ns - entry[1] <= PASSING_NS]
        self.stacks = [stack for stack in self.stacks if not self._ends(stack, sight)]
        self._lost = [track for track in self._lost if sight.t_ns - track.seen_ns <= BACK_NS]

    def _wait(self, t_ns: int) -> None:
        """Let all things lie where they are: nothing can be seen, and what was just missed may have been hidden."""
        for track in (*self.cards, *self.stacks):
            track.missed_ns, track.is_bare = None, False
            track.seen_ns = t_ns if track.is_there else track.seen_ns

    def was_glimpsed(self, zone: Zone, start_ns: int, end_ns: int) -> bool:
        """Say whether something came to be seen in a zone, between two times, that may have been a card."""
        here = [*self._passing, *((card.zone, card.first_ns) for card in self.cards if not card.is_there)]
        return any(place == zone and start_ns <= t_ns <= end_ns for place, t_ns in here)

    def _note_hands(self, track: Track) -> None:
        """Note the hands at a thing; what is missed in plain view was taken before, by another."""
        if track.missed_ns is not None and track.missed_ns < self.now_ns:
            return
        if isinstance(track, StackTrack) and self.reaches.is_near(track.x, track.y, TOUCH_MM):
            track.was_hidden = True
        side, busy_side = self.reaches.sides(track.x, track.y)
        if side is not None:
            track.hand_ns = self.now_ns
            if track.put_from is None and self.now_ns - track.first_ns <= TOUCH_NS:
                track.put_from = side
        if self.now_ns - track.seen_ns > TOUCH_NS:
            return  # who comes now may find it gone
        if busy_side is not None:
            track.busy_ns, track.hand_from = self.now_ns, busy_side
        elif side is not None and self.now_ns - track.busy_ns > TOUCH_NS:
            track.hand_from = NO_SIDE  # only a hand that rests

    def _has_come(self, track: Track) -> bool:
        """Say whether a thing was seen often and long enough to be there."""
        kind = "card" if isinstance(track, CardTrack) else "stack"
        patience = (COMES_NS if track.put_from is not None else COMES_ALONE_NS)[kind]
        return track.seen >= SURE_LOOKS and track.seen_ns - track.first_ns >= patience

    def _match(
        self, known: Sequence[Track], things: Sequence[Placed], reach_mm: float, sight: FrameObservation
    ) -> None:
        tracks = list(known)
        taken: dict[int, int] = dict(_nearest(tracks, things, reach_mm))
        for j, thing in enumerate(things):
            known_one = tracks[taken[j]] if j in taken else None
            if known_one is not None and not self._is_another(known_one, thing, sight.t_ns):
                track = known_one
                self._note_look(track)
                track.at(thing, sight.t_ns)
            else:
                track = self._begin(thing, sight.t_ns, reach_mm)
            if isinstance(track, CardTrack | StackTrack):
                track.look(thing, sight.t_ns)
        seen = set(taken.values())
        for i, track in enumerate(tracks):
            if i not in seen:
                self._missed(track, sight)

    def _note_look(self, track: Track) -> None:
        """Note a look at a thing that lies there, no hand near; one that was missed before was only not found."""
        is_still = track.hand_ns is None or self.now_ns - track.hand_ns > TOUCH_NS
        if track.is_there and is_still:
            self._looks, self._misses = self._looks + 1, self._misses + (track.missed_ns is not None)
            if self._looks >= FORGET:
                self._looks, self._misses = self._looks // 2, self._misses // 2

    @property
    def misses_nothing(self) -> bool:
        """Say whether things that lie still are found in every look here: then what is not seen is not there."""
        return self._misses + 1 <= HARDLY * self._looks

    def _is_another(self, track: Track, thing: Placed, t_ns: int) -> bool:
        """Say whether a card lies where another lay that was away for a moment; then that one is gone."""
        if not isinstance(track, CardTrack) or not track.denies(thing):
            return False
        was_away = t_ns - track.seen_ns >= AWAY_NS or not track.is_up
        if not was_away and not track.denials:
            return False  # once may be a slip
        self.cards.remove(track)
        self.gone.append(track)
        return True

    def _begin(self, thing: Placed, t_ns: int, reach_mm: float) -> Track:
        known = self._come_back(thing, t_ns, reach_mm)
        if known is not None:
            return known
        track = self._new(thing, t_ns)
        track.not_before_ns = self.reaches.last_bare_ns(thing.x, thing.y)
        reached = self.reaches.last(thing.x, thing.y)
        if reached is not None:
            track.hand_ns, track.hand_from = reached
            track.put_from = track.hand_from if t_ns - track.hand_ns <= TOUCH_NS else None
        return track

    def _come_back(self, thing: Placed, t_ns: int, reach_mm: float) -> Track | None:
        """Return the thing that vanished from here without a hand, if there is one: it was only missed."""
        wanted = StackTrack if thing.kind == "stack" else CardTrack
        for track in self._lost:
            was_handled = track.hand_ns is not None and track.hand_ns >= track.seen_ns - TOUCH_NS
            is_here = abs(track.x - thing.x) < reach_mm and abs(track.y - thing.y) < reach_mm
            if isinstance(track, wanted) and is_here and (isinstance(track, StackTrack) or not was_handled):
                self._lost.remove(track)
                track.at(thing, t_ns)
                if isinstance(track, StackTrack):
                    track.was_hidden = True
                (self.stacks if isinstance(track, StackTrack) else self.cards).append(track)  # type: ignore[arg-type]
                return track
        return None

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

    def _missed(self, track: Track, sight: FrameObservation) -> None:
        """Note that a thing was not seen, unless nobody could have seen it."""
        if any(abs(x - track.x) < STACK_MM and abs(y - track.y) < STACK_MM for x, y in sight.bare):
            track.is_bare = True
        if self._may_be_hidden(track):
            if isinstance(track, StackTrack):
                track.was_hidden = True
            track.missed_ns = None
            return
        was_looked_at = sight.looked is None or track.zone in sight.looked or track.is_bare
        was_touched = track.hand_ns is not None and track.hand_ns > track.looked_ns
        if not was_looked_at and track.is_there and track.missed_ns is None and not was_touched:
            track.seen_ns = sight.t_ns  # nobody looked, since nothing changed: it lies there still
        is_under = isinstance(track, CardTrack) and self._is_under(track, sight.t_ns)
        if was_looked_at and not is_under and track.missed_ns is None:
            track.missed_ns = sight.t_ns

    def _may_be_hidden(self, track: Track) -> bool:
        """Say whether a hand may hide a thing; a card is not under it where the felt was seen bare."""
        if isinstance(track, CardTrack):
            return not track.is_bare and self.is_hidden(track)
        return self.is_hidden(track) or (not track.is_bare and self._may_be_under_an_arm(track))

    def _may_be_under_an_arm(self, track: Track) -> bool:
        if self.now_ns - track.seen_ns > ARM_RESTS_NS:
            return False
        return self.reaches.was_near_since(self.now_ns - ARM_NS, track.x, track.y, ARM_MM)

    def _ends(self, track: Track, sight: FrameObservation) -> bool:
        if track.missed_ns is None:
            return False
        is_gone = sight.t_ns - track.missed_ns >= self._patience(track)
        if is_gone and track.is_there:
            self.gone.append(track)
            self._lost.append(track)
        return is_gone

    def _patience(self, track: Track) -> int:
        """Return for how long a thing must be missed in plain view before it is gone."""
        if not track.is_there:
            return FLEETING_NS
        was_handled = track.hand_ns is not None and track.hand_ns >= track.seen_ns - TOUCH_NS
        return GONE_NS if was_handled or self._follows_others(track) else GONE_ALONE_NS

    def _follows_others(self, track: Track) -> bool:
        """Say whether other cards of the same place have just gone: a hand of cards is taken as one."""
        since_ns = self.now_ns - TOUCH_NS
        return isinstance(track, CardTrack) and any(
            isinstance(other, CardTrack) and other.zone == track.zone and other.seen_ns >= since_ns - GONE_NS
            for other in self._lost
        )

    def is_hidden(self, track: Track) -> bool:
        """Say whether a hand may hide a thing: its zone is partly under one, or its place inside a hand's box."""
        return track.zone in self._covered or self.reaches.is_near(track.x, track.y, 0.0)

    def _is_under(self, card: CardTrack, t_ns: int) -> bool:
        """Say whether a card may lie under another that is seen now."""
        return any(
            other is not card
            and other.seen_ns == t_ns
            and abs(other.x - card.x) < OVER_MM
            and abs(other.y - card.y) < OVER_MM
            for other in self.cards
        )

    def cards_on(self, zone: Zone) -> Sequence[CardTrack]:
        """Return the cards that are on a zone for sure."""
        return self._cards_on.get(zone, ())

    def stacks_on(self, zones: Iterable[Zone]) -> list[StackTrack]:
        """Return the stacks that are on some zones for sure."""
        return [stack for zone in zones for stack in self._stacks_on.get(zone, ())]


def _by_zone(tracks: Iterable[AnyTrack]) -> dict[Zone, list[AnyTrack]]:
    """Return the things that are there for sure, by where they lie."""
    found: dict[Zone, list[AnyTrack]] = {}
    for track in tracks:
        if track.is_there:
            found.setdefault(track.zone, []).append(track)
    return found


def once(things: Sequence[Placed], kind: str) -> list[Placed]:
    """Return the things without those that are another one, told twice; the surer one stays."""
    kept: list[Placed] = []
    for thing in sorted(things, key=lambda thing: -thing.detection.found.score):
        near = [k for k in kept if abs(k.x - thing.x) + abs(k.y - thing.y) <= SAME_FACE_MM]
        if not any(_is_same(k, thing, kind) for k in near):
            kept.append(thing)
    return kept


def _is_same(one: Placed, other: Placed, kind: str) -> bool:
    """Say whether two things are so near that they are one; two cards with the same face are one from farther off."""
    apart_mm = abs(one.x - other.x) + abs(one.y - other.y)
    faces = [thing.detection.face.card for thing in (one, other) if thing.detection.face is not None]
    is_same_face = len(faces) == 2 and faces[0] is not None and faces[0] == faces[1]
    return apart_mm <= (SAME_FACE_MM if is_same_face else SAME_MM[kind])


def _nearest(tracks: Sequence[Track], things: Sequence[Placed], reach_mm: float) -> Iterator[tuple[int, int]]:
    """Yield pairs of a thing and its track, the nearest first, each once."""
    if not tracks or not things:
        return
    there = np.array([(track.x, track.y) for track in tracks])
    here = np.array([(thing.x, thing.y) for thing in things])
    apart = np.hypot(here[:, 0, None] - there[None, :, 0], here[:, 1, None] - there[None, :, 1])
    rows, columns = np.nonzero(apart <= reach_mm)
    used: set[int] = set()
    done: set[int] = set()
    for k in np.argsort(apart[rows, columns], kind="stable"):
        j, i = int(rows[k]), int(columns[k])
        if j not in done and i not in used:
            done.add(j)
            used.add(i)
            yield j, i
