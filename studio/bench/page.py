"""An open page without a browser: it logs in over HTTP, follows the news, and notes when alerts stand on its board."""

import json
from collections.abc import Iterator
from http.client import HTTPException
from http.cookiejar import CookieJar
from threading import Condition, Thread
from typing import Any, Final
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from vision.values.clock import Clock
from vision.web.auth_middleware import FORM_COOKIE, FORM_FIELD

ANSWER_S: Final = 30.0  # news come every few moments: a stream that is silent for so long is dead


class Visitor:
    """Somebody at a browser, logged in."""

    def __init__(self, address: str, name: str, password: str) -> None:
        self._address, self._cookies = address, CookieJar()
        self._opener: OpenerDirector = build_opener(HTTPCookieProcessor(self._cookies))
        self._opener.open(f"{address}/login", timeout=ANSWER_S).close()
        token = next(cookie.value for cookie in self._cookies if cookie.name == FORM_COOKIE)
        form = urlencode({"name": name, "password": password, "next": "/live", FORM_FIELD: token})
        self._opener.open(f"{address}/login", form.encode(), timeout=ANSWER_S).close()

    def news(self, table: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the events of the live page of a table, until the server ends."""
        name = ""
        with self._opener.open(f"{self._address}/stream?{urlencode({'table': table})}", timeout=ANSWER_S) as stream:
            for line in stream:
                field, _, value = line.decode().rstrip("\n").partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    yield name, json.loads(value)


class OpenPage:
    """The live page of a table; a thread follows its news."""

    def __init__(self, visitor: Visitor, table: str, clock: Clock) -> None:
        self._visitor, self._table, self._clock = visitor, table, clock
        self._changed = Condition()
        self._shown_ns: dict[str, int] = {}  # when an alert first stood on the board, time of day
        Thread(target=self._follow, name=f"page of {table}", daemon=True).start()

    def shown_ns(self) -> dict[str, int]:
        """Return when each alert came, by its name."""
        with self._changed:
            return dict(self._shown_ns)

    def wait(self, timeout_s: float) -> None:
        """Wait until another alert comes, or for the time given."""
        with self._changed:
            self._changed.wait(timeout_s)

    def _follow(self) -> None:
        raised: list[str] = []
        try:
            for name, told in self._visitor.news(self._table):
                if name == "alert" and told["state"] == "raised":
                    raised.append(str(told["id"]))
                if name == "board" and raised:
                    self._note(raised)
                    raised = []
        except (OSError, HTTPException):  # the server has ended
            return

    def _note(self, raised: list[str]) -> None:
        now_ns = self._clock.now_ns()
        with self._changed:
            for alert in raised:
                self._shown_ns.setdefault(alert, now_ns)
            self._changed.notify_all()
