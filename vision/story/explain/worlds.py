"""Sets of cards that a round may have had, each with its likelihood: the likeliest, and those in which one differs.

Two misread cards at once are so rare that they change nothing; a card that was never read may be any that is left. Only
where several cards are unread are sets drawn by chance (a fixed seed: the same evidence, the same answer).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from vision.rules.book.house import House
from vision.rules.due.record import PlayedRound
from vision.rules.due.settle import settle
from vision.rules.play.dealscript import Place
from vision.story.explain.context import BONUS, DEALER, seat_place
from vision.story.worlds import Dues, dues
from vision.values.cards import DECK, UNSEEN, Card, Unseen
from vision.values.geometry import Floats

Hands = Mapping[Place, list[Floats | None]]
OTHERS: Final = 2  # faces that stand for all others that a card may have
DOUBTED: Final = 0.5  # of a face, below which nothing is known of it
LEAST: Final = 1e-5  # of a set of cards, against the likeliest, that is settled
DRAWS: Final = 64  # sets that are drawn where several cards are unread


def dues_of(house: House, played: PlayedRound, hands: Hands) -> Dues:
    """Return what a round is due by every set of cards that it may have been, the likeliest first."""
    slots = [(place, i) for place, hand in hands.items() for i in range(len(hand))]
    unread = [slot for slot in slots if _is_unread(hands, slot)]
    asked = [slot for slot in unread if sum(other[0] == slot[0] for other in unread) == 1]
    if len(asked) > 1:
        return dues(house, played, hands, DRAWS)
    best = {slot: _best(hands, slot) for slot in slots if slot not in unread}
    worlds = list(_worlds(hands, best, asked))
    whole = sum(weight for _, weight in worlds)
    ranked = sorted(worlds, key=lambda entry: -entry[1])
    return Dues(tuple((settle(house, _with(played, hands, cards)), weight / whole) for cards, weight in ranked))


Cards = dict[tuple[Place, int], int]


def _worlds(hands: Hands, best: Cards, asked: list[tuple[Place, int]]) -> Iterator[tuple[Cards, float]]:
    """Yield sets of cards, by places in the deck, with their weights."""
    if asked:
        left = [face for face in range(len(DECK)) if face not in best.values()]
        yield from (({**best, asked[0]: face}, 1 / len(left)) for face in left)
        return
    yield best, 1.0
    for slot, face in best.items():
        p = hands[slot[0]][slot[1]]
        if p is None:
            continue
        others = [int(k) for k in np.argsort(-p, kind="stable") if int(k) != face and int(k) not in best.values()]
        kept = others[:OTHERS]
        named = float(sum(p[k] for k in kept)) or 1.0
        for k in kept:
            weight = float(p[k]) / named * float(1 - p[face]) / max(float(p[face]), LEAST)
            if weight >= LEAST:
                yield {**best, slot: k}, weight


def _is_unread(hands: Hands, slot: tuple[Place, int]) -> bool:
    p = hands[slot[0]][slot[1]]
    return p is None or float(p.max()) < DOUBTED


def _best(hands: Hands, slot: tuple[Place, int]) -> int:
    p = hands[slot[0]][slot[1]]
    return 0 if p is None else int(p.argmax())


def _with(played: PlayedRound, hands: Hands, cards: Cards) -> PlayedRound:
    """Return a round with these cards."""

    def hand(place: Place) -> tuple[Card | Unseen, ...]:
        return tuple(DECK[cards[place, i]] if (place, i) in cards else UNSEEN for i in range(len(hands[place])))

    seats = tuple(
        replace(seat, cards=hand(seat_place(seat.seat)) if seat_place(seat.seat) in hands else seat.cards)
        for seat in played.seats
    )
    dealer = hand(DEALER) if DEALER in hands else played.dealer
    return replace(played, seats=seats, dealer=dealer, bonus=hand(BONUS) if BONUS in hands else played.bonus)
