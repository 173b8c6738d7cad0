"""The second look at each card: a picture and cards roughly found enter, cards with exact corners leave.

The finder sees a whole table and is right about where a card is, less so about its corners. Here each card is cut out
so that it fills a small crop; a network says whether there is a card at all, which side shows, and where its corners
are. What it does not take for a card is dropped.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.detection import Found
from vision.detect.models import open_model
from vision.values.picture import Picture, Quad

# Assumed where a comment names no measurement.
MODEL: Final = "squarer"  # the corner refiner's file in models/: cards and recipes know it by this older name
SIDE: Final = 96  # of a crop
BOX: Final = (44, 62)  # the part of it that a card roughly found fills
UNIT_PX: Final = 16.0  # pixels that the network's 1 stands for
SIDES: Final = ("card_up", "card_down")  # after `none`, which comes first
SECOND_LOOK: Final = 0.25  # weight of the second look (chosen on training looks; test looks were seen too)
MIN_SIDE_P: Final = 1e-4  # that either look leaves to the other answer
TOGETHER: Final = 32  # crops in one run
Floats = NDArray[np.float64]


class CornerRefiner:
    """Looks again at cards."""

    def __init__(self, threads: int = 1, model: str = MODEL, *, is_watching: bool = False) -> None:
        self._model = open_model(model, threads)
        sheet = self._model.sheet  # how sure both looks must be of a card, on a table and in any other picture
        on_table = "least_watched" if is_watching else "least"  # who watches on sees a card more than once
        self._least = {True: sheet.number(on_table), False: sheet.number("least_searched")}

    def refine(self, picture: Picture, found: Sequence[Found], *, is_table: bool = True) -> list[Found]:
        """Return the cards that are cards, each with its corners set; other things as they are."""
        cards = [thing for thing in found if thing.kind in SIDES]
        others = [thing for thing in found if thing.kind not in SIDES]
        return [*self._refined(picture, cards, self._least[is_table]), *others]

    def _refined(self, picture: Picture, cards: Sequence[Found], least: float) -> Iterator[Found]:
        for start in range(0, len(cards), TOGETHER):
            some = cards[start : start + TOGETHER]
            crops = np.stack([cut(picture, np.array(card.quad)) for card in some])
            sides, corners = self._model.run(seen(crops))
            for card, logits, moves in zip(some, sides.astype(float), corners.astype(float), strict=True):
                p = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
                score = together(card.score, 1 - float(p[0]))
                if score >= least:
                    quad = moved(np.array(card.quad), moves.reshape(4, 2) * UNIT_PX)
                    yield replace(card, kind=SIDES[int(p[1:].argmax())], quad=quad, score=score)


def together(found: float, looked: float) -> float:
    """Return how sure both looks are of a card; the second, which sees less around it, counts for less."""
    return float(1 / (1 + np.exp(-_logit(found) - SECOND_LOOK * _logit(looked))))


def _logit(p: float) -> float:
    sure = min(max(p, MIN_SIDE_P), 1 - MIN_SIDE_P)
    return float(np.log(sure / (1 - sure)))


def place() -> Floats:
    """Return where the corners of a card roughly found lie in its crop."""
    left, top = (SIDE - BOX[0]) / 2, (SIDE - BOX[1]) / 2
    right, bottom = left + BOX[0], top + BOX[1]
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def to_crop(quad: Floats) -> Floats:
    """Return the affine map (2 x 3) from the picture to the crop; a card roughly found is a parallelogram."""
    across, down = (quad[1] + quad[2] - quad[0] - quad[3]) / 2, (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    (a, b), (c, d) = (across / BOX[0]).tolist(), (down / BOX[1]).tolist()
    if abs(a * d - b * c) < 1e-6:
        (a, b), (c, d) = (1.0, 0.0), (0.0, 1.0)
    turn = np.array([[d, -c], [-b, a]]) / (a * d - b * c)
    matrix = np.empty((2, 3))
    matrix[:, :2], matrix[:, 2] = turn, SIDE / 2 - turn @ quad.mean(axis=0)
    return matrix


def cut(picture: Picture, quad: Floats) -> Picture:
    """Cut out a card with its surroundings; from far larger pictures smoothly."""
    matrix = to_crop(quad)
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    if scale < 0.5:  # average before thinning out
        corners = (np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]) - matrix[:, 2]) @ np.linalg.inv(
            matrix[:, :2]
        ).T
        low = np.clip(np.floor(corners.min(axis=0)) - 2, 0, picture.shape[1::-1]).astype(int)
        high = np.clip(np.ceil(corners.max(axis=0)) + 2, 0, picture.shape[1::-1]).astype(int)
        part = picture[low[1] : high[1], low[0] : high[0]]
        if part.size:
            picture = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.4 / scale), np.uint8)
            matrix = np.c_[matrix[:, :2], matrix[:, 2] + matrix[:, :2] @ low]
    return np.asarray(cv2.warpAffine(picture, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR), np.uint8)


def moved(quad: Floats, moves: Floats) -> Quad:
    """Return the corners that the network puts `moves` away from where a card roughly found has them."""
    matrix = to_crop(quad)
    corners = (place() + moves - matrix[:, 2]) @ np.linalg.inv(matrix[:, :2]).T
    a, b, c, d = ((float(u), float(v)) for u, v in corners)
    return (a, b, c, d)


def seen(crops: Picture) -> NDArray[np.float32]:
    """Return crops (n, h, w, BGR) as the network wants them."""
    return np.ascontiguousarray(crops.astype(np.float32).transpose(0, 3, 1, 2) / 255)
