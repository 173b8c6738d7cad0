"""Films and stills for review: the store and the footage enter, files and times of frames leave.

No part of a path ever comes from a request: what belongs to an alert or a round is found through the store.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np

from vision.footage.clip import FootageError, cut
from vision.footage.retention import GB, RetentionLimit
from vision.footage.segment import read_index
from vision.records.clip import Clip
from vision.records.round import Round
from vision.store import reading
from vision.store.home import Home
from vision.store.log import Store
from vision.store.reading import RoundRow
from vision.values.picture import Picture

SECOND_NS: Final = 1_000_000_000
BEFORE_NS, AFTER_NS = 1 * SECOND_NS, 3 * SECOND_NS  # of a whole round's film
KEPT_BYTES: Final = 4 * GB  # of films of whole rounds: they are cut again when they are wanted
AROUND: Final = 0.9  # of a place's size, shown on each side of it
LEAST: Final = 0.22  # of the picture's width and height, that a still shows
QUALITY: Final = 85


@dataclass(frozen=True, slots=True)
class Film:
    """A film, and the stream time that it shows."""

    path: Path
    src: str
    start_ns: int
    end_ns: int
    frames_ms: list[float]
    still: str | None = None
    place: tuple[tuple[float, float], ...] = ()  # what it is about, in shares of the picture

    def at(self, t_ns: int) -> float | None:
        """Return the second of the film that shows a moment, if it does."""
        return round((t_ns - self.start_ns) / SECOND_NS, 3) if self.start_ns <= t_ns <= self.end_ns else None

    def share(self, t_ns: int) -> float:
        """Return where in the film a moment is, in parts of a thousand."""
        inside = min(max(t_ns, self.start_ns), self.end_ns) - self.start_ns
        return round(1000 * inside / max(self.end_ns - self.start_ns, 1), 1)

    @property
    def fps(self) -> float:
        """Return how many frames it has in a second."""
        last = self.frames_ms[-1] if self.frames_ms else 0.0
        return round(1000 * (len(self.frames_ms) - 1) / last, 2) if last else 0.0


def clip_file(folder: Path, clip: Clip, kind: str) -> Path | None:
    """Return the file of a clip if it is there, and lies in the folder of clips."""
    name = clip.film if kind == "film" else clip.still
    if name is None:
        return None
    path = (folder / name).resolve()
    return path if path.is_file() and path.is_relative_to(folder.resolve()) else None


def clip_film(home: Home, clip: Clip) -> Film | None:
    """Return the film of an alert, if it is still kept."""
    path = clip_file(home.clips, clip, "film")
    if path is None:
        return None
    src = f"/alerts/{clip.alert}"
    still = f"{src}/still" if clip_file(home.clips, clip, "still") is not None else None
    frames = frame_times_ms(path, path.stat().st_mtime_ns)
    return Film(path, f"{src}/film", clip.start_ns, clip.end_ns, frames, still, clip.place or ())


def round_film(store: Store, home: Home, row: RoundRow) -> Film | None:
    """Return the film of a whole round, cut out of the footage when it is first wanted; None if that is gone."""
    record, session = row.body, reading.session_at(store, row.table, row.first_seq)
    if record is None or session is None:
        return None
    start_ns, end_ns = max(record.started_ns - BEFORE_NS, 0), record.ended_ns + AFTER_NS
    path = home.cuts / f"{row.id}.{row.seq}.mp4"
    if not path.is_file() and not _cut(home, row, session.body.id, path, (start_ns, end_ns)):
        return None
    return _round_film(row, record, path)


def _round_film(row: RoundRow, record: Round, path: Path) -> Film:
    start_ns = int(path.with_suffix(".start").read_text(encoding="ascii"))
    frames = frame_times_ms(path, path.stat().st_mtime_ns)
    end_ns = start_ns + int((frames[-1] if frames else 0.0) * 1_000_000)
    return Film(path, f"/rounds/{row.id}/film", start_ns, max(end_ns, record.started_ns), frames)


def _cut(home: Home, row: RoundRow, session: str, path: Path, span: tuple[int, int]) -> bool:
    """Cut a round's film; tell whether there was footage of it."""
    start_ns, end_ns = span
    segments = [each for each in read_index(home.footage(row.table) / session) if each.start.t_ns < end_ns]
    held = [each for each in segments if not each.is_whole or each.end_ns > start_ns]  # one that grows has no end yet
    if not held:
        return False
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    RetentionLimit(path.parent, "*.mp4", KEPT_BYTES).tidy(keep=path)
    try:
        done = cut(held, start_ns, end_ns, path)
    except FootageError:
        return False
    path.with_suffix(".start").write_text(str(done.start_ns), encoding="ascii")
    return True


@lru_cache(256)
def frame_times_ms(path: Path, _changed_ns: int) -> list[float]:
    """Return when each frame of a film is shown; none if it cannot be read."""
    try:
        with av.open(str(path)) as film:
            stream = film.streams.video[0]
            base = stream.time_base or 0
            times = sorted(packet.pts * base for packet in film.demux(stream) if packet.pts is not None)
    except (av.FFmpegError, IndexError):
        return []
    return [round(float(1000 * t), 2) for t in times]


@lru_cache(64)
def still_at(path: Path, _changed_ns: int, second: float, place: tuple[tuple[float, float], ...]) -> bytes | None:
    """Return the picture of a moment of a film, cut out around a place; None if it cannot be read."""
    try:
        with av.open(str(path)) as film:
            stream = film.streams.video[0]
            base = stream.time_base or 1
            film.seek(int(second / base), stream=stream)
            seen: Picture | None = None
            for frame in film.decode(stream):
                if seen is not None and frame.time is not None and frame.time > second:
                    break
                seen = np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
    except (av.FFmpegError, IndexError):
        return None
    return None if seen is None else _jpeg(_around(seen, place))


def _around(picture: Picture, place: tuple[tuple[float, float], ...]) -> Picture:
    """Return the part of a picture around a place, in the picture's own shape."""
    if not place:
        return picture
    height, width = picture.shape[:2]
    low, high = np.min(place, axis=0), np.max(place, axis=0)
    side = float(max(*(high - low) * (1 + 2 * AROUND), LEAST))
    left, top = np.clip((low + high) / 2 - side / 2, 0, max(1 - side, 0))
    rows, columns = slice(int(top * height), int((top + side) * height)), slice(int(left * width), None)
    return picture[rows, columns][:, : max(int(side * width), 1)]


def _jpeg(picture: Picture) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
