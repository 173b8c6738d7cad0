"""`feltwatch replay`: a recording watched again."""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vision.commands.adding import DONE, add_command
from vision.draw import terminal as show
from vision.values.errors import InputError

if TYPE_CHECKING:
    from vision.draw.annotate import Annotator
    from vision.pipeline import Moment
    from vision.records.signal import Signal
    from vision.run.frame_loop import Span
    from vision.table.table import Table
    from vision.values.picture import Picture

Summary = dict[str, str | int]
STEPS = "steps"  # the folder of the pictures


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    replay = add_command(
        commands, "replay", "watch a recording: facts, rounds, alerts, events and coverage as files", _replay
    )
    replay.add_argument("videos", nargs="*", metavar="VIDEO", help="a video file; of several, each has a folder in DIR")
    replay.add_argument(
        "--facts", type=Path, metavar="FILE.jsonl", help="tell the rounds from facts alone (docs/story.md)"
    )
    replay.add_argument("--table", required=True, metavar="TABLE", help="a table: its name, its file, or its folder")
    replay.add_argument("--out", required=True, type=Path, metavar="DIR", help="the folder for the files")
    replay.add_argument(
        "--annotate", type=Path, metavar="FILE.mp4", help="write a video with what was read drawn on it"
    )
    replay.add_argument("--from", type=float, default=0.0, dest="start", metavar="T", help="second to begin at (0)")
    replay.add_argument("--to", type=float, dest="end", metavar="T", help="second to end at")
    replay.add_argument("--step", action="store_true", help="tell every frame: a JSON line, and a PNG in DIR/steps")
    replay.add_argument("--signals", type=Path, metavar="FILE.jsonl", help="what other systems said (docs/replay.md)")
    replay.add_argument("--workers", type=int, default=1, metavar="N", help="videos watched at a time (1)")


@dataclass(frozen=True)
class Recording:
    """A video to watch, and where its files go."""

    video: str
    table: Path
    out: Path
    span: "Span"


def _replay(arguments: argparse.Namespace) -> int:
    from vision.table.naming import find_table

    path = find_table(arguments.table)
    if arguments.facts is not None:
        return _retell(arguments, path)
    if not arguments.videos:
        raise InputError("VIDEO: missing: want a video, or --facts FILE.jsonl")
    span = _span(arguments)
    if arguments.workers < 1:
        raise InputError(f"--workers: {arguments.workers}: want 1 or more")
    if len(arguments.videos) > 1:
        return _several(arguments, path, span)
    if arguments.annotate is not None and arguments.annotate.suffix != ".mp4":
        raise InputError(f"--annotate: {arguments.annotate}: want a file that ends in .mp4")
    _one(arguments, Recording(arguments.videos[0], path, arguments.out, span))
    return DONE


def _retell(arguments: argparse.Namespace, table: Path) -> int:
    """Tell the rounds of a facts file; no picture is looked at."""
    from vision.run.retelling import retell
    from vision.table.table import read_table

    for option in ("annotate", "step", "signals", "videos"):
        if getattr(arguments, option):
            raise InputError(f"{option}: is for videos, --facts has none")
    counts = retell(arguments.facts, read_table(table), arguments.out)
    print(json.dumps({"out": str(arguments.out), **counts}))
    return DONE


def _one(arguments: argparse.Namespace, recording: Recording) -> None:
    from vision.capture.video import length_ns
    from vision.story.signals import read_signals
    from vision.table.table import read_table

    table = read_table(recording.table)
    signals = read_signals(arguments.signals) if arguments.signals else []
    with _watchers(arguments, table, length_ns(recording.video)) as watch:
        summary, stopped = _run(recording, table, signals, watch)
    print(json.dumps(summary))
    if stopped is not None:
        raise stopped


def _several(arguments: argparse.Namespace, table: Path, span: "Span") -> int:
    """Watch each recording of a table for itself; one that cannot be watched keeps none of the others from it."""
    from vision.run.workers import worked
    from vision.table.table import read_table

    for option in ("annotate", "step", "signals"):
        if getattr(arguments, option):
            raise InputError(f"--{option}: is for one video, there are {len(arguments.videos)}")
    names = Counter(Path(video).stem for video in arguments.videos)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise InputError(f"VIDEO: {twice[0]}: several videos have this name: their files would share a folder")
    read_table(table)  # what is wrong with it is said once
    tasks = [Recording(video, table, arguments.out / Path(video).stem, span) for video in arguments.videos]
    failed: list[InputError] = []
    with show.progress("watching", len(tasks)) as step:
        for task, (summary, stopped) in zip(tasks, worked(_watched, tasks, arguments.workers), strict=True):
            step(Path(task.video).name)
            failed += [] if stopped is None else [stopped]
            if summary is not None:
                print(json.dumps(summary), flush=True)
    if failed:
        raise InputError("\n".join(map(str, failed)))
    return DONE


