"""The argument `--home`, which all commands that run live share."""

import argparse
from pathlib import Path


def add_home(parser: argparse.ArgumentParser) -> None:
    """Add the argument; `Home.find(arguments.home)` knows what its absence means."""
    about = "the folder of the store ($FELTWATCH_HOME, else ~/.local/share/feltwatch)"
    parser.add_argument("--home", type=Path, metavar="DIR", help=about)
