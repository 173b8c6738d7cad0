"""Mistakes with cards: shown, miscounted, faced, doubled, of another deck; and what a floor does about them.

A draft enters and is changed in place; where it does not offer the situation, `Unsuited` is raised.
"""

from collections.abc import Callable

from studio.play.draft import Draft, Step
from studio.play.ledger import ledger_of
from studio.play.players import Dice, Unsuited
from studio.play.replay import CALLED_OFF, COUNT, DEALER, EXPOSED, FACED, MISCOUNT, TURNED_BACK, counted_deck, dealt
from studio.play.script import Do, Move
from vision.rules.book.sheet import HouseSheet
from vision.rules.due.irregular import effect_of
from vision.rules.due.record import Irregularity
from vision.rules.play.dealscript import SEAT
from vision.values.cards import DECK, Card

CARDS_OF_A_SUIT = 4  # that make a flush
DECK_SIZE = len(DECK)


def _rule(draft: Draft, dice: Dice, step: Step, irregularity: Irregularity) -> None:
    """Let the round go the way the text says: on, off, or as a supervisor decides."""
    ruled = effect_of(draft.sheet.house.game, irregularity)
    effect, settles = ruled.effect, frozenset(ruled.still_settle)
    stub = draft.first(Do.STUB)
    start = step if draft.steps.index(step) > draft.steps.index(stub) else stub
    if irregularity.code == COUNT and effect == "void":
        _call_off(draft, step, dice, settles)  # who counts knows at once
    elif effect == "void" or (effect == "supervisor" and (irregularity.code == MISCOUNT or dice.chance(0.4))):
        _call_off(draft, draft.between(dice, start), dice, settles)
    elif effect == "supervisor":
        draft.put(Move(Do.WAIT, seconds=dice.span(4, 10), note="supervisor"), after=start)


def _call_off(draft: Draft, last: Step, dice: Dice, settles: frozenset[str]) -> None:
    """End the round after a step: wagers go back to their owners, but for those still settled; then the cards away."""
    tail = draft.steps[draft.steps.index(last) + 1 :]
    paid = [step for step in tail if step.move.do in (Do.PAY, Do.TAKE) and step.move.wager in settles]
    seats = {step.move.seat for step in paid}
    shown = [step for step in tail if step.move.do is Do.SHOW and step.move.seat in seats]
    turned = [step for step in tail if step.move.do is Do.TURN_BONUS and paid]
    del draft.steps[draft.steps.index(last) + 1 :]
    moves = draft.moves
    draft.put(Move(Do.WAIT, seconds=dice.span(2, 8), note=CALLED_OFF))
    stakes = dict(ledger_of(moves).stakes)
    stakes |= {(m.seat or 0, m.wager or ""): m.chips for m in moves if m.do is Do.BET and m.wager == "progressive"}
    for seat, wager in sorted(stakes, key=lambda spot: (-spot[0], spot[1])):
        if wager not in settles:
            draft.put(Move(Do.GIVE_BACK, seat, wager, chips=stakes[seat, wager]))
    draft.steps += sorted((*shown, *turned, *paid), key=tail.index)
    for seat in sorted({seat for seat, _ in stakes}):
        if dealt(moves, SEAT, seat):
            draft.put(Move(Do.MUCK, seat))
    draft.put(Move(Do.MUCK_DEALER))


def voids(sheet: HouseSheet, code: str) -> bool:
    """Return whether an irregularity makes a round void by the house's text."""
    return effect_of(sheet.house.game, Irregularity(code)).effect == "void"


def flash(seconds: tuple[float, float], note: str) -> Callable[[Draft, Dice], None]:
    """Return the edit by which a card of the dealer's is seen for a moment."""

    def edit(draft: Draft, dice: Dice) -> None:
        _rule(draft, dice, expose(draft, dice, seconds, note), Irregularity(EXPOSED))

    return edit


def expose(draft: Draft, dice: Dice, seconds: tuple[float, float], note: str) -> Step:
    """Let a card of the dealer's be seen while the players decide."""
    up = sum(step.move.up for step in draft.find(Do.DEAL, zone=DEALER))  # the last card, where the game has an up-card
    hidden = len(dealt(draft.moves, DEALER)) - up
    move = Move(Do.FLASH, count=dice.between(0, hidden - 1), seconds=dice.span(*seconds), note=note)
    step = draft.put(move, after=draft.between(dice, draft.first(Do.STUB)))
    draft.mark(step, code=EXPOSED)
    return step


def expose_in_deal(draft: Draft, dice: Dice) -> None:
    """A card of the dealer's comes face up that should not."""
    down = [s for s in draft.find(Do.DEAL, zone=DEALER) if len(s.move.cards) > s.move.up]
    step = dice.pick(down)
    draft.change(step, up=step.move.up + 1, note=TURNED_BACK)
    draft.mark(step)
    _rule(draft, dice, step, Irregularity(EXPOSED))


