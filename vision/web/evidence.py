"""Evidence for those who are not in the room: a round's pack to take along, or to be kept for ever in a case."""

import re
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from vision.store import reading, work
from vision.web import pack
from vision.web.pages import Pages, Room
from vision.web.verify import check

CASE: Final = re.compile(r"[\w][\w .#/-]{0,59}")


@dataclass(frozen=True)
class EvidencePages:
    """Packs and cases."""

    room: Room
    pages: Pages

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/rounds/{round}/evidence", self.export, methods=["POST"]),
            Route("/rounds/{round}/hold", self.hold, methods=["POST"]),
            Route("/cases", self.cases, methods=["GET"]),
            Route("/cases/{round}", self.held, methods=["GET"]),
        ]

    def export(self, request: Request) -> Response:
        """Return the pack of a round."""
        row = self._row(request)
        if row is None:
            return self._unknown(request)
        folder = TemporaryDirectory(prefix="feltwatch-evidence-")
        path = Path(folder.name) / f"{row.id}.zip"
        pack.export(self.room, row.id, request.state.session.name, path)
        self._note(request, "exported", row.id)
        after = BackgroundTask(folder.cleanup)
        return FileResponse(path, media_type="application/zip", filename=path.name, background=after)

    def hold(self, request: Request) -> Response:
        """Keep the pack of a round for ever, in a case."""
        row, case = self._row(request), request.state.form.get("case", "").strip()
        if row is None:
            return self._unknown(request)
        if not CASE.fullmatch(case):
            return self.pages.problem(
                request, 400, "No such case", "a case has a name of letters and digits, 60 at most"
            )
        pack.export(self.room, row.id, request.state.session.name, self._path(row.id))
        work.hold(self.room.store, row.id, case, request.state.session.name, self.room.clock.now_ns())
        self._note(request, f"put into case {case}", row.id)
        return RedirectResponse(f"/rounds/{row.id}", 303)

    def cases(self, request: Request) -> Response:
        """Show what is kept, case by case."""
        may_see, held = self.room.sight(request), work.held(self.room.store)
        mine = [each for each in held if may_see(each.round.rpartition("-")[0])]
        known = {each.round: check(self._path(each.round)) for each in mine}
        return self.pages.page(request, "cases.html", {"held": mine, "known": known})

    def held(self, request: Request) -> Response:
        """Return a pack that is kept."""
        row = self._row(request)
        if row is None or not self._path(row.id).is_file():
            return self._unknown(request)
        self._note(request, "exported", row.id)
        return FileResponse(self._path(row.id), media_type="application/zip", filename=f"{row.id}.zip")

    def _path(self, round_id: str) -> Path:
        return self.room.home.holds / f"{round_id}.zip"

    def _row(self, request: Request) -> reading.RoundRow | None:
        row = reading.round_of(self.room.store, request.path_params["round"])
        return row if row is not None and self.room.sight(request)(row.table) else None

    def _note(self, request: Request, did: str, subject: str) -> None:
        work.note(self.room.store, request.state.session.name, did, subject, self.room.clock.now_ns())

    def _unknown(self, request: Request) -> Response:
        return self.pages.problem(request, 404, "No such round", f"nothing is kept of {request.path_params['round']}")
