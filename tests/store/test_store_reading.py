"""What pages ask of the store."""

from collections.abc import Iterator
from pathlib import Path

import bodies
import pytest

from vision.bus.topics import Topic
from vision.records.round import Round
from vision.store import reading
from vision.store.log import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.sqlite") as opened:
        yield opened


def put(store: Store, topic: Topic, body: bodies.Body, table: str = "t") -> int:
    """Store a body at a time of its own, and return its number."""
    return store.append(table, topic, 0, body, 100 + store.last_seq(table)).seq or 0


def play(store: Store, number: int, verdict: str = "right", table: str = "t") -> None:
    put(store, Topic.EVENT, bodies.event(number, table), table)
    put(store, Topic.ROUND, bodies.played(number, table, verdict), table)


def ids(rows: list[reading.RoundRow]) -> list[str]:
    return [row.id for row in rows]


def test_a_round_is_known_from_its_first_event_on(store: Store) -> None:
    first = put(store, Topic.EVENT, bodies.event(1))
    (row,) = reading.rounds(store)
    assert (row.id, row.number, row.first_seq, row.began_wall_ns) == ("t-0001", 1, first, 100)
    assert (row.seq, row.verdict, row.body) == (None, None, None)
    put(store, Topic.EVENT, bodies.event(1))
    last = put(store, Topic.ROUND, bodies.played(1))
    (row,) = reading.rounds(store)
    assert (row.seq, row.verdict, row.body) == (last, "right", Round.of(bodies.played(1)))
    assert row == reading.round_of(store, "t-0001")
    assert reading.round_of(store, "t-0009") is None


def test_the_numbers_of_rounds_that_were_broken_off_are_not_used_again(store: Store) -> None:
    assert reading.rounds_before(store, "t") == 0
    play(store, 1)
    put(store, Topic.EVENT, bodies.event(2))
    assert reading.rounds_before(store, "t") == 2
    put(store, Topic.ALERT, bodies.alert(3))
    assert (reading.rounds_before(store, "t"), reading.rounds_before(store, "other")) == (3, 0)


def test_rounds_come_newest_first_and_page_by_page(store: Store) -> None:
    for number in range(1, 6):
        play(store, number)
        play(store, number, table="u")
    first = reading.rounds(store, limit=3)
    assert ids(first) == ["u-0005", "t-0005", "u-0004"]
    assert ids(reading.rounds(store, before=first[-1].row, limit=2)) == ["t-0004", "u-0003"]
    assert ids(reading.rounds(store, table="t", limit=2)) == ["t-0005", "t-0004"]


def test_rounds_can_be_filtered(store: Store) -> None:
    for number, verdict in enumerate(["right", "wrong", "unverifiable", "wrong"], start=1):
        play(store, number, verdict)
    put(store, Topic.ALERT, bodies.alert(2))
    put(store, Topic.ALERT, bodies.alert(4, code="overpaid"))
    put(store, Topic.ALERT, bodies.alert(3))
    put(store, Topic.ALERT, bodies.alert(3, state="withdrawn"))
    put(store, Topic.DISPOSITION, bodies.disposition("t-0004"))
    assert ids(reading.rounds(store, verdict="wrong")) == ["t-0004", "t-0002"]
    assert ids(reading.rounds(store, code="underpaid")) == ["t-0002"]
    assert ids(reading.rounds(store, open_only=True)) == ["t-0002"]
    assert ids(reading.rounds(store, disposed_only=True)) == ["t-0004"]
    assert ids(reading.rounds(store, verdict="wrong", code="overpaid")) == ["t-0004"]
    assert reading.rounds(store, verdict="void") == []


def test_an_alert_is_what_was_last_said_of_it(store: Store) -> None:
    first = put(store, Topic.ALERT, bodies.alert(1))
    last = put(store, Topic.ALERT, bodies.alert(1, state="amended", observed="paid $4, due $6"))
    (alert,) = reading.alerts(store)
    assert (alert.first_seq, alert.seq, alert.state, alert.is_open) == (first, last, "amended", True)
    assert alert.body.observed == "paid $4, due $6"
    assert reading.alert_of(store, alert.id) == alert
    put(store, Topic.ALERT, bodies.alert(1, state="withdrawn"))
    assert reading.alerts(store) == []
    (alert,) = reading.alerts(store, open_only=False)
    assert (alert.state, alert.is_open) == ("withdrawn", False)
    assert reading.alert_of(store, "nothing") is None


