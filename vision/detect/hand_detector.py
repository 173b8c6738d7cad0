"""Hands over a felt: where a picture moves they are looked for; one that rests is remembered until it moves.

Carpet, rails and glasses look like hands now and then. But a hand reaches over the felt, and it moved to get there.
"""

from collections.abc import Callable, Iterable
from typing import Final

from vision.attention.change import Box, Crop, Grid, Mask, crops
from vision.detect.detection import Found

# Assumed where a comment names no measurement.
LEAST_TILES: Final = 3  # that move together: less is no hand
PART_OVERLAP: Final = 0.6  # of a hand lies in a larger one: it is a part of it, seen in a smaller part of the picture
MIN_HAND_TILES: Final = 0.5  # of a hand's tiles
PAUSE_NS: Final = 100_000_000  # between two looks; in between hands are told as they were a frame before


class HandDetector:
    """The hands that are over the felt now, as boxes."""

    def __init__(self, grid: Grid, felt: Mask) -> None:
        self._grid, self._felt = grid, felt
        self.boxes: list[Found] = []
        self._moved = grid.none()  # since the last look
        self._stirred = grid.none()  # since it was last searched at rest
        self._unsearched = ~grid.none()  # at rest: what moved there before watching began nobody knows
        self._looked_ns: int | None = None

    def update(self, t_ns: int, moving: Mask, find: Callable[[Crop], list[Found]]) -> list[Box]:
        """Look where something moved, and where a hand was that may have gone; return the parts looked at."""
        self._moved |= moving
        self._stirred |= moving
        if not self._moved.any() or (self._looked_ns is not None and t_ns - self._looked_ns < PAUSE_NS):
            return []
        moving, self._moved, self._looked_ns = self._moved, self._grid.none(), t_ns
        resting: list[Found] = []
        for hand in self.boxes:
            under = self._grid.tiles_under(hand.quad)
            if moving[under].any():
                moving[under] = True
            else:
                resting.append(hand)
        parts = list(filter(self._is_worth_a_look, crops(self._grid, moving, self._grid.tile_px)))
        found = (hand for crop in parts for hand in find(crop))
        self.boxes = whole([*resting, *(hand for hand in found if self._reaches_in(hand, moving))])
        return [crop.box for crop in parts]

    def seen(self, tiles: Mask, hands: Iterable[Found]) -> None:
        """Take in the hands that were found while looking for things on some tiles."""
        known = [hand for hand in hands if self._may_rest(hand) or self._is_known(hand)]
        elsewhere = [hand for hand in self.boxes if tiles[self._grid.tiles_under(hand.quad)].mean() <= MIN_HAND_TILES]
        self.boxes = whole([*elsewhere, *known])
        self._stirred &= ~tiles
        self._unsearched &= ~tiles

    def _is_worth_a_look(self, part: Crop) -> bool:
        """Tell whether enough moved, and some of it over the felt."""
        return int(part.tiles.sum()) >= LEAST_TILES and bool((part.tiles & self._felt).any())

    def _reaches_in(self, hand: Found, moved: Mask) -> bool:
        """Tell whether what looks like a hand reaches over the felt, where something moved."""
        under = self._grid.tiles_under(hand.quad)
        return bool(self._felt[under].any() and moved[under].any())

    def _may_rest(self, hand: Found) -> bool:
        """Tell whether a hand may rest there: it moved there before, or lay there, over the edge, from the first."""
        if self._reaches_in(hand, self._stirred):
            return True
        under = self._grid.tiles_under(hand.quad)
        felt = self._felt[under]
        return bool(self._unsearched[under].any() and felt.any() and not felt.all())

    def _is_known(self, hand: Found) -> bool:
        """Tell whether it is a hand that was seen before and rests."""
        return any(_common(hand, other) > PART_OVERLAP * min(_area(hand), _area(other)) for other in self.boxes)


def whole(hands: Iterable[Found]) -> list[Found]:
    """Return hands without those that are parts of others."""
    kept: list[Found] = []
    for hand in sorted(hands, key=lambda hand: (-_area(hand), hand.quad)):
        if all(_common(hand, other) <= PART_OVERLAP * _area(hand) for other in kept):
            kept.append(hand)
    return kept


def _area(hand: Found) -> float:
    (left, top), _, (right, bottom), _ = hand.quad
    return (right - left) * (bottom - top)


def _common(one: Found, other: Found) -> float:
    (a, b), _, (c, d), _ = one.quad
    (e, f), _, (g, h), _ = other.quad
    return max(min(c, g) - max(a, e), 0.0) * max(min(d, h) - max(b, f), 0.0)
