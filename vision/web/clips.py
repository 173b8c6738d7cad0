"""Films and stills of alerts, found through the store alone: no part of a path ever comes from a request."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import av
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from vision.records.clip import Clip
from vision.store import reading
from vision.web.pages import Pages, Room

KINDS: Final = {"film": "video/mp4", "still": "image/jpeg"}


@dataclass(frozen=True)
class ClipPages:
    """The files of alerts."""

    room: Room
    pages: Pages

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [Route("/alerts/{alert}/{kind:str}", self.clip, methods=["GET"])]

    def clip(self, request: Request) -> Response:
        """Return the film or the still of an alert, or the part of it that is asked for."""
        kind, alert = request.path_params["kind"], request.path_params["alert"]
        clip = reading.clip_of(self.room.store, alert) if kind in KINDS else None
        path = None if clip is None else clip_file(self.room.home.clips, clip.body, kind)
        if path is None:
            return self.pages.problem(request, 404, "No such file", "there is no such clip, or it is not kept any more")
        return FileResponse(path, media_type=KINDS[kind])


def clip_file(folder: Path, clip: Clip, kind: str) -> Path | None:
    """Return the file of a clip if it is there, and lies in the folder of clips."""
    name = clip.film if kind == "film" else clip.still
    if name is None:
        return None
    path = (folder / name).resolve()
    return path if path.is_file() and path.is_relative_to(folder.resolve()) else None


def frame_times_ms(path: Path) -> list[float]:
    """Return when each frame of a film is shown; none if it cannot be read."""
    try:
        with av.open(str(path)) as film:
            stream = film.streams.video[0]
            base = stream.time_base or 0
            times = sorted(packet.pts * base for packet in film.demux(stream) if packet.pts is not None)
    except (av.FFmpegError, IndexError):
        return []
    return [round(float(1000 * t), 2) for t in times]
