"""Envelopes: one text form, and nothing that is not one gets in."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.bus.envelope import BusError, Envelope, checked_table
from vision.bus.topics import OF_FILE, STORED, Topic
from vision.records.record import canonical
from vision.run.record_files import TOPICS

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
BODIES = st.dictionaries(st.text(), VALUES, max_size=4)


@given(seq=st.integers(1, 10**12), t_ns=st.integers(0, 10**18), topic=st.sampled_from(STORED), body=BODIES)
def test_str_and_parse_are_inverses(seq: int, t_ns: int, topic: Topic, body: dict[str, Any]) -> None:
    envelope = Envelope(table="t", seq=seq, t_ns=t_ns, topic=topic, body=body)
    assert Envelope.parse(str(envelope)) == envelope
    assert Envelope.parse(str(envelope).encode()) == envelope


def test_the_text_does_not_depend_on_the_order_of_keys() -> None:
    assert canonical({"b": 1, "a": "§"}) == canonical({"a": "§", "b": 1}) == '{"a":"§","b":1}'


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"table": "a/b"}, "table: 'a/b'"),
        ({"table": ".."}, "table: '..'"),
        ({"seq": 0}, "seq: 0"),
        ({"seq": "1"}, "seq: '1'"),
        ({"t_ns": -1}, "t_ns: -1"),
        ({"topic": "gossip"}, "topic: 'gossip'"),
        ({"body": []}, "body: []"),
        ({"colour": "red"}, "colour: 'red': unknown key"),
        ({"seq": None}, "seq: None of topic event: want a number"),
        ({"topic": "pulse"}, "seq: 1 of topic pulse: want none"),
    ],
)
def test_what_is_no_envelope_is_refused(change: dict[str, Any], complaint: str) -> None:
    record = {"table": "t", "seq": 1, "t_ns": 0, "topic": "event", "version": 1, "body": {}} | change
    with pytest.raises(BusError) as caught:
        Envelope.parse(json.dumps(record))
    assert complaint in str(caught.value)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(BusError):
        Envelope.parse(b"\xff{")


@pytest.mark.parametrize("name", ["", "-a", "a b", "a/b", "..", "a" * 65, "ä", "a\n"])
def test_a_table_must_fit_into_topics_and_file_names(name: str) -> None:
    with pytest.raises(BusError, match="table: "):
        checked_table(name)


def test_every_file_of_a_replay_has_its_topic() -> None:
    assert set(OF_FILE) == set(TOPICS)
    assert all(topic.is_stored for topic in OF_FILE.values())
