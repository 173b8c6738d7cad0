"""`feltwatch tail`: what is known of tables, as it is stored and published."""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from vision.commands.adding import DONE, add_command
from vision.commands.home import add_home
from vision.values.errors import InputError

if TYPE_CHECKING:
    from vision.bus.address import Address
    from vision.bus.envelope import Envelope

LISTEN_S = 60.0  # then it listens again


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    tail = add_command(commands, "tail", "print what is stored of tables, and follow it (JSON lines)", _tail)
    tail.add_argument("tables", nargs="+", metavar="TABLE", help="a table: its name, its file, or its folder")
    add_home(tail)
    tail.add_argument("--after", type=int, metavar="SEQ", help="begin after this number; 0 is the beginning")
    tail.add_argument("--topic", action="append", metavar="T", help="only this topic (can be given several times)")
    tail.add_argument("--once", action="store_true", help="print what is stored, and end")
    tail.add_argument("--address", metavar="A", help="listen to this address: ipc://PATH or tcp://HOST:PORT")
    tail.add_argument("--keys", type=Path, metavar="DIR", help="the keys for an address of another machine")


def _tail(arguments: argparse.Namespace) -> int:
    from vision.bus.topics import Topic

    if arguments.after is not None and arguments.after < 0:
        raise InputError(f"--after: {arguments.after}: want 0 or more")
    unknown = set(arguments.topic or ()) - set(Topic)
    if unknown:
        raise InputError(f"--topic: {', '.join(sorted(unknown))}: want one of {', '.join(Topic)}")
    tables = [_name(table) for table in arguments.tables]
    for envelope in _away(arguments, tables) if arguments.address else _at_home(arguments, tables):
        if not arguments.topic or envelope.topic in arguments.topic:
            print(envelope, flush=True)
    return DONE


def _name(given: str) -> str:
    """Return the name of a table; it may be given as its file or folder too."""
    from vision.bus.envelope import checked_table
    from vision.table.naming import find_table
    from vision.table.table import TableFile
    from vision.values.documents import read_document

    return read_document(find_table(given), TableFile).name if Path(given).exists() else checked_table(given)


def _at_home(arguments: argparse.Namespace, tables: Iterable[str]) -> "Iterator[Envelope]":
    """Yield what the store of this machine holds, then what the watchers here tell."""
    from vision.store.home import Home
    from vision.store.log import Store

    home = Home.find(arguments.home)
    reached: dict[str, int] = {}
    with Store.open(home.store, make=False) as store:
        for table in tables:
            is_live_only = arguments.after is None and not arguments.once
            reached[table] = store.last_seq(table) if is_live_only else arguments.after or 0
            while page := store.since(table, reached[table]):
                yield from page
                reached[table] += len(page)
    if not arguments.once:
        yield from _follow(arguments, {table: home.bus(table) for table in reached}, reached)


def _away(arguments: argparse.Namespace, tables: list[str]) -> "Iterator[Envelope]":
    """Yield what one address tells."""
    from vision.bus.address import Address

    if len(tables) > 1:
        raise InputError(f"--address: {arguments.address}: tells of one table: want one, not {len(tables)}")
    after = 0 if arguments.once and arguments.after is None else arguments.after
    addresses = {tables[0]: Address.parse(arguments.address)}
    yield from _follow(arguments, addresses, {} if after is None else {tables[0]: after})


def _follow(
    arguments: argparse.Namespace, addresses: "dict[str, Address]", reached: dict[str, int]
) -> "Iterator[Envelope]":
    from vision.bus.keys import GuestKeys
    from vision.bus.subscriber import Subscriber
    from vision.bus.topics import Topic

    keys = None if arguments.keys is None else GuestKeys.read(arguments.keys)
    pictures = Topic.PICTURE in (arguments.topic or ())
    with Subscriber(addresses, reached, pictures=pictures, keys=keys) as subscriber:
        if arguments.once:
            yield from (heard.envelope for heard in subscriber.catch_up())
        while not arguments.once:
            yield from (heard.envelope for heard in subscriber.receive(LISTEN_S))
