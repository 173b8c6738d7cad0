"""A store that cannot be used is said to be so, clearly; and what was in it is still in it."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import bodies
import pytest

from vision.bus.topics import Topic
from vision.store.database import StoreError
from vision.store.log import Entry, Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.sqlite"


def fill(store: Store, count: int = 1) -> None:
    store.append_all("t", [Entry(Topic.EVENT, n, bodies.event(pad="x" * 1000)) for n in range(count)], 9)


def limit_pages(store: Store, pages: int) -> None:
    with store.database.reading() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")


def full_at(store: Store) -> str:
    """Fill a store until it takes no more, and return what it says."""
    try:
        for _ in range(100):
            fill(store)
    except StoreError as error:
        return str(error)
    return "not full"


def test_a_full_store_takes_no_more_and_loses_nothing(path: Path) -> None:
    with Store.open(path) as store:
        fill(store, 10)
        limit_pages(store, 40)
        complaint = full_at(store)
        assert complaint == f"{path}: cannot be written: the disk is full"
        full = store.last_seq("t")
        assert full > 10
        limit_pages(store, 10_000)
        fill(store)
        assert (store.last_seq("t"), store.verify("t")) == (full + 1, None)


FULL_DISK = """
import resource, sys
from pathlib import Path
from vision.bus.topics import Topic
from vision.store.database import StoreError
from vision.store.log import Store
EVENT = {"kind": "bet", "round": "t-0001", "table": "t", "t_ns": 0, "confidence": 1.0}
with Store.open(Path(sys.argv[1])) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    try:
        while True:
            store.append("t", Topic.EVENT, 0, EVENT | {"zone": "x" * 1000}, 9)
            print(store.last_seq("t"), flush=True)
    except StoreError as error:
        print(error, flush=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(store.append("t", Topic.EVENT, 0, EVENT, 9).seq, store.verify("t"))
"""


def test_a_disk_that_refuses_a_write_loses_nothing(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True)
    *numbers, complaint, after = done.stdout.splitlines()
    assert complaint == f"{path}: cannot be read or written: the disk fails, or is full"
    assert numbers == [str(n) for n in range(1, len(numbers) + 1)]
    assert after == f"{len(numbers) + 1} None"


def test_a_locked_store_can_be_read_and_says_that_it_is_locked(path: Path) -> None:
    with Store.open(path) as store:
        fill(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with Store.open(path, patience_s=0.1) as store:
            with pytest.raises(StoreError, match=r"s\.sqlite: locked by another program for too long"):
                fill(store)
            assert len(store.since("t", 0)) == 1
            other.execute("ROLLBACK")
            fill(store)
            assert store.verify("t") is None


def test_another_kind_of_file_is_left_alone(path: Path) -> None:
    path.write_bytes(b"Dear diary, " * 100)
    with pytest.raises(StoreError, match=r"s\.sqlite: not a store of Feltwatch: another kind of file"):
        Store.open(path)
    assert path.read_bytes() == b"Dear diary, " * 100


def test_another_programs_database_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE log (x)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"s\.sqlite: not a store of Feltwatch: another program's database"):
        Store.open(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_store_of_the_future_is_left_alone(path: Path) -> None:
    Store.open(path).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA user_version=99")
    with pytest.raises(StoreError, match="made by a newer Feltwatch: version 99, want 1 at most"):
        Store.open(path)


def damage(path: Path, start: int, stop: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\xa5" * (stop - start))


@pytest.mark.parametrize("start", [100, 4096, 3 * 4096])
def test_a_damaged_store_is_said_to_be_so(path: Path, start: int) -> None:
    with Store.open(path) as store:
        fill(store, 100)
    size = path.stat().st_size
    assert size > 100_000  # all is in the file, nothing in its journal
    damage(path, start, size)
    with pytest.raises(StoreError, match=r"s\.sqlite: damaged: put it aside"), Store.open(path) as store:
        store.verify("t")


def test_a_store_that_was_cut_off_is_said_to_be_so(path: Path) -> None:
    with Store.open(path) as store:
        fill(store, 100)
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(StoreError, match=r"s\.sqlite: damaged"), Store.open(path) as store:
        store.verify("t")


def test_a_store_is_for_its_owner_only(path: Path) -> None:
    with Store.open(path) as store:
        fill(store)
        modes = {each.name: each.stat().st_mode & 0o777 for each in path.parent.iterdir()}
    assert modes == dict.fromkeys(("s.sqlite", "s.sqlite-wal", "s.sqlite-shm"), 0o600)


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    with Store.open(path) as store:
        fill(store)
        assert store.last_seq("t") == 1


def test_places_where_no_store_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"s\.sqlite: cannot be made"):
        Store.open(tmp_path / "file" / "s.sqlite")
    with pytest.raises(StoreError, match=r"cannot be opened"):
        Store.open(tmp_path)
    with pytest.raises(StoreError, match=r"no such store: nothing was watched"):
        Store.open(tmp_path / "s.sqlite", make=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]
