"""The record of an alert, as it is raised, amended or withdrawn."""

from typing import Literal

from pydantic import Field

from vision.records.record import Count, Omittable, Probability, Record, SeatNumber, StreamNs, TableName
from vision.values.codes import Code, Severity

State = Literal["raised", "amended", "withdrawn"]


class Evidence(Record):
    """The time that proves an alert."""

    start_ns: StreamNs
    end_ns: StreamNs
    frames: tuple[Count, ...] = Field(
        (), description="numbers of frames in that time, the first and the last among them"
    )


class InnocentStory(Record):
    """The best explanation in which nothing is wrong, and how likely it is."""

    story: str
    probability: Probability


class Alert(Record):
    """What is wrong, by which rule, and the time that proves it; a later one with the same id replaces it."""

    id: str = Field(strict=False, coerce_numbers_to_str=True)  # others number their alerts
    round: str = Field("", description="TABLE-idle where no round was played")
    table: TableName = ""
    code: str = Field(json_schema_extra={"enum": list(Code)})  # another build may know more
    severity: Severity = Severity.INFO
    state: State = "raised"
    t_ns: StreamNs
    seat: SeatNumber | None = None
    wager: str | None = None
    expected: str | None = None
    observed: str = ""
    confidence: Probability = 0.0
    innocent: Omittable[InnocentStory] = None
    remedy: str | None = None
    cite: str | None = Field(None, description="the rule it rests on")
    evidence: Evidence = Field(default_factory=lambda known: Evidence(start_ns=known["t_ns"], end_ns=known["t_ns"]))
