"""Watching a table from beginning to end: a table, a source and a home enter, how it went leaves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import Any

from vision.bus.topics import Topic
from vision.capture.source import check_source
from vision.capture.source_reader import ReadOptions, SourceReader
from vision.footage.recorder import Recorder
from vision.footage.retention import GB, RetentionLimit
from vision.pipeline import Pipeline
from vision.run.clips import ClipMaker, Rolls
from vision.run.lock import TableLock
from vision.run.signal_tail import SignalTail
from vision.run.watcher import Parts, Session, Watcher, session_id
from vision.store.home import Home
from vision.store.log import Store
from vision.store.reading import rounds_before
from vision.store.table_writer import TableWriter
from vision.table.table import Table
from vision.values.clock import WallClock
from vision.values.errors import InputError

COUNTED = (Topic.ROUND, Topic.ALERT, Topic.EVENT, Topic.COVERAGE, Topic.CLIP)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a house may choose."""

    keep_bytes: int = 20 * GB  # of footage of the table
    keep_clips_bytes: int = 5 * GB  # of clips of all tables
    rolls: Rolls = field(default_factory=Rolls)
    limit_ns: int | None = None  # how long to watch
    options: ReadOptions = field(default_factory=ReadOptions)
    signals: Path | None = None  # to which other systems append what they say


@dataclass(frozen=True, slots=True)
class Report:
    """How a session went."""

    session: str
    frames: int
    dropped: int
    count: Mapping[str, int]
    stopped: InputError | None

    def record(self) -> dict[str, Any]:
        """Return it as the command prints it."""
        counts = {f"{topic}s" if topic != Topic.COVERAGE else str(topic): self.count.get(topic, 0) for topic in COUNTED}
        return {"session": self.session, "frames": self.frames, "dropped": self.dropped, **counts}


def watch(
    table: Table,
    source: str,
    home: Home,
    settings: Settings,
    stop: Event,
    pipeline_of: Callable[[Table, int], Pipeline] = Pipeline.of,
) -> Report:
    """Watch a table until its source ends, its time is over, or it is told to stop."""
    check_source(source)
    name, clock = table.file.name, WallClock()
    with TableLock(name, home.lock(name)), Store.open(home.store) as store:
        pipeline = pipeline_of(table, rounds_before(store, name))
        session = Session(session_id(clock.now_ns()), name, version("feltwatch"), settings.limit_ns)
        with TableWriter(store, name, home.bus(name), clock) as table_writer:
            recorder = _recorder(home, session, settings)
            clips = ClipMaker(
                recorder.index,
                home.clips,
                table.layout,
                RetentionLimit(home.clips, "*", settings.keep_clips_bytes),
                settings.rolls,
            )
            source_reader = SourceReader(source, recorder, settings.options, _size(table))
            heard = recorder.index.folder / "signals.jsonl"
            signal_tail = None if settings.signals is None else SignalTail(settings.signals, heard)
            parts = Parts(source_reader, pipeline, table_writer, recorder, clips, signal_tail)
            watcher = Watcher(session, parts, table.layout, clock)
            source_reader.start()
            outcome = watcher.run(stop)
    frames, stopped = (outcome.frames, outcome.stopped) if outcome is not None else (0, None)
    return Report(session.id, frames, source_reader.dropped, watcher.count, stopped)


def _recorder(home: Home, session: Session, settings: Settings) -> Recorder:
    folder = home.footage(session.table)
    return Recorder(folder / session.id, RetentionLimit(folder, "*/*.mp4", settings.keep_bytes))


def _size(table: Table) -> tuple[int, int]:
    lens = table.camera.lens
    return lens.width, lens.height
