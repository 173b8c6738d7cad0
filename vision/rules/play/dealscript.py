"""The deal as the text orders it, delivery by delivery, for the seats that bet; and how far a deal has come.

A dealer's slip must be one alert, not one for every card that follows. So progress is kept per delivery: a skipped
place may be made good later, and a place served twice gives up its last card.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from vision.rules.text.gamefile import DealStep

SEAT = "seat.hand"
Place = tuple[str, int | None]  # zone, seat


@dataclass(frozen=True, slots=True)
class Delivery:
    """One movement of the dealing hand: to which zone (and seat), how many cards, how many of them face up."""

    zone: str
    seat: int | None
    cards: int
    face_up: int
    cite: str
    lap: int = 0  # deliveries of one lap go once around the table

    @property
    def place(self) -> Place:
        """Return where it goes."""
        return (self.zone, self.seat)

    def __str__(self) -> str:
        return name_of(self.place)


def name_of(place: Place) -> str:
    """Name a place on the table: 'seat 3', 'dealer', 'bonus'."""
    owner, name = place[0].split(".")
    return f"seat {place[1]}" if owner == "seat" else "dealer" if owner == "dealer" else name


def deliveries(steps: Iterable[DealStep], seats: Iterable[int], bets: frozenset[str]) -> tuple[Delivery, ...]:
    """Write out a deal for the seats that bet, from the dealer's left; `bets` are the wagers made by anyone."""
    order = sorted(seats)
    script: list[Delivery] = []
    for step in steps:
        if step.if_bet is None or step.if_bet in bets:
            for _ in range(step.passes):
                lap = script[-1].lap + 1 if script else 0
                script.extend(_once_around(step, order, lap))
    return tuple(script)


def _once_around(step: DealStep, seats: list[int], lap: int) -> Iterator[Delivery]:
    face_up = step.each if step.face == "up" else step.turn
    for zone in step.to:
        for seat in seats if zone == SEAT else (None,):
            yield Delivery(zone, seat, step.each, face_up, step.cite, lap)


@dataclass(frozen=True, slots=True)
class DealProgress:
    """A script and which of its deliveries have been made."""

    script: tuple[Delivery, ...] = ()
    done: frozenset[int] = frozenset()
    position: int = 0  # behind the last delivery that came in its turn, or skipped ahead

    @property
    def is_complete(self) -> bool:
        """Tell whether every delivery was made."""
        return len(self.done) == len(self.script)

    def expected(self) -> Delivery | None:
        """Return what should come next."""
        index = self._next_index()
        return None if index is None else self.script[index]

    def is_in_turn(self, place: Place) -> bool:
        """Tell whether a place may be dealt to now: it is next, or it was skipped and is made good."""
        turns = {self._next_index(), next(self._open(0), None)} - {None}
        return any(self.script[index].place == place for index in turns if index is not None)

    def taken_by(self, place: Place, face_up: int) -> int | None:
        """Return the delivery that cards to a place stand for, None where the place has had all of its."""
        mine = [index for index in self._open(0) if self.script[index].place == place]
        upcoming = self._next_index()
        if not mine or upcoming is None:
            return None
        due = [index for index in (upcoming, next(self._open(0))) if index in mine]  # its turn, or made good
        if due:
            return next((index for index in due if self.script[index].face_up == face_up), due[0])
        if self._is_too_soon(place, mine[0]):
            fitting = [index for index in mine if self.script[index].face_up == face_up]
            return (fitting or mine)[-1]
        return mine[0]

    def after(self, place: Place, cards: int, face_up: int) -> "DealProgress":
        """Return the progress with cards delivered to a place; a stack may stand for several single cards."""
        progress = self
        while cards > 0 and (index := progress.taken_by(place, face_up)) is not None:
            cards -= progress.script[index].cards
            too_soon = not progress.is_in_turn(place) and progress._is_too_soon(place, index)
            position = progress.position if too_soon else max(index + 1, progress.position)
            progress = replace(progress, done=progress.done | {index}, position=position)
        return progress

    def faces_of(self, zone: str) -> int:
        """Return how many cards of a zone lie face up by the script, so far."""
        return sum(self.script[index].face_up for index in self.done if self.script[index].place[0] == zone)

    def _is_too_soon(self, place: Place, index: int) -> bool:
        """Tell whether a place is served twice in a lap, rather than others being passed over.

        Both explain a card out of turn; the one with fewer slips is taken, and of two equal ones the passing over.
        """
        upcoming = self._next_index()
        if upcoming is None:
            return False
        lap = self.script[upcoming].lap
        served = any(self.script[i].place == place and self.script[i].lap == lap for i in self.done)
        passed_over = sum(i not in self.done for i in range(upcoming, index))
        return served and passed_over > 1

    def _next_index(self) -> int | None:
        return next(self._open(self.position), next(self._open(0), None))

    def _open(self, start: int) -> Iterator[int]:
        return (index for index in range(start, len(self.script)) if index not in self.done)
