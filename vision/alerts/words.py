"""The sentences of alerts and verdicts: rulings, findings and outages enter, English leaves.

Elsewhere: titles (`alerts.codes`), what is in the way of seeing (`attention.view`), why a source is lost (`capture`),
remedies and citations (the game files). No code reads sentences: who wants to know what happened reads the code, the
reason and the numbers.
"""

import re
from collections.abc import Mapping
from typing import Final

from vision.alerts.outage import Outage
from vision.rules.play.ruling import Numbers, Reason, Ruling, Value
from vision.story.verdict import Finding, Verdict, Why, due_bounds, is_due_by_bounds
from vision.values.cards import UNSEEN
from vision.values.money import dollars

SECOND_NS: Final = 1_000_000_000
ONE: Final = re.compile(r"\b1 (card|other|round|seat)s\b")
SUITS: Final = str.maketrans("cdhs", "♣♦♥♠")
SPOT: Final = "{wager} at seat {seat}"
RULINGS: Final = {
    Reason.NO_SUCH_WAGER: "no {wager} bet in this game",
    Reason.CHANGED_AFTER_CLOSE: SPOT + " changed from {before_cents} to {cents} after betting closed",
    Reason.RAISE_TAKEN_BACK: SPOT + " taken back",
    Reason.OTHER_WAGER_MISSING: SPOT + " without {needed_wagers}",
    Reason.RAISED_AFTER_FOLD: SPOT + " bet after folding",
    Reason.RAISED_TOO_EARLY: SPOT + " bet too early, during {stage}",
    Reason.RAISED_AFTER_REVEAL: SPOT + " bet after the cards were turned",
    Reason.RAISE_TOO_HIGH: SPOT + ": {cents}, at most {times} times {base_cents}",
    Reason.RAISE_NOT_IN_RANGE: SPOT + ": {cents} on {base_wager} of {base_cents}",
    Reason.NOTHING_TO_FOLD: "Seat {seat} folded without {base_wager}",
    Reason.FOLD_DURING_DEAL: "Seat {seat} folded before the deal was complete",
    Reason.FOLD_AFTER_RAISE: "Seat {seat} folded after raising",
    Reason.NO_SUCH_SEAT: "Seat {seat}: the table has {seats} seats",
    Reason.NOT_EQUAL: SPOT + " must equal {base_wager}",
    Reason.NOT_OFFERED: SPOT + ": not offered by the house",
    Reason.OUTSIDE_LIMITS: SPOT + ": {cents}, table limits {least_cents} to {most_cents}",
    Reason.COLLECTED_OUT_OF_TIME: SPOT + " not taken between the close of betting and the first card",
    Reason.SETTLED_IN_STAGE: SPOT + " settled during {stage}",
    Reason.SETTLED_FACE_DOWN: "Seat {seat} settled before its cards were turned",
    Reason.SETTLED_IN_VOID: SPOT + " paid or taken in a void round",
    Reason.SEAT_OUT_OF_TURN: "Seat {seat} settled; seat {due_seat} was next",
    Reason.WAGER_OUT_OF_TURN: SPOT + " settled after {earlier_wager}",
    Reason.LEFT_BEHIND: SPOT + " not collected; {others} others were",
    Reason.COLLECTED_NOT_ACCEPTED: SPOT + " collected; accepted only for seats {accepted_seats}",
    Reason.COLLECTED_OTHER_AMOUNT: SPOT + ": {cents} collected, {accepted_cents} accepted",
    Reason.TOO_MANY_DEALT: "{place}: {cards} cards, should be {due_cards}",
    Reason.TOO_FEW_DEALT: "{place}: {cards} cards at the end of the deal, should be {due_cards}",
    Reason.WRONG_NUMBER_SHOWN: "{place}: {cards} cards, should be {due_cards}",
    Reason.DEALT_WITHOUT_WAGER: "card dealt to seat {seat}, which has no bet",
    Reason.DEALT_OUT_OF_TURN: "card dealt to {place}; {due_place} was next",
    Reason.WRONG_PACKET: "{cards} cards at once to {place}, should be {due_cards}",
    Reason.UP_CARD_FACE_DOWN: "{place}: up-card dealt face down",
    Reason.DEALT_FACE_UP: "card dealt face up to {place}",
    Reason.EXPOSED_EARLY: "{place} hole cards exposed before players acted: {cards} face up during {stage}",
    Reason.TURNED_EARLY: "{place}: {cards} cards face up during {stage}",
    Reason.FACED_IN_DECK: "{cards} cards face up in the deck: {card}",
    Reason.ON_TABLE_TWICE: "{card} is on the table twice",
    Reason.STRANGERS_HAND: "another person's hand on the cards of seat {seat}",
    Reason.CLEARED_UNSETTLED: "Seat {seat} cleared with {open_wagers} unsettled",
    Reason.CLEARED_BEFORE_SEATS: "{place} cleared before all seats were settled",
    Reason.DECK_DEALT_AGAIN: "same deck ({deck}) dealt as in the last round",
    Reason.MIXED_DECKS: "{places}: {odd_cards} cards with the back of {odd_deck}, {cards} others of {deck}",
    Reason.DECK_TOO_OLD: "deck in play for {hours:.1f} hours, at most {most_hours} allowed",
    Reason.STUB_NOT_COUNTED: "{rounds} rounds without a stub count",
    Reason.SHUFFLER_COUNT: "shuffler counted {cards} cards, should be {due_cards}",
    Reason.DECK_COUNT: "{cards} cards counted, should be {due_cards}",
    Reason.STUB_COUNT: "{cards} cards counted in the stub, should be {due_cards}: the deck has {deck_cards}",
}
FINDINGS: Final = {
    Finding.PAID_OTHER: "paid {paid_cents}, due {due_cents}",
    Finding.PAID_OTHER_BY_BOUNDS: "paid {paid_cents}, due at least {due_cents}",
    Finding.NOT_RETURNED: "took {cents} that was not lost",
    Finding.NOT_COLLECTED: "losing bet of {cents} not taken",
    Finding.RULES_SILENT: "{text}",
    Finding.PAID_ELSEWHERE: "{cents} by the {meter} meter may be paid away from the table",
    Finding.STAKE_UNKNOWN: "bet not known: at least {least_cents}",
    Finding.PAYMENT_UNKNOWN: "payment not known: at least {least_cents}",
    Finding.PAYMENT_UNCERTAIN: "payment not certain: {least_cents} to {most_cents}",
    Finding.CARDS_UNCERTAIN: "depends on cards not read reliably: {doubted_cards}",
    Finding.VIEW_LOST: "{code}: {what}",
    Finding.CAMERA_MOVED: "camera moved during the round",
    Finding.DECISION_UNSEEN: "player's decision not seen",
    Finding.GLIMPSED: "chips seen beside the bet for a moment could not be followed",
    Finding.CALLED_OFF: "dealer's hand not revealed: round called off, or its end not seen",
    Finding.PAYER_UNSEEN: "not seen who put the chips there",
    Finding.BETWEEN: "chips lie between this bet and another that was being paid",
    Finding.NO_CARDS: "no cards seen at the seat: the chips may be left from the last round",
    Finding.OWNER_UNSEEN: "not seen whose hand was shown",
    Finding.TAKER_UNSEEN: "not seen who took the chips",
    Finding.ODD_STAKE: "bet as read breaks the table's rules: it may be misread",
    Finding.NOT_MADE: "no bet seen that could be paid",
    Finding.SENSOR_ONLY: "bet not seen: only its sensor knows whether it was made",
    Finding.CUT_OFF: "stream ended before the bet was settled",
    Finding.JOINED: "beginning of the round not seen",
}
WITHDRAWN: Final = "explained by what was seen later"
BACK: Final = "camera is back"
CHANGES_AGAIN: Final = "picture changes again"


