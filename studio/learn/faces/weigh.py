"""How much each reader counts: logits of pictures that were not trained on and their labels enter, weights leave."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.detect.detection import UNREADABLE
from vision.detect.faces import NONE, Weighing, beliefs, fuse, unreadable_features
from vision.values.cards import DECK, RANKS, SUITS, Card

Floats = NDArray[np.float64]
WEIGHTS = tuple(float(value) for value in np.geomspace(0.25, 1.6, 16))
RIDGE, RATE, STEPS = 1e-4, 0.1, 4000
NEVER = (-99.0, 0.0, 0.0, 0.0)  # all cards can be read
UNREADABLE_ODDS = 0.5  # at a table fewer cards cannot be read than among the crops


def places_of(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place in a distribution of each (rank, suit); -1 for what is not judged or known by rank only."""
    told = []
    for rank, suit in labels:
        is_card = 0 <= rank < NONE and suit >= 0
        told.append(DECK.index(Card(RANKS[rank], SUITS[suit])) if is_card else UNREADABLE if rank == NONE else -1)
    return np.array(told)


@dataclass(frozen=True)
class Answers:
    """What both networks said about crops, and what these show."""

    whole: Floats
    corners: Floats
    places: NDArray[np.int64]

    def only(self, chosen: NDArray[np.bool_]) -> "Answers":
        """Return some of them."""
        return Answers(self.whole[chosen], self.corners[chosen], self.places[chosen])


def weigh(tables: Answers, printed: Answers) -> Weighing:
    """Return the weights under which the labels are most likely.

    How sure a named card is, is told by tables alone, which are what will be read; printed crops are harder.
    """
    cards = tables.only((tables.places >= 0) & (tables.places < UNREADABLE))
    best = min(product(WEIGHTS, WEIGHTS), key=lambda pair: _surprise(cards, pair))
    features, truth = zip(*(_unreadable(answers, best) for answers in (tables, printed)), strict=True)
    return Weighing(*best, tuple(float(value) for value in _logistic(np.concatenate(features), np.concatenate(truth))))


def _unreadable(answers: Answers, pair: tuple[float, float]) -> tuple[Floats, NDArray[np.bool_]]:
    """Return what speaks for each crop being unreadable, and whether it is."""
    known = answers.only(answers.places >= 0)
    told = fuse(known.whole, known.corners, Weighing(*pair, NEVER))
    none = beliefs(known.whole)[1], beliefs(known.corners)[1]
    return unreadable_features(*none, told[:, :UNREADABLE]), known.places == UNREADABLE


def _surprise(answers: Answers, pair: tuple[float, float]) -> float:
    p = fuse(answers.whole, answers.corners, Weighing(*pair, NEVER))
    return float(-np.log(p[np.arange(len(p)), answers.places] + 1e-12).mean())


def _logistic(features: Floats, truth: NDArray[np.bool_]) -> Floats:
    """Fit a logistic regression; none of the features, all of which speak for the truth, may speak against it."""
    weights = np.zeros(features.shape[1])
    importance = np.where(truth, UNREADABLE_ODDS, 1.0) / len(truth)
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        weights = weights - RATE * (features.T @ ((p - truth) * importance) + RIDGE * weights)
        weights[1:] = np.maximum(weights[1:], 0)
    return weights
