"""What the alert codes mean to people: codes enter; severity, deadline and title leave."""

from enum import StrEnum
from typing import Final

from vision.values.codes import Code, Severity

MISPAID: Final = (
    Code.UNDERPAID,
    Code.OVERPAID,
    Code.LOSER_PAID,
    Code.LOSER_NOT_COLLECTED,
    Code.WINNER_COLLECTED,
    Code.WINNER_NOT_PAID,
)
GAME: Final = {
    Code.DEALER_CARD_EXPOSED: "Dealer card exposed",
    Code.WRONG_CARD_COUNT: "Wrong number of cards",
    Code.CARD_FACED_IN_DECK: "Card face up in the deck",
    Code.DUPLICATE_CARD: "Duplicate card",
    Code.LATE_WAGER: "Late bet",
    Code.WAGER_WITHDRAWN: "Bet withdrawn",
    Code.PLAY_OUT_OF_RANGE: "Play bet out of range",
    Code.WAGER_NOT_ALLOWED: "Bet not allowed",
    Code.UNDERPAID: "Underpaid",
    Code.OVERPAID: "Overpaid",
    Code.LOSER_PAID: "Losing bet paid",
    Code.LOSER_NOT_COLLECTED: "Losing bet not taken",
    Code.WINNER_COLLECTED: "Winning bet taken",
    Code.WINNER_NOT_PAID: "Winning bet not paid",
    Code.VOID_NOT_HONOURED: "Void hand was paid or taken",
    Code.PROGRESSIVE_COUNT: "Progressive bets miscounted",
    Code.PROGRESSIVE_METER: "Progressive meter wrong",
}
PROCEDURE: Final = {
    Code.DEAL_ORDER: "Dealt out of order",
    Code.SETTLE_ORDER: "Settled out of order",
    Code.CARDS_CLEARED_EARLY: "Cards cleared early",
    Code.CARD_TOUCHED: "Cards touched",
    Code.STUB_COUNT_DUE: "Stub count due",
    Code.STUB_COUNT_WRONG: "Stub count wrong",
    Code.DECK_CHANGE_DUE: "Deck change due",
    Code.WRONG_DECK: "Wrong deck",
}
SYSTEM: Final = {
    Code.CAMERA_LOST: "Camera lost",
    Code.CAMERA_FROZEN: "Camera frozen",
    Code.VIEW_BLOCKED: "View blocked",
    Code.CAMERA_MOVED: "Camera moved",
    Code.PICTURE_DEGRADED: "Picture degraded",
    Code.FALLING_BEHIND: "Falling behind",
}
TITLES: Final = {**GAME, **PROCEDURE, **SYSTEM}


class Deadline(StrEnum):
    """Until when the floor supervisor can still correct an error."""

    NEXT_FIRST_CARD = "next round's first card"


def severity_of(code: Code) -> Severity:
    """Return how grave a code is."""
    return Severity.CRITICAL if code in GAME else Severity.WARNING if code in PROCEDURE else Severity.INFO


def title_of(code: str) -> str:
    """Return what an alert is called: 'Late bet'; a code that only another build knows, in its own words."""
    return TITLES[Code(code)] if code in set(Code) else code.replace("-", " ").capitalize()


def deadline_of(code: Code) -> Deadline | None:
    """Return by when an alert of a code must be raised; the system's own state has no deadline."""
    return None if code in SYSTEM else Deadline.NEXT_FIRST_CARD