def _watched(recording: Recording) -> "tuple[Summary | None, InputError | None]":
    """Watch one of several recordings; what is wrong with it is a result."""
    from vision.table.table import read_table

    table = read_table(recording.table)
    try:
        return _run(recording, table, [], lambda _: None)
    except InputError as error:
        return None, error


def _span(arguments: argparse.Namespace) -> "Span":
    from vision.capture.video import SECOND_NS
    from vision.run.frame_loop import Span

    end = None if arguments.end is None else round(arguments.end * SECOND_NS)
    return Span(round(arguments.start * SECOND_NS), end)


def _run(
    recording: Recording,
    table: "Table",
    signals: "list[Signal]",
    watch: "Callable[[Moment], None]",
) -> "tuple[Summary, InputError | None]":
    """Watch a recording; return how many records there are of each kind, and what ended it before its time."""
    from vision.capture.video import frames, length_ns
    from vision.observe.facts import FactObserver
    from vision.observe.model import model_of
    from vision.pipeline import Pipeline
    from vision.run.facts_file import FactsFile
    from vision.run.frame_loop import FrameLoop, ended_early
    from vision.run.record_files import Records

    heard = [signal for signal in signals if signal.t_ns >= recording.span.start_ns]
    observer = FactObserver(table.layout, model_of(table), table.camera)
    with Records(recording.out) as records, FactsFile(recording.out, observer, heard) as facts:

        def see(moment: "Moment") -> None:
            facts.update(moment.observation)
            watch(moment)

        loop = FrameLoop(Pipeline.of(table), signals)
        outcome = loop.run(frames(recording.video), records.put, see, recording.span)
        outcome = ended_early(outcome, recording.video, length_ns(recording.video), recording.span)
        for message in outcome.lacking(table.file.name):
            records.put(message)
        facts.finish(outcome.end_ns, None if outcome.stopped is None else str(outcome.stopped))
    counts = {"frames": outcome.frames, "dropped": outcome.dropped, "facts": facts.count, **records.count}
    return {"out": str(recording.out), **counts}, outcome.stopped


@contextmanager
def _watchers(
    arguments: argparse.Namespace, table: "Table", said_ns: int | None
) -> "Iterator[Callable[[Moment], None]]":
    """Yield what is called with every frame: progress, and what the arguments ask for."""
    from vision.draw.annotate import Annotator
    from vision.footage.mp4 import VideoWriter

    steps = arguments.out / STEPS if arguments.step else None
    annotator = Annotator(table.layout)
    lens = table.camera.lens
    with ExitStack() as stack:
        report = stack.enter_context(show.playing(Path(arguments.videos[0]).name))
        size = (lens.width, lens.height)
        film = stack.enter_context(VideoWriter(arguments.annotate, size)) if arguments.annotate else None
        if steps is not None:
            steps.mkdir(parents=True, exist_ok=True)

        def watch(moment: "Moment") -> None:
            if film is not None:
                film.write(_drawn(annotator, moment, is_step=False), moment.frame.t_ns)
            if steps is not None:
                _step(steps, _drawn(annotator, moment, is_step=True), moment)
            report(moment.frame.t_ns / 1e9, None if said_ns is None else said_ns / 1e9)

        yield watch


def _drawn(annotator: "Annotator", moment: "Moment", *, is_step: bool) -> "Picture":
    regions = moment.trace.regions if is_step else ()
    picture = annotator.draw(moment.frame.picture, moment.camera, moment.known, regions)
    return annotator.annotate(picture, moment.camera, moment.frame.t_ns, moment.belief, moment.messages)


def _step(folder: Path, picture: "Picture", moment: "Moment") -> None:
    from vision.run.step_report import step_report
    from vision.values.picture import write_picture

    print(json.dumps(step_report(moment), ensure_ascii=False, sort_keys=True), flush=True)
    write_picture(folder / f"{moment.frame.index:06d}.png", picture)
