"""Keys: whoever could be reached from another machine is guarded; real sockets on a real port."""

import socket
from collections.abc import Iterator
from pathlib import Path

import bodies
import pytest
import zmq

from vision.bus.address import Address
from vision.bus.envelope import BusError
from vision.bus.keys import GuestKeys, HostKeys, make_keys
from vision.bus.subscriber import Subscriber
from vision.bus.topics import Topic
from vision.records.pulse import Pulse
from vision.store.log import Store
from vision.store.table_writer import TableWriter
from vision.values.clock import SetClock

EVERYWHERE = "0.0.0.0"  # noqa: S104 what others can reach is what we test


def free_port() -> int:
    """Find a port that is free, and the next one too."""
    while True:
        with socket.socket() as one, socket.socket() as next_one:
            one.bind((EVERYWHERE, 0))
            try:
                next_one.bind((EVERYWHERE, one.getsockname()[1] + 1))
            except OSError:
                continue
            return int(one.getsockname()[1])


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    make_keys(tmp_path / "keys", "room")
    return tmp_path / "keys"


@pytest.fixture
def port(tmp_path: Path, keys: Path) -> Iterator[int]:
    """A guarded table writer that everybody can reach, with one entry."""
    port = free_port()
    address = Address.parse(f"tcp://{EVERYWHERE}:{port}")
    with (
        Store.open(tmp_path / "s.sqlite") as store,
        TableWriter(store, "t", address, SetClock(), HostKeys.read(keys)) as table_writer,
    ):
        table_writer.put(Topic.EVENT, 0, bodies.event())
        yield port


def catch_up(port: int, keys: GuestKeys | None) -> list[int | None]:
    with Subscriber({"t": Address.parse(f"tcp://127.0.0.1:{port}")}, keys=keys, patience_s=0.5) as subscriber:
        return [heard.envelope.seq for heard in subscriber.catch_up()]


def test_who_has_keys_hears(port: int, keys: Path) -> None:
    assert catch_up(port, GuestKeys.read(keys / "room")) == [1]


def test_who_has_none_hears_nothing(port: int) -> None:
    with pytest.raises(BusError, match="no answer"):
        catch_up(port, None)


def test_a_stranger_hears_nothing(port: int, keys: Path) -> None:
    room = GuestKeys.read(keys / "room")
    stranger = GuestKeys(room.host, *zmq.curve_keypair())
    with pytest.raises(BusError, match="no answer"):
        catch_up(port, stranger)


def test_a_host_that_pretends_is_not_believed(port: int, keys: Path) -> None:
    room = GuestKeys.read(keys / "room")
    deceived = GuestKeys(zmq.curve_keypair()[0], room.public, room.secret)
    with pytest.raises(BusError, match="no answer"):
        catch_up(port, deceived)


def test_a_key_can_be_taken_away_and_another_given(port: int, keys: Path) -> None:
    (keys / "allowed" / "room.public").unlink()
    with pytest.raises(BusError, match="no answer"):
        catch_up(port, GuestKeys.read(keys / "room"))
    assert catch_up(port, GuestKeys.read(make_keys(keys, "cage"))) == [1]


def test_published_messages_are_guarded_too(tmp_path: Path, keys: Path) -> None:
    port = free_port()
    with Store.open(tmp_path / "s.sqlite") as store:
        address = Address.parse(f"tcp://{EVERYWHERE}:{port}")
        there = {"t": Address.parse(f"tcp://127.0.0.1:{port}")}
        with (
            TableWriter(store, "t", address, SetClock(), HostKeys.read(keys)) as table_writer,
            Subscriber(there, keys=GuestKeys.read(keys / "room")) as known,
            Subscriber(there) as unknown,
        ):
            while not known.receive(0.05):
                table_writer.pulse(0, Pulse.of(bodies.pulse()))
            assert unknown.receive(0.3) == []


@pytest.mark.parametrize("host", [EVERYWHERE, "*", "192.0.2.1"])
def test_without_keys_nobody_is_told_outside(tmp_path: Path, host: str) -> None:
    address = Address.parse(f"tcp://{host}:7400")
    with Store.open(tmp_path / "s.sqlite") as store, pytest.raises(BusError, match="other machines can reach it"):
        TableWriter(store, "t", address, SetClock())


def test_without_keys_nobody_listens_outside() -> None:
    with pytest.raises(BusError, match="want keys"):
        Subscriber({"t": Address.parse("tcp://192.0.2.1:7400")})


def test_loopback_needs_no_keys(tmp_path: Path) -> None:
    port = free_port()
    address = Address.parse(f"tcp://127.0.0.1:{port}")
    with Store.open(tmp_path / "s.sqlite") as store, TableWriter(store, "t", address, SetClock()) as table_writer:
        table_writer.put(Topic.EVENT, 0, bodies.event())
        assert catch_up(port, None) == [1]
        for taken in (port, port - 1):  # the telling end, the asking end
            with pytest.raises(BusError, match="Address already in use"):
                TableWriter(store, "t", Address.parse(f"tcp://127.0.0.1:{taken}"), SetClock())


def test_keys_are_for_their_owner_only(keys: Path) -> None:
    for path in keys.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_keys_are_not_overwritten(keys: Path) -> None:
    before = HostKeys.read(keys)
    with pytest.raises(BusError, match="is there already"):
        make_keys(keys, "room")
    make_keys(keys, "cage")
    assert HostKeys.read(keys) == before


@pytest.mark.parametrize("name", ["allowed", "../room", "", "a b"])
def test_a_guest_needs_a_plain_name(keys: Path, name: str) -> None:
    with pytest.raises(BusError):
        make_keys(keys, name)


def test_a_key_that_is_none_is_named(keys: Path) -> None:
    (keys / "room" / "client.secret").write_text("short\n")
    with pytest.raises(BusError, match=r"client\.secret: 5 characters: want a key of 40"):
        GuestKeys.read(keys / "room")
    with pytest.raises(BusError, match=r"server\.public: cannot be read"):
        HostKeys.read(keys / "nowhere")
