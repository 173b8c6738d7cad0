"""Looking where it matters: frames enter, Sights leave.

Comparing pictures is cheap, finding things in them is dear. So a frame is compared with those before (`change`), and
only around what changed are things looked for, at the picture's own resolution, once it is still again: a moving hand
changes much and shows nothing. The dealer's cards are the exception: there, every frame that changed is looked at. What
lies still is read again now and then, the doubtful first, and looked for again more rarely.

A Sight holds what this frame showed, not what is known from earlier ones. The exception are hands: one that rests is
told in every frame, since what it covers cannot be seen.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from vision.calibrate.artwork import read_artwork
from vision.calibrate.drift import DriftWatch, State
from vision.calibrate.placing import Placed, Placer
from vision.calibrate.table import Table
from vision.calibrate.zones import Zone
from vision.capture.video import Frame
from vision.chips import ChipSet
from vision.detect.decode import thinned
from vision.detect.detection import Detection, Found, Picture
from vision.detect.eyes import Eyes
from vision.errors import InputError
from vision.geometry import Camera
from vision.track.change import Box, ChangeWatch, Crop, Grid, Mask, crops, spread
from vision.track.ground import Ground
from vision.track.sight import Sight

RESTLESS_NS: Final = 2_000_000_000  # what never is still is looked at so often all the same
AGAIN_NS, EMPTY_AGAIN_NS = 6_000_000_000, 12_000_000_000  # what is still, with and without things, is looked at again
BLOCK_TILES: Final = 5  # so far around the tile whose turn it is
REREAD_NS, DOUBTFUL_NS = 2_000_000_000, 500_000_000  # between two readings of what lies still
SURE_FACE, SURE_VALUE = 0.98, 0.9  # readings less likely than this are doubtful
SAME: Final = 0.25  # of a tile: things nearer than this are the same, seen twice
READ_KINDS: Final = ("card_up", "stack")


class Sees(Protocol):
    """What finds and reads things: `Eyes`, or a script."""

    def find(self, picture: Picture, *, is_table: bool) -> list[Found]:
        """Find all things in a picture."""

    def hands(self, picture: Picture, scale: float) -> list[Found]:
        """Find the hands in a picture, made smaller."""

    def read(
        self, picture: Picture, found: Sequence[Found], chips: ChipSet | None, camera: Camera | None
    ) -> list[Detection]:
        """Read things that were found."""


@dataclass(frozen=True, slots=True)
class Glance:
    """Why a part of a picture was looked at: 'settled', 'dealer', 'restless', 'again', or 'hands'."""

    box: Box
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What was done with a frame, for people who ask why."""

    camera: State | None  # None: the felt has no print by which to watch the camera
    moving: int  # tiles
    glances: tuple[Glance, ...]
    read: int  # cards and stacks


@dataclass(eq=False)
class _Known:
    """A thing as it was last seen, with its last reading."""

    seen: Detection
    tile: tuple[int, int]
    under: tuple[slice, slice]  # tiles
    read_ns: int | None = None

    @property
    def needs_reading(self) -> bool:
        return self.seen.found.kind in READ_KINDS and self.read_ns is None

    @property
    def again_ns(self) -> int:
        """Return when it should be read again."""
        face, stack = self.seen.face, self.seen.stack
        is_doubtful = (face is not None and face.confidence < SURE_FACE) or (
            stack is not None and (stack.value_p if stack.value_cents is not None else stack.count_p) < SURE_VALUE
        )
        return (self.read_ns or 0) + (DOUBTFUL_NS if is_doubtful else REREAD_NS)


