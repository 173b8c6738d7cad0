"""Addresses of the bus: where a table is published, and where one asks for what one missed; and who may reach them."""

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from vision.bus.envelope import BusError

LONGEST_SOCKET: Final = 100  # bytes; the system's own limit is a little above
TCP: Final = re.compile(r"tcp://(?P<host>\[[^\]]+\]|[^:\[\]/]+):(?P<port>[0-9]{1,5})")
LAST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True)
class Address:
    """The two ends of a table on the bus, as ZeroMQ writes them."""

    tells: str
    answers: str

    @classmethod
    def of_socket(cls, path: Path) -> Self:
        """Return the address in a file system: the socket, and one beside it for asking."""
        size = len(str(path).encode())
        if size > LONGEST_SOCKET:
            raise BusError(f"{path}: {size} bytes: want a socket's path of {LONGEST_SOCKET} at most: a shorter home")
        return cls(f"ipc://{path}", f"ipc://{path.with_suffix('.ask')}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `ipc://PATH` or `tcp://HOST:PORT`; one asks at the next port."""
        if text.startswith("ipc://"):
            return cls.of_socket(Path(text.removeprefix("ipc://")))
        found = TCP.fullmatch(text)
        if found is None or not 0 < int(found["port"]) < LAST_PORT:
            raise BusError(f"address: {text!r}: want ipc://PATH or tcp://HOST:PORT")
        host, port = found["host"], int(found["port"])
        return cls(f"tcp://{host}:{port}", f"tcp://{host}:{port + 1}")

    def __str__(self) -> str:
        return self.tells

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it; any other address needs keys."""
        found = TCP.fullmatch(self.tells)
        return found is None or _is_loopback(found["host"])

    def make_folders(self) -> None:
        """Make the folder of a socket in the file system, for our own user only."""
        if self.tells.startswith("ipc://"):
            Path(self.tells.removeprefix("ipc://")).parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
