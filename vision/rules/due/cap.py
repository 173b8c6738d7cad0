"""Payout limits: a house may hold what one player is paid in a round to an aggregate sum."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from vision.rules.book.house import House
from vision.rules.due.lines import Box
from vision.rules.due.record import Line
from vision.rules.text.gamefile import Cap
from vision.values.money import Cents, exact

Lines = dict[int, dict[str, Line]]  # by seat, by wager


def hold_to_limit(house: House, boxes: Sequence[Box], lines: Lines) -> list[str]:
    """Cut payouts beyond the limit, first settled first paid, all boxes of a player together; say who was cut."""
    cap = house.game.file.cap
    limit = house.options.get(cap.option) if cap else None
    if cap is None or limit is None:
        return []
    left: dict[object, Cents] = {}
    cut = []
    for box in boxes:
        person = box.play.player or box.play.seat
        for wager, line in list(_counted(house, cap, lines[box.play.seat])):
            paid = line.paid or 0
            rest = left.get(person, int(limit))
            left[person] = exact(Fraction(max(rest - paid, 0)))
            if paid > rest:
                lines[box.play.seat][wager] = replace(line, paid=rest, why=f"payout limit of the house ({cap.cite})")
                cut.append(f"seat {box.play.seat}: {wager} is held to the house's payout limit ({cap.cite})")
    _drop_empty_bonuses(house, lines)
    return cut


def _counted(house: House, cap: Cap, lines: dict[str, Line]) -> Iterator[tuple[str, Line]]:
    """Yield the payouts that the limit is about."""
    also = {wager for option, wager in cap.also.items() if house.options.get(option)}
    for wager, line in lines.items():
        if (wager in cap.counts or wager in also) and line.cls not in cap.excludes.get(wager, ()):
            yield wager, line


def _drop_empty_bonuses(house: House, lines: Lines) -> None:
    """A bonus appears only when something is paid."""
    for own in lines.values():
        for wager in [wager for wager, line in own.items() if line.paid == 0 and house.game.wagers[wager].on]:
            del own[wager]
