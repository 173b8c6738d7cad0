"""A record on its way to the files, the store and the bus."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """What leaves: a record for one of the files 'events', 'rounds', 'alerts', 'coverage'."""

    topic: str
    record: dict[str, object]
