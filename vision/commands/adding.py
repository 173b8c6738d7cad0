"""How a command enters the parser, and how data leaves a command."""

import argparse
import json
from collections.abc import Callable, Iterable

DONE, FAILED = 0, 1


def add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    about: str,
    command: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    """Add a command, and return its parser for the arguments."""
    parser = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
    parser.set_defaults(command=command)
    return parser


def above_nought(text: str) -> float:
    """Read an argument that is a number above 0, and not without end."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: want more than 0")
    return value


def print_lines(objects: Iterable[object]) -> None:
    """Print objects as JSON lines."""
    for entry in objects:
        print(json.dumps(entry, ensure_ascii=False))
