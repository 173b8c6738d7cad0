"""The stage of the demo: a home and a port enter; served pages, and a watcher process for each table, leave."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from threading import Thread
from types import TracebackType
from typing import Final, Self

from vision.demo.samples import Sample
from vision.store.home import Home
from vision.store.log import Store
from vision.store.people import People
from vision.values.clock import Clock, WallClock
from vision.values.errors import InputError, VisionError
from vision.web import Feed, Listener, create_app
from vision.web.serving import Server, listen, serve

HOST: Final = "127.0.0.1"
USUAL_PORT: Final = 8080
LEAVING_S: Final = 10.0  # how long a watcher may take to make its last clips
WATCH: Final = (sys.executable, "-P", "-c", "from vision.cli import run; run()", "watch")
LOG: Final = "watch.log"  # in the home: what the watchers say


@dataclass(frozen=True, slots=True)
class Stage:
    """A home whose pages are served."""

    home: Home
    store: Store
    people: People
    clock: Clock
    address: str


@contextmanager
def open_home(given: Path | None) -> Iterator[Home]:
    """Yield the home that is given and stays, else a fresh one that is removed at the end."""
    if given is not None:
        yield Home.find(given)
        return
    with TemporaryDirectory(prefix="feltwatch-demo-") as folder:
        yield Home(Path(folder))


def take_port(port: int | None) -> socket:
    """Return a socket that listens at a port; where none is asked for, the usual one, or a free one if it is in use."""
    try:
        return listen(HOST, USUAL_PORT if port is None else port)
    except InputError:
        if port is not None:
            raise
        return listen(HOST, 0)


@contextmanager
def open_stage(home: Home, listening: socket) -> Iterator[Stage]:
    """Serve the pages of a home, as `feltwatch serve` does, from a thread of this process."""
    clock = WallClock()
    with closing(listening), Store.open(home.store) as store:
        feed, people = Feed(clock), People(store.database, clock)
        server = Server(create_app(store, home, feed, clock, people=people), feed)
        thread = Thread(target=serve, args=(server, listening), name="serving")
        with Listener(store, home, feed):
            thread.start()
            try:
                yield Stage(home, store, people, clock, f"http://{HOST}:{listening.getsockname()[1]}")
            finally:
                server.end()
                thread.join()


class WatcherProcess:
    """`feltwatch watch` of a sample, in a process of its own: reading pictures must not hold up the pages."""

    def __init__(self, sample: Sample, home: Home) -> None:
        self._log = home.folder / LOG
        words = [*WATCH, str(sample.folder), "--slow-down", "--home", str(home.folder)]
        with self._log.open("ab") as said:  # a session of its own: Ctrl-C comes to us, and we tell it
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                words, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
            )

    @property
    def is_running(self) -> bool:
        """Whether it still watches; an error that ended it is raised here."""
        code = self._process.poll()
        if code:
            said = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise VisionError(f"the watcher ended with {code}: {said[-1] if said else 'it said nothing'}")
        return code is None

    def end(self) -> None:
        """Let it end in good order; one that does not is killed."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(LEAVING_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
