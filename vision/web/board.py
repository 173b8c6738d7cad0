"""The board of open alerts: one item per round, the gravest first, then the dearest. Open items enter, cards leave."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.records.alert import Alert
from vision.store.work import Item, Rhythm
from vision.web import words


@dataclass(frozen=True, slots=True)
class Card:
    """All open alerts of one round; the gravest of them stands for it."""

    round: str
    table: str
    pit: str
    first: Item
    rest: tuple[Item, ...]
    alert: Alert  # of the first
    cents: int | None  # at stake: the largest of its alerts
    is_certain: bool
    until_ns: int | None  # the next hand begins: a guess from the table's rhythm; 0: it has begun
    is_today: bool

    @property
    def severity(self) -> str:
        """Return how grave it is."""
        return self.alert.severity

    @property
    def wall_ns(self) -> int:
        """Return since when it is open."""
        return min(item.wall_ns for item in (self.first, *self.rest))

    @property
    def is_new(self) -> bool:
        """Whether nobody has taken one of its alerts."""
        return any(item.taken is None for item in (self.first, *self.rest))

    @property
    def more(self) -> list[str]:
        """Return the other alerts by their titles: 'Void hand was paid or taken × 3'."""
        return counted([item.alert.code for item in self.rest if item.alert is not None])


def cards(items: Sequence[Item], pits: Mapping[str, str], rhythms: Mapping[str, Rhythm], now_ns: int) -> list[Card]:
    """Put the open alerts on the game together by their rounds, in their order."""
    by_round: dict[str, list[Item]] = {}
    for item in items:
        if item.alert is not None and not item.is_system:
            by_round.setdefault(item.round, []).append(item)
    return [_card(several, pits, rhythms, now_ns) for several in by_round.values()]


def counted(codes: Sequence[str]) -> list[str]:
    """Return codes by their titles, each with how often it is there if more than once."""
    return [
        words.title(code) + (f"\u00a0×\u00a0{count}" if count > 1 else "") for code, count in Counter(codes).items()
    ]


def _card(items: Sequence[Item], pits: Mapping[str, str], rhythms: Mapping[str, Rhythm], now_ns: int) -> Card:
    first, *rest = items
    if first.alert is None:
        raise ValueError(f"item {first.id}: no alert: want one that is about an alert")
    dearest = max(items, key=lambda item: item.cents or -1)
    return Card(
        round=first.round,
        table=first.table,
        pit=pits.get(first.table, ""),
        first=first,
        rest=tuple(rest),
        alert=first.alert,
        cents=dearest.cents,
        is_certain=dearest.is_certain,
        until_ns=until_ns(first, rhythms.get(first.table)),
        is_today=words.is_same_day(first.wall_ns, now_ns),
    )


def until_ns(item: Item, rhythm: Rhythm | None) -> int | None:
    """Return when the hand after an item's begins, as far as the table's rhythm tells; 0 where it has begun."""
    if rhythm is None or item.number is None:
        return None
    if item.number < rhythm.number:
        return 0
    return None if rhythm.length_ns is None else rhythm.wall_ns + rhythm.length_ns
