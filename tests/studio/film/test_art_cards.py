"""Card artwork: faces and backs are whole, symmetric as printed cards are, and tell their cards apart."""

import cv2
import numpy as np
import pytest

from studio.art.backs import BACK_DESIGNS, INVENTED, back
from studio.art.faces import CORNER_RADIUS_MM, FACE_DESIGNS, card_mask, face
from studio.art.glyphs import LETTERINGS, rank_mask
from studio.art.pips import CUTS, suit_mask
from vision.values.cards import DECK, Card
from vision.values.picture import Picture

SHAPE = (889, 635, 3)
# Pips in the middle row stand upright, so only these look the same from both ends; a magnum has one upright pip.
SAME_FROM_BOTH_ENDS = [
    (design, text) for design in FACE_DESIGNS for text in ("2h", "Tc", "9d") if design != "magnum" or text[1] == "d"
]
FILMED = (55, 77)  # a card at 1080p
QUICK, slow = ("standard", "jumbo"), pytest.mark.slow  # decks and courts take long to draw
designs = pytest.mark.parametrize("design", FACE_DESIGNS)
busy_designs = pytest.mark.parametrize(
    "design", [name if name in QUICK else pytest.param(name, marks=slow) for name in FACE_DESIGNS]
)


def difference(one: Picture, two: Picture) -> float:
    """Return the mean difference of two pictures, in grey levels."""
    return float(np.abs(one.astype(int) - two.astype(int)).mean())


def filmed(picture: Picture) -> Picture:
    return np.asarray(cv2.resize(picture, FILMED, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def redness(picture: Picture) -> float:
    """Return how much red outweighs the other colours."""
    blue, green, red = picture.reshape(-1, 3).astype(float).mean(axis=0)
    return float(red - (blue + green) / 2)


def test_there_are_enough_designs() -> None:
    assert len(FACE_DESIGNS) >= 6
    assert len(BACK_DESIGNS) >= 10


@busy_designs
def test_faces_are_whole_and_differ_even_as_filmed(design: str) -> None:
    faces = [face(design, card) for card in DECK]
    assert all(picture.shape == SHAPE and picture.dtype == np.uint8 for picture in faces)
    assert not any(picture.flags.writeable for picture in faces)
    small = np.array([filmed(picture) for picture in faces]).astype(np.int16)
    for i in range(1, len(small)):
        assert np.abs(small[:i] - small[i]).mean(axis=(1, 2, 3)).min() > 0.5


@pytest.mark.parametrize(("design", "text"), SAME_FROM_BOTH_ENDS)
def test_cards_look_the_same_from_both_ends(design: str, text: str) -> None:
    picture = face(design, Card.parse(text))
    assert difference(picture, picture[::-1, ::-1]) < 1


@busy_designs
@pytest.mark.parametrize("text", ["Qh", "Ks"])
def test_courts_are_busy_and_the_same_from_both_ends(design: str, text: str) -> None:
    picture = face(design, Card.parse(text))
    assert difference(picture, picture[::-1, ::-1]) < 3
    middle = picture[250:-250, 200:-200].reshape(-1, 3)
    assert len(np.unique(middle // 32, axis=0)) > 10


@designs
@pytest.mark.parametrize("rank", ["A", "5"])
def test_red_suits_are_redder(design: str, rank: str) -> None:
    assert redness(face(design, Card(rank, "h"))) > redness(face(design, Card(rank, "s"))) + 1
    if "four-colour" not in design:
        assert redness(face(design, Card(rank, "d"))) > redness(face(design, Card(rank, "c"))) + 1


def test_designs_differ_from_each_other() -> None:
    for text in ("7h", "Ks"):
        small = [filmed(face(design, Card.parse(text))) for design in FACE_DESIGNS]
        assert all(difference(one, two) > 1 for i, one in enumerate(small) for two in small[:i])


@pytest.mark.parametrize("design", BACK_DESIGNS)
def test_backs_are_whole_and_the_same_from_both_ends(design: str) -> None:
    picture = back(design)
    assert picture.shape == SHAPE
    assert picture.dtype == np.uint8
    assert difference(picture, picture[::-1, ::-1]) < 8


def test_backs_differ_from_each_other() -> None:
    small = [filmed(back(design)) for design in BACK_DESIGNS]
    assert all(difference(one, two) > 3 for i, one in enumerate(small) for two in small[:i])


def test_invented_backs_are_whole_the_same_each_time_and_of_all_colours() -> None:
    pictures = [back(f"{INVENTED}{number}") for number in range(8)]
    assert all(picture.shape == SHAPE for picture in pictures)
    back.cache_clear()
    assert (back(f"{INVENTED}3") == pictures[3]).all()
    small = [filmed(picture) for picture in pictures]
    assert all(difference(one, two) > 3 for i, one in enumerate(small) for two in small[:i])


def test_backs_do_not_look_like_faces() -> None:
    for design in BACK_DESIGNS:
        assert difference(filmed(back(design)), filmed(face("standard", Card.parse("2h")))) > 20


def test_mask_rounds_the_corners() -> None:
    mask = card_mask()
    assert mask.shape == SHAPE[:2]
    assert mask[0, 0] == mask[-1, -1] == 0
    assert mask[444, 0] == mask[0, 317] == mask[444, 317] == 255
    cut = (1 - np.pi / 4) * 4 * (CORNER_RADIUS_MM * 10) ** 2
    assert abs((255 - mask.astype(float)).sum() / 255 - cut) < 0.02 * cut + 10
    assert set(np.unique(mask)) - {0, 255}, "edges are smooth"


@pytest.mark.parametrize("lettering", LETTERINGS)
def test_ranks_are_inked_and_differ(lettering: str) -> None:
    masks = [np.asarray(cv2.resize(rank_mask(rank, 80, lettering), (40, 80)), np.uint8) for rank in "A23456789TJQK"]
    assert all(0.12 < (mask > 127).mean() < 0.8 for mask in masks)
    assert all(difference(one, two) > 10 for i, one in enumerate(masks) for two in masks[:i])


def test_nine_is_six_upside_down() -> None:
    six, nine = rank_mask("6", 80, "gothic"), rank_mask("9", 80, "gothic")
    assert difference(six, nine[::-1, ::-1]) < 8
    assert difference(six, nine) > 20


@pytest.mark.parametrize("cut", CUTS)
def test_suits_stand_upright(cut: str) -> None:
    heart, spade = suit_mask("h", 80, cut), suit_mask("s", 80, cut)
    assert heart[:40].mean() > heart[40:].mean()
    assert spade[:24].mean() < spade[24:].mean()
    assert difference(suit_mask("d", 80, cut), suit_mask("d", 80, cut)[::-1]) < 4
