"""`feltwatch watch`: a table watched live."""

import argparse
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from vision.commands.adding import DONE, above_nought, add_command
from vision.commands.stopping import stopped_by_signals
from vision.values.errors import InputError

if TYPE_CHECKING:
    from vision.run.watch import Settings


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    watch = add_command(commands, "watch", "watch a table live: a camera, a stream, or a file at its own pace", _watch)
    watch.add_argument("table", metavar="TABLE", help="a table: its name, its file, or its folder")
    watch.add_argument("--source", metavar="URL", help="rtsp://…, /dev/videoN, or a file (the table file's source)")
    watch.add_argument("--home", type=Path, metavar="DIR", help="the folder of store, footage and clips")
    watch.add_argument(
        "--keep", type=above_nought, default=20.0, metavar="GB", help="footage of the table to keep (20)"
    )
    watch.add_argument("--keep-clips", type=above_nought, default=5.0, metavar="GB", help="clips to keep, of all (5)")
    watch.add_argument("--pre-roll", type=above_nought, default=4.0, metavar="S", help="of a clip, in seconds (4)")
    watch.add_argument("--post-roll", type=above_nought, default=3.0, metavar="S", help="of a clip, in seconds (3)")
    watch.add_argument("--signals", type=Path, metavar="FILE.jsonl", help="where other systems append what they say")
    watch.add_argument("--slow-down", action="store_true", help="play a file slower where watching cannot keep up")
    watch.add_argument("--seconds", type=above_nought, metavar="N", help="end after so long")


def _watch(arguments: argparse.Namespace) -> int:
    from vision.run.watch import watch
    from vision.store.home import Home
    from vision.table.naming import find_table
    from vision.table.table import read_table

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    table = read_table(find_table(arguments.table))
    source = arguments.source or table.source
    if source is None:
        raise InputError(f"{table.path}: source: missing: say it there, or with --source")
    with stopped_by_signals() as stop:
        report = watch(table, source, Home.find(arguments.home), _settings(arguments), stop)
    print(json.dumps(report.record()))
    if report.stopped is not None:
        raise report.stopped
    return DONE


def _settings(arguments: argparse.Namespace) -> "Settings":
    from vision.capture.source_reader import ReadOptions
    from vision.capture.video import SECOND_NS
    from vision.footage.retention import GB
    from vision.run.clips import Rolls
    from vision.run.watch import Settings

    return Settings(
        keep_bytes=int(arguments.keep * GB),
        keep_clips_bytes=int(arguments.keep_clips * GB),
        rolls=Rolls(int(arguments.pre_roll * SECOND_NS), int(arguments.post_roll * SECOND_NS)),
        signals=arguments.signals,
        options=ReadOptions(may_slow=arguments.slow_down),
        limit_ns=None if arguments.seconds is None else int(arguments.seconds * SECOND_NS),
    )
