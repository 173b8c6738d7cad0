"""How the detectors err on film: clips with their truth and what was seen in them enter; shares leave.

Only what lies still is counted, near the moments of which the truth is known, where the detectors looked. The model of
`scripted/noise` takes its rates from here.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from pathlib import Path
from statistics import mean
from typing import Any, Final

import numpy as np

from vision.observe.frame_observation import FrameObservation
from vision.observe.placing import Placed
from vision.table.zones import Zone, ZoneMap
from vision.values.geometry import Floats

NEAR_NS: Final = 170_000_000  # between an observation and a moment of the truth
SAME_MM: Final = 16.0
WHOLE: Final = 0.8  # visible share from which on a thing counts as whole
LOOKS: Final = 4  # from which on a thing that was never found was not only missed
CLEAR_HEIGHT: Final = 1440  # pictures in which chips show 2 px and more of their edges
SHOWN: Final = ((0.25, 0.4), (0.4, 0.5), (0.5, 0.6), (0.6, 0.8), (0.8, 1.01))  # visible shares
CHIPS: Final = ((1, 1), (2, 6), (7, 99))
Row = dict[str, object]


@dataclass
class StillObject:
    """A card or a stack while it lies in one place, and the looks at it: how much of it shows, and what was seen."""

    clip: str
    height: int  # of the picture
    truth: Mapping[str, Any]
    first_ns: int
    last_ns: int
    looks: list[tuple[float, Placed | None]] = field(default_factory=list)
    times_ns: list[int] = field(default_factory=list)  # of the looks

    def within(self, low: float, high: float) -> list[Placed | None]:
        """Return what was seen at the looks at which so much shows."""
        return [seen for visible, seen in self.looks if low <= visible < high]


def measured(clips: Iterable[tuple[str, Path, ZoneMap, Sequence[FrameObservation]]]) -> list[Row]:
    """Return the rates over clips: name, truth file, zones of the felt, observations."""
    found_objects = [still for clip in clips for still in still_objects(*clip)]
    return [*_cards(found_objects), *_faces(found_objects), *_stacks(found_objects)]


def still_objects(
    name: str, path: Path, zones: ZoneMap, observations: Sequence[FrameObservation]
) -> Iterator[StillObject]:
    """Yield what lay still in a clip, with the looks at it."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    height = next(line["camera"]["height"] for line in lines if line["kind"] == "clip")
    frames = [line for line in lines if line["kind"] == "frame"]
    at_frame, found_objects = _resting(name, height, frames)
    times = np.array([frame["t_ns"] for frame in frames])
    for observation in observations:
        nearest = int(np.abs(times - observation.t_ns).argmin())
        if abs(int(times[nearest]) - observation.t_ns) <= NEAR_NS:
            _look(observation, at_frame[nearest], zones)
    yield from (still for still in found_objects if still.looks)


def _resting(
    name: str, height: int, frames: Sequence[Mapping[str, Any]]
) -> tuple[list[list[tuple[StillObject, float]]], list[StillObject]]:
    """Return, for each moment of the truth, what lies there with how much of it shows; and all of it."""
    known: dict[tuple[object, ...], StillObject] = {}
    at_frame: list[list[tuple[StillObject, float]]] = []
    found_objects: list[StillObject] = []
    for frame in frames:
        now: dict[tuple[object, ...], StillObject] = {}
        things = [
            thing for thing in frame["objects"] if thing["kind"] in ("card", "stack") and thing["turn"] % 180 == 0
        ]
        for thing in things:
            place = (round(thing["x"]), round(thing["y"]), round(thing["z"]))
            key = (thing["id"], place, thing.get("face"), tuple(thing.get("cents", ())))
            still = known.get(key) or StillObject(name, height, thing, frame["t_ns"], frame["t_ns"])
            still.last_ns = frame["t_ns"]
            now[key] = still
        found_objects += [still for key, still in now.items() if key not in known]
        at_frame.append([(still, thing["visible"]) for still, thing in zip(now.values(), things, strict=True)])
        known = now
    return at_frame, found_objects


