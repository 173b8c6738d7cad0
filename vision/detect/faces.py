"""Faces read: a picture and the quads of cards in it enter, a distribution over 52 cards and `not readable` leaves.

Two small networks look at each card, cut out upright at the resolution it was filmed in: one at the whole face, one at
the two corners where an index stands. Their answers are multiplied; how much each counts is fitted with the weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.detection import UNREADABLE, FaceReading
from vision.detect.models import Model, open_model
from vision.values.cards import DECK, RANKS, SUITS
from vision.values.errors import InputError
from vision.values.picture import Picture, Quad

Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]  # left, top, right, bottom, in shares of the card's width and height

WHOLE_PX: Final = (72, 96)
WHOLE_BOX: Final[Box] = (-0.04, -0.03, 1.04, 1.03)  # a little more than the card: quads are not exact
CORNER_PX: Final = (48, 80)
CORNER_BOX: Final[Box] = (-0.05, -0.035, 0.43, 0.53)
TOP_LEFT, BOTTOM_RIGHT = 0, 2  # the corners that carry an index on every deck
UNSURE: Final = 0.6  # a card read no surer than this is read the other way too: pictures may be stretched
SQUARISH: Final = 1.2  # sides closer than this: the picture does not say which side is the long one
FINEST: Final = 4  # times finer than the crop; beyond that a card fills the picture
NONE: Final = len(RANKS)  # the place of `no rank to be seen here` after the ranks
MIN_FACE_P: Final = 1e-4  # probability that any answer keeps: no network is ever quite sure
BATCH: Final = 32
FEATURES: Final = 4  # of what may speak for an unreadable card
_UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_RANK_OF: Final = np.array([RANKS.index(card.rank) for card in DECK])
_SUIT_OF: Final = np.array([SUITS.index(card.suit) for card in DECK])
_NOTHING: Final = np.array([0.0] * len(DECK) + [1.0])


def cut(picture: Picture, quad: Floats, box: Box, size: tuple[int, int]) -> Picture:
    """Cut a part of a card out of a picture, upright; a card larger than the crop is averaged, not sampled."""
    to_picture = cv2.getPerspectiveTransform(_UNIT, quad.astype(np.float32))
    fine = _fineness(quad, box, size)
    wide, high = size[0] * fine, size[1] * fine
    left, top, right, bottom = box
    across, down = (right - left) / wide, (bottom - top) / high
    to_unit = np.array([[across, 0, left + across / 2], [0, down, top + down / 2], [0, 0, 1]])
    flags = cv2.WARP_INVERSE_MAP | (cv2.INTER_CUBIC if fine == 1 else cv2.INTER_LINEAR)
    crop = cv2.warpPerspective(
        picture, to_picture @ to_unit, (wide, high), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop if fine == 1 else cv2.resize(crop, size, interpolation=cv2.INTER_AREA), np.uint8)


def _fineness(quad: Floats, box: Box, size: tuple[int, int]) -> int:
    """Return how many of the picture's pixels, at least, go into a pixel of the crop, along either side."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    across = max(sides[0], sides[2]) * (box[2] - box[0]) / size[0]
    down = max(sides[1], sides[3]) * (box[3] - box[1]) / size[1]
    return int(np.clip(np.ceil(max(across, down) / 1.25), 1, FINEST))


def cut_whole(picture: Picture, quad: Floats) -> Picture:
    """Cut out the whole face."""
    return cut(picture, quad, WHOLE_BOX, WHOLE_PX)


def cut_corners(picture: Picture, quad: Floats) -> tuple[Picture, Picture]:
    """Cut out the corners that carry an index, each as its own reader sees it upright."""
    first = cut(picture, quad, CORNER_BOX, CORNER_PX)
    return first, cut(picture, np.roll(quad, -BOTTOM_RIGHT, axis=0), CORNER_BOX, CORNER_PX)


@dataclass(frozen=True, slots=True)
class Weighing:
    """How the answers of both networks become one; fitted on pictures that were not trained on."""

    whole: float
    corner: float
    unreadable: tuple[float, ...]  # a constant, then how much face, clearer corner and doubt count

    @classmethod
    def of(cls, model: Model) -> "Weighing":
        """Read it from a model's sheet."""
        told = model.sheet.settings.get("unreadable")
        if not isinstance(told, list) or len(told) != FEATURES:
            raise InputError(f"models/{model.sheet.name}.toml: settings.unreadable: {told!r}: want {FEATURES} numbers")
        return cls(model.sheet.number("whole"), model.sheet.number("corner"), tuple(float(value) for value in told))


