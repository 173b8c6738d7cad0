"""What is really told, held against the schemas that the documentation promises."""

from typing import get_args

import bodies
import pytest
from schemas import FOLDER, lacks, read_schema, validator

from studio.film.production import Order
from studio.scripted.observations import Noise, scripted_clip
from vision.alerts.judge import Judge
from vision.bus.envelope import Envelope
from vision.bus.schemas import schemas, text_of
from vision.bus.topics import OF_FILE, Topic
from vision.rules.play import events as ev
from vision.values.codes import Code


def told(topic: Topic, body: bodies.Body) -> dict[str, object]:
    seq = 1 if topic.is_stored else None
    return Envelope.parse(str(Envelope(table="t", seq=seq, t_ns=0, topic=topic, body=body))).record()


def test_there_is_a_schema_for_every_topic() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == {"envelope", "fact", "signal", *Topic}
    for path in FOLDER.glob("*.json"):
        assert validator(path.stem)


@pytest.mark.parametrize("name", sorted(schemas()))
def test_the_files_are_what_the_records_say(name: str) -> None:
    assert (FOLDER / f"{name}.json").read_text(encoding="utf-8") == text_of(schemas()[name])


@pytest.mark.parametrize(
    "order",
    [
        Order(rounds=1, seed=300, faults=("underpaid",)),
        Order(rounds=1, seed=300, faults=("dealer-card-exposed:flip",)),
        Order(rounds=1, seed=102, house="washington"),
        Order(rounds=1, seed=100, house="south-dakota"),
    ],
    ids=lambda order: order.faults[0] if order.faults else order.house,
)
def test_what_the_pipeline_says_is_as_promised(order: Order) -> None:
    clip = scripted_clip(order, Noise(), 10.0)
    pipeline = Judge("t", clip.sheet, clip.layout)
    messages, last_ns = [], 0
    for sight in clip:
        messages += pipeline.update(sight)
        last_ns = sight.t_ns
    messages += pipeline.finish(last_ns)
    assert {message.topic for message in messages} >= {"events", "rounds", "coverage"}
    for message in messages:
        assert lacks(told(OF_FILE[message.topic], message.record.plain())) == []


@pytest.mark.parametrize(
    ("topic", "body"),
    [
        (Topic.EVENT, bodies.event()),
        (Topic.ROUND, bodies.played()),
        (Topic.ALERT, bodies.alert()),
        (Topic.SESSION, bodies.session()),
        (Topic.COVERAGE, bodies.covered(0, 1)),
        (Topic.CLIP, bodies.clip(bodies.alert())),
        (Topic.ACKNOWLEDGEMENT, {"alert": "a", "round": "t-0001", "by": "ada", "assigned": "ben", "wall_ns": 3}),
        (Topic.DISPOSITION, bodies.disposition("t-0001")),
        (
            Topic.CORRECTION,
            {"round": "t-0001", "part": "bonus_card", "value": "Td", "was": "??", "by": "ada", "wall_ns": 3},
        ),
        (Topic.DISPOSITION, bodies.disposition("t-0001") | {"alert": "a", "saved_cents": 5, "dealer": "7"}),
        (Topic.PULSE, bodies.pulse() | {"last_seq": 4, "pace": 1.0}),
        (Topic.PICTURE, bodies.picture()),
    ],
)
def test_the_bodies_of_the_tests_are_as_promised(topic: Topic, body: bodies.Body) -> None:
    assert lacks(told(topic, body)) == []
    assert lacks(told(topic, body | {"colour": "red"}))
    assert lacks(told(topic, {}))


def test_the_schemas_know_every_code_and_every_kind_of_event() -> None:
    assert read_schema("alert")["properties"]["code"]["enum"] == list(Code)
    kinds = [kind.__name__.lower() for kind in get_args(ev.Event)]
    assert sorted(read_schema("event")["properties"]["kind"]["enum"]) == sorted(kinds)
