"""What was found, drawn into the picture: detections enter, a copy with outlines and labels leaves.

Cards are green face up and blue face down, stacks yellow, hands pink, other things grey. Lines and letters have a dark
seam, so that they show on bright and dark ground alike; labels step aside where another one lies.
"""

from collections.abc import Sequence
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.detection import Detection
from vision.values.money import dollars
from vision.values.picture import Picture

Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]  # left, top, right, bottom
Ints = NDArray[np.int32]
COLOURS: Final[dict[str, Colour]] = {
    "card_up": (90, 255, 110),
    "card_down": (255, 190, 70),
    "stack": (60, 235, 255),
    "hand": (230, 130, 255),
    "other": (200, 200, 200),
}
SEAM: Final[Colour] = (20, 20, 20)
FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
LETTER_PX: Final = 22  # height of a capital at font size 1
SMALLEST, LARGEST = 10, 40  # letters, in pixels of a picture of 1920 pixels
AROUND: Final = sorted(product(range(-3, 4), repeat=2), key=lambda step: step[0] ** 2 + step[1] ** 2)  # nearest first
FAR: Final = 100_000  # pixels; OpenCV draws wrongly beyond


def draw(picture: Picture, detections: Sequence[Detection]) -> Picture:
    """Return the picture with everything that was found in it."""
    sheet = picture.copy()
    unit = max(1.0, max(picture.shape[:2]) / 1920)
    for seen in detections:
        _outline(sheet, seen, unit)
    taken: list[Box] = []
    for seen in sorted(detections, key=lambda seen: -seen.found.score):
        _label(sheet, seen, unit, taken)
    return sheet


def label(seen: Detection) -> str:
    """Return what a label says: 'As 98', '?? 95' for a back, 'x5 $25' for a stack; numbers are percent."""
    if seen.face is not None:
        return f"{seen.face.card or '?'} {seen.face.confidence:.0%}".rstrip("%")
    if seen.stack is not None:
        low, high = seen.stack.count_bounds
        count = f"x{seen.stack.count}" + (f" ({low}-{high})" if low < high else "")
        return count if seen.stack.value_cents is None else f"{count} {dollars(seen.stack.value_cents)}"
    name = {"card_down": "??", "card_up": "?"}.get(seen.found.kind, seen.found.kind)
    return f"{name} {seen.found.score:.0%}".rstrip("%")


def _corners(seen: Detection) -> Ints:
    return np.round(np.clip(seen.found.quad, -FAR, FAR)).astype(np.int32)


def _outline(sheet: Picture, seen: Detection, unit: float) -> None:
    thick = max(1, round(1.5 * unit))
    for colour, width in ((SEAM, thick + max(2, round(2 * unit))), (COLOURS[seen.found.kind], thick)):
        cv2.polylines(sheet, [_corners(seen)], isClosed=True, color=colour, thickness=width, lineType=cv2.LINE_AA)


def _label(sheet: Picture, seen: Detection, unit: float, taken: list[Box]) -> None:
    """Write a thing's label where it hides no other one, as near to its middle as may be."""
    corners = _corners(seen)
    is_card = seen.found.kind.startswith("card")
    side = float(np.hypot(*(np.roll(corners, -1, axis=0) - corners).T).min()) if is_card else 0.0
    size = float(np.clip(0.2 * side, SMALLEST * unit, LARGEST * unit)) / LETTER_PX
    thick = max(1, round(1.6 * size))
    (width, height), below = cv2.getTextSize(label(seen), FONT, size, thick)
    middle = corners.mean(axis=0)
    if not is_card:  # a card bears its index in its corners; of a stack the middle is worth seeing
        middle[1] = corners[:, 1].max() + height
    box = free_place((sheet.shape[1], sheet.shape[0]), (middle[0], middle[1]), (width + 4, height + below + 2), taken)
    taken.append(box)
    start, colour = (box[0] + 2, box[3] - below), COLOURS[seen.found.kind]
    _darken(sheet, box)
    if not (box[0] <= middle[0] <= box[2] and box[1] <= middle[1] <= box[3]):
        near = (int(np.clip(middle[0], box[0], box[2])), int(np.clip(middle[1], box[1], box[3])))
        cv2.line(sheet, (int(middle[0]), int(middle[1])), near, colour, thick, cv2.LINE_AA)
    cv2.putText(sheet, label(seen), start, FONT, size, colour, thick, cv2.LINE_AA)


def free_place(frame: tuple[int, int], middle: tuple[float, float], size: tuple[int, int], taken: Sequence[Box]) -> Box:
    """Return where a label of a size hides least of those that lie there: on the middle, or around it, in the frame."""
    width, height = size
    boxes = []
    for right, down in AROUND:
        left = middle[0] - width / 2 + right * width * 0.6
        top = middle[1] - height / 2 + down * height * 1.1
        left = round(float(np.clip(left, 0, max(frame[0] - width, 0))))
        top = round(float(np.clip(top, 0, max(frame[1] - height, 0))))
        boxes.append((left, top, left + width, top + height))
    return min(boxes, key=lambda box: _hidden(box, taken))


def _hidden(box: Box, taken: Sequence[Box]) -> int:
    """Return how many pixels of other labels a label would hide."""
    wide = (max(min(box[2], other[2]) - max(box[0], other[0]), 0) for other in taken)
    high = (max(min(box[3], other[3]) - max(box[1], other[1]), 0) for other in taken)
    return sum(w * h for w, h in zip(wide, high, strict=True))


def _darken(sheet: Picture, box: Box) -> None:
    ground = sheet[max(box[1], 0) : box[3], max(box[0], 0) : box[2]]
    ground[:] = ground // 4
