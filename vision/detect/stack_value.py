"""What a stack is worth: a count's and a chain's scores enter; amounts with their probabilities leave.

The network scores chains of chips from the top down: each layer for each denomination, and each step down for each pair
of denominations. A chain's probability, given how many chips there are, is its share of all chains of that length.
What is common (one colour in a stack, dear chips below cheap ones, small stacks) is learned with the pairs and the
counts; a prior (`stack_prior.py`) may say what is common at this table.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.detect.detection import StackReading
from vision.detect.stack_prior import Odds

Scores = NDArray[np.float64]
LAYERS = 20  # chips that the network tells apart; one more place of a count means `more`
MAX_CHIPS = 40  # no stack is taken to be higher
BEAM = 400  # amounts kept per layer
MIN_SHARE = 1e-6  # smaller shares are dropped
MIN_TOLD = 1e-5  # amounts that are less likely are not told; what they had is shared by the others
MAX_REPORTED = 12  # amounts that a reading tells as its likeliest
MARGIN = 0.009  # belief left out at each end of the bounds, which promise 98 %


@dataclass(frozen=True)
class Amounts:
    """Amounts in rising order with their probabilities, which sum to 1."""

    cents: NDArray[np.int64]
    p: Scores

    def likeliest(self) -> tuple[tuple[int, float], ...]:
        """Return the most likely amounts, best first."""
        order = np.argsort(-self.p, kind="stable")[:MAX_REPORTED]
        return tuple((int(self.cents[i]), float(self.p[i])) for i in order)

    def bounds(self) -> tuple[int, int]:
        """Return the lowest and the highest amount that belief allows."""
        return bounds_of(self.cents, self.p)

    def told(self) -> tuple[tuple[int, float], ...]:
        """Return all amounts that are not next to impossible, in rising order, with all the mass."""
        kept = self.p >= MIN_TOLD
        shares = self.p[kept] / self.p[kept].sum()
        return tuple(zip(self.cents[kept].tolist(), shares.tolist(), strict=True))


def bounds_of(values: NDArray[np.int64], p: Scores) -> tuple[int, int]:
    """Return the ends of values in rising order, with a margin of belief left out on both sides."""
    below = np.cumsum(p)
    low = int(np.searchsorted(below, MARGIN))
    high = int(np.searchsorted(below, 1 - MARGIN))
    last = len(values) - 1
    return int(values[min(low, last)]), int(values[min(high, last)])


def softmax(scores: Scores) -> Scores:
    """Return scores as probabilities."""
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum())


def count_reading(count: Scores) -> StackReading:
    """Return what is known of a stack whose chips nobody knows: how many there are."""
    low, high = bounds_of(np.arange(1, LAYERS + 2), count)
    number = int(count.argmax()) + 1
    bounds = (low, MAX_CHIPS if high > LAYERS else high)
    return StackReading(number, float(count.max()), bounds, (None,) * number, counts=tuple(count.tolist()))


@dataclass(frozen=True)
class _Front:
    """All chains down to one layer: each amount once, and its share by the denomination of the lowest chip (k, n)."""

    cents: NDArray[np.int64]
    shares: Scores

    def deeper(self, layer: Scores, step: Scores, values: NDArray[np.int64]) -> "_Front":
        """Return the chains with one chip more below; amounts that hardly occur are dropped."""
        pairs = step + layer
        shares = np.exp(pairs - pairs.max()).T @ self.shares
        cents, where = np.unique(self.cents + values[:, None], return_inverse=True)
        further = np.zeros((len(values), len(cents)))
        np.put_along_axis(further, where.reshape(shares.shape), shares, axis=1)
        whole = further.sum(axis=0)
        keep = whole > whole.sum() * MIN_SHARE
        if keep.sum() > BEAM:
            keep = whole >= np.partition(whole, -BEAM)[-BEAM]
        return _Front(cents[keep], further[:, keep] / whole.sum())


def amounts(count: Scores, layers: Scores, steps: Scores, values: NDArray[np.int64]) -> Amounts:
    """Return what a stack may be worth, over all counts and chains."""
    front = _Front(values, np.diag(softmax(layers[0])))
    cents, p = [], []
    for i in range(LAYERS):
        if i:
            front = front.deeper(layers[i], steps[i - 1], values)
        share = count[i] + (count[LAYERS] if i == LAYERS - 1 else 0.0)
        whole = front.shares.sum(axis=0)
        cents.append(front.cents)
        p.append(whole * (share / whole.sum()))
        if count[i + 1 :].sum() < MIN_SHARE:
            break
    once, where = np.unique(np.concatenate(cents), return_inverse=True)
    total = np.bincount(where, np.concatenate(p), len(once)).astype(np.float64)
    return Amounts(once, total / total.sum())


def log_sums(layers: Scores, steps: Scores) -> Scores:
    """Return the logarithm of the sum over all chains of each length, of which a chain's probability is a share."""
    front, sums = layers[0], [float(np.logaddexp.reduce(layers[0]))]
    for i in range(1, LAYERS):
        front = np.logaddexp.reduce(front[:, None] + steps[i - 1], axis=0) + layers[i]
        sums.append(float(np.logaddexp.reduce(front)))
    return np.array(sums)


def with_odds(count: Scores, layers: Scores, steps: Scores, odds: Odds) -> tuple[Scores, Scores]:
    """Return counts and step scores where some heights and steps are more common than the reader learned."""
    usual = steps + odds.of_pairs(layers.shape[1])
    change = log_sums(layers, usual) - log_sums(layers, steps)
    scores = np.log(np.maximum(count, 1e-12)) + odds.counts + np.append(change, change[-1])
    return softmax(scores), usual


def likeliest_chain(layers: Scores, steps: Scores, number: int) -> list[int]:
    """Return the most likely denominations (indices) of a stack of so many chips, from the top down."""
    best, back = layers[0], []
    for i in range(1, min(number, LAYERS)):
        ways = best[:, None] + steps[i - 1]
        back.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + layers[i]
    chain = [int(best.argmax())]
    for pointers in reversed(back):
        chain.append(int(pointers[chain[-1]]))
    return chain[::-1]


def value_reading(
    count: Scores, layers: Scores, steps: Scores, values: NDArray[np.int64], odds: Odds | None = None
) -> StackReading:
    """Return all that is known of a stack of known chips."""
    if odds is not None:
        count, steps = with_odds(count, layers, steps, odds)
    plain = count_reading(count)
    found = amounts(count, layers, steps, values)
    worths = found.likeliest()
    low, high = found.bounds()
    if plain.count_bounds[1] > LAYERS:
        high += (MAX_CHIPS - LAYERS) * int(values.max())
    chain = [int(values[i]) for i in likeliest_chain(layers, steps, plain.count)]
    hidden = (None,) * (plain.count - len(chain))
    return replace(
        plain,
        denominations=(*hidden, *reversed(chain)),
        value_cents=worths[0][0],
        value_p=worths[0][1],
        value_bounds=(low, high),
        worths=worths,
        amounts=found.told(),
        prior=None if odds is None else odds.name,
    )
