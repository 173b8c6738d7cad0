"""Faces that come to show: cards that are turned enter; exposures, the reveal and shown hands leave."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from vision.observe.tracks import CardTrack
from vision.rules.due.irregular import effect_of
from vision.rules.due.record import Irregularity
from vision.rules.play import events as ev
from vision.rules.play.allowed import allowed
from vision.rules.play.dealscript import SEAT, Place, name_of
from vision.rules.play.ruling import SUPERVISOR_DECIDES, Reason, Ruling, numbers
from vision.story.deciding import Deciding
from vision.story.floor import Floor
from vision.story.hands import DEALER, HandWatch, is_read_well, seat_place, zone_of
from vision.story.playing import MISCOUNT, Happening, RoundInPlay
from vision.story.retelling import decoded
from vision.values.codes import Code

LAID_OUT_NS: Final = 12_000_000_000  # after the reveal the dealer's cards lie still for so long
AWAY_NS: Final = 250_000_000  # not seen for so long while others lie there: taken away
HIDDEN_NS: Final = 800_000_000
BROUGHT_NS: Final = 5_000_000_000  # from its place to the work area a hand takes no longer
A_CARD_MM: Final = 90.0  # a hand so near to cards may hide one more
REVEALS: Final = 3  # faces of the dealer from which on it is a reveal, not a card exposed
TURNED_NS: Final = 600_000_000  # for which they show: a card that is flashed seems to be two now and then
REVEAL_NS: Final = 2_500_000_000  # a second face follows the first one so soon in a reveal
FLASH_NS: Final = 800_000_000  # the same while a player has yet to decide: nobody reveals then
DEAL_NS: Final = 3_000_000_000  # no deal with its decisions is over so soon: it was not seen
SHOWS: Final = 4  # faces in the work area from which on a hand is shown
LIES_NS: Final = 1_500_000_000  # or one fewer that lie so long
MANY, RARELY = 12, 0.03  # hands shown, and how many of them may have lacked a card that was only missed
ALONE_NS: Final = 1_500_000_000  # a face must show so long where no hand turned it
TOUCH_NS: Final = 1_200_000_000
PAID_NS: Final = 3_000_000_000
BEFORE_DEAL_NS: Final = 8_000_000_000  # a card that came face up out of the deck is followed by others so soon
BEFORE_NS: Final = 2_000_000_000  # what lay there longer before the deal is of another round
STAYS_NS: Final = 1_000_000_000  # a card that is shown stays so long; one just brought may seem to be of the last hand
COMPARE_NS: Final = 500_000_000
APART_MM, TOGETHER_NS = 90.0, 800_000_000  # two places so far apart that show a face for so long are two cards
MORE_NS: Final = 500_000_000
LATER_NS: Final = 300_000_000
DEALING_NS: Final = 2_500_000_000  # since the last card that came: the deal surely goes on
FRESH_NS: Final = 3_000_000_000  # a face that shows for longer is not the one that came to show now
FACED: Final = Code.CARD_FACED_IN_DECK
DUPLICATE: Final = Code.DUPLICATE_CARD


class Showing:
    """Watches the faces of one table."""

    def __init__(self, floor: Floor, deciding: Deciding) -> None:
        self._floor, self._deciding = floor, deciding
        self._full, self._short = 0, 0  # hands that were shown with all their cards found, and with fewer

    def watch(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell faces, shown hands, and hands with a wrong number of cards."""
        for place in self._floor.table_places():
            yield from self._faces(played, place)
        yield from self._exposed(played)
        yield from self._faced_in_deck(played)
        yield from self._twice(played)
        yield from self._shown(played)
        yield from self._counted(played)

    # ---- The house's cards

    def _faces(self, played: RoundInPlay, place: Place) -> Iterator[Happening]:
        """Tell faces that come to show at the dealer's place and in the bonus box."""
        floor, want = self._floor, self._floor.counts[place[0]]
        faces = [card for card in played.hand(place).faces_up(floor.tracker, floor.now_ns) if self._is_turned(card)]
        legal = sum(d.face_up for d in played.state.deal.script if d.place == place)
        shown = {card.best()[0] for card in faces}
        if place == DEALER and played.revealed_ns is None:
            _note_up_card(played, faces, legal)
            shown |= {card.best()[0] for card in played.hand(place).dealt if is_read_well(card)}
        up = min(len(shown), want)
        if place == DEALER and played.revealed_ns is None and up > legal and self._is_turning(played, legal):
            yield from self._revealed(played, up)
            return
        if up <= max(played.state.turned.get(place, 0), legal):
            return
        fresh = [card.side_ns for card in faces if floor.now_ns - card.side_ns <= FRESH_NS]
        since_ns = max(fresh, default=floor.now_ns)
        event = ev.Turn(place[0], None, up)
        if place != DEALER:
            if played.state.is_dealt():
                is_early = self._deciding.is_somebody_deciding(played)  # later it hangs on what was seen settled
                yield played.tell(floor.now_ns, since_ns, event, 0.95, is_proved=is_early)
        elif up >= REVEALS + legal - 1:
            yield from self._revealed(played, up)
        elif played.revealed_ns is not None:
            yield played.tell(floor.now_ns, since_ns, event, 0.95)
        elif played.exposed is None:
            played.exposed = (since_ns, event, allowed(played.state, event))

    def _is_turning(self, played: RoundInPlay, legal: int) -> bool:
        """Say whether for a while so many of the dealer's cards show a face, more than backs, that it is a reveal."""
        floor, hand = self._floor, played.hand(DEALER)
        faces, backs = (hand.turned(floor.tracker, floor.now_ns, is_up=is_up) for is_up in (True, False))
        if faces < REVEALS + legal - 1 or faces <= backs:
            played.turning_ns = None
            return False
        played.turning_ns = floor.now_ns if played.turning_ns is None else played.turning_ns
        return floor.now_ns - played.turning_ns >= TURNED_NS

    def _exposed(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell a card of the dealer that showed its face before its time, once it is clear that no reveal follows."""
        if played.exposed is None:
            return
        if played.state.void is not None:
            played.exposed = None  # the cards are taken in
            return
        since_ns, event, ruling = played.exposed
        is_deciding = self._deciding.is_somebody_deciding(played) and not self._turns_more(event)
        patience = FLASH_NS if is_deciding else REVEAL_NS
        if self._floor.now_ns - since_ns >= patience:
            played.exposed = None
            yield played.tell_ruled(self._floor.now_ns, since_ns, event, 0.95, ruling)

    def _turns_more(self, event: ev.Turn) -> bool:
        """Say whether more of the dealer's cards than are exposed seem to show a face: a reveal may have begun."""
        floor = self._floor
        recent = [card for card in floor.tracker.cards if floor.now_ns - card.seen_ns <= MORE_NS and card.is_up]
        return sum(card.zone == zone_of(DEALER) for card in recent) > event.cards

    def _faced_in_deck(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell a card that came face up out of the deck: it lies open in the work area while the deal goes on."""
        if played.revealed_ns is not None or played.is_joined:
            return
        self.note_laid_open(played)
        for card in played.laid_open:
            known = {other.best()[0] for other in played.laid_open if other.id in played.faced}
            is_between = self._is_being_dealt(played) or self._is_dealt_after(played, card.first_ns)
            if card.best()[0] not in known and is_between:
                played.faced.add(card.id)
                number = len(played.faced)
                effect = effect_of(self._floor.game, Irregularity(FACED, number))
                about = numbers(cards=number, card=str(card.best()[0]))
                ruling = Ruling(FACED, Reason.FACED_IN_DECK, effect.cite, effect.remedy, numbers=about)
                yield self._declared(played, ev.Declare(FACED, number), ruling)

    def note_laid_open(self, played: RoundInPlay) -> None:
        """Note cards that lie open in the work area; the first of a deal may, before any is at its place."""
        since_ns = max(self._floor.spread_ns, played.started_ns)
        here = [card for card in self._floor.shown_cards() if card.first_ns > since_ns]
        fresh = [card for card in here if card not in played.laid_open]
        played.laid_open += [card for card in fresh if is_read_well(card) and self._is_turned(card)]
        if played.closed_ns is None:  # long before the deal a deck is opened, or cut
            played.laid_open = [c for c in played.laid_open if self._floor.now_ns - c.seen_ns <= BEFORE_DEAL_NS]

    def _is_being_dealt(self, played: RoundInPlay) -> bool:
        """Say whether cards came to lie at hands' places just now, and more are to come."""
        is_recent = self._floor.now_ns - played.last_card_ns <= DEALING_NS
        return is_recent and not played.state.is_dealt() and not played.waiting

    def _is_dealt_after(self, played: RoundInPlay, t_ns: int) -> bool:
        """Say whether backs came to lie at a hand's place after a time: hands are not shown before the deal is over."""
        later_ns = t_ns + LATER_NS
        return any(c.first_ns > later_ns and not c.is_up for hand in played.hands.values() for c in hand.dealt)

    def _twice(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell a card that lies in two places."""
        if not self._is_due(played):
            return
        found = decoded(self._floor, played)
        for card, *_ in found.duplicates:
            if card not in played.duplicates and self._are_two(
                played, [i for i, (face, _) in found.faces.items() if face == card]
            ):
                played.duplicates.add(card)
                cite, about = self._floor.game.file.game.cite, numbers(card=str(card))
                ruling = Ruling(DUPLICATE, Reason.ON_TABLE_TWICE, cite, SUPERVISOR_DECIDES, numbers=about)
                span = (played.closed_ns or played.started_ns, self._floor.now_ns)
                yield Happening(self._floor.now_ns, ev.Declare(DUPLICATE, None), 0.9, ruling, span)

    def _are_two(self, played: RoundInPlay, ids: list[int]) -> bool:
        """Say whether tracks of a face are two cards: some lay apart at the same time, or were shown in two hands."""
        since_ns = (played.closed_ns or played.started_ns) - BEFORE_NS
        new = [(h, t) for h in played.hands.values() for t in (*h.dealt, *h.shown) if t.first_ns >= since_ns]
        tracks = [track for _, track in new if track.id in ids]
        lasting = [(h, t) for h, t in new if t.id in ids and is_read_well(t) and t.visible_ns >= STAYS_NS]
        owners = {h.place for h, t in lasting if t in h.shown}
        return len(owners) > 1 or any(_lay_together(a, b) for a, b in combinations(tracks, 2))

    def _is_due(self, played: RoundInPlay) -> bool:
        """Say whether faces are compared now: twice a second is often enough."""
        if played.revealed_ns is None or self._floor.now_ns - played.compared_ns < COMPARE_NS:
            return False
        played.compared_ns = self._floor.now_ns
        return True

    def _declared(self, played: RoundInPlay, event: ev.Declare, ruling: Ruling) -> Happening:
        played.apply(event)
        span = (played.closed_ns or played.started_ns, self._floor.now_ns)
        return Happening(self._floor.now_ns, event, 0.9, ruling, span)

    def _revealed(self, played: RoundInPlay, up: int) -> Iterator[Happening]:
        """Tell the reveal: all the dealer's cards are turned, though some may not be seen yet."""
        now_ns = self._floor.now_ns
        if played.revealed_ns is None:
            played.is_joined = played.is_joined or now_ns - (played.closed_ns or 0) < DEAL_NS
            yield from self._deciding.decide_all(played)
            played.revealed_ns, played.exposed = now_ns, None
            played.waiting_hands = {seat for seat in played.seats() if self._has_open_wager(played, seat)}
            played.waiting_hands -= {seat for seat in played.waiting_hands if played.may_be_nobody(seat)}
            up = self._floor.counts[DEALER[0]]
        yield played.tell(now_ns, now_ns, ev.Turn(DEALER[0], None, up), 0.95, is_proved=False)

    def _is_turned(self, card: CardTrack) -> bool:
        """Say whether a face is surely one of a card on the table: a hand turned it, or it has shown for long."""
        was_handled = card.hand_ns is not None and card.hand_ns >= card.side_ns - TOUCH_NS
        return was_handled or card.seen_ns - card.side_ns >= ALONE_NS

    # ---- The players' cards

    def _shown(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell a hand that is laid open in the work area; it is the hand that left its place last."""
        known = {card.id for card in played.shown_cards}
        fresh = [card for card in self._floor.shown_cards() if card.id not in known]
        if not fresh:
            return
        current = self._current(played)
        if current is not None and len(fresh) >= SHOWS - 1 and not self._is_seen(current.shown):
            yield self.cleared(played, current)
            current = None
        if current is not None:
            current.shown += fresh
            played.shown_cards += fresh
            return
        lain = [card for card in fresh if card.seen_ns - card.first_ns >= LIES_NS]
        if len(fresh) >= SHOWS or len(lain) >= SHOWS - 1:
            yield from self._laid_open(played, fresh)

    def _laid_open(self, played: RoundInPlay, cards: list[CardTrack]) -> Iterator[Happening]:
        seat = self._by_faces(played, cards)
        watch, is_sure = (None, False) if seat is None else (played.hand(seat_place(seat)), True)
        watch, is_sure = (watch, is_sure) if watch is not None else self._whose(played)
        if watch is None:
            return
        watch.shown, watch.shown_ns, watch.is_sure = cards, self._floor.now_ns, is_sure
        played.shown_cards += cards
        event = ev.Turn(SEAT, watch.place[1], self._floor.counts[SEAT])
        yield played.tell(self._floor.now_ns, self._floor.now_ns, event, 0.9)

    def claim(self, played: RoundInPlay, seat: int) -> None:
        """Give the hand that lies open to a seat that is being settled: it was brought from there, not from another."""
        mine, shown = played.hand(seat_place(seat)), self._current(played)
        if shown is mine:
            mine.is_sure = True
        if shown is None or shown is mine or shown.is_sure or mine.is_sure or not mine.is_empty(self._floor.tracker):
            return
        owner, was_shown = shown.place[1] or 0, mine.shown_ns is not None
        settled = (h.event for h in played.happenings if h.t_ns >= (shown.shown_ns or 0))
        if any(isinstance(event, ev.Pay | ev.Take) and event.seat == owner for event in settled):
            return
        mine.swap_shown(shown)
        mine.is_sure = True
        if not was_shown:
            played.replace_event(
                ev.Turn(SEAT, owner, self._floor.counts[SEAT]), ev.Turn(SEAT, seat, self._floor.counts[SEAT])
            )

    def _current(self, played: RoundInPlay) -> HandWatch | None:
        """Return the hand that lies open in the work area."""
        return next((h for h in played.hands.values() if h.shown_ns is not None and h.cleared_ns is None), None)

    def _is_seen(self, cards: list[CardTrack]) -> bool:
        alive = {card.id for card in self._floor.tracker.cards}
        return any(card.id in alive and card.seen_ns >= self._floor.now_ns - AWAY_NS for card in cards)

    def cleared(self, played: RoundInPlay, hand: HandWatch) -> Happening:
        """Tell that a seat's hand was cleared."""
        now_ns, seat = self._floor.now_ns, hand.place[1]
        hand.cleared_ns = now_ns
        self._note_number(hand)
        event = ev.Clear(SEAT, seat)
        ruling = allowed(played.state, event)
        told = played.tell(now_ns, now_ns, event, 0.9, is_proved=False)
        if hand.is_sure and ruling.code is not None and self._stands(played, seat or 0):
            played.cleared_early[seat or 0] = replace(told, ruling=ruling)  # if it is settled after all
        return told

    def _stands(self, played: RoundInPlay, seat: int) -> bool:
        """Say whether chips of a seat stand there, seen just now, that are not settled yet."""
        live = [played.spots[seat, wager] for wager in played.state.live(seat)]
        stacks = [stack for spot in live if not spot.is_glimpsed for stack in spot.stakes]
        return any(s.seen_ns == self._floor.now_ns for s in stacks if s in self._floor.tracker.stacks)

    def _by_faces(self, played: RoundInPlay, shown: list[CardTrack]) -> int | None:
        """Return the seat at which a face of these lay before, where hands are dealt face up, and none at another."""
        faces = {card.best()[0] for card in shown if is_read_well(card)}
        hands = {seat: played.hand(seat_place(seat)).dealt for seat in played.seats()}
        known = {seat: {card.best()[0] for card in dealt if is_read_well(card)} for seat, dealt in hands.items()}
        owners = [seat for seat in known if known[seat] & faces]
        return owners[0] if len(owners) == 1 else None

    def _whose(self, played: RoundInPlay) -> tuple[HandWatch | None, bool]:
        """Return the hand that must be the one that lies in the work area, and whether that is sure."""
        mine = [played.hand(seat_place(seat)) for seat in played.seats() if self._has_open_wager(played, seat)]
        open_hands = [h for h in mine if h.shown_ns is None and h.cleared_ns is None and not self._is_paid(played, h)]
        unseen = [hand for hand in open_hands if hand.dealt] or open_hands  # chips without cards may be none
        away = [hand for hand in unseen if hand.is_empty(self._floor.tracker)]
        left = away or [hand for hand in unseen if self._is_hidden(hand)]
        just = [hand for hand in left if self._floor.now_ns - hand.seen_ns <= BROUGHT_NS]
        live = [hand for hand in left if hand.place[1] not in played.state.folded] or left
        if just:
            chosen = max(just, key=lambda hand: hand.seen_ns)
        elif live:
            chosen = max(live, key=lambda hand: hand.place[1] or 0)
        else:
            return None, False
        return chosen, self._is_the_only_one(played, chosen, may_lie=bool(just))

    def _is_the_only_one(self, played: RoundInPlay, chosen: HandWatch, *, may_lie: bool) -> bool:
        """Say whether no other hand can be the one that is shown: all were shown before, or lie at their places."""
        hands = (played.hand(seat_place(seat)) for seat in played.waiting_hands | {chosen.place[1] or 0})
        others = [h for h in hands if h is not chosen and h.shown_ns is None and h.cleared_ns is None]
        return all(may_lie and not h.is_empty(self._floor.tracker) and not self._is_hidden(h) for h in others)

    def _is_hidden(self, hand: HandWatch) -> bool:
        """Say whether a hand's cards are not seen at their place: somebody's hand rests there, and they may be gone."""
        here = self._floor.tracker.cards_on(zone_of(hand.place))
        return all(self._floor.now_ns - card.seen_ns >= HIDDEN_NS for card in here)

    def _is_paid(self, played: RoundInPlay, hand: HandWatch) -> bool:
        """Say whether a seat was paid a while ago: then its hand was shown before, and missed."""
        payments = [p for spot in played.spots.values() if spot.seat == hand.place[1] for p in spot.payments]
        return any(self._floor.now_ns - payment.start_ns >= PAID_NS for payment in payments)

    def _has_open_wager(self, played: RoundInPlay, seat: int) -> bool:
        """Say whether a seat's hand is still needed: for chips that lie there, or were collected before the deal."""
        kept = [spot.wager for spot in played.spots.values() if spot.seat == seat and spot.collected is not None]
        folds = [self._floor.sheet.house.plans[wager].fold for wager in kept]
        stays = any(fold is not None and fold.fate == "keep" for fold in folds)
        return bool(played.state.live(seat)) or bool(kept and (stays or seat not in played.state.folded))

    # ---- Their number

    def _counted(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell hands with a wrong number of cards: too many at their place, or another number when they are shown."""
        for place in self._floor.places():
            hand, want = played.hand(place), self._floor.counts[place[0]]
            if place in played.miscounted:
                continue
            number = self._number(played, hand, want)
            if number is not None and (number > want or self._finds_all()):
                played.miscounted[place] = number
                yield self._miscount(played, place, number, want)

    def _finds_all(self) -> bool:
        """Say whether at this table hardly ever a card of a shown hand is missed: only then fewer cards mean fewer."""
        is_proved = self._full >= MANY and self._short <= RARELY * self._full
        return is_proved or (self._floor.tracker.misses_nothing and not self._short)

    def _note_number(self, hand: HandWatch) -> None:
        """Note, when a hand is cleared, whether all its cards were found."""
        if hand.most:
            is_full = hand.most >= self._floor.counts[hand.place[0]]
            self._full, self._short = self._full + is_full, self._short + (not is_full)

    def _number(self, played: RoundInPlay, hand: HandWatch, want: int) -> int | None:
        """Return how many cards a hand has, where that is sure."""
        tracker, now_ns = self._floor.tracker, self._floor.now_ns
        if hand.shown_ns is not None and hand.cleared_ns is None:
            here = [card for card in hand.shown if card in tracker.cards]
            hand.count_shown(here, now_ns, is_plain=not self._is_hand_near(here))
        is_fresh = played.revealed_ns is not None and now_ns - played.revealed_ns <= LAID_OUT_NS
        if hand.place == DEALER and is_fresh:
            here = list(tracker.cards_on(zone_of(DEALER)))
            hand.count_shown(here, now_ns, is_plain=not self._is_hand_near(here))
        return hand.shown_number(want)

    def _is_hand_near(self, cards: list[CardTrack]) -> bool:
        return self._floor.tracker.reaches.is_near_any([(card.x, card.y) for card in cards], A_CARD_MM)

    def _miscount(self, played: RoundInPlay, place: Place, number: int, want: int) -> Happening:
        effect = effect_of(self._floor.game, Irregularity(MISCOUNT))
        about = numbers(place=name_of(place), cards=number, due_cards=want)
        ruling = Ruling(MISCOUNT, Reason.WRONG_NUMBER_SHOWN, effect.cite, effect.remedy, numbers=about)
        return self._declared(played, ev.Declare(MISCOUNT, None), ruling)


def _note_up_card(played: RoundInPlay, faces: list[CardTrack], legal: int) -> None:
    """Note the card that the dealer has to show during the round: the first that lies open."""
    if legal and played.up_card is None and faces:
        played.up_card = min(faces, key=lambda card: (card.side_ns, card.id))


def _lay_together(one: CardTrack, other: CardTrack) -> bool:
    """Say whether two cards lay apart at the same time for a while."""
    is_far = abs(one.x - other.x) + abs(one.y - other.y) >= APART_MM
    return is_far and one.together_ns(other) >= TOGETHER_NS
