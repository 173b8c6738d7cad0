"""A full disk: entries wait in order, and none is lost."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from films import until

from vision.bus.envelope import Envelope
from vision.bus.topics import Topic
from vision.run.lock import LockedError, TableLock
from vision.run.outbox import Outbox
from vision.store.database import StoreError
from vision.store.log import Entry, Store


class FullSink:
    """A sink on a disk that is full, until there is room."""

    def __init__(self, store: Store) -> None:
        self._store, self.is_full = store, True

    def put_all(self, entries: Sequence[Entry]) -> list[Envelope]:
        if self.is_full:
            raise StoreError("feltwatch.sqlite: database or disk is full")
        return self._store.append_all("t", entries, 1)


def entry(n: int) -> Entry:
    return Entry(Topic.COVERAGE, n, {"table": "t", "start_ns": n, "end_ns": n, "state": "watched", "why": None})


def test_entries_wait_while_the_disk_is_full(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Store.open(tmp_path / "store.sqlite") as store:
        sink = FullSink(store)
        outbox = Outbox(sink)
        for n in range(3):
            outbox.add(entry(n))
            assert outbox.send() == []
        assert len(outbox) == 3
        assert caplog.text.count("store fails, entries wait") == 1
        with pytest.raises(StoreError, match=r"disk is full \(3 entries wait\)"):
            outbox.send_now()
        sink.is_full = False
        until(lambda: bool(outbox.send()))
        assert [envelope.t_ns for envelope in store.since("t", 0)] == [0, 1, 2]
        assert len(outbox) == 0


def test_two_watchers_of_one_table(tmp_path: Path) -> None:
    path, said = tmp_path / "locks" / "t.lock", r"^t: is watched already by process \d+ on "
    with TableLock("t", path), pytest.raises(LockedError, match=said), TableLock("t", path):
        pass
    with TableLock("t", path):  # the first has left
        pass
