"""One picture after the other: things laid over the bare table, and who hides whom.

Only what changed is drawn again: each thing's patch is kept as long as its body and pose stay, and a frame recomposes
the rectangles in which something moved.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import hypot

import numpy as np
from numpy.typing import NDArray

from studio.light import Pillar
from studio.patch import Patch, smeared
from studio.scene import CardBody, HandBody, PropBody, StackBody, Thing
from vision.values.picture import Picture

CARRIED_MM = 12.0  # above this a card or chip is in a hand, over all that lies
NO_SMEARS: Mapping[int, tuple[float, float]] = {}
STANDING = 2  # rank of what stands on the felt, in the order of drawing
COVERED = 128  # from this cover on a pixel belongs to the thing
Rect = tuple[int, int, int, int]  # u0, v0, u1, v1


@dataclass(frozen=True, slots=True)
class Drawn:
    """A thing's patches: what it shows and the shadow it throws."""

    patch: Patch
    shadow: Patch | None

    def rects(self) -> list[Rect]:
        """Return what the patches touch."""
        return [_rect(piece) for piece in (self.patch, self.shadow) if piece is not None]


class FrameMaker:
    """Keeps the picture of a table up to date."""

    def __init__(
        self,
        base: Picture,
        light_map: NDArray[np.float32],
        paint: Callable[[Thing, tuple[Pillar, ...]], Drawn],
        depth: Callable[[Thing], float],
        pillar: Callable[[Thing], Pillar | None] = lambda _: None,
    ) -> None:
        self._base = base
        self._light = light_map
        self._paint = paint
        self._depth = depth
        self._pillar = pillar
        self._drawn: dict[int, tuple[Thing, Drawn]] = {}
        self._pillars: dict[int, tuple[Pillar, ...]] = {}  # what stood in the light of each stack when it was drawn
        self._smears: Mapping[int, tuple[float, float]] = {}
        self._smeared: frozenset[int] = frozenset()  # drawn with a smear last time: sharp again once they rest
        self.picture = base.copy()
        self.owners = np.zeros(base.shape[:2], np.uint16)  # which thing each pixel shows; 0 is the table
        self.visible: dict[int, float] = {}
        self.hidden_by: dict[int, list[int]] = {}

    def show(self, things: Sequence[Thing], smears: Mapping[int, tuple[float, float]] = NO_SMEARS) -> list[Rect]:
        """Bring the picture up to date; return where it changed. `smears`: pixels that things move in a shutter."""
        self._smears = smears
        ordered = sorted(things, key=self._order)
        dirty = self._update(ordered)
        self._smeared = frozenset(smears)
        for rect in dirty:
            self._recompose(rect, ordered)
        self._measure(ordered, dirty)
        return dirty

    def patch_of(self, thing_id: int) -> Patch:
        """Return the patch of a thing that is on the table."""
        return self._drawn[thing_id][1].patch

    def _order(self, thing: Thing) -> tuple[int, float, float]:
        """Draw what lies first, then what stands from far to near, then what is carried, then hands."""
        body, pose = thing.body, thing.pose
        if isinstance(body, HandBody):
            return (4, pose.z, 0.0)
        if isinstance(body, PropBody) and body.kind in ("head", "sleeve"):
            return (5, 0.0, 0.0)
        if pose.z > CARRIED_MM:
            return (3, pose.z, -self._depth(thing))
        if isinstance(body, CardBody):
            return (1, pose.z, 0.0)
        return (
            STANDING if isinstance(body, StackBody) or body.kind not in ("cash", "cutcard") else 0,
            0.0,
            -self._depth(thing),
        )

    def _update(self, things: Sequence[Thing]) -> list[Rect]:
        """Repaint the things that changed; return where the picture is out of date."""
        stale: list[Rect] = []
        present = {thing.id for thing in things}
        shaded = self._in_shade(things)
        for gone in [key for key in self._drawn if key not in present]:
            stale += self._drawn.pop(gone)[1].rects()
            self.visible.pop(gone, None)
            self.hidden_by.pop(gone, None)
            self._pillars.pop(gone, None)
        for thing in things:
            before = self._drawn.get(thing.id)
            pillars = shaded.get(thing.id, ())
            is_same = before is not None and before[0] == thing and self._pillars.get(thing.id, ()) == pillars
            if is_same and thing.id not in self._smeared:
                continue
            self._pillars[thing.id] = pillars
            drawn = self._lit(self._paint(thing, pillars))
            if thing.id in self._smears:
                drawn = Drawn(smeared(drawn.patch, *self._smears[thing.id]), drawn.shadow)
            stale += drawn.rects() + (before[1].rects() if before is not None else [])
            self._drawn[thing.id] = (thing, drawn)
        return merged(clipped(stale, self.picture.shape[1], self.picture.shape[0]))

    def _in_shade(self, things: Sequence[Thing]) -> dict[int, tuple[Pillar, ...]]:
        """Return what stands near each stack that lies on the table."""
        found = [(thing, pillar) for thing in things if (pillar := self._pillar(thing)) is not None]
        return {
            thing.id: tuple(other for one, other in found if one is not thing and _is_near(pillar, other))
            for thing, pillar in found
            if isinstance(thing.body, StackBody)
        }

    def _lit(self, drawn: Drawn) -> Drawn:
        """Put a patch into the light of the place where it is."""
        patch = drawn.patch
        inside, window = _overlap(_rect(patch), (0, 0, self._light.shape[1], self._light.shape[0]))
        if inside is None or window is None:
            return drawn
        colour = patch.colour.copy()
        part = colour[window[1] : window[3], window[0] : window[2]]
        light = self._light[inside[1] : inside[3], inside[0] : inside[2]]
        part[:] = np.clip(part * light, 0, 255).astype(np.uint8)
        return Drawn(Patch(patch.u, patch.v, colour, patch.cover), drawn.shadow)

    def _recompose(self, rect: Rect, ordered: Sequence[Thing]) -> None:
        u0, v0, u1, v1 = rect
        view = self._base[v0:v1, u0:u1].astype(np.int16)
        owners = np.zeros((v1 - v0, u1 - u0), np.uint16)
        for is_standing, group in groupby(ordered, lambda thing: self._order(thing)[0] == STANDING):
            together = [(thing.id, self._drawn[thing.id][1]) for thing in group]
            if is_standing:  # their shadows fall on the felt and on cards: what falls on a stack is painted with it
                for _, drawn in together:
                    _lay_shadow(view, rect, drawn)
            for number, drawn in together:
                if not is_standing:
                    _lay_shadow(view, rect, drawn)
                _lay(view, owners, rect, drawn.patch, number)
        self.picture[v0:v1, u0:u1] = view.astype(np.uint8)
        self.owners[v0:v1, u0:u1] = owners

    def _measure(self, things: Sequence[Thing], dirty: Sequence[Rect]) -> None:
        """Find which share of each thing in the changed rectangles can be seen."""
        for thing in things:
            rect = _rect(self._drawn[thing.id][1].patch)
            if thing.id in self.visible and not any(_overlap(rect, other)[0] for other in dirty):
                continue
            whole = int(np.count_nonzero(self._drawn[thing.id][1].patch.cover >= COVERED))
            inside, _ = _overlap(rect, (0, 0, self.picture.shape[1], self.picture.shape[0]))
            seen = 0 if inside is None else self._count(inside, thing.id)
            self.visible[thing.id] = seen / whole if whole else 0.0
            small = isinstance(thing.body, CardBody | StackBody)
            self.hidden_by[thing.id] = self._above(thing.id, inside) if small and inside and seen < whole else []

    def _above(self, thing_id: int, inside: Rect) -> list[int]:
        """Return the things that cover a part of this one."""
        patch = self.patch_of(thing_id)
        window = (slice(inside[1] - patch.v, inside[3] - patch.v), slice(inside[0] - patch.u, inside[2] - patch.u))
        owners = self.owners[inside[1] : inside[3], inside[0] : inside[2]][patch.cover[window] >= COVERED]
        return [int(owner) for owner in np.unique(owners) if owner not in (0, thing_id)]

    def _count(self, rect: Rect, owner: int) -> int:
        return int(np.count_nonzero(self.owners[rect[1] : rect[3], rect[0] : rect[2]] == owner))


