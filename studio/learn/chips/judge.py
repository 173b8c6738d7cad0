"""How well stacks are read: labelled stills and a reader enter; shares of right counts and values leave, by view.

Stacks are given where they truly are, off by as much as a finder may be, so that this judges the reader alone.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from studio.learn.chips.crops import found_of, jittered
from studio.learn.pictures import Still
from vision.detect.detection import StackReading
from vision.detect.stack_crop import view_of
from vision.detect.stacks import StackReader
from vision.values.chips import ChipSet, read_chip_set
from vision.values.geometry import Camera
from vision.values.resources import shipped

SHOWN = 0.5  # stacks that show less are not judged
JITTER_PX = (0.3, 1.5)
SMALL = 8
VIEWS = {"clear": (2.0, 99.0), "between": (1.5, 2.0), "steep": (0.7, 1.5), "overhead": (0.0, 0.7)}  # px of edge a chip


@dataclass(frozen=True)
class Judged:
    """One stack: what it is and what was read."""

    cents: tuple[int, ...]
    edge_px: float
    reading: StackReading
    place: str  # picture and id, to find it again

    @property
    def view(self) -> str:
        """Return how a camera sees it; small stacks and high ones are told apart."""
        name = next(name for name, (low, high) in VIEWS.items() if low <= self.edge_px < high)
        return name if len(self.cents) <= SMALL else f"{name}-high"

    def marks(self) -> dict[str, float]:
        """Return what is right about the reading."""
        reading, number, worth = self.reading, len(self.cents), sum(self.cents)
        found: dict[str, float] = {
            "count_exact": reading.count == number,
            "count_within_one": abs(reading.count - number) <= 1,
            "count_in_bounds": reading.count_bounds[0] <= number <= reading.count_bounds[1],
            "count_span": reading.count_bounds[1] - reading.count_bounds[0],
        }
        if reading.value_cents is not None and reading.value_bounds is not None:
            low, high = reading.value_bounds
            found |= {
                "value_exact": reading.value_cents == worth,
                "value_in_bounds": low <= worth <= high,
                "top_chip": reading.denominations[-1] == self.cents[-1],
                "stated": reading.value_p,
            }
        return {name: float(mark) for name, mark in found.items()}


def judge(stills: list[Still], reader: StackReader) -> dict[str, Any]:
    """Return the marks by view, with a calibrated camera, without one, and without a chip set."""
    return {
        "posed": summed(judged_stacks(stills, reader)),
        "unposed": summed(judged_stacks(stills, reader, is_posed=False)),
        "no_chip_set": summed(judged_stacks(stills, reader, is_named=False)),
    }


def judged_stacks(
    stills: list[Still], reader: StackReader, is_posed: bool = True, is_named: bool = True
) -> list[Judged]:
    """Read all stacks of stills that show enough."""
    sets: dict[str, ChipSet] = {}
    found: list[Judged] = []
    for number, still in enumerate(stills):
        name = still.look["chips"]
        chips = sets.setdefault(name, read_chip_set(shipped("calibration") / "chips" / f"{name}.toml"))
        found += _judged_still(still, reader, chips, (is_posed, is_named), np.random.default_rng([number, 11]))
    return found


def _judged_still(
    still: Still, reader: StackReader, chips: ChipSet, known: tuple[bool, bool], rng: np.random.Generator
) -> list[Judged]:
    camera = Camera.from_dict(still.camera)
    things = [thing for thing in still.objects if thing["kind"] == "stack" and thing["visible"] >= SHOWN]
    truths = [found_of(thing, camera, chips) for thing in things]
    size = (chips.diameter_mm, chips.thickness_mm)
    edges = [view_of(truth, size, camera).fall_px for truth in truths]
    stacks = [jittered(rng, truth, JITTER_PX) for truth in truths]
    readings = reader.read(still.picture(), stacks, chips if known[1] else None, camera if known[0] else None)
    return [
        Judged(tuple(thing["cents"]), edge, reading, f"{still.path}#{thing['id']}")
        for thing, edge, reading in zip(things, edges, readings, strict=True)
    ]


def summed(judged: list[Judged]) -> dict[str, dict[str, float]]:
    """Return the mean of each mark by view, and how many stacks there were."""
    marks: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in judged:
        for name, mark in one.marks().items():
            marks[one.view][name].append(mark)
            marks["all"][name].append(mark)
    return {
        view: {"stacks": float(len(names["count_exact"]))} | {name: float(np.mean(got)) for name, got in names.items()}
        for view, names in sorted(marks.items())
    }


def calibration(judged: list[Judged], bins: int = 10) -> list[tuple[float, float, int]]:
    """Return stated probability, share that was right, and number, for values in bins of what was stated."""
    pairs = [(one.reading.value_p, one.reading.value_cents == sum(one.cents)) for one in judged]
    curve = []
    for i in range(bins):
        inside = [(p, right) for p, right in pairs if i / bins < p <= (i + 1) / bins]
        if inside:
            curve.append((float(np.mean([p for p, _ in inside])), float(np.mean([r for _, r in inside])), len(inside)))
    return curve
