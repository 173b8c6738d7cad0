"""What all open pages share of this moment: worked out once for all of them, however many there are.

A snapshot is made anew when something was stored, or a second after the last; what changes of a tile or of an alert is
rendered once, and sent to every page that may see it.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from vision.store import work
from vision.store.tables import TableRow, tables
from vision.store.work import Item, SystemAlert
from vision.web import words
from vision.web.board import Card, cards
from vision.web.pages import Pages, Room
from vision.web.tiles import Tile, tile

FRESH_NS: Final = 1_000_000_000  # a snapshot is used for so long, if nothing is stored meanwhile
LEAST_NS: Final = 200_000_000  # and for so long in any case
HISTORY: Final = 12  # alerts about the system that are shown after they have closed
KEPT: Final = 1024  # rendered parts: two for each of a few hundred tables


Sight = Callable[[str], bool]  # whether who asks may see a table
PARTS: Final = ("tiles", "board", "system")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a page about a table."""

    table: str
    html: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All tables and all that is open, at a moment; and the pieces of pages that show it."""

    number: int
    rows: dict[str, TableRow]
    tiles: tuple[Tile, ...]  # the worst first
    cards: tuple[Card, ...]
    system: tuple[SystemAlert, ...]  # the open ones first
    cursor: dict[str, int]
    parts: dict[str, dict[str, Part]]  # of the wall: by list, then by table, round or alert

    def pieces(self, name: str, may_see: Sight) -> dict[str, str]:
        """Return the pieces of a list that somebody may see, in their order."""
        return {key: part.html for key, part in self.parts[name].items() if may_see(part.table)}

    def counts(self, may_see: Sight) -> dict[str, int]:
        """Return the numbers that stand beside headings."""
        mine = [card for card in self.cards if may_see(card.table)]
        return {
            "open": len(mine),
            "new": sum(card.is_new for card in mine),
            "critical": sum(card.severity == "critical" for card in mine),
            "system": sum(each.is_open and may_see(each.alert.table) for each in self.system),
        }


@dataclass
class _Last:
    stored: int = -1
    at_ns: int = 0
    snapshot: Snapshot | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class Overview:
    """Makes snapshots, and renders their pieces, each once."""

    def __init__(self, room: Room, pages: Pages) -> None:
        self._room, self._last = room, _Last()
        render = pages.fragment
        self._tile = lru_cache(KEPT)(lambda tile: render("tile.html", {"tile": tile}))
        self._card = lru_cache(KEPT)(lambda card: render("card.html", {"card": card}))
        self._told = lru_cache(KEPT)(lambda told, is_today: render("told.html", {"told": told, "is_today": is_today}))

    def now(self) -> Snapshot:
        """Return how things stand: at most a second old, and with all that was stored 0.2 s ago."""
        feed, last = self._room.feed, self._last
        with last.lock:
            now_ns = self._room.clock.now_ns()
            age_ns = now_ns - last.at_ns
            if last.snapshot is None or age_ns >= FRESH_NS or (feed.stored != last.stored and age_ns >= LEAST_NS):
                last.stored, last.at_ns = feed.stored, now_ns
                last.snapshot = self._made(last.snapshot, now_ns)
            return last.snapshot

    def _made(self, before: Snapshot | None, now_ns: int) -> Snapshot:
        store = self._room.store
        rows, pits, items = tables(store), work.pit_of_tables(store), work.open_items(store)
        by_table: dict[str, list[Item]] = {}
        for item in items:
            by_table.setdefault(item.table, []).append(item)
        tiles = [tile(row, pits.get(name, ""), by_table.get(name, ()), self._room.feed) for name, row in rows.items()]
        tiles.sort(key=lambda tile: tile.order)
        shown = cards(items, pits, work.rhythms(store, by_table), now_ns)
        told = _shown(work.system_alerts(store))
        return Snapshot(
            number=0 if before is None else before.number + 1,
            rows=rows,
            tiles=tuple(tiles),
            cards=tuple(shown),
            system=tuple(told),
            cursor={name: row.last_seq for name, row in rows.items()},
            parts={
                "tiles": {tile.table: Part(tile.table, self._tile(tile)) for tile in tiles},
                "board": {card.round: Part(card.table, self._card(card)) for card in shown},
                "system": {each.alert.id: Part(each.alert.table, self._system(each, now_ns)) for each in told},
            },
        )

    def _system(self, told: SystemAlert, now_ns: int) -> str:
        return self._told(told, words.is_same_day(told.wall_ns, now_ns))


def _shown(told: Sequence[SystemAlert]) -> list[SystemAlert]:
    """Return the open ones first, and of the others the latest."""
    return [each for each in told if each.is_open] + [each for each in told if not each.is_open][:HISTORY]
