"""The measures that detectors are held to: samples enter, numbers with their floor and aim leave."""

from collections.abc import Iterable, Sequence

import numpy as np

from studio.learn.finder.judge import Tally
from studio.learn.samples import CardSample, StackSample
from vision.score.measures import Measure

CLEAR_PX, STEEP_PX = 2.0, (0.7, 1.5)  # of a chip's edge
SMALL_STACK = 8
BINS = 15  # of stated confidence


def measure(name: str, share: float, samples: int, floor: float, aim: float, *, is_error: bool = False) -> Measure:
    """Return one number: a share of some samples, what it must reach, what we aim at; of an error less is better."""
    return Measure(name, name, share, samples, floor, aim, less_is_better=is_error)


def share(marks: Iterable[bool]) -> tuple[float, int]:
    """Return which share of marks is true, and how many there are."""
    found = list(marks)
    return (float(np.mean(found)) if found else float("nan")), len(found)


def finder_measures(tallies: dict[str, Tally]) -> list[Measure]:
    """Return what is asked of the finder."""
    cards, stacks, hands = tallies["cards"], tallies["stacks"], tallies["hands"]
    return [
        measure("cards found, recall", cards.recall, cards.asked, 0.98, 0.998),
        measure("cards found, precision", cards.precision, cards.found + cards.imagined, 0.98, 0.998),
        measure("face up or down", cards.sides_right / max(cards.found, 1), cards.found, 0.995, 0.9995),
        measure("stacks found, recall", stacks.recall, stacks.asked, 0.98, 0.998),
        measure("stacks found, precision", stacks.precision, stacks.found + stacks.imagined, 0.98, 0.998),
        measure("hands found", hands.recall, hands.asked, 0.93, 0.99),
    ]


def face_measures(cards: Sequence[CardSample], small: Sequence[CardSample]) -> list[Measure]:
    """Return what is asked of the face readers: `small` are cards filmed in 720p."""
    wide = [one for one in cards if one.has_index and one.width_px >= 50 and one.face is not None]
    whole = [one for one in small if _is_whole(one) and 30 <= one.width_px < 40 and one.face is not None]
    stated = [one for one in cards if one.face is not None and one.face.card is not None and one.has_index]
    return [
        measure("identity, index visible, 50 px or wider", *share(one.is_read for one in wide), 0.98, 0.998),
        measure("identity, whole card of 30 to 40 px (720p)", *share(one.is_read for one in whole), 0.85, 0.97),
        measure("expected calibration error, faces", calibration_error(stated), len(stated), 0.03, 0.01, is_error=True),
    ]


def _is_whole(one: CardSample) -> bool:
    return one.entry["face"] == "up" and one.entry["visible"] >= 0.98


def reliability(cards: Sequence[CardSample]) -> list[tuple[float, float, int]]:
    """Return for bins of stated confidence: what was stated, what was right, how many."""
    stated = np.array([one.face.confidence if one.face else 0.0 for one in cards])
    right = np.array([one.is_read for one in cards], float)
    bins = np.minimum((stated * BINS).astype(int), BINS - 1)
    groups = [bins == i for i in range(BINS)]
    return [(float(stated[g].mean()), float(right[g].mean()), int(g.sum())) for g in groups if g.any()]


def calibration_error(cards: Sequence[CardSample]) -> float:
    """Return how far stated confidence is from the truth, on average."""
    curve = reliability(cards) if cards else []
    return float(sum(abs(stated - right) * number for stated, right, number in curve) / max(len(cards), 1))


def stack_measures(stacks: Sequence[StackSample]) -> list[Measure]:
    """Return what is asked of the stack reader."""
    small = [one for one in stacks if len(one.entry["cents"]) <= SMALL_STACK and one.stack is not None]
    clear = [one for one in small if one.edge_px >= CLEAR_PX]
    steep = [one for one in small if STEEP_PX[0] <= one.edge_px < STEEP_PX[1]]
    return [
        measure("count exact, 2 px a chip or more", *share(_off(one) == 0 for one in clear), 0.85, 0.98),
        measure("count within one, 2 px a chip or more", *share(_off(one) <= 1 for one in clear), 0.98, 0.999),
        measure("value exact, 2 px a chip or more", *share(_is_worth(one) for one in clear), 0.80, 0.97),
        measure("value inside its bounds, about 1 px a chip", *share(_is_bounded(one) for one in steep), 0.98, 0.998),
        measure("value exact, about 1 px a chip", *share(_is_worth(one) for one in steep), 0.50, 0.85),
    ]


def _off(one: StackSample) -> int:
    assert one.stack is not None  # noqa: S101 - only stacks that were read are measured
    return abs(one.stack.count - len(one.entry["cents"]))


def _is_worth(one: StackSample) -> bool:
    return one.stack is not None and one.stack.value_cents == sum(one.entry["cents"])


def _is_bounded(one: StackSample) -> bool:
    if one.stack is None or one.stack.value_bounds is None:
        return False
    low, high = one.stack.value_bounds
    return low <= sum(one.entry["cents"]) <= high
