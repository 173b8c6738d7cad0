"""The web application: a store, a home, a feed and a clock enter; pages for people who are logged in leave."""

from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from vision.store.database import StoreError
from vision.store.home import Home
from vision.store.log import Store
from vision.store.people import People
from vision.values.clock import Clock
from vision.web.alerts import AlertPages
from vision.web.auth_middleware import Guard
from vision.web.clips import ClipPages
from vision.web.evidence import EvidencePages
from vision.web.feed import Feed
from vision.web.live import LivePages
from vision.web.login import LoginPages
from vision.web.overview import Overview
from vision.web.pages import Pages, Room
from vision.web.rounds import RoundPages
from vision.web.stream import Stream

STATIC: Final = Path(__file__).parent / "static"
LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
TITLES: Final = {404: "Not here", 405: "Not like this"}


def create_app(
    store: Store,
    home: Home,
    feed: Feed,
    clock: Clock,
    *,
    people: People | None = None,
    hosts: frozenset[str] = LOCAL,
) -> ASGIApp:
    """Return the application; it answers only requests for one of the host names."""
    people = people or People(store.database, clock)
    room, pages = Room(store, home, feed, clock, people), Pages()
    overview = Overview(room, pages)
    live = LivePages(room, pages, overview)
    parts = (
        LoginPages(people, pages),
        live,
        Stream(live, overview),
        AlertPages(room, pages),
        RoundPages(room, pages),
        ClipPages(room, pages),
        EvidencePages(room, pages),
    )
    routes = [route for part in parts for route in part.routes()]

    def no_store(request: Request, error: Exception) -> Response:
        return pages.problem(request, 503, "The store cannot be used", str(error))

    def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return pages.problem(request, status, TITLES.get(status, "Refused"), "there is no such page")

    app = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=STATIC))],
        exception_handlers={StoreError: no_store, HTTPException: refused},
    )
    return Guard(app, people, hosts)
