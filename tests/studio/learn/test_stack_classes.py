"""Rows of view classes: what was missed is wrong, bounds are judged where something was read."""

import pytest

from studio.learn.chips.classes import ReadStack, calibration_error, class_rows
from studio.learn.chips.pairs import relation_of
from vision.detect.detection import StackReading
from vision.detect.stack_compare import Relation


def stack(cents: tuple[int, ...], said: int | None, p: float = 0.9) -> ReadStack:
    if said is None:
        return ReadStack("good", cents, None)
    number = said // cents[-1]
    bounds = (said - cents[-1], said + cents[-1])
    return ReadStack("good", cents, StackReading(number, p, (1, 9), (cents[-1],) * number, said, p, bounds))


def test_rows_count_what_was_missed_as_wrong() -> None:
    stacks = [stack((500,), 500), stack((500,), None), stack((500, 500), 1000), stack((100,) * 3, 400)]
    row = class_rows([*stacks, stack((100,) * 9, 900)])["good"]
    assert row["stacks"] == 4
    assert (row["found"], row["exact"], row["exact_one"]) == (0.75, 0.5, 0.5)
    assert row["exact_of_found"] == pytest.approx(2 / 3, abs=1e-3)
    assert (row["exact_two"], row["exact_three_to_eight"], row["count_within_one"]) == (1.0, 0.0, 0.75)
    assert (row["bounded"], row["bounds_chips"]) == (1.0, 2.0)


def test_calibration_error_is_the_gap_between_said_and_right() -> None:
    assert calibration_error([(0.9, True)] * 9 + [(0.9, False)]) == pytest.approx(0, abs=1e-9)
    assert calibration_error([(0.9, False)] * 10) == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("before", "after", "relation"),
    [
        ((5, 1), (1, 5), Relation.SAME),
        ((5, 1), (5, 1, 1), Relation.ONE_MORE),
        ((5, 1), (5,), Relation.ONE_LESS),
        ((5, 1), (5, 5), Relation.OTHER),
        ((5,), (5, 1, 1), Relation.OTHER),
    ],
)
def test_relation_of_contents(before: tuple[int, ...], after: tuple[int, ...], relation: Relation) -> None:
    assert relation_of(before, after) is relation