def test_a_disposition_closes_what_was_known_when_it_was_made(store: Store) -> None:
    play(store, 1, "wrong")
    put(store, Topic.ALERT, bodies.alert(1))
    put(store, Topic.ALERT, bodies.alert(2))
    put(store, Topic.DISPOSITION, bodies.disposition("t-0001"))
    assert [alert.round for alert in reading.alerts(store)] == ["t-0002"]
    put(store, Topic.ALERT, bodies.alert(1, code="overpaid"))
    row = reading.round_of(store, "t-0001")
    assert row is not None
    assert [(alert.code, alert.is_open) for alert in row.alerts] == [("underpaid", False), ("overpaid", True)]
    assert row.is_open


def test_the_latest_disposition_counts_and_all_are_kept(store: Store) -> None:
    play(store, 1)
    put(store, Topic.DISPOSITION, bodies.disposition("t-0001", "inconclusive"))
    seq = put(store, Topic.DISPOSITION, bodies.disposition("t-0001", "no-error"))
    said = reading.dispositions_of(store, "t-0001")
    assert [one.body.finding for one in said] == ["no-error", "inconclusive"]
    row = reading.round_of(store, "t-0001")
    assert row is not None
    assert row.disposition == said[0]
    assert said[0].seq == seq
    assert reading.dispositions_of(store, "t-0002") == []


def test_what_belongs_to_no_round_can_come_again(store: Store) -> None:
    lost = bodies.alert(None, code="camera-lost")
    put(store, Topic.ALERT, lost)
    put(store, Topic.CLIP, bodies.clip(lost))
    put(store, Topic.DISPOSITION, bodies.disposition("t-idle"))
    assert reading.rounds(store) == []
    assert reading.alerts(store) == []
    again = put(store, Topic.ALERT, lost)
    (alert,) = reading.alerts(store)
    assert (alert.round, alert.first_seq) == ("t-idle", again)
    assert reading.clip_of(store, alert.id) is None  # the old one shows another hour


def test_alerts_of_a_table_or_of_a_round(store: Store) -> None:
    put(store, Topic.ALERT, bodies.alert(1))
    put(store, Topic.ALERT, bodies.alert(2))
    put(store, Topic.ALERT, bodies.alert(1, "u"), "u")
    assert [alert.round for alert in reading.alerts(store, table="t")] == ["t-0002", "t-0001"]
    assert [alert.round for alert in reading.alerts(store, round_id="u-0001")] == ["u-0001"]
    assert len(reading.alerts(store, limit=2)) == 2


def test_a_clip_is_found_by_its_alert(store: Store) -> None:
    alert = bodies.alert(1)
    put(store, Topic.ALERT, alert)
    assert reading.clip_of(store, alert["id"]) is None
    put(store, Topic.CLIP, bodies.clip(alert))
    put(store, Topic.ALERT, alert | {"state": "amended"})
    seq = put(store, Topic.CLIP, bodies.clip(alert) | {"end_ns": 11})
    clip = reading.clip_of(store, alert["id"])
    assert clip is not None
    assert (clip.seq, clip.table, clip.body.end_ns) == (seq, "t", 11)


def test_sessions_and_their_ledgers(store: Store) -> None:
    began = put(store, Topic.SESSION, bodies.session("s1"))
    put(store, Topic.COVERAGE, bodies.covered(0, 5))
    put(store, Topic.COVERAGE, bodies.covered(5, 9))
    ended = put(store, Topic.SESSION, bodies.session("s1", "ended"))
    second = put(store, Topic.SESSION, bodies.session("s2"))
    put(store, Topic.COVERAGE, bodies.covered(0, 3))
    later, earlier = reading.sessions(store, "t")
    assert (earlier.body.id, earlier.first_seq, earlier.end_seq) == ("s1", began, second)
    assert (later.body.id, later.first_seq, later.end_seq) == ("s2", second, None)
    assert [(line.start_ns, line.end_ns) for line in reading.coverage(store, earlier)] == [(0, 5), (5, 9)]
    assert [line.plain() for line in reading.coverage(store, later)] == [bodies.covered(0, 3)]
    assert reading.session_at(store, "t", ended) == earlier
    assert reading.session_at(store, "t", second + 1) == later
    assert reading.session_at(store, "u", 1) is None
