"""One deck: faces are decided together, and a true duplicate is told."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.observe.tracks import CardTrack
from vision.story.onedeck import assigned, decode
from vision.table.zones import FELT
from vision.values.cards import DECK, Card


def track(number: int, read: int = 6, **chances: float) -> CardTrack:
    """Return a card whose face was read with these chances."""
    p = np.full(len(DECK), 1e-5)
    for name, chance in chances.items():
        p[DECK.index(Card.parse(name))] = chance
    p /= p.sum()
    place = (number, FELT, 0, 0, 0, 10**9)
    return CardTrack(*place, read_ns=10**9, is_up=True, faces=np.log(p), belief=p * read, read=read)


def test_a_card_that_was_moved_is_one_card() -> None:
    before, after = track(1, As=0.9999), track(2, As=0.9999)
    after.first_ns, after.seen_ns, after.read_ns = 2 * 10**9, 3 * 10**9, 3 * 10**9
    decoded = decode([before, after])
    assert {str(card) for card, _ in decoded.faces.values()} == {"As"}
    assert decoded.duplicates == ()


def test_a_doubtful_card_yields_to_a_certain_one() -> None:
    decoded = decode([track(1, As=0.999), track(2, As=0.55, Ah=0.45)])
    assert {i: str(card) for i, (card, _) in decoded.faces.items()} == {1: "As", 2: "Ah"}
    assert decoded.duplicates == ()


def test_the_sum_decides_not_the_first() -> None:
    decoded = decode([track(1, Kd=0.6, Kh=0.4), track(2, Kd=0.9, Kh=0.001)])
    assert {i: str(card) for i, (card, _) in decoded.faces.items()} == {1: "Kh", 2: "Kd"}


def test_a_track_whose_face_another_one_has_gets_none() -> None:
    decoded = decode([track(1, 40, As=0.9, Ks=0.1), track(2, 3, As=0.99)])  # seen on its way, and told twice
    assert {i: str(card) for i, (card, _) in decoded.faces.items()} == {1: "As"}


def test_two_certain_ones_are_a_duplicate() -> None:
    decoded = decode([track(1, As=0.9999), track(2, As=0.9999), track(3, Kd=0.9)])
    assert [(str(card), a, b) for card, a, b in decoded.duplicates] == [("As", 1, 2)]
    assert str(decoded.faces[3][0]) == "Kd"


@pytest.mark.parametrize("read", [1, 3])
def test_a_few_looks_make_no_duplicate(read: int) -> None:
    assert decode([track(1, read, As=0.9999), track(2, read, As=0.9999)]).duplicates == ()


def test_an_unread_card_has_no_face() -> None:
    assert decode([track(1, 0)]).faces == {}


@given(st.integers(1, 4), st.integers(0, 2), st.randoms(use_true_random=False))
def test_the_assignment_is_the_cheapest(rows: int, spare: int, chance: object) -> None:
    rng = np.random.default_rng(abs(hash(str(chance))) % 2**32)
    costs = rng.uniform(0, 9, (rows, rows + spare))
    cheapest = min(sum(costs[i, j] for i, j in enumerate(way)) for way in permutations(range(rows + spare), rows))
    found = assigned(costs)
    assert len(set(found)) == rows
    assert sum(costs[i, j] for i, j in enumerate(found)) == pytest.approx(cheapest)
