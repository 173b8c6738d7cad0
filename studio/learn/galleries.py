"""Pictures for model cards: what detectors got wrong, what it is and what was said; and how honest they are."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np

from studio.art.backs import BACK_DESIGNS
from studio.art.faces import FACE_DESIGNS
from studio.learn.measures import SMALL_STACK
from studio.learn.samples import CardSample, Seen, StackSample
from vision.values.picture import Picture

TILE, COLUMNS, ROWS = 160, 8, 3
INK, PAPER = (235, 235, 235), (30, 30, 34)
Failure = tuple[Picture, str, str]  # the place, what it is, what was said


def write_galleries(seen: Sequence[Seen], folder: Path) -> None:
    """Write one picture of failures for each model; only of our own art, since model cards are published."""
    own = [one for one in seen if one.still.look["face"] in FACE_DESIGNS and one.still.look["back"] in BACK_DESIGNS]
    for name, found in (("finder", _missed(own)), ("faces", _misread(own))):
        _write(f"{name}-failures.jpg", list(found), folder)


def write_stack_gallery(stacks: Sequence[StackSample], folder: Path) -> None:
    """Write one picture of stacks that were misread."""
    _write("chips-failures.jpg", list(_miscounted(stacks)), folder)


def _write(name: str, failures: list[Failure], folder: Path) -> None:
    cv2.imwrite(str(folder / name), gallery(_spread(failures)), [cv2.IMWRITE_JPEG_QUALITY, 85])


def gallery(failures: Sequence[Failure]) -> Picture:
    """Lay failures side by side."""
    sheet = np.full((ROWS * (TILE + 36), COLUMNS * TILE, 3), PAPER, np.uint8)
    for i, (picture, truth, said) in enumerate(failures[: ROWS * COLUMNS]):
        row, column = divmod(i, COLUMNS)
        top, left = row * (TILE + 36), column * TILE
        sheet[top : top + TILE, left : left + TILE] = picture
        for line, text in enumerate((truth, said)):
            place = (left + 4, top + TILE + 14 + 15 * line)
            cv2.putText(sheet, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.42, INK, 1, cv2.LINE_AA)
    return sheet


def calibration_picture(curve: Sequence[tuple[float, float, int]]) -> Picture:
    """Draw stated confidence against what was right: honest is the diagonal; dots grow with their number."""
    side, edge = 360, 40
    sheet = np.full((side + 2 * edge, side + 2 * edge, 3), 255, np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return (edge + round(x * side), edge + side - round(y * side))

    cv2.rectangle(sheet, at(0, 1), at(1, 0), (160, 160, 160), 1)
    cv2.line(sheet, at(0, 0), at(1, 1), (180, 180, 180), 1, cv2.LINE_AA)
    for stated, right, number in curve:
        cv2.circle(sheet, at(stated, right), 2 + int(np.log2(number + 1)), (150, 80, 20), -1, cv2.LINE_AA)
    cv2.putText(sheet, "stated", (edge + side // 2 - 20, side + 2 * edge - 12), 0, 0.45, (60, 60, 60), 1, cv2.LINE_AA)
    cv2.putText(sheet, "right", (4, edge + side // 2), 0, 0.45, (60, 60, 60), 1, cv2.LINE_AA)
    return sheet


def _spread(failures: list[Failure]) -> list[Failure]:
    """Return a page's worth of failures from the whole range, not only from the first pictures."""
    if len(failures) <= ROWS * COLUMNS:
        return failures
    return [failures[int(i)] for i in np.linspace(0, len(failures) - 1, ROWS * COLUMNS)]


def _missed(seen: Sequence[Seen]) -> Iterator[Failure]:
    for one in seen:
        asked: list[CardSample | StackSample] = [*one.cards, *one.stacks]
        lost = [sample for sample in asked if sample.found is None]
        picture = one.still.picture() if lost else None
        for sample in lost:
            if picture is not None:
                truth = f"{sample.entry['kind']} {sample.entry.get('face', '')}"
                yield _place(picture, sample.entry["quad"]), truth, f"missed, {sample.entry['visible']:.0%} shows"


def _misread(seen: Sequence[Seen]) -> Iterator[Failure]:
    for one in seen:
        wrong = [card for card in one.cards if card.has_index and card.face is not None and not card.is_read]
        picture = one.still.picture() if wrong else None
        for card in wrong:
            if picture is not None and card.face is not None:
                said = f"said {card.face.card or '-'} {card.face.confidence:.0%}"
                yield _place(picture, card.entry["quad"]), f"{card.entry['card']} {card.width_px:.0f} px", said


def _miscounted(stacks: Sequence[StackSample]) -> Iterator[Failure]:
    wrong = [s for s in stacks if s.stack and s.stack.value_cents != sum(s.entry["cents"])]
    for still, some in groupby(wrong, lambda stack: stack.still):
        picture = still.picture()
        for stack in some:
            if stack.stack is not None and len(stack.entry["cents"]) <= SMALL_STACK:
                truth = f"{len(stack.entry['cents'])}: ${sum(stack.entry['cents']) / 100:g} {stack.edge_px:.1f} px"
                said = f"said {stack.stack.count}: ${(stack.stack.value_cents or 0) / 100:g} {stack.stack.value_p:.0%}"
                yield _place(picture, stack.entry["quad"]), truth, said


def _place(picture: Picture, quad: Sequence[Sequence[float]]) -> Picture:
    """Cut out a square with some surroundings, enlarged."""
    corners = np.array(quad)
    reach = float(np.ptp(corners, axis=0).max()) * 0.8 + 6
    middle = corners.mean(axis=0)
    scale = TILE / (2 * reach)
    move = np.array([[scale, 0, TILE / 2 - scale * middle[0]], [0, scale, TILE / 2 - scale * middle[1]]])
    return np.asarray(cv2.warpAffine(picture, move, (TILE, TILE), flags=cv2.INTER_CUBIC), np.uint8)
