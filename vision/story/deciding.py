"""Decisions: chips on the raise spots and hands that are given up enter; raises and folds leave."""

from collections.abc import Iterator
from typing import Final

from vision.observe.evidence import CLEAR, CLEAR_LOOKS
from vision.observe.tracks import StackTrack
from vision.rules.play import events as ev
from vision.rules.play.bets import objections
from vision.rules.text.gamefile import TimesRow
from vision.story.amounts import Amount
from vision.story.floor import Floor
from vision.story.hands import HandWatch, seat_place, zone_of
from vision.story.playing import Happening, RoundInPlay
from vision.story.spots import Spot
from vision.values.codes import Code

EARLY_NS: Final = 2_500_000_000  # chips on a raise spot during the deal must stand so long to be believed
DEALING_NS: Final = 1_000_000_000  # after the last card that came, the deal surely goes on
GIVEN_UP_NS: Final = 2_000_000_000  # cards must be away so long; one who raises moves them too
RECENT_NS: Final = 450_000_000  # seen so recently: still there
NEARLY: Final = 1.2  # a raise that is off by less is read wrong more often than made wrong
CONFIRMED: Final = 12  # readings of both stakes before their proportion is judged; fewer where all say the same


class Deciding:
    """Watches the players' decisions at one table."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    def watch(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell raises and folds as they are made."""
        if played.state.void is not None:
            return
        raises = [s for s in played.spots.values() if self._floor.is_raise(s.wager) and s.seat in played.seats()]
        for spot in raises:
            yield from self._out_of_range(played, spot)
        if played.revealed_ns is not None:
            yield from self._seen_late(played, played.revealed_ns)
            return
        for spot in raises:
            yield from self._raised(played, spot)
        if played.state.is_dealt():
            for seat in played.seats():
                yield from self._folded(played, seat)

    def _raised(self, played: RoundInPlay, spot: Spot) -> Iterator[Happening]:
        floor, seat = self._floor, spot.seat
        here = [s for s in spot.lying(floor.tracker) if played.is_joined or s.seen_ns > (played.closed_ns or 0)]
        if spot.stakes:
            spot.stakes += spot.unknown(floor.tracker, spot.zones[:1])
            return
        if not here or (not played.state.is_dealt() and not self._is_early(played, spot, here[0])):
            return
        if seat in played.state.folded:
            played.take_out(ev.Fold(seat))
        is_going_on = floor.now_ns - played.last_card_ns <= DEALING_NS
        is_early = floor.sees_deals and is_going_on and not played.state.is_dealt()
        yield self._raise(played, spot, here[0].first_ns, is_proved=is_early)

    def _raise(self, played: RoundInPlay, spot: Spot, since_ns: int, *, is_proved: bool = False) -> Happening:
        now_ns = self._floor.now_ns
        spot.close(self._floor.tracker, now_ns, 0 if played.is_joined else played.closed_ns or 0)
        played.decided_ns[spot.seat] = since_ns
        event = ev.Bet(spot.seat, spot.wager, spot.stake.cents or max(spot.stake.low, 1))
        return played.tell(now_ns, since_ns, event, spot.stake.p, is_proved=is_proved)

    def _seen_late(self, played: RoundInPlay, revealed_ns: int) -> Iterator[Happening]:
        """Tell raises that lay there before the reveal, and were sure to stand only after it."""
        for spot in [spot for seat in sorted(played.doubtful) for spot in self._raise_spots(played, seat)]:
            since_ns = self._raised_ns(played, spot)
            if since_ns is None or since_ns >= revealed_ns or spot.payments or spot.seat not in played.state.folded:
                continue
            played.take_out(ev.Fold(spot.seat))
            played.doubtful.discard(spot.seat)
            yield self._raise(played, spot, since_ns)

    def _raise_spots(self, played: RoundInPlay, seat: int) -> list[Spot]:
        return [played.spots[seat, raised.id] for raised in self._floor.game.decisions]

    def _raised_ns(self, played: RoundInPlay, spot: Spot) -> int | None:
        """Return since when chips stand on a raise spot that were put there in this round; None: there are none."""
        closed_ns = 0 if played.is_joined else played.closed_ns or 0
        return min((s.first_ns for s in spot.lying(self._floor.tracker) if s.first_ns > closed_ns), default=None)

    def _is_early(self, played: RoundInPlay, spot: Spot, stack: StackTrack) -> bool:
        """Say whether chips were surely put on a raise spot during the deal, and left there."""
        now_ns = self._floor.now_ns
        closed_ns = played.closed_ns or 0
        is_new = stack.zone == spot.zones[0] and min(stack.first_ns, stack.not_before_ns) > closed_ns
        return is_new and stack.seen_ns == now_ns and now_ns - stack.first_ns >= EARLY_NS

    def _out_of_range(self, played: RoundInPlay, spot: Spot) -> Iterator[Happening]:
        """Tell a raise that is too small or too large, whatever the chips of both stakes may be."""
        spec = self._floor.game.stakes[spot.wager]
        base = played.spots.get((spot.seat, spec.of or ""))
        if spot.seat in played.ranged or not spot.stakes or base is None or not base.stakes:
            return
        stacks = [*spot.stakes, *base.stakes]
        if spot.payments or any(not _is_confirmed(stack) for stack in stacks):
            return
        raised, ante = spot.stake, base.stake
        if not (raised.is_sure and ante.is_sure) or any(may_fit(raised, ante, times) for times in spec.times):
            return
        played.put_bet(ev.Bet(spot.seat, spec.of or "", ante.cents or 0))
        played.apply(ev.Bet(spot.seat, spot.wager, raised.cents or 0))
        played.ranged.add(spot.seat)
        for ruling in objections(played.state):
            if ruling.code == Code.PLAY_OUT_OF_RANGE and ruling.seat == spot.seat:
                event = ev.Bet(spot.seat, spot.wager, raised.cents or 0)
                first_ns = spot.stakes[0].first_ns
                yield Happening(first_ns, event, min(raised.p, ante.p), ruling, (first_ns, self._floor.now_ns))

    def _folded(self, played: RoundInPlay, seat: int) -> Iterator[Happening]:
        """Tell a fold when a seat's cards are away from their place, and it has not raised."""
        now_ns, watch = self._floor.now_ns, played.hand(seat_place(seat))
        if seat in played.state.folded or self._has_raised(played, seat) or not watch.dealt:
            return
        if not self._is_given_up(watch) or self._floor.is_covered(zone_of(watch.place)):
            watch.given_up_ns = None
        elif watch.given_up_ns is None:
            watch.given_up_ns = now_ns
        elif now_ns - watch.given_up_ns >= GIVEN_UP_NS:
            played.decided_ns[seat] = watch.given_up_ns
            yield played.tell(now_ns, watch.given_up_ns, ev.Fold(seat), 0.9, is_proved=False)

    def is_somebody_deciding(self, played: RoundInPlay) -> bool:
        """Say whether a player has surely not decided yet: the cards lie at their place, and no chips are near."""
        return any(self._is_deciding(played, seat) for seat in played.seats())

    def _is_deciding(self, played: RoundInPlay, seat: int) -> bool:
        watch, tracker = played.hand(seat_place(seat)), self._floor.tracker
        if not self._has_to_decide(played, seat) or self._is_given_up(watch):
            return False
        recent = [card.seen_ns >= self._floor.now_ns - RECENT_NS for card in watch.dealt if card in tracker.cards]
        zones = [zone for raised in self._floor.game.decisions for zone in played.spots[seat, raised.id].zones]
        return any(recent) and not any(stack.zone in zones for stack in tracker.stacks)

    def decide_all(self, played: RoundInPlay) -> Iterator[Happening]:
        """Take every decision for made when the dealer turns the hand; what was not seen is in doubt."""
        now_ns = self._floor.now_ns
        for seat in played.seats():
            if not self._has_to_decide(played, seat):
                continue
            lying = [(spot, self._raised_ns(played, spot)) for spot in self._raise_spots(played, seat)]
            raised = [(spot, since_ns) for spot, since_ns in lying if since_ns is not None]
            if raised:
                yield self._raise(played, *raised[0])
                continue
            hand = played.hand(seat_place(seat))
            if not hand.dealt or not self._is_given_up(hand):
                played.doubtful.add(seat)
            yield played.tell(now_ns, now_ns, ev.Fold(seat), 0.6, is_proved=False)

    def _is_given_up(self, watch: HandWatch) -> bool:
        """Say whether a seat's cards are gone from their place, or pushed forward."""
        inward = self._floor.inward[watch.place[1] or 0]
        tracker = self._floor.tracker
        return watch.is_empty(tracker) or watch.is_pushed(tracker, self._floor.now_ns, inward)

    def _has_to_decide(self, played: RoundInPlay, seat: int) -> bool:
        """Say whether a seat has made the wager that may be raised, and has neither raised nor folded."""
        bases = {raised.of or "" for raised in self._floor.game.decisions}
        if seat in played.state.folded or self._has_raised(played, seat):
            return False
        return any(played.state.stake(seat, base) for base in bases)

    def _has_raised(self, played: RoundInPlay, seat: int) -> bool:
        return any(played.state.stake(seat, raised.id) for raised in self._floor.game.decisions)


def _is_confirmed(stack: StackTrack) -> bool:
    """Say whether chips were read often, or clearly, since a hand was last over them."""
    content = stack.contents[-1]
    is_clear = content.looks >= CLEAR_LOOKS and content.value[1] >= CLEAR
    return stack.fresh is None and (is_clear or content.looks >= CONFIRMED)


def may_fit(raised: Amount, base: Amount, times: TimesRow) -> bool:
    """Say whether a raise may be a legal multiple of its base, by the bounds of both; they may be a little off."""
    high = raised.high if raised.high is not None else raised.low
    base_high = base.high if base.high is not None else base.low
    least = min(times.exactly) if times.exactly else times.least or 0
    most = max(times.exactly) if times.exactly else times.most or 0
    return raised.low <= most * base_high * NEARLY and high * NEARLY >= least * base.low
