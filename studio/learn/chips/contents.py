"""What stacks are made of, to learn from: chance enters; the chips of a stack and how sloppily they lie leave."""

import numpy as np
from numpy.typing import NDArray

MOST = 24  # chips in a stack


def random_chips(rng: np.random.Generator, kinds_of_chip: int, most: int = MOST) -> tuple[int, ...]:
    """Return a stack, bottom to top: mostly one colour; mixed ones mostly with the dear chips at the bottom."""
    number = min(_height(rng, most), most)
    how = rng.random()
    if how < 0.45 or number == 1:
        return (int(rng.integers(kinds_of_chip)),) * number
    if how < 0.84:
        runs = int(rng.integers(2, 4)) if rng.random() < 0.8 else int(rng.integers(2, number + 1))
        pool = rng.integers(kinds_of_chip, size=runs)
        chips = sorted((int(pool[i]) for i in rng.integers(runs, size=number)), reverse=rng.random() < 0.85)
        return tuple(chips)
    if how < 0.93:  # one chip that does not belong, often the lowest
        chips = [int(rng.integers(kinds_of_chip))] * number
        chips[0 if rng.random() < 0.5 else int(rng.integers(number))] = int(rng.integers(kinds_of_chip))
        return tuple(chips)
    return tuple(int(i) for i in rng.integers(kinds_of_chip, size=number))


def _height(rng: np.random.Generator, most: int) -> int:
    """Return how many chips: small stacks are common, every height occurs."""
    draw = rng.random()
    if draw < 0.30:
        return int(rng.integers(1, 3))
    if draw < 0.88 or most <= 10:
        return int(rng.integers(1, 9)) if rng.random() < 0.85 else int(rng.integers(1, most + 1))
    return int(rng.integers(8, most + 1))


def random_shifts(rng: np.random.Generator, number: int) -> NDArray[np.float64]:
    """Return how far each chip lies off its stack's axis, mm, bottom to top: neat, sloppy, leaning or splayed."""
    spread = float(rng.choice([0.1, 0.3, 0.6, 1.0, 1.5]))
    loose = rng.normal(0, spread, (number, 2))
    if rng.random() < 0.3:  # each chip was laid by the one below it
        loose = np.cumsum(rng.normal(0, spread * 0.6, (number, 2)), axis=0)
    levels = np.arange(number)[:, None]
    if rng.random() < 0.25:
        loose += rng.normal(0, 0.4, 2) * levels
    if rng.random() < 0.08:  # bent, or pushed over from some chip on
        loose += rng.normal(0, 1.2, 2) * (levels >= rng.integers(number + 1)) + rng.normal(0, 0.04, 2) * levels**2
    return np.asarray(np.clip(loose - loose[0], -9, 9))
