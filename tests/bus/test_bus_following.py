"""Following a table over real sockets: late, with gaps, through restarts; in order and exactly once."""

import json
from collections.abc import Iterator
from pathlib import Path

import bodies
import pytest
import zmq

from vision.bus.envelope import BusError, Envelope
from vision.bus.subscriber import Heard, Subscriber
from vision.bus.topics import Topic
from vision.records.picture import Picture
from vision.records.pulse import Pulse
from vision.store.database import StoreError
from vision.store.home import Home
from vision.store.log import Entry, Store
from vision.store.table_writer import TableWriter
from vision.values.clock import SetClock

CLOCK = SetClock(1)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture
def store(home: Home) -> Iterator[Store]:
    with Store.open(home.store) as opened:
        yield opened


@pytest.fixture
def table_writer(home: Home, store: Store) -> Iterator[TableWriter]:
    with TableWriter(store, "t", home.bus("t"), CLOCK) as opened:
        yield opened


def put(table_writer: TableWriter, count: int = 1) -> None:
    table_writer.put_all([Entry(Topic.EVENT, n, bodies.event(n=n)) for n in range(count)])


def hear(subscriber: Subscriber, until: int) -> list[int]:
    """Listen until a number, and return all numbers as they came."""
    seqs: list[int] = []
    while not seqs or seqs[-1] < until:
        heard = subscriber.receive(10)
        assert heard, f"nothing more after {seqs[-1:]}"
        seqs += [one.envelope.seq for one in heard if one.envelope.seq is not None]
    return seqs


def joined(table_writer: TableWriter, subscriber: Subscriber) -> None:
    """Pulse until the subscriber hears it: then it hears all that follows."""
    while not subscriber.receive(0.05):
        table_writer.pulse(0, Pulse.of(bodies.pulse()))


def follow(home: Home, after: int | None = None, *, pictures: bool = False) -> Subscriber:
    reached = None if after is None else {"t": after}
    return Subscriber({"t": home.bus("t")}, reached, pictures=pictures, patience_s=0.5)


def test_who_joins_late_can_begin_anywhere(home: Home, table_writer: TableWriter) -> None:
    put(table_writer, 5)
    with follow(home, after=2) as subscriber:
        assert hear(subscriber, 5) == [3, 4, 5]
    with follow(home, after=0) as subscriber:
        assert hear(subscriber, 5) == [1, 2, 3, 4, 5]


def test_who_names_no_number_begins_with_what_comes(home: Home, table_writer: TableWriter) -> None:
    put(table_writer, 5)
    with follow(home) as subscriber:
        joined(table_writer, subscriber)
        put(table_writer)
        assert hear(subscriber, 6) == [6]


def test_what_was_missed_is_fetched_before_what_follows(home: Home, store: Store) -> None:
    with follow(home, after=0) as subscriber:
        for _ in range(3):  # each time somebody else binds the address, and the first messages find nobody
            with TableWriter(store, "t", home.bus("t"), CLOCK) as table_writer:
                put(table_writer, 3)
                joined(table_writer, subscriber)
        with TableWriter(store, "t", home.bus("t"), CLOCK) as table_writer:
            joined(table_writer, subscriber)
            put(table_writer, 2)
            assert hear(subscriber, 11)[-2:] == [10, 11]


def test_every_number_is_heard_once_and_in_order(home: Home, table_writer: TableWriter) -> None:
    with follow(home, after=0) as subscriber:
        put(table_writer, 450)  # more than one answer holds
        seqs = hear(subscriber, 450)
        joined(table_writer, subscriber)
        put(table_writer, 3)
        assert seqs + hear(subscriber, 453) == list(range(1, 454))


def test_a_slow_listener_misses_messages_and_gets_them_all(home: Home, table_writer: TableWriter) -> None:
    with follow(home, after=0) as subscriber, zmq.Context() as context, context.socket(zmq.SUB) as plain:
        plain.connect(home.bus("t").tells)
        plain.subscribe("t/")
        while not plain.poll(50):
            table_writer.pulse(0, Pulse.of(bodies.pulse()))
        for _ in range(4):
            put(table_writer, 1000)  # nobody takes them: most are dropped, and nobody waits
        table_writer.pulse(0, Pulse.of(bodies.pulse()))
        count = 0
        while plain.poll(200):
            count += plain.recv_multipart()[0] == b"t/event"
        assert 0 < count < 4000
        assert hear(subscriber, 4000) == list(range(1, 4001))


def test_what_others_store_is_told_with_the_next_pulse(home: Home, store: Store, table_writer: TableWriter) -> None:
    with follow(home, after=0) as subscriber:
        joined(table_writer, subscriber)
        store.append("t", Topic.DISPOSITION, 0, bodies.disposition("t-0001"), 3)
        table_writer.pulse(0, Pulse.of(bodies.pulse()))
        assert hear(subscriber, 1) == [1]


