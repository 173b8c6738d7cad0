"""`feltwatch serve`: the pages, for people who are logged in."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from vision.commands.adding import DONE, add_command
from vision.values.errors import InputError

if TYPE_CHECKING:
    from vision.store.people import People
    from vision.web.serving import Certificate

FIRST = "admin"  # the name of the first person


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    serve = add_command(commands, "serve", "the live room and the review pages, for people who are logged in", _serve)
    serve.add_argument("--home", type=Path, metavar="DIR", help="the home folder ($FELTWATCH_HOME)")
    serve.add_argument("--host", default="127.0.0.1", metavar="HOST", help="the address to listen at (127.0.0.1)")
    serve.add_argument("--port", type=int, default=8080, metavar="PORT", help="the port to listen at (8080)")
    serve.add_argument("--name", action="append", default=[], metavar="NAME", help="a host name that browsers may use")
    serve.add_argument("--certificate", type=Path, metavar="FILE", help="serve by TLS with this certificate (PEM)")
    serve.add_argument("--key", type=Path, metavar="FILE", help="the certificate's key (PEM)")


def _serve(arguments: argparse.Namespace) -> int:
    from vision.store.home import Home
    from vision.store.log import Store
    from vision.store.people import People
    from vision.values.clock import WallClock
    from vision.web import Feed, Listener, create_app
    from vision.web.app import LOCAL
    from vision.web.serving import Server, listen, serve

    certificate = _certificate(arguments)
    home, clock = Home.find(arguments.home), WallClock()
    with listen(arguments.host, arguments.port) as listening, Store.open(home.store) as store:
        feed, people = Feed(clock), People(store.database, clock)
        hosts = LOCAL | {arguments.host.lower(), *map(str.lower, arguments.name)}
        app = create_app(store, home, feed, clock, people=people, hosts=hosts)
        _welcome(people)
        port = listening.getsockname()[1]
        address = f"{'https' if certificate else 'http'}://{(arguments.name or [arguments.host])[0]}:{port}"
        with Listener(store, home, feed):
            print(f"feltwatch: serving {home.folder} at {address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
            serve(Server(app, feed, certificate), listening)
    return DONE


def _certificate(arguments: argparse.Namespace) -> "Certificate | None":
    """Return the files for TLS; passwords must not cross a network without it."""
    from vision.web.serving import Certificate, is_loopback

    if (arguments.certificate is None) != (arguments.key is None):
        raise InputError("--certificate, --key: want both or neither")
    if arguments.certificate is None and not is_loopback(arguments.host):
        wish = "want --certificate and --key, or a proxy with TLS on this machine that asks at 127.0.0.1"
        raise InputError(f"--host: {arguments.host}: other machines would send passwords unprotected: {wish}")
    for path in (arguments.certificate, arguments.key):
        if path is not None and not path.is_file():
            raise InputError(f"{path}: no such file")
    return None if arguments.certificate is None else Certificate(arguments.certificate, arguments.key)


def _welcome(people: "People") -> None:
    """Make the first person where there is nobody, and say the one-time password, once."""
    if not people.all():
        password = people.add(FIRST, "admin")
        print(f"feltwatch: first run: log in as '{FIRST}' with the one-time password {password}", file=sys.stderr)
        print("feltwatch: it is not shown again; a new one: feltwatch person password admin", file=sys.stderr)
