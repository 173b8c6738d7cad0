"""What every page shares: the parts it reads from, and the templates in which records become HTML."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from vision.store import work
from vision.store.home import Home
from vision.store.log import Store
from vision.store.people import People, Session
from vision.values.clock import Clock
from vision.web import amounts, arithmetic, findings, words
from vision.web.feed import Feed

TEMPLATES: Final = Path(__file__).parent / "templates"
FILTERS: Final = (
    amounts.amount,
    amounts.percent,
    amounts.stake,
    arithmetic.rule_of,
    words.plain,
    words.phase,
    words.title,
    words.verdict,
    words.wager_name,
    words.money,
    words.place,
    words.stream_time,
    words.time_of_day,
    words.day_and_time,
    words.when,
    words.span,
    words.lag,
    words.event_words,
)


@dataclass(frozen=True)
class Room:
    """What the pages read from: the store, the home, what passes on the bus, the clock and the people."""

    store: Store
    home: Home
    feed: Feed
    clock: Clock
    people: People

    def sight(self, request: Request) -> Callable[[str], bool]:
        """Return whether who asks may see a table: those of the person's pits, or all."""
        return self.sight_of(request.state.session)

    def sight_of(self, session: Session) -> Callable[[str], bool]:
        """Return whether a person may see a table."""
        if not session.pits:
            return lambda _: True
        pits = work.pit_of_tables(self.store)
        return lambda table: pits.get(table) in session.pits


class Pages:
    """The templates."""

    def __init__(self) -> None:
        loader = FileSystemLoader(TEMPLATES)
        self._templates = Environment(
            loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self._templates.filters |= {each.__name__: each for each in FILTERS}
        self._templates.filters["finding"] = findings.name
        self._templates.globals |= {"spoken_round": words.spoken_round, "version": version("feltwatch")}

    def fragment(self, name: str, values: Mapping[str, Any]) -> str:
        """Return a part of a page."""
        return self._templates.get_template(name).render(values)

    def page(self, request: Request, name: str, values: Mapping[str, Any], status: int = 200) -> Response:
        """Return a whole page for who is logged in."""
        session = getattr(request.state, "session", None)
        values = {"after": "", "view": "", "session": session, "path": request.url.path, **values}
        return HTMLResponse(self.fragment(name, values), status)

    def problem(self, request: Request, status: int, title: str, why: str) -> Response:
        """Return a page that says what is wrong; a script gets the words alone."""
        if "text/html" not in request.headers.get("accept", ""):
            return PlainTextResponse(f"{title}: {why}", status)
        return self.page(request, "problem.html", {"title": title, "why": why}, status)
