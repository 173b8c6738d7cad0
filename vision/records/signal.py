"""A message from another system: shuffler, deck change, progressive controller."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signal:
    """What another system says; `story/signals` knows the kinds, and which fields each has."""

    t_ns: int
    kind: str
    seat: int | None = None
    cents: int | None = None
    number: int | None = None
    name: str | None = None
    since_ns: int | None = None  # of a deck: since when it is in play; below 0 is before the stream began
