"""`feltwatch dataset`: what people have reviewed and corrected, as labelled truth."""

import argparse
from dataclasses import asdict
from pathlib import Path

from vision.commands.adding import DONE, add_command, print_lines
from vision.commands.home import add_home
from vision.values.errors import InputError, shown


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    dataset = commands.add_parser("dataset", help="what people have reviewed and corrected, as labelled truth")
    parts = dataset.add_subparsers(required=True, metavar="WHAT")
    about = "write a table's reviewed rounds as they were recorded and as they really were, for `feltwatch score`"
    export = add_command(parts, "export", about, _export)
    export.add_argument("table", metavar="TABLE")
    export.add_argument("out", type=Path, metavar="DIR", help="score it with: feltwatch score DIR DIR")
    add_home(export)


def _export(arguments: argparse.Namespace) -> int:
    from vision.store.home import Home
    from vision.store.log import Store
    from vision.web.labels import write

    with Store.open(Home.find(arguments.home).store, make=False) as store:
        if arguments.table not in store.tables():
            raise InputError(f"table: {shown(arguments.table)}: nothing of it is in the store")
        print_lines(
            [
                {
                    "table": arguments.table,
                    "out": str(arguments.out),
                    **asdict(write(store, arguments.table, arguments.out)),
                }
            ]
        )
    return DONE
