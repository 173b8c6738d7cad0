"""`feltwatch tail`, `store check` and `keys`, as a user meets them."""

import json
import select
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import bodies
import pytest

from vision.bus.keys import GuestKeys, HostKeys
from vision.bus.topics import Topic
from vision.cli import main
from vision.store.home import Home
from vision.store.log import Store
from vision.store.table_writer import TableWriter
from vision.values.clock import SetClock

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "clean"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    with Store.open(home.store) as opened:
        opened.append("t", Topic.EVENT, 0, bodies.event(), 9)
        opened.append("t", Topic.ALERT, 0, bodies.alert(), 9)
        opened.append("t", Topic.ROUND, 0, bodies.played(), 9)
        yield opened


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("words", "seqs"),
    [
        ((), [1, 2, 3]),
        (("--after", "2"), [3]),
        (("--after", "9"), []),
        (("--topic", "alert"), [2]),
        (("--topic", "alert", "--topic", "round"), [2, 3]),
    ],
)
def test_tail_once_prints_what_is_stored(
    home: Home, store: Store, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], seqs: list[int]
) -> None:
    assert main(["tail", "t", "--once", "--home", str(home.folder), *words]) == 0
    assert [line["seq"] for line in lines(capsys)] == seqs
    assert store.last_seq("t") == 3


def test_tail_takes_a_table_by_its_folder(home: Home, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    store.append("sim-44", Topic.EVENT, 0, bodies.event(table="sim-44"), 9)
    assert main(["tail", str(SAMPLE), "t", "--once", "--home", str(home.folder)]) == 0
    assert [line["table"] for line in lines(capsys)] == ["sim-44", "t", "t", "t"]


def test_tail_follows(home: Home, store: Store) -> None:
    words = [sys.executable, "-c", "from vision.cli import run; run()", "tail", "t", "--home", str(home.folder)]
    with (
        TableWriter(store, "t", home.bus("t"), SetClock()) as table_writer,
        subprocess.Popen([*words, "--topic", "coverage"], stdout=subprocess.PIPE) as tail,
    ):
        assert tail.stdout is not None
        written = []
        while not select.select([tail.stdout], [], [], 0.05)[0]:  # until it has come up, and listens
            written.append(table_writer.put(Topic.COVERAGE, 5, bodies.covered(0, 5)).record())
        assert json.loads(tail.stdout.readline()) in written
        tail.terminate()


def test_tail_over_an_address(home: Home, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    address = home.bus("t")
    with TableWriter(store, "t", address, SetClock()):
        assert main(["tail", "t", "--once", "--address", str(address), "--after", "1"]) == 0
    assert [line["seq"] for line in lines(capsys)] == [2, 3]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("t", "--after", "-1"), "--after: -1: want 0 or more"),
        (("t", "--topic", "gossip"), "--topic: gossip: want one of session, event"),
        (("a b",), "table: 'a b'"),
        (("t", "u", "--address", "tcp://127.0.0.1:7400"), "tells of one table: want one, not 2"),
        (("t", "--address", "tcp://192.0.2.1:7400"), "want keys"),
        (("t", "--address", "7400"), "want ipc://PATH or tcp://HOST:PORT"),
        (("t", "--address", "tcp://127.0.0.1:7400", "--keys", "nowhere"), "nowhere/client.public: cannot be read"),
        (("t",), "no such store: nothing was watched with this home yet"),
    ],
)
def test_tail_says_what_it_cannot_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], complaint: str
) -> None:
    assert main(["tail", "--once", "--home", str(tmp_path), *words]) == 1
    assert complaint in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_store_check_follows_every_chain(home: Home, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    store.append("u", Topic.EVENT, 0, bodies.event(table="u"), 9)
    words = ["store", "check", "--home", str(home.folder)]
    assert main(words) == 0
    sound = {"table": "t", "entries": 3, "first_broken": None, "seal": store.seal("t")}
    assert lines(capsys)[0] == sound
    with closing(sqlite3.connect(home.store)) as raw:
        raw.execute("DROP TRIGGER log_refuses_UPDATE")
        raw.execute("UPDATE log SET wall_ns=1 WHERE \"table\"='t' AND seq=2")
        raw.commit()
    assert main(words) == 1
    assert [line["first_broken"] for line in lines(capsys)] == [2, None]


def test_keys_are_made_for_each_guest(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys", "--home", str(home.folder)]) == 0
    assert main(["keys", "--home", str(home.folder), "--for", "cage"]) == 0
    made = lines(capsys)
    assert [line["for"] for line in made] == ["room", "cage"]
    host = HostKeys.read(home.keys)
    for line in made:
        guest = GuestKeys.read(Path(str(line["carry"])))
        assert guest.host == host.public
        assert host.knows(guest.public)
    assert main(["keys", "--home", str(home.folder)]) == 1
    assert "room: is there already" in capsys.readouterr().err
