"""The envelope: the one form in which anything about a table is stored, sent and printed."""

from dataclasses import dataclass
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vision.bus.topics import VERSION, Topic
from vision.records.record import TABLE_NAME, canonical
from vision.values.errors import InputError, complaint, shown


class BusError(InputError):
    """What came over the bus, or an address or key for it, that cannot be used."""


def checked_table(name: str) -> str:
    """Return the name of a table if it can be a topic and a file's name."""
    if not TABLE_NAME.fullmatch(name):
        raise BusError(f"table: {shown(name)}: want a name of letters, digits, '.', '_' and '-', 64 at most")
    return name


class _Wire(BaseModel):
    """An envelope as it is written."""

    model_config = ConfigDict(extra="forbid", strict=True)

    table: str = Field(pattern=f"^{TABLE_NAME.pattern}$")
    seq: int | None = Field(ge=1)
    t_ns: int = Field(ge=0)
    topic: Topic = Field(strict=False)
    version: int = Field(ge=1)
    body: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """One message about one table; `seq` counts what is stored of it from 1, without gaps; `t_ns` is stream time."""

    table: str
    seq: int | None
    t_ns: int
    topic: Topic
    body: dict[str, Any]
    version: int = VERSION

    def __post_init__(self) -> None:
        if self.topic.is_stored != (self.seq is not None):
            wish = "a number" if self.topic.is_stored else "none: it only passes"
            raise BusError(f"seq: {self.seq} of topic {self.topic}: want {wish}")

    def __str__(self) -> str:
        return canonical(self.record())

    def record(self) -> dict[str, Any]:
        """Return the envelope as plain values."""
        return {
            "table": self.table,
            "seq": self.seq,
            "t_ns": self.t_ns,
            "topic": str(self.topic),
            "version": self.version,
            "body": self.body,
        }

    @classmethod
    def parse(cls, text: str | bytes) -> Self:
        """Read an envelope; the inverse of `str`."""
        try:
            return cls(**dict(_Wire.model_validate_json(text)))
        except ValidationError as error:
            raise BusError(f"envelope: {complaint(error)}") from error
