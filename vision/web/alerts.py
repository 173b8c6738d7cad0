"""Taking notice of alerts: forms enter, entries of the log leave."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from vision.bus.topics import Topic
from vision.records.acknowledgement import Acknowledgement
from vision.store import reading
from vision.store.reading import AlertRow
from vision.web import auth_middleware as guard
from vision.web.pages import Pages, Room


@dataclass(frozen=True)
class AlertPages:
    """What can be done about alerts without opening them."""

    room: Room
    pages: Pages

    def routes(self) -> list[Route]:
        """Return where it is."""
        return [Route("/rounds/{round}/acknowledgements", self.acknowledge, methods=["POST"])]

    def acknowledge(self, request: Request) -> Response:
        """Store who has taken notice of the open alerts of a round, and who looks into them."""
        round_id, form = request.path_params["round"], request.state.form
        assigned = form.get("assigned", "").strip() or None
        rows = [
            row for row in reading.alerts(self.room.store, round_id=round_id) if self.room.sight(request)(row.table)
        ]
        if not rows:
            return self.pages.problem(request, 404, "Nothing open", f"no alert of {round_id} is open any more")
        if assigned is not None and assigned not in {person.name for person in self.room.people.all()}:
            return self.pages.problem(request, 400, "Nobody of this name", "choose one of the people of this room")
        for row in rows:
            self._store(row, request.state.session.name, assigned)
        return RedirectResponse(guard.local_path(form.get("back", "/live")), 303)

    def _store(self, row: AlertRow, name: str, assigned: str | None) -> None:
        now = self.room.clock.now_ns()
        taken = Acknowledgement(alert=row.id, round=row.round, by=name, assigned=assigned, wall_ns=now)
        self.room.store.append(row.table, Topic.ACKNOWLEDGEMENT, row.body.t_ns, taken.plain(), now)
