"""What a reviewer can find, and what of it fits: codes of alerts enter, findings with their names and keys leave."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from vision.alerts.codes import GAME, MISPAID, PROCEDURE, SYSTEM
from vision.values.codes import Code

DEALER, PLAYER, PROCEDURAL = "dealer-error", "player-error", "procedure"
NONE, WRONG, CAMERA = "no-error", "system-wrong", "camera-fault"
NAMES: Final = {
    DEALER: "Dealer error",
    PLAYER: "Player error",
    PROCEDURAL: "Procedure",
    NONE: "No error",
    WRONG: "System wrong",
    CAMERA: "Camera fault",
}  # in the order of their keys, 1 to 6
EARLIER: Final = {
    "confirmed": "Confirmed error",
    "corrected": "Corrected at the table",
    "training": "Training",
    "inconclusive": "Inconclusive",
}  # of earlier versions
PLAYERS: Final = (
    Code.LATE_WAGER,
    Code.WAGER_WITHDRAWN,
    Code.PLAY_OUT_OF_RANGE,
    Code.WAGER_NOT_ALLOWED,
    Code.CARD_TOUCHED,
    Code.WRONG_CARD_COUNT,
    Code.DUPLICATE_CARD,
)  # what a player can have done
ANY: Final = tuple(NAMES)


@dataclass(frozen=True, slots=True)
class Choice:
    """A finding that is offered, with its key: a finding has the same key on every page."""

    value: str
    name: str
    key: int


def fitting(codes: Iterable[str]) -> list[Choice]:
    """Return what fits one of the codes; without any, everything does."""
    fits = {finding for code in codes for finding in _fitting(code)}
    return [Choice(value, name, i) for i, (value, name) in enumerate(NAMES.items(), 1) if value in (fits or ANY)]


def name(finding: str) -> str:
    """Return a finding in words."""
    return NAMES.get(finding) or EARLIER.get(finding, finding)


def _fitting(code: str) -> tuple[str, ...]:
    if code in SYSTEM:
        return CAMERA, NONE, WRONG
    if code in MISPAID:
        return DEALER, NONE, WRONG
    by_players = (PLAYER,) if code in PLAYERS else ()
    return (DEALER, *by_players, PROCEDURAL, NONE, WRONG) if code in (*GAME, *PROCEDURE) else ANY