def _look(observation: FrameObservation, there: Sequence[tuple[StillObject, float]], zones: ZoneMap) -> None:
    """Note what an observation says of the things that lie there."""
    free = [thing for thing in observation.things if thing.kind != "hand"]
    for still, visible in sorted(there, key=lambda one: -one[1]):  # what lies above another is what was found
        x, y, is_card = still.truth["x"], still.truth["y"], still.truth["kind"] == "card"
        is_still = still.first_ns <= observation.t_ns <= still.last_ns
        if not is_still or not _is_looked_at(observation, _zone(zones, np.array([[x, y]]), is_card=is_card)):
            continue
        alike = [thing for thing in free if thing.kind.startswith("card") == is_card and thing.kind != "other"]
        nearest = min(alike, key=lambda thing: hypot(thing.x - x, thing.y - y), default=None)
        if nearest is not None and hypot(nearest.x - x, nearest.y - y) > SAME_MM:
            nearest = None
        free = [thing for thing in free if thing is not nearest]
        still.looks.append((visible, nearest))
        still.times_ns.append(observation.t_ns)


def _zone(zones: ZoneMap, place: Floats, *, is_card: bool) -> Zone:
    return zones.zones[int(zones.at(zones.cards if is_card else zones.chips, place)[0])]


def _is_looked_at(observation: FrameObservation, zone: Zone) -> bool:
    return observation.looked is None or zone in observation.looked


def _cards(found_objects: Sequence[StillObject]) -> Iterator[Row]:
    """Yield how often cards are found, by how much of them shows; backs also for each clip's look."""
    for side in ("up", "down"):
        mine = [still for still in found_objects if still.truth.get("face") == side]
        for low, high in SHOWN:
            looks = [still.within(low, high) for still in mine]
            often = [any(seen) for seen in looks if len(seen) >= LOOKS]
            found = [seen is not None for each in looks for seen in each]
            yield _row(f"cards face {side}, {low:.0%} and more shows: looks that find them", found)
            yield _row(
                f"cards face {side}, {low:.0%} and more shows: never found while they lie", [not x for x in often]
            )
    by_clip: dict[str, list[bool]] = defaultdict(list)
    for still in (still for still in found_objects if still.truth.get("face") == "down"):
        by_clip[still.clip] += [seen is not None for seen in still.within(WHOLE, 2.0)]
    shares = sorted(round(mean(found), 2) for found in by_clip.values() if found)
    yield {"rate": "whole backs that are found, clip by clip", "of": len(shares), "each": shares}


def _faces(found_objects: Sequence[StillObject]) -> Iterator[Row]:
    """Yield how often faces are read rightly, wrongly and not at all."""
    for low, high in ((0.25, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.01)):
        pairs = [
            (str(seen.detection.face.card or ""), still.truth["card"])
            for still in found_objects
            if still.truth.get("face") == "up"
            for seen in still.within(low, high)
            if seen is not None and seen.detection.face is not None
        ]
        yield _row(f"faces, {low:.0%} and more shows: misread", [bool(read) and read != card for read, card in pairs])
        yield _row(f"faces, {low:.0%} and more shows: not read", [not read for read, _ in pairs])


def _stacks(found_objects: Sequence[StillObject]) -> Iterator[Row]:
    """Yield how often chips are counted and valued rightly, by their number and by how much of their edges shows."""
    for is_clear in (True, False):
        for low, high in CHIPS:
            pairs = [
                (seen.detection.stack, still.truth["cents"])
                for still in found_objects
                if still.truth["kind"] == "stack" and (still.height >= CLEAR_HEIGHT) == is_clear
                if low <= len(still.truth["cents"]) <= high
                for seen in still.within(WHOLE, 2.0)
                if seen is not None and seen.detection.stack is not None
            ]
            where = f"stacks of {low} to {high} chips, {'slanted' if is_clear else 'steep'} views"
            yield _row(f"{where}: miscounted", [stack.count != len(cents) for stack, cents in pairs])
            yield _row(f"{where}: value wrong", [stack.value_cents != sum(cents) for stack, cents in pairs])


def _row(name: str, hits: Sequence[bool]) -> Row:
    return {"rate": name, "share": round(mean(hits), 3) if hits else None, "of": len(hits)}
