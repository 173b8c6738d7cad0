"""A story as the rule book's events: an explained round enters; what was done, in order, with the rulings, leaves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vision.rules.due.irregular import effect_of
from vision.rules.play import events as ev
from vision.rules.play.allowed import allowed
from vision.rules.play.bets import objections
from vision.rules.play.dealscript import SEAT, Place, deliveries, name_of
from vision.rules.play.ruling import Reason, Ruling, numbers
from vision.rules.play.tablestate import TableState, after
from vision.story.explain.cards import SECOND
from vision.story.explain.context import BONUS, DEALER, TableContext, seat_place
from vision.story.explain.explain import Explained, Explainer
from vision.story.explain.seats import SeatChips, SpotChips
from vision.values.codes import Code

TOOK_SURELY = 0.7  # that it was the dealer, from which on a taking is told
SETTLES_NS = SECOND // 2  # two things that happen so soon after each other may be told in either order


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was done, and what the rules say to it."""

    t_ns: int
    event: ev.Event
    p: float
    rulings: tuple[Ruling, ...] = ()


class EventTeller:
    """Tells the stories of one table."""

    def __init__(self, context: TableContext, explainer: Explainer) -> None:
        self._context, self._explainer = context, explainer

    def tell(self, told: Explained) -> list[Step]:
        """Return the events of a round in order, each with its rulings."""
        context = self._context
        limits = {wager: (low, high) for wager, (low, high) in context.sheet.limits_cents.items()}
        state = TableState(context.sheet.house, context.sheet.deal_method, limits)
        steps: list[Step] = []
        for t_ns, event, p in sorted(self._events(told), key=lambda entry: entry[0]):
            ruling = allowed(state, event)
            found = [ruling] if ruling.code is not None else []
            state = after(state, event)
            if isinstance(event, ev.NoMoreBets):
                found += objections(state)
            if ruling.code in (Code.DEALER_CARD_EXPOSED, Code.CARD_FACED_IN_DECK):
                state = after(state, ev.Declare(str(ruling.code), state.faced or None))
            steps.append(Step(t_ns, event, p, tuple(found)))
        return [*steps, *self._causes(told)]

    def _causes(self, told: Explained) -> Iterator[Step]:
        """Yield what other systems said, and numbers of cards, that make a round irregular."""
        counts, size = self._context.game.file.counts, self._context.game.file.cards.size
        for cause in told.causes:
            code, reason = cause.irregularity.code, None
            effect = effect_of(self._context.game, cause.irregularity)
            if code == Code.WRONG_CARD_COUNT:
                place: Place = seat_place(cause.seat) if cause.seat else DEALER
                about = numbers(place=name_of(place), cards=cause.cards, due_cards=counts[place[0]])
                code, reason = Code.WRONG_CARD_COUNT, Reason.WRONG_NUMBER_SHOWN
            elif code == Code.CARD_FACED_IN_DECK:
                about, reason = numbers(cards=cause.cards, card=told.cards.faced[-1].face or "??"), Reason.FACED_IN_DECK
            elif code in ("stub-count", "shuffler-count"):
                about = numbers(cards=cause.cards, due_cards=size, deck_cards=cause.cards)
                reason = Reason.STUB_COUNT if code == "stub-count" else Reason.SHUFFLER_COUNT
                code = Code.STUB_COUNT_WRONG
            if reason is not None:
                ruling = Ruling(Code(code), reason, effect.cite, effect.remedy, seat=cause.seat, numbers=about)
                declared = ev.Declare(cause.irregularity.code, cause.irregularity.number)
                yield Step(cause.t_ns, declared, cause.p, (ruling,))

    # ---- What was done

    def _events(self, told: Explained) -> Iterator[tuple[int, ev.Event, float]]:
        cards = told.cards
        if cards.first_ns is None:
            return
        yield from self._bets(told, cards.first_ns)
        yield from self._deals(told)
        yield from self._faces(told)
        yield from self._decisions(told)
        yield from self._settling(told)
        yield from self._clears(told)

    def _bets(self, told: Explained, close_ns: int) -> Iterator[tuple[int, ev.Event, float]]:
        for seat, chips in told.chips.items():
            for wager, spot in chips.spots.items():
                if spot.stakes and wager not in self._context.raises:
                    yield close_ns - 2, ev.Bet(seat, wager, _stake(told, seat, wager)), 1.0
            for late in chips.late:
                before = _stake(told, seat, late.wager)
                cents = late.cents if late.cents is not None else before + 1
                yield late.t_ns, ev.Bet(seat, late.wager, cents), late.p
        yield close_ns - 1, ev.NoMoreBets(), 1.0

    def _deals(self, told: Explained) -> Iterator[tuple[int, ev.Event, float]]:
        """Yield the deal as the script has it, at the moments at which cards came."""
        file = self._context.game.file
        made = frozenset(w for chips in told.chips.values() for w in chips.spots if chips.has(w))
        script = deliveries(file.deal[self._context.sheet.deal_method], tuple(sorted(told.chips)), made)
        births = {place: sorted(chain.born_ns for chain in chains) for place, chains in told.cards.hands.items()}
        last_ns = told.cards.first_ns or 0
        end_ns = told.cards.deal_over_ns
        for delivery in script:
            mine = births.get(delivery.place, [])
            last_ns = max(mine.pop(0), last_ns) if mine else last_ns
            last_ns = last_ns if end_ns is None else min(last_ns, end_ns)
            yield last_ns, ev.Deal(delivery.zone, delivery.seat, delivery.cards, delivery.face_up), 1.0
        if told.cards.deal_over_ns is not None:
            yield max(told.cards.deal_over_ns, last_ns) + 1, ev.DealOver(), 1.0

    def _faces(self, told: Explained) -> Iterator[tuple[int, ev.Event, float]]:
        faces = told.cards.faces
        want = self._context.game.file.counts.get(DEALER[0], 0)
        legal = 1 if faces.up_card is not None else 0
        for start, _, _ in faces.exposed:
            yield start, ev.Turn(DEALER[0], None, legal + 1), faces.p_exposed
        if faces.reveal_ns is not None:
            yield faces.reveal_ns, ev.Turn(DEALER[0], None, want), 1.0
        for chain in told.cards.hands.get(BONUS, ()):
            up = [t for thing in chain.things for t, is_up in thing.sides if is_up]
            if up:
                yield up[0], ev.Turn(BONUS[0], None, 1), 1.0
        for show in told.cards.shows:
            if show.seat is not None:
                yield show.start_ns, ev.Turn(SEAT, show.seat, self._context.game.file.counts[SEAT]), show.p

    def _decisions(self, told: Explained) -> Iterator[tuple[int, ev.Event, float]]:
        for seat, chips in told.chips.items():
            for wager in self._context.raises & set(chips.spots):
                spot = chips.spots[wager]
                if spot.stakes:
                    born_ns = min(stack.born_ns for stack in spot.stakes)
                    yield born_ns, ev.Bet(seat, wager, _stake(told, seat, wager)), 1.0
            if self._explainer.has_folded(told.cards, chips) and not told.is_honoured:
                yield self._folded_ns(told, seat), ev.Fold(seat), 0.9

    def _folded_ns(self, told: Explained, seat: int) -> int:
        """Return when a hand was given up at the latest: the dealer took chips, or turned the own hand."""
        after_all = self._context.game.file.order.forfeits == "after_all"
        seats = told.chips.values() if after_all else [told.chips[seat]]
        folded = [chips for chips in seats if self._explainer.has_folded(told.cards, chips)]
        spots = [spot for chips in folded for spot in chips.spots.values() if not spot.was_collected]
        times = [
            spot.gone_ns for spot in spots if spot.gone_ns is not None and spot.gone_ns > (told.cards.first_ns or 0)
        ]
        return min([*times, *([told.cards.faces.reveal_ns] if told.cards.faces.reveal_ns else [])], default=0) - 2

    def _settling(self, told: Explained) -> Iterator[tuple[int, ev.Event, float]]:
        for seat, chips in told.chips.items():
            for wager, spot in chips.spots.items():
                if spot.paid:
                    first = spot.paid[0]
                    worth = first.contents[0].amounts
                    yield first.born_ns, ev.Pay(seat, wager, worth[0][0] if worth else 0), 0.95
                elif spot.gone_ns is not None and not spot.was_collected and told.is_honoured:
                    yield spot.gone_ns, ev.GiveBack(seat, wager), 0.9
                elif spot.gone_ns is not None and self._is_taken(told, chips, spot):
                    yield spot.gone_ns, ev.Take(seat, wager), spot.by_dealer

    def _is_taken(self, told: Explained, chips: SeatChips, spot: SpotChips) -> bool:
        """Tell whether the dealer took a stake that was lost, or given up."""
        is_time = told.cards.faces.reveal_ns is not None or self._explainer.has_folded(told.cards, chips)
        return is_time and not spot.was_collected and spot.by_dealer >= TOOK_SURELY

    def _clears(self, told: Explained) -> Iterator[tuple[int, ev.Event, float]]:
        for show in told.cards.shows:
            if show.seat is not None and show.end_ns is not None:
                yield show.end_ns, ev.Clear(SEAT, show.seat), show.p
        gone = [chain.gone_ns for chain in told.cards.hands.get(DEALER, ())]
        if told.cards.faces.reveal_ns is not None and gone and None not in gone:
            yield max(t for t in gone if t is not None), ev.Clear(DEALER[0], None), 1.0


def _stake(told: Explained, seat: int, wager: str) -> int:
    """Return a stake as the seat's money explains it."""
    tally = told.money.get(seat, {}).get(wager)
    if tally is None or not tally.stakes:
        return told.played_stake(seat, wager)
    return max(tally.stakes, key=lambda cents: (tally.stakes[cents], -cents))


def first_cards(told: Explained, seats: Sequence[int]) -> list[tuple[int, int]]:
    """Return when each seat got its first card."""
    found = []
    for seat in seats:
        births = [chain.born_ns for chain in told.cards.hands.get(seat_place(seat), ())]
        if births:
            found.append((min(births), seat))
    return sorted(found)


def out_of_turn(order: Sequence[tuple[int, int]]) -> tuple[int, int, int] | None:
    """Return the first seat that was dealt to before one that was due, when, and which one that was."""
    for (_, one), (t_ns, two) in pairwise(order):
        if two < one:
            return t_ns, one, two
    return None
