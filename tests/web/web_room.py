"""A web server's room for tests: a store, people, an application, and a browser's side of it."""

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import httpx
import numpy as np
from argon2 import PasswordHasher
from bodies import alert, clip, played, session
from starlette.types import ASGIApp

from vision.bus.topics import Topic
from vision.store.home import Home
from vision.store.log import Store
from vision.store.people import People
from vision.values.clock import Clock, SetClock
from vision.web import Feed, Listener, create_app
from vision.web.overview import FRESH_NS
from vision.web.pages import Room
from vision.web.serving import Server, listen, serve

PASSWORD = " ".join(("correct", "horse", "battery"))
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)  # for tests only
HTML = {"accept": "text/html"}
NOON_NS = 1_793_800_000_000_000_000
WAGER = {"outcome": "win", "verdict": "right", "why": None, "cite": "MD ch.12 §A", "bounds": None}
RIGHT = WAGER | {"cents": 600, "due_cents": 600, "paid_cents": 600}
WRONG = WAGER | {"cents": 600, "due_cents": 600, "paid_cents": 500, "verdict": "wrong", "why": "paid $5, due $6"}
UNSEEN = RIGHT | {"bounds": [225, None], "verdict": "unverifiable", "why": "the stake is not known: at least $2.25"}
SEAT = {"seat": 2, "cards": ["8s", "Td", "??"], "decision": "play", "wagers": {"ante": WRONG, "play": RIGHT}}


class Direct(httpx.BaseTransport):
    """Brings requests to an application without a network."""

    def __init__(self, app: ASGIApp) -> None:
        self._inner = httpx.ASGITransport(app)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        async def answer() -> httpx.Response:
            given = await self._inner.handle_async_request(request)
            return httpx.Response(given.status_code, headers=given.headers, content=await given.aread())

        return asyncio.run(answer())


@dataclass
class WebRoom:
    """Everything behind the pages, and the pages."""

    store: Store
    home: Home
    clock: Clock
    feed: Feed
    people: People
    app: ASGIApp

    @property
    def room(self) -> Room:
        """Return what pages read from."""
        return Room(self.store, self.home, self.feed, self.clock, self.people)

    def put(self, topic: Topic, body: dict[str, Any], table: str = "t", t_ns: int = 5) -> None:
        self.store.append(table, topic, t_ns, body, self.clock.now_ns())

    def person(self, name: str = "ada", role: str = "operator", pits: tuple[str, ...] = ()) -> str:
        """Add somebody who has chosen a password, and return the name."""
        self.people.change(name, self.people.add(name, role, pits), PASSWORD)
        return name

    def clock_on(self) -> None:
        """Let as much time pass as a page may be old."""
        assert isinstance(self.clock, SetClock)
        self.clock.advance(FRESH_NS)

    def visitor(self, **settings: Any) -> httpx.Client:
        """Return a browser that is not logged in."""
        return httpx.Client(transport=Direct(self.app), **{"base_url": "http://127.0.0.1", **settings})

    def browser(self, name: str = "ada", role: str = "operator", pits: tuple[str, ...] = ()) -> httpx.Client:
        """Return a browser in which somebody is logged in."""
        client = self.visitor()
        if name not in {person.name for person in self.people.all()}:
            self.person(name, role, pits)
        answer = log_in(client, name)
        assert answer.status_code == 303
        return client

    def tell_round(self, number: int = 1, verdict: str = "wrong", seats: list[Any] | None = None) -> str:
        """Store a round with an alert, and return its name."""
        self.put(Topic.ALERT, alert(number, seat=2, wager="ante"))
        self.put(Topic.ROUND, played(number, verdict=verdict, seats=[SEAT] if seats is None else seats))
        return f"t-{number:04d}"

    def tell_clip(self, number: int = 1, frames: int = 30) -> Path:
        """Store a clip of a round's alert, with a film that can be played."""
        body = clip(alert(number)) | {"start_ns": 0, "end_ns": frames * 40_000_000}
        path = self.home.clips / str(body["film"])
        film(path, frames)
        self.put(Topic.CLIP, body)
        return path


@contextmanager
def open_room(folder: Path, clock: Clock | None = None, *, is_watched: bool = True) -> Iterator[WebRoom]:
    """Open a room over an empty store, in which a watcher has begun."""
    home, clock = Home(folder), clock or SetClock(NOON_NS)
    with Store.open(home.store) as store:
        feed, people = Feed(clock), People(store.database, clock, QUICK)
        room = WebRoom(store, home, clock, feed, people, create_app(store, home, feed, clock, people=people))
        if is_watched:
            room.put(Topic.SESSION, session())
        yield room


@contextmanager
def served(room: WebRoom) -> Iterator[str]:
    """Serve a room on a free port, with an ear on the bus, and yield its address."""
    listening = listen("127.0.0.1", 0)
    server = Server(room.app, room.feed)
    thread = threading.Thread(target=serve, args=(server, listening))
    with listening, Listener(room.store, room.home, room.feed):
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.end()
            thread.join()


def token_in(text: str) -> str:
    """Return the token of the first form of a page."""
    found = re.search(r'name="form_token" value="([^"]+)"', text)
    assert found is not None
    return found[1]


def log_in(client: httpx.Client, name: str, password: str = PASSWORD, back: str = "/") -> httpx.Response:
    token = token_in(client.get("/login").text)
    return client.post("/login", data={"name": name, "password": password, "next": back, "form_token": token})


def film(path: Path, frames: int) -> None:
    """Write a short H.264 film in which every frame looks different."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        for number in range(frames):
            picture = np.full((180, 320, 3), 40, np.uint8)
            picture[:, : 10 * (number + 1)] = (40, 160, 90)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))
