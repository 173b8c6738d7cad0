"""Crops to learn from: a seed enters; cut faces and corners, as the finder would hand them over, with labels leave.

Labels: rank 0 to 12, 13 for nothing to be read here, -1 for do not learn from this; suit 0 to 3, -1 for none.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.faces.lens import TOO_BLURRED, film
from studio.learn.faces.printing import Box, Printed, Printer
from studio.learn.faces.scenes import SEEN_PX, Stage
from vision.detect.faces import CORNER_PX, NONE, WHOLE_PX, cut_corners, cut_whole
from vision.values.cards import DECK, RANKS, SUITS, Card
from vision.values.picture import Picture

Floats = NDArray[np.float64]
IGNORED: Final = -1
INDEX_SEEN, INDEX_HIDDEN = 0.82, 0.30  # share of an index: from here on it counts as seen, up to here as hidden
FACE_SEEN, FACE_HIDDEN = 0.62, 0.42  # the same of the face, for those whose index is hidden
BACKS, NOTHINGS = 0.05, 0.04  # shares of crops that show no face
ASKEW = 0.04  # share of cards cut out a quarter turned: a reader that is asked both ways must know the wrong one


@dataclass(frozen=True)
class Crop:
    """One card, cut out: the whole of it, its two corners, and what each shows (rank, suit)."""

    whole: Picture
    corners: tuple[Picture, Picture]
    labels: NDArray[np.int64]  # whole, first corner, second corner; rank and suit each


@dataclass(frozen=True)
class Crops:
    """Many crops."""

    wholes: NDArray[np.uint8]
    corners: NDArray[np.uint8]
    labels: NDArray[np.int64]

    def save(self, path: Path) -> None:
        """Write them; the file appears when it is whole."""
        half = path.with_name("half-" + path.name)
        np.savez(half, wholes=self.wholes, corners=self.corners, labels=self.labels)
        half.rename(path)

    @classmethod
    def load(cls, path: Path) -> "Crops":
        """Read what `save` wrote."""
        with np.load(path) as record:
            return cls(record["wholes"], record["corners"], record["labels"])


def stack_crops(crops: list[Crop]) -> Crops:
    """Put crops together."""
    return Crops(
        np.stack([crop.whole for crop in crops]),
        np.stack([np.stack(crop.corners) for crop in crops]),
        np.stack([crop.labels for crop in crops]),
    )


def empty_crops() -> Crops:
    """Return no crops."""
    (ww, wh), (cw, ch) = WHOLE_PX, CORNER_PX
    return Crops(
        np.zeros((0, wh, ww, 3), np.uint8), np.zeros((0, 2, ch, cw, 3), np.uint8), np.zeros((0, 3, 2), np.int64)
    )


def shaken(quad: Floats, rng: np.random.Generator, share: float = 1.0) -> Floats:
    """Return a quad as a finder would see it: a little beside the truth, and starting at either short side."""
    width = float(np.linalg.norm(quad[1] - quad[0]))
    share *= 1.0 if rng.random() < 0.85 else 2.0
    centre = quad.mean(axis=0)
    turn = float(rng.normal(0, 0.018 * share))
    scale = 1 + rng.normal(0, 0.02 * share, 2)
    turned = (quad - centre) * scale @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    moved = turned + centre + rng.normal(0, 0.018 * share * width, 2) + rng.normal(0, 0.014 * share * width, (4, 2))
    return np.asarray(np.roll(moved, 2, axis=0) if rng.random() < 0.5 else moved)


def label_of(card: Card) -> tuple[int, int]:
    """Return a card as networks say it."""
    return RANKS.index(card.rank), SUITS.index(card.suit)


def share_seen(seen: NDArray[np.float32], box: Box) -> float:
    """Return how much of a box on the card is seen; the box is given in shares of the card."""
    wide, high = SEEN_PX
    left, top = int(box[0] * wide), int(box[1] * high)
    return float(seen[top : max(top + 1, round(box[3] * high)), left : max(left + 1, round(box[2] * wide))].mean())


def judge_labels(card: Card, seen: NDArray[np.float32], index: Box) -> NDArray[np.int64]:
    """Return the labels of a face of which a part is seen."""
    shares = [share_seen(view, index) for view in (seen, seen[::-1, ::-1])]
    face, best = float(seen.mean()), max(shares)
    is_seen = best >= INDEX_SEEN or face >= FACE_SEEN
    is_hidden = best <= INDEX_HIDDEN and face <= FACE_HIDDEN
    labels = [_label(card, is_seen, is_hidden)]
    labels += [_label(card, share >= INDEX_SEEN, share <= INDEX_HIDDEN) for share in shares]
    return np.array(labels)


def _label(card: Card, is_seen: bool, is_hidden: bool) -> tuple[int, int]:
    return label_of(card) if is_seen else (NONE, IGNORED) if is_hidden else (IGNORED, IGNORED)


def unreadable() -> NDArray[np.int64]:
    """Return the labels of a crop in which nothing can be read."""
    return np.array([(NONE, IGNORED)] * 3)


def cut_crop(picture: Picture, quad: Floats, labels: NDArray[np.int64], is_turned: bool) -> Crop:
    """Cut a card out; `is_turned` says that the quad starts at the other short side than the labels do."""
    told = labels[[0, 2, 1]] if is_turned else labels
    return Crop(cut_whole(picture, quad), cut_corners(picture, quad), told)


class CropMaker:
    """Makes crops at random, as many as one likes."""

    def __init__(self, printer: Printer, stage: Stage, rng: np.random.Generator) -> None:
        self._printer, self._stage, self._rng = printer, stage, rng

    def make(self) -> Crop:
        """Make one crop."""
        kind = self._rng.random()
        if kind < NOTHINGS:
            return self._of_nothing()
        if kind < NOTHINGS + BACKS:
            return self._of_card(None, None)
        card = DECK[self._rng.integers(len(DECK))]
        return self._of_card(card, self._printer.print(card))

    def _of_card(self, card: Card | None, printed: Printed | None) -> Crop:
        scene = self._stage.set(printed)
        width = float(np.linalg.norm(scene.quad[1] - scene.quad[0]))
        picture, blur = film(scene.picture, width, self._rng)
        labels = unreadable()
        if card and printed and blur < TOO_BLURRED:
            labels = judge_labels(card, scene.seen, printed.index)
        quad = shaken(scene.quad, self._rng)
        if self._rng.random() < ASKEW:
            return cut_crop(picture, np.roll(quad, 1, axis=0), unreadable(), False)
        is_turned = bool(np.linalg.norm(quad[0] - scene.quad[0]) > np.linalg.norm(quad[2] - scene.quad[0]))
        return cut_crop(picture, quad, labels, is_turned)

    def _of_nothing(self) -> Crop:
        to_picture, side = self._stage.place()
        picture, _ = film(self._stage.backdrop(side), side / 2.15, self._rng)
        corners = np.array([[[0.0, 0.0], [1, 0], [1, 1.4], [0, 1.4]]])
        quad = cv2.perspectiveTransform(corners, to_picture)[0]
        return cut_crop(picture, quad, unreadable(), False)
