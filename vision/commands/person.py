"""`feltwatch person`: who may log in to the pages."""

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vision.commands.adding import DONE, add_command, print_lines

ROLES = ("viewer", "operator", "engineer", "admin")

if TYPE_CHECKING:
    from vision.store.people import People


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    person = add_command(commands, "person", "who may log in to the pages", _list)
    deeds = person.add_subparsers(required=True, metavar="DEED")
    given: tuple[tuple[str, str, Callable[[argparse.Namespace], int]], ...] = (
        ("add", "let a person in, with a one-time password", _add),
        ("role", "what a person may do, and at the tables of which pits", _role),
        ("password", "a new one-time password for a person; all their sessions end", _password),
        ("remove", "take a person's access away; what they have written stays", _remove),
    )
    for name, about, deed in given:
        add_command(deeds, name, about, deed).add_argument("name", metavar="NAME", help="the person's name")
    for name in ("add", "role"):
        placed = deeds.choices[name]
        placed.add_argument("--role", choices=ROLES, default="operator", help="each may do what those before it may")
        placed.add_argument("--pit", action="append", default=[], metavar="PIT", help="only its tables")
    add_command(deeds, "list", "everybody who may log in", _list)
    for parser in deeds.choices.values():
        parser.add_argument("--home", type=Path, metavar="DIR", help="the home folder ($FELTWATCH_HOME)")


@contextmanager
def _people(arguments: argparse.Namespace) -> "Iterator[People]":
    from vision.store.home import Home
    from vision.store.log import Store
    from vision.store.people import People
    from vision.values.clock import WallClock

    with Store.open(Home.find(arguments.home).store) as store:
        yield People(store.database, WallClock())


def _add(arguments: argparse.Namespace) -> int:
    with _people(arguments) as people:
        return _told(arguments.name, people.add(arguments.name, arguments.role, arguments.pit))


def _role(arguments: argparse.Namespace) -> int:
    with _people(arguments) as people:
        people.set_role(arguments.name, arguments.role, arguments.pit)
    return DONE


def _password(arguments: argparse.Namespace) -> int:
    with _people(arguments) as people:
        return _told(arguments.name, people.reset(arguments.name))


def _remove(arguments: argparse.Namespace) -> int:
    with _people(arguments) as people:
        people.remove(arguments.name)
    return DONE


def _list(arguments: argparse.Namespace) -> int:
    with _people(arguments) as people:
        print_lines(
            {"name": each.name, "must_change": each.must_change, "role": each.role, "pits": each.pits}
            for each in people.all()
        )
    return DONE


def _told(name: str, password: str) -> int:
    print(json.dumps({"name": name, "one_time_password": password}))
    return DONE
