"""The live page: what a table looks like now, what was just seen there, and all open alerts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from vision.bus.topics import Topic
from vision.records.event import Event
from vision.records.picture import Picture
from vision.records.pulse import Pulse
from vision.store import reading
from vision.web import cursor, words
from vision.web.board import board
from vision.web.feed import STALE_NS, Told
from vision.web.pages import Pages, Room

SEEN: Final = 6  # events that are shown
LOOK_BACK: Final = 60  # entries of the log in which they are looked for


@dataclass(frozen=True)
class LivePages:
    """The live page and its parts."""

    room: Room
    pages: Pages

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/", self.home, methods=["GET"]),
            Route("/live", self.live, methods=["GET"]),
            Route("/tables/{table}/picture", self.picture, methods=["GET"]),
        ]

    def home(self, _: Request) -> Response:
        """Send a person to the live page."""
        return RedirectResponse("/live", 303)

    def live(self, request: Request) -> Response:
        """Show a table, the one that is asked for or the first that is being watched."""
        after = cursor.text(cursor.present(self.room.store))  # before all else: what comes meanwhile is told, not lost
        tables = self.room.store.tables()
        asked = request.query_params.get("table")
        table = asked if asked in tables else self._first(tables)
        values = {"tables": tables, "table": table, "stale_ms": STALE_NS // 1_000_000, "after": after}
        values |= {"board": self.board(), "now": self.now(table), "seen": self._seen(table)}
        values |= self._picture_state(self.room.feed.picture(table))
        return self.pages.page(request, "live.html", values)

    def picture(self, request: Request) -> Response:
        """Return the last picture of a table."""
        told = self.room.feed.picture(request.path_params["table"])
        if told is None:
            return self.pages.problem(request, 404, "No picture", "none has come from this table yet")
        return Response(told.picture, media_type="image/jpeg")

    def board(self) -> str:
        """Return the open alerts as a part of the page."""
        return self.pages.fragment("board.html", {"items": board(reading.alerts(self.room.store))})

    def now(self, table: str) -> str:
        """Return what is known of this moment, phase, wagers and health, as a part of the page."""
        feed = self.room.feed
        picture, pulse = feed.picture(table), feed.pulse(table)
        view = Picture.of(picture.body).view if picture is not None else {}
        values = {"phase": view.get("phase"), "seats": _seats(view.get("seats") or {})}
        values |= {"is_view_stale": feed.is_stale(picture), "pulse": Pulse.of(pulse.body) if pulse else None}
        values |= {"age": feed.age_ns(pulse), "is_stale": feed.is_stale(pulse)}
        return self.pages.fragment("now.html", values)

    def _picture_state(self, told: Told | None) -> dict[str, Any]:
        feed = self.room.feed
        number = 0 if told is None else told.number
        return {"number": number, "age": feed.age_ns(told), "is_picture_stale": feed.is_stale(told)}

    def _first(self, tables: list[str]) -> str:
        watched = [table for table in tables if not self.room.feed.is_stale(self.room.feed.pulse(table))]
        return next(iter(watched or tables), "")

    def _seen(self, table: str) -> list[Event]:
        store = self.room.store
        last = store.since(table, max(store.last_seq(table) - LOOK_BACK, 0)) if table else []
        return [Event.of(envelope.body) for envelope in reversed(last) if envelope.topic is Topic.EVENT][:SEEN]


def _seats(seats: Mapping[str, Mapping[str, int | None]]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the wagers that lie on the felt, seat by seat, in words."""
    return [
        (seat, [(words.wager_name(wager), words.money(cents)) for wager, cents in seats[seat].items()])
        for seat in sorted(seats, key=int)
        if seats[seat]
    ]
