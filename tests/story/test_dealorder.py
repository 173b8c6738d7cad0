"""The order of a deal: who was served before whose turn, where every card was seen to come."""

import pytest
from things import TICK_NS, card

from vision.observe.evidence import CardTrack
from vision.story.dealorder import arrivals_at, out_of_turn
from vision.story.hands import HandWatch, seat_place
from vision.table.zones import Zone

SEATS = (2, 3, 5)
SWAPPED_FIRST, SWAPPED_LATER = [3, 2, 5, 2, 3, 5], [2, 3, 5, 2, 5, 3]


@pytest.mark.parametrize(
    ("order", "found"),
    [
        ([2, 3, 5, 2, 3, 5], None),  # in turn
        ([2, 3, 5, 2], None),  # as far as it has come
        (SWAPPED_FIRST, ((0, 3), 2)),
        (SWAPPED_LATER, ((4, 5), 3)),  # in a later lap
        ([3], None),  # the other seat's card may only be seen late
        ([2, 3, 5, 3, 5], None),  # a card of seat 2 was not seen: nothing is sure
        ([3, 2, 5, 3, 2, 5], None),  # twice is how this table deals, or how it is seen
        ([2, 3, 3, 5, 2], None),  # a card that was put right
        ([5, 3, 2], None),  # more than two in each other's place
    ],
)
def test_a_card_before_its_turn(order: list[int], found: tuple[tuple[int, int], int] | None) -> None:
    assert out_of_turn(list(enumerate(order)), SEATS) == found


def test_a_card_that_falls_on_another_is_an_arrival() -> None:
    place = Zone(2, "cards")
    track = CardTrack(1, place, 0.0, 0.0, 0, 0, is_there=True)
    for tick in range(1, 30):
        x = 0.0 if tick < 10 else 9.0 if tick < 20 else 18.0
        track.at(card(x, 0.0, zone=place), tick * TICK_NS)
    hand = HandWatch(seat_place(2), dealt=[track])
    assert arrivals_at(hand, 0) == [0, 10 * TICK_NS, 20 * TICK_NS]
    assert arrivals_at(hand, 15 * TICK_NS) == [20 * TICK_NS]
