"""`feltwatch replay`: a recording watched again."""

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vision import show
from vision.commands.adding import DONE, add_command
from vision.errors import InputError

if TYPE_CHECKING:
    from vision.annotate import Annotator
    from vision.calibrate.table import Table
    from vision.detect.detection import Picture
    from vision.replay import Moment, Outcome, Span
    from vision.track.looking import Looker
    from vision.track.sight import Signal

STEPS = "steps"  # the folder of the pictures


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    replay = add_command(commands, "replay", "watch a recording: rounds, alerts, events and coverage as files", _replay)
    replay.add_argument("video", metavar="VIDEO", help="a video file")
    replay.add_argument("--table", required=True, metavar="TABLE", help="a table: its name, its file, or its folder")
    replay.add_argument("--out", required=True, type=Path, metavar="DIR", help="the folder for the files")
    replay.add_argument(
        "--annotate", type=Path, metavar="FILE.mp4", help="write a video with what was read drawn on it"
    )
    replay.add_argument("--from", type=float, default=0.0, dest="start", metavar="T", help="second to begin at (0)")
    replay.add_argument("--to", type=float, dest="end", metavar="T", help="second to end at")
    replay.add_argument("--step", action="store_true", help="tell every frame: a JSON line, and a PNG in DIR/steps")
    replay.add_argument("--signals", type=Path, metavar="FILE.jsonl", help="what other systems said (docs/replay.md)")


def _replay(arguments: argparse.Namespace) -> int:
    from vision.calibrate.naming import find_table
    from vision.calibrate.table import read_table
    from vision.rounds.signals import read_signals

    span = _span(arguments)
    if arguments.annotate is not None and arguments.annotate.suffix != ".mp4":
        raise InputError(f"--annotate: {arguments.annotate}: want a file that ends in .mp4")
    table = read_table(find_table(arguments.table))
    signals = read_signals(arguments.signals) if arguments.signals else []
    outcome, count = _run(arguments, table, signals, span)
    print(json.dumps({"out": str(arguments.out), "frames": outcome.frames, "dropped": outcome.dropped, **count}))
    if outcome.stopped is not None:
        raise outcome.stopped
    return DONE


def _span(arguments: argparse.Namespace) -> "Span":
    from vision.capture.video import SECOND_NS
    from vision.replay import Span

    end = None if arguments.end is None else round(arguments.end * SECOND_NS)
    return Span(round(arguments.start * SECOND_NS), end)


def _run(
    arguments: argparse.Namespace, table: "Table", signals: "list[Signal]", span: "Span"
) -> "tuple[Outcome, dict[str, int]]":
    """Watch the recording, and return how it went and how many records there are of each kind."""
    from vision.capture.video import frames, length_ns
    from vision.pipeline import Pipeline
    from vision.replay import Records, Replay, ended_early
    from vision.rules.book.sheet import read_sheet
    from vision.track.looking import Looker

    pipeline = Pipeline(table.file.name, read_sheet(table.house_path), table.layout)
    looker = Looker(table)
    said_ns = length_ns(arguments.video)
    with Records(arguments.out) as records, _watchers(arguments, table, looker, said_ns) as watch:
        replay = Replay(table.file.name, looker, pipeline, signals)
        outcome = replay.run(frames(arguments.video), records.put, watch, span)
        outcome = ended_early(outcome, arguments.video, said_ns, span)
        for message in outcome.lacking(table.file.name):
            records.put(message)
    return outcome, records.count


@contextmanager
def _watchers(
    arguments: argparse.Namespace, table: "Table", looker: "Looker", said_ns: int | None
) -> "Iterator[Callable[[Moment], None]]":
    """Yield what is called with every frame: progress, and what the arguments ask for."""
    from vision.annotate import Annotator, Film

    steps = arguments.out / STEPS if arguments.step else None
    annotator = Annotator(table.layout)
    lens = table.camera.lens
    with ExitStack() as stack:
        tell = stack.enter_context(show.playing(Path(arguments.video).name))
        film = stack.enter_context(Film(arguments.annotate, (lens.width, lens.height))) if arguments.annotate else None
        if steps is not None:
            steps.mkdir(parents=True, exist_ok=True)

        def watch(moment: "Moment") -> None:
            if film is not None:
                film.write(_drawn(annotator, looker, moment, is_step=False), moment.frame.t_ns)
            if steps is not None:
                _step(steps, _drawn(annotator, looker, moment, is_step=True), moment)
            tell(moment.frame.t_ns / 1e9, None if said_ns is None else said_ns / 1e9)

        yield watch


def _drawn(annotator: "Annotator", looker: "Looker", moment: "Moment", *, is_step: bool) -> "Picture":
    glances = moment.look.glances if is_step else ()
    picture = annotator.draw(moment.frame.picture, looker.camera, looker.known, glances)
    return annotator.tell(picture, looker.camera, moment.frame.t_ns, moment.view, moment.messages)


def _step(folder: Path, picture: "Picture", moment: "Moment") -> None:
    from vision.detect.pictures import write_picture
    from vision.replay import told

    print(json.dumps(told(moment), ensure_ascii=False, sort_keys=True), flush=True)
    write_picture(folder / f"{moment.frame.index:06d}.png", picture)
