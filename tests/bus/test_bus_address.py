"""Addresses: what can be written, and which of them only this machine can reach."""

from pathlib import Path

import pytest

from vision.bus.address import Address
from vision.bus.envelope import BusError


@pytest.mark.parametrize(
    ("text", "answers", "is_local"),
    [
        ("ipc:///run/feltwatch/t.ipc", "ipc:///run/feltwatch/t.ask", True),
        ("tcp://127.0.0.1:7400", "tcp://127.0.0.1:7401", True),
        ("tcp://127.8.8.8:7400", "tcp://127.8.8.8:7401", True),
        ("tcp://[::1]:7400", "tcp://[::1]:7401", True),
        ("tcp://localhost:7400", "tcp://localhost:7401", True),
        ("tcp://0.0.0.0:7400", "tcp://0.0.0.0:7401", False),
        ("tcp://*:7400", "tcp://*:7401", False),
        ("tcp://10.0.0.7:7400", "tcp://10.0.0.7:7401", False),
        ("tcp://[fe80::1]:7400", "tcp://[fe80::1]:7401", False),
        ("tcp://localhost.example.org:7400", "tcp://localhost.example.org:7401", False),
    ],
)
def test_an_address(text: str, answers: str, is_local: bool) -> None:
    address = Address.parse(text)
    assert (str(address), address.answers, address.is_local) == (text, answers, is_local)


@pytest.mark.parametrize(
    "text",
    ["", "7400", "tcp://host", "tcp://host:", "tcp://host:0", "tcp://host:65535", "tcp://a:1:2", "udp://host:1"],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(BusError, match=r"want ipc://PATH or tcp://HOST:PORT"):
        Address.parse(text)


def test_a_long_path_is_said_to_be_too_long() -> None:
    with pytest.raises(BusError, match=r"want a socket's path of 100 at most"):
        Address.of_socket(Path("/" + "long/" * 20) / "t.ipc")
