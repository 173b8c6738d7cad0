"""Mistakes of procedure: things done out of turn, too soon, by the wrong hand, or not at all.

A draft enters and is changed in place; where it does not offer the situation, `Unsuited` is raised.
"""

from itertools import pairwise

from studio.play.card_faults import add_card, expose, voids
from studio.play.clean_round import bonus_wagers
from studio.play.draft import Draft
from studio.play.players import Dice, Unsuited
from studio.play.replay import DEALER, EXPOSED, SETTLING
from studio.play.script import Do, Move
from vision.rules.book.sheet import HouseSheet
from vision.rules.play.dealscript import SEAT
from vision.values.codes import Code
from vision.values.errors import InputError

MINUTE_NS = 60 * 10**9
HOUR_NS = 60 * MINUTE_NS
LATEST_MIN = 120  # that a change of deck is late


def deal_order(draft: Draft, dice: Dice) -> None:
    """A seat is served before its neighbour, who gets the card afterwards."""
    deals = draft.find(Do.DEAL)
    swaps = [
        (one, two)
        for one, two in pairwise(deals)
        if one.move.zone == two.move.zone == SEAT and one.move.seat != two.move.seat
    ]
    one, two = dice.pick(swaps)
    draft.shift(two, before=one)
    draft.mark(two, two.move.seat)


def cards_touched(draft: Draft, dice: Dice) -> None:
    """A neighbour's hand is on a player's cards."""
    seat = dice.pick(draft.find(Do.PEEK, Do.PLAY)).move.seat
    step = draft.put(Move(Do.TOUCH, seat), after=draft.between(dice, draft.first(Do.STUB)))
    draft.mark(step, seat)


def cards_cleared_early(draft: Draft, dice: Dice) -> None:
    """A hand goes to the rack while chips of its seat wait."""
    seat = dice.pick(draft.find(Do.SHOW)).move.seat or 0
    waiting = [step for step in draft.turn_of(seat) if draft.is_stake(step.move) and not step.move.fault]
    muck = draft.first(Do.MUCK, seat=seat)
    if not waiting or draft.steps.index(muck) < draft.steps.index(waiting[-1]):
        raise Unsuited("no chips wait")
    draft.shift(muck, before=waiting[-1])
    draft.mark(muck, seat)


def count_every(sheet: HouseSheet) -> int | None:
    """Return after how many rounds the stub must have been counted; None where nobody asks for it."""
    clock = next((entry for entry in sheet.house.game.file.clock if entry.code == Code.STUB_COUNT_DUE), None)
    return None if clock is None or sheet.shuffler.counting else clock.rounds


def stub_count_due(draft: Draft, dice: Dice) -> None:  # noqa: ARG001  every fault has the same shape
    """The dealer forgets the count that is due."""
    if not (draft.is_count_due or draft.is_first):
        raise InputError("fault: 'stub-count-due': no count is due in this round: want a later one")
    step = draft.first(Do.STUB)
    draft.change(step, count=0)
    draft.mark(step)


def change_hours(sheet: HouseSheet) -> int | None:
    """Return after how many hours the deck must be changed; None where the text does not say."""
    clock = next((entry for entry in sheet.house.game.file.clock if entry.code == Code.DECK_CHANGE_DUE), None)
    return None if clock is None else clock.hours.get(sheet.deal_method)


def deck_record(sheet: HouseSheet, opened_ns: int | None) -> dict[str, int]:
    """Return when the deck was opened and when its change falls due, in stream time; empty where nobody knows."""
    hours = change_hours(sheet)
    if opened_ns is None or hours is None:
        return {}
    return {"opened_ns": opened_ns, "change_due_ns": opened_ns + hours * HOUR_NS}


def deck_change_due(draft: Draft, dice: Dice) -> None:
    """The table deals on with a deck whose time was over before the film began."""
    over_ns = dice.between(1, LATEST_MIN) * MINUTE_NS
    if draft.deck_opened_ns is None and not draft.is_deck_new:
        draft.deck_opened_ns = -(change_hours(draft.sheet) or 0) * HOUR_NS - over_ns
    due_ns = deck_record(draft.sheet, draft.deck_opened_ns).get("change_due_ns", 0)
    if draft.is_deck_new or due_ns >= 0:
        raise InputError("fault: 'deck-change-due': this deck is not old enough: want one that was not opened on film")
    draft.mark(draft.first(Do.DEAL))


def settle_order(draft: Draft, dice: Dice) -> None:
    """A seat or a wager is settled before its turn; where the text leaves turns open, before its cards show."""
    order = draft.sheet.house.game.file.order
    if order.settle_force != "must":
        _settle_unseen(draft, dice)
    elif order.wagers_force == "must" and dice.chance(0.4):
        _side_first(draft, dice)
    else:
        _seat_first(draft, dice)


def _settle_unseen(draft: Draft, dice: Dice) -> None:
    show = dice.pick(draft.find(Do.SHOW))
    step = next((s for s in draft.turn_of(show.move.seat or 0) if draft.is_stake(s.move)), None)
    if step is None or step.move.wager in bonus_wagers(draft.sheet.house):
        raise Unsuited("nothing to settle too soon")
    draft.shift(step, before=show)
    draft.mark(step, step.move.seat, step.move.wager)


def _side_first(draft: Draft, dice: Dice) -> None:
    show = dice.pick(draft.find(Do.SHOW))
    turn = draft.turn_of(show.move.seat or 0)
    step = dice.pick([s for s in turn if draft.is_side(s.move) and s is not turn[0]])
    draft.shift(step, before=turn[0])
    draft.mark(step, step.move.seat, step.move.wager)


def _seat_first(draft: Draft, dice: Dice) -> None:
    """Move a seat's whole turn before that of the seat on its right."""
    seats = [
        s.move.seat or 0
        for s in draft.find(Do.SHOW)
        if any(draft.is_stake(t.move) for t in draft.turn_of(s.move.seat or 0))
    ]
    right, left = dice.pick(list(pairwise(seats)))
    target = draft.first(Do.SHOW, seat=right)
    steps = [draft.first(Do.SHOW, seat=left), *draft.turn_of(left), draft.first(Do.MUCK, seat=left)]
    for step in steps:
        draft.shift(step, before=target)
    _bonus_in_time(draft)
    draft.mark(next(step for step in steps if draft.is_stake(step.move)), left)


def _bonus_in_time(draft: Draft) -> None:
    """The bonus card is turned before the first wager that is read with it is settled."""
    users = bonus_wagers(draft.sheet.house)
    turned, settled = draft.find(Do.TURN_BONUS), [s for s in draft.find(*SETTLING) if s.move.wager in users]
    if turned and draft.steps.index(turned[0]) > draft.steps.index(settled[0]):
        draft.shift(turned[0], before=settled[0])


def void_not_honoured(draft: Draft, dice: Dice) -> None:
    """The round is void and the dealer settles it all the same."""
    draft.first(Do.REVEAL)
    if voids(draft.sheet, EXPOSED) and DEALER in draft.sheet.house.game.file.counts:
        expose(draft, dice, (0.3, 0.8), "flash")
    else:
        add_card(draft, dice, SEAT)
    start = draft.steps.index(draft.first(Do.STUB))
    step = next(step for step in draft.find(Do.PAY, Do.TAKE) if draft.steps.index(step) > start)
    draft.mark(step, step.move.seat, step.move.wager)
