"""Priors: what is usual moves belief by Bayes' rule, and what was learned from already moves nothing."""

from itertools import pairwise, product

import numpy as np
import pytest

from vision.detect.stack_prior import COUNTS, Odds, StackPrior, odds_of, read_prior
from vision.detect.stack_value import LAYERS, amounts, value_reading, with_odds

VALUES = np.array([100, 500, 2500])
EVEN = StackPrior(name="even", about="no stacks", stacks=1, counts=[1 / COUNTS] * COUNTS, steps=[1 / 3] * 3)


def scores(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    count = np.zeros(LAYERS + 1)
    count[:3] = (0.2, 0.5, 0.3)
    return count, random.normal(0, 2, (LAYERS, 3)), random.normal(0, 1, (LAYERS, 3, 3))


def test_what_was_learned_from_changes_nothing() -> None:
    count, layers, steps = scores(1)
    same = odds_of(EVEN, EVEN)
    plain, usual = value_reading(count, layers, steps, VALUES), value_reading(count, layers, steps, VALUES, same)
    assert dict(usual.amounts) == pytest.approx(dict(plain.amounts))
    assert (plain.prior, usual.prior) == (None, "even")


def test_odds_are_applied_to_whole_contents() -> None:
    """Every content's probability is its old one times its odds, whatever its height."""
    count, layers, steps = scores(2)
    odds = Odds("odd", np.linspace(0, 2, COUNTS), np.array([0.5, -2.0, -1.0]))
    total: dict[int, float] = {}
    for number in (1, 2, 3):
        chains = list(product(range(3), repeat=number))
        plain = np.array([
            sum(layers[i, chip] for i, chip in enumerate(chain))
            + sum(steps[i, chain[i], chain[i + 1]] for i in range(number - 1))
            for chain in chains
        ])  # fmt: skip
        shares = np.exp(plain) / np.exp(plain).sum() * count[number - 1] * np.exp(odds.counts[number - 1])
        for chain, share in zip(chains, shares, strict=True):
            moved = sum(odds.steps[0 if a == b else 1 if b > a else 2] for a, b in pairwise(chain))
            worth = int(VALUES[list(chain)].sum())
            total[worth] = total.get(worth, 0.0) + float(share * np.exp(moved))
    whole = sum(total.values())
    counted, stepped = with_odds(count, layers, steps, odds)
    found = amounts(counted, layers, stepped, VALUES)
    got = dict(zip(found.cents.tolist(), found.p.tolist(), strict=True))
    assert {cents: got.get(cents, 0.0) for cents in total} == pytest.approx(
        {cents: p / whole for cents, p in total.items()}, abs=1e-4
    )


def test_a_hidden_dear_chip_is_priced_not_excluded() -> None:
    """Where dear chips below are rare, the same picture says so; but they stay possible."""
    rare = Odds("rare", np.zeros(COUNTS), np.array([0.0, -4.0, -4.0]))
    count, layers, steps = np.zeros(LAYERS + 1), np.zeros((LAYERS, 3)), np.zeros((LAYERS, 3, 3))
    count[1] = 1.0
    layers[0] = (9.0, 0.0, 0.0)
    dear = {name: dict(value_reading(count, layers, steps, VALUES, odds).amounts).get(2600, 0.0)
            for name, odds in (("plain", None), ("rare", rare))}  # fmt: skip
    assert 0.3 < dear["plain"] < 0.36
    assert 0 < dear["rare"] < 0.03


def test_the_wagers_of_the_simulators_players_ship() -> None:
    wagers = read_prior("wagers")
    assert sum(wagers.counts) == pytest.approx(1, abs=1e-3)
    assert sum(wagers.steps) == pytest.approx(1, abs=1e-3)
    assert wagers.steps[0] > wagers.steps[1] > wagers.steps[2]
