"""The list of rounds, the queue of those to be reviewed, and what a reviewer says of one. Forms enter, pages leave."""

from dataclasses import dataclass
from decimal import InvalidOperation
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from vision.alerts.codes import GAME, PROCEDURE, SYSTEM
from vision.bus.topics import Topic
from vision.records.correction import Correction
from vision.store import reading, work
from vision.web import amounts, queue, words
from vision.web.board import counted
from vision.web.correcting import Part, read_value
from vision.web.csv_table import table_of
from vision.web.disposing import Said, check, store
from vision.web.pages import Pages, Room
from vision.web.review import Reviewed, reviewed

PAGE: Final = 40
STATES: Final = ("open", "disposed")
CODES: Final = {"Game": GAME, "Procedure": PROCEDURE, "System": SYSTEM}
FILTERS: Final = ("table", "pit", "verdict", "code", "state", "dealer", "least", "since", "until", "text", "order")
ORDERS: Final = ("newest", "oldest", "dearest")
MOST_CSV: Final = 10_000
COLUMNS: Final = (
    "round",
    "table",
    "ended",
    "verdict",
    "players",
    "staked",
    "wrong",
    "alerts",
    "review",
    "by",
    "dealer",
)


@dataclass(frozen=True)
class RoundPages:
    """The pages about rounds."""

    room: Room
    pages: Pages

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/review", self.show_queue, methods=["GET"]),
            Route("/rounds", self.show_list, methods=["GET"]),
            Route("/rounds.csv", self.as_csv, methods=["GET"]),
            Route("/rounds/{round}", self.show, methods=["GET"]),
            Route("/rounds/{round}/dispositions", self.dispose, methods=["POST"]),
            Route("/rounds/{round}/corrections", self.correct, methods=["POST"]),
        ]

    def show_queue(self, request: Request) -> Response:
        """Show what is to be reviewed."""
        name = request.query_params.get("queue", queue.OPEN)
        name = name if name in queue.NAMES else queue.OPEN
        entries = queue.entries(self.room, request, name)
        values = {"queue": name, "names": queue.NAMES, "entries": entries, "now_ns": self.room.clock.now_ns()}
        values |= {"counts": {each: len(queue.entries(self.room, request, each)) for each in queue.NAMES}}
        return self.pages.page(request, "queue.html", values)

    def show_list(self, request: Request) -> Response:
        """Show rounds, the newest first."""
        chosen = {name: request.query_params.get(name, "") for name in FILTERS}
        rows, why = self._found(request, chosen, request.query_params.get("before", ""), PAGE + 1)
        shown, has_more = rows[:PAGE], len(rows) > PAGE and chosen["order"] in ("", "newest")
        query = {name: value for name, value in chosen.items() if value}
        values = {"chosen": chosen, "rounds": [(row, _codes(row)) for row in shown], "is_filtered": bool(query)}
        values |= {"older": urlencode(query | {"before": shown[-1].row}) if has_more else "", "codes": CODES}
        values |= {"newest": urlencode(query) if "before" in request.query_params else None, "states": STATES}
        may_see = self.room.sight(request)
        values |= {"tables": [table for table in self.room.store.tables() if may_see(table)]}
        values |= {"verdicts": words.VERDICTS}
        pits = work.pit_of_tables(self.room.store)
        values |= {"pits": sorted({pits[table] for table in pits if may_see(table)}), "orders": ORDERS}
        values |= {"totals": reading.totals(self.room.store, shown), "csv": urlencode(query), "why": why}
        return self.pages.page(request, "rounds.html", values, 400 if why else 200)

    def as_csv(self, request: Request) -> Response:
        """Return the rounds that a list shows, all pages of it, as a table for other programs."""
        chosen = {name: request.query_params.get(name, "") for name in FILTERS}
        rows, why = self._found(request, chosen, "", MOST_CSV)
        if why:
            return self.pages.problem(request, 400, "Not understood", why)
        name, now_ns = request.state.session.name, self.room.clock.now_ns()
        work.note(self.room.store, name, f"exported {len(rows)} hands as CSV", urlencode(chosen), now_ns)
        text = table_of(COLUMNS, [_cells(row) for row in rows])
        headers = {"Content-Disposition": 'attachment; filename="hands.csv"'}
        return Response(text, media_type="text/csv; charset=utf-8", headers=headers)

    def show(self, request: Request) -> Response:
        """Show one round with its proof."""
        found = self._reviewed(request)
        return self._unknown(request) if found is None else self._page(request, found, Said(), "", 200)

    def dispose(self, request: Request) -> Response:
        """Store what a reviewer says of a round; it is never edited, only followed by another."""
        found, said = self._reviewed(request), Said.of(request.state.form)
        if found is None:
            return self._unknown(request)
        why = check(found, said)
        if why:
            return self._page(request, found, said, why, 409 if said.is_overtaken(found) else 400)
        name = request.state.form.get("queue", "")
        following = queue.after(self.room, request, name, found.id)
        store(self.room, found, said, request.state.session.name)
        if name not in queue.NAMES:
            return RedirectResponse(f"/rounds/{found.id}#review", 303)
        return RedirectResponse(queue.path(name, following), 303)

    def correct(self, request: Request) -> Response:
        """Store what a person says was really so."""
        found, form = self._reviewed(request), request.state.form
        if found is None:
            return self._unknown(request)
        part = next((part for part in found.parts if part.name == form.get("part")), None)
        if part is None:
            return self.pages.problem(request, 400, "No such part", "choose what is to be corrected")
        try:
            value = read_value(part, form.get("value", ""))
        except (ValueError, InvalidOperation) as error:
            return self.pages.problem(request, 400, "Not understood", f"{part.label}: {error}")
        self._store_correction(found, part, value, request.state.session.name)
        return RedirectResponse(f"/rounds/{found.id}#corrections", 303)

    def _store_correction(self, found: Reviewed, part: Part, value: str | int, name: str) -> None:
        now = self.room.clock.now_ns()
        known = {"round": found.id, "part": part.name, "value": value, "was": part.value, "by": name, "wall_ns": now}
        self.room.store.append(found.table, Topic.CORRECTION, found.t_ns, Correction.of(known).plain(), now)

    def _page(self, request: Request, found: Reviewed, said: Said, why: str, status: int) -> Response:
        name = (
            request.state.form.get("queue", "") if request.method == "POST" else request.query_params.get("queue", "")
        )
        name = name if name in queue.NAMES else ""
        rounds = [entry.round for entry in queue.entries(self.room, request, name)] if name else []
        at = rounds.index(found.id) if found.id in rounds else -1
        values: dict[str, Any] = {"found": found, "said": said, "why": why, "queue": name, "names": queue.NAMES}
        values |= {"at": at, "length": len(rounds), "now_ns": self.room.clock.now_ns(), "after": found.told}
        values |= {"previous_path": _step(name, rounds, at, -1, found), "next_path": _step(name, rounds, at, 1, found)}
        values |= {"precision": self._precision(found)}
        return self.pages.page(request, "round.html", values, status)

    def _precision(self, found: Reviewed) -> reading.Precision | None:
        return None if found.shown is None else reading.precision(self.room.store, found.shown.code)

    def _found(
        self, request: Request, chosen: dict[str, str], before: str, limit: int
    ) -> tuple[list[reading.RoundRow], str]:
        """Return the rounds that fit, and what is wrong with the filters."""
        try:
            search = _search(chosen)
        except (ValueError, InvalidOperation, OverflowError):
            return [], "want amounts such as 12.50, and times such as 2026-11-18T21:30"
        may_see, pits = self.room.sight(request), work.pit_of_tables(self.room.store)
        tables = [table for table in self.room.store.tables() if may_see(table)]
        found = reading.rounds(
            self.room.store,
            table=chosen["table"] or None,
            verdict=chosen["verdict"] or None,
            code=chosen["code"] or None,
            open_only=chosen["state"] == "open",
            disposed_only=chosen["state"] == "disposed",
            tables=[table for table in tables if not chosen["pit"] or pits.get(table) == chosen["pit"]],
            before=int(before) if before.isascii() and before.isdecimal() else None,
            search=search,
            limit=limit,
        )
        return found, ""

    def _reviewed(self, request: Request) -> Reviewed | None:
        asked = request.query_params
        found = reviewed(self.room, request.path_params["round"], asked.get("alert", ""), asked.get("film", ""))
        return found if found is not None and self.room.sight(request)(found.table) else None

    def _unknown(self, request: Request) -> Response:
        return self.pages.problem(request, 404, "No such round", f"the store has no {request.path_params['round']}")


