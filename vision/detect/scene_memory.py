"""What is known to lie in a picture: things found enter; things with their readings, and when to look again, leave."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.attention.change import Box, Grid, Mask
from vision.detect.detection import Detection, Found
from vision.detect.overlap import iou_matrix

REREAD_NS, DOUBTFUL_NS = 2_000_000_000, 500_000_000  # between two looks at what lies still
SURE_FACE, SURE_VALUE = 0.98, 0.9  # readings less likely than this are doubtful
SOON: Final = 3  # looks at a new thing, one a frame: once may be chance
SAME: Final = 0.25  # of a tile: things nearer than this are the same, seen twice
OVER: Final = 0.6  # of two quads' union is common to both: one of them is the other, seen amiss
READ_KINDS: Final = ("card_up", "stack")


@dataclass(eq=False)
class KnownObject:
    """A thing as it was last seen, with its last reading."""

    seen: Detection
    tile: tuple[int, int]  # of its middle
    under: tuple[slice, slice]  # tiles
    looked_ns: int
    looks: int = 1
    missed: int = 0  # looks in a row that should have found it and did not
    readings: int = 0

    @property
    def found(self) -> Found:
        """Return what was found."""
        return self.seen.found

    @property
    def box(self) -> Box:
        """Return the upright box around it."""
        us, vs = zip(*self.found.quad, strict=True)
        return int(min(us)), int(min(vs)), int(max(us)), int(max(vs))

    @property
    def is_unread(self) -> bool:
        """Return whether it has a face or chips that nobody has read since it came or changed."""
        return self.found.kind in READ_KINDS and not self.readings

    @property
    def is_doubtful(self) -> bool:
        """Return whether its last reading leaves doubt."""
        face, stack = self.seen.face, self.seen.stack
        if stack is not None:
            return (stack.count_p if stack.value_cents is None else stack.value_p) < SURE_VALUE
        return face is not None and face.confidence < SURE_FACE

    @property
    def again_ns(self) -> int:
        """Return when it should be looked at again: at once while it is new, sooner if doubtful, less so each time."""
        if self.looks < SOON:
            return self.looked_ns
        if not self.is_doubtful:
            return self.looked_ns + REREAD_NS
        return self.looked_ns + min(DOUBTFUL_NS * max(self.readings - SOON + 1, 1), REREAD_NS)


class SceneMemory:
    """All things that are known."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self.things: list[KnownObject] = []

    def renew(
        self, tiles: Mask, found: Iterable[Found], changed: Mask, t_ns: int
    ) -> tuple[list[KnownObject], list[KnownObject]]:
        """Put what was found on tiles in the place of what was known there; return what was found, and what was missed.

        Where no pixel changed, what is missed stays known until it was missed too often.
        """
        before = [thing for thing in self.things if tiles[thing.tile]]
        there = [self._renewed(one, before, changed, t_ns) for one in found]
        missed = _not_among(before, there)
        for thing in missed:
            thing.missed += 1
        kept = [thing for thing in missed if not changed[thing.under].any() and thing.missed <= min(thing.looks, SOON)]
        self.things = [*(thing for thing in self.things if not tiles[thing.tile]), *there, *kept]
        return there, missed

    def put_back(self, thing: KnownObject, found: Found, t_ns: int, *, is_changed: bool) -> None:
        """Take a thing for there that was missed, since it was found by itself."""
        self.drop(thing)
        self.things.append(thing)
        if is_changed or found.kind != thing.found.kind:
            thing.seen, thing.looks, thing.readings = Detection(found), 0, 0
        thing.seen = replace(thing.seen, found=found)
        thing.looked_ns, thing.looks, thing.missed = t_ns, thing.looks + 1, 0

    def drop(self, thing: KnownObject) -> None:
        """Forget a thing."""
        self.things = [other for other in self.things if other is not thing]

    def _renewed(self, found: Found, before: Sequence[KnownObject], changed: Mask, t_ns: int) -> KnownObject:
        """Return a thing that was found, with all that is known of it if it was known before and did not change."""
        new = KnownObject(
            Detection(found), self._grid.tile_at(*middle(found)), self._grid.tiles_under(found.quad), t_ns
        )
        if changed[new.under].any():
            return new
        for old in before:
            if old.found.kind == found.kind and apart(old.found, found) < SAME * self._grid.tile_px:
                seen = replace(old.seen, found=found)
                return replace(new, seen=seen, looks=old.looks + 1, readings=old.readings)
        return new


def _not_among(things: Sequence[KnownObject], others: Sequence[KnownObject]) -> list[KnownObject]:
    """Return the things that are none of the others, by the place they take."""
    if not things or not others:
        return list(things)
    is_alike = np.array([[one.found.kind[:4] == other.found.kind[:4] for other in others] for one in things])
    overlap = iou_matrix([one.found.quad for one in things], [other.found.quad for other in others])
    best = np.where(is_alike, overlap, 0.0).max(axis=1)
    return [thing for thing, overlapped in zip(things, best.tolist(), strict=True) if overlapped < OVER]


def middle(thing: Found) -> tuple[float, float]:
    """Return where a thing stands in the picture: the foot of a stack, the middle of anything else."""
    if thing.base is not None:
        return thing.base
    (a, b), (c, d), (e, f), (g, h) = thing.quad
    return (a + c + e + g) / 4, (b + d + f + h) / 4


def apart(one: Found, other: Found) -> float:
    """Return how many pixels two things are apart."""
    return float(np.hypot(*np.subtract(middle(one), middle(other))))


def moved(thing: Found, by: Sequence[int]) -> Found:
    """Return a thing found in a part of a picture as the whole picture has it."""
    (a, b), (c, d), (e, f), (g, h) = thing.quad
    u, v = by
    quad = ((a + u, b + v), (c + u, d + v), (e + u, f + v), (g + u, h + v))
    base = None if thing.base is None else (thing.base[0] + u, thing.base[1] + v)
    top = None if thing.top is None else (thing.top[0] + u, thing.top[1] + v)
    return replace(thing, quad=quad, base=base, top=top)
