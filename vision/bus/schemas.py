"""JSON Schemas of everything that is written and sent: the records enter, the files of `docs/schemas` leave.

`python -m vision.bus.schemas` writes them again; a test compares the files with the records.
"""

import json
from pathlib import Path
from typing import Any, Final

from vision.bus.topics import VERSION, Topic
from vision.records.acknowledgement import Acknowledgement
from vision.records.alert import Alert
from vision.records.clip import Clip
from vision.records.correction import Correction
from vision.records.coverage import Coverage
from vision.records.disposition import Disposition
from vision.records.event import Event
from vision.records.fact import FACT
from vision.records.picture import Picture
from vision.records.pulse import Pulse
from vision.records.record import TABLE_NAME, Record
from vision.records.round import Round
from vision.records.session import Session
from vision.records.signal import Signal

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SIGNAL, ENVELOPE, FACTS = "signal", "envelope", "fact"
BODIES: Final[dict[Topic, type[Record]]] = {
    Topic.SESSION: Session,
    Topic.EVENT: Event,
    Topic.ROUND: Round,
    Topic.ALERT: Alert,
    Topic.COVERAGE: Coverage,
    Topic.CLIP: Clip,
    Topic.ACKNOWLEDGEMENT: Acknowledgement,
    Topic.DISPOSITION: Disposition,
    Topic.CORRECTION: Correction,
    Topic.PULSE: Pulse,
    Topic.PICTURE: Picture,
}
Schema = dict[str, Any]


def schemas() -> dict[str, Schema]:
    """Return the schema of every record and of the envelope, by name."""
    records = {str(topic): _schema(str(topic), record) for topic, record in BODIES.items()}
    return {**records, SIGNAL: _schema(SIGNAL, Signal, "validation"), FACTS: _fact(), ENVELOPE: _envelope()}


def text_of(schema: Schema) -> str:
    """Return a schema as its file has it."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def write(folder: Path) -> None:
    """Write all schemas into a folder."""
    for name, schema in schemas().items():
        (folder / f"{name}.json").write_text(text_of(schema), encoding="utf-8")


def _schema(name: str, record: type[Record], mode: Any = "serialization") -> Schema:
    schema = record.model_json_schema(mode=mode)
    return {**_head(name), **_untitled(schema), "title": name}


def _fact() -> Schema:
    """Return the schema of a line of a facts file: one of several kinds."""
    schema = _untitled(FACT.json_schema(mode="serialization"))
    return {**_head(FACTS), "description": "What the camera proved about a table: a line of facts.jsonl.", **schema}


def _head(name: str) -> Schema:
    return {"$schema": DIALECT, "$id": _id(name), "title": name}


def _id(name: str) -> str:
    return f"urn:feltwatch:{name}:{VERSION}"


def _untitled(schema: Any) -> Any:
    """Return a schema without the titles that only repeat the names of fields."""
    if isinstance(schema, dict):
        return {k: _untitled(v) for k, v in schema.items() if not (k == "title" and isinstance(v, str))}
    return [_untitled(entry) for entry in schema] if isinstance(schema, list) else schema


def _envelope() -> Schema:
    fields: Schema = {
        "table": {"type": "string", "pattern": f"^{TABLE_NAME.pattern}$"},
        "seq": {
            "type": ["integer", "null"],
            "minimum": 1,
            "description": "counts what is stored of the table, without gaps",
        },
        "t_ns": {"type": "integer", "minimum": 0, "description": "nanoseconds of stream time"},
        "topic": {"enum": [str(topic) for topic in Topic]},
        "version": {"const": VERSION},
        "body": {"type": "object"},
    }
    about = "The one form in which anything about a table is stored, sent and printed."
    return {
        **_head(ENVELOPE),
        "description": about,
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
        "allOf": [_body_of(topic) for topic in Topic],
    }


def _body_of(topic: Topic) -> Schema:
    seq = {"type": "integer" if topic.is_stored else "null"}
    then = {"properties": {"seq": seq, "body": {"$ref": _id(topic)}}}
    return {"if": {"properties": {"topic": {"const": str(topic)}}}, "then": then}


if __name__ == "__main__":
    write(Path(__file__).parents[2] / "docs" / "schemas")
