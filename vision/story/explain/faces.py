"""The faces of a round's cards, decided together: no card twice, and a thing seen twice is one card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.rules.play.dealscript import Place
from vision.story.explain.board import Thing
from vision.story.explain.cards import PLACES, CardChain, Cards
from vision.story.explain.context import TableContext, seat_place
from vision.values.cards import DECK, UNSEEN, Card, Unseen
from vision.values.geometry import Floats

CERTAIN, LOOKS = 0.99, 4  # of a face, and looks, from which on it is not given up for another card's sake
SURELY: Final = 0.98  # of a face: two readings of one card seldom err so surely
FLOOR: Final = 1e-6  # of a face: no number of looks excludes it


@dataclass(frozen=True)
class ReadCard:
    """One card of a hand, and how likely each face is; None where no face was read."""

    beliefs: Floats | None
    looks: int = 0

    @property
    def best(self) -> int | None:
        """Return the likeliest face, by its place in the deck."""
        return None if self.beliefs is None else int(self.beliefs.argmax())


def hands_of(context: TableContext, cards: Cards) -> dict[Place, tuple[ReadCard, ...]]:
    """Return what is known of every hand's cards: as dealt, and as shown."""
    counts = context.game.file.counts
    found: dict[Place, tuple[ReadCard, ...]] = {}
    for place, chains in cards.hands.items():
        want = counts.get(place[0], 0)
        shown = [thing for show in cards.shows if place == seat_place(show.seat or 0) for thing in show.things]
        own = [thing for chain in chains for thing in chain.things]
        found[place] = _hand([*own, *shown], want)
    return found


def _hand(things: Sequence[Thing], want: int) -> tuple[ReadCard, ...]:
    """Return a hand's cards: things that show the same face are one card; what is too much was seen worst."""
    by_face: dict[int, ReadCard] = {}
    for thing in things:
        if thing.face is None:
            continue
        one = ReadCard(_beliefs(thing.faces), thing.face_looks)
        face = one.best
        if face is not None:
            by_face[face] = _both(by_face[face], one) if face in by_face else one
    ranked = sorted(by_face.values(), key=lambda card: (-card.looks, card.best or 0))[: max(want, _together(things))]
    return (*ranked, *(ReadCard(None) for _ in range(want - len(ranked))))


def _together(things: Sequence[Thing]) -> int:
    """Return how many faces surely lay open at once: so many cards the hand has."""
    sure = [thing for thing in things if thing.face is not None and thing.faces[thing.face] >= SURELY]
    moments = [thing.born_ns for thing in sure]
    return max((len({one.face for one in sure if one.is_there(t) and one.is_up(t)}) for t in moments), default=0)


def _beliefs(faces: Mapping[str, float]) -> Floats:
    p = np.full(len(DECK), max(1.0 - sum(faces.values()), FLOOR) / len(DECK))
    for name, chance in faces.items():
        p[PLACES[name]] += chance
    return np.asarray(p / p.sum())


def _both(one: ReadCard, other: ReadCard) -> ReadCard:
    """Return two sightings of one card as one."""
    if one.beliefs is None or other.beliefs is None:
        return other if one.beliefs is None else one
    p = one.beliefs * other.beliefs
    return ReadCard(p / p.sum(), one.looks + other.looks)


def named(hands: Mapping[Place, Sequence[ReadCard]]) -> dict[Place, tuple[Card | Unseen, ...]]:
    """Return the likeliest faces together: the surest first, none twice."""
    slots = [(place, i) for place, hand in hands.items() for i in range(len(hand)) if hand[i].beliefs is not None]
    slots.sort(key=lambda slot: -_top(hands[slot[0]][slot[1]]))
    taken: set[int] = set()
    faces: dict[tuple[Place, int], Card] = {}
    for place, i in slots:
        beliefs = hands[place][i].beliefs
        if beliefs is None:
            continue
        best = int(beliefs.argmax())
        if beliefs[best] >= CERTAIN and hands[place][i].looks >= LOOKS:
            free: int | None = best  # two cards that surely show one face are a duplicate
        else:
            free = next((int(k) for k in np.argsort(-beliefs, kind="stable") if int(k) not in taken), None)
        if free is not None:
            taken.add(free)
            faces[place, i] = DECK[free]
    return {place: tuple(faces.get((place, i), UNSEEN) for i in range(len(hand))) for place, hand in hands.items()}


def _top(card: ReadCard) -> float:
    return 0.0 if card.beliefs is None else float(card.beliefs.max())


def up_card_of(chain: CardChain | None) -> Card | None:
    """Return the face of the card that lay open before the reveal."""
    beliefs = None if chain is None else chain.faces()
    return None if beliefs is None else DECK[int(beliefs.argmax())]
