"""News for open pages, as server-sent events: alerts as they are stored, the wall, the board, and what is so now.

An event that comes from the log carries the numbers up to which all tables have been told as its id. A browser that
lost the connection sends the last one back, and gets what it missed.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
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
from vision.store.people import Session
from vision.web import cursor, words
from vision.web.live import LivePages
from vision.web.overview import PARTS, Overview, Sight, Snapshot

TICK_S: Final = 1.0  # the store is looked at so often, even if the bus says nothing
LEAST_S: Final = 0.2  # between two looks: forty tables talk all the time
RETRY_MS: Final = 1500
AT_ONCE: Final = 500  # entries of one table's log
UNBUFFERED: Final = {"X-Accel-Buffering": "no"}  # a proxy before us must not hold news back
NOW: Final = "now"  # a cursor: nothing that came before is told
WALL, TABLE = "wall", "table"  # views: what a page shows; any other shows only counts


@dataclass
class OpenPage:
    """What one open page has been told."""

    view: str
    table: str  # whose picture it shows
    token: str
    session: Session
    may_see: Sight
    after: dict[str, int]
    snapshot: int = -1
    now: str = ""
    picture: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    parts: dict[str, dict[str, str]] = field(default_factory=dict)  # what it has of the wall and the board


@dataclass(frozen=True)
class Stream:
    """The stream of news."""

    live: LivePages
    overview: Overview

    def routes(self) -> list[Route]:
        """Return where it is."""
        return [Route("/stream", self.stream, methods=["GET"])]

    async def stream(self, request: Request) -> Response:
        """Tell a page the news until it is closed, its session ends, or the server does."""
        asked, session = request.query_params, request.state.session
        after = request.headers.get("last-event-id") or asked.get("after", "")
        table = asked.get("table", "")
        view = asked.get("view", TABLE if table else "")
        sight = await run_in_threadpool(self.live.room.sight_of, session)
        known = (
            cursor.parse(after) if after != NOW else await run_in_threadpool(lambda: dict(self.overview.now().cursor))
        )
        told = OpenPage(view, table, request.state.token, session, sight, known)
        return StreamingResponse(self._news(told), media_type="text/event-stream", headers=UNBUFFERED)

    async def _news(self, told: OpenPage) -> AsyncIterator[str]:
        feed, loop = self.live.room.feed, asyncio.get_running_loop()
        yield f"retry: {RETRY_MS}\n\n"
        checked_s = -TICK_S
        while not feed.is_closed:
            news, began_s = feed.news, loop.time()
            if began_s - checked_s >= TICK_S:
                checked_s = began_s
                if not await run_in_threadpool(self._is_still_in, told):
                    yield _event("logout", {})
                    return
            for text in await run_in_threadpool(lambda: list(self._all(told))):
                yield text
            await feed.changed(news, TICK_S)
            await asyncio.sleep(max(began_s + LEAST_S - loop.time(), 0))

    def _is_still_in(self, told: OpenPage) -> bool:
        """Tell whether the session holds; what the person may see may have changed."""
        session = self.live.room.people.session(told.token)
        if session is not None and (session.pits or told.session.pits):
            told.may_see = self.live.room.sight_of(session)
        return session is not None

    def _all(self, told: OpenPage) -> Iterator[str]:
        snapshot = self.overview.now()
        if snapshot.number != told.snapshot:
            told.snapshot = snapshot.number
            yield from self._from_store(told, snapshot)
            yield from self._from_snapshot(told, snapshot)
        if told.view == TABLE and told.may_see(told.table):
            yield from self._from_feed(told)

    def _from_store(self, told: OpenPage, snapshot: Snapshot) -> Iterator[str]:
        """Yield what the log has that the page was not told."""
        for table, last in snapshot.cursor.items():
            if last <= told.after.get(table, 0) or not told.may_see(table):
                continue
            for envelope in self.live.room.store.since(table, told.after.get(table, 0), AT_ONCE):
                told.after[table] = envelope.seq or 0
                if envelope.topic is not Topic.EVENT or table == told.table:
                    yield _event(str(envelope.topic), _said(envelope), cursor.text(told.after))

    def _from_snapshot(self, told: OpenPage, snapshot: Snapshot) -> Iterator[str]:
        """Yield what has changed of the wall and of the board."""
        if told.view == WALL:
            for name in PARTS:
                yield from _changed(told, name, snapshot.pieces(name, told.may_see))
        elif told.view == TABLE and told.may_see(told.table):
            yield from _changed(told, "board", snapshot.pieces("board", lambda table: table == told.table))
        counts = snapshot.counts(told.may_see)
        if counts != told.counts:
            told.counts = counts
            yield _event("counts", dict(counts))

    def _from_feed(self, told: OpenPage) -> Iterator[str]:
        """Yield what has changed of this moment."""
        feed = self.live.room.feed
        picture = feed.picture(told.table)
        if picture is not None and picture.number != told.picture:
            told.picture = picture.number
            yield _event("picture", {"number": picture.number, "age_ms": (feed.age_ns(picture) or 0) // 1_000_000})
        now = self.live.now(told.table)
        if now != told.now:
            told.now = now
            yield _event("now", {"html": now})


def _changed(told: OpenPage, name: str, parts: Mapping[str, str]) -> Iterator[str]:
    """Yield the parts that are new to a page, and the order of all, if anything changed."""
    known = told.parts.get(name)
    if known is not None and list(known.items()) == list(parts.items()):
        return
    changed = {key: html for key, html in parts.items() if (known or {}).get(key) != html}
    told.parts[name] = dict(parts)
    yield _event(name, {"order": list(parts), "html": changed})


def _said(envelope: Envelope) -> dict[str, object]:
    """Return what a page needs of an entry of the log."""
    body = envelope.body
    said: dict[str, object] = {"table": envelope.table, "round": body.get("round") or body.get("id")}
    if envelope.topic is Topic.EVENT:
        event = Event.of(body)
        return said | {"stream": words.stream_time(event.t_ns), "words": words.event_words(event)}
    if envelope.topic is Topic.ALERT:
        alert = Alert.of(body)
        where = " · ".join(filter(None, (envelope.table, words.place(alert))))
        known = alert.model_dump(mode="json", include={"id", "code", "severity", "state"})
        return said | known | {"title": words.title(alert.code), "where": where, "observed": alert.observed}
    return said


def _event(name: str, data: Mapping[str, object], number: str | None = None) -> str:
    text = f"event: {name}\ndata: {json.dumps(data)}\n"
    return text + (f"id: {number}\n\n" if number is not None else "\n")
