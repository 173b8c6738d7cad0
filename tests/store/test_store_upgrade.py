"""A store of an earlier version: the tables that it lacks are made, and filled from its log."""

import sqlite3
from pathlib import Path

import bodies

from vision.bus.topics import Topic
from vision.store import reading, work
from vision.store.log import Store
from vision.store.schema import acknowledgements, corrections, first_cards, items, reviews, round_sums

NEW = (items, acknowledgements, reviews, corrections, first_cards, round_sums)


def filled(path: Path) -> None:
    """Make a store with an alert that was taken, one that was reviewed, and a hand that was dealt."""
    with Store.open(path) as store:

        def put(topic: Topic, body: bodies.Body) -> None:
            store.append("t", topic, 0, body, 100 + store.last_seq("t"))

        put(Topic.EVENT, bodies.event(1, kind="deal", zone="seat.hand", seat=1, cards=1))
        for number in (1, 2):
            put(Topic.ALERT, bodies.alert(number))
            put(Topic.ROUND, bodies.played(number, verdict="wrong"))
        put(Topic.DISPOSITION, bodies.disposition("t-0001"))
        taken = {"alert": bodies.alert(2)["id"], "round": "t-0002", "by": "ada", "assigned": "ben", "wall_ns": 7}
        put(Topic.ACKNOWLEDGEMENT, taken)


def all_rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with sqlite3.connect(path) as connection:
        return {table.name: sorted(connection.execute(f'SELECT * FROM "{table.name}"')) for table in NEW}  # noqa: S608


def test_what_an_earlier_version_did_not_keep_is_made_from_the_log(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    filled(path)
    before = all_rows(path)
    with sqlite3.connect(path) as connection:
        for table in NEW:
            connection.execute(f'DROP TABLE "{table.name}"')
    with Store.open(path) as store:
        (item,) = work.open_items(store)
        assert (item.id, item.taken is not None and item.taken.assigned) == (bodies.alert(2)["id"], "ben")
        assert [said.body.finding for said in reading.dispositions_of(store, "t-0001")] == ["confirmed"]
        assert [row.is_open for row in reading.rounds(store)] == [True, False]
        assert store.verify("t") is None
    assert all_rows(path) == before


def test_a_store_of_this_version_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    filled(path)
    before = all_rows(path)
    with Store.open(path) as store:
        assert store.database.added == frozenset()
    assert all_rows(path) == before
