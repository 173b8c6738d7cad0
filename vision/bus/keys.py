"""Keys of the bus: who tells proves who it is, who listens must be known; needed wherever another machine can reach.

A host keeps `server.public`, `server.secret` and, in `allowed/`, the public keys of those who may listen. A guest has a
folder of its own, made for it here and carried to its machine: `server.public`, `client.public`, `client.secret`.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import zmq

from vision.bus.envelope import BusError, checked_table

PUBLIC, SECRET = ".public", ".secret"
ALLOWED: Final = "allowed"
KEY_LENGTH: Final = 40  # characters, in ZeroMQ's own writing (Z85)


@dataclass(frozen=True, slots=True)
class HostKeys:
    """The keys of one who tells."""

    public: bytes
    secret: bytes
    allowed: Path

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read a host's keys from its folder."""
        public, secret = _read(folder / f"server{PUBLIC}"), _read(folder / f"server{SECRET}")
        return cls(public, secret, folder / ALLOWED)

    def knows(self, key: bytes) -> bool:
        """Whether one who shows this key may listen; asked anew each time, so that a key can be taken away."""
        return any(_read(path) == key for path in self.allowed.glob(f"*{PUBLIC}"))


@dataclass(frozen=True, slots=True)
class GuestKeys:
    """The keys of one who listens, and of the host it believes."""

    host: bytes
    public: bytes
    secret: bytes

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read a guest's keys from its folder."""
        public, secret = _read(folder / f"client{PUBLIC}"), _read(folder / f"client{SECRET}")
        return cls(_read(folder / f"server{PUBLIC}"), public, secret)


def make_keys(folder: Path, guest: str) -> Path:
    """Make keys for a guest, and for the host if it has none; return the guest's folder, to be carried to it."""
    guest_folder = folder / checked_table(guest)
    if guest == ALLOWED or guest_folder.exists():
        raise BusError(f"{guest_folder}: is there already: want another name, or the folder removed")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (folder / f"server{SECRET}").exists():
        _make_pair(folder, "server")
    guest_folder.mkdir(mode=0o700)
    _make_pair(guest_folder, "client")
    _write(guest_folder / f"server{PUBLIC}", _read(folder / f"server{PUBLIC}"))
    (folder / ALLOWED).mkdir(mode=0o700, exist_ok=True)
    _write(folder / ALLOWED / f"{guest}{PUBLIC}", _read(guest_folder / f"client{PUBLIC}"))
    return guest_folder


def _make_pair(folder: Path, name: str) -> None:
    public, secret = zmq.curve_keypair()
    _write(folder / f"{name}{PUBLIC}", public)
    _write(folder / f"{name}{SECRET}", secret)


def _write(path: Path, key: bytes) -> None:
    """Write a key so that nobody else can read it, not even for the moment before a change of mode."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(key + b"\n")


def _read(path: Path) -> bytes:
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise BusError(f"{path}: cannot be read: {error.strerror}; `feltwatch keys` makes keys") from error
    if len(key) != KEY_LENGTH:
        raise BusError(f"{path}: {len(key)} characters: want a key of {KEY_LENGTH}")
    return key
