"""Comparison: the truth of two readings is the likeliest relation, whatever misleads both alike."""

import numpy as np
import pytest

from vision.detect.detection import StackReading, Wall
from vision.detect.stack_compare import RELATIONS, Relation, Weights, compare, features

WEIGHTS = Weights((0.5, 0.5, 2.0, 0.0), (0.0, 0.0, 0.0, -3.0))
FALL = (0.3, 3.5)


def reading(counts: dict[int, float], chip: int = 500, top: float = 0.0, height: float | None = None) -> StackReading:
    """Return a reading of chips of one colour; its top lies so many chips above the picture's origin."""
    shares = np.zeros(21)
    for number, p in counts.items():
        shares[number - 1] = p
    best = max(counts, key=lambda number: counts[number])
    wall = Wall((-top * FALL[0], -top * FALL[1]), FALL, height if height is not None else float(best))
    told = tuple((number * chip, p) for number, p in sorted(counts.items()))
    return StackReading(
        best, counts[best], (1, 20), (chip,) * best, best * chip, counts[best], (chip, 20 * chip), told, told,
        tuple(shares.tolist()), wall,
    )  # fmt: skip


def likeliest(likelihoods: dict[Relation, float]) -> Relation:
    return max(likelihoods, key=lambda relation: likelihoods[relation])


@pytest.mark.parametrize(
    ("before", "after", "truth"),
    [
        ({4: 0.9, 5: 0.1}, {4: 0.9, 5: 0.1}, Relation.SAME),
        ({4: 0.9, 5: 0.1}, {5: 0.9, 4: 0.1}, Relation.ONE_MORE),
        ({4: 0.9, 5: 0.1}, {3: 0.9, 4: 0.1}, Relation.ONE_LESS),
        ({4: 0.9, 5: 0.1}, {8: 0.9, 7: 0.1}, Relation.OTHER),
    ],
)
def test_likeliest_relation(before: dict[int, float], after: dict[int, float], truth: Relation) -> None:
    first = reading(before)
    second = reading(after, top=reading(after).count - first.count)
    found = compare(first, second, WEIGHTS, in_place=True)
    assert likeliest(found) is truth
    assert sum(found.values()) == pytest.approx(1)
    assert list(found) == list(RELATIONS)


def test_a_top_that_rose_outweighs_doubtful_counts() -> None:
    """Neither count is sure, but in place the top is one chip higher."""
    doubtful = {4: 0.5, 5: 0.5}
    assert likeliest(compare(reading(doubtful), reading(doubtful, top=1.0), WEIGHTS, True)) is Relation.ONE_MORE
    assert likeliest(compare(reading(doubtful), reading(doubtful, top=-1.0), WEIGHTS, True)) is Relation.ONE_LESS
    assert likeliest(compare(reading(doubtful), reading(doubtful, top=0.1), WEIGHTS, True)) is Relation.SAME


def test_beside_each_other_heights_are_compared_not_places() -> None:
    wager, payment = reading({4: 0.6, 5: 0.4}, height=4.1), reading({4: 0.6, 5: 0.4}, top=-9.0, height=5.0)
    assert likeliest(compare(wager, payment, WEIGHTS, in_place=False)) is Relation.ONE_MORE


def test_a_chip_of_another_colour_is_not_one_more() -> None:
    """Five chips of $25 are no cap on four of $5."""
    red, green = reading({4: 1.0}), reading({5: 1.0}, chip=2500, top=1.0)
    found = compare(red, green, WEIGHTS, in_place=True)
    assert found[Relation.ONE_MORE] < compare(red, reading({5: 1.0}, top=1.0), WEIGHTS, True)[Relation.ONE_MORE]


def test_order_turns_more_into_less() -> None:
    one, two = reading({3: 0.8, 4: 0.2}), reading({4: 0.7, 5: 0.3}, top=1.0)
    there, back = features(one, two, True), features(two, one, True)
    assert np.allclose(there[[0, 1, 2]], back[[0, 2, 1]])


def test_weights_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="3 weights: want 8"):
        Weights.of((1.0, 2.0, 3.0))
