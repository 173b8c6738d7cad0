"""`feltwatch store check`: whether the log is as it was written."""

import argparse
import json
from typing import TYPE_CHECKING

from vision.commands.adding import DONE, FAILED, add_command
from vision.commands.home import add_home

if TYPE_CHECKING:
    from vision.store.log import Store


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    store = commands.add_parser("store", help="look after the store", description="Look after the store.")
    verbs = store.add_subparsers(required=True, metavar="check")
    add_home(add_command(verbs, "check", "follow the hash chain of every table (JSON lines)", _check))


def _check(arguments: argparse.Namespace) -> int:
    from vision.store.home import Home
    from vision.store.log import Store

    with Store.open(Home.find(arguments.home).store, make=False) as store:
        found = [_chain(store, table) for table in store.tables()]
    for chain in found:
        print(json.dumps(chain))
    return DONE if all(chain["first_broken"] is None for chain in found) else FAILED


def _chain(store: "Store", table: str) -> dict[str, object]:
    return {
        "table": table,
        "entries": store.last_seq(table),
        "first_broken": store.verify(table),
        "seal": store.seal(table),
    }
