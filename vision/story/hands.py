"""The cards of one round by place: tracks enter; what was dealt where, shown and cleared leaves."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from vision.observe.tracks import CardTrack, Tracker
from vision.rules.play.dealscript import SEAT, Place
from vision.table.zones import Zone

DEALER: Final[Place] = ("dealer.hand", None)
BONUS: Final[Place] = ("table.bonus", None)
WORK: Final = Zone(None, "work")
ZONES: Final = {DEALER: Zone(None, "dealer.cards"), BONUS: Zone(None, "bonus")}
SURE_NS, COUNTED_NS = 900_000_000, 1_200_000_000  # for which cards lie in plain view, until their number is believed
MORE_NS, SEEN_NS = 450_000_000, 600_000_000  # the same of too many: a hand near them can hide cards, but add none
MOSTLY: Final = 0.7  # of the looks show too many cards
SOME: Final = 2  # fewer cards than this are no hand that is shown
PUSHED_MM: Final = 40.0  # forward from where it lay: a hand that is given up
LOOKS, PLAIN = 3, 0.85  # looks at a face, and how likely they say it is: others could have read it too
APART_MM: Final = 20.0  # two cards that are nearer than this may be one, told twice
FLICKER_NS: Final = 500_000_000
LEGIBLE: Final = 0.5  # of a face, from which on somebody else could have read it too


def zone_of(place: Place) -> Zone:
    """Return the zone of the felt where a hand lies."""
    return ZONES[place] if place in ZONES else Zone(place[1], "cards")


@dataclass
class HandWatch:
    """One hand through a round: the cards dealt to it, and, when it was brought to the work area, those shown there."""

    place: Place
    dealt: list[CardTrack] = field(default_factory=list)
    origins: list[tuple[float, float]] = field(default_factory=list)  # where its cards first lay
    counts: deque[tuple[int, int]] = field(default_factory=deque)  # time, and how many cards may lie there at most
    faces: deque[tuple[int, int]] = field(default_factory=deque)  # time, and how many faces show at once
    most: int = 0  # cards of it that were seen open at once
    given_up_ns: int | None = None  # since when its cards are away or pushed forward
    seen_ns: int = 0  # when cards were last seen at its place
    shown: list[CardTrack] = field(default_factory=list)
    shown_ns: int | None = None
    is_sure: bool = False  # what was shown is surely this hand: it was seen to leave, or the seat was settled by it
    cleared_ns: int | None = None

    def look(self, tracker: Tracker, t_ns: int) -> list[CardTrack]:
        """Return the cards that are new at its place."""
        here = tracker.cards_on(zone_of(self.place))
        known = {card.id for card in self.dealt}
        fresh = [card for card in here if card.id not in known]
        if any(card.missed_ns is None for card in here):
            self.seen_ns = t_ns
        self.origins += [(card.x, card.y) for card in fresh if not self.dealt]
        self.dealt += fresh
        return fresh

    def swap_shown(self, other: "HandWatch") -> None:
        """Exchange what was shown with another hand: each was taken for the other."""
        for name in ("shown", "shown_ns", "cleared_ns", "counts", "faces"):
            mine, theirs = getattr(self, name), getattr(other, name)
            setattr(self, name, theirs)
            setattr(other, name, mine)

    def is_empty(self, tracker: Tracker) -> bool:
        """Say whether no card lies at its place any more."""
        return not tracker.cards_on(zone_of(self.place))

    def is_pushed(self, tracker: Tracker, t_ns: int, inward: tuple[float, float]) -> bool:
        """Say whether its cards were pushed forward from where they first lay, as one who folds does."""
        here = [card for card in tracker.cards_on(zone_of(self.place)) if card.seen_ns == t_ns]
        if not here or not self.origins:
            return False
        x, y = (sum(values) / len(self.origins) for values in zip(*self.origins, strict=True))
        ways = [(card.x - x) * inward[0] + (card.y - y) * inward[1] for card in here]
        return bool(sum(ways) / len(ways) >= PUSHED_MM)

    def faces_up(self, tracker: Tracker, t_ns: int) -> list[CardTrack]:
        """Return the cards at its place whose faces show now."""
        here = tracker.cards_on(zone_of(self.place))
        return [card for card in here if card.is_up and card.seen_ns == t_ns and _is_legible(card)]

    def turned(self, tracker: Tracker, t_ns: int, *, is_up: bool) -> int:
        """Return how many cards at its place show this side, read or not; each may be missed for a moment."""
        here = [card for card in tracker.cards_on(zone_of(self.place)) if t_ns - card.seen_ns <= FLICKER_NS]
        return len(_apart([card for card in here if card.is_up is is_up and card.up_looks >= 2]))

    def count_shown(self, here: list[CardTrack], t_ns: int, *, is_plain: bool) -> None:
        """Note how many of its cards lie open: by faces, of which a card told twice has one, and at most."""
        sure = [card for card in here if card.seen_ns == t_ns and is_read_well(card)]
        _note(self.faces, t_ns, len({card.best()[0] for card in _apart(sure)}), SEEN_NS)
        if is_plain:
            _note(self.counts, t_ns, len(here), COUNTED_NS)
            self.most = max(self.most, self.faces[-1][1])
        else:
            self.counts.clear()

    def shown_number(self, want: int) -> int | None:
        """Return how many cards were shown, where it is surely another number than wanted."""
        seen, there = ([number for _, number in counts] for counts in (self.faces, self.counts))
        if _lasts(self.faces, MORE_NS) and sum(number > want for number in seen) >= MOSTLY * len(seen):
            return max(seen)
        is_short = _lasts(self.counts, SURE_NS) and SOME < max(there) < want
        return max(there) if is_short and max(there) == self.most else None  # all are read, and never were there more


def _note(counts: deque[tuple[int, int]], t_ns: int, number: int, kept_ns: int) -> None:
    counts.append((t_ns, number))
    while t_ns - counts[0][0] > kept_ns:
        counts.popleft()


def _lasts(counts: deque[tuple[int, int]], least_ns: int) -> bool:
    return bool(counts) and counts[-1][0] - counts[0][0] >= least_ns


def is_read_well(card: CardTrack) -> bool:
    """Say whether a face showed beyond doubt, though it may be hidden again."""
    face, _ = card.best()
    return face is not None and card.read >= LOOKS and card.mean_of(face) >= PLAIN


def _apart(cards: Sequence[CardTrack]) -> list[CardTrack]:
    """Return cards without those that may be one of the others, told twice."""
    kept: list[CardTrack] = []
    for card in cards:
        if all(_away_mm(card, other) >= APART_MM for other in kept):
            kept.append(card)
    return kept


def _away_mm(card: CardTrack, other: CardTrack) -> float:
    return abs(card.x - other.x) + abs(card.y - other.y)


def _is_legible(card: CardTrack) -> bool:
    """Say whether a face shows beyond doubt: seen twice, and read."""
    return card.up_looks >= 2 and card.read > 0 and card.best()[1] >= LEGIBLE


def seat_place(seat: int) -> Place:
    """Return the place of a seat's hand."""
    return (SEAT, seat)
