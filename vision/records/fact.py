"""The records of facts: what the camera proved about a table, with likelihoods; the boundary between sight and story.

Facts are told in the order in which they were known. `t_ns` is when it happened as far as can be told, `after_ns` the
last moment at which it had not happened yet, `known_ns` the frame at which it was told. Numbers are rounded when a fact
is made, so that a story told from the file is the story told live. A later fact of one thing replaces an earlier one of
the same kind where the kind says so (`Present`, `Read`, `Trip`); else a fact is taken back only by another fact.
"""

from collections.abc import Iterable
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, TypeAdapter

from vision.records.record import Count, Omittable, Record, StreamNs
from vision.records.signal import Signal

FIRST: Final = -1  # of `after_ns`: it was so when watching began
MAX_LOG_ODDS: Final = 30.0  # no number of looks makes anything surer


def _rounded(digits: int) -> AfterValidator:
    """Return what rounds a number; -0.0 becomes 0.0, so that equal facts have equal bytes."""
    return AfterValidator(lambda value: round(value, digits) + 0.0)


def _bounded(value: float) -> float:
    return round(min(max(value, -MAX_LOG_ODDS), MAX_LOG_ODDS), 2) + 0.0


Mm = Annotated[float, _rounded(1)]
Degrees = Annotated[float, _rounded(1)]
Chance = Annotated[float, _rounded(5), Field(json_schema_extra={"minimum": 0, "maximum": 1})]
LogOdds = Annotated[float, AfterValidator(_bounded), Field(description="natural logarithm of p / (1 - p)")]
ThingId = Annotated[
    int, Field(description="counts from 1 in a run, never used again", json_schema_extra={"minimum": 1})
]
TripId = Annotated[int, Field(description="counts from 1 in a run, never used again", json_schema_extra={"minimum": 1})]
ThingKind = Literal["card_up", "card_down", "stack", "other"]


class Place(Record):
    """Where a thing is: the middle of a card, or of a stack's foot, with every zone that it may belong to."""

    x: Mm
    y: Mm
    z: Mm = Field(0.0, description="of a stack that stands on another")
    sigma_mm: Mm
    angle: Omittable[Degrees] = Field(None, description="of a card: the way its long side points, 0 along +y")
    zones: tuple[tuple[str, Chance], ...] = Field(
        description="as seat.3.ante, across seats, the likeliest first; what lacks to 1 is elsewhere"
    )


class _Fact(Record):
    """What all facts have."""

    known_ns: StreamNs
    t_ns: StreamNs
    frames: tuple[Count, ...] = Field(
        (), description="numbers of the frames that prove it, few, the last one is known_ns's"
    )


class _ThingFact(_Fact):
    """A fact about one thing."""

    thing: ThingId
    thing_kind: ThingKind
    after_ns: int = Field(FIRST, description="the last moment at which it had not happened; -1: never seen otherwise")
    place: Place
    log_odds: LogOdds = Field(description="that it is so, by all looks up to now, with the price of an error")
    by: tuple[tuple[TripId, Chance], ...] = Field(
        (), description="trips that may have done it, the likeliest first; what lacks to 1 is a hand that was not seen"
    )


class Appeared(_ThingFact):
    """A thing is there that was not. Reported as soon as it is likelier than not; `Present` says how sure it gets."""

    kind: Literal["appeared"] = "appeared"


class Present(_ThingFact):
    """How sure it is by now that a thing is real and there, and where; replaces what was reported of it before."""

    kind: Literal["present"] = "present"
    looks: Count = Field(description="that saw it")
    looked: Count = Field(description="that would have seen it: nothing in front of it, and its place was looked at")


class Vanished(_ThingFact):
    """A thing is not there any more; `t_ns` is when it was last seen or could last have been there unseen."""

    kind: Literal["vanished"] = "vanished"


class Returned(_ThingFact):
    """A thing that was reported gone was only missed: it lies there still, unmoved."""

    kind: Literal["returned"] = "returned"


class Moved(_ThingFact):
    """A thing that vanished elsewhere is this one; one of several such facts may be true."""

    kind: Literal["moved"] = "moved"
    was: ThingId = Field(description="its id at the old place")


class Turned(_ThingFact):
    """A card shows its other side; `thing_kind` is the new one."""

    kind: Literal["turned"] = "turned"


class Changed(_ThingFact):
    """A standing stack has other chips than before: readings that follow belong to its next content."""

    kind: Literal["changed"] = "changed"
    content: Count = Field(description="number of the new content, from 0")
    grew: Chance = Field(description="that there is more now, if it changed")


class Replaced(_ThingFact):
    """Another card lies where one lay: faces that exclude each other at one place."""

    kind: Literal["replaced"] = "replaced"
    was: ThingId = Field(description="the card that lay there; it is gone")


