"""Drawing what was found: the words of labels, and that nothing breaks or hides."""

import numpy as np
import pytest

from vision.detect.detection import Detection, FaceReading, Found, StackReading
from vision.draw.detections import draw, free_place, label
from vision.values.cards import DECK, Card
from vision.values.picture import Picture, Quad


def quad(x: float, y: float, width: float = 60, height: float = 84) -> Quad:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def face(text: str, p: float) -> FaceReading:
    """A reading of a card; '?' is one that cannot be read."""
    shares = np.full(53, (1 - p) / 52)
    shares[52 if text == "?" else DECK.index(Card.parse(text))] = p
    return FaceReading(shares)


def stack(count: int, bounds: tuple[int, int], value_cents: int | None) -> StackReading:
    return StackReading(count, 0.9, bounds, value_cents=value_cents)


def thing(kind: str, x: float = 100, y: float = 100) -> Found:
    return Found(kind, 0.934, quad(x, y))


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (Detection(thing("card_up"), face=face("As", 0.984)), "As 98"),
        (Detection(thing("card_up"), face=face("?", 0.6)), "? 60"),
        (Detection(thing("card_up")), "? 93"),  # found, not read
        (Detection(thing("card_down")), "?? 93"),
        (Detection(thing("stack"), stack=stack(5, (5, 5), 2500)), "x5 $25"),
        (Detection(thing("stack"), stack=stack(5, (4, 6), 250)), "x5 (4-6) $2.50"),
        (Detection(thing("stack"), stack=stack(5, (4, 6), None)), "x5 (4-6)"),  # no chip set is known
        (Detection(thing("stack")), "stack 93"),
        (Detection(thing("hand")), "hand 93"),
        (Detection(thing("other")), "other 93"),
    ],
)
def test_label(seen: Detection, words: str) -> None:
    assert label(seen) == words


@pytest.mark.parametrize("ground", [0, 255])
def test_outlines_show_on_dark_and_on_bright_ground(ground: int) -> None:
    picture: Picture = np.full((300, 300, 3), ground, np.uint8)
    drawn = draw(picture, [Detection(thing("hand"))])
    assert (picture == ground).all()  # what was given stays as it is
    edge = drawn[140, 95:106].astype(int)
    assert edge.max() > 200
    assert edge.min() < 60


def test_labels_of_a_fan_do_not_hide_each_other() -> None:
    taken: list[tuple[int, int, int, int]] = []
    for i in range(8):
        taken.append(free_place((600, 400), (130 + 12 * i, 142), (46, 12), taken))
    pixels = {(x, y) for left, top, right, bottom in taken for x in range(left, right) for y in range(top, bottom)}
    assert len(pixels) == 8 * 46 * 12


def test_labels_stay_in_the_picture() -> None:
    assert free_place((600, 400), (598, -50), (46, 12), []) == (554, 0, 600, 12)


@pytest.mark.parametrize("size", [(1, 1), (3, 2000), (40, 30)])
@pytest.mark.parametrize("place", [(0, 0), (-500, -500), (1e9, 5)])
def test_any_size_and_place(size: tuple[int, int], place: tuple[float, float]) -> None:
    picture: Picture = np.zeros((*size, 3), np.uint8)
    assert draw(picture, [Detection(thing("other", *place))]).shape == picture.shape


def test_nothing_found() -> None:
    picture: Picture = np.full((50, 50, 3), 7, np.uint8)
    assert (draw(picture, []) == picture).all()
