"""Lessons: where the finder still errs on the stills it learns from, and each card as it roughly found it.

Most of a table is easy after an hour of training; the rest (a discard rack like a card, the third card of a fan) shows
in one tile of twenty. Lessons name those places, so that training can go there. Cards as roughly found are what the
corner refiner will be asked about.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from studio.learn.pictures import Still
from vision.values.geometry import Floats


@dataclass(frozen=True, slots=True)
class Lesson:
    """Of one still: the middles of what was missed or imagined, and the cards as they were roughly found."""

    errors: Floats  # (n, 2)
    rough: Floats  # (n, 4, 2)


NOTHING = Lesson(np.zeros((0, 2)), np.zeros((0, 4, 2)))


def read_lessons(file: Path | None) -> dict[str, Lesson]:
    """Return lessons by the name of their still; none if there is no file yet."""
    if file is None or not file.exists():
        return {}
    record = json.loads(file.read_text(encoding="utf-8"))
    return {
        name: Lesson(np.array(entry["errors"]).reshape(-1, 2), np.array(entry["rough"]).reshape(-1, 4, 2))
        for name, entry in record.items()
    }


def lesson_of(still: Still, lessons: dict[str, Lesson]) -> Lesson:
    """Return the lesson of a still; an empty one where there is none."""
    return lessons.get(name_of(still), NOTHING)


def name_of(still: Still) -> str:
    """Return the name by which lessons know a still: its look and its file."""
    return f"{still.path.parent.name}/{still.path.name}"
