"""`feltwatch evidence`: the evidence of a round as one signed file, and whether such a file is as it was signed."""

import argparse
import getpass
from pathlib import Path

from vision.commands.adding import DONE, FAILED, add_command, print_lines
from vision.commands.home import add_home
from vision.values.errors import InputError


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    evidence = commands.add_parser("evidence", help="the evidence of a round as one signed file; and check one")
    parts = evidence.add_subparsers(required=True, metavar="WHAT")
    export = add_command(parts, "export", "write a round's evidence as a signed zip", _export)
    export.add_argument("round", metavar="ROUND", help="the round, as pages and files name it: pit-3-0012")
    export.add_argument("--out", type=Path, metavar="FILE", help="where to (ROUND.zip)")
    add_home(export)
    verify = add_command(parts, "verify", "check a pack: its files, its log, its signature", _verify)
    verify.add_argument("pack", type=Path, metavar="PACK")
    verify.add_argument("--key", metavar="FINGERPRINT", help="of the house's key: only its signature is good")


def _export(arguments: argparse.Namespace) -> int:
    from vision.store.home import Home
    from vision.store.log import Store
    from vision.store.people import People
    from vision.values.clock import WallClock
    from vision.web.feed import Feed
    from vision.web.pack import export
    from vision.web.pages import Room

    home, clock = Home.find(arguments.home), WallClock()
    with Store.open(home.store, make=False) as store:
        room = Room(store, home, Feed(clock), clock, People(store.database, clock))
        path = arguments.out or Path(f"{arguments.round}.zip")
        manifest = export(room, arguments.round, getpass.getuser(), path)
    print_lines([{"pack": str(path), "files": len(manifest["files"]), "key": manifest["key"]}])
    return DONE


def _verify(arguments: argparse.Namespace) -> int:
    from vision.web.verify import check

    if not arguments.pack.is_file():
        raise InputError(f"{arguments.pack}: no such file")
    found = check(arguments.pack, arguments.key)
    print_lines([{"pack": str(arguments.pack), **found}])
    return DONE if found["ok"] else FAILED