class Looker:
    """Looks at the frames of one camera, in order."""

    def __init__(self, table: Table, threads: int = 1, eyes: Sees | None = None) -> None:
        self._table = table
        self._eyes: Sees = eyes or Eyes(threads)
        lens = table.camera.lens
        self._grid = Grid(lens.width, lens.height)
        self._drift = _drift_watch(table)
        self._change = ChangeWatch(self._grid)
        self._looked_ns = np.zeros(self._grid.shape, np.int64)
        self._known: list[_Known] = []
        self._hands: list[Found] = []
        self._stand(Placer(table.camera, table.layout, table.chips))
        self.last = Look(None, 0, (), 0)

    @property
    def camera(self) -> Camera:
        """Return the camera as it stands now."""
        return self._placer.camera

    @property
    def known(self) -> list[Detection]:
        """Return everything that is believed to lie on the table, and the hands above it, as last seen and read."""
        return [*(thing.seen for thing in self._known), *map(Detection, self._hands)]

    def look(self, frame: Frame) -> Sight:
        """Return what a frame shows."""
        self._check(frame)
        state = self._watch_camera(frame)
        self._change.update(frame.picture)
        self.last = Look(state, int(np.count_nonzero(self._change.moving)), (), 0)
        if state is State.LOST:  # nothing is where it seems
            return Sight(frame.index, frame.t_ns, (), frozenset(), is_sure=False)
        looked, fresh = self._find(frame)
        self._find_hands(frame.picture)
        read = self._read(frame, fresh)
        things = self._placed([*fresh, *(thing for thing in read if thing not in fresh)], read)
        return Sight(frame.index, frame.t_ns, tuple(things), looked, is_sure=state is not State.UNSURE)

    def _check(self, frame: Frame) -> None:
        height, width = frame.picture.shape[:2]
        wanted = (self._grid.width, self._grid.height)
        if (width, height) != wanted:
            raise InputError(
                f"frame {frame.index}: {width} x {height}: want {wanted[0]} x {wanted[1]},"
                f" as the camera of {self._table.path} was calibrated"
            )

    def _watch_camera(self, frame: Frame) -> State | None:
        if self._drift is None:
            return None
        drift = self._drift.update(frame.t_ns, frame.picture)
        if drift.camera != self.camera:
            self._stand(self._placer.under(drift.camera))
        return drift.state

    def _stand(self, placer: Placer) -> None:
        """Look from a new place: nothing that was known of the picture holds."""
        self._placer = placer
        self._ground = Ground(self._grid, placer)
        self._known, self._hands = [], []
        self._change.forget()

    def _find(self, frame: Frame) -> tuple[frozenset[Zone], list[_Known]]:
        """Look for things where it is time to; return the zones that were looked at as a whole, and what was found."""
        causes = self._causes(frame.t_ns)
        tiles = self._widened(np.logical_or.reduce(list(causes.values())))
        if not tiles.any():
            return frozenset(), []
        changed = self._change.is_dirty.copy()
        around = spread(tiles) & (tiles | ~changed) & self._ground.watched
        glances, found, hands = [], [], []
        for crop in crops(self._grid, tiles, self._ground.margin_px):
            own = spread(crop.tiles) & around
            around &= ~own
            seen = self._seen_in(frame.picture, crop, own)
            found += [thing for thing in seen if thing.kind != "hand"]
            hands += [thing for thing in seen if thing.kind == "hand"]
            glances.append(Glance(crop.box, tuple(why for why, due in causes.items() if (due & crop.tiles).any())))
        seen_tiles = (spread(tiles) & (tiles | ~changed)) & self._ground.watched
        fresh = self._remember(thinned(found), seen_tiles, changed)
        self._hands = [hand for hand in self._hands if not self._is_within(hand, seen_tiles)]
        self._hands = thinned([*hands, *self._hands])
        self._done(tiles, frame.t_ns)
        self.last = replace(self.last, glances=tuple(glances))
        empty = ~changed & ~self._occupied()
        return self._ground.looked(tiles, seen_tiles | empty | ~self._ground.watched), fresh

    def _causes(self, t_ns: int) -> dict[str, Mask]:
        """Return which tiles are to be looked at, by the reason."""
        change, ground = self._change, self._ground
        dirty = change.is_dirty & ground.watched
        causes = {"settled": dirty & change.is_still}
        dealer = ground.urgent & dirty
        causes["dealer"] = dealer if (dealer & change.moving).any() else self._grid.none()
        causes["restless"] = dirty & ~change.is_still & (t_ns - self._looked_ns >= RESTLESS_NS)
        is_idle = not any(cause.any() for cause in causes.values())
        causes["again"] = self._turn(t_ns) if is_idle else self._grid.none()
        return causes

    def _turn(self, t_ns: int) -> Mask:
        """Return the tiles around the one whose turn it is to be looked at again, though nothing changed."""
        limit = np.where(self._occupied(), AGAIN_NS, EMPTY_AGAIN_NS)
        over = np.where(self._ground.watched & ~self._change.is_dirty, t_ns - self._looked_ns - limit, -1)
        turn = self._grid.none()
        if over.max() >= 0:
            row, column = divmod(int(over.argmax()), over.shape[1])
            near = (slice(max(row - BLOCK_TILES, 0), row + BLOCK_TILES), slice(max(column - BLOCK_TILES, 0), column + BLOCK_TILES))
            turn[near] = over[near] >= -limit[near] // 2
        return turn

    def _widened(self, tiles: Mask) -> Mask:
        """Return tiles with those that must be looked at with them: of the same zones where things lie, and all of things."""
        if not tiles.any():
            return tiles
        wide = tiles | (self._ground.zones_at(tiles) & self._occupied() & ~self._change.is_dirty)
        for thing in self._known:
            if tiles[thing.under].any() and not self._change.moving[thing.tile]:
                wide[thing.tile] = True
        return np.asarray(wide)

    def _occupied(self) -> Mask:
        """Return the tiles on which the middle of a thing lies."""
        occupied = self._grid.none()
        for thing in self._known:
            occupied[thing.tile] = True
        return occupied

    def _seen_in(self, picture: Picture, crop: Crop, tiles: Mask) -> list[Found]:
        """Find things in a part of a picture; only those whose middle lies on given tiles, since others may be cut."""
        found = (moved(thing, crop.box[:2]) for thing in self._eyes.find(crop.of(picture), is_table=True))
        return [thing for thing in found if thing.kind == "hand" or tiles[self._grid.tile_at(*middle(thing))]]

    def _remember(self, found: Iterable[Found], tiles: Mask, changed: Mask) -> list[_Known]:
        """Put what was found in the place of what was known on these tiles; what is the same keeps its reading."""
        before = [thing for thing in self._known if tiles[thing.tile]]
        fresh = [_Known(Detection(thing), self._grid.tile_at(*middle(thing)), self._grid.tiles_under(thing.quad)) for thing in found]
        for thing in fresh:
            same = [old for old in before if self._is_same(old.seen.found, thing.seen.found)]
            if same and not changed[thing.under].any():
                thing.seen = replace(same[0].seen, found=thing.seen.found)
                thing.read_ns = same[0].read_ns
        self._known = [*(thing for thing in self._known if not tiles[thing.tile]), *fresh]
        return fresh

    def _is_same(self, old: Found, new: Found) -> bool:
        apart = np.subtract(middle(old), middle(new))
        return old.kind == new.kind and float(np.hypot(*apart)) < SAME * self._grid.tile_px

    def _is_within(self, hand: Found, tiles: Mask) -> bool:
        """Tell whether most of a hand lies on these tiles."""
        return bool(tiles[self._grid.tiles_under(hand.quad)].mean() > 0.5)

    def _done(self, tiles: Mask, t_ns: int) -> None:
        self._looked_ns[tiles] = t_ns
        self._change.done(tiles & self._change.is_still)

    def _find_hands(self, picture: Picture) -> None:
        """Look for hands where something moves over the table, and where a hand was that may have gone."""
        moving = self._change.moving & self._ground.on_table
        if not moving.any():
            return
        resting = []
        for hand in self._hands:
            under = self._grid.tiles_under(hand.quad)
            if moving[under].any():
                moving[under] = True
            else:
                resting.append(hand)
        glances = []
        for crop in crops(self._grid, moving, self._grid.tile_px):
            found = self._eyes.hands(crop.of(picture), self._ground.hand_scale)
            resting += [moved(hand, crop.box[:2]) for hand in found]
            glances.append(Glance(crop.box, ("hands",)))
        self._hands = thinned(resting)
        self.last = replace(self.last, glances=(*self.last.glances, *glances))

    def _read(self, frame: Frame, fresh: Sequence[_Known]) -> list[_Known]:
        """Read what was never read and is still now, and of the rest the thing whose turn it is; return them."""
        watched = [thing for thing in self._known if self._ground.watched[thing.tile]]
        to_read = [thing for thing in watched if thing.needs_reading and self._is_readable(thing, fresh)]
        if not to_read:
            again = [thing for thing in watched if thing.read_ns is not None and thing.again_ns <= frame.t_ns]
            again = [thing for thing in again if not self._change.is_dirty[thing.under].any()]
            to_read = sorted(again, key=lambda thing: thing.again_ns)[:1]
        read = self._eyes.read(
            frame.picture, [thing.seen.found for thing in to_read], self._table.chips, self.camera
        ) if to_read else []
        for thing, seen in zip(to_read, read, strict=True):
            thing.seen, thing.read_ns = seen, frame.t_ns
        self.last = replace(self.last, read=len(read))
        return to_read

    def _is_readable(self, thing: _Known, fresh: Sequence[_Known]) -> bool:
        """Tell whether nothing moves over a thing; the dealer's cards are read whenever they are seen."""
        if self._ground.urgent[thing.tile] and thing in fresh:
            return True
        return not self._change.moving[thing.under].any()

    def _placed(self, things: Sequence[_Known], read: Sequence[_Known]) -> list[Placed]:
        """Place things, with readings only where they were read now; and hands."""
        if not things and not self._hands:
            return []
        company = [thing for thing in self._known if thing not in things and thing.seen.found.kind == "stack"]
        seen = [thing.seen if thing in read else Detection(thing.seen.found) for thing in things]
        seen += map(Detection, self._hands)
        told = len(seen)
        seen += [thing.seen for thing in company]  # a stack on another one is known by the other
        return self._placer.place(seen)[:told]


def moved(thing: Found, by: Sequence[int]) -> Found:
    """Return a thing found in a part of a picture as the whole picture has it."""
    (a, b), (c, d), (e, f), (g, h) = thing.quad
    u, v = by
    quad = ((a + u, b + v), (c + u, d + v), (e + u, f + v), (g + u, h + v))
    base = None if thing.base is None else (thing.base[0] + u, thing.base[1] + v)
    top = None if thing.top is None else (thing.top[0] + u, thing.top[1] + v)
    return replace(thing, quad=quad, base=base, top=top)


def middle(thing: Found) -> tuple[float, float]:
    """Return where a thing stands in the picture: the foot of a stack, the middle of anything else."""
    if thing.base is not None:
        return thing.base
    u, v = np.mean(thing.quad, axis=0)
    return float(u), float(v)


def _drift_watch(table: Table) -> DriftWatch | None:
    """Return what watches the camera; None for a felt without print, whose camera is taken at its word."""
    if table.layout.artwork is None:
        return None
    return DriftWatch(read_artwork(table.layout_folder, table.layout), table.layout, table.camera)
