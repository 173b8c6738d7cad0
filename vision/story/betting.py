"""Wagers before and after the close: chips on the spots enter; bets, late ones and withdrawn ones leave."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from vision.observe.evidence import CLEAR
from vision.observe.tracks import StackTrack
from vision.rules.play import events as ev
from vision.rules.play.bets import objections
from vision.rules.play.ruling import Reason, Ruling, numbers
from vision.rules.play.tablestate import TableState
from vision.story.amounts import Amount, amount_of
from vision.story.floor import Floor
from vision.story.hands import seat_place
from vision.story.playing import Happening, RoundInPlay
from vision.story.progressives import Progressives
from vision.story.spots import Spot, was_handled
from vision.values.codes import Code

SECOND: Final = 1_000_000_000
COLLECTED_NS: Final = 20 * SECOND  # before the first card: chips gone from a sensor were collected
JOINED_NS: Final = 2 * SECOND  # cards that lie there so soon after watching began were dealt before
FIRST_NS: Final = 1_500_000_000  # a single card must lie so long to be the first of a deal
ALONE_NS: Final = 8 * SECOND  # a deal does not rest for so long after a card or two
FOLLOWS_NS: Final = 4 * SECOND  # or another one must follow it so soon
CHECK_NS: Final = 800_000_000  # after the close the wagers are asked for objections
LEFT_BEHIND_NS: Final = 6 * SECOND  # in which it shows that chips were not collected: hands hide them for a while
LATE_NS: Final = 600_000_000  # chips must stand so long to be a late wager
LEFT_NS: Final = 4 * SECOND  # chips that lay there so long before a round began are left from the last one
STOOD_NS: Final = 2_500_000_000  # chips that stood so long before the close are a wager
VANISHED_NS: Final = 2_500_000_000  # chips must be gone so long to be withdrawn
AT_REVEAL_NS: Final = 2 * SECOND  # for which stakes are looked for that were taken back
ARM_MM, PLAIN_NS = 200.0, 1_500_000_000  # no hand so near for so long: in plain view
CONFIRMED: Final = 6  # readings of chips that changed, from which on it is told
EMPTY_NS: Final = 3 * SECOND  # a spot on which nothing was seen for so long is empty


class Betting:
    """Watches the spots of one table."""

    def __init__(self, floor: Floor, rounds_before: int) -> None:
        self._floor = floor
        self._rounds = rounds_before
        self._collected: dict[tuple[int, str], tuple[int, Amount]] = {}
        self._strays: set[int] = set()  # tracks of cards that nobody dealt
        self._began_ns: int | None = None
        self._by_dealer: set[tuple[int, str]] = set()  # what was collected by the dealer's hand
        self.progressives = Progressives(floor)
        self._seen_ns: dict[tuple[int, str], int] = {}  # when anything like chips was last seen on a spot

    def watch(self) -> None:
        """Note what was seen on the spots, round or not."""
        floor = self._floor
        self._began_ns = floor.now_ns if self._began_ns is None else self._began_ns
        for stack in floor.tracker.stacks:
            if stack.zone.seat is not None and stack.seen_ns == floor.now_ns:
                self._seen_ns[stack.zone.seat, stack.zone.name] = floor.now_ns

    def look_afresh(self) -> None:
        """Begin to watch anew: what lies there was put there unseen."""
        self._began_ns = None

    def open(self) -> RoundInPlay | None:
        """Begin a round when chips lie on a spot, or cards at a hand's place."""
        floor = self._floor
        stakes = floor.game.stakes
        sensors = {wager for wager, stake in stakes.items() if stake.taken is not None}
        worths = {wager: tuple(floor.sheet.progressive_stakes_cents) for wager in sensors}
        spots = {(s, w): Spot(s, w, is_sensor=w in sensors, worths=worths.get(w, ())) for s, w in floor.spots()}
        is_dealt = self.first_card_ns() is not None
        if not is_dealt and not any(spot.lying(floor.tracker) for spot in spots.values()):
            return None
        self._rounds += 1
        limits = {wager: (low, high) for wager, (low, high) in floor.sheet.limits_cents.items()}
        state = TableState(floor.sheet.house, floor.sheet.deal_method, limits)
        is_joined = is_dealt and floor.now_ns - (self._began_ns or 0) <= JOINED_NS
        return RoundInPlay(self._rounds, floor.now_ns, state, spots, is_joined=is_joined)

    def is_false_start(self, played: RoundInPlay) -> bool:
        """Say whether betting was closed by a card that was not dealt: it went again, or no other followed."""
        is_idle = played.closed_ns is not None and self._floor.now_ns - played.last_card_ns >= ALONE_NS
        return played.may_be_false_start and (played.ended_ns is not None or is_idle)

    def reopen(self, played: RoundInPlay) -> RoundInPlay | None:
        """Go on betting after a false start: the same round, and what was collected stays so."""
        self._rounds -= 1
        self.leave_cards()
        for key, spot in played.spots.items():
            if spot.collected is not None:
                self._collected[key] = (self._floor.now_ns, spot.collected)
        again = self.open()
        return None if again is None else replace(again, started_ns=played.started_ns)

    def leave_cards(self) -> None:
        """Take cards that lie there now for none of the next deal: a hand may rest where one was, and hide it."""
        self._strays = {card.id for card in self._floor.cards_at_places()} | (self._strays & self._alive())

    def _alive(self) -> set[int]:
        return {card.id for card in self._floor.tracker.cards}

    def note_collected(self) -> None:
        """Remember what vanished from the spots whose chips are collected before the deal."""
        floor = self._floor
        for stack in floor.tracker.gone:
            wager = floor.game.stakes.get(stack.zone.name)
            if isinstance(stack, StackTrack) and wager is not None and wager.taken is not None and stack.zone.seat:
                if floor.taker(stack, stack.zone.seat) == "dealer":
                    self._by_dealer.add((stack.zone.seat, wager.id))
                (cents, p), (low, high) = stack.value, stack.bounds or (0, 0)
                self._collected[stack.zone.seat, wager.id] = (
                    floor.now_ns,
                    Amount(cents, p, low, high, () if cents is None else ((cents, p),)),
                )

    def first_card_ns(self) -> int | None:
        """Return when the first card was dealt; None while none was."""
        there = [card for card in self._floor.cards_at_places() if card.id not in self._strays]
        cards = sorted(there, key=lambda card: card.first_ns)
        for card, following in pairwise(cards):
            if following.first_ns - card.first_ns <= FOLLOWS_NS:
                return card.first_ns
        lain = [card for card in cards if card.seen_ns - card.first_ns >= FIRST_NS]
        return lain[0].first_ns if lain else None

    def close(self, played: RoundInPlay, t_ns: int) -> Iterator[Happening]:
        """Close betting: the stakes are what lies there now, and what was collected a moment ago."""
        floor = self._floor
        played.closed_ns = played.last_card_ns = t_ns
        taken = [
            seat for seat in floor.seats if self._is_taken(played, seat)
        ] or floor.seats  # else: joined while betting
        for (seat, wager), spot in played.spots.items():
            if not floor.is_raise(wager) and seat in taken:
                spot.close(floor.tracker, t_ns, played.started_ns)
            gone = self._collected.get((seat, wager))
            if gone is not None and t_ns - gone[0] <= COLLECTED_NS and not spot.stakes:
                spot.collected = gone[1]
            objection = self.progressives.meet(spot, is_dealers=(seat, wager) in self._by_dealer)
            if spot.is_made:
                yield played.tell(floor.now_ns, t_ns, ev.Bet(seat, wager, _cents(spot.stake)), spot.stake.p)
            if objection is not None:
                event = ev.Bet(seat, wager, _cents(spot.stake))
                yield Happening(t_ns, event, 0.9, objection, (played.started_ns, floor.now_ns))
        self._collected.clear()
        self._by_dealer.clear()
        self.progressives.forget()
        played.was_bet = any(spot.is_made for spot in played.spots.values())
        yield played.tell(floor.now_ns, t_ns, ev.NoMoreBets(), 1.0)

    def _is_taken(self, played: RoundInPlay, seat: int) -> bool:
        """Say whether somebody bets at a seat: what lay there from the first, and was never touched, is print."""
        stacks = [s for spot in played.spots.values() if spot.seat == seat for s in spot.lying(self._floor.tracker)]
        fresh_ns = (self._began_ns or 0) + JOINED_NS
        from_first = [stack for stack in stacks if stack.first_ns <= fresh_ns and stack.hand_ns is not None]
        return bool(from_first) or any(was_handled(stack) for stack in stacks)

    def check(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell what is wrong with the wagers, once, a moment after the close."""
        now_ns, closed_ns = self._floor.now_ns, played.closed_ns or 0
        if not played.is_begun or now_ns - closed_ns < CHECK_NS:
            return
        if now_ns - closed_ns <= LEFT_BEHIND_NS:
            yield from self._left_behind(played)
        if played.checked.issuperset(played.seats()):
            return
        known = [seat for seat in played.seats() if seat not in played.checked and not played.may_be_nobody(seat)]
        played.checked |= set(played.seats() if played.state.deal_is_over else known)
        for seat in known:
            for ruling in objections(replace(played.state, entered=(seat,))):
                wager = self._objected(played, seat, ruling)
                if wager is not None:
                    event = ev.Bet(seat, wager, played.state.stake(seat, wager))
                    yield Happening(closed_ns, event, 0.9, ruling, (played.started_ns, now_ns))

    def _left_behind(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell chips that were to be collected before the deal and still lie there, where others were collected."""
        for spot in played.spots.values():
            spec = self._floor.game.stakes[spot.wager]
            alike = [s for s in played.spots.values() if s.wager == spot.wager and not played.may_be_nobody(s.seat)]
            others = [other for other in alike if other.collected is not None]
            is_left = spec.taken is not None and any(self._stands_new(played, stack) for stack in spot.stakes)
            if not others or not is_left or spot not in alike or spot in played.left_behind:
                continue
            played.left_behind.append(spot)
            (seat, wager), about = (spot.seat, spot.wager), numbers(others=len(others))
            reason = Reason.LEFT_BEHIND
            ruling = Ruling(Code.PROGRESSIVE_COUNT, reason, spec.cite, seat=seat, wager=wager, numbers=about)
            event = ev.Bet(seat, wager, played.state.stake(seat, wager))
            yield Happening(played.closed_ns or 0, event, 0.9, ruling, (played.started_ns, self._floor.now_ns))

    def _stands_new(self, played: RoundInPlay, stack: StackTrack) -> bool:
        """Say whether chips stand there now that somebody put there for this round."""
        is_new = was_handled(stack) or stack.first_ns > played.started_ns - LEFT_NS
        return is_new and stack.seen_ns == self._floor.now_ns and stack in self._floor.tracker.stacks

    def _objected(self, played: RoundInPlay, seat: int, ruling: Ruling) -> str | None:
        """Return the wager that an objection is about, if it is proved: the amounts and the empty spots are sure."""
        wager = ruling.wager
        spot = played.spots.get((seat, wager or ""))
        if wager is None or spot is None or not spot.is_made or not _has_stood(spot):
            return None
        if self._floor.is_raise(wager) or self._is_left(played, spot):
            return None  # of the last round
        if ruling.reason is Reason.OUTSIDE_LIMITS:
            least, most = played.state.limits_cents[wager]
            is_possible = spot.stake.low <= most and (spot.stake.high is None or spot.stake.high >= least)
            return None if is_possible or not spot.stake.is_certain else wager  # chips are misread far more often
        needed = (*self._floor.game.stakes[wager].needs_all, *self._floor.game.stakes[wager].needs_any)
        empty = [w for w in needed if not played.state.stake(seat, w)]
        return wager if all(self._is_empty(played, seat, w) for w in empty) else None

    def _is_left(self, played: RoundInPlay, spot: Spot) -> bool:
        """Say whether all chips of a wager lay there well before the round began."""
        return spot.collected is None and all(s.first_ns < played.started_ns - LEFT_NS for s in spot.stakes)

    def _is_empty(self, played: RoundInPlay, seat: int, wager: str) -> bool:
        """Say whether a spot was surely empty when betting closed."""
        spot = played.spots.get((seat, wager))
        if spot is None:
            return True
        last_ns = max((self._seen_ns.get((zone.seat or 0, zone.name), 0) for zone in spot.zones), default=0)
        is_plain = not self._floor.is_covered(*spot.zones)
        return is_plain and (played.closed_ns or 0) - last_ns >= EMPTY_NS

    # ---- After the close

    def changes(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell chips that changed on the spots while that still means something."""
        revealed_ns = played.revealed_ns
        is_long_ago = revealed_ns is not None and self._floor.now_ns - revealed_ns > AT_REVEAL_NS
        if is_long_ago or played.state.void is not None or played.is_joined or played.may_be_false_start:
            return
        if played.emptied_ns is not None or played.was_empty:
            return  # no card lies there: they may be bets on the next round
        for spot in played.spots.values():
            if self._floor.is_raise(spot.wager) or spot.collected is not None or self._is_given_up(played, spot):
                continue
            if revealed_ns is not None:
                yield from self._vanished(played, spot)
                continue
            yield from self._collected_from_fold(played, spot)
            yield from self._added(played, spot)
            yield from self._altered(played, spot)

    def _is_given_up(self, played: RoundInPlay, spot: Spot) -> bool:
        """Say whether a wager was given up with the hand; some stay in play."""
        fold = self._floor.sheet.house.plans[spot.wager].fold
        return spot.seat in played.state.folded and (fold is None or fold.fate != "keep")

    def _added(self, played: RoundInPlay, spot: Spot) -> Iterator[Happening]:
        """Tell stacks that were put on a spot after the close; one that may have come before belongs to the stake."""
        now_ns, closed_ns = self._floor.now_ns, played.closed_ns or 0
        for stack in spot.unknown(self._floor.tracker, spot.zones[:1]):
            is_late = stack.first_ns > closed_ns and stack.not_before_ns > closed_ns and _is_playing(played, spot.seat)
            if not is_late and not was_handled(stack) and spot.seat not in played.seats():
                continue  # print, or forgotten: nobody bets here
            if not is_late:
                spot.stakes.append(stack)
                spot.closed_ns = max(closed_ns, stack.first_ns)
                spot.told_contents += len(stack.contents)
                played.put_bet(ev.Bet(spot.seat, spot.wager, _cents(spot.stake)))
            elif self._is_put_by_player(stack, spot) and stack.seen_ns - stack.first_ns >= LATE_NS:
                cents = played.state.stake(spot.seat, spot.wager) + (stack.value[0] or 0)
                spot.late.append(stack)
                if cents:
                    yield played.tell(now_ns, stack.first_ns, ev.Bet(spot.seat, spot.wager, cents), 0.9)

    def _is_put_by_player(self, stack: StackTrack, spot: Spot) -> bool:
        """Say whether chips were put on a spot, and not by the dealer, who may push them back."""
        return was_handled(stack) and self._floor.putter(stack, spot.seat) != "dealer" and not spot.is_sensor

    def _altered(self, played: RoundInPlay, spot: Spot) -> Iterator[Happening]:
        """Tell a stake of which chips were taken, or to which some were added."""
        contents = sum(len(stack.contents) for stack in spot.stakes)
        if contents <= spot.told_contents:
            return
        newest = max((stack.contents[-1] for stack in spot.stakes), key=lambda content: content.start_ns)
        before, now = spot.stake, amount_of(spot.stakes)
        if newest.looks < CONFIRMED:
            return
        spot.told_contents = contents
        if now.cents is not None and _is_another(before, now):
            event = ev.Bet(spot.seat, spot.wager, now.cents)
            yield played.tell(self._floor.now_ns, newest.start_ns, event, now.p)

    def _is_in_plain_view(self, spot: Spot) -> bool:
        """Say whether for a while no hand was near a spot, nor an arm that may hide it."""
        x, y = self._floor.layout.seat_at(spot.seat).spots[spot.wager].centre
        last_ns = self._floor.tracker.reaches.last_ns(x, y, ARM_MM)
        return last_ns is None or self._floor.now_ns - last_ns >= PLAIN_NS

    def _is_vanished(self, spot: Spot) -> bool:
        """Say whether a stake is gone from a spot that lies in plain view."""
        floor = self._floor
        if not spot.stakes or spot.is_taking_told or spot.is_standing(floor.tracker) or floor.is_covered(*spot.zones):
            return False
        gone_ns = floor.now_ns - max(stack.seen_ns for stack in spot.stakes)
        return gone_ns >= VANISHED_NS and self._is_in_plain_view(spot)

    def _collected_from_fold(self, played: RoundInPlay, spot: Spot) -> Iterator[Happening]:
        """Tell a fold by the stake that the dealer collected."""
        if self._is_vanished(spot) and self._may_be_folded(played, spot):
            since_ns = max(stack.seen_ns for stack in spot.stakes)
            played.decided_ns[spot.seat] = since_ns
            yield played.tell(self._floor.now_ns, since_ns, ev.Fold(spot.seat), 0.7, is_proved=False)

    def _vanished(self, played: RoundInPlay, spot: Spot) -> Iterator[Happening]:
        """Tell a stake that its player took back, once the reveal shows that the round was not called off.

        What is gone from a sensor was collected.
        """
        if self._is_vanished(spot) and not spot.is_sensor and not self._is_given_back(spot):
            spot.is_taking_told = True
            since_ns = max(stack.seen_ns for stack in spot.stakes)
            event = ev.Bet(spot.seat, spot.wager, 0)
            yield played.tell(self._floor.now_ns, since_ns, event, 0.8)

    def _is_given_back(self, spot: Spot) -> bool:
        """Say whether the dealer may have given a stake back: pushed it first, or took it."""
        takers = {self._floor.taker(stack, spot.seat) for stack in spot.stakes}
        return spot.moved_ns is not None or "player" not in takers

    def _may_be_folded(self, played: RoundInPlay, spot: Spot) -> bool:
        """Say whether a stake may be gone because the dealer collected it from a player who gave up."""
        raises = [raised for raised in self._floor.game.decisions if raised.of == spot.wager]
        has_raised = any(played.state.stake(spot.seat, raised.id) for raised in raises)
        return bool(raises) and not has_raised and played.state.is_dealt()


def _is_another(before: Amount, now: Amount) -> bool:
    """Say whether a stake is surely another than it was: both are read surely, or it is one that was not possible."""
    is_told = now.is_sure and before.is_sure and now.cents != before.cents
    is_outside = before.high is not None and not before.low <= (now.cents or 0) <= before.high
    return is_told or (now.p >= CLEAR and is_outside)


def _is_playing(played: RoundInPlay, seat: int) -> bool:
    """Say whether a seat has wagers or cards; where it has neither, betting may have been taken for closed too soon."""
    is_there = any(spot.is_made for spot in played.spots.values() if spot.seat == seat)
    return played.was_bet and (is_there or bool(played.hand(seat_place(seat)).dealt))


def _cents(amount: Amount) -> int:
    """Return an amount for the rule book, which wants a number: a wager whose worth is unknown is made all the same."""
    return amount.cents or max(amount.low, 1)


def _has_stood(spot: Spot) -> bool:
    return spot.collected is not None or any(stack.seen_ns - stack.first_ns >= STOOD_NS for stack in spot.stakes)