class Shifted(_ThingFact):
    """The top of a pile jumped by a few millimetres: another card may lie on it."""

    kind: Literal["shifted"] = "shifted"
    dx: Mm
    dy: Mm


class Read(_ThingFact):
    """All that is known of a thing's face, chips or back: the pooled distribution, replaces the one before."""

    kind: Literal["read"] = "read"
    looks: Count = Field(description="that could be read")
    faces: Omittable[dict[str, Chance]] = Field(
        None, description="of a card: probability by face; what lacks to 1 is shared evenly by those not named"
    )
    content: Omittable[Count] = Field(None, description="of a stack: number of the content that was read")
    amounts: Omittable[tuple[tuple[int, Chance], ...]] = Field(
        None, description="of a stack: cents and probability, the likeliest first; what lacks to 1 is another amount"
    )
    bounds: Omittable[tuple[int, int]] = Field(None, description="of a stack: cents that the rest is within (98 %)")
    counts: Omittable[tuple[tuple[int, Chance], ...]] = Field(
        None, description="of a stack: chips and probability; what lacks to 1 is another number"
    )
    backs: Omittable[dict[str, Chance]] = Field(
        None, description="of a back: probability by deck of the table; what lacks to 1 is another's back"
    )


class Flew(_ThingFact):
    """A card was seen on its way, in 2 or 3 looks, and came to rest nowhere that is known; `place` is the last look."""

    kind: Literal["flew"] = "flew"
    path: tuple[tuple[StreamNs, Mm, Mm], ...]


class Glimpsed(_ThingFact):
    """Something was seen once or twice that belongs to no standing thing; `faces` where a face was read."""

    kind: Literal["glimpsed"] = "glimpsed"
    looks: Count
    faces: Omittable[dict[str, Chance]] = None


class Trip(_Fact):
    """One reach of one hand. Reported when it begins and again when it ends; `t_ns` is its beginning."""

    kind: Literal["trip"] = "trip"
    trip: TripId
    end_ns: int | None = Field(description="null while it lasts")
    who: tuple[tuple[str, Chance], ...] = Field(
        description="dealer or a seat's number, and how likely it is theirs, the likeliest first; the rest: not known"
    )
    path: tuple[tuple[StreamNs, Mm, Mm], ...] = Field(description="where its tip was, at fewer points")
    near: tuple[tuple[ThingId, int], ...] = Field((), description="things its tip was at, and for how many ns in all")
    things: tuple[ThingId, ...] = Field((), description="that appeared, vanished, turned or changed under it")


class Covered(_Fact):
    """A zone could not be seen: hands or things were before it. Reported when it is seen again, and while it lasts."""

    kind: Literal["covered"] = "covered"
    zone: str
    end_ns: int | None = Field(description="null while it lasts")
    share: Chance = Field(description="of the zone, on average")
    by: tuple[tuple[TripId, Chance], ...] = ()


class View(_Fact):
    """The camera's own state changed: what is reported from here on is worth as much as this says."""

    kind: Literal["view"] = "view"
    state: Literal["clear", "unsure", "blocked", "degraded", "moved", "gap"]
    what: Omittable[str] = Field(None, description="blocked, degraded: what is in the way, in words")
    moved_px: Omittable[float] = Field(None, description="moved: by so much, and registered anew")


class SignalFact(_Fact):
    """What another system said, passed on."""

    kind: Literal["signal"] = "signal"
    signal: Signal


class Tick(_Fact):
    """Time goes on. Several a second of stream time, so that a story needs no clock of its own."""

    kind: Literal["tick"] = "tick"
    quiet_ns: Count = Field(description="since the last fact that was no tick and no reading")
    hands: Count = Field(description="over the table now")


class Ended(_Fact):
    """The stream ended: the last frame."""

    kind: Literal["ended"] = "ended"
    why: Omittable[str] = Field(None, description="where it broke off")


ThingFact = (
    Appeared | Present | Vanished | Returned | Moved | Turned | Changed | Replaced | Shifted | Read | Flew | Glimpsed
)
Fact = Annotated[
    ThingFact | Trip | Covered | View | SignalFact | Tick | Ended,
    Field(discriminator="kind"),
]
FACT: Final[TypeAdapter[Fact]] = TypeAdapter(Fact)


def parse_fact(text: str | bytes) -> Fact:
    """Read one line of a facts file; the inverse of `str`."""
    return FACT.validate_json(text, extra="ignore")


def parse_facts(lines: Iterable[str]) -> list[Fact]:
    """Read the lines of a facts file; empty ones are passed over."""
    return [parse_fact(line) for line in lines if line.strip()]
