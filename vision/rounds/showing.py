"""Faces that come to show: cards that are turned enter; exposures, the reveal and shown hands leave."""

from collections.abc import Iterator
from typing import Final

from vision.rounds.deciding import Deciding
from vision.rounds.floor import Floor
from vision.rounds.hands import DEALER, HandWatch, seat_place
from vision.rounds.playing import MISCOUNT, Happening, RoundInPlay
from vision.rules.due.irregular import effect_of
from vision.rules.due.record import Irregularity
from vision.rules.play import events as ev
from vision.rules.play.dealscript import SEAT, Place, name_of
from vision.rules.play.ruling import Ruling
from vision.track.tracks import CardTrack

AWAY_NS: Final = 250_000_000  # not seen for so long while others lie there: taken away
BROUGHT_NS: Final = 5_000_000_000  # from its place to the work area a hand takes no longer
A_CARD_MM: Final = 90.0  # a hand so near to cards may hide one more
REVEALS: Final = 3  # faces of the dealer from which on it is a reveal, not a card exposed
SHOWS: Final = 4  # faces in the work area from which on a hand is shown
ALONE_NS: Final = 1_500_000_000  # a face must show so long where no hand turned it
TOUCH_NS: Final = 1_200_000_000


class Showing:
    """Watches the faces of one table."""

    def __init__(self, floor: Floor, deciding: Deciding) -> None:
        self._floor, self._deciding = floor, deciding

    def watch(self, played: RoundInPlay) -> Iterator[Happening]:
        """Tell faces, shown hands, and hands with a wrong number of cards."""
        for place in self._floor.table_places():
            yield from self._faces(played, place)
        yield from self._shown(played)
        yield from self._counted(played)

    # ---- The house's cards

    def _faces(self, played: RoundInPlay, place: Place) -> Iterator[Happening]:
        """Tell faces that come to show at the dealer's place and in the bonus box."""
        floor, want = self._floor, self._floor.counts[place[0]]
        faces = [card for card in played.hand(place).faces_up(floor.tracker, floor.now_ns) if self._is_turned(card)]
        legal = sum(d.face_up for d in played.state.deal.script if d.place == place)
        up = min(len({card.best()[0] for card in faces}), want)
        if up <= max(played.state.turned.get(place, 0), legal):
            return
        if place == DEALER and up >= REVEALS + legal - 1:
            yield from self._revealed(played, up)
        elif place == DEALER or played.state.is_dealt():
            yield played.tell(floor.now_ns, _since(faces), ev.Turn(place[0], None, up), 0.95)

    def _revealed(self, played: RoundInPlay, up: int) -> Iterator[Happening]:
        """Tell the reveal: all the dealer's cards are turned, though some may not be seen yet."""
        now_ns = self._floor.now_ns
        if played.revealed_ns is None:
            yield from self._deciding.decide_all(played)
            played.revealed_ns = now_ns
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
        current = next((h for h in played.hands.values() if h.shown_ns is not None and h.cleared_ns is None), None)
        if current is not None and len(fresh) >= SHOWS - 1 and not self._is_seen(current.shown):
            yield self.cleared(played, current)
            current = None
        if current is not None:
            current.shown += fresh
            played.shown_cards += fresh
            return
        if len(fresh) >= SHOWS:
            yield from self._laid_open(played, fresh)

    def _laid_open(self, played: RoundInPlay, cards: list[CardTrack]) -> Iterator[Happening]:
        seat = self._by_faces(played, cards) or self._whose(played)
        if seat is None:
            return
        watch = played.hand(seat_place(seat))
        watch.shown, watch.shown_ns = cards, self._floor.now_ns
        played.shown_cards += cards
        event = ev.Turn(SEAT, seat, self._floor.counts[SEAT])
        yield played.tell(self._floor.now_ns, self._floor.now_ns, event, 0.9)

    def _is_seen(self, cards: list[CardTrack]) -> bool:
        alive = {card.id for card in self._floor.tracker.cards}
        return any(card.id in alive and card.seen_ns >= self._floor.now_ns - AWAY_NS for card in cards)

    def cleared(self, played: RoundInPlay, hand: HandWatch) -> Happening:
        """Tell that a seat's hand was cleared."""
        now_ns, seat = self._floor.now_ns, hand.place[1]
        hand.cleared_ns = now_ns
        proved = any(
            stack.seen_ns == now_ns
            for spot in played.spots.values()
            if spot.seat == seat and spot.wager in played.state.live(seat or 0)
            for stack in spot.stakes
            if stack in self._floor.tracker.stacks
        )
        return played.tell(now_ns, now_ns, ev.Clear(SEAT, seat), 0.9, is_proved=proved)

    def _by_faces(self, played: RoundInPlay, shown: list[CardTrack]) -> int | None:
        """Return the seat at which these faces lay before, where hands are dealt face up."""
        faces = {card.best()[0] for card in shown if card.read}
        for seat in played.seats():
            known = {card.best()[0] for card in played.hand(seat_place(seat)).dealt if card.read}
            if len(faces & known) >= SHOWS:
                return seat
        return None

    def _whose(self, played: RoundInPlay) -> int | None:
        """Return the seat whose hand must be the one that lies in the work area."""
        hands = [played.hand(seat_place(seat)) for seat in played.seats() if self._has_open_wager(played, seat)]
        unseen = [hand for hand in hands if hand.shown_ns is None and hand.cleared_ns is None]
        left = [hand for hand in unseen if hand.is_empty(self._floor.tracker)]
        live = [hand for hand in left if hand.place[1] not in played.state.folded] or left
        just = [hand for hand in live if self._floor.now_ns - hand.seen_ns <= BROUGHT_NS]
        if just:
            return max(just, key=lambda hand: hand.seen_ns).place[1]
        return max((hand.place[1] or 0 for hand in live), default=None)

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
            if number is not None and number != want:
                played.miscounted.add(place)
                yield self._miscount(played, place, number, want)

    def _number(self, played: RoundInPlay, hand: HandWatch, want: int) -> int | None:
        """Return how many cards a hand has, where that is sure."""
        tracker, now_ns = self._floor.tracker, self._floor.now_ns
        if hand.shown_ns is not None and hand.cleared_ns is None:
            here = [card for card in hand.shown if card in tracker.cards]
            hand.count_shown(here, now_ns, is_plain=not tracker.is_hand_near(here, A_CARD_MM))
        if hand.place == DEALER and played.revealed_ns is not None and hand.cleared_ns is None:
            here = [card for card in self._floor.tracker.cards if card.is_there and card.zone.name == "dealer.cards"]
            hand.count_shown(here, now_ns, is_plain=not tracker.is_hand_near(here, A_CARD_MM))
        return hand.shown_number(want)

    def _miscount(self, played: RoundInPlay, place: Place, number: int, want: int) -> Happening:
        effect = effect_of(self._floor.game, Irregularity(MISCOUNT))
        why = f"{name_of(place)} has {number} cards, want {want}"
        event = ev.Declare(MISCOUNT, None)
        played.apply(event)
        ruling = Ruling(MISCOUNT, why, effect.cite, effect.remedy)
        span = (played.closed_ns or played.started_ns, self._floor.now_ns)
        return Happening(self._floor.now_ns, event, 0.9, ruling, span)


def _since(faces: list[CardTrack]) -> int:
    return max(card.side_ns for card in faces)
