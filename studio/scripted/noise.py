"""How the detectors err: rates, and readings made up to match. A card or chips enter; what a reader says leaves.

Where a detector errs for a reason that stays (glare on a face, a stack seen too steeply), it errs in every picture
until the thing moves: such errors are drawn once, as a thing's `PersistentErrors`. The others are drawn anew for
each observation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from studio.scripted import confidence
from studio.scripted.rates import Noise
from vision.detect.detection import UNREADABLE, BackReading, FaceReading, StackReading
from vision.values.cards import DECK, RANKS, Card

LEAST, ENOUGH = 0.25, 0.6  # visible shares: of chips, what shows less is never found, what shows more as if whole
LASTING: Final = 0.7  # share of the misreadings that stay until the thing moves (assumed; of stacks on film, most)
SINGLE, TALL, TALL_SHARE = 0.06, 7, 0.8  # miscounted: single chips, of the others' share; stacks from this on, of all
# The following are measured on filmed test looks (`feltwatch suite filmed OUT --step rates`, 25 clips): of cards that
# lie face up, shares that are never found while they lie there, and the visible share from which on all others are;
# and of whole backs, the share that is found, clip by clip.
NEVER: Final = (0.0, 0.001, 0.006, 0.014, 0.077, 0.1, 1.0)
SHOWS: Final = (1.01, 0.9, 0.7, 0.55, 0.45, 0.32, 0.05)
BACKS_FOUND: Final = (0.17, 0.39, 0.45, 0.62, 0.7, 0.78, 0.8, 0.84, 0.92, 0.94, 0.96, 0.96, 1, 1, 1)
COURTS: Final = "JQK"
DIGITS: Final = 36  # a back is doubted by 10**-n, n even up to this (measured: 98 % under 0.01, 93 % under 0.001)
KNOWN, STRANGE = 0.86, 0.8  # what a known back leaves to the decks, and an unknown one to others (measured)
SECOND, SECOND_P = 0.78, 0.3  # of wrong values, those that name the true one too, and how likely at most (measured)
NEVER_FOUND: Final = 2.0  # a visible share that nothing has
PLACES: Final = {card: i for i, card in enumerate(DECK)}


@dataclass(frozen=True, slots=True)
class PersistentErrors:
    """What goes wrong with one thing for as long as it lies still."""

    needs: float = LEAST  # the visible share from which on it is found
    is_doubled: bool = False
    is_flipped: bool = False
    is_misread: bool = False
    is_blank: bool = False  # its face is not read
    off: int = 0  # chips counted too many
    is_misvalued: bool = False
    is_unvalued: bool = False
    is_card: bool = False  # a deck that is taken for a card
    is_back_misread: bool = False
    is_back_unknown: bool = False
    back_doubt: float = 0.0


class ErrorSampler:
    """All that is left to chance in one clip, from one generator: the same seed errs the same way."""

    def __init__(self, seed: int, noise: Noise, chips_cents: Sequence[int]) -> None:
        self.random = np.random.default_rng([seed, 23])
        self._backs = np.random.default_rng([seed, 29])  # of their own: with or without decks, all else errs the same
        self.noise = noise
        self._cents = sorted(chips_cents)
        looks = [*BACKS_FOUND] if self._backs.random() < noise.backs else [1.0]
        self._backs_found = looks[int(self._backs.integers(len(looks)))]

    def persistent_errors(self, chips: int, *, is_back: bool = False) -> PersistentErrors:
        """Draw what lasts, for a thing that comes to rest; `chips`: how many a stack has."""
        noise = self.noise
        u, b = self.random.random(10).tolist(), self._backs.random(4).tolist()  # a back is read alike while it lies
        off = 0 if u[5] >= LASTING * self._miscounted(chips) else -1 if chips > 1 and u[6] < 0.5 else 1
        return PersistentErrors(
            needs=NEVER_FOUND if is_back and b[3] >= self._backs_found else self._needs(chips, u[0]),
            is_doubled=u[1] < LASTING * noise.doubled,
            is_flipped=u[2] < LASTING * noise.flipped,
            is_misread=u[3] < LASTING * noise.misread,
            is_blank=u[4] < LASTING * noise.unreadable,
            off=off,
            is_misvalued=chips > 1 and not off and u[9] < LASTING * noise.misvalued,
            is_unvalued=u[7] < LASTING * noise.unvalued,
            is_card=u[8] < noise.deck_as_card,
            is_back_misread=b[0] < noise.misread_backs,
            is_back_unknown=b[1] < noise.unknown_backs,
            back_doubt=self._back_doubt(b[0] < noise.misread_backs, b[2]),
        )

    def _needs(self, chips: int, u: float) -> float:
        """Return the visible share from which on a thing is found."""
        if not self.noise.partly:
            return LEAST
        return LEAST + (ENOUGH - LEAST) * u if chips else float(np.interp(u, NEVER, SHOWS))

    def _miscounted(self, chips: int) -> float:
        noise = self.noise
        if chips >= TALL and noise.miscounted:
            return max(TALL_SHARE, noise.miscounted)
        return noise.miscounted * (SINGLE if chips == 1 else 1.0)

    def _back_doubt(self, is_misread: bool, u: float) -> float:
        """Return what a reading of a back leaves to other decks; one that is wrong is seldom sure (1 of 12)."""
        if not self.noise.doubt:
            return 0.0
        return 0.5 * (1 - u) if is_misread else 0.5 * 10 ** (-DIGITS * u)

    def fresh_error_rate(self, kind: str, chips: int) -> float:
        """Return how often something goes wrong for one observation only."""
        return (1 - LASTING) * sum(rate for _, rate in self._slips(kind, chips))

    def fresh_error(self, kind: str, chips: int, lasting: PersistentErrors) -> PersistentErrors:
        """Draw what goes wrong for one observation only, on top of what lasts."""
        names, rates = zip(*self._slips(kind, chips), strict=True)
        ends = np.cumsum(rates)
        name = names[int(np.searchsorted(ends, self.random.random() * ends[-1], side="right"))]
        match name:
            case "misread":
                return replace(lasting, is_misread=True, is_blank=False)
            case "blank":
                return replace(lasting, is_blank=True)
            case "flipped":
                return replace(lasting, is_flipped=not lasting.is_flipped)
            case "doubled":
                return replace(lasting, is_doubled=True)
            case "unvalued":
                return replace(lasting, is_unvalued=True)
            case "misvalued":
                return replace(lasting, is_misvalued=not lasting.off)
        return replace(lasting, off=-1 if chips > 1 and self.random.random() < 0.5 else 1)

    def _slips(self, kind: str, chips: int) -> list[tuple[str, float]]:
        noise = self.noise
        if kind == "card":
            face = [("misread", noise.misread), ("blank", noise.unreadable)]
            return [*face, ("flipped", noise.flipped), ("doubled", noise.doubled)]
        if kind == "stack":
            named = [("misvalued", noise.misvalued if chips > 1 else 0.0), ("unvalued", noise.unvalued)]
            return [("off", self._miscounted(chips)), *named, ("doubled", noise.doubled)]
        return []

    def frames_lost(self, fps: float) -> int:
        """Draw for how many observations a thing is lost."""
        return int(self.random.geometric(min(1.0, 1 / max(self.noise.missed_s * fps, 1.0))))

    def some_chip(self) -> int:
        """Draw a denomination."""
        return self._cents[int(self.random.integers(len(self._cents)))]

    def score(self) -> float:
        """Draw how sure the finder is of a thing."""
        return 0.99 - 0.25 * float(self.random.random()) if self.noise.doubt else 1.0

    def face(self, card: Card, errors: PersistentErrors) -> FaceReading:
        """Read a face; one that is misread has the true card in the second place."""
        p, u = np.zeros(UNREADABLE + 1), float(self.random.random())
        if errors.is_blank:
            return self.no_face(card)
        if self.noise.overlaps:
            return self._doubtful_face(card, u, is_right=not errors.is_misread)
        if errors.is_misread:
            taken = self._taken_for(card)
            sure = 0.45 + 0.4 * u
            p += (1 - sure) * 0.3 / len(p)
            p[PLACES[card]] += (1 - sure) * 0.7
            p[PLACES[taken]] += sure
        else:
            left = self.noise.doubt * u * u  # mostly small: the mean is a third of the most
            p += left / len(p)
            p[PLACES[card]] += 1 - left
        return _reading(p)

    def _doubtful_face(self, card: Card, u: float, *, is_right: bool) -> FaceReading:
        """Read a face about as surely whether rightly or wrongly, with another that is like it in the second place."""
        v, w = self.random.random(2).tolist()
        named = card if is_right else self._taken_for(card)
        other = card if not is_right and w < confidence.TRUTH_NAMED else self._taken_for(named)
        sure = confidence.sure_of_face(u, is_right=is_right)
        p = np.zeros(UNREADABLE + 1)
        p[PLACES[other]] = second = confidence.second_of(sure, v)
        p += (1 - sure - second) / len(p)
        p[PLACES[named]] += sure
        return _reading(p)

    def no_face(self, card: Card | None = None) -> FaceReading:
        """Return what is said of a face that cannot be read; a little is known of it where a card is given."""
        p = np.zeros(UNREADABLE + 1)
        hint = 0.3 * float(self.random.random()) if self.noise.doubt else 0.0
        p += hint / len(p)
        if card is not None:
            p[PLACES[card]] += 0.3 * hint
        p[UNREADABLE] += 1 - p.sum()
        return _reading(p)

    def back(self, deck: int, names: Sequence[str], errors: PersistentErrors) -> BackReading:
        """Read a back as that of one of the table's decks; that of a deck which the table does not have is unknown."""
        if deck >= len(names) or errors.is_back_unknown:
            return BackReading(dict.fromkeys(names, (1 - STRANGE) / len(names)))
        taken = names[deck - 1 if errors.is_back_misread else deck]
        left = KNOWN * errors.back_doubt / max(len(names) - 1, 1)
        return BackReading({name: KNOWN * (1 - errors.back_doubt) if name == taken else left for name in names})

    def _taken_for(self, card: Card) -> Card:
        """Draw a card that looks like this one: the same rank, or a rank beside it; courts for each other."""
        u = self.random.random(2).tolist()
        if u[0] < 0.5:
            others = [suit for suit in "cdhs" if suit != card.suit]
            return Card(card.rank, others[int(u[1] * 3)])
        at = RANKS.index(card.rank)
        like = [r for r in COURTS if r != card.rank] if card.rank in COURTS else [*RANKS[max(at - 1, 0) : at + 2]]
        like = [rank for rank in like if rank != card.rank]
        return Card(like[int(u[1] * len(like))], card.suit)

    def stack(self, cents: tuple[int, ...], errors: PersistentErrors) -> StackReading:
        """Count and value a stack; the bounds are honest: they hold the truth."""
        number, doubt = len(cents), self.noise.doubt
        if not doubt and not (errors.off or errors.is_unvalued or errors.is_misvalued):
            return StackReading(number, 1.0, (number, number), cents, sum(cents), 1.0, (sum(cents), sum(cents)))
        u, v = self.random.random(2).tolist()
        chain = cents if errors.off == 0 else cents[:-1] if errors.off < 0 else (*cents, cents[-1])
        chain = self._misnamed(chain, v) if errors.is_misvalued else chain
        if self.noise.overlaps and not errors.is_unvalued:
            return self._doubtful_stack(cents, chain, u)
        count_p = 0.3 + 0.25 * u if errors.off else 0.45 + 0.5 * u if number > 1 else 1 - 2 * doubt * u
        low, high = max(min(number, len(chain)) - (u < 0.3), 1), max(number, len(chain)) + (u > 0.6)
        if errors.is_unvalued:
            hidden = (None,) * (len(chain) - 1)
            bounds = (low * min(self._cents[0], *cents), high * max(self._cents[-1], *cents))
            return StackReading(len(chain), count_p, (low, high), (*hidden, chain[-1]), None, 0.0, bounds)
        cheap, dear = min(*cents, *chain), max(*cents, *chain)
        truth, told = sum(cents), sum(chain)
        bounds = (
            max(min(truth, told) - dear * (min(number, len(chain)) - low), cheap),
            max(truth, told) + dear * (high - max(number, len(chain))),
        )
        value_p = 0.12 + 0.28 * v if errors.is_misvalued or errors.off else count_p * (1 - doubt / 2)
        worths = ((told, value_p), *self._second(truth, told, value_p))
        return StackReading(len(chain), count_p, (low, high), chain, told, value_p, bounds, worths)

    def _doubtful_stack(self, cents: tuple[int, ...], chain: tuple[int, ...], u: float) -> StackReading:
        """Count and value a stack about as surely whether rightly or wrongly; the bounds hold the truth."""
        v, w, x, y = self.random.random(4).tolist()
        truth, told, is_right = sum(cents), sum(chain), sum(cents) == sum(chain)
        count_p = confidence.sure_of_stack(v, is_right=len(chain) == len(cents))
        sure = min(confidence.sure_of_stack(w, is_right=is_right), count_p)
        low, high = confidence.bounds_of(len(cents), len(chain), u, is_right=is_right)
        other = self._misnamed(chain, x) if x < 0.5 or len(chain) < 2 else chain[:-1]
        second = truth if not is_right and y < confidence.TRUTH_NAMED else sum(other)
        worths = ((told, sure), (second, confidence.second_of(sure, x))) if second != told else ((told, sure),)
        dear = max(*cents, *chain)
        bounds = (
            max(min(truth, told) - dear * (min(len(cents), len(chain)) - low), self._cents[0]),
            max(truth, told) + dear * (high - max(len(cents), len(chain))),
        )
        return StackReading(len(chain), count_p, (low, high), chain, told, sure, bounds, worths)

    def _second(self, truth: int, told: int, value_p: float) -> tuple[tuple[int, float], ...]:
        """Return what a wrong reading says of the true worth: mostly a little."""
        u, v = self.random.random(2).tolist()
        is_told = told != truth and u < SECOND
        return ((truth, min(0.95 * value_p, SECOND_P * v * v)),) if is_told else ()

    def _misnamed(self, cents: tuple[int, ...], u: float) -> tuple[int, ...]:
        """Return chips of which one is taken for another, as worn or shaded ones are."""
        at = int(u * len(cents))
        others = [chip for chip in self._cents if chip != cents[at]] or [cents[at]]
        return (*cents[:at], others[int(u * len(cents) * len(others)) % len(others)], *cents[at + 1 :])

    def half_hidden(self, cents: tuple[int, ...]) -> StackReading:
        """Read a stack of which little shows: a guess, and bounds that say so."""
        guess = max(len(cents) + int(self.random.integers(-1, 2)), 1)
        chain = (cents[-1],) * guess
        high = max(guess, len(cents)) + 2
        hidden = (None,) * (guess - 1)
        bounds = (min(self._cents[0], *cents), high * max(cents))
        return StackReading(guess, 0.3, (1, high), (*hidden, cents[-1]), sum(chain), 0.25, bounds)


def _reading(p: np.ndarray[tuple[int], np.dtype[np.float64]]) -> FaceReading:
    p.setflags(write=False)
    return FaceReading(p)
