"""The queues of what is to be reviewed: open items enter, entries in their order leave."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request

from vision.store import work
from vision.store.work import Item
from vision.web import words
from vision.web.pages import Room

OPEN, UNVERIFIABLE, SECOND, SYSTEM = "open", "unverifiable", "second", "system"
NAMES: Final = {
    OPEN: "Alerts",
    UNVERIFIABLE: "Unverifiable",
    SECOND: "Second look",
    SYSTEM: "System",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One round that waits for a review."""

    round: str
    table: str
    severity: str
    title: str
    place: str
    says: str
    cents: int | None = None
    is_certain: bool = False
    wall_ns: int | None = None
    taken: str = ""
    more: int = 0


def entries(room: Room, request: Request, name: str) -> list[Entry]:
    """Return what waits in a queue: the gravest first, then the dearest, then the oldest; one entry per round."""
    may_see = room.sight(request)
    if name == SECOND:
        mine = request.state.session.name
        found = [_second(round_id) for round_id in work.second_looks(room.store, not_by=mine)]
        return [entry for entry in found if may_see(entry.table)]
    by_round: dict[str, list[Item]] = {}
    for item in work.open_items(room.store):
        if _queue_of(item) == name and may_see(item.table):
            by_round.setdefault(item.round, []).append(item)
    return [_entry(items) for items in by_round.values()]


def after(room: Room, request: Request, name: str, round_id: str) -> str | None:
    """Return the round that follows one in a queue; after the last, the first that is left."""
    waiting = [entry.round for entry in entries(room, request, name)] if name in NAMES else []
    at = waiting.index(round_id) if round_id in waiting else -1
    others = [*waiting[at + 1 :], *waiting[: max(at, 0)]]
    return next(iter(others), None)


def path(name: str, round_id: str | None) -> str:
    """Return where a round of a queue is reviewed; without one, the queue itself."""
    query = urlencode({"queue": name})
    return f"/review?{query}" if round_id is None else f"/rounds/{round_id}?{query}"


def _queue_of(item: Item) -> str:
    return UNVERIFIABLE if item.alert is None else SYSTEM if item.is_system else OPEN


def _entry(items: list[Item]) -> Entry:
    first, alert = items[0], items[0].alert
    return Entry(
        round=first.round,
        table=first.table,
        severity=alert.severity if alert is not None else UNVERIFIABLE,
        title=words.title(alert.code) if alert is not None else "Unverifiable",
        place=words.place(alert) if alert is not None else "",
        says=alert.observed if alert is not None else "",
        cents=first.cents,
        is_certain=first.is_certain,
        wall_ns=min(item.wall_ns for item in items),
        taken=(first.taken.assigned or first.taken.by) if first.taken else "",
        more=len(items) - 1,
    )


def _second(round_id: str) -> Entry:
    table = round_id.rpartition("-")[0]
    return Entry(round_id, table, SECOND, "Void: a second person must look", "", "")
