"""Corrections: parts of a round's record that a person can set right, and the round as it really was.

A corrected round is truth: it is settled again by its house sheet, so that what was due follows from what was there.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from vision.records.correction import Correction
from vision.records.round import Round
from vision.values.cards import parse_seen
from vision.web import words
from vision.web.amounts import cents_of
from vision.web.arithmetic import due_cents

CARD, MONEY, CHOICE = "card", "money", "choice"  # kinds of parts
DECISIONS: Final = ("play", "fold", "none")
MOST_CENTS: Final = 10**11
OWNERS: Final = tuple(str(seat) for seat in range(1, 8))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a record that can be set right."""

    name: str
    kind: str
    label: str  # 'Seat 4, card 2'
    value: str | int | None

    @property
    def said(self) -> str:
        """Return its value in words."""
        return words.money(self.value) if isinstance(self.value, int) and self.kind == MONEY else str(self.value or "–")


def parts(record: Round) -> Iterator[Part]:
    """Yield all parts of a record that can be set right."""
    for i, card in enumerate(record.dealer.cards):
        yield Part(f"dealer.cards.{i}", CARD, f"Dealer, card {i + 1}", card)
    if record.bonus_card is not None:
        yield Part("bonus_card", CARD, "Bonus card", record.bonus_card)
    for at, seat in enumerate(record.seats):
        for i, card in enumerate(seat.cards):
            yield Part(f"seats.{at}.cards.{i}", CARD, f"Seat {seat.seat}, card {i + 1}", card)
        yield Part(f"seats.{at}.decision", CHOICE, f"Seat {seat.seat}, decision", seat.decision)
        for name, wager in seat.wagers.items():
            where, label = f"seats.{at}.wagers.{name}", f"Seat {seat.seat}, {words.wager_name(name)}"
            yield Part(f"{where}.cents", MONEY, f"{label}, stake", wager.cents)
            yield Part(f"{where}.paid_cents", MONEY, f"{label}, paid", wager.paid_cents)
    for i, event in enumerate(record.events):
        if event.seat is not None:
            yield Part(f"events.{i}.seat", CHOICE, f"Whose: {words.event_words(event)}", str(event.seat))


def read_value(part: Part, text: str) -> str | int:
    """Read what a person wrote for a part; a ValueError says what is wanted."""
    text = text.strip()
    if part.kind == CARD:
        return str(parse_seen(text[:-1].upper().replace("10", "T") + text[-1:].lower()))
    if part.kind == MONEY:
        cents = cents_of(text)
        if cents is None or not 0 <= cents <= MOST_CENTS:
            raise ValueError(f"{text!r}: want an amount of dollars, such as 12.50")
        return cents
    allowed = OWNERS if part.name.endswith(".seat") else DECISIONS
    if text not in allowed:
        raise ValueError(f"{text!r}: want one of {', '.join(allowed)}")
    return text


def corrected(record: Round, corrections: Sequence[Correction]) -> Round:
    """Return the round as it really was: with what was set right, the oldest first, and settled anew."""
    if not corrections:
        return record
    plain = deepcopy(record.plain())
    for correction in corrections:
        _set(plain, correction)
    return _settled(Round.of(plain))


def _set(plain: dict[str, Any], correction: Correction) -> None:
    *path, last = correction.part.split(".")
    at: Any = plain
    for step in path:
        at = at[int(step)] if isinstance(at, list) else at[step]
    value: Any = int(str(correction.value)) if last == "seat" else correction.value
    if isinstance(at, list):
        at[int(last)] = value
    else:
        at[last] = value
    if last == "cents":
        at["bounds"] = None  # it is known now


def _settled(record: Round) -> Round:
    """Return a round whose wagers are right where what was paid is what is due, by the sheet that it names."""
    due, plain = due_cents(record), record.plain()
    for seat in plain["seats"]:
        for name, wager in seat["wagers"].items():
            cents = due.get((seat["seat"], name), wager["due_cents"])
            known = cents is not None and wager["paid_cents"] is not None
            wager["due_cents"] = cents
            wager["verdict"] = "unverifiable" if not known else "right" if cents == wager["paid_cents"] else "wrong"
    verdicts = [wager["verdict"] for seat in plain["seats"] for wager in seat["wagers"].values()]
    worst = next((verdict for verdict in ("wrong", "unverifiable") if verdict in verdicts), "right")
    return Round.of(plain | {"verdict": record.verdict if record.verdict == "void" else worst})
