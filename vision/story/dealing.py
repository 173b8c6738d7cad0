"""The deal: cards that come to lie at hands' places enter; deliveries in the rule book's words leave.

Cards fall on cards, and the dealing hand hides what it deals. So as many are told as were to come, in the order in
which they were to come, unless it is proved that they came otherwise: a place was seen bare after another got its card.
"""

from collections.abc import Iterator
from typing import Final

from vision.observe.tracks import CardTrack
from vision.rules.play import events as ev
from vision.rules.play.dealscript import SEAT, Delivery, Place, name_of
from vision.rules.play.ruling import Reason, Ruling, numbers
from vision.story.dealorder import ARRIVED_NS, arrivals_at, out_of_turn
from vision.story.floor import Floor
from vision.story.hands import DEALER, is_read_well, seat_place, zone_of
from vision.story.playing import Happening, RoundInPlay
from vision.values.codes import Code

HELD_NS: Final = 600_000_000  # deliveries wait so long before they are told, in case an earlier one is seen late
SINGLE_NS: Final = 1_800_000_000  # the same for single cards, which the dealing hand hides for longer
LIES_NS: Final = 1_600_000_000  # a card out of turn must lie so long to be one
BEFORE_NS: Final = 500_000_000  # a card is on its way for so long before it lies there
ORDER: Final = Code.DEAL_ORDER
QUIET_NS: Final = 2_500_000_000  # without a new card: the deal is over


