"""The command `feltwatch`: data to stdout, everything else to stderr; exit 0 done, 1 the work failed, 2 wrong use."""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version

from vision import bench
from vision.commands import (
    calibrate,
    demo,
    detect,
    keys,
    learn,
    person,
    replay,
    rules,
    score,
    serve,
    simulate,
    store,
    suite,
    table,
    tail,
    watch,
)
from vision.commands.adding import DONE, FAILED, add_command, print_lines
from vision.errors import VisionError


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
        detect,
        rules,
        replay,
        score,
        suite,
        simulate,
        learn,
        watch,
        tail,
        store,
        keys,
        serve,
        person,
    ):
        field.add(commands)
    benchmark = add_command(commands, "bench", "speed, side by side with what one would use instead", _bench)
    benchmark.add_argument("what", choices=sorted(bench.BENCHES), help="which part to measure")
    return parser


def _bench(arguments: argparse.Namespace) -> int:
    print_lines(bench.BENCHES[arguments.what]())
    return DONE
