"""Rankings: which of a hand's patterns counts, and which of two hands is higher.

A hand's strength is a flat tuple (class, ranks of the made part, kickers), so comparing two hands is comparing
two tuples. It is read straight off the spread of all n cards: the strongest class found, its highest instance,
then the highest cards left, is the best `pick` of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from vision.rules.hands.spread import (
    Made,
    Pattern,
    Spread,
    anything,
    coloured,
    has,
    kinds,
    rank_set,
    run,
    suited,
    suited_run,
)
from vision.rules.text.gamefile import ClassSpec, RankSpec
from vision.values.cards import SUITS, VALUE

Strength = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RankClass:
    """A class of a ranking: its name, its pattern and how many cards the made part takes."""

    id: str
    find: Pattern
    size: int
    groups: tuple[int, ...]  # cards per made rank; empty where every made card is listed


@dataclass(frozen=True, slots=True)
class Standing:
    """How a hand stands in a ranking."""

    cls: str
    strength: Strength


class Ranking:
    """One ranking of a game: four-card, five-card, three-card."""

    def __init__(self, spec: RankSpec) -> None:
        self.pick = spec.pick
        self.classes = tuple(_rank_class(cls) for cls in spec.order)
        self._weight = {cls.id: len(spec.order) - i for i, cls in enumerate(spec.order)}
        self._patterns = {cls.id: cls.find for cls in self.classes}
        self._patterns |= {cls.id: self._paytable_pattern(cls) for cls in spec.also}

    def standing(self, spread: Spread) -> Standing:
        """Return the class and the strength of the best `pick` cards."""
        for cls in self.classes:
            made = cls.find(spread)
            if made is not None:
                kickers = _kickers(spread, cls, made, self.pick - cls.size)
                return Standing(cls.id, (self._weight[cls.id], *made, *kickers))
        raise AssertionError("the last class of a ranking takes every hand")  # the loader sees to it

    def contains(self, spread: Spread, class_id: str) -> bool:
        """Tell whether the cards contain a class, however much more they are worth; an unknown class never is."""
        return self.first(spread, (class_id,)) is not None

    def first(self, spread: Spread, class_ids: Iterable[str]) -> str | None:
        """Return the first of the classes that the cards contain."""
        for class_id in class_ids:
            pattern = self._patterns.get(class_id)
            if pattern is not None and pattern(spread) is not None:
                return class_id
        return None

    def names(self) -> frozenset[str]:
        """Return the classes a paytable on this ranking may name."""
        return frozenset(self._patterns)

    def threshold(self, class_id: str, rank: str | None) -> Strength:
        """Return the least strength of a class; every hand at or above it compares greater or equal."""
        return (self._weight[class_id], *(() if rank is None else (VALUE[rank],)))

    def _paytable_pattern(self, spec: ClassSpec) -> Pattern:
        if spec.high is None:
            return pattern_of(spec)
        top = VALUE[spec.high]

        def find(spread: Spread) -> Made | None:
            return (top,) if self.standing(spread).strength[:2] == (1, top) else None

        return find


def pattern_of(spec: ClassSpec) -> Pattern:
    """Turn a class of the game file into the question it asks."""
    if spec.kinds is not None:
        return kinds(tuple(spec.kinds), _group_ranks(spec))
    top = None if spec.top is None else VALUE[spec.top]
    if spec.run is not None:
        return suited_run(spec.run, top, spec.suit or SUITS) if spec.suited else run(spec.run, top)
    if spec.colour is not None:
        return coloured(spec.colour)
    if spec.has is not None:
        return has(tuple(rank_set(group) for group in spec.has), same_suit=bool(spec.suited))
    return anything if spec.any else suited(int(spec.suited))


def size_of(spec: ClassSpec) -> int:
    """Return how many cards the made part of a class takes."""
    if spec.kinds is not None:
        return sum(spec.kinds)
    if spec.has is not None:
        return len(spec.has)
    return spec.run or spec.colour or int(spec.suited)


def _group_ranks(spec: ClassSpec) -> tuple[frozenset[int], ...]:
    if spec.of is None:
        return tuple(rank_set(None) for _ in spec.kinds or ())
    return tuple(rank_set(ranks) for ranks in spec.of)


def _rank_class(spec: ClassSpec) -> RankClass:
    return RankClass(spec.id, pattern_of(spec), size_of(spec), tuple(spec.kinds or ()))


def _kickers(spread: Spread, cls: RankClass, made: Made, wanted: int) -> Made:
    """Return the highest cards beside the made part."""
    if wanted <= 0:
        return ()
    used = dict(zip(made, cls.groups, strict=True)) if cls.groups else {}
    left = []
    for rank in spread.ranks:
        if used.get(rank, 0):
            used[rank] -= 1
        else:
            left.append(rank)
    return tuple(left[:wanted])
