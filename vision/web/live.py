"""The wall, with all tables and all open alerts; and one table, large: what it looks like now, what was just seen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from vision.bus.topics import Topic
from vision.records.event import Event
from vision.records.picture import Picture
from vision.records.pulse import Pulse
from vision.web import cursor, words
from vision.web.feed import STALE_NS, Told
from vision.web.overview import PARTS, Overview, Sight, Snapshot
from vision.web.pages import Pages, Room
from vision.web.thumbs import WIDTHS, Thumbnails, bundled
from vision.web.tiles import FAILED, standing

SEEN: Final = 8  # events that are shown
LOOK_BACK: Final = 60  # entries of the log in which they are looked for


@dataclass(frozen=True)
class LivePages:
    """The live pages and their parts."""

    room: Room
    pages: Pages
    overview: Overview
    thumbnails: Thumbnails = field(default_factory=Thumbnails)

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/", self.home, methods=["GET"]),
            Route("/live", self.live, methods=["GET"]),
            Route("/wall/pictures", self.pictures, methods=["GET"]),
            Route("/tables/{table}/picture", self.picture, methods=["GET"]),
        ]

    def home(self, _: Request) -> Response:
        """Send a person to the wall."""
        return RedirectResponse("/live", 303)

    def live(self, request: Request) -> Response:
        """Show the wall, or the one table that is asked for."""
        table = request.query_params.get("table")
        snapshot, may_see = self.overview.now(), self.room.sight(request)
        if table is not None and table in snapshot.rows and may_see(table):
            return self._table(request, snapshot, table)
        values: dict[str, Any] = {name: snapshot.pieces(name, may_see) for name in PARTS}
        values |= {"counts": snapshot.counts(may_see), "pits": sorted({tile.pit for tile in snapshot.tiles} - {""})}
        return self.pages.page(request, "wall.html", values | _news(snapshot, may_see, "wall"))

    def picture(self, request: Request) -> Response:
        """Return the last picture of a table."""
        table = request.path_params["table"]
        told = self.room.feed.picture(table) if self.room.sight(request)(table) else None
        if told is None:
            return self.pages.problem(request, 404, "No picture", "none has come from this table yet")
        return Response(told.picture, media_type="image/jpeg")

    def pictures(self, request: Request) -> Response:
        """Return the pictures of all tables that are newer than a number, as large as a tile needs them."""
        after, width = (_whole(request.query_params.get(name, "")) for name in ("after", "width"))
        may_see, feed = self.room.sight(request), self.room.feed
        found = []
        for table in self.overview.now().rows:
            told = feed.picture(table) if may_see(table) else None
            if told is not None and told.number > after and not feed.is_stale(told):
                found.append((table, told.number, self.thumbnails.of(table, told, width or WIDTHS[-1])))
        return Response(bundled(found), media_type="application/octet-stream")

    # ---- Parts of pages

    def now(self, table: str) -> str:
        """Return what is known of this moment, phase, wagers and health, as a part of the page."""
        feed = self.room.feed
        picture, pulse = feed.picture(table), feed.pulse(table)
        view = Picture.of(picture.body).view if picture is not None else {}
        row = self.overview.now().rows.get(table)
        state, says = standing(row, feed) if row is not None else (FAILED, "No watcher heard")
        values = {"phase": view.get("phase"), "seats": _seats(view.get("seats") or {}), "state": state, "says": says}
        values |= {"is_view_stale": feed.is_stale(picture), "pulse": Pulse.of(pulse.body) if pulse else None}
        values |= {"is_stale": feed.is_stale(pulse)}
        return self.pages.fragment("now.html", values)

    def _table(self, request: Request, snapshot: Snapshot, table: str) -> Response:
        told, may_see = self.room.feed.picture(table), self.room.sight(request)
        names = [tile.table for tile in snapshot.tiles if may_see(tile.table)]
        values: dict[str, Any] = {"table": table, "tables": sorted(names), "now": self.now(table)}
        values |= {"board": snapshot.pieces("board", lambda each: each == table), "seen": self._seen(table)}
        values |= {"counts": snapshot.counts(may_see), "stale_ms": STALE_NS // 1_000_000}
        values |= self._picture_state(told) | _news(snapshot, may_see, "table")
        return self.pages.page(request, "table.html", values)

    def _picture_state(self, told: Told | None) -> dict[str, Any]:
        feed = self.room.feed
        number = 0 if told is None else told.number
        return {"number": number, "age": feed.age_ns(told), "is_picture_stale": feed.is_stale(told)}

    def _seen(self, table: str) -> list[tuple[Event, int]]:
        """Return what was just seen, with the time of day."""
        store = self.room.store
        last = store.since_with_time(table, max(store.last_seq(table) - LOOK_BACK, 0))
        told = [(Event.of(envelope.body), wall_ns) for envelope, wall_ns in last if envelope.topic is Topic.EVENT]
        return told[-1 : -SEEN - 1 : -1]


def _news(snapshot: Snapshot, may_see: Sight, view: str) -> dict[str, Any]:
    after = {table: seq for table, seq in snapshot.cursor.items() if may_see(table)}
    return {"after": cursor.text(after), "view": view}


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() else 0


def _seats(seats: Mapping[str, Mapping[str, int | None]]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the wagers that lie on the felt, seat by seat, in words."""
    return [
        (seat, [(words.wager_name(wager), words.money(cents)) for wager, cents in seats[seat].items()])
        for seat in sorted(seats, key=int)
        if seats[seat]
    ]
