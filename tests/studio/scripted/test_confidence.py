"""What a decoder that knows the simulator's noise could gain is bounded: confidences do not give the truth away."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from studio.scripted.confidence import auc
from studio.scripted.noise import PLACES, ErrorSampler
from studio.scripted.rates import Noise
from vision.values.cards import DECK

CENTS = (100, 500, 2500, 10000)
MOST_GAIN = {"stacks": 0.06, "faces": 0.01}
BINS = 12
Case = tuple[float, bool, bool]  # how sure it is, whether it is right, whether the second answer is


def _stacks(count: int) -> list[Case]:
    sampler, cases = ErrorSampler(5, Noise.usual(), CENTS), list[Case]()
    for _ in range(count):
        cents = tuple(sampler.some_chip() for _ in range(3))
        reading = sampler.stack(cents, sampler.persistent_errors(3))
        second = reading.worths[1][0] if len(reading.worths) > 1 else None
        cases.append((reading.value_p, reading.value_cents == sum(cents), second == sum(cents)))
    return cases


def _faces(count: int) -> list[Case]:
    sampler, cases = ErrorSampler(6, Noise.usual(), CENTS), list[Case]()
    for i in range(count):
        card = DECK[i % len(DECK)]
        reading = sampler.face(card, sampler.persistent_errors(0))
        if reading.card is not None:
            order = np.argsort(-reading.p)
            cases.append((reading.confidence, reading.card == card, int(order[1]) == PLACES[card]))
    return cases


def _gain(cases: Sequence[Case]) -> float:
    """Return how much more often it is right to take the second answer at the confidences at which that is better."""
    ranked = sorted(cases)
    bins: dict[int, list[Case]] = defaultdict(list)
    for i, case in enumerate(ranked):
        bins[i * BINS // len(ranked)].append(case)
    best = sum(max(sum(right for _, right, _ in each), sum(second for *_, second in each)) for each in bins.values())
    return (best - sum(right for _, right, _ in cases)) / len(cases)


def test_knowing_the_noise_gains_little_on_stacks() -> None:
    cases = _stacks(6000)
    assert 0.2 < np.mean([right for _, right, _ in cases]) < 0.7
    assert _gain(cases) <= MOST_GAIN["stacks"]
    apart = auc([p for p, right, _ in cases if right], [p for p, right, _ in cases if not right])
    assert 0.5 < apart < 0.8


def test_knowing_the_noise_gains_little_on_faces() -> None:
    cases = _faces(12000)
    assert 0.9 < np.mean([right for _, right, _ in cases]) < 0.995
    assert _gain(cases) <= MOST_GAIN["faces"]
    surest_wrong = max(p for p, right, _ in cases if not right)
    assert surest_wrong > np.median([p for p, right, _ in cases if right]) - 0.02
