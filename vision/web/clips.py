"""Films and stills of alerts and rounds, as answers to requests."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from vision.store import reading
from vision.web.film import SECOND_NS, clip_file, round_film, still_at
from vision.web.pages import Pages, Room

KINDS: Final = {"film": "video/mp4", "still": "image/jpeg"}
MOMENTS: Final = ("before", "after")  # stills of the evidence: as it began, and as it ended


@dataclass(frozen=True)
class ClipPages:
    """The files of alerts and rounds."""

    room: Room
    pages: Pages

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/alerts/{alert}/{kind:str}", self.clip, methods=["GET"]),
            Route("/rounds/{round}/film", self.film, methods=["GET"]),
        ]

    def clip(self, request: Request) -> Response:
        """Return the film or a still of an alert, or the part of it that is asked for."""
        kind, alert = request.path_params["kind"], request.path_params["alert"]
        clip = reading.clip_of(self.room.store, alert) if kind in (*KINDS, *MOMENTS) else None
        if clip is None or not self.room.sight(request)(clip.table):
            return self._none(request)
        if kind in MOMENTS:
            return self._moment(request, clip, kind)
        path = clip_file(self.room.home.clips, clip.body, kind)
        return self._none(request) if path is None else FileResponse(path, media_type=KINDS[kind])

    def film(self, request: Request) -> Response:
        """Return the film of a whole round."""
        row = reading.round_of(self.room.store, request.path_params["round"])
        found = (
            round_film(self.room.store, self.room.home, row)
            if row is not None and self.room.sight(request)(row.table)
            else None
        )
        return self._none(request) if found is None else FileResponse(found.path, media_type=KINDS["film"])

    def _moment(self, request: Request, clip: reading.ClipRow, kind: str) -> Response:
        """Return the picture as the evidence began or ended, cut out around its place."""
        alert, path = reading.alert_of(self.room.store, clip.alert), clip_file(self.room.home.clips, clip.body, "film")
        if alert is None or path is None:
            return self._none(request)
        proof = alert.body.evidence
        at_ns = (proof.start_ns if kind == "before" else max(proof.end_ns, alert.body.t_ns)) - clip.body.start_ns
        jpeg = _still(path, at_ns, clip.body.place or ())
        return self._none(request) if jpeg is None else Response(jpeg, media_type="image/jpeg")

    def _none(self, request: Request) -> Response:
        return self.pages.problem(request, 404, "No such file", "there is no such clip, or it is not kept any more")


def _still(path: Path, at_ns: int, place: tuple[tuple[float, float], ...]) -> bytes | None:
    return still_at(path, path.stat().st_mtime_ns, max(at_ns, 0) / SECOND_NS, place)
