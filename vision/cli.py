"""The command `feltwatch`: data to stdout, everything else to stderr; exit 0 done, 1 the work failed, 2 wrong use."""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points, version
from typing import Final

from vision.commands import (
    calibrate,
    chips,
    dataset,
    demo,
    detect,
    evidence,
    keys,
    person,
    replay,
    rules,
    score,
    serve,
    store,
    table,
    tail,
    watch,
)
from vision.commands.adding import DONE, FAILED, add_command
from vision.values.errors import InputError, VisionError

STUDIO: Final = ("simulate", "art", "train", "export", "evaluate", "suite", "bench")  # its commands


def run() -> None:
    """Run the command with the words of the command line."""
    sys.exit(main(sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    arguments = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        return command(arguments)
    except VisionError as error:
        print(f"feltwatch: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("feltwatch: stopped", file=sys.stderr)
        return FAILED
    except BrokenPipeError:  # the reader has seen enough: `feltwatch settle … | head`
        sys.stderr.close()
        return DONE
    except OSError as error:  # no space, no permission: what we write, since what we read is named above
        print(f"feltwatch: {error.filename or 'writing'}: {error.strerror or error}", file=sys.stderr)
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="feltwatch", description="Watches casino tables by camera and by the rules.")
    parser.add_argument("--version", action="version", version=f"feltwatch {version('feltwatch')}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for field in (
        demo,
        calibrate,
        table,
        chips,
        detect,
        rules,
        replay,
        score,
        watch,
        tail,
        store,
        keys,
        serve,
        person,
        dataset,
        evidence,
    ):
        field.add(commands)
    _add_studio(commands)
    return parser


def _add_studio(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the studio's commands, which register themselves; where it is not installed each says how to install it."""
    for entry in entry_points(group="feltwatch.commands"):
        entry.load()(commands)
    for name in STUDIO:
        if name not in commands.choices:
            missing = add_command(commands, name, "not installed: it belongs to feltwatch-studio", _no_studio)
            missing.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def _no_studio(_: argparse.Namespace) -> int:
    raise InputError("feltwatch-studio: not installed here: in a checkout run `pip install --editable ./studio`")
