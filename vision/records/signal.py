"""The record of a message from another system: shuffler, deck change, progressive controller."""

from pydantic import Field

from vision.records.record import Count, Omittable, Record, StreamNs


class Signal(Record):
    """What another system says of a table: a line of a replay's signals file."""

    t_ns: StreamNs = Field(ge=0)
    kind: str
    seat: Omittable[int] = Field(None, ge=1, description="progressive: whose wager was accepted")
    cents: Omittable[Count] = Field(None, ge=0, description="progressive: the wager; meter: what it shows")
    number: Omittable[Count] = Field(
        None,
        ge=0,
        description="shuffler-count: cards of the deck; stub-count: cards of the stub, between rounds of the deck",
    )
    name: Omittable[str] = Field(
        None, description="meter: main, mega, major or minor; deck: which one, where two alternate"
    )
    since_ns: Omittable[int] = Field(
        None, description="deck: since when it is in play, if not since t_ns; below 0 is before the stream began"
    )
