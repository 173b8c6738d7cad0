"""The order of a deal: when cards came to lie at the seats enters; the seat that was served before its turn leaves.

A card that falls on another is no new thing, but the place looks otherwise from one look to the next. A deal of which
every card was seen to come in turn, but for two that changed places, was dealt out of order; a deal of which any other
card is missing or too many was not seen well enough to say.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from vision.story.hands import HandWatch

TOGETHER_NS: Final = 220_000_000  # what is seen of one card within this time is one arrival; none is dealt faster
ARRIVED_NS: Final = 300_000_000  # an arrival is so old before it is believed: one that came before it is known by then
Arrival = tuple[int, int]  # time, seat


def arrivals_at(hand: HandWatch, since_ns: int) -> list[int]:
    """Return when cards came to lie at a hand's place."""
    seen = sorted(t_ns for card in hand.dealt for t_ns in (card.first_ns, *card.jumps_ns) if t_ns >= since_ns)
    return seen[:1] + [later for earlier, later in pairwise(seen) if later - earlier > TOGETHER_NS]


def out_of_turn(arrivals: Sequence[Arrival], seats: Sequence[int]) -> tuple[Arrival, int] | None:
    """Return the card that came before its turn, and the seat whose turn it was, if all others came in turn."""
    order = [seat for _, seat in sorted(arrivals)]
    found: tuple[Arrival, int] | None = None
    i = 0
    while i < len(order):
        due, following = seats[i % len(seats)], seats[(i + 1) % len(seats)]
        if order[i] == due:
            i += 1
        elif found is None and order[i : i + 2] == [following, due]:
            found = sorted(arrivals)[i], due
            i += 2
        else:
            return None
    return found
