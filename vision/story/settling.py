"""The settlement: chips that come and go after the reveal enter; pays, takes and clears leave."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from vision.observe.tracks import StackTrack
from vision.rules.play import events as ev
from vision.rules.play.allowed import allowed
from vision.rules.play.settling import Settling as Settled
from vision.story.floor import Floor
from vision.story.hands import DEALER, WORK, seat_place, zone_of
from vision.story.playing import IRREGULAR, Happening, RoundInPlay
from vision.story.settleorder import SettleOrder
from vision.story.showing import Showing
from vision.story.spots import TRIP_NS, UNDUE_NS, Spot
from vision.values.codes import Code

EMPTY_NS: Final = 1_000_000_000  # without any card: the round is over
DEALING_NS: Final = 5_000_000_000  # the same before the reveal: cards that are dealt may not be found
RETURNED_NS: Final = 500_000_000  # after chips went in a void round: if they were pushed to their owner they are seen
PUSHED_MM: Final = 180.0  # towards the player: so near to its spot a stake is seen again that is given back


class Settling:
    """Watches the dealer settle one table."""

    def __init__(self, floor: Floor, showing: Showing) -> None:
        self._floor, self._showing = floor, showing
        self._order = SettleOrder(floor)

    def watch(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell what was paid, taken and cleared, and note when the round is over."""
        for spot in played.spots.values():
            if spot.seat in played.seats():
                self._note_pushed(played, spot)
                yield from self._paid(played, spot)
                yield from self._taken(played, spot)
        yield from self._order.watch(played)
        yield from self._settled_late(played)
        yield from self._cleared(played)
        if played.state.void is not None and self._goes_on(played):
            yield from self._not_returned(played)
        self._watch_end(played)

    def _paid(self, played: RoundInPlay, spot: Spot) -> Iterator[Happening]:
        if played.revealed_ns is None and played.state.void is None:
            return
        if spot.taken_by != "dealer" and played.hand(seat_place(spot.seat)).cleared_ns is None:
            spot.glimpse(self._floor.tracker, played.revealed_ns or played.closed_ns or 0)
        is_paying = played.state.void is None
        is_due = played.hand(seat_place(spot.seat)).shown_ns is not None
        for stack in spot.new_stacks(self._floor.tracker, is_paying=is_paying, is_due=is_due):
            cents, p = stack.value
            if played.state.void is not None and _comes_back(spot, stack):
                spot.late.append(stack)  # out of the tray
                spot.is_pushed = True
                yield self._tell(played, stack.first_ns, ev.GiveBack(spot.seat, spot.wager), p)
                continue
            if spot.is_sensor and stack.zone == spot.zones[0]:
                spot.late.append(stack)  # its lamp, or chips that lie where none are paid
                spot.is_glimpsed = True
                continue
            put_by = self._floor.putter(stack, spot.seat)
            is_pushed_here = played.state.void is not None and not spot.stakes  # on its way back from another spot
            is_older = stack.first_ns < (played.revealed_ns or 0)
            if put_by == "player" or is_pushed_here or is_older:
                spot.late.append(stack)  # the player's own chips, given back, or left from before: no payment
                continue
            is_clear = self._floor.is_clearly_at(stack, spot.seat, spot.wager)
            spot.pay(
                stack, is_dealers=put_by == "dealer", is_between=not is_clear and self._pays_beside(played, spot, stack)
            )
            spot.forget_glimpses()
            self._showing.claim(played, spot.seat)
            event = ev.Pay(spot.seat, spot.wager, cents or 0)
            is_beside = stack.zone != spot.zones[0]  # on the spot itself it may be the stake, pushed a little
            if is_beside and put_by == "dealer":
                self._order.note(played, stack.first_ns, event, is_clear=is_clear)
            yield self._tell(played, stack.first_ns, event, p)

    def _pays_beside(self, played: RoundInPlay, spot: Spot, stack: StackTrack) -> bool:
        """Say whether chips lie between a spot and another of the same seat that is just being paid."""
        for other in played.spots.values():
            last = other.payments[-1] if other.seat == spot.seat and other.payments else None
            is_running = other is not spot and last is not None and abs(stack.first_ns - last.end_ns) <= TRIP_NS
            if is_running and not self._floor.is_clearly_off(stack, spot.seat, spot.wager, other.wager):
                return True
        return False

    def _taken(self, played: RoundInPlay, spot: Spot) -> Iterator[Happening]:
        is_standing = spot.is_standing(self._floor.tracker)
        if spot.taken_ns is not None and is_standing and not spot.is_taking_told:
            spot.taken_ns = None  # it was only missed
        if spot.stakes and spot.taken_ns is None and not is_standing:
            spot.taken_ns = self._floor.now_ns
            spot.taken_by = self._floor.taker(max(spot.stakes, key=lambda stack: stack.seen_ns), spot.seat)
        is_settling = played.revealed_ns is not None or played.state.void is not None
        is_forfeit = spot.seat in played.state.folded
        if spot.taken_ns is None or spot.is_taking_told or not (is_settling or is_forfeit):
            return
        revealed_ns = played.revealed_ns
        if spot.taken_by == "player" and revealed_ns is not None and spot.taken_ns <= revealed_ns:
            return  # taken back before the reveal: that is told of a wager
        is_due = is_forfeit or played.hand(seat_place(spot.seat)).shown_ns is not None
        is_void = played.state.void is not None
        patience_ns = UNDUE_NS if not is_due else RETURNED_NS if is_void else 0
        if self._floor.now_ns - spot.taken_ns < patience_ns:
            return  # the hand that fetches the cards may hide it, or it may be pushed to its owner
        spot.is_taking_told = True
        spec = self._floor.game.stakes[spot.wager]
        if spec.taken is not None:
            return  # it was collected before the deal, a moment after the last look at it
        since_ns = max(stack.seen_ns for stack in spot.stakes)
        if is_void and (spot.taken_by != "dealer" or spot.is_pushed):
            yield self._tell(played, since_ns, ev.GiveBack(spot.seat, spot.wager), 0.7)
        elif spot.taken_by != "player" and not spot.payments and played.hand(seat_place(spot.seat)).cleared_ns is None:
            is_clear = spot.taken_by == "dealer"
            event = ev.Take(spot.seat, spot.wager)
            if is_clear:
                self._showing.claim(played, spot.seat)
                self._order.note(played, since_ns, event, is_clear=True)
            yield self._tell(played, since_ns, event, 0.8)

    def _note_pushed(self, played: RoundInPlay, spot: Spot) -> None:
        """Note that a stake which leaves its spot in a void round is seen again, nearer to its player."""
        if played.state.void is None or not spot.stakes or spot.is_pushed:
            return
        seen_ns = max(stack.seen_ns for stack in spot.stakes)
        fresh = [s for s in self._floor.tracker.stacks if s not in spot.stakes and s.first_ns >= seen_ns]
        if seen_ns == self._floor.now_ns:
            return
        spot.is_pushed = any(self._floor.is_before(stack, spot.seat, spot.wager, PUSHED_MM) for stack in fresh)

    def _tell(self, played: RoundInPlay, t_ns: int, event: Settled, p: float) -> Happening:
        is_void = played.state.void is not None
        is_first = not self._is_told_void(played) and next(self._kept(played), None) is None
        return played.tell(self._floor.now_ns, t_ns, event, p, is_proved=is_void and is_first)

    def _is_told_void(self, played: RoundInPlay) -> bool:
        """Say whether it was told already that a void round is settled: that is one mistake, not one for each wager."""
        return any(happening.ruling.code == Code.VOID_NOT_HONOURED for happening in played.happenings)

    # ---- Clearing

    def _settled_late(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell hands that were cleared too early, now that the dealer settles what stood there still."""
        for seat, cleared in list(played.cleared_early.items()):
            mine = [spot for spot in played.spots.values() if spot.seat == seat]
            if any(_is_settled_after(spot, cleared.t_ns) for spot in mine):
                del played.cleared_early[seat]
                yield replace(cleared, span=(cleared.t_ns, self._floor.now_ns))

    def _cleared(self, played: RoundInPlay) -> Iterator[Happening]:
        tracker = self._floor.tracker
        alive = {card.id for card in tracker.cards}
        for hand in played.hands.values():
            is_shown = hand.shown_ns is not None and hand.cleared_ns is None
            if is_shown and not any(card.id in alive for card in hand.shown) and not self._floor.shown_cards():
                yield self._showing.cleared(played, hand)
        dealer = played.hand(DEALER)
        if played.revealed_ns is not None and dealer.cleared_ns is None and dealer.is_empty(tracker):
            dealer.cleared_ns = self._floor.now_ns
            proved = any(self._order.waits(played, seat) for seat in played.seats())
            event = ev.Clear(DEALER[0])
            yield played.tell(self._floor.now_ns, self._floor.now_ns, event, 0.9, is_proved=proved)
            yield from self._not_returned(played)

    def _not_returned(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell chips that were settled before it came out that the round is void, and were not given back."""
        if played.state.void is None or self._is_told_void(played):
            return
        first = next(self._kept(played), None)
        if first is not None and isinstance(first.event, Settled):
            span = (first.t_ns, self._floor.now_ns)
            yield replace(first, ruling=allowed(played.state, first.event), span=span)

    def _kept(self, played: RoundInPlay) -> Iterator[Happening]:
        """Yield what was paid and taken, and not given back."""
        events = [happening.event for happening in played.happenings]
        returned = {(event.seat, event.wager) for event in events if isinstance(event, ev.GiveBack)}
        for happening in played.happenings:
            event = happening.event
            if isinstance(event, ev.Pay | ev.Take) and (event.seat, event.wager) not in returned:
                yield happening

    def _goes_on(self, played: RoundInPlay) -> bool:
        """Say whether the dealer pays or takes in a round that is known to be void."""
        void_ns = next((h.t_ns for h in played.happenings if h.ruling.code in IRREGULAR), self._floor.now_ns)
        return any(isinstance(h.event, ev.Pay | ev.Take) and h.t_ns > void_ns for h in played.happenings)

    def _watch_end(self, played: RoundInPlay) -> None:
        """End the round when no card has been on the layout for a while."""
        zones = {zone_of(place) for place in played.hands} | {WORK}
        dealer = played.hand(DEALER)
        is_away = bool(dealer.dealt) and dealer.is_empty(self._floor.tracker)
        since_ns = dealer.cleared_ns or (dealer.seen_ns if is_away else 0)  # what was not seen since is under no arm
        here = (card for card in self._floor.tracker.cards if card.is_there and card.seen_ns > since_ns)
        is_empty = not any(card.zone in zones for card in here)
        is_hidden = self._floor.is_covered(zone_of(DEALER), WORK)
        is_given_up = played.state.folded.issuperset(played.seats())
        is_expected = played.revealed_ns is not None or played.state.void is not None or is_given_up
        limit_ns = EMPTY_NS if is_expected else DEALING_NS
        if not is_empty or not any(hand.dealt for hand in played.hands.values()):
            played.emptied_ns = None
        elif played.emptied_ns is None:
            played.emptied_ns = self._floor.now_ns
        played.was_empty = played.was_empty or self._is_empty_since(played, EMPTY_NS)
        if self._is_empty_since(played, limit_ns) and not is_hidden:
            played.ended_ns = self._floor.now_ns

    def _is_empty_since(self, played: RoundInPlay, patience_ns: int) -> bool:
        return played.emptied_ns is not None and self._floor.now_ns - played.emptied_ns >= patience_ns


def _comes_back(spot: Spot, stack: StackTrack) -> bool:
    """Say whether chips are those of a wager that was taken before the round was void."""
    return spot.collected is not None or (spot.is_taking_told and spot.stake.may_be(stack.value[0] or 0))


def _is_settled_after(spot: Spot, t_ns: int) -> bool:
    """Say whether the dealer surely paid or took a wager after a time."""
    paid = [stack for payment in spot.payments if payment.is_dealers for stack in payment.stacks]
    is_taken = spot.taken_by == "dealer" and spot.taken_ns is not None and spot.taken_ns > t_ns
    seen_ns = max((stack.seen_ns for stack in spot.stakes), default=0)
    return any(stack.not_before_ns > t_ns for stack in paid) or (is_taken and seen_ns > t_ns)