def ruling_words(ruling: Ruling, wager_names: Mapping[str, str]) -> str:
    """Return why something is refused, in words; `wager_names`: what the game calls its wagers."""
    if ruling.reason is None:
        return ""
    wager = _name(ruling.wager or "", wager_names)
    return _filled(RULINGS[ruling.reason], ruling.numbers, wager_names, {"seat": ruling.seat or 0, "wager": wager})


def finding_words(why: Why | None) -> str | None:
    """Return why a wager is not known to be right, or a table was not seen, in words; None where there is nothing."""
    return None if why is None else _filled(FINDINGS[why.finding], why.numbers, {}, {})


def due_words(verdict: Verdict) -> str:
    """Return what is due; where the stake is known by its bounds only, what is due at least."""
    due = dollars(due_bounds(verdict)[0])
    return f"at least {due}" if is_due_by_bounds(verdict) else due


def outage_over(outage: Outage) -> str:
    """Return what was in the way, and for how long."""
    return f"{outage.what}; over after {(outage.end_ns - outage.start_ns) / SECOND_NS:.1f} s"


def camera_moved(moved_px: float) -> str:
    """Return how far a camera moved."""
    return f"picture shifted by {moved_px:.1f} px; camera registered again"


def camera_lost(since_ns: int) -> str:
    """Return since when no frame came."""
    return f"no frames since {since_ns / SECOND_NS:.1f} s"


def camera_frozen(since_ns: int) -> str:
    """Return since when the picture is the same."""
    return f"picture unchanged since {since_ns / SECOND_NS:.1f} s"


def falling_behind(lag_ns: int, dropped: int) -> str:
    """Return how far the watcher is behind."""
    return f"{lag_ns / SECOND_NS:.1f} s behind the stream, {dropped} frames dropped"


def in_time_again(dropped: int) -> str:
    """Return that the watcher keeps up again."""
    return f"in time again, {dropped} frames dropped so far"


def _filled(template: str, numbers: Numbers, names: Mapping[str, str], more: Mapping[str, Value]) -> str:
    """Return a sentence; a place that begins it begins with a capital."""
    values = {key: _shown(key, value, names) for key, value in numbers}
    text = ONE.sub(r"1 \1", template.format(**values, **more))
    return text[:1].upper() + text[1:] if template.startswith("{place") else text


def _shown(key: str, value: Value, names: Mapping[str, str]) -> Value:
    """Return a value as people write it; its name says what it is."""
    match key.split("_")[-1], value:
        case "cents", int():
            return dollars(value)
        case "code", str():
            return value.replace("-", " ")
        case "card", str():
            return card_sign(value)
        case "wager", str():
            return _name(value, names)
        case "wagers", tuple():
            return (" or " if key == "needed_wagers" else ", ").join(_name(each, names) for each in value)
        case "cards", tuple():
            return ", ".join(_either(each) for each in value)
        case _, tuple():
            return ", ".join(value)
        case _:
            return value


def _name(wager: str, names: Mapping[str, str]) -> str:
    return names.get(wager, wager.replace("_", " ").title())


def card_sign(card: str) -> str:
    """Return a card with the sign of its suit: K♣."""
    return card[:-1] + card[-1:].translate(SUITS)


def _either(faces: str) -> str:
    """Return the faces that a card may have, or how many cards were not seen."""
    cards = faces.split()
    return f"{len(cards)} not seen" if cards[0] == str(UNSEEN) else " or ".join(map(card_sign, cards))
