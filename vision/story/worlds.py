"""Settlement under doubt: what each card may be enters; what is due, with the chance of each answer, leaves.

A face that is read doubtfully seldom matters: be it the six or the eight of clubs, the dealer's pair of kings wins. So
the round is settled for every set of cards that it may have been, drawn by how likely the looks say each face is, no
card twice. What is the same each time is known; what is not is known with its chance.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.rules.book.house import House
from vision.rules.due.record import Line, PlayedRound, Settlement, Status
from vision.rules.due.settle import settle
from vision.rules.play.dealscript import Place
from vision.story.hands import BONUS, DEALER, seat_place
from vision.values.cards import DECK, UNSEEN, DealtHand
from vision.values.geometry import Floats

DRAWS: Final = 256
SEED: Final = 20  # fixed: the same evidence, the same answer
ANY: Final = np.full(len(DECK), 1 / len(DECK))
SHARPENED: Final = 1.5  # the mean of several looks is too modest: where it says 0.7, nine of ten were right
ONCE, LESS, MANY = 0.1, 1.5, 12  # a face that was read but once may be any; with every look more that is less likely
IMPOSSIBLE: Final = 1e-3  # all sets of cards together are so unlikely: some card lies there twice
MOST_UNSEEN: Final = 1  # cards of a hand: of one that lacks more nothing is said

SURE: Final = 0.95  # of a face, below which it is named as doubtful

Lines = Mapping[str, Line]
World = tuple[tuple[Place, DealtHand], ...]  # the cards of every hand
Hand = list[Floats | None]  # how likely the faces of each card are; None: it was not seen


@dataclass(frozen=True)
class Dues:
    """What a round is due: by all the cards that it may have been, with the chance of each, the likeliest first."""

    settled: tuple[tuple[Settlement, float], ...]

    @property
    def likeliest(self) -> Settlement:
        """Return what is due most likely."""
        return self.settled[0][0]

    @property
    def status(self) -> Status:
        """Return what became of the round: that never hangs on faces."""
        return self.likeliest.status

    def lines(self, seat: int) -> list[tuple[Lines, float]]:
        """Return what a seat's wagers are due, with the chance of each answer, the likeliest first."""
        found: dict[tuple[object, ...], tuple[Lines, float]] = {}
        for settlement, chance in self.settled:
            lines: Lines = next((entry.lines for entry in settlement.seats if entry.seat == seat), {})
            key = tuple((wager, line.outcome, line.paid) for wager, line in sorted(lines.items()))
            found[key] = (lines, found[key][1] + chance if key in found else chance)
        return sorted(found.values(), key=lambda entry: -entry[1])


def dues(house: House, played: PlayedRound, hands: Mapping[Place, Hand], draws: int = DRAWS) -> Dues:
    """Return what a round is due; `hands`: what is known of the cards, those of `played` being the likeliest."""
    chances = list(_drawn(hands, draws))
    whole = sum(chance for _, chance in chances)
    if whole < IMPOSSIBLE * draws:  # a card lies on the table twice: that is not settled
        return Dues(((settle(house, played), 1.0),))
    ranked = sorted(chances, key=lambda entry: -entry[1])
    return Dues(tuple((settle(house, _with(played, dict(world))), chance / whole) for world, chance in ranked))


def _with(played: PlayedRound, cards: Mapping[Place, DealtHand]) -> PlayedRound:
    """Return a round with other cards."""
    seats = tuple(replace(play, cards=cards.get(seat_place(play.seat), play.cards)) for play in played.seats)
    return replace(played, seats=seats, dealer=cards.get(DEALER, played.dealer), bonus=cards.get(BONUS, played.bonus))


def _drawn(hands: Mapping[Place, Hand], draws: int) -> Iterator[tuple[World, float]]:
    """Draw sets of cards, each once, with how likely it is."""
    asked = [(place, i) for place, hand in hands.items() for i in range(len(hand)) if _is_asked(hand, i)]
    beliefs = np.array([_belief(hands[place][i]) for place, i in asked]).reshape(len(asked), len(DECK))
    faces, chances = _faces(beliefs, draws)
    rows = {slot: row for row, slot in enumerate(asked)}
    weights: dict[bytes, float] = {}
    first: dict[bytes, int] = {}
    for k, draw in enumerate(np.ascontiguousarray(faces.T)):
        key = draw.tobytes()
        first.setdefault(key, k)
        weights[key] = weights.get(key, 0.0) + float(chances[k])
    for key, k in first.items():
        world = tuple(
            (place, tuple(DECK[faces[rows[place, i], k]] if (place, i) in rows else UNSEEN for i in range(len(hand))))
            for place, hand in hands.items()
        )
        yield world, weights[key]


def _is_asked(hand: Hand, i: int) -> bool:
    return hand[i] is not None or sum(seen is None for seen in hand) <= MOST_UNSEEN


def _belief(seen: Floats | None) -> Floats:
    if seen is None:
        return ANY
    looks = seen.sum()
    sharpened = (seen / looks) ** SHARPENED
    doubt = ONCE / max(looks, 1.0) ** LESS if looks < MANY else 0.0
    return np.asarray((1 - doubt) * sharpened / sharpened.sum() + doubt * ANY)


def _faces(beliefs: Floats, draws: int) -> tuple[NDArray[np.intp], Floats]:
    """Draw a face of every card, none that another card has already, the surest first; return each draw's weight."""
    random = np.random.default_rng(SEED)
    faces, weights = np.zeros((len(beliefs), draws), np.intp), np.ones(draws)
    is_free = np.ones((draws, len(DECK)))
    for row in np.argsort(-beliefs.max(axis=1, initial=0.0), kind="stable"):
        sums = np.cumsum(beliefs[row] * is_free, axis=1)
        faces[row] = (sums > random.random((draws, 1)) * sums[:, -1:]).argmax(axis=1)
        is_free[np.arange(draws), faces[row]] = 0.0
        weights *= sums[:, -1]
    return faces, weights


def doubtful(hands: Mapping[Place, Hand]) -> list[str]:
    """Return the cards whose faces are in doubt, as they may read, the unseen ones first, then the most doubtful."""
    unseen = sum(seen is None for hand in hands.values() for seen in hand)
    found = []
    for seen in (seen for hand in hands.values() for seen in hand if seen is not None):
        first, second = np.argsort(-seen, kind="stable")[:2]
        if seen[first] < SURE * seen.sum():
            found.append((float(seen[first] / seen.sum()), f"{DECK[first]} {DECK[second]}"))
    faces = [text for _, text in sorted(found)]
    return [" ".join([str(UNSEEN)] * unseen), *faces] if unseen else faces
