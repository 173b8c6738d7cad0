"""The topics of the bus: what is stored and numbered, and what only passes."""

from enum import StrEnum
from typing import Final

VERSION: Final = 1  # of every body; a change that an old reader would misread raises it


class Topic(StrEnum):
    """What an envelope is about; `docs/schemas/TOPIC.json` says what its body holds."""

    SESSION = "session"  # a watcher began or ended
    EVENT = "event"  # something happened at the table
    ROUND = "round"  # a round has ended, with its verdict
    ALERT = "alert"  # raised, amended or withdrawn
    COVERAGE = "coverage"  # a span of time: watched, not observed, or closed
    CLIP = "clip"  # the film and the still of an alert are ready
    ACKNOWLEDGEMENT = "acknowledgement"  # somebody has taken notice of an alert
    DISPOSITION = "disposition"  # what a reviewer says of a round, or of an alert
    CORRECTION = "correction"  # a person says what really was
    PULSE = "pulse"  # how the watcher is, once a second
    PICTURE = "picture"  # what the camera sees now; the JPEG travels beside the envelope

    @property
    def is_stored(self) -> bool:
        """Whether it is kept and numbered before it is published."""
        return self not in PASSING


PASSING: Final = frozenset({Topic.PULSE, Topic.PICTURE})
STORED: Final = tuple(topic for topic in Topic if topic.is_stored)
OF_FILE: Final = {
    "events": Topic.EVENT,
    "rounds": Topic.ROUND,
    "alerts": Topic.ALERT,
    "coverage": Topic.COVERAGE,
}  # the topic for each file of a replay, which is also the topic of a pipeline's message
