"""The list of rounds, and what a reviewer says of one. Filters and forms enter, pages leave."""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from vision.alerts.codes import GAME, PROCEDURE, SYSTEM
from vision.bus.topics import Topic
from vision.records.disposition import Disposition
from vision.store import reading
from vision.web import words
from vision.web.board import counted
from vision.web.pages import Pages, Room
from vision.web.review import Reviewed, reviewed

PAGE: Final = 40
STATES: Final = ("open", "disposed")
CODES: Final = {"Game": GAME, "Procedure": PROCEDURE, "System": SYSTEM}
FILTERS: Final = ("table", "verdict", "code", "state")
LONGEST_NOTE: Final = 2000


@dataclass(frozen=True)
class RoundPages:
    """The pages about rounds."""

    room: Room
    pages: Pages

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/rounds", self.show_list, methods=["GET"]),
            Route("/rounds/{round}", self.show, methods=["GET"]),
            Route("/rounds/{round}/dispositions", self.dispose, methods=["POST"]),
        ]

    def show_list(self, request: Request) -> Response:
        """Show rounds, the newest first."""
        chosen = {name: request.query_params.get(name, "") for name in FILTERS}
        rows = self._rows(chosen, request.query_params.get("before", ""))
        shown, has_more = rows[:PAGE], len(rows) > PAGE
        query = {name: value for name, value in chosen.items() if value}
        values = {"chosen": chosen, "rounds": [(row, _codes(row)) for row in shown], "is_filtered": bool(query)}
        values |= {"older": urlencode(query | {"before": shown[-1].row}) if has_more else "", "codes": CODES}
        values |= {"newest": urlencode(query) if "before" in request.query_params else None, "states": STATES}
        values |= {"tables": self.room.store.tables(), "verdicts": words.VERDICTS, "findings": words.FINDINGS}
        return self.pages.page(request, "rounds.html", values)

    def show(self, request: Request) -> Response:
        """Show one round with its proof."""
        found = self._reviewed(request)
        if found is None:
            return self._unknown(request)
        return self.pages.page(request, "round.html", _values(found))

    def dispose(self, request: Request) -> Response:
        """Store what a reviewer says of a round; it is never edited, only followed by another."""
        found, form = self._reviewed(request), request.state.form
        if found is None:
            return self._unknown(request)
        finding, note = form.get("finding", ""), form.get("note", "").strip()
        why = _lacks(finding, note)
        if why:
            return self.pages.page(request, "round.html", _values(found, why, note, finding), 400)
        self._store(found, finding, note, request.state.session.name)
        return RedirectResponse(f"/rounds/{found.id}#review", 303)

    def _store(self, found: Reviewed, finding: str, note: str, name: str) -> None:
        now = self.room.clock.now_ns()
        said = Disposition.of({"round": found.id, "finding": finding, "note": note, "by": name, "wall_ns": now})
        self.room.store.append(found.table, Topic.DISPOSITION, found.t_ns, said.plain(), now)

    def _rows(self, chosen: dict[str, str], before: str) -> list[reading.RoundRow]:
        return reading.rounds(
            self.room.store,
            table=chosen["table"] or None,
            verdict=chosen["verdict"] or None,
            code=chosen["code"] or None,
            open_only=chosen["state"] == "open",
            disposed_only=chosen["state"] == "disposed",
            before=int(before) if before.isdecimal() else None,
            limit=PAGE + 1,
        )

    def _reviewed(self, request: Request) -> Reviewed | None:
        return reviewed(self.room, request.path_params["round"], request.query_params.get("alert", ""))

    def _unknown(self, request: Request) -> Response:
        return self.pages.problem(request, 404, "No such round", f"the store has no {request.path_params['round']}")


def _values(found: Reviewed, why: str = "", note: str = "", finding: str = "") -> dict[str, Any]:
    """Return what the page of a round needs, and of a form that could not be taken what was in it."""
    form = {"why": why, "note": note, "finding": finding, "longest_note": LONGEST_NOTE}
    return {"found": found, "findings": words.FINDINGS, **form}


def _lacks(finding: str, note: str) -> str:
    """Return what is wrong with a disposition."""
    if finding not in words.FINDINGS:
        return "Choose what you found."
    return f"A note has {LONGEST_NOTE} characters at most." if len(note) > LONGEST_NOTE else ""


def _codes(row: reading.RoundRow) -> list[str]:
    """Return the alerts of a round by their codes."""
    return counted([alert.code for alert in row.alerts if alert.state != "withdrawn"])
