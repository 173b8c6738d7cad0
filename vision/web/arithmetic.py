"""The sum behind a wager's verdict: the record of a round enters; hands, odds, due, paid and the rule leave.

A round is settled again by the house sheet that it names. What comes out is shown only where it agrees with the record:
a page must not explain an amount that was not the one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from vision.records.round import Round, Seat, Wager
from vision.rules.book.coverage import SectionEntry, read_sections
from vision.rules.book.sheet import HouseSheet, read_sheet
from vision.rules.due.record import Line, PlayedRound, SeatDue, SeatPlay, Settlement
from vision.rules.due.settle import settle
from vision.values.cards import DealtHand, parse_seen
from vision.values.resources import shipped
from vision.web import words

LEFT_OUT: Final = ("high_card",)  # rows that are no name of a hand


@dataclass(frozen=True, slots=True)
class Sum:
    """One wager of one seat: what was staked, due and paid, and why."""

    seat: int
    decision: str
    wager: str
    name: str
    record: Wager
    hand: str  # that decides it: 'Two pair'; empty where nobody knows
    versus: str  # the dealer's
    odds: str  # '2 to 1'; empty where it wins nothing
    rule: str  # the section in words

    @property
    def difference_cents(self) -> int | None:
        """Return what was paid beyond what is due; none where one of them is not known."""
        if self.record.due_cents is None or self.record.paid_cents is None:
            return None
        return self.record.paid_cents - self.record.due_cents

    @property
    def lacks(self) -> list[str]:
        """Return what would have been needed to verify it."""
        if self.record.verdict != "unverifiable":
            return []
        lacking = ["the stake, read whole"] if self.record.bounds or self.record.cents is None else []
        lacking += ["the cards that decide it"] if self.record.due_cents is None else []
        return lacking + (["what was paid, chip by chip"] if self.record.paid_cents is None else [])


def sums(record: Round) -> list[Sum]:
    """Return all wagers of a round, seat by seat."""
    due = _settled(record)
    seats = {seat.seat: seat for seat in due.seats} if due is not None else {}
    dealer = (due.dealer_hand or "") if due is not None else ""
    return [
        _sum(seat, name, wager, seats.get(seat.seat), dealer)
        for seat in record.seats
        for name, wager in seat.wagers.items()
    ]


def due_cents(record: Round) -> dict[tuple[int, str], int | None]:
    """Return what is due on each wager by the house sheet that a round names; nothing where we do not have it."""
    due = _settled(record)
    lines = {} if due is None else {(seat.seat, name): line for seat in due.seats for name, line in seat.lines.items()}
    return {spot: line.paid if isinstance(line.paid, int) else None for spot, line in lines.items()}


def rule_of(cite: str) -> str:
    """Return a citation with the heading of its section: 'MD ch.12 §C: Payout Odds'."""
    found = [section for section in _sections() if _is_in(cite, section.id)]
    longest = max(found, key=lambda section: len(section.id), default=None)
    return cite if longest is None else f"{cite}: {longest.title}"


def _sum(seat: Seat, name: str, wager: Wager, due: SeatDue | None, dealer: str) -> Sum:
    line = due.lines.get(name) if due is not None else None
    if line is None or wager.due_cents is None or line.paid != wager.due_cents:
        line = None
    return Sum(
        seat=seat.seat,
        decision=seat.decision,
        wager=name,
        name=words.wager_name(name),
        record=wager,
        hand=_hand(line, due) if line is not None and due is not None else "",
        versus=words.plain(dealer) if line is not None and line.cls is None and seat.decision == "play" else "",
        odds=line.pay.text if line is not None and line.pay is not None else "",
        rule=rule_of(wager.cite),
    )


def _hand(line: Line, due: SeatDue) -> str:
    """Return the hand that a line was paid for, or that the seat had."""
    name = line.cls or due.hand or ""
    return "" if name in LEFT_OUT else words.plain(name)


def _settled(record: Round) -> Settlement | None:
    sheet = _sheets().get((record.game, record.house))
    return None if sheet is None or not record.seats else settle(sheet.house, _played(record))


def _played(record: Round) -> PlayedRound:
    return PlayedRound(
        seats=tuple(
            SeatPlay(seat.seat, _cards(seat.cards), _stakes(seat.wagers), folded=seat.decision == "fold")
            for seat in record.seats
        ),
        dealer=_cards(record.dealer.cards),
        bonus=_cards((record.bonus_card,)) if record.bonus_card else (),
    )


def _cards(texts: tuple[str, ...]) -> DealtHand:
    return tuple(parse_seen(text) for text in texts)


def _stakes(wagers: Mapping[str, Wager]) -> dict[str, int]:
    return {name: wager.cents for name, wager in wagers.items() if wager.cents}


@cache
def _sheets() -> dict[tuple[str, str], HouseSheet]:
    """Return the house sheets that are shipped, by game and name."""
    paths: list[Path] = sorted((shipped("calibration") / "houses").glob("*.toml"))
    return {(sheet.game, sheet.name): sheet for sheet in map(read_sheet, paths)}


@cache
def _sections() -> tuple[SectionEntry, ...]:
    return tuple(section for text in read_sections().text for section in text.sections)


def _is_in(cite: str, section: str) -> bool:
    return cite == section or (cite.startswith(section) and not cite[len(section)].isalnum())
