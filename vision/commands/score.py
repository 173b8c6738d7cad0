"""`feltwatch score` and `feltwatch compare`: a run against the truth, and a run against another."""

import argparse
import sys
from pathlib import Path

from vision.commands.adding import DONE, FAILED, add_command, print_lines


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    score = add_command(commands, "score", "accuracy: cards, stacks, rounds, alerts, latency", _score)
    score.add_argument(
        "run", metavar="DIR", type=Path, help="what `feltwatch replay` wrote, or a folder of such folders"
    )
    score.add_argument("truth", metavar="TRUTH", type=Path, help="truth.jsonl or its folder; for several, their folder")
    score.add_argument("--check", action="store_true", help="end with 1 if a floor is missed or a clip has no run")
    score.add_argument("--worst", type=int, default=10, metavar="N", help="how many of the worst rounds to list (10)")
    compare = add_command(commands, "compare", "what changed between two runs, round by round (JSON lines)", _compare)
    compare.add_argument(
        "before", metavar="RUN_A", type=Path, help="what `feltwatch replay` wrote, or a folder of such"
    )
    compare.add_argument("after", metavar="RUN_B", type=Path, help="the same of another version")


def _score(arguments: argparse.Namespace) -> int:
    from vision.score.clip import find_clips, score_clip  # as below: other commands need none of it
    from vision.score.report import REPORT, missed_floors, report, write_report
    from vision.score.tables import show_report

    clips = find_clips(arguments.run, arguments.truth)
    document = report([score_clip(*clip) for clip in clips.pairs], clips.unscored, arguments.worst)
    write_report(document, arguments.run / REPORT)
    show_report(document)
    if not sys.stdout.isatty():  # the tables have said it to a person
        print_lines([document])
    return FAILED if arguments.check and (missed_floors(document) or clips.unscored) else DONE


def _compare(arguments: argparse.Namespace) -> int:
    from vision.score.compare import compare

    comparison = compare(arguments.before, arguments.after)
    print_lines(change.record() for change in comparison.changes)
    print_lines([comparison.summary()])
    return FAILED if comparison.changes else DONE
