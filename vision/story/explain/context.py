"""What an explanation knows beforehand: the game, the house and the felt. All that is a game's own comes from here."""

from dataclasses import dataclass
from functools import cached_property

from vision.rules.book.game import Game
from vision.rules.book.sheet import HouseSheet
from vision.rules.play.dealscript import SEAT, Place
from vision.story.explain.money import WagerSpec
from vision.table.layout import Layout
from vision.table.zones import Zone

DEALER: Place = ("dealer.hand", None)
BONUS: Place = ("table.bonus", None)
WORK = Zone(None, "work")


def seat_place(seat: int) -> Place:
    """Return the place of a seat's hand."""
    return (SEAT, seat)


@dataclass(frozen=True)
class TableContext:
    """One table: its house's choices, and its felt."""

    table: str
    sheet: HouseSheet
    layout: Layout

    @property
    def game(self) -> Game:
        """Return the game that is played."""
        return self.sheet.house.game

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """Return the seats of the felt in dealing order."""
        return tuple(sorted(seat.number for seat in self.layout.seat))

    @cached_property
    def zones(self) -> dict[Zone, Place]:
        """Return the places of hands by the zone of the felt on which they lie."""
        counts = self.game.file.counts
        table = {Zone(None, "dealer.cards"): DEALER, Zone(None, "bonus"): BONUS}
        own = {zone: place for zone, place in table.items() if place[0] in counts}
        return own | {Zone(seat, "cards"): seat_place(seat) for seat in self.seats}

    @cached_property
    def spots(self) -> frozenset[tuple[int, str]]:
        """Return the betting spots that are printed and belong to this game."""
        stakes = self.game.stakes
        printed = {seat.number: seat.spots for seat in self.layout.seat}
        return frozenset((seat, wager) for seat, spots in printed.items() for wager in stakes if wager in spots)

    @cached_property
    def raises(self) -> frozenset[str]:
        """Return the wagers that are made as a decision, after the deal."""
        return frozenset(raised.id for raised in self.game.decisions)

    @cached_property
    def money_specs(self) -> tuple[WagerSpec, ...]:
        """Return what each wager's money hangs on."""
        return tuple(self._money_spec(wager) for wager in (*self.game.wagers, "envy"))

    def _money_spec(self, wager: str) -> WagerSpec:
        spec = self.game.wagers.get(wager)
        if spec is None:
            return WagerSpec(wager, is_bonus=True)
        factors = {k for row in spec.times for k in (*range(row.least or 1, (row.most or 0) + 1), *row.exactly)}
        limits = self.sheet.limits_cents.get(wager)
        return WagerSpec(
            name=wager,
            base=spec.on or spec.of or spec.equal_to,
            is_bonus=spec.on is not None,
            factors=tuple(sorted(factors)) or ((1,) if spec.equal_to else ()),
            limits=(limits[0], limits[1]) if limits else None,
        )
