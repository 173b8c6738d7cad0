"""Clips of alerts: alerts enter as they are stored, films and stills leave, made by a thread of their own."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Final

from vision.capture.video import SECOND_NS
from vision.draw.still import Scene, draw_still, evidence_scene, place_seen
from vision.footage.clip import Cut, NoFootageError, cut, picture_at
from vision.footage.retention import RetentionLimit
from vision.footage.segment import Index
from vision.records.alert import Alert
from vision.records.clip import Clip
from vision.table.layout import Layout
from vision.values.errors import VisionError
from vision.values.picture import write_picture

log = logging.getLogger(__name__)

# Assumed where a comment names no measurement.
PATIENCE_NS: Final = 5 * SECOND_NS  # beyond the post-roll: footage that has not come by then will not come


@dataclass(frozen=True, slots=True)
class Rolls:
    """How much a clip shows before and after an alert's evidence, and how much of long evidence."""

    before_ns: int = 4 * SECOND_NS
    after_ns: int = 3 * SECOND_NS
    longest_ns: int = 20 * SECOND_NS

    def span(self, alert: Alert) -> tuple[int, int]:
        """Return the span of an alert's clip."""
        begin_ns = min(max(alert.evidence.start_ns, alert.t_ns - self.longest_ns), alert.t_ns)
        return max(begin_ns - self.before_ns, 0), alert.t_ns + self.after_ns


@dataclass(frozen=True, slots=True)
class Job:
    """An alert that wants a clip: its record, its number in the store, and what was believed around it."""

    alert: Alert
    seq: int
    scenes: Sequence[Scene]
    asked_ns: int


class ClipMaker:
    """Makes clips, one after the other, each when its footage is there."""

    def __init__(
        self, index: Index, folder: Path, layout: Layout, shelf: RetentionLimit, rolls: Rolls | None = None
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._index, self._folder, self._layout, self._shelf = index, folder, layout, shelf
        self.rolls = rolls or Rolls()
        self._jobs: Queue[Job | None] = Queue()
        self._made: Queue[Clip] = Queue()
        self._thread = Thread(target=self._work, name="making clips", daemon=True)
        self._thread.start()

    def ask(self, alert: Alert, seq: int, scenes: Sequence[Scene]) -> None:
        """Ask for the clip of an alert."""
        self._jobs.put(Job(alert, seq, scenes, time.monotonic_ns()))

    def made(self) -> list[Clip]:
        """Return the records of the clips that were made since this was asked last."""
        records: list[Clip] = []
        try:
            while True:
                records.append(self._made.get_nowait())
        except Empty:
            return records

    def close(self) -> None:
        """Make what was asked for, with the footage there is."""
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        """Make clips; what cannot be written, since the disk is full, is tried again after the next and at the end."""
        failed: list[Job] = []
        while (job := self._jobs.get()) is not None:
            failed = [one for one in (job, *failed) if not self._is_done_with(one)]
        for job in failed:
            self._is_done_with(job)

    def _is_done_with(self, job: Job) -> bool:
        try:
            self._made.put(self._make(job))
        except (VisionError, OSError) as error:
            log.error("clip not made alert=%s why=%s", job.alert.id, error)  # noqa: TRY400
            return isinstance(error, NoFootageError)
        return True

    def _make(self, job: Job) -> Clip:
        alert, (start_ns, end_ns) = job.alert, self.rolls.span(job.alert)
        late_ns = job.asked_ns + self.rolls.after_ns + PATIENCE_NS
        self._index.wait_for(end_ns, max(late_ns - time.monotonic_ns(), 0) / SECOND_NS)
        film = self._folder / f"{alert.id}.{job.seq}.mp4"
        self._shelf.tidy(keep=film)
        done = cut(self._index.between(start_ns, end_ns), start_ns, end_ns, film)
        scene = evidence_scene(alert, job.scenes, self._layout)
        if scene is None:
            return _record(alert, done, film)
        still = self._still(job, scene, film.with_suffix(".jpg"))
        place = place_seen(scene, alert, self._layout)
        return _record(alert, done, film).model_copy(update={"still": still.name, "place": place})

    def _still(self, job: Job, scene: Scene, path: Path) -> Path:
        picture = picture_at(self._index.between(scene.t_ns, scene.t_ns + 1), scene.t_ns)
        write_picture(path, draw_still(picture, scene, job.alert, self._layout))
        return path


def _record(alert: Alert, done: Cut, film: Path) -> Clip:
    return Clip(
        alert=alert.id,
        round=alert.round,
        film=film.name,
        start_ns=done.start_ns,
        end_ns=done.end_ns,
        t_ns=alert.t_ns,
        offset_ns=max(alert.t_ns - done.start_ns, 0),
    )
