"""News for open pages, as server-sent events: alerts as they are stored, the board, and what is so now.

An event that comes from the log carries the numbers up to which all tables have been told as its id. A browser that
lost the connection sends the last one back, and gets what it missed.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from vision.bus.envelope import Envelope
from vision.bus.topics import Topic
from vision.records.alert import Alert
from vision.records.event import Event
from vision.web import cursor, words
from vision.web.live import LivePages

TICK_S: Final = 1.0  # the store is looked at so often, even if the bus says nothing
RETRY_MS: Final = 1500
AT_ONCE: Final = 500  # entries of one table's log
UNBUFFERED: Final = {"X-Accel-Buffering": "no"}  # a proxy before us must not hold news back


@dataclass
class OpenPage:
    """What one open page has been told."""

    table: str | None  # whose picture it shows; none: it wants only what is stored
    token: str
    after: dict[str, int]
    now: str = ""
    picture: int = 0
    is_board_due: bool = True
    news: int = -1
    stored: int = -1
    looked_at: float = field(default=-TICK_S)


@dataclass(frozen=True)
class Stream:
    """The stream of news."""

    live: LivePages

    def routes(self) -> list[Route]:
        """Return where it is."""
        return [Route("/stream", self.stream, methods=["GET"])]

    async def stream(self, request: Request) -> Response:
        """Tell a page the news until it is closed, its session ends, or the server does."""
        after = request.headers.get("last-event-id") or request.query_params.get("after", "")
        told = OpenPage(request.query_params.get("table"), request.state.token, cursor.parse(after))
        return StreamingResponse(self._news(told), media_type="text/event-stream", headers=UNBUFFERED)

    async def _news(self, told: OpenPage) -> AsyncIterator[str]:
        feed, loop = self.live.room.feed, asyncio.get_running_loop()
        yield f"retry: {RETRY_MS}\n\n"
        while not feed.is_closed:
            if feed.stored != told.stored or loop.time() - told.looked_at >= TICK_S:
                told.stored, told.looked_at = feed.stored, loop.time()
                if await run_in_threadpool(self.live.room.people.session, told.token) is None:
                    yield _event("logout", {})
                    return
                for text in await run_in_threadpool(self._from_store, told):
                    yield text
            for text in await run_in_threadpool(self._from_feed, told):
                yield text
            told.news = await feed.changed(told.news, TICK_S)

    def _from_store(self, told: OpenPage) -> list[str]:
        """Return what the log has that the page was not told, and the board if it may have changed."""
        store = self.live.room.store
        texts: list[str] = []
        for table in store.tables():
            for envelope in store.since(table, told.after.get(table, 0), AT_ONCE):
                told.after[table] = envelope.seq or 0
                told.is_board_due |= envelope.topic is not Topic.EVENT
                texts.append(_event(str(envelope.topic), _said(envelope), cursor.text(told.after)))
        if told.is_board_due and told.table is not None:
            told.is_board_due = False
            texts.append(_event("board", {"html": self.live.board()}))
        return texts

    def _from_feed(self, told: OpenPage) -> Iterator[str]:
        """Yield what has changed of this moment."""
        if told.table is None:
            return
        feed = self.live.room.feed
        picture = feed.picture(told.table)
        if picture is not None and picture.number != told.picture:
            told.picture = picture.number
            yield _event("picture", {"number": picture.number, "age_ms": (feed.age_ns(picture) or 0) // 1_000_000})
        now = self.live.now(told.table)
        if now != told.now:
            told.now = now
            yield _event("now", {"html": now})


def _said(envelope: Envelope) -> dict[str, object]:
    """Return what a page needs of an entry of the log."""
    body = envelope.body
    said: dict[str, object] = {"table": envelope.table, "round": body.get("round") or body.get("id")}
    if envelope.topic is Topic.EVENT:
        event = Event.of(body)
        return said | {"time": words.stream_time(event.t_ns), "words": words.event_words(event)}
    if envelope.topic is Topic.ALERT:
        return said | Alert.of(body).model_dump(include={"id", "code", "severity", "state"})
    return said


def _event(name: str, data: dict[str, object], number: str | None = None) -> str:
    text = f"event: {name}\ndata: {json.dumps(data)}\n"
    return text + (f"id: {number}\n\n" if number is not None else "\n")
