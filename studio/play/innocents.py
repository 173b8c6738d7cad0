"""Innocent confusions: what looks like a mistake and is none.

A draft enters and is changed in place; where it does not offer the situation, `Unsuited` is raised.
"""

from collections.abc import Callable
from dataclasses import replace

from studio.play.draft import Draft
from studio.play.players import Dice, fewest
from studio.play.replay import dealt
from studio.play.script import Do, Move
from vision.rules.play.dealscript import SEAT


def straighten(draft: Draft, dice: Dice) -> None:
    """A player squares up a stack after the close."""
    bet = dice.pick([step for step in draft.find(Do.BET) if step.move.wager != "progressive"])
    draft.put(Move(Do.STRAIGHTEN, bet.move.seat, bet.move.wager), after=draft.while_dealing(dice))


def put_prop(note: str) -> Callable[[Draft, Dice], None]:
    """Return the edit by which a drink, a phone or more chips come to the table."""

    def edit(draft: Draft, dice: Dice) -> None:
        """Something is put down near a seat."""
        seat = dice.pick(draft.find(Do.BET)).move.seat
        chips = (
            fewest(draft.sheet.chips_cents[0] * dice.between(4, 12), draft.sheet.chips_cents[:1])
            if note == "reserve"
            else ()
        )
        draft.put(Move(Do.PROP, seat, chips=chips, note=note), after=draft.between(dice, draft.first(Do.BET)))

    return edit


def colour_up(draft: Draft, dice: Dice) -> None:
    """A player's small chips are changed into a larger one, in the middle of the round."""
    seat = dice.pick(draft.find(Do.BET)).move.seat
    draft.put(
        Move(Do.COLOUR_UP, seat, chips=(dice.pick(draft.sheet.chips_cents[1:3]),)), after=draft.while_dealing(dice)
    )


def dropped_card(draft: Draft, dice: Dice) -> None:
    """A card of a seat lands beside its place and is put right."""
    step = dice.pick(draft.find(Do.DEAL, zone=SEAT))
    cards = dealt(draft.moves[: draft.steps.index(step)], SEAT, step.move.seat)
    index = len(cards) + dice.between(0, len(step.move.cards) - 1)
    draft.put(Move(Do.DROP, step.move.seat, zone=SEAT, count=index), after=step)


def change(draft: Draft, dice: Dice) -> None:
    """A payment is interrupted while the dealer makes change at the tray."""
    step = dice.pick([step for step in draft.find(Do.PAY) if len(step.move.chips) > 1])
    cut = dice.between(1, len(step.move.chips) - 1)
    rest = replace(step.move, chips=step.move.chips[cut:], count=0)
    draft.change(step, chips=step.move.chips[:cut])
    wait = draft.put(Move(Do.WAIT, step.move.seat, seconds=dice.span(1, 4), note="change"), after=step)
    draft.put(rest, after=wait)


def resting_hand(draft: Draft, dice: Dice) -> None:
    """A hand rests on a spot."""
    bet = dice.pick([step for step in draft.find(Do.BET) if step.move.wager != "progressive"])
    move = Move(Do.REST, bet.move.seat, bet.move.wager, seconds=dice.span(2, 8))
    draft.put(move, after=draft.while_dealing(dice))
