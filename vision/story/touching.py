"""Hands on cards: the hands over a table enter; a stranger's hand on a seat's cards leaves.

A hand is seen as the box around its whole arm, so whose it is shows only where it comes from: the owner's arm lies
behind the cards, the dealer's before them, a neighbour's beside them. Told is the arm from beside that stays with its
end on the cards. At the ends of the table it may be the owner's: nothing is told there.
"""

from collections.abc import Iterator
from math import hypot
from typing import Final

from vision.observe.hand_history import Box, is_inside
from vision.rules.play import events as ev
from vision.rules.play.ruling import YES
from vision.story.floor import Floor
from vision.story.hands import seat_place, zone_of
from vision.story.playing import Happening, RoundInPlay

STAYS_NS: Final = 400_000_000  # a hand that only passes is gone by then
BESIDE: Final = 1.5  # times as far to the side as to the front or back lies the middle of an arm that comes from beside
ASIDE_MM: Final = 200.0  # and so far at least: half of what lies between two seats
END_MM: Final = 180.0  # the end of an arm is so near to what it touches; a sleeve is that wide
AT_MM: Final = 45.0  # half the width of a hand of cards


class Touching:
    """Watches the players' cards of one table."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._since_ns: dict[int, int] = {}  # by seat: since when a stranger's hand seems to be on its cards
        self._told: set[tuple[int, int]] = set()  # round and seat

    def watch(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell hands on cards that are neither the player's nor the dealer's, until the first hand is shown."""
        if not played.state.deal_is_over or played.is_joined or played.shown_cards or played.state.void is not None:
            self._since_ns.clear()
            return
        for seat in played.seats():
            if seat in (self._floor.seats[0], self._floor.seats[-1]):  # there the owner's arm may come from beside
                continue
            boxes = [box for box in self._floor.tracker.reaches.boxes if self._is_strange(seat, box)]
            if not boxes or not self._lies_there(played, seat):
                self._since_ns.pop(seat, None)
                continue
            since_ns = self._since_ns.setdefault(seat, self._floor.now_ns)
            if self._floor.now_ns - since_ns >= STAYS_NS and (played.number, seat) not in self._told:
                self._told.add((played.number, seat))
                event = ev.Touch(seat, ev.Hand.STRANGER)
                told = played.tell(self._floor.now_ns, since_ns, event, 0.8)
                if told.ruling is not YES:
                    yield told

    def _lies_there(self, played: RoundInPlay, seat: int) -> bool:
        """Say whether a seat's cards lie at their place: what a hand covers is not gone."""
        place = seat_place(seat)
        return bool(played.hand(place).dealt and self._floor.tracker.cards_on(zone_of(place)))

    def _is_strange(self, seat: int, box: Box) -> bool:
        """Say whether an arm comes to a seat's cards from beside, and ends there."""
        (x, y), (along, across) = self._floor.layout.seat_at(seat).cards.centre, self._floor.inward[seat]
        if not is_inside(box, x, y, AT_MM):
            return False
        left, top, right, bottom = box
        u, v = (left + right) / 2 - x, (top + bottom) / 2 - y
        inward, aside = abs(u * along + v * across), abs(v * along - u * across)
        ends = [hypot(end_x - x, end_y - y) for end_x in (left, right) for end_y in (top, bottom)]
        return aside >= max(BESIDE * inward, ASIDE_MM) and min(ends) <= END_MM
