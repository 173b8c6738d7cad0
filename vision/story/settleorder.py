"""The order of the settlement: pays and takes enter as they are told; those that came before their turn leave.

Chips are told some moments after the dealer's hand was there, when the next thing may have been done already. So what
was done is held for a while against the round as it stood then, and told once sights prove what was due first: another
seat's chips and hand still lie there, or the hand itself lay closed at its place after its chips were settled.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from vision.observe.tracks import CardTrack
from vision.rules.play.allowed import allowed
from vision.rules.play.dealscript import SEAT
from vision.rules.play.ruling import Ruling
from vision.rules.play.settling import Settling
from vision.story.floor import Floor
from vision.story.hands import HandWatch, seat_place
from vision.story.playing import Happening, RoundInPlay, Step
from vision.values.codes import Code

ORDER: Final = Code.SETTLE_ORDER
KEPT_NS: Final = 4_000_000_000  # for which proof may come
RECENT_NS: Final = 1_000_000_000  # seen so recently: still there
AFTER_NS: Final = 300_000_000  # a hand that was seen so long after lay there while its chips were settled


class SettleOrder:
    """Holds the settlement of one table against the turns of its seats."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    def note(self, played: RoundInPlay, t_ns: int, event: Settling, *, is_clear: bool) -> None:
        """Remember what the dealer settles, before it is folded into the round; `is_clear`: it is surely this wager."""
        spec = self._floor.game.wagers.get(event.wager)
        is_collected = spec is not None and spec.taken is not None  # before the deal; what lies there now is not it
        is_judged = played.revealed_ns is not None and played.state.void is None and event.seat not in played.doubtful
        if is_judged and not is_collected:
            played.settled.append(Step(t_ns, self._floor.now_ns, event, played.state, is_clear))

    def watch(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell what came before its turn, once for each seat."""
        now_ns = self._floor.now_ns
        played.settled = [step for step in played.settled if now_ns - step.told_ns <= KEPT_NS]
        for step in list(played.settled):
            ruling = self._ruling(played, step) if step.event.seat not in played.out_of_turn else None
            if ruling is not None:
                played.out_of_turn.add(step.event.seat)
                yield Happening(step.t_ns, step.event, 0.9, ruling, (step.t_ns, now_ns))

    def _ruling(self, played: RoundInPlay, step: Step) -> Ruling | None:
        """Return what the rules say to a step, where it is proved that it came too soon."""
        seat, before = step.event.seat, step.before
        if self._lay_closed(played, step):
            unseen = {place: number for place, number in before.turned.items() if place != (SEAT, seat)}
            before = replace(before, turned=unseen)
        elif not self._goes_before_others(played, step):
            return None
        ruling = allowed(before, step.event)
        return ruling if ruling.code == ORDER else None

    def _lay_closed(self, played: RoundInPlay, step: Step) -> bool:
        """Say whether the seat's hand was seen to lie closed at its place after its chips were settled."""
        hand = played.hand(seat_place(step.event.seat))
        if step.t_ns <= (played.revealed_ns or 0) and not self._plays_on(played, hand):
            return False  # who gives up loses the stake before the reveal
        is_later = hand.shown_ns is None or hand.shown_ns > step.t_ns + AFTER_NS
        closed_ns = max((card.seen_ns for card in hand.dealt if not card.is_up), default=0)
        is_shown = any(card.first_ns <= step.t_ns for card in self._floor.shown_cards())
        return is_later and not is_shown and closed_ns >= step.t_ns + AFTER_NS

    def _plays_on(self, played: RoundInPlay, hand: HandWatch) -> bool:
        """Say whether a seat's raise is seen to stand, and its cards were not pushed forward."""
        seat, now_ns = hand.place[1] or 0, self._floor.now_ns
        raises = [played.spots[seat, raised.id] for raised in self._floor.game.decisions]
        stands = any(s.seen_ns >= now_ns - RECENT_NS for spot in raises for s in spot.lying(self._floor.tracker))
        return stands and not hand.is_pushed(self._floor.tracker, now_ns, self._floor.inward[seat])

    def _goes_before_others(self, played: RoundInPlay, step: Step) -> bool:
        """Say whether a seat whose turn it was waits still; the order of a seat's own wagers is seen too unsurely."""
        seat = step.event.seat
        waiting = [other for other in reversed(played.seats()) if other > seat and step.before.live(other)]
        is_shown = played.hand(seat_place(seat)).shown_ns is not None
        is_known = is_shown and step.is_clear
        return is_known and bool(waiting) and self._are_gone(played, seat) and self.waits(played, waiting[0])

    def _are_gone(self, played: RoundInPlay, seat: int) -> bool:
        """Say whether the chips of a seat that were told as taken are still away."""
        mine = [spot for spot in played.spots.values() if spot.seat == seat and spot.is_taking_told]
        seen_ns = [stack.seen_ns for spot in mine for stack in spot.stakes]
        return all(self._floor.now_ns - t_ns >= RECENT_NS for t_ns in seen_ns)

    def waits(self, played: RoundInPlay, seat: int) -> bool:
        """Say whether a seat's chips still stand, seen just now, and its hand lies at its place and is not shown."""
        live = [played.spots[seat, wager] for wager in played.state.live(seat)]
        hand = played.hand(seat_place(seat))
        recent = [stack.seen_ns >= self._floor.now_ns - RECENT_NS for spot in live for stack in spot.stakes]
        return hand.shown_ns is None and any(recent) and bool(self._lying(hand))

    def _lying(self, hand: HandWatch) -> list[CardTrack]:
        """Return the cards before a seat, at their place or pushed forward, that were seen just now."""
        here = [card for card in self._floor.tracker.cards if card.is_there and card.zone.seat == hand.place[1]]
        return [card for card in here if card.seen_ns >= self._floor.now_ns - RECENT_NS]
