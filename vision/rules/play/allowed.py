"""May this happen now? A round's state and an event enter; a ruling leaves, and if it is no: why, by which rule.

The codes are those of the alerts. A ruling is about order and moment; amounts due are `due.settle`'s business.
"""

from vision.rules.play.bets import rule_bet, rule_fold
from vision.rules.play.cards import rule_clear, rule_deal, rule_deal_over, rule_touch, rule_turn
from vision.rules.play.events import (
    Bet,
    Clear,
    Deal,
    DealOver,
    Declare,
    Event,
    Fold,
    GiveBack,
    NoMoreBets,
    Pay,
    Take,
    Touch,
    Turn,
)
from vision.rules.play.ruling import YES, Ruling
from vision.rules.play.settling import rule_settling
from vision.rules.play.tablestate import TableState


def allowed(state: TableState, event: Event) -> Ruling:
    """Rule on one event."""
    match event:
        case Bet():
            return rule_bet(state, event)
        case Fold():
            return rule_fold(state, event)
        case Deal():
            return rule_deal(state, event)
        case DealOver():
            return rule_deal_over(state)
        case Turn():
            return rule_turn(state, event)
        case Touch():
            return rule_touch(state, event)
        case Clear():
            return rule_clear(state, event)
        case Pay() | Take() | GiveBack():
            return rule_settling(state, event)
        case NoMoreBets() | Declare():
            return YES
