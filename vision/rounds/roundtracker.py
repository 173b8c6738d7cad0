"""One table's rounds: sights enter; happenings in the rule book's words leave, each with its ruling.

The tracker knows what lies where; here it becomes what was done: a stack on a spot before the first card is a bet, one
that appears beside it after the reveal is a payment. Whether it was allowed is asked of `rules.allowed` before it is
folded into the round's state. Nothing is decided from one look, and what cannot be told is left open.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot
from typing import Final

from vision.calibrate.layout import Layout, SeatLayout
from vision.calibrate.zones import Zone
from vision.cards import UNSEEN, Card, DealtHand
from vision.rounds.hands import BONUS, DEALER, WORK, HandWatch, seat_place, zone_of
from vision.rounds.onedeck import Decoded, decode
from vision.rounds.spots import Amount, Spot
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.irregular import effect_of
from vision.rules.due.record import Irregularity, PlayedRound, SeatPlay
from vision.rules.play import events as ev
from vision.rules.play.allowed import allowed
from vision.rules.play.bets import objections
from vision.rules.play.dealscript import SEAT, Place, name_of
from vision.rules.play.ruling import YES, Ruling
from vision.rules.play.tablestate import TableState, after
from vision.track.sight import Sight, Signal
from vision.track.tracks import CardTrack, StackTrack, Tracker

SECOND: Final = 1_000_000_000
HELD_NS: Final = 600_000_000  # deliveries wait so long before they are told, in case an earlier one is seen late
SINGLE_NS: Final = 1_500_000_000  # the same for single cards, which the dealing hand hides for longer
QUIET_NS: Final = 2_500_000_000  # without a new card: the deal is over
GIVEN_UP_NS: Final = 1_200_000_000  # one who raises moves the cards too, but the chips come at once
EXPLAINED_NS: Final = 1_500_000_000  # for which chips that vanished before the reveal wait for a fold
COLLECTED_NS: Final = 20 * SECOND  # before the first card: chips gone from a sensor were collected
AWAY_NS: Final = 250_000_000  # not seen for so long while others lie there: taken away
BROUGHT_NS: Final = 5 * SECOND  # from its place to the work area a hand takes no longer
A_CARD_MM: Final = 90.0  # a hand so near to cards may hide one more
EMPTY_NS: Final = SECOND  # without any card: the round is over
Faces = dict[int, tuple[Card, float]]
REVEALS: Final = 3  # faces of the dealer from which on it is a reveal, not a card exposed
MISCOUNT: Final = "wrong-card-count"
IRREGULAR: Final = ("dealer-card-exposed", MISCOUNT, "card-faced-in-deck")  # what may void a round
SHOWS: Final = 4  # faces in the work area from which on a hand is shown


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that was done, when, how surely, and what the rules say to it."""

    t_ns: int
    event: ev.Event
    confidence: float
    ruling: Ruling = YES
    span: tuple[int, int] | None = None  # the time that proves it


@dataclass
class RoundInPlay:
    """All that is known of a round."""

    number: int
    started_ns: int
    state: TableState
    spots: dict[tuple[int, str], Spot]
    hands: dict[Place, HandWatch] = field(default_factory=dict)
    closed_ns: int | None = None
    last_card_ns: int = 0
    revealed_ns: int | None = None
    emptied_ns: int | None = None
    ended_ns: int | None = None
    decided_ns: dict[int, int] = field(default_factory=dict)
    happenings: list[Happening] = field(default_factory=list)
    up_card: CardTrack | None = None
    miscounted: set[Place] = field(default_factory=set)
    shown_cards: list[CardTrack] = field(default_factory=list)

    def hand(self, place: Place) -> HandWatch:
        """Return the watch over a hand."""
        return self.hands.setdefault(place, HandWatch(place))

    def seats(self) -> tuple[int, ...]:
        """Return the seats that play."""
        return self.state.seats


