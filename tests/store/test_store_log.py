"""The log: numbered without gaps, sealed, never edited; several writers, one order."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import bodies
import pytest
from pydantic import ValidationError

from vision.bus.envelope import BusError, Envelope
from vision.bus.topics import Topic
from vision.store.database import StoreError
from vision.store.log import Entry, Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "s.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as opened:
        yield opened


def fill(store: Store, count: int, table: str = "t") -> list[Envelope]:
    return store.append_all(table, [Entry(Topic.EVENT, n, bodies.event(table=table, n=n)) for n in range(count)], 9)


def test_numbers_count_from_one_in_each_table(store: Store) -> None:
    assert [one.seq for one in fill(store, 3)] == [1, 2, 3]
    assert [one.seq for one in fill(store, 2, "other")] == [1, 2]
    assert store.append("t", Topic.EVENT, 5, bodies.event(), 9).seq == 4
    assert (store.last_seq("t"), store.last_seq("other"), store.last_seq("none")) == (4, 2, 0)
    assert store.tables() == ["other", "t"]


def test_what_was_stored_is_what_is_read(store: Store, path: Path) -> None:
    written = fill(store, 5)
    assert store.since("t", 0) == written
    assert store.since("t", 2, limit=2) == written[2:4]
    assert store.since("t", 5) == []
    with Store.open(path, make=False) as again:
        assert again.since("t", 0) == written


def test_what_json_cannot_hold_apart_is_returned_as_it_will_be_read(store: Store) -> None:
    envelope = store.append("t", Topic.EVENT, 0, bodies.event(bounds=(1, None), seats={1: "a"}), 9)
    assert envelope.body["bounds"] == [1, None]
    assert store.since("t", 0) == [envelope]


def test_all_entries_are_stored_or_none(store: Store) -> None:
    fill(store, 2)
    with pytest.raises(ValidationError, match="verdict"):
        store.append_all("t", [Entry(Topic.EVENT, 0, bodies.event()), Entry(Topic.ROUND, 0, {"id": "t-0001"})], 9)
    with pytest.raises(BusError, match="it only passes"):
        store.append("t", Topic.PULSE, 0, bodies.pulse(), 9)
    with pytest.raises(BusError, match="table: 'a/b'"):
        store.append("a/b", Topic.EVENT, 0, bodies.event(), 9)
    assert (store.last_seq("t"), store.verify("t")) == (2, None)


def test_an_empty_list_stores_nothing(store: Store) -> None:
    assert store.append_all("t", [], 9) == []
    assert store.tables() == []


@pytest.mark.parametrize("deed", ["UPDATE log SET t_ns=7 WHERE seq=2", "DELETE FROM log WHERE seq=2"])
def test_nothing_is_edited(store: Store, path: Path, deed: str) -> None:
    fill(store, 3)
    with closing(sqlite3.connect(path)) as raw, pytest.raises(sqlite3.IntegrityError, match="never edited"):
        raw.execute(deed)


@pytest.mark.parametrize(
    ("deed", "broken"),
    [
        ("UPDATE log SET body=replace(body, '\"n\":1', '\"n\":7') WHERE seq=2", 2),
        ("UPDATE log SET body='{}' WHERE seq=1500", 1500),
        ("UPDATE log SET body='nonsense' WHERE seq=3", 3),
        ("UPDATE log SET topic='gossip' WHERE seq=3", 3),
        ("UPDATE log SET wall_ns=1 WHERE seq=3", 3),
        ("UPDATE log SET t_ns=1 WHERE seq=5", 5),
        ("UPDATE log SET hash=(SELECT hash FROM log WHERE seq=1) WHERE seq=4", 4),
        ("DELETE FROM log WHERE seq=2", 2),
        ("DELETE FROM log WHERE seq=1", 1),
        ("UPDATE log SET seq=seq+1 WHERE seq=1500", 1500),
    ],
)
def test_what_was_edited_all_the_same_is_found(store: Store, path: Path, deed: str, broken: int) -> None:
    fill(store, 1500)
    assert store.verify("t") is None
    store.close()
    with closing(sqlite3.connect(path)) as raw:
        for name in ("UPDATE", "DELETE"):
            raw.execute(f"DROP TRIGGER log_refuses_{name}")
        raw.execute(deed)
        raw.commit()
    with Store.open(path) as again:
        assert again.verify("t") == broken


def test_the_seal_shows_an_end_that_was_cut_off(store: Store, path: Path) -> None:
    fill(store, 2)
    noted = store.seal("t")
    fill(store, 1)
    assert store.seal("t") != noted
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("DROP TRIGGER log_refuses_DELETE")
        raw.execute("DELETE FROM log WHERE seq=3")
        raw.commit()
    assert (store.verify("t"), store.seal("t")) == (None, noted)


def test_a_broken_entry_is_named_when_it_is_read(store: Store, path: Path) -> None:
    fill(store, 2)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("DROP TRIGGER log_refuses_UPDATE")
        raw.execute("UPDATE log SET body='{' WHERE seq=2")
        raw.commit()
    with pytest.raises(StoreError, match="entry 2 of t: damaged"):
        store.since("t", 0)


def test_threads_share_a_store(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        seqs = list(pool.map(lambda n: store.append("t", Topic.EVENT, n, bodies.event(), 9).seq, range(80)))
    assert sorted(str(seq) for seq in seqs) == sorted(str(seq) for seq in range(1, 81))
    assert store.verify("t") is None


WRITER = """
import sys
from pathlib import Path
from vision.bus.topics import Topic
from vision.store.log import Store
with Store.open(Path(sys.argv[1])) as store:
    for n in range(40):
        body = {"kind": "bet", "round": "t-0001", "table": "t", "t_ns": n, "confidence": 1.0, "wager": sys.argv[2]}
        store.append("t", Topic.EVENT, n, body, 9)
"""


def test_a_store_is_opened_while_another_program_reads_it_the_old_way(path: Path) -> None:
    Store.open(path).close()
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as raw:
        raw.execute("PRAGMA journal_mode=DELETE")
        raw.execute("BEGIN")
        raw.execute("SELECT count(*) FROM log").fetchall()
        with pytest.raises(StoreError, match="locked by another program"):
            Store.open(path, patience_s=0.05)
        lets_go = threading.Timer(0.2, raw.execute, ("COMMIT",))
        lets_go.start()
        with Store.open(path) as store:
            lets_go.join()
            assert store.append("t", Topic.EVENT, 1, bodies.event(), 9).seq == 1


def test_processes_share_a_store_that_none_of_them_found(path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in "abcd"]
    assert [writer.wait() for writer in writers] == [0, 0, 0, 0]
    with Store.open(path, make=False) as store:
        assert (store.last_seq("t"), store.verify("t")) == (160, None)
        assert {one.body["wager"] for one in store.since("t", 0)} == set("abcd")
