"""Faces cut out, weighed and read."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from studio.art.faces import face
from vision.detect.detection import UNREADABLE
from vision.detect.faces import (
    CORNER_PX,
    NONE,
    WHOLE_PX,
    FaceReader,
    Weighing,
    cut_corners,
    cut_whole,
    fuse,
    upright_ways,
)
from vision.values.cards import DECK, Card
from vision.values.picture import Quad

WEIGHING = Weighing(whole=1.0, corner=1.0, unreadable=(-2.0, 1.0, 0.5, 0.3))
LOOKING = FaceReader()


def lie(card: str, centre: tuple[float, float], width: float, degrees: float) -> tuple[NDArray[np.uint8], Quad]:
    """Lay a card of a training design on green cloth."""
    picture = np.full((320, 320, 3), (60, 110, 30), np.uint8)
    turn = np.radians(degrees)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    half = np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]]) * width
    quad = half @ spin + centre
    small = cv2.resize(
        face("jumbo", Card.parse(card)), None, fx=width / 635, fy=width / 635, interpolation=cv2.INTER_AREA
    )
    high, wide = small.shape[:2]
    corners = np.array([[-0.5, -0.5], [wide - 0.5, -0.5], [wide - 0.5, high - 0.5], [-0.5, high - 0.5]], np.float32)
    way = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    cv2.warpPerspective(small, way, (320, 320), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    points = [(float(x), float(y)) for x, y in quad]
    return picture, (points[0], points[1], points[2], points[3])


def logits(rank: int, suit: int, sure: float = 8.0) -> NDArray[np.float64]:
    found = np.zeros(18)
    found[rank] = sure
    if rank != NONE:
        found[NONE + 1 + suit] = sure
    return found


def test_cut_takes_the_corners_apart() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[20:34, 20:30] = (0, 0, 255)  # upper left quarter of a card at 20..40, 20..48
    quad = np.array([[19.5, 19.5], [39.5, 19.5], [39.5, 47.5], [19.5, 47.5]])
    whole, (first, second) = cut_whole(picture, quad), cut_corners(picture, quad)
    assert whole.shape == (WHOLE_PX[1], WHOLE_PX[0], 3)
    assert first.shape == (CORNER_PX[1], CORNER_PX[0], 3)
    assert whole[24, 18, 2] > 250
    assert whole[72, 18, 2] < 5
    assert first[40, 24, 2] > 250
    assert second[40, 24, 2] < 5


def test_a_large_card_is_averaged() -> None:
    stripes = np.zeros((1200, 1200, 3), np.uint8)
    stripes[::2] = 255
    quad = np.array([[100.0, 100], [900, 100], [900, 1100], [100, 1100]])
    crop = cut_whole(stripes, quad)
    assert np.abs(crop.astype(int) - 127).max() < 40


@pytest.mark.parametrize(
    ("sides", "ways"),
    [((10, 14), 2), ((14, 10), 2), ((10, 10.5), 2), ((0, 0), 0)],
)
def test_upright_ways(sides: tuple[float, float], ways: int) -> None:
    wide, high = sides
    found = upright_ways(np.array([[0.0, 0], [wide, 0], [wide, high], [0, high]]))
    assert len(found) == ways
    if ways:
        across, down = np.linalg.norm(found[0][1] - found[0][0]), np.linalg.norm(found[0][2] - found[0][1])
        assert across < down


def test_fuse_agrees_and_sums_to_one() -> None:
    seven = [logits(5, 2), logits(5, 2), logits(NONE, 0)]
    p = fuse(np.stack([seven[0]]), np.stack([seven[1:]]), WEIGHING)[0]
    assert p.sum() == pytest.approx(1)
    assert DECK[int(p.argmax())] == Card.parse("7h")
    blank = [logits(NONE, 0)] * 3
    assert fuse(np.stack([blank[0]]), np.stack([blank[1:]]), WEIGHING)[0].argmax() == UNREADABLE


def test_an_empty_corner_does_not_decide() -> None:
    one = fuse(np.stack([logits(5, 2)]), np.stack([[logits(5, 2), logits(NONE, 0)]]), WEIGHING)[0]
    assert one[:52].argmax() == DECK.index(Card.parse("7h"))


@pytest.mark.parametrize("card", ["As", "6d", "9d", "Tc", "Qh", "Ks"])
@pytest.mark.parametrize("degrees", [0.0, 130.0])
def test_cards_are_read(card: str, degrees: float) -> None:
    picture, quad = lie(card, (160.0, 160.0), 90, degrees)
    reading = LOOKING.read(picture, [quad])[0]
    assert str(reading.card) == card
    assert reading.p.shape == (53,)
    assert reading.p.sum() == pytest.approx(1)


def test_order_and_other_short_side() -> None:
    picture, quad = lie("8c", (160.0, 160.0), 90, 20)
    turned: Quad = (quad[2], quad[3], quad[0], quad[1])
    cloth: Quad = ((5.0, 5.0), (35.0, 5.0), (35.0, 47.0), (5.0, 47.0))
    first, nothing, second = LOOKING.read(picture, [quad, cloth, turned])
    assert str(first.card) == str(second.card) == "8c"
    assert nothing.card is None


def test_no_cards_and_flat_ones() -> None:
    picture, _ = lie("8c", (160.0, 160.0), 90, 20)
    assert LOOKING.read(picture, []) == []
    flat: Quad = ((5.0, 5.0), (5.0, 5.0), (5.0, 5.0), (5.0, 5.0))
    assert LOOKING.read(picture, [flat])[0].card is None