class RoundTracker:
    """Tells the rounds of one table as they go."""

    def __init__(self, sheet: HouseSheet, layout: Layout, rounds_before: int = 0) -> None:
        self.sheet, self.layout = sheet, layout
        self.tracker = Tracker()
        self._wagers = list(sheet.house.game.stakes)
        self._seats = [seat.number for seat in layout.seat]
        self._inward = {seat.number: inward(seat) for seat in layout.seat}
        self._numbers = rounds_before
        self.now_ns = 0
        self.round: RoundInPlay | None = None
        self._collected: dict[tuple[int, str], tuple[int, Amount]] = {}
        self._waiting: list[CardTrack] = []

    def signal(self, signal: Signal) -> list[Happening]:
        """Take in what another system says."""
        if signal.kind == "no-more-bets" and self.round is not None and self.round.closed_ns is None:
            return list(self._close(signal.t_ns))
        return []

    def update(self, sight: Sight) -> list[Happening]:
        """Take in one sight; return what was done since."""
        self.now_ns = sight.t_ns
        self.tracker.update(sight)
        told = list(self._steps())
        if self.round is not None:
            self.round.happenings += told
        return told

    def _steps(self) -> Iterator[Happening]:
        if self.round is None:
            self._open()
        if self.round is None or self.round.ended_ns is not None:
            return
        if self.round.closed_ns is None:
            self._note_collected()
            if not self._first_card():
                return
            yield from self._close(min(card.first_ns for card in self._new_cards()))
        yield from self._deal()
        yield from self._stakes()
        yield from self._folds()
        yield from self._faces()
        yield from self._shows()
        yield from self._counts()
        yield from self._settling()
        yield from self._clears()

    # ---- Betting

    def _open(self) -> None:
        """Begin a round when chips lie on a spot, or cards at a hand's place (we joined in the middle)."""
        spots = {(s, w): Spot(s, w) for s in self._seats for w in self._wagers if w in self.layout.seat_at(s).spots}
        if any(spot.lying(self.tracker) for spot in spots.values()) or self._first_card():
            self._numbers += 1
            limits = {wager: (low, high) for wager, (low, high) in self.sheet.limits_cents.items()}
            state = TableState(self.sheet.house, self.sheet.deal_method, limits)
            self.round = RoundInPlay(self._numbers, self.now_ns, state, spots)

    def _note_collected(self) -> None:
        """Remember what vanished from the spots whose chips are collected before the deal."""
        for stack in self.tracker.gone:
            wager = self.sheet.house.game.stakes.get(stack.zone.name)
            if isinstance(stack, StackTrack) and wager is not None and wager.taken is not None and stack.zone.seat:
                cents, p = stack.value
                low, high = stack.bounds or (0, 0)
                self._collected[stack.zone.seat, wager.id] = (self.now_ns, Amount(cents, p, low, high))

    def _new_cards(self) -> list[CardTrack]:
        zones = {zone_of(place) for place in self._places()}
        return [card for card in self.tracker.cards if card.is_there and card.zone in zones]

    def _places(self) -> list[Place]:
        """Return where hands may lie in this game."""
        return [*self._table_places(), *(seat_place(seat) for seat in self._seats)]

    def _table_places(self) -> list[Place]:
        return [place for place in (DEALER, BONUS) if place[0] in self.sheet.house.game.file.counts]

    def _first_card(self) -> bool:
        return bool(self._new_cards())

    def _close(self, t_ns: int) -> Iterator[Happening]:
        """Close betting: the stakes are what lies there now, and what was collected a moment ago."""
        played = self._playing()
        played.closed_ns = played.last_card_ns = t_ns
        for (seat, wager), spot in played.spots.items():
            if self.sheet.house.game.stakes[wager] not in self.sheet.house.game.decisions:
                spot.close(self.tracker, t_ns)
            gone = self._collected.get((seat, wager))
            if gone is not None and t_ns - gone[0] <= COLLECTED_NS and not spot.stakes:
                spot.collected = gone[1]
            if spot.is_made:
                yield self._tell(t_ns, ev.Bet(seat, wager, spot.stake.cents or 0), spot.stake.p)
        self._collected.clear()
        yield self._tell(t_ns, ev.NoMoreBets())
        for ruling in objections(played.state):
            yield Happening(self.now_ns, ev.NoMoreBets(), 0.9, ruling)

    # ---- Dealing

    def _deal(self) -> Iterator[Happening]:
        played = self._playing()
        for place in self._places():
            fresh = played.hand(place).look(self.tracker, self.now_ns)
            if fresh and not played.state.deal_is_over:
                played.last_card_ns = self.now_ns
                self._waiting += fresh
        if played.state.deal_is_over:
            return
        for place, cards in self._deliveries():
            if self._has_room(place):
                yield from self._delivered(place, cards)
        if not self._waiting and self._is_deal_over():
            played.state = after(played.state, ev.DealOver())

    def _deliveries(self) -> Iterator[tuple[Place, list[CardTrack]]]:
        """Yield what was delivered, in order of first sight; packets come together, single cards one by one."""
        if self.sheet.deal_method != "automated":
            yield from self._one_by_one()
            return
        packets: dict[Place, list[CardTrack]] = {}
        for card in sorted(self._waiting, key=lambda card: (card.first_ns, card.id)):
            packets.setdefault(self._place_of(card), []).append(card)
        for place, cards in packets.items():
            if self.now_ns - cards[-1].first_ns >= HELD_NS:
                self._ripe(cards)
                yield place, cards

    def _one_by_one(self) -> Iterator[tuple[Place, list[CardTrack]]]:
        """Yield single cards: the earliest seen, unless one that is due by the script may have come before it."""
        while self._waiting:
            earliest = min(self._waiting, key=lambda card: (card.first_ns, card.id))
            if self.now_ns - earliest.first_ns < SINGLE_NS:
                return
            expected = self._playing().state.deal.expected()
            due = [
                card
                for card in self._waiting
                if expected is not None
                and self._place_of(card) == expected.place
                and card.not_before_ns <= earliest.first_ns
            ]
            card = due[0] if due else earliest
            self._waiting.remove(card)
            self._assume_hidden(self._place_of(card))
            yield self._place_of(card), [card]

    def _assume_hidden(self, place: Place) -> None:
        """Take cards for dealt that may lie unseen on or under others: only an empty place was surely passed over."""
        played = self._playing()
        deal = played.state.deal
        while (expected := deal.expected()) is not None and expected.place != place:
            if not played.state.dealt.get(expected.place) or not played.hand(place).dealt:
                return
            event = ev.Deal(expected.zone, expected.seat, expected.cards, expected.face_up)
            played.state = after(played.state, event)
            deal = played.state.deal

    def _ripe(self, cards: list[CardTrack]) -> list[CardTrack]:
        """Take the cards that have lain for a while out of those that wait."""
        ripe = [card for card in cards if self.now_ns - card.first_ns >= HELD_NS]
        gone = {card.id for card in ripe}
        self._waiting = [card for card in self._waiting if card.id not in gone]
        return sorted(ripe, key=lambda card: (card.first_ns, card.id))

    def _place_of(self, card: CardTrack) -> Place:
        if card.zone.seat is not None:
            return seat_place(card.zone.seat)
        return BONUS if card.zone == zone_of(BONUS) else DEALER

    def _has_room(self, place: Place) -> bool:
        """Say whether a hand still waits for cards: one that moved, or was seen late, is not dealt again."""
        dealt = self._playing().state.dealt.get(place, 0)
        return dealt < self.sheet.house.game.file.counts.get(place[0], 0)

    def _delivered(self, place: Place, cards: list[CardTrack]) -> Iterator[Happening]:
        """Tell a delivery. Cards under others cannot be counted yet, so as many are told as were to come."""
        played = self._playing()
        up = [card for card in cards if card.is_up]
        if place == DEALER and up and played.up_card is None:
            played.up_card = up[0]
        deal = played.state.deal
        script = [d for i, d in enumerate(deal.script) if d.place == place and i not in deal.done]
        left, faces = len(cards), len(up)
        for delivery in script[:1] if self.sheet.deal_method != "automated" else script:
            shows = min(faces, delivery.cards) if delivery.face_up or len(script) == 1 else 0
            yield self._tell(cards[0].first_ns, ev.Deal(place[0], place[1], delivery.cards, shows), 0.9)
            left, faces = left - delivery.cards, faces - shows
            if left <= 0:
                break
        if not script:
            yield self._tell(cards[0].first_ns, ev.Deal(place[0], place[1], 1, min(faces, 1)), 0.8)

    def _is_deal_over(self) -> bool:
        """Say whether no more cards will come: all are there, or for a while none came."""
        played = self._playing()
        return played.state.is_dealt() or self.now_ns - played.last_card_ns > QUIET_NS

    # ---- Decisions

    def _stakes(self) -> Iterator[Happening]:
        """Tell chips that changed on the spots while that still means something."""
        played = self._playing()
        if played.revealed_ns is not None or played.state.void is not None:
            return
        for (seat, wager), spot in played.spots.items():
            if self.sheet.house.game.stakes[wager] in self.sheet.house.game.decisions:
                yield from self._raised(spot, seat, wager)
            elif spot.collected is None and seat not in played.state.folded:
                yield from self._altered(spot, seat, wager)

    def _raised(self, spot: Spot, seat: int, wager: str) -> Iterator[Happening]:
        here = spot.lying(self.tracker)
        if here and not spot.stakes:
            spot.close(self.tracker, self.now_ns)
            self._playing().decided_ns[seat] = here[0].first_ns
            yield self._tell(here[0].first_ns, ev.Bet(seat, wager, spot.stake.cents or 0), spot.stake.p)
        elif here and (now := spot.changed(self.tracker)) is not None:
            spot.close(self.tracker, self.now_ns)
            yield self._tell(self.now_ns, ev.Bet(seat, wager, now.cents or 0), now.p)

    def _altered(self, spot: Spot, seat: int, wager: str) -> Iterator[Happening]:
        now = spot.changed(self.tracker)
        if now is not None:
            spot.told_cents = now.cents
            yield self._tell(self.now_ns, ev.Bet(seat, wager, now.cents or 0), now.p)

    def _folds(self) -> Iterator[Happening]:
        """Tell a fold when a seat's cards are gone from their place before the reveal, and it has not raised."""
        played = self._playing()
        if not played.state.is_dealt() or played.revealed_ns is not None:
            return
        for seat in played.seats():
            watch = played.hand(seat_place(seat))
            if seat in played.state.folded or self._has_raised(seat) or not watch.dealt:
                continue
            if not self._is_given_up(watch) or self._is_covered(zone_of(watch.place)):
                watch.given_up_ns = None
            elif watch.given_up_ns is None:
                watch.given_up_ns = self.now_ns
            elif self.now_ns - watch.given_up_ns >= GIVEN_UP_NS:
                played.decided_ns[seat] = watch.given_up_ns
                yield self._tell(watch.given_up_ns, ev.Fold(seat), 0.9)

    def _is_given_up(self, watch: HandWatch) -> bool:
        """Say whether a seat's cards are gone from their place, or pushed forward."""
        inward = self._inward[watch.place[1] or 0]
        return watch.is_empty(self.tracker) or watch.is_pushed(self.tracker, self.now_ns, inward)

    def _has_raised(self, seat: int) -> bool:
        return any(self._playing().state.stake(seat, raised.id) for raised in self.sheet.house.game.decisions)

    def _is_covered(self, zone: Zone) -> bool:
        return any(belief.zone == zone and belief.p > 0.3 for hand in self.tracker.hands for belief in hand.covers)

    # ---- Faces

    def _faces(self) -> Iterator[Happening]:
        """Tell faces that come to show at the dealer's place and in the bonus box."""
        played = self._playing()
        for place in self._table_places():
            most = self.sheet.house.game.file.counts[place[0]]
            up = min(len(played.hand(place).faces_up(self.tracker, self.now_ns)), most)
            if up <= played.state.turned.get(place, 0) or not (played.state.is_dealt() or place == DEALER):
                continue
            if up <= sum(d.face_up for d in played.state.deal.script if d.place == place):
                continue  # an up-card: it is told with its delivery
            if place == DEALER and up >= REVEALS and played.revealed_ns is None:
                yield from self._missing_folds()
                if played.state.is_past_decisions or up > REVEALS:
                    played.revealed_ns = self.now_ns
            yield self._tell(self.now_ns, ev.Turn(place[0], None, up), 0.95)

    def _missing_folds(self) -> Iterator[Happening]:
        """Take seats for folded that did not raise and whose cards are gone when the dealer turns the hand."""
        played = self._playing()
        for seat in played.seats():
            watch = played.hand(seat_place(seat))
            if seat not in played.state.folded and not self._has_raised(seat) and self._is_given_up(watch):
                yield self._tell(self.now_ns, ev.Fold(seat), 0.7)

    def _shows(self) -> Iterator[Happening]:
        """Tell a hand that is laid open in the work area; it is the hand that left its place last."""
        played = self._playing()
        known = {card.id for card in played.shown_cards}
        fresh = [c for c in self.tracker.cards_on(WORK) if c.is_up and c.read and c.id not in known]
        if not fresh:
            return
        current = next((h for h in played.hands.values() if h.shown_ns is not None and h.cleared_ns is None), None)
        if current is not None and len(fresh) >= SHOWS and not self._is_seen(current.shown):
            yield self._cleared(current)
            current = None
        if current is not None:
            current.shown += fresh
            played.shown_cards += fresh
            return
        if len(fresh) < SHOWS:
            return
        seat = self._by_faces(played, fresh) or self._whose(played)
        if seat is None:
            return
        watch = played.hand(seat_place(seat))
        watch.shown, watch.shown_ns = fresh, self.now_ns
        played.shown_cards += fresh
        yield self._tell(self.now_ns, ev.Turn(SEAT, seat, self.sheet.house.game.file.counts[SEAT]), 0.9)

    def _is_seen(self, cards: list[CardTrack]) -> bool:
        return any(card.seen_ns >= self.now_ns - AWAY_NS for card in cards)

    def _cleared(self, hand: HandWatch) -> Happening:
        hand.cleared_ns = self.now_ns
        return self._tell(self.now_ns, ev.Clear(SEAT, hand.place[1]), 0.9)

    def _has_open_wager(self, seat: int) -> bool:
        """Say whether a seat's hand is still needed: for chips that lie there, or were collected before the deal."""
        played = self._playing()
        kept = [spot.wager for spot in played.spots.values() if spot.seat == seat and spot.collected is not None]
        folds = [self.sheet.house.plans[wager].fold for wager in kept]
        stays = any(fold is not None and fold.fate == "keep" for fold in folds)
        return bool(played.state.live(seat)) or bool(kept and (stays or seat not in played.state.folded))

    def _by_faces(self, played: RoundInPlay, shown: list[CardTrack]) -> int | None:
        """Return the seat at which these faces lay before, where hands are dealt face up."""
        faces = {card.best()[0] for card in shown}
        for seat in played.seats():
            known = {card.best()[0] for card in played.hand(seat_place(seat)).dealt if card.read}
            if len(faces & known) >= SHOWS:
                return seat
        return None

    def _whose(self, played: RoundInPlay) -> int | None:
        """Return the seat whose hand must be the one that lies in the work area."""
        hands = [played.hand(seat_place(seat)) for seat in played.seats() if self._has_open_wager(seat)]
        unseen = [hand for hand in hands if hand.shown_ns is None and hand.cleared_ns is None]
        left = [hand for hand in unseen if hand.is_empty(self.tracker)]
        live = [hand for hand in left if hand.place[1] not in played.state.folded] or left
        just = [hand for hand in live if self.now_ns - hand.seen_ns <= BROUGHT_NS]
        if just:
            return max(just, key=lambda hand: hand.seen_ns).place[1]
        return max((hand.place[1] or 0 for hand in live), default=None)

    def _counts(self) -> Iterator[Happening]:
        """Tell hands with a wrong number of cards: too many at their place, or another number when they are shown."""
        played = self._playing()
        for place in self._places():
            hand, want = played.hand(place), self.sheet.house.game.file.counts[place[0]]
            is_shown = hand.shown_ns is not None and hand.cleared_ns is None
            if is_shown and not self.tracker.is_hand_near(hand.shown, A_CARD_MM):
                hand.shown_counts[sum(card.seen_ns == self.now_ns for card in self.tracker.cards_on(WORK))] += 1
            number = hand.shown_number() if is_shown else None
            if number is None and hand.most() > want:
                number = hand.most()
            if number is not None and number != want and place not in played.miscounted:
                played.miscounted.add(place)
                yield self._miscount(place, number, want)

    def _miscount(self, place: Place, number: int, want: int) -> Happening:
        played = self._playing()
        effect = effect_of(self.sheet.house.game, Irregularity(MISCOUNT))
        why = f"{name_of(place)} has {number} cards, want {want}"
        event = ev.Declare(MISCOUNT, None)
        played.state = after(played.state, event)
        ruling = Ruling(MISCOUNT, why, effect.cite, effect.remedy)
        return Happening(self.now_ns, event, 0.9, ruling, (played.closed_ns or played.started_ns, self.now_ns))

    # ---- Settling

    def _settling(self) -> Iterator[Happening]:
        played = self._playing()
        for (seat, wager), spot in played.spots.items():
            if seat not in played.seats():
                continue
            if played.revealed_ns is not None or played.state.void is not None:
                for stack in spot.new_stacks(self.tracker, self.now_ns):
                    spot.pay(stack)
                    cents, p = stack.value
                    yield self._tell(stack.first_ns, ev.Pay(seat, wager, cents or 0), p)
            if spot.stakes and spot.taken_ns is None and not self._still_there(spot):
                spot.taken_ns = self.now_ns
            if spot.taken_ns is not None and not spot.is_taking_told and self._may_tell(spot):
                spot.is_taking_told = True
                yield from self._taken(spot, seat, wager)

    def _may_tell(self, spot: Spot) -> bool:
        """Say whether chips that vanished may be told: before the reveal a fold that explains them is told first."""
        waits = self._playing().revealed_ns is None
        return not waits or self.now_ns - (spot.taken_ns or 0) >= EXPLAINED_NS

    def _still_there(self, spot: Spot) -> bool:
        alive = {stack.id for stack in self.tracker.stacks}
        return any(stack.id in alive for stack in spot.stakes) or bool(spot.lying(self.tracker) and not spot.payments)

    def _taken(self, spot: Spot, seat: int, wager: str) -> Iterator[Happening]:
        played = self._playing()
        if played.state.void is not None:
            yield self._tell(self.now_ns, ev.GiveBack(seat, wager), 0.7)
        elif played.revealed_ns is None and seat not in played.state.folded:
            yield self._tell(self.now_ns, ev.Bet(seat, wager, 0), 0.8)
        elif not spot.payments and played.hand(seat_place(seat)).cleared_ns is None:
            yield self._tell(self.now_ns, ev.Take(seat, wager), 0.8)

    def _clears(self) -> Iterator[Happening]:
        played = self._playing()
        alive = {card.id for card in self.tracker.cards}
        for hand in played.hands.values():
            is_shown = hand.shown_ns is not None and hand.cleared_ns is None
            if is_shown and not any(card.id in alive for card in hand.shown) and self._work_is_empty():
                yield self._cleared(hand)
        dealer = played.hand(DEALER)
        if played.revealed_ns is not None and dealer.cleared_ns is None and dealer.is_empty(self.tracker):
            dealer.cleared_ns = self.now_ns
            yield self._tell(self.now_ns, ev.Clear(DEALER[0]), 0.9)
        self._watch_end(played)

    def _work_is_empty(self) -> bool:
        return not any(True for _ in self.tracker.cards_on(WORK))

    def _watch_end(self, played: RoundInPlay) -> None:
        """End the round when no card has been on the layout for a while."""
        zones = {zone_of(place) for place in played.hands} | {WORK}
        is_empty = not any(card.zone in zones for card in self.tracker.cards if card.is_there)
        is_hidden = any(self._is_covered(zone) for zone in (zone_of(DEALER), WORK))
        if not is_empty or not any(hand.dealt for hand in played.hands.values()):
            played.emptied_ns = None
        elif played.emptied_ns is None:
            played.emptied_ns = self.now_ns
        elif self.now_ns - played.emptied_ns >= EMPTY_NS and not is_hidden and not self._waiting:
            played.ended_ns = self.now_ns

    # ---- Telling

    def _playing(self) -> RoundInPlay:
        if self.round is None:
            raise RuntimeError("no round is being played")
        return self.round

    def _tell(self, t_ns: int, event: ev.Event, confidence: float = 1.0) -> Happening:
        """Ask whether it is allowed, then fold it into the round's state."""
        played = self._playing()
        ruling = allowed(played.state, event)
        played.state = after(played.state, event)
        if ruling.code in IRREGULAR:
            number = played.state.faced if ruling.code == "card-faced-in-deck" else None
            played.state = after(played.state, ev.Declare(ruling.code, number))
        return Happening(t_ns, event, confidence, ruling, (t_ns, self.now_ns))

    def next_round(self) -> None:
        """Forget the round: the next one begins with the next bet."""
        self.round, self._waiting = None, []

    # ---- What was played

    def decoded(self) -> Decoded:
        """Return the faces of all cards of the round."""
        played = self._playing()
        tracks = [*played.hand(DEALER).dealt, *played.hand(BONUS).dealt, *played.shown_cards]
        if self.sheet.house.options.get("cards_dealt_face_up"):
            tracks += [card for seat in played.seats() for card in played.hand(seat_place(seat)).dealt]
        return decode(tracks)

    def played_round(self) -> PlayedRound:
        """Return the round as the rule book settles it; a face that was not read is not guessed."""
        played, faces = self._playing(), self.decoded().faces
        counts = self.sheet.house.game.file.counts
        return PlayedRound(
            seats=tuple(self._seat_play(seat, faces) for seat in played.seats()),
            dealer=_hand(played.hand(DEALER).dealt, faces, counts[DEALER[0]]),
            bonus=_hand(played.hand(BONUS).dealt, faces, 1) if played.hand(BONUS).dealt else (),
            irregularities=played.state.irregularities,
        )

    def _seat_play(self, seat: int, faces: Faces) -> SeatPlay:
        played = self._playing()
        watch = played.hand(seat_place(seat))
        cards = watch.shown or watch.dealt
        mine = [spot for spot in played.spots.values() if spot.seat == seat and spot.is_made]
        wagers = {spot.wager: spot.stake.cents or 0 for spot in mine}
        hand = _hand(cards, faces, self.sheet.house.game.file.counts[SEAT])
        return SeatPlay(seat, hand, wagers, folded=seat in played.state.folded)


def inward(seat: SeatLayout) -> tuple[float, float]:
    """Return the direction from a seat's cards to its spots, which is away from the player."""
    spots = [shape.centre for shape in seat.spots.values()]
    x = sum(spot[0] for spot in spots) / len(spots) - seat.cards.centre[0]
    y = sum(spot[1] for spot in spots) / len(spots) - seat.cards.centre[1]
    far = hypot(x, y) or 1.0
    return x / far, y / far


def _hand(tracks: list[CardTrack], faces: Faces, count: int) -> DealtHand:
    """Return the cards of a hand, each face once, and unseen ones up to its count."""
    found = list(dict.fromkeys(faces[track.id][0] for track in tracks if track.id in faces))[:count]
    return (*found, *(UNSEEN for _ in range(count - len(found))))
