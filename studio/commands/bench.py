"""`feltwatch bench`: speed, side by side with what one would use instead."""

import argparse

from studio.bench import benches
from vision.commands.adding import DONE, add_command, print_lines


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    bench = add_command(commands, "bench", "speed, side by side with what one would use instead", _bench)
    bench.add_argument("what", choices=sorted(benches.BENCHES), help="which part to measure")


def _bench(arguments: argparse.Namespace) -> int:
    print_lines(benches.BENCHES[arguments.what]())
    return DONE
