"""One posterior over the faces of a card: looks enter, the pooled distribution leaves."""

from math import log
from typing import Final

import numpy as np

from vision.detect.detection import UNREADABLE, FaceReading
from vision.observe.model import FaceRates
from vision.values.cards import DECK, Card
from vision.values.geometry import Floats

PLACES: Final = {card: i for i, card in enumerate(DECK)}
FLOOR: Final = 1e-4  # probability that any face has in spite of all
READABLE: Final = 0.3  # of a look, from which on it says something
OTHER: Final = 0.05  # chance of one face from which on two are taken for others
NAMED: Final = 0.001  # faces that are likelier than this are told


class FaceBelief:
    """What all looks at one card's face say together."""

    def __init__(self, rates: FaceRates) -> None:
        self._rates = rates
        self._logs: Floats = np.zeros(len(DECK))
        self._told: Floats | None = None
        self.looks = 0

    def look(self, reading: FaceReading) -> None:
        """Take in a look."""
        p = _of_faces(reading)
        if p is None:
            return
        weight = 1.0 if self.looks == 0 else self._rates.again
        self._logs += weight * np.log(p)
        self.looks += 1

    def agreement(self, reading: FaceReading) -> float | None:
        """Return how likely a look and the looks before show one face; None where it could not be read."""
        p = _of_faces(reading)
        return None if p is None else float(self.chances @ p)

    def differs_from(self, other: "FaceBelief") -> bool:
        """Return whether looks at two cards say that they are not one."""
        return bool(self.looks and other.looks) and float(self.chances @ other.chances) < OTHER

    def denial(self, reading: FaceReading) -> float:
        """Return the log-likelihood ratio of a look: of another card against this one."""
        p = _of_faces(reading)
        if p is None or not self.looks:
            return 0.0
        same = float(self.chances @ p)
        return log((1 - same + FLOOR) / len(DECK) + FLOOR) - log(same + self._rates.misread / len(DECK))

    @property
    def chances(self) -> Floats:
        """Return the probability of each face."""
        p, lasting = np.exp(self._logs - self._logs.max()), self._rates.lasting
        return np.asarray((1 - lasting) * p / p.sum() + lasting / len(DECK))

    def chance_of(self, card: str) -> float:
        """Return the probability of one face."""
        return float(self.chances[PLACES[Card.parse(card)]])

    def tell(self) -> dict[str, float] | None:
        """Return the distribution where it says more than what was told before; None where it does not."""
        if not self.looks:
            return None
        now = self.chances
        if self._told is not None and not _differs(self._told, now):
            return None
        self._told = now
        return {str(DECK[i]): float(now[i]) for i in np.argsort(-now, kind="stable")[:8] if now[i] >= NAMED}


def _of_faces(reading: FaceReading) -> Floats | None:
    """Return the probabilities of the faces where a look could read one."""
    readable = float(1 - reading.p[UNREADABLE])
    if readable <= READABLE:
        return None
    p = np.maximum(reading.p[:UNREADABLE] / readable, FLOOR)
    return np.asarray(p / p.sum())


def _differs(told: Floats, now: Floats) -> bool:
    """Return whether a distribution moved by a tenth, or its doubt shrank to a fifth."""
    moved = float(np.abs(told - now).sum()) / 2
    doubt, left = 1 - float(told.max()), 1 - float(now.max())
    return moved > 0.1 or (left < doubt / 5 and doubt > 0.005)