def _rect(patch: Patch) -> Rect:
    height, width = patch.cover.shape
    return (patch.u, patch.v, patch.u + width, patch.v + height)


def _overlap(one: Rect, other: Rect) -> tuple[Rect | None, Rect | None]:
    """Return what two rectangles share, in frame coordinates and relative to the first."""
    u0, v0, u1, v1 = max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])
    if u0 >= u1 or v0 >= v1:
        return None, None
    return (u0, v0, u1, v1), (u0 - one[0], v0 - one[1], u1 - one[0], v1 - one[1])


def _lay(view: NDArray[np.int16], owners: NDArray[np.uint16] | None, rect: Rect, patch: Patch, owner: int) -> None:
    """Lay a patch over a part of the picture."""
    shared, window = _overlap(_rect(patch), rect)
    if shared is None or window is None:
        return
    cover = patch.cover[window[1] : window[3], window[0] : window[2]]
    target = view[shared[1] - rect[1] : shared[3] - rect[1], shared[0] - rect[0] : shared[2] - rect[0]]
    colour = patch.colour[window[1] : window[3], window[0] : window[2]].astype(np.int32)
    target += ((colour - target) * cover[..., None] // 255).astype(np.int16)
    if owners is not None:
        owners[shared[1] - rect[1] : shared[3] - rect[1], shared[0] - rect[0] : shared[2] - rect[0]][
            cover >= COVERED
        ] = owner


def _lay_shadow(view: NDArray[np.int16], rect: Rect, drawn: Drawn) -> None:
    if drawn.shadow is not None:
        _lay(view, None, rect, drawn.shadow, 0)


def _is_near(one: Pillar, other: Pillar) -> bool:
    """Return whether a pillar may take light from another: lamps hang high, so its shadow is hardly longer than it."""
    return hypot(one.x - other.x, one.y - other.y) < one.radius_mm + other.radius_mm + 1.5 * other.top_mm


def clipped(rects: Iterable[Rect], width: int, height: int) -> list[Rect]:
    """Return the parts of rectangles that lie in the frame."""
    found = (_overlap(rect, (0, 0, width, height))[0] for rect in rects)
    return [rect for rect in found if rect is not None]


def merged(rects: Sequence[Rect]) -> list[Rect]:
    """Join rectangles that overlap, until none do: no pixel is drawn twice."""
    result: list[Rect] = []
    for rect in rects:
        joined = rect
        while True:
            touching = [other for other in result if _overlap(joined, other)[0]]
            if not touching:
                break
            result = [other for other in result if other not in touching]
            corners = [joined, *touching]
            joined = (
                min(c[0] for c in corners),
                min(c[1] for c in corners),
                max(c[2] for c in corners),
                max(c[3] for c in corners),
            )
        result.append(joined)
    return result
