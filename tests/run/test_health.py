"""The health of a source: lost, frozen and late, each said once, taken back, and told in the ledger."""

from typing import Any

from vision.alerts.coverage import not_observed
from vision.capture.video import SECOND_NS
from vision.records.alert import Alert
from vision.records.message import Message
from vision.run.health import Condition, Health

S = SECOND_NS


def told(messages: list[Message]) -> list[tuple[Any, ...]]:
    """Return alerts as (code, state), lines of the ledger as (start, end, why), in seconds."""
    records: list[Any] = [message.record for message in messages]
    return [
        (record.code, record.state)
        if isinstance(record, Alert)
        else (record.start_ns / S, record.end_ns / S, record.why)
        for record in records
    ]


def alert(message: Message) -> Alert:
    assert isinstance(message.record, Alert)
    return message.record


def gap(start_s: int, end_s: int) -> Message:
    return not_observed("t", start_s * S, end_s * S, "frames lost")


def test_a_lost_camera_is_said_once_and_taken_back() -> None:
    health = Health("t")
    assert health.update(Condition(t_ns=10 * S, frame_ns=9 * S, silent_ns=S)) == []
    lost = health.update(Condition(t_ns=11 * S, frame_ns=9 * S, silent_ns=2 * S))
    assert told(lost) == [("camera-lost", "raised")]
    assert (alert(lost[0]).observed, alert(lost[0]).round) == ("no frames since 9.0 s", "t-idle")
    assert [health.state] == ["lost"]
    assert health.update(Condition(t_ns=12 * S, frame_ns=9 * S, silent_ns=3 * S)) == []
    assert told(health.update(Condition(t_ns=20 * S, frame_ns=9 * S))) == [("camera-lost", "withdrawn")]
    assert health.state == "watching"
    assert told([health.explain(gap(9, 20))]) == [(9, 20, "camera lost: no frames come")]
    assert told([health.explain(gap(30, 32))]) == [(30, 32, "frames lost")]  # another one is not explained


def test_a_connection_that_ended_is_lost_at_once_with_its_reason() -> None:
    health, why = Health("t"), "rtsp://c/1: cannot be played: Connection refused"
    (lost,) = health.update(Condition(t_ns=S, is_cut=True, why=why))
    assert (alert(lost).observed, alert(lost).severity) == (why, "info")
    assert health.update(Condition(t_ns=2 * S, silent_ns=S)) == []  # it connects, but nothing is seen yet
    assert told(health.finish(Condition(t_ns=7 * S))) == [(0, 7, f"camera lost: {why}")]


def test_what_came_before_the_first_frame_is_in_the_ledger() -> None:
    health = Health("t")
    health.update(Condition(t_ns=3 * S, silent_ns=3 * S))
    back = health.update(Condition(t_ns=5 * S))
    assert told(back) == [("camera-lost", "withdrawn"), (0, 5, "camera lost: no frames come")]


def test_a_frozen_picture() -> None:
    health = Health("t")
    found = health.update(Condition(t_ns=12 * S, frame_ns=12 * S, frozen_ns=7 * S))
    assert told(found) == [("camera-frozen", "raised"), (7, 12, "camera frozen")]
    assert health.state == "frozen"
    assert told(health.update(Condition(t_ns=20 * S, frame_ns=12 * S))) == [("camera-frozen", "withdrawn")]
    assert told([health.explain(gap(12, 20))]) == [(12, 20, "camera frozen")]
    assert health.finish(Condition(t_ns=30 * S)) == []


def test_falling_behind_and_catching_up() -> None:
    health = Health("t")
    assert health.update(Condition(t_ns=5 * S, lag_ns=2 * S)) == []
    (late,) = health.update(Condition(t_ns=6 * S, lag_ns=3 * S))
    said = "3.0 s behind the stream, 0 frames dropped"
    assert (alert(late).code, alert(late).observed) == ("falling-behind", said)
    assert health.update(Condition(t_ns=8 * S, lag_ns=3 * S)) == []
    assert health.update(Condition(t_ns=9 * S, lag_ns=0)) == []  # in time, but only just
    assert told(health.update(Condition(t_ns=13 * S, lag_ns=0))) == [("falling-behind", "withdrawn")]
    assert told(health.update(Condition(t_ns=14 * S, dropped=4))) == [("falling-behind", "raised")]
    assert health.update(Condition(t_ns=15 * S, dropped=4)) == []
