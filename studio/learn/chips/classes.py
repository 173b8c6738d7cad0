"""How well stacks are read in each view class: read stacks with their truth enter, one row of a table for each leaves.

A stack that the finder missed is counted as read wrong.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.detect.detection import StackReading

MOST = 8  # chips of a stack that is asked for
BINS = 15  # of stated confidence


@dataclass(frozen=True)
class ReadStack:
    """A true stack and what was read of it; None where it was missed."""

    view: str  # its camera's class
    cents: tuple[int, ...]  # bottom to top
    reading: StackReading | None

    @property
    def worth(self) -> int:
        """Return what it is worth, in cents."""
        return sum(self.cents)

    @property
    def is_exact(self) -> bool:
        """Say whether its value was read to the cent."""
        return self.reading is not None and self.reading.value_cents == self.worth

    @property
    def is_near(self) -> bool:
        """Say whether its chips were counted within one."""
        return self.reading is not None and abs(self.reading.count - len(self.cents)) <= 1

    @property
    def bounds(self) -> tuple[int, int] | None:
        """Return the bounds of its value."""
        return None if self.reading is None else self.reading.value_bounds

    @property
    def is_bounded(self) -> bool:
        """Say whether its bounds hold its true value."""
        return self.bounds is not None and self.bounds[0] <= self.worth <= self.bounds[1]


def class_rows(stacks: Iterable[ReadStack]) -> dict[str, dict[str, float]]:
    """Return what is asked of the stack reader, by view class; only stacks of at most `MOST` chips count."""
    views: dict[str, list[ReadStack]] = {}
    for stack in stacks:
        if len(stack.cents) <= MOST:
            views.setdefault(stack.view, []).append(stack)
    return {view: _row(found) for view, found in sorted(views.items())}


def _row(stacks: Sequence[ReadStack]) -> dict[str, float]:
    read = [one for one in stacks if one.bounds is not None]
    heights = {"one": (1, 1), "two": (2, 2), "three_to_eight": (3, MOST)}
    exact = {
        f"exact_{name}": _mean(one.is_exact for one in stacks if low <= len(one.cents) <= high)
        for name, (low, high) in heights.items()
    }
    counted = [one for one in stacks if one.reading is not None and one.reading.count == len(one.cents)]
    return {
        "stacks": float(len(stacks)),
        "found": _mean(one.reading is not None for one in stacks),
        "exact": _mean(one.is_exact for one in stacks),
        "exact_of_found": _mean(one.is_exact for one in stacks if one.reading is not None),
        **exact,
        "count_exact": len(counted) / max(len(stacks), 1),
        "count_within_one": _mean(one.is_near for one in stacks),
        "bounded": _mean(one.is_bounded for one in read),
        "bounds_chips": float(np.median([_width(one) for one in read])) if read else float("nan"),
        "ece": calibration_error([(_stated(one), one.is_exact) for one in read]),
    }


def _stated(one: ReadStack) -> float:
    return one.reading.value_p if one.reading is not None else 0.0


def _width(one: ReadStack) -> float:
    """Return how wide the bounds are, in chips of the top's colour."""
    low, high = one.bounds or (0, 0)
    return (high - low) / one.cents[-1]


def _mean(marks: Iterable[bool]) -> float:
    found = list(marks)
    return round(float(np.mean(found)), 4) if found else float("nan")


def calibration_error(pairs: Sequence[tuple[float, bool]]) -> float:
    """Return how far stated probabilities are from the shares that were right, on average over bins."""
    if not pairs:
        return float("nan")
    stated, right = np.array([p for p, _ in pairs]), np.array([mark for _, mark in pairs], float)
    bins = np.minimum((stated * BINS).astype(int), BINS - 1)
    gaps = [abs(stated[bins == i].sum() - right[bins == i].sum()) for i in range(BINS)]
    return float(sum(gaps) / len(pairs))
