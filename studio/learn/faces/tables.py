"""Cards on simulated tables: a still with its truth enters; every card with its quad and what of it is seen leaves.

The truth says which things hide a card. Of cards the outline is known, of hands and chips only a box: what lies in
such a box may or may not be seen, so a share of an index has a lowest and a highest value.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.learn.faces.crops import (
    ASKEW,
    FACE_HIDDEN,
    FACE_SEEN,
    IGNORED,
    INDEX_HIDDEN,
    INDEX_SEEN,
    Crop,
    cut_crop,
    label_of,
    shaken,
    share_seen,
    unreadable,
)
from studio.learn.faces.printing import Box
from studio.learn.faces.scenes import SEEN_PX
from studio.learn.pictures import Still
from vision.detect.faces import NONE
from vision.values.cards import Card

Floats = NDArray[np.float64]
USUAL_INDEX: Final[Box] = (0.03, 0.03, 0.22, 0.33)  # where an index stands if a deck's own place is not known
WHOLE_SHARE: Final = 0.97  # of a card: nothing is hidden that matters
_UNIT: Final = np.array([[0, 0], [SEEN_PX[0], 0], [SEEN_PX[0], SEEN_PX[1]], [0, SEEN_PX[1]]], np.float32)


@dataclass(frozen=True)
class TableCard:
    """A card on a still: its face (None: it lies face down), its quad, and how much of it is surely or perhaps seen."""

    card: Card | None
    quad: Floats
    visible: float
    sure: tuple[float, float]  # of the index at the quad's first corner and of the one across
    perhaps: tuple[float, float]

    @property
    def width_px(self) -> float:
        """Return the card's width in the picture."""
        sides = np.linalg.norm(self.quad - np.roll(self.quad, -1, axis=0), axis=1)
        return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)

    @property
    def has_index(self) -> bool:
        """Say whether at least one index is surely seen."""
        return max(self.sure) >= INDEX_SEEN

    def labels(self) -> NDArray[np.int64]:
        """Return what whole and corners show, as networks say it."""
        if self.card is None:
            return unreadable()
        is_seen = self.has_index or self.visible >= FACE_SEEN
        is_hidden = max(self.perhaps) <= INDEX_HIDDEN and self.visible <= FACE_HIDDEN
        flags = [(is_seen, is_hidden)]
        flags += [(low >= INDEX_SEEN, high <= INDEX_HIDDEN) for low, high in zip(self.sure, self.perhaps, strict=True)]
        card = self.card
        return np.array([label_of(card) if seen else (NONE if hidden else IGNORED, IGNORED) for seen, hidden in flags])


def table_cards(still: Still, index: Box = USUAL_INDEX) -> Iterator[TableCard]:
    """Yield the cards of a still that lie in the picture."""
    things = {thing["id"]: thing for thing in still.objects}
    for thing in still.objects:
        if thing["kind"] == "card" and thing["visible"] > 0:
            quad = np.array(thing["quad"], float)
            hiders = [things[i] for i in thing["hidden_by"] if i in things]
            sure, perhaps = _shares(quad, hiders, index)
            if thing["visible"] >= WHOLE_SHARE:
                sure = perhaps = (1.0, 1.0)
            card = Card.parse(thing["card"]) if thing["face"] == "up" else None
            yield TableCard(card, quad, float(thing["visible"]), sure, perhaps)


def _shares(quad: Floats, hiders: list[dict[str, Any]], index: Box) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the lowest and the highest share of both indices that is seen."""
    cards = [hider for hider in hiders if hider["kind"] == "card"]
    low, high = _map(quad, hiders), _map(quad, cards)
    both = [(share_seen(seen, index), share_seen(seen[::-1, ::-1], index)) for seen in (low, high)]
    return both[0], both[1]


def _map(quad: Floats, hiders: list[dict[str, Any]]) -> NDArray[np.float32]:
    seen = np.ones((SEEN_PX[1], SEEN_PX[0]), np.float32)
    to_card = cv2.getPerspectiveTransform(quad.astype(np.float32), _UNIT)
    for hider in hiders:
        outline = cv2.perspectiveTransform(np.array([hider["quad"]], np.float32), to_card)
        cv2.fillPoly(seen, [np.round(outline[0] * 16).astype(np.int32)], 0.0, cv2.LINE_8, 4)
    return seen


def table_crops(still: Still, rng: np.random.Generator, index: Box = USUAL_INDEX) -> Iterator[Crop]:
    """Cut the cards of a still out, about as a finder would; face-down cards seldom, they all look alike."""
    picture = still.picture()
    for found in table_cards(still, index):
        labels = found.labels()
        if (labels[:, 0] == IGNORED).all() or (found.card is None and rng.random() > 0.1):
            continue
        quad = shaken(found.quad, rng)
        if rng.random() < ASKEW:
            yield cut_crop(picture, np.roll(quad, 1, axis=0), unreadable(), False)
            continue
        is_turned = bool(np.linalg.norm(quad[0] - found.quad[0]) > np.linalg.norm(quad[2] - found.quad[0]))
        yield cut_crop(picture, quad, labels, is_turned)
