"""The pages of supervisors: a shift in numbers with what was watched, people and pits, and who did what."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from vision.store import reports, work
from vision.store.people import ROLES
from vision.values.errors import InputError
from vision.web import words
from vision.web.csv_table import table_of
from vision.web.pages import Pages, Room

SECOND_NS: Final = 1_000_000_000
USUAL_NS: Final = 8 * 3600 * SECOND_NS
LONGEST_NS: Final = 31 * 24 * 3600 * SECOND_NS
KINDS: Final = ("code", "table", "dealer")


@dataclass(frozen=True)
class SupervisorPages:
    """Reports, people, and the audit log."""

    room: Room
    pages: Pages

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/reports", self.report, methods=["GET"]),
            Route("/reports.csv", self.as_csv, methods=["GET"]),
            Route("/people", self.people, methods=["GET"]),
            Route("/people", self.change, methods=["POST"]),
            Route("/people/pits", self.set_pits, methods=["POST"]),
            Route("/log", self.log, methods=["GET"]),
        ]

    def report(self, request: Request) -> Response:
        """Show a shift in numbers."""
        span, why = self._span(request)
        tables = self._tables(request)
        found = reports.shift(self.room.store, span, tables)
        values: dict[str, Any] = {"shift": found, "span": span, "why": why, "kinds": KINDS}
        values |= {
            "covered": reports.coverage(self.room.store, span, tables),
            "chosen": {n: request.query_params.get(n, "") for n in ("since", "until")},
        }
        values |= {"most": max((max(hands, 1) for _, hands, _ in found.hours), default=1)}
        return self.pages.page(request, "reports.html", values, 400 if why else 200)

    def as_csv(self, request: Request) -> Response:
        """Return a shift's lines as a table for other programs."""
        span, why = self._span(request)
        if why:
            return self.pages.problem(request, 400, "Not understood", why)
        found = reports.shift(self.room.store, span, self._tables(request))
        groups = zip(KINDS, (found.codes, found.tables, found.dealers), strict=True)
        rows = [(kind, each.name, each.alerts, each.true, each.false) for kind, many in groups for each in many]
        work.note(self.room.store, self._name(request), "exported a report as CSV", "", self.room.clock.now_ns())
        headers = {"Content-Disposition": 'attachment; filename="shift.csv"'}
        text = table_of(("by", "name", "alerts", "true", "false"), rows)
        return Response(text, media_type="text/csv; charset=utf-8", headers=headers)

    def people(self, request: Request) -> Response:
        """Show who may do what, and where tables stand."""
        return self._people(request, "", "", 200)

    def change(self, request: Request) -> Response:
        """Add a person, change a role, give a new password, or take access away."""
        form, people = request.state.form, self.room.people
        deed, name, role = form.get("deed", ""), form.get("name", "").strip(), form.get("role", "operator")
        pits = [pit.strip() for pit in form.get("pits", "").split(",") if pit.strip()]
        try:
            match deed:
                case "add":
                    said = f"{name} may log in with the one-time password {people.add(name, role, pits)}"
                case "role":
                    people.set_role(name, role, pits)
                    said = f"{name} is {role} now"
                case "password":
                    said = f"{name} may log in with the one-time password {people.reset(name)}"
                case "remove":
                    people.remove(name)
                    said = f"{name} has no access any more"
                case _:
                    return self._people(request, "", "Choose what is to be done.", 400)
        except InputError as error:
            return self._people(request, "", str(error), 400)
        work.note(self.room.store, self._name(request), f"person: {deed}", name, self.room.clock.now_ns())
        return self._people(request, said, "", 200)

    def set_pits(self, request: Request) -> Response:
        """Say where tables stand."""
        known = set(self.room.store.tables())
        form = {key.removeprefix("pit:"): pit.strip()[:40] for key, pit in request.state.form.items() if ":" in key}
        work.set_pits(self.room.store, {table: pit for table, pit in form.items() if table in known})
        work.note(self.room.store, self._name(request), "pits changed", "", self.room.clock.now_ns())
        return RedirectResponse("/people", 303)

    def log(self, request: Request) -> Response:
        """Show who viewed, exported or changed what."""
        return self.pages.page(request, "log.html", {"noted": work.noted(self.room.store)})

    def _people(self, request: Request, said: str, why: str, status: int) -> Response:
        values: dict[str, Any] = {"people": self.room.people.all(), "roles": ROLES, "said": said, "why": why}
        values |= {"tables": self.room.store.tables(), "pits": work.pit_of_tables(self.room.store)}
        return self.pages.page(request, "people.html", values, status)

    def _span(self, request: Request) -> tuple[tuple[int, int], str]:
        """Return the time that is asked for: else the last eight hours."""
        asked, now_ns = request.query_params, self.room.clock.now_ns()
        try:
            since = words.wall_ns_of(asked["since"]) if asked.get("since") else None
            until = words.wall_ns_of(asked["until"]) if asked.get("until") else now_ns
        except (ValueError, OverflowError):
            return (now_ns - USUAL_NS, now_ns), "want times such as 2026-11-18T21:30"
        begin = until - USUAL_NS if since is None else since
        if not begin < until <= begin + LONGEST_NS:
            return (now_ns - USUAL_NS, now_ns), "want a beginning before the end, and 31 days at most"
        return (begin, until), ""

    def _tables(self, request: Request) -> Collection[str]:
        may_see = self.room.sight(request)
        return [table for table in self.room.store.tables() if may_see(table)]

    def _name(self, request: Request) -> str:
        return str(request.state.session.name)