def _step(name: str, rounds: list[str], at: int, by: int, found: Reviewed) -> str:
    """Return where the keys for next and previous lead: along the queue, or from hand to hand."""
    if not name:
        other = found.before if by < 0 else found.after
        return f"/rounds/{other}" if other else ""
    place = at + by if at >= 0 else 0
    return queue.path(name, rounds[place]) if 0 <= place < len(rounds) else ""


def _codes(row: reading.RoundRow) -> list[str]:
    """Return the alerts of a round by their titles."""
    return counted([alert.code for alert in row.alerts if alert.state != "withdrawn"])


def _search(chosen: dict[str, str]) -> reading.Search:
    order = chosen["order"] if chosen["order"] in ORDERS else ORDERS[0]
    since, until = (words.wall_ns_of(chosen[name]) if chosen[name] else None for name in ("since", "until"))
    least = amounts.cents_of(chosen["least"])
    return reading.Search(chosen["text"].strip(), chosen["dealer"].strip(), least, since, until, order)


def _cells(row: reading.RoundRow) -> list[object]:
    said, played = row.disposition.body if row.disposition else None, row.body
    wagers = [wager for seat in played.seats for wager in seat.wagers.values()] if played else []
    return [
        row.id,
        row.table,
        words.day_and_time(row.ended_wall_ns or row.began_wall_ns),
        row.verdict or "",
        len(played.seats) if played else "",
        sum(wager.cents or 0 for wager in wagers) / 100,
        row.wrong_cents / 100,
        "; ".join(_codes(row)),
        said.finding if said else "",
        said.by if said else "",
        (said.dealer or "") if said else "",
    ]