def fuse(whole: Floats, corners: Floats, weighing: Weighing) -> Floats:
    """Return 53 probabilities for each card, from the logits of its face (n, 18) and of its corners (n, 2, 18)."""
    faces, no_face = beliefs(whole)
    seen, no_index = beliefs(corners)
    score = weighing.whole * np.log(faces) + weighing.corner * np.log(seen).sum(axis=1)
    cards = np.exp(score - score.max(axis=1, keepdims=True))
    cards /= cards.sum(axis=1, keepdims=True)
    features = unreadable_features(no_face, no_index, cards)
    hidden = 1 / (1 + np.exp(-(features @ np.array(weighing.unreadable))))
    return np.concatenate([cards * (1 - hidden[:, None]), hidden[:, None]], axis=1)


def beliefs(logits: Floats) -> tuple[Floats, Floats]:
    """Return the probability of each card, and that of there being nothing to read, which all cards share then."""
    ranks, suits = _softmax(logits[..., : NONE + 1]), _softmax(logits[..., NONE + 1 :])
    none = ranks[..., NONE]
    cards = ranks[..., _RANK_OF] * suits[..., _SUIT_OF] + none[..., None] / len(DECK)
    return np.maximum(cards, MIN_FACE_P), none


def unreadable_features(no_face: Floats, no_index: Floats, cards: Floats) -> Floats:
    """Return what speaks for an unreadable card: nothing seen on the face, in the corners, and no agreement."""
    doubt = -_logit(cards.max(axis=1))
    return np.stack([np.ones(len(cards)), _logit(no_face), _logit(no_index).min(axis=1), doubt], axis=1)


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def _logit(p: Floats) -> Floats:
    sure = np.clip(p, MIN_FACE_P, 1 - MIN_FACE_P)
    return np.asarray(np.log(sure / (1 - sure)))


class FaceReader:
    """Reads the faces of cards that were found."""

    def __init__(self, threads: int = 1, models: tuple[str, str] = ("faces-whole", "faces-corner")) -> None:
        self._whole, self._corner = (open_model(model, threads) for model in models)
        self._weighing = Weighing.of(self._whole)

    def read(self, picture: Picture, quads: Sequence[Quad]) -> list[FaceReading]:
        """Return what each card may be, in the order of the quads."""
        best = np.tile(_NOTHING, (len(quads), 1))
        ways = [upright_ways(np.array(quad, float)) for quad in quads]
        self._ask(picture, best, [(i, way[0]) for i, way in enumerate(ways) if way])
        self._ask(picture, best, [(i, way[1]) for i, way in enumerate(ways) if way and _is_unsure(best[i], way[0])])
        return [FaceReading(p) for p in best]

    def _ask(self, picture: Picture, best: Floats, ways: list[tuple[int, Floats]]) -> None:
        """Read quads as they stand; keep for each card the answer that names a card most surely."""
        for start in range(0, len(ways), BATCH):
            some = ways[start : start + BATCH]
            for (i, _), p in zip(some, self.read_upright(picture, [way for _, way in some]), strict=True):
                if p[:UNREADABLE].max() > best[i, :UNREADABLE].max():
                    best[i] = p

    def read_upright(self, picture: Picture, quads: Sequence[Floats]) -> Floats:
        """Return 53 probabilities for each quad, taken as it stands: its first side is a short side of the card."""
        wholes = np.stack([cut_whole(picture, quad) for quad in quads])
        corners = np.stack([corner for quad in quads for corner in cut_corners(picture, quad)])
        faces = self._whole.run(seen(wholes))[0].astype(float)
        indices = self._corner.run(seen(corners))[0].astype(float)
        return fuse(faces, indices.reshape(len(quads), 2, -1), self._weighing)


def upright_ways(quad: Floats) -> list[Floats]:
    """Return the quad from each of two neighbouring sides on, the shorter one first; none if the quad is flat."""
    if not np.isfinite(quad).all() or abs(cv2.contourArea(quad.astype(np.float32))) < 1:
        return []
    ways = [quad, np.roll(quad, -1, axis=0)]
    return ways if _slenderness(quad) >= 1 else ways[::-1]


def _slenderness(quad: Floats) -> float:
    """Return how much longer the second side and its opposite are than the first."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    return float((sides[1] + sides[3]) / max(sides[0] + sides[2], 1e-9))


def _is_unsure(p: Floats, quad: Floats) -> bool:
    """Say whether a card may lie the other way: it looks nearly square, or it could not be read so."""
    return _slenderness(quad) < SQUARISH or float(p[:UNREADABLE].max()) < UNSURE


def seen(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return crops (n, h, w, BGR) as the networks want them."""
    return np.ascontiguousarray(crops.transpose(0, 3, 1, 2), np.float32)
