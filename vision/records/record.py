"""What all records share: exact when we write, tolerant when we read, one text form; and the types of their fields.

Ranges and patterns are told in the schemas and not enforced here: a watcher does not stop because a number is odd, and
the truth of a clip may begin before its stream.
"""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from vision.values.cards import parse_seen

TABLE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
FACE: Final = r"^([A2-9TJQK][cdhs]|\?\?)$"


def canonical(value: object) -> str:
    """Return the one way in which we write a value as JSON: the same bytes for the same content."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


class Record(BaseModel):
    """Anything that is written or sent. A field that we build with is known; what other writers add is passed over."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", json_schema_serialization_defaults_required=True
    )

    def __str__(self) -> str:
        return canonical(self.plain())

    def plain(self) -> dict[str, Any]:
        """Return the record as plain values, ready for JSON."""
        return self.model_dump(mode="json")

    @classmethod
    def parse(cls, text: str | bytes) -> Self:
        """Read a record; the inverse of `str`."""
        return cls.model_validate_json(text, extra="ignore")

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Self:
        """Read a record from plain values, as JSON has them; the inverse of `plain`."""
        return cls.model_validate(plain, extra="ignore", strict=False)  # JSON has lists where we have tuples


class _NeverNull:
    """Says in a schema that a field is left out where it is None."""

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        value: JsonSchemaValue = handler(core)["anyOf"][0]
        return value


def _as_face(text: str) -> str:
    return str(parse_seen(text))


Value = TypeVar("Value")
Omittable = Annotated[Value | None, _NeverNull(), Field(exclude_if=lambda value: value is None)]
TableName = Annotated[str, Field(json_schema_extra={"pattern": f"^{TABLE_NAME.pattern}$"})]
StreamNs = Annotated[int, Field(description="nanoseconds of stream time", json_schema_extra={"minimum": 0})]
WallNs = Annotated[int, Field(description="nanoseconds since 1970, UTC", json_schema_extra={"minimum": 0})]
Count = Annotated[int, Field(json_schema_extra={"minimum": 0})]
Probability = Annotated[float, Field(json_schema_extra={"minimum": 0, "maximum": 1})]
SeatNumber = Annotated[int, Field(description="from the dealer's left", json_schema_extra={"minimum": 1, "maximum": 7})]
Face = Annotated[
    str,
    AfterValidator(_as_face),
    Field(description="rank and suit; ?? for a face that was not seen", json_schema_extra={"pattern": FACE}),
]
