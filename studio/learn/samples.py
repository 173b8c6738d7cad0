"""All detectors on stills with truth: each true card and stack with what was found and read of it, as one sample."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.finder.judge import ASKED, matches, scores, width_px
from studio.learn.finder.things import chip_set
from studio.learn.pictures import MAP_STEP, Still
from vision.detect.detection import Detection, FaceReading, Found, StackReading
from vision.detect.detectors import Detectors
from vision.detect.finder import scale_of
from vision.detect.overlap import areas, shared_areas
from vision.values.chips import ChipSet
from vision.values.geometry import Camera
from vision.values.sizes import CARD_MM

INDEX_MM = (13.0, 24.0)  # of a card's corner that holds its index
CLEAR = 0.8  # share of an index that must show for it to be readable
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CardSample:
    """A true card that was asked for; `found` is None where it was missed."""

    still: Still
    entry: dict[str, Any]
    found: Found | None
    face: FaceReading | None
    has_index: bool

    @property
    def width_px(self) -> float:
        """Return how wide it appears."""
        return width_px(self.entry)

    @property
    def is_read(self) -> bool:
        """Say whether its name was read right."""
        return self.face is not None and str(self.face.card) == self.entry["card"]


@dataclass(frozen=True)
class StackSample:
    """A true stack that was asked for; `edge_px` is how much of the edge of each chip shows."""

    still: Still
    entry: dict[str, Any]
    found: Found | None
    stack: StackReading | None
    edge_px: float


@dataclass(frozen=True)
class Seen:
    """One still as the detectors saw it."""

    still: Still
    detections: list[Detection]
    cards: list[CardSample]
    stacks: list[StackSample]


def look_at(still: Still, eyes: Detectors) -> Seen:
    """Run all detectors on a still, with its camera and chips known, as at a table that is set up."""
    camera, chips = Camera.from_dict(still.camera), chip_set(still.look["chips"])
    detections = eyes.detect(still.picture(), chips, camera)
    return Seen(
        still, detections, list(_cards(still, detections, camera)), list(_stacks(still, detections, camera, chips))
    )


def look_at_stacks(still: Still, eyes: Detectors) -> list[StackSample]:
    """Find and read the stacks of a still alone, with its camera and chips known."""
    camera, chips = Camera.from_dict(still.camera), chip_set(still.look["chips"])
    picture = still.picture()
    found = eyes.find(picture, scale_of(camera), wanted=lambda thing: thing.kind == "stack")
    return list(_stacks(still, eyes.read(picture, found, chips, camera), camera, chips))


def _matched(
    kind: str, detections: Sequence[Detection], true: Sequence[dict[str, Any]], camera: Camera
) -> dict[int, Detection]:
    mine = [one for one in detections if one.found.kind.startswith(kind)]
    score = scores(f"{kind}s", [one.found for one in mine], true, camera)
    return {j: mine[i] for i, j in matches(score)}


def _cards(still: Still, detections: Sequence[Detection], camera: Camera) -> Iterator[CardSample]:
    true = [entry for entry in still.objects if entry["kind"] == "card"]
    pairs = _matched("card", detections, true, camera)
    kinds = still.kinds()
    for j, entry in enumerate(true):
        if entry["visible"] >= ASKED:
            one = pairs.get(j)
            shows = entry["face"] == "up" and shows_index(entry, true, kinds)
            yield CardSample(still, entry, one.found if one else None, one.face if one else None, shows)


def _stacks(still: Still, detections: Sequence[Detection], camera: Camera, chips: ChipSet) -> Iterator[StackSample]:
    true = [entry for entry in still.objects if entry["kind"] == "stack"]
    pairs = _matched("stack", detections, true, camera)
    for j, entry in enumerate(true):
        if entry["visible"] >= ASKED:
            one = pairs.get(j)
            place = np.array([entry["x"], entry["y"], entry["z"]])
            rise = camera.project(np.stack([place, place + np.array([0, 0, chips.thickness_mm])]))
            edge = float(np.linalg.norm(rise[1] - rise[0]))
            yield StackSample(still, entry, one.found if one else None, one.stack if one else None, edge)


def shows_index(entry: dict[str, Any], cards: Sequence[dict[str, Any]], kinds: NDArray[np.uint8]) -> bool:
    """Say whether one of a card's two indices can be seen: no card, hand or chip lies on it."""
    above = [other["quad"] for other in cards if other["id"] in entry["hidden_by"]]
    for corner in index_quads(np.array(entry["quad"])):
        area = float(areas(corner)[0])
        covered = shared_areas(corner, above).sum() if above else 0.0
        if covered <= (1 - CLEAR) * area and _is_bare(corner, kinds):
            return True
    return False


def index_quads(quad: Floats) -> Iterator[Floats]:
    """Yield where the two indices of a card are."""
    width, height = INDEX_MM[0] / CARD_MM[0], INDEX_MM[1] / CARD_MM[1]
    box = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
    for corner in (box, 1 - box):
        yield np.asarray(cv2.perspectiveTransform(corner[None], matrix)[0], float)


def _is_bare(corner: Floats, kinds: NDArray[np.uint8]) -> bool:
    """Say whether the map shows a face-up card in most of a corner."""
    mask = np.zeros(kinds.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(corner / MAP_STEP).astype(np.int32), 1)
    inside = kinds[mask > 0]
    return bool(len(inside)) and float((inside == 1).mean()) >= CLEAR
