"""How good the finder is: stills with truth and what was found in them enter, counts by condition leave.

A card counts as found at an overlap of one half, a hand at 0.3, a stack when its base is within 10 mm. What shows less
than 40 % is neither asked for nor wrong; nor is the top card of a pack (a stub, a pile of discards), which is a card
face down to whoever looks from above.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.learn.finder.things import PACKS
from studio.learn.pictures import Still
from vision.detect.detection import Found
from vision.detect.overlap import iou_matrix
from vision.values.geometry import Camera

ASKED = 0.4  # visible share
CARD_IOU, HAND_IOU, BASE_MM = 0.5, 0.3, 10.0
GROUPS = {"cards": ("card",), "stacks": ("stack",), "hands": ("hand",)}
Scores = NDArray[np.float64]  # one row for each thing found, one column for each true one; 0: they do not match


@dataclass
class Tally:
    """What was asked for, found and imagined; by condition for what was asked."""

    asked: int = 0
    found: int = 0
    imagined: int = 0
    sides_right: int = 0  # of cards: face up or down
    by: dict[str, Counter[str]] = field(default_factory=dict)  # condition -> asked, found

    @property
    def recall(self) -> float:
        """Return which share of what was asked for was found."""
        return self.found / self.asked if self.asked else float("nan")

    @property
    def precision(self) -> float:
        """Return which share of what was found is there."""
        return self.found / (self.found + self.imagined) if self.found + self.imagined else float("nan")

    def record(self) -> dict[str, Any]:
        """Return the tally as files write it."""
        shares = {name: {**c, "recall": round(c["found"] / c["asked"], 4)} for name, c in sorted(self.by.items())}
        numbers = {"asked": self.asked, "found": self.found, "imagined": self.imagined}
        return {**numbers, "recall": round(self.recall, 4), "precision": round(self.precision, 4), "by": shares}


def judge(stills: Sequence[Still], look: Callable[[Still], Sequence[Found]]) -> dict[str, Tally]:
    """Judge what `look` finds in each still."""
    tallies = {name: Tally() for name in GROUPS}
    for still in stills:
        found, camera = look(still), Camera.from_dict(still.camera)
        for name, kinds in GROUPS.items():
            mine = [thing for thing in found if thing.kind.startswith(kinds)]
            true = [entry for entry in still.objects if entry["kind"].startswith(kinds)]
            _count(tallies[name], mine, true, scores(name, mine, true, camera), still)
    return tallies


def scores(name: str, found: Sequence[Found], true: Sequence[dict[str, Any]], camera: Camera) -> Scores:
    """Return how well each thing found matches each true one; 0 where it does not count as found."""
    if not found or not true:
        return np.zeros((len(found), len(true)))
    if name == "stacks":
        return _nearness(found, true, camera)
    size = (camera.lens.width, camera.lens.height)
    here, there = np.array([thing.quad for thing in found]), np.array([entry["quad"] for entry in true])
    if name == "hands":  # an arm goes on outside the picture
        here, there = np.clip(here, 0, size), np.clip(there, 0, size)
    overlap = iou_matrix(here, there)
    return np.asarray(np.where(overlap >= (CARD_IOU if name == "cards" else HAND_IOU), overlap, 0.0))


def _nearness(found: Sequence[Found], true: Sequence[dict[str, Any]], camera: Camera) -> Scores:
    there = np.array([[entry["x"], entry["y"]] for entry in true])
    here = camera.place(np.array([thing.base for thing in found], float))[:, :2]
    apart = np.linalg.norm(here[:, None] - there[None], axis=-1)
    return np.asarray(np.maximum(1 - apart / BASE_MM, 0.0))


def matches(score: Scores) -> Iterator[tuple[int, int]]:
    """Yield pairs, the best first, each thing once."""
    left = score.copy()
    while left.size and left.max() > 0:
        i, j = divmod(int(left.argmax()), left.shape[1])
        yield i, j
        left[i], left[:, j] = 0, 0


def _count(tally: Tally, found: Sequence[Found], true: Sequence[dict[str, Any]], score: Scores, still: Still) -> None:
    pairs = {j: i for i, j in matches(score)}
    for j, entry in enumerate(true):
        if entry["visible"] < ASKED:
            continue
        tally.asked += 1
        tally.found += j in pairs
        for name in conditions(entry, still):
            tally.by.setdefault(name, Counter()).update(asked=1, found=int(j in pairs))
        if entry["kind"] == "card" and j in pairs:
            tally.sides_right += found[pairs[j]].kind == f"card_{entry['face']}"
    taken = set(pairs.values())
    ignored = [j for j, entry in enumerate(true) if entry["visible"] < ASKED]
    tally.imagined += sum(
        i not in taken and not score[i, ignored].any() and not is_of_pack(thing, still) for i, thing in enumerate(found)
    )


def is_of_pack(thing: Found, still: Still) -> bool:
    """Say whether a card found is the top of a pack."""
    middle = np.mean(thing.quad, axis=0)
    packs = [np.array(entry["quad"]) for entry in still.objects if entry.get("what") in PACKS]
    inside = ((middle >= quad.min(axis=0)).all() and (middle <= quad.max(axis=0)).all() for quad in packs)
    return thing.kind.startswith("card") and any(inside)


def conditions(entry: dict[str, Any], still: Still) -> Iterator[str]:
    """Yield under which conditions a thing was filmed."""
    yield f"visible {int(entry['visible'] * 5) / 5:.1f}+"
    yield f"felt {still.look['felt']}"
    yield f"rig {still.look['rig']}"
    yield f"tilt {int(Camera.from_dict(still.camera).tilt_deg() // 10) * 10}+"
    if entry["kind"] == "card":
        yield f"face {still.look['face']}" if entry["face"] == "up" else f"back {still.look['back']}"
        yield f"{width_px(entry) // 10 * 10:.0f}+ px wide"
    if entry["kind"] == "stack":
        yield f"chips {still.look['chips']}"
        yield f"{min(len(entry['cents']), 8)} high"


def width_px(entry: dict[str, Any]) -> float:
    """Return how wide a card appears, along its short side."""
    quad = np.array(entry["quad"])
    return float(np.linalg.norm((quad[1] + quad[2] - quad[0] - quad[3]) / 2))
