"""Real photographs with labels: a folder enters, photographs leave; and how many of their cards are named right.

Labels differ by source: some box whole cards, some one index corner; some know only the rank. A whole-card label counts
when a card found at its place is named right, an index label when its centre lies in the quad of a card named right.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.faces.photos import training_files
from vision.detect.detection import Detection
from vision.detect.overlap import iou_matrix
from vision.values.errors import InputError

SAME_PLACE = 0.4  # overlap of upright boxes: labelled ones are loose, and some show only what is not covered


@dataclass(frozen=True)
class Label:
    """One labelled card: rank and suit ('?' where unknown), its box, and whether the box is of an index alone."""

    name: str
    box: tuple[float, float, float, float]
    is_index: bool

    def names(self, card: str) -> bool:
        """Say whether a card read is the one labelled."""
        return card == self.name or (self.name[1] == "?" and card[0] == self.name[0])


@dataclass(frozen=True)
class Photograph:
    """A photograph with its face-up cards."""

    path: Path
    source: str
    deck: str
    labels: tuple[Label, ...]


def read_photographs(folder: Path) -> list[Photograph]:
    """Read the index of a folder of photographs; jokers and backs are left out."""
    index = folder / "labels.json"
    try:
        records = json.loads(index.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{index}: cannot be read: {error}") from error
    return [
        Photograph(folder / record["file"], record["source"], record.get("deck") or "", tuple(_labels(record["cards"])))
        for record in records
    ]


def _labels(cards: Sequence[dict[str, object]]) -> Iterator[Label]:
    for card in cards:
        name = card["label"]
        if isinstance(name, str) and len(name) == 2 and card["face"] == "up":
            u0, v0, u1, v1 = map(float, card["box"])  # type: ignore[call-overload]
            yield Label(name, (u0, v0, u1, v1), card["part"] == "index")


def held_out(photographs: Sequence[Photograph]) -> list[Photograph]:
    """Return the photographs that no network has learned from."""
    return [one for one in photographs if one.path.name not in training_files(one.path.parent)]


def right_labels(photograph: Photograph, detections: Sequence[Detection]) -> int:
    """Return how many labels of a photograph are answered by a card named right."""
    cards = [(np.array(one.found.quad), str(one.face.card)) for one in detections if one.face and one.face.card]
    return sum(_is_answered(label, cards) for label in photograph.labels)


def _is_answered(label: Label, cards: Sequence[tuple[NDArray[np.float64], str]]) -> bool:
    u0, v0, u1, v1 = label.box
    for quad, name in cards:
        if not label.names(name):
            continue
        if label.is_index:
            middle = ((u0 + u1) / 2, (v0 + v1) / 2)
            if cv2.pointPolygonTest(quad.astype(np.float32), middle, False) >= 0:
                return True
        else:
            (a0, b0), (a1, b1) = quad.min(axis=0), quad.max(axis=0)
            boxes = [[[p, q], [r, q], [r, s], [p, s]] for p, q, r, s in ((a0, b0, a1, b1), label.box)]
            if iou_matrix(boxes[:1], boxes[1:])[0, 0] >= SAME_PLACE:
                return True
    return False


def by_source(photographs: Sequence[Photograph], right: Sequence[int]) -> dict[str, dict[str, float]]:
    """Return how many labels of each source were answered."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for photograph, number in zip(photographs, right, strict=True):
        source = f"{photograph.source} {photograph.deck}".strip()
        sums[source][0] += number
        sums[source][1] += len(photograph.labels)
    return {name: {"right": a, "labels": b, "share": round(a / max(b, 1), 4)} for name, (a, b) in sorted(sums.items())}