def test_a_pulse_tells_what_was_stored_before_its_watcher_came(home: Home, store: Store) -> None:
    store.append("t", Topic.EVENT, 0, bodies.event(), 3)
    with TableWriter(store, "t", home.bus("t"), CLOCK) as table_writer, follow(home, after=0) as subscriber:
        assert hear(subscriber, 1) == [1]
        store.append("t", Topic.EVENT, 0, bodies.event(), 3)
    with TableWriter(store, "t", home.bus("t"), CLOCK) as table_writer, follow(home, after=1) as subscriber:
        table_writer.pulse(0, Pulse.of(bodies.pulse()))
        assert hear(subscriber, 2) == [2]


class Sulking(Store):
    """A store that can be written, but for a while not read."""

    sulks = False

    def since(self, table: str, seq: int, limit: int = 200) -> list[Envelope]:
        if self.sulks:
            raise StoreError("not now")
        return super().since(table, seq, limit)


def test_what_is_stored_but_not_told_is_told_later_and_not_stored_again(home: Home) -> None:
    with Sulking.open(home.store) as store, TableWriter(store, "t", home.bus("t"), CLOCK) as table_writer:
        store.sulks = True
        put(table_writer)  # who gets an error here would put it again
        with follow(home, after=0) as subscriber, pytest.raises(BusError, match="the host answers: not now"):
            subscriber.receive(10)
        store.sulks = False
        put(table_writer)
        with follow(home, after=0) as subscriber:
            assert hear(subscriber, 2) == [1, 2]


def test_pictures_come_only_to_who_wants_them(home: Home, table_writer: TableWriter) -> None:
    with follow(home) as plain, follow(home, pictures=True) as looking:
        joined(table_writer, plain)
        joined(table_writer, looking)
        table_writer.picture(7, Picture.of(bodies.picture()), b"\xff\xd8jpeg")
        put(table_writer)
        heard: list[Heard] = []
        while not heard or heard[-1].envelope.seq is None:
            heard += looking.receive(10)
        (shown,) = [one for one in heard if one.envelope.topic is Topic.PICTURE]
        assert (shown.blob, shown.envelope.t_ns, shown.envelope.body) == (b"\xff\xd8jpeg", 7, bodies.picture())
        assert hear(plain, 1) == [1]


def test_tables_are_followed_side_by_side(home: Home, store: Store) -> None:
    with TableWriter(store, "t", home.bus("t"), CLOCK) as one, TableWriter(store, "t2", home.bus("t2"), CLOCK) as other:
        one.put(Topic.EVENT, 0, bodies.event())
        other.put(Topic.EVENT, 0, bodies.event(table="t2"))
        with Subscriber({name: home.bus(name) for name in ("t", "t2")}, {"t": 0, "t2": 0}) as subscriber:
            heard = [(each.envelope.table, each.envelope.seq) for each in subscriber.receive(10)]
        assert sorted(heard) == [("t", 1), ("t2", 1)]


def test_a_replaced_store_is_noticed(tmp_path: Path, home: Home) -> None:
    with Store.open(tmp_path / "new.sqlite") as store, TableWriter(store, "t", home.bus("t"), CLOCK) as table_writer:
        put(table_writer)
        with follow(home, after=500) as subscriber, pytest.raises(BusError, match="its log ends at 1, but 500 was"):
            subscriber.receive(10)


def test_nobody_there_is_said_and_does_not_hold_up(home: Home) -> None:
    with follow(home, after=0) as subscriber:
        assert subscriber.receive(0.01) == []
        with pytest.raises(BusError, match="no answer in time"):
            list(subscriber.catch_up())


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        (b"what?", "question: "),
        (b'{"table": "t"}', "question: after: missing"),
        (b'{"table": "t", "after": -1}', "question: after: -1"),
        (b'{"table": "t", "after": "1"}', "question: after: '1'"),
        (b'{"table": "t", "after": 0, "limit": 0}', "question: limit: 0"),
        (b'{"table": "t", "after": 0, "from": 1}', "question: from: 1: unknown key"),
        (b'{"table": "other", "after": 0}', "table: 'other': here one hears of t"),
    ],
)
def test_a_bad_question_gets_an_error(home: Home, table_writer: TableWriter, question: bytes, complaint: str) -> None:
    put(table_writer, 3)
    with zmq.Context() as context, context.socket(zmq.REQ) as asking:
        asking.connect(home.bus("t").answers)
        asking.send(question)
        assert complaint in json.loads(asking.recv())["error"]
        asking.send(b'{"table": "t", "after": 1, "limit": 1}')  # and the next one is answered as ever
        answer = json.loads(asking.recv())
    assert [Envelope.parse(json.dumps(one)).seq for one in answer["envelopes"]] == [2]
    assert answer["last"] == 3


def test_a_folder_that_cannot_be_is_named(tmp_path: Path, store: Store) -> None:
    (tmp_path / "bus").write_text("a file")
    with pytest.raises(BusError, match=r"address: ipc://.*t\.ipc: cannot be used"):
        TableWriter(store, "t", Home(tmp_path).bus("t"), CLOCK)
