"""`feltwatch keys`: keys for those who listen from another machine."""

import argparse
import json

from vision.commands.adding import DONE, add_command
from vision.commands.home import add_home


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    keys = add_command(commands, "keys", "make keys for one who listens to the bus from another machine", _keys)
    add_home(keys)
    keys.add_argument("--for", default="room", dest="guest", metavar="NAME", help="who listens (room)")


def _keys(arguments: argparse.Namespace) -> int:
    from vision.bus.keys import make_keys
    from vision.store.home import Home

    folder = make_keys(Home.find(arguments.home).keys, arguments.guest)
    print(json.dumps({"for": arguments.guest, "carry": str(folder)}))
    return DONE
