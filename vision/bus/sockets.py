"""The sockets of one who tells: bound to an address, and guarded by keys where another machine could reach them."""

from typing import Final

import zmq
from zmq.auth.thread import ThreadAuthenticator

from vision.bus.address import Address
from vision.bus.envelope import BusError
from vision.bus.keys import HostKeys

DOMAIN: Final = "feltwatch"
FAREWELL_MS: Final = 500  # how long the last messages may take to leave
MOST_WAITING: Final = 200  # messages for one slow listener; beyond, it misses some and asks for them later
LONGEST_QUESTION: Final = 65_536  # bytes


class Hosting:
    """Binds sockets for one address, and closes them all."""

    def __init__(self, address: Address, keys: HostKeys | None = None) -> None:
        if keys is None and not address.is_local:
            raise BusError(f"address: {address}: other machines can reach it: want keys; `feltwatch keys` makes them")
        self.address, self._keys = address, keys
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._guard = _guard(self._context, keys) if keys is not None else None

    def bind(self, kind: int, at: str) -> zmq.Socket[bytes]:
        """Return a socket that listens at an address."""
        socket = self._context.socket(kind)
        socket.linger, socket.sndhwm = FAREWELL_MS, MOST_WAITING
        socket.maxmsgsize = LONGEST_QUESTION
        if self._keys is not None:
            socket.curve_server = True
            socket.curve_publickey, socket.curve_secretkey = self._keys.public, self._keys.secret
            socket.zap_domain = DOMAIN.encode()
            socket.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)  # without the guard nobody is let in
        try:
            self.address.make_folders()
            socket.bind(at)
        except (OSError, zmq.ZMQError) as error:
            socket.close()
            raise BusError(f"address: {at}: cannot be used: {error.strerror}") from error
        return socket

    def close(self) -> None:
        """Send what is left, and end; whoever waits on one of the sockets is told that its context has ended."""
        self._dismiss()
        self._context.term()

    def abandon(self) -> None:
        """Close what was bound, when not all could be."""
        self._dismiss()
        self._context.destroy(linger=0)

    def _dismiss(self) -> None:
        if self._guard is not None:
            self._guard.stop()


class _Door:
    """What the guard asks about each key."""

    def __init__(self, keys: HostKeys) -> None:
        self._keys = keys

    def callback(self, _: str, key: bytes) -> bool:
        """Whether this key may come in."""
        return self._keys.knows(key)


def _guard(context: "zmq.Context[zmq.Socket[bytes]]", keys: HostKeys) -> ThreadAuthenticator:
    guard = ThreadAuthenticator(context)
    guard.start()
    guard.configure_curve_callback(domain=DOMAIN, credentials_provider=_Door(keys))
    return guard