class Dealing:
    """Watches the deal of one table."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    @property
    def is_by_packets(self) -> bool:
        """Say whether whole hands are delivered at once."""
        return self._floor.sheet.deal_method == "automated"

    def watch(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell what was delivered."""
        floor = self._floor
        for place in floor.places():
            fresh = played.hand(place).look(floor.tracker, floor.now_ns)
            if fresh and not played.state.deal_is_over:
                played.last_card_ns = floor.now_ns
                played.waiting += fresh
        if played.state.deal_is_over:
            played.waiting = []
            return
        yield from self._out_of_turn(played)
        played.waiting = [card for card in played.waiting if card in floor.tracker.cards]  # what vanished was no card
        for place, cards in self._deliveries(played):
            if self._has_room(played, place):
                yield from self._delivered(played, place, cards)
        if not played.waiting and self._is_over(played):
            played.apply(ev.DealOver())
            self._floor.deals.append(self._is_in_order(played))

    def _is_in_order(self, played: RoundInPlay) -> bool:
        """Say whether the first card of every place was seen, and none before that of the place before it."""
        places = dict.fromkeys(delivery.place for delivery in played.state.deal.script)
        first = [min((card.first_ns for card in played.hand(place).dealt), default=None) for place in places]
        seen = [t_ns for t_ns in first if t_ns is not None]
        return len(seen) == len(first) and seen == sorted(seen)

    def _deliveries(self, played: RoundInPlay) -> Iterator[tuple[Place, list[CardTrack]]]:
        """Yield what was delivered, in order of first sight; packets come together, single cards one by one."""
        if not self.is_by_packets:
            yield from self._one_by_one(played)
            return
        packets: dict[Place, list[CardTrack]] = {}
        for card in sorted(played.waiting, key=lambda card: (card.first_ns, card.id)):
            packets.setdefault(self._floor.place_of(card), []).append(card)
        for place, cards in packets.items():
            if self._floor.now_ns - cards[-1].first_ns >= HELD_NS:
                played.waiting = [card for card in played.waiting if card not in cards]
                yield place, cards

    def _one_by_one(self, played: RoundInPlay) -> Iterator[tuple[Place, list[CardTrack]]]:
        """Yield single cards: the earliest seen, unless one that is due by the script may have come before it."""
        place_of = self._floor.place_of
        while played.waiting:
            earliest = min(played.waiting, key=lambda card: (card.first_ns, card.id))
            if self._floor.now_ns - earliest.first_ns < SINGLE_NS:
                return
            expected = played.state.deal.expected()
            due = [
                card
                for card in played.waiting
                if expected is not None and place_of(card) == expected.place and card.not_before_ns <= earliest.first_ns
            ]
            card = due[0] if due else earliest
            played.waiting.remove(card)
            self._assume_hidden(played, place_of(card))
            yield place_of(card), [card]

    def _assume_hidden(self, played: RoundInPlay, place: Place) -> None:
        """Take cards for dealt that may lie unseen on or under others: only an empty place was surely passed over."""
        while (expected := played.state.deal.expected()) is not None and expected.place != place:
            if not played.state.dealt.get(expected.place) or not played.hand(place).dealt:
                return
            played.apply(ev.Deal(expected.zone, expected.seat, expected.cards, expected.face_up))

    def _has_room(self, played: RoundInPlay, place: Place) -> bool:
        """Say whether a hand still waits for cards: one that moved, or was seen late, is not dealt again."""
        return played.state.dealt.get(place, 0) < self._floor.counts.get(place[0], 0)

    def _delivered(self, played: RoundInPlay, place: Place, cards: list[CardTrack]) -> Iterator[Happening]:
        """Tell a delivery. Cards under others cannot be counted yet, so as many are told as were to come."""
        up = [card for card in cards if card.is_up and (card.read if place == DEALER else is_read_well(card))]
        deal = played.state.deal
        script = [d for i, d in enumerate(deal.script) if d.place == place and i not in deal.done]
        left, faces = len(cards), len(up)
        for delivery in script if self.is_by_packets else _single(script, is_up=place == DEALER and bool(up)):
            shows = min(faces, delivery.cards) if delivery.face_up or len(script) == 1 else 0
            shows = delivery.face_up if place == DEALER and shows < delivery.face_up else shows
            yield self._tell(played, delivery, cards, shows)
            left, faces = left - delivery.cards, faces - shows
            if left <= 0:
                break

    def _tell(self, played: RoundInPlay, delivery: Delivery, cards: list[CardTrack], shows: int) -> Happening:
        event = ev.Deal(delivery.zone, delivery.seat, delivery.cards, shows)
        expected = played.state.deal.expected()
        is_due = expected is None or expected.place == delivery.place
        proved = shows > delivery.face_up if is_due else self._is_order_proved(played, delivery.place, cards)
        told = played.tell(self._floor.now_ns, cards[0].first_ns, event, 0.9, is_proved=proved)
        played.is_order_told = played.is_order_told or told.ruling.code == ORDER
        return told

    def _is_order_proved(self, played: RoundInPlay, place: Place, cards: list[CardTrack]) -> bool:
        """Say whether a place got cards while the one whose turn it was lay bare for all to see."""
        expected = played.state.deal.expected()
        if expected is None or not self._floor.sees_deals or played.is_order_told:
            return False
        if place[1] is not None and place[1] not in played.seats():
            return False
        passed = played.hand(expected.place)
        first_ns = min(card.first_ns for card in cards)
        if not any(card.seen_ns - card.first_ns >= LIES_NS for card in cards):
            return False
        if played.state.dealt.get(expected.place) or played.state.dealt.get(place):
            return False  # which of several cards at a place came later cannot be told
        if self._floor.tracker.was_glimpsed(zone_of(expected.place), (played.closed_ns or 0) - BEFORE_NS, first_ns):
            return False  # a card may lie there that is hardly found
        if passed.dealt:
            return min(card.not_before_ns for card in passed.dealt) > first_ns
        return False

    def _out_of_turn(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell a card that came before its turn, where all others were seen to come in turn."""
        floor, is_sure = self._floor, self._floor.tracker.misses_nothing
        is_open = bool(floor.sheet.house.options.get("cards_dealt_face_up")) and not self.is_by_packets
        if played.is_order_told or is_open or not (is_sure or floor.sees_deals):
            return  # a hand that turns every card where it falls hides when it came
        if floor.game.file.order.deal_force == "house":
            return
        since_ns = (played.closed_ns or 0) - BEFORE_NS
        came = {seat: arrivals_at(played.hand(seat_place(seat)), since_ns) for seat in played.seats()}
        laps = floor.counts[SEAT] if is_sure and not self.is_by_packets else 1
        known = [(t, s) for s, times in came.items() for t in times[:laps] if floor.now_ns - t >= ARRIVED_NS]
        found = out_of_turn(known, played.seats())
        if found is not None:
            (t_ns, seat), due = found
            played.is_order_told = True
            cite = played.state.deal.script[0].cite
            about = numbers(place=name_of(seat_place(seat)), due_place=name_of(seat_place(due)))
            ruling = Ruling(ORDER, Reason.DEALT_OUT_OF_TURN, cite, seat=seat, numbers=about)
            yield Happening(t_ns, ev.Deal(SEAT, seat, 1, 0), 0.9, ruling, (t_ns, floor.now_ns))

    def _is_over(self, played: RoundInPlay) -> bool:
        """Say whether no more cards will come: all are there, or for a while none came."""
        return played.state.is_dealt() or self._floor.now_ns - played.last_card_ns > QUIET_NS


def _single(script: list[Delivery], *, is_up: bool) -> list[Delivery]:
    """Return the delivery that a single card is: one that lies open is the card to be shown, if others were missed."""
    shown = [delivery for delivery in script if delivery.face_up]
    return (shown if is_up and shown else script)[:1]
