"""What detectors say: values that leave this part, all in pixels of the picture as given."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.values.cards import DECK, Card
from vision.values.picture import Quad

KINDS = ("card_up", "card_down", "stack", "hand", "other")
UNREADABLE = len(DECK)  # the last place of a face's distribution


@dataclass(frozen=True, slots=True)
class Found:
    """A thing that the finder sees: what, how sure, and the four corners, clockwise, of all of it or of its box."""

    kind: str
    score: float
    quad: Quad
    base: tuple[float, float] | None = None  # of a stack: the middle of its lowest chip's underside
    top: tuple[float, float] | None = None  # of a stack: the middle of its highest chip's face
    radius_px: float = 0.0  # of a stack: half its width
    flatness: float = 1.0  # of a stack: how round its top looks; 1 from straight above, 0 from the side


@dataclass(frozen=True)
class FaceReading:
    """What a face may be: 52 probabilities in the order of `DECK`, and one for `not readable`; they sum to 1."""

    p: NDArray[np.float64]

    @property
    def card(self) -> Card | None:
        """Return the most likely card, None where the face is most likely not readable."""
        best = int(self.p.argmax())
        return None if best == UNREADABLE else DECK[best]

    @property
    def confidence(self) -> float:
        """Return the probability of `card`."""
        return float(self.p.max())


@dataclass(frozen=True, slots=True)
class Wall:
    """Where the wall of a stack is seen, in pixels: finer than the finder says."""

    top: tuple[float, float]  # the middle of the highest chip's face
    fall: tuple[float, float]  # from one chip to the next lower one
    chips: float  # how many chips high it looks


@dataclass(frozen=True)
class StackReading:
    """What a stack may hold: how many chips, which ones, what it is worth, each with what is certain."""

    count: int
    count_p: float
    count_bounds: tuple[int, int]  # lowest and highest number that the picture allows (98 % of the belief)
    denominations: tuple[int | None, ...] = ()  # cents from bottom to top; None: hidden, or no chip set is known
    value_cents: int | None = None  # None: no chip set is known
    value_p: float = 0.0
    value_bounds: tuple[int, int] | None = None
    worths: tuple[tuple[int, float], ...] = ()  # cents it may be worth and how likely, the likeliest first
    amounts: tuple[tuple[int, float], ...] = ()  # all that it may be worth: cents in rising order, adding up to 1
    counts: tuple[float, ...] = ()  # probability of one chip, two, …; the last place is for more
    wall: Wall | None = None
    prior: str | None = None  # which habits of betting were taken for granted


@dataclass(frozen=True)
class BackReading:
    """Whose back it may be: how likely that of each of the table's decks; the rest to 1 is another's, or covered."""

    decks: Mapping[str, float]

    @property
    def readable(self) -> float:
        """Return how likely it is the back of one of the table's decks."""
        return sum(self.decks.values())


@dataclass(frozen=True)
class Detection:
    """A thing found and read."""

    found: Found
    face: FaceReading | None = None
    stack: StackReading | None = None
    back: BackReading | None = None