def short_hand(zone: str) -> Callable[[Draft, Dice], None]:
    """Return the edit by which a place gets one card too few."""

    def edit(draft: Draft, dice: Dice) -> None:
        """A single card is forgotten, or a stack comes one short."""
        last = _last_deals(draft, zone)
        step = dice.pick(last)
        seat = step.move.seat
        if len(step.move.cards) > 1:
            draft.change(step, cards=step.move.cards[1:])
        else:
            draft.steps.remove(step)
            step = draft.first(Do.STUB)
        draft.mark(step, seat)
        _rule(draft, dice, step, Irregularity(MISCOUNT))

    return edit


def long_hand(zone: str) -> Callable[[Draft, Dice], None]:
    """Return the edit by which a place gets one card too many."""

    def edit(draft: Draft, dice: Dice) -> None:
        step = add_card(draft, dice, zone)
        _rule(draft, dice, step, Irregularity(MISCOUNT))

    return edit


def add_card(draft: Draft, dice: Dice, zone: str) -> Step:
    """Two cards stick together and come as one; the extra one lies below."""
    step = dice.pick(_last_deals(draft, zone))
    draft.change(step, cards=(draft.stub.pop(), *step.move.cards))
    draft.mark(step, step.move.seat, code=MISCOUNT)
    return step


def _last_deals(draft: Draft, zone: str) -> list[Step]:
    """Return the last delivery to each place of a zone."""
    return list({step.move.seat: step for step in draft.find(Do.DEAL, zone=zone)}.values())


def faced_cards(number: int) -> Callable[[Draft, Dice], None]:
    """Return the edit by which so many cards lie face up in the deck."""

    def edit(draft: Draft, dice: Dice) -> None:
        """A card lies face up in the deck: it goes to the rack, and the next one takes its place."""
        steps = [
            draft.put(
                Move(Do.BURN, cards=(draft.stub.pop(),), up=1, deck=draft.deck),
                before=dice.pick(draft.find(Do.DEAL, zone=SEAT)),
            )
            for _ in range(number)
        ]
        steps.sort(key=draft.steps.index)
        for step in steps:
            draft.change(step, fault=FACED)
        draft.mark(steps[0])
        _rule(draft, dice, steps[-1], Irregularity(FACED, number))

    return edit


def duplicate_card(draft: Draft, dice: Dice) -> None:
    """A seat holds a card that lies elsewhere too; of the same rank, so that nobody at the table stumbles over it."""
    draft.first(Do.REVEAL)
    shown = [step.move.seat or 0 for step in draft.find(Do.SHOW)]
    seat = dice.pick(shown)
    hand = dealt(draft.moves, SEAT, seat)
    others = [*dealt(draft.moves, DEALER), *(c for s in shown if s != seat for c in dealt(draft.moves, SEAT, s))]
    pairs = [(own, twin) for own in hand for twin in others if own.rank == twin.rank and _is_dull(hand, own, twin)]
    own, twin = dice.pick(pairs)
    step = next(step for step in draft.find(Do.DEAL, seat=seat) if own in step.move.cards)
    draft.change(step, cards=tuple(twin if card == own else card for card in step.move.cards))
    draft.mark(step, seat)


def _is_dull(hand: tuple[Card, ...], own: Card, twin: Card) -> bool:
    """Return whether no four of a suit are in a hand, before or after a card is replaced."""
    after = [twin if card == own else card for card in hand]
    return all(sum(card.suit == suit for card in cards) < CARDS_OF_A_SUIT for cards in (hand, after) for suit in "cdhs")


def stub_count_wrong(amiss: int) -> Callable[[Draft, Dice], None]:
    """Return the edit by which the counted deck has so many cards too many, or too few."""

    def edit(draft: Draft, dice: Dice) -> None:
        """A card of the stub is gone, or is there twice; the count shows it, and the deck leaves the table."""
        odd = dice.pick(draft.stub)
        stub = [*draft.stub, odd] if amiss > 0 else [card for card in draft.stub if card != odd]
        step = draft.first(Do.STUB)
        draft.change(step, count=1, cards=tuple(dice.shuffled(stub)))
        total = counted_deck(draft.moves)
        if total != DECK_SIZE + amiss:
            raise Unsuited("another fault has changed the number of cards")
        draft.mark(step)
        _rule(draft, dice, step, Irregularity(COUNT, total))
        _remove_deck(draft)

    return edit


def _remove_deck(draft: Draft) -> None:
    """Take the deck off the table; where two alternate, the next round's change does it."""
    if draft.sheet.decks == 1:
        draft.deck = 1 - draft.deck
        draft.deck_opened_ns, draft.is_deck_new = None, True
        draft.put(Move(Do.CHANGE_DECK, deck=draft.deck))


def wrong_deck(draft: Draft, dice: Dice) -> None:
    """The deck of the last round is dealt again, or cards with another back are among the others."""
    if draft.sheet.decks > 1 and not draft.is_first and dice.chance(0.5):
        for step in draft.find(Do.CHANGE_DECK):
            draft.steps.remove(step)
        draft.deck = draft.last_deck
        for step in draft.find(Do.DEAL, Do.BURN, Do.STUB):
            draft.change(step, deck=draft.deck)
        step = draft.first(Do.DEAL)
    else:
        step = dice.pick(draft.find(Do.DEAL))
        draft.change(step, deck=1 - draft.deck)
    draft.mark(step, step.move.seat)
