"""A record on its way to the files, the store and the bus."""

from dataclasses import dataclass

from vision.records.alert import Alert
from vision.records.coverage import Coverage
from vision.records.event import Event
from vision.records.round import Round


@dataclass(frozen=True, slots=True)
class Message:
    """What leaves: a record for one of the files 'events', 'rounds', 'alerts', 'coverage'."""

    topic: str
    record: Event | Round | Alert | Coverage
