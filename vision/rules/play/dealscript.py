"""The deal as the text orders it, delivery by delivery, for the seats that bet."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vision.rules.text.gamefile import DealStep

SEAT = "seat.hand"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One movement of the dealing hand: to which zone (and seat), how many cards, how many of them face up."""

    zone: str
    seat: int | None
    cards: int
    face_up: int
    cite: str

    def __str__(self) -> str:
        return place(self.zone, self.seat)


def place(zone: str, seat: int | None) -> str:
    """Name a place on the table: 'seat 3', 'dealer', 'bonus'."""
    owner, name = zone.split(".")
    return f"seat {seat}" if owner == "seat" else "dealer" if owner == "dealer" else name


def deliveries(steps: Iterable[DealStep], seats: Iterable[int], bets: frozenset[str]) -> tuple[Delivery, ...]:
    """Write out a deal for the seats that bet, from the dealer's left; `bets` are the wagers made by anyone."""
    order = sorted(seats)
    script: list[Delivery] = []
    for step in steps:
        if step.if_bet is None or step.if_bet in bets:
            for _ in range(step.passes):
                script.extend(_once_around(step, order))
    return tuple(script)


def _once_around(step: DealStep, seats: list[int]) -> Iterator[Delivery]:
    face_up = step.each if step.face == "up" else step.turn
    for zone in step.to:
        for seat in seats if zone == SEAT else (None,):
            yield Delivery(zone, seat, step.each, face_up, step.cite)
