"""The server process: an application and a place to listen enter; it answers until it is told to end."""

import errno
import socket
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from types import FrameType
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from vision.values.errors import InputError
from vision.web.feed import Feed

GRACE_S: Final = 3  # for answers that are under way when the server ends
BACKLOG: Final = 128
LAST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True)
class Certificate:
    """The files with which a server proves who it is."""

    certificate: Path
    key: Path


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or say why there can be none."""
    if not 0 <= port <= LAST_PORT:
        raise InputError(f"--port: {port}: want a port from 0 to {LAST_PORT}; 0 takes a free one")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with ExitStack() as stack:
            listening = stack.enter_context(socket.socket(family, kind, protocol))
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(BACKLOG)
            stack.pop_all()  # all went well: it stays open
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise InputError(f"--port: {port}: in use by another program: end it, or choose another port") from error
        raise InputError(f"--host, --port: {host}:{port}: cannot be listened at: {error.strerror}") from error
    return listening


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach a host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Server(uvicorn.Server):
    """Serves an application; open streams end as soon as it is told to end."""

    def __init__(self, app: ASGIApp, feed: Feed, certificate: Certificate | None = None) -> None:
        files = (certificate.certificate, certificate.key) if certificate else (None, None)
        super().__init__(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                lifespan="off",
                server_header=False,
                proxy_headers=False,  # whoever sends them could claim any address
                timeout_graceful_shutdown=GRACE_S,
                ssl_certfile=files[0],
                ssl_keyfile=files[1],
            )
        )
        self._feed = feed

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End: tell those who wait for news first."""
        self.end()
        super().handle_exit(sig, frame)

    def end(self) -> None:
        """End soon, from any thread."""
        self._feed.close()
        self.should_exit = True


def serve(server: Server, listening: socket.socket) -> None:
    """Answer until the server is told to end."""
    with suppress(KeyboardInterrupt):  # the server has ended in good order, and passes the signal on
        server.run(sockets=[listening])
