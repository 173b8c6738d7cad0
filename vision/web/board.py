"""The board of open alerts: one item per round, the gravest first, then the newest. Alerts enter, items leave."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from vision.store.reading import AlertRow
from vision.web import words


@dataclass(frozen=True, slots=True)
class Item:
    """All open alerts of one round; the gravest of them, first told, stands for it."""

    round: str
    table: str
    first: AlertRow
    rest: tuple[AlertRow, ...]

    @property
    def severity(self) -> str:
        """Return how grave it is."""
        return self.first.body.severity

    @property
    def wall_ns(self) -> int:
        """Return when something was last told of it."""
        return max(alert.wall_ns for alert in (self.first, *self.rest))

    @property
    def more(self) -> list[str]:
        """Return the other alerts by their codes: 'Underpaid × 3'."""
        return counted([alert.code for alert in self.rest])


def board(alerts: Sequence[AlertRow]) -> list[Item]:
    """Put alerts together by their rounds."""
    by_round: dict[tuple[str, str], list[AlertRow]] = {}
    for alert in sorted(alerts, key=lambda alert: (_rank(alert), alert.first_seq)):
        by_round.setdefault((alert.table, alert.round), []).append(alert)
    items = [Item(round_id, table, told[0], tuple(told[1:])) for (table, round_id), told in by_round.items()]
    return sorted(items, key=lambda item: (_rank(item.first), -item.wall_ns))


def counted(codes: Sequence[str]) -> list[str]:
    """Return codes in words, each with how often it is there if more than once."""
    return [
        words.plain(code) + (f"\u00a0×\u00a0{count}" if count > 1 else "") for code, count in Counter(codes).items()
    ]


def _rank(alert: AlertRow) -> int:
    return words.SEVERITIES.index(alert.body.severity)
