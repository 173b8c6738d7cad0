"""Crops to learn faces from."""

import numpy as np
import pytest
from numpy.typing import NDArray

from studio.art.pips import suit_mask
from studio.learn.faces.crops import IGNORED, CropMaker, judge_labels, label_of, shaken, stack_crops
from studio.learn.faces.photos import group_of, is_held_out, outlines
from studio.learn.faces.printing import Printer
from studio.learn.faces.prints import PRINT_PX, Prints, count_corners, index_box
from studio.learn.faces.scenes import SEEN_PX, Stage
from studio.learn.faces.typecase import TypeCase
from vision.detect.faces import CORNER_PX, NONE, WHOLE_PX
from vision.values.cards import DECK, RANKS, SUITS, Card

WIDE, HIGH = PRINT_PX
INDEX = (0.05, 0.05, 0.2, 0.3)


def deck_with_index() -> NDArray[np.uint8]:
    """Print 52 white cards with a dark index, 10 to 30 px across and 20 to 80 px down, in two corners."""
    deck = np.full((52, HIGH, WIDE, 3), 250, np.uint8)
    for face in deck:
        for view in (face, face[::-1, ::-1]):
            view[20:80, 10:30] = 20
    return deck


def maker(seed: int) -> CropMaker:
    rng = np.random.default_rng(seed)
    deck = deck_with_index()[None]
    prints = Prints(
        ("plain",), deck, np.full((1, 3), 250, np.uint8), np.array([[10, 20, 30, 80]]), np.array([2]), deck[0, :1]
    )
    case = TypeCase({rank: [suit_mask("d", 64)] for rank in RANKS}, {suit: [suit_mask(suit, 64)] for suit in SUITS})
    printer = Printer(prints, case, rng)
    return CropMaker(printer, Stage(printer, np.zeros((2, 160, 160, 3), np.uint8), rng), rng)


def test_crops_have_their_shapes_and_labels() -> None:
    making = maker(1)
    crops = stack_crops([making.make() for _ in range(4)])
    assert crops.wholes.shape == (4, WHOLE_PX[1], WHOLE_PX[0], 3)
    assert crops.corners.shape == (4, 2, CORNER_PX[1], CORNER_PX[0], 3)
    assert ((crops.labels[..., 0] >= IGNORED) & (crops.labels[..., 0] <= NONE)).all()
    assert (crops.labels[..., 1] < len(SUITS)).all()


def test_the_same_seed_makes_the_same_crops() -> None:
    one, other = maker(5), maker(5)
    for _ in range(5):
        a, b = one.make(), other.make()
        assert (a.whole == b.whole).all()
        assert (a.labels == b.labels).all()


@pytest.mark.parametrize(
    ("hidden", "labels"),
    [
        (np.s_[:0, :0], ["8h", "8h", "8h"]),  # all is seen
        (np.s_[:, 14:], ["8h", "8h", "-"]),  # a fan: the neighbour leaves one index
        (np.s_[:, :], ["-", "-", "-"]),
        (np.s_[:12, :5], ["8h", "?", "8h"]),  # half an index is not learned from
    ],
)
def test_labels_say_what_is_seen(hidden: tuple[slice, slice], labels: list[str]) -> None:
    seen = np.ones((SEEN_PX[1], SEEN_PX[0]), np.float32)
    seen[hidden] = 0
    card = Card.parse("8h")
    told = {"8h": label_of(card), "-": (NONE, IGNORED), "?": (IGNORED, IGNORED)}
    assert judge_labels(card, seen, INDEX).tolist() == [list(told[label]) for label in labels]


def test_the_index_is_found_on_a_deck() -> None:
    deck, paper = deck_with_index(), np.full(3, 250, np.uint8)
    left, top, right, bottom = index_box(deck, paper)
    assert (left, top, bottom) == (10, 20, 80)
    assert 30 <= right < 40
    assert count_corners(deck, paper, (left, top, right, bottom)) == 2


def test_shaken_quads_stay_near() -> None:
    rng = np.random.default_rng(0)
    quad = np.array([[0.0, 0], [50, 0], [50, 70], [0, 70]])
    for _ in range(50):
        moved = shaken(quad, rng)
        near = min(np.abs(moved - quad).max(), np.abs(np.roll(moved, 2, axis=0) - quad).max())
        assert near < 15


def test_photographs_taken_together_share_a_split() -> None:
    shots = [{"id": f"rf_IMG-20220316-1347{second}", "source": "rf"} for second in (41, 47)]
    assert group_of(shots[0]) == group_of(shots[1])
    assert is_held_out(shots[0]) == is_held_out(shots[1])


def test_outlines_find_a_card_in_a_photograph() -> None:
    picture = np.full((300, 300, 3), 40, np.uint8)
    picture[60:200, 80:180] = 240
    found = outlines(picture)
    assert any(np.abs(np.sort(quad[:, 0]) - [80, 80, 179, 179]).max() < 3 for quad in found)


def test_every_card_has_a_label() -> None:
    assert len({label_of(card) for card in DECK}) == 52
