"""Looking where it matters: frames enter, Sights leave.

Comparing pictures is cheap, finding things in them is dear. So a frame is compared with those before (`change`), and
only around what changed are things looked for, at the picture's own resolution, once it is still again: a moving hand
changes much and shows nothing. The dealer's cards are the exception: there, every frame that changed is looked at. What
lies still is looked at itself now and then, the new and the doubtful first; the felt around it more rarely.

A Sight holds what this frame was looked at for, not what is known from earlier ones. Hands are told in every frame, at
rest or not, since what they cover cannot be seen.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

import numpy as np

from vision.attention.change import Box, ChangeWatch, Crop, Grid, Mask, crops, spread
from vision.attention.region import FrameTrace, Region
from vision.attention.tile_zones import TileZones
from vision.attention.trouble import Trouble
from vision.attention.view import ViewWatch
from vision.calibrate.drift import DriftWatch, State
from vision.capture.video import Frame
from vision.detect.decode import suppress_overlaps
from vision.detect.detection import Detection, Found
from vision.detect.detectors import Detectors
from vision.detect.hand_detector import HandDetector
from vision.detect.models import quick_copy
from vision.observe.deck_backs import BackWatch
from vision.observe.false_positives import FalsePositives
from vision.observe.frame_observation import FrameObservation
from vision.observe.placing import Placed, Placer
from vision.observe.scene_memory import READ_KINDS, SAME, SOON, KnownObject, SceneMemory, apart, middle, moved
from vision.table.artwork import Expected, expected, read_artwork
from vision.table.table import Table
from vision.table.zones import Zone
from vision.values.chips import ChipSet
from vision.values.errors import InputError
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

RESTLESS_NS: Final = 2_000_000_000  # what never is still is looked at so often all the same
AGAIN_NS, EMPTY_AGAIN_NS = 6_000_000_000, 12_000_000_000  # what is still, with and without things, is searched again
SUDDEN: Final = 0.15  # of all tiles, that move at once: more than hands do
NEAR_TILES: Final = 5  # so far around the tile whose turn it is


class ObjectDetector(Protocol):
    """What finds and reads things: `Detectors`, or a script."""

    def find(self, picture: Picture, *, is_table: bool, wanted: Callable[[Found], bool] | None = None) -> list[Found]:
        """Find the things in a picture that are wanted."""

    def find_again(self, picture: Picture, card: Found) -> Found | None:
        """Look whether a card is still there."""

    def hands(self, picture: Picture, scale: float) -> list[Found]:
        """Find the hands in a picture, made smaller."""

    def read(
        self, picture: Picture, found: Sequence[Found], chips: ChipSet | None, camera: Camera | None, light: Floats
    ) -> list[Detection]:
        """Read things that were found, in light that tints them."""


class CameraFrameReader:
    """Looks at the frames of one camera, in order."""

    def __init__(self, table: Table, threads: int = 1, detectors: ObjectDetector | None = None) -> None:
        self._table = table
        self._detectors: ObjectDetector = detectors or Detectors(threads, quick_copy(), is_watching=True)
        self._backs = BackWatch(table)
        self._grid = Grid(table.camera.lens.width, table.camera.lens.height)
        self._drift = _drift_watch(table)
        self._moved_px: float | None = None  # by how much the camera was found moved, until it is told
        self._change = ChangeWatch(self._grid)
        self._searched_ns = np.zeros(self._grid.shape, np.int64)
        self._waits_ns = np.zeros(self._grid.shape, np.int64)  # since when a tile waits to be looked at
        self._gone: list[Detection] = []  # what was known and is not there any more, by the last frame
        self._reset_for_camera(Placer(table.camera, table.layout, table.chips))
        self.last = FrameTrace(None, 0)

    @property
    def camera(self) -> Camera:
        """Return the camera as it stands now."""
        return self._placer.camera

    @property
    def known(self) -> list[Detection]:
        """Return everything that is believed to lie on the table, and the hands above it, as last seen and read."""
        return [*(thing.seen for thing in self._memory.things), *map(Detection, self._hands.boxes)]

    def look(self, frame: Frame) -> FrameObservation:
        """Return what a frame shows."""
        self._check(frame)
        state = self._watch_camera(frame)
        self._change.update(frame.picture)
        self.last = FrameTrace(state, int(np.count_nonzero(self._change.moving)))
        trouble = self._trouble(frame)
        if state is State.LOST or trouble is not None:  # nothing is where it seems, or can be seen at all
            return FrameObservation(frame.index, frame.t_ns, (), frozenset(), is_sure=False, trouble=trouble)
        self._gone = []
        self._false_positives.update(frame.t_ns, frame.picture)
        looked, things = self._find(frame)
        self._find_hands(frame)
        read = self._look_closely(frame, things)
        is_sure, moved_px = state is not State.UNSURE, self._moved_px
        self._moved_px = None
        bare = tuple((placed.x, placed.y) for placed in self._placer.place(self._gone)) if self._gone else ()
        return FrameObservation(frame.index, frame.t_ns, self._placed(things, read), looked, is_sure, bare, moved_px)

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
            self._reset_for_camera(self._placer.under(drift.camera))
            self._moved_px = drift.shift_px
        return drift.state

    def _reset_for_camera(self, placer: Placer) -> None:
        """Look from a new place: nothing that was known of the picture holds."""
        self._placer = placer
        self._tile_zones = TileZones(self._grid, placer.camera, placer.map)
        bare, ground = _bare_felt(self._table, placer.camera), self._tile_zones
        self._false_positives = FalsePositives(placer, bare)
        self._view = None if bare is None else ViewWatch(bare, self._grid, ground.watched, ground.dealers)
        self._memory, self._hands = SceneMemory(self._grid), HandDetector(self._grid)
        self._over: tuple[list[Found], list[Placed]] = ([], [])  # the hands of the last frame, and where they were
        self._change.forget()

    def _trouble(self, frame: Frame) -> Trouble | None:
        """Return what is in the way of seeing."""
        if self._view is None:
            return None
        is_sudden = self.last.moving > SUDDEN * self._grid.none().size
        return self._view.update(frame.t_ns, frame.picture, self._boxes(), is_sudden=is_sudden)

    def _boxes(self) -> Iterator[Box]:
        """Yield the boxes around everything that is known to lie on the table."""
        for thing in self._memory.things:
            us, vs = zip(*thing.found.quad, strict=True)
            yield int(min(us)), int(min(vs)), int(max(us)), int(max(vs))

    def _causes(self, t_ns: int) -> dict[str, Mask]:
        """Return which tiles are to be searched, by the reason."""
        change, ground = self._change, self._tile_zones
        dirty = change.is_dirty & ground.watched
        self._waits_ns[~dirty] = t_ns
        causes = {
            "settled": dirty & change.is_calm,
            "dealer": dirty & ground.urgent,
            "restless": dirty & ~change.is_still & (t_ns - self._waits_ns >= RESTLESS_NS),
        }
        is_idle = not any(cause.any() for cause in causes.values())
        return causes | {"again": self._next_rescan(t_ns) if is_idle else self._grid.none()}

    def _next_rescan(self, t_ns: int) -> Mask:
        """Return the tiles around the one whose turn it is to be searched again, though nothing changed."""
        limit = np.where(self._memory.occupied(), AGAIN_NS, EMPTY_AGAIN_NS)
        over = np.where(self._tile_zones.watched & ~self._change.is_dirty, t_ns - self._searched_ns - limit, -limit)
        turn = self._grid.none()
        if over.max() >= 0:
            row, column = divmod(int(over.argmax()), over.shape[1])
            rows, columns = (slice(max(n - NEAR_TILES, 0), n + NEAR_TILES + 1) for n in (row, column))
            turn[rows, columns] = (over > -limit // 2)[rows, columns]
        return turn

    def _expand_to_zones(self, tiles: Mask) -> Mask:
        """Return tiles with those of things that reach onto them and, where it is calm, of all in the same zones."""
        zones = self._tile_zones.zones_at(tiles & self._change.is_calm)
        wide = tiles | (zones & self._memory.occupied() & ~self._change.is_dirty)
        for thing in self._memory.things:
            if tiles[thing.under].any() and not self._change.moving[thing.tile]:
                wide[thing.tile] = True
        return np.asarray(wide)

    def _find(self, frame: Frame) -> tuple[frozenset[Zone], list[KnownObject]]:
        """Search where it is time to; return the zones that were looked at as a whole, and what is there."""
        causes = self._causes(frame.t_ns)
        due = np.logical_or.reduce(list(causes.values()))
        if not due.any():
            return frozenset(), []
        tiles, changed = self._expand_to_zones(due), self._change.is_dirty.copy()
        seen = spread(tiles) & (tiles | ~changed) & self._tile_zones.watched
        parts = crops(self._grid, tiles, self._tile_zones.margin_px)
        found = self._search(frame.picture, parts, seen)
        self._hands.seen(seen, [thing for thing in found if thing.kind == "hand"])
        things = self._renew([thing for thing in found if thing.kind != "hand"], seen, changed, frame)
        self._searched(tiles, frame.t_ns)
        regions = (Region(p.box, tuple(why for why, cause in causes.items() if (cause & p.tiles).any())) for p in parts)
        self.last = replace(self.last, regions=tuple(regions))
        return self._tile_zones.looked(tiles, self._clear(seen, changed, things)), things

    def _clear(self, seen: Mask, changed: Mask, things: Sequence[KnownObject]) -> Mask:
        """Return the tiles of which it is known what is there: not those of a thing that was missed, unchanged."""
        clear = seen | ~self._tile_zones.watched | (~changed & ~self._memory.occupied())
        for thing in self._memory.things:
            if thing not in things:
                clear[thing.tile] = False
        return np.asarray(clear)

    def _search(self, picture: Picture, parts: Sequence[Crop], tiles: Mask) -> list[Found]:
        """Find things in parts of a picture: only those in the middle of a part, since others may be cut."""
        found: list[Found] = []
        left = tiles.copy()
        for part in parts:
            own = spread(part.tiles) & left
            left &= ~own
            seen = self._detectors.find(part.of(picture), is_table=True, wanted=partial(self._is_on, own, part.box))
            found += [moved(thing, part.box[:2]) for thing in seen]
        return suppress_overlaps([thing for thing in found if not self._false_positives.has(picture, thing)])

    def _found_again(self, picture: Picture, card: Found) -> Found | None:
        """Return a card as it is found at its place, None where it is not, or the felt shows."""
        again = self._detectors.find_again(picture, card)
        return None if again is None or self._false_positives.has(picture, card) else again

    def _is_on(self, tiles: Mask, box: Box, thing: Found) -> bool:
        """Tell whether a thing found in a part of the picture stands on tiles; hands reach everywhere."""
        u, v = middle(thing)
        return thing.kind == "hand" or bool(tiles[self._grid.tile_at(u + box[0], v + box[1])])

    def _renew(self, found: Sequence[Found], tiles: Mask, changed: Mask, frame: Frame) -> list[KnownObject]:
        """Renew what is known, and return what is there; cards that the finder missed are looked at by themselves."""
        there, missed = self._memory.renew(tiles, found, changed, frame.t_ns)
        for thing in missed:
            if not thing.found.kind.startswith("card") or self._change.moving[thing.under].any():
                continue
            again = self._found_again(frame.picture, thing.found)
            if again is not None and apart(again, thing.found) < SAME * self._grid.tile_px:
                is_changed = bool(changed[thing.under].any())
                self._memory.put_back(thing, replace(again, quad=thing.found.quad), frame.t_ns, is_changed=is_changed)
                there.append(thing)
        self._gone = [thing.seen for thing in missed if thing not in there and thing not in self._memory.things]
        return there

    def _searched(self, tiles: Mask, t_ns: int) -> None:
        self._searched_ns[tiles] = t_ns
        self._waits_ns[tiles] = t_ns
        self._change.done(tiles & self._change.is_still)

    def _find_hands(self, frame: Frame) -> None:
        def find(part: Crop) -> list[Found]:
            found = self._detectors.hands(part.of(frame.picture), self._tile_zones.hand_scale)
            return [moved(hand, part.box[:2]) for hand in found]

        boxes = self._hands.update(frame.t_ns, self._change.moving & self._tile_zones.on_table, find)
        self.last = replace(self.last, regions=(*self.last.regions, *(Region(box, ("hands",)) for box in boxes)))

    def _look_closely(self, frame: Frame, things: list[KnownObject]) -> set[int]:
        """Read what was found and not yet read, and look again at what is due; add that to the things.

        Returns the ids of the things that were read now.
        """
        again = [thing for thing in self._due(frame.t_ns) if thing not in things]
        still = [thing for thing in again if self._is_still_there(frame.picture, thing)]
        to_read = [thing for thing in things if thing.is_unread and self._is_readable(thing)]
        to_read += [thing for thing in still if thing.found.kind in READ_KINDS]
        if to_read:
            found = [thing.found for thing in to_read]
            read = self._detectors.read(
                frame.picture, found, self._table.chips, self.camera, self._false_positives.light
            )
            for thing, seen in zip(to_read, read, strict=True):
                thing.seen, thing.readings = seen, thing.readings + 1
        for thing in still:
            thing.looked_ns, thing.looks, thing.missed = frame.t_ns, thing.looks + 1, 0
        things += still
        bare = [thing for thing in things if not self._is_touched(thing)]
        to_read += self._backs.read(frame.picture, bare)
        self.last = replace(self.last, read=len(to_read))
        return {id(thing) for thing in to_read}

    def _is_touched(self, thing: KnownObject) -> bool:
        """Tell whether something moves over a thing, or a hand rests on it."""
        rows, columns = thing.under
        hands = (self._grid.tiles_under(hand.quad) for hand in self._hands.boxes)
        is_held = any(
            up.start < rows.stop and rows.start < up.stop and side.start < columns.stop and columns.start < side.stop
            for up, side in hands
        )
        return is_held or bool(self._change.moving[thing.under].any())

    def _due(self, t_ns: int) -> list[KnownObject]:
        """Return the things to be looked at again: new ones, and of the others the one that waits longest."""
        waiting = [
            thing
            for thing in self._memory.things
            if thing.again_ns <= t_ns
            and self._tile_zones.watched[thing.tile]
            and not self._change.is_dirty[thing.under].any()
        ]
        new = [thing for thing in waiting if thing.looks < SOON or thing.is_unread]
        return new or sorted(waiting, key=lambda thing: thing.again_ns)[:1]

    def _is_still_there(self, picture: Picture, thing: KnownObject) -> bool:
        """Look at a card itself again, which may be turned or gone; what else did not change is there."""
        if not thing.found.kind.startswith("card"):
            return True
        again = self._found_again(picture, thing.found)
        if again is None:
            thing.missed += 1
            if thing.missed > min(thing.looks, SOON):
                self._memory.drop(thing)
            return False
        if again.kind != thing.found.kind:
            thing.readings = 0
        thing.seen = replace(thing.seen, found=replace(again, quad=thing.found.quad))
        return True

    def _is_readable(self, thing: KnownObject) -> bool:
        """Tell whether nothing moves over a thing; the dealer's cards are read whenever they are seen."""
        return bool(self._tile_zones.urgent[thing.tile]) or not self._change.moving[thing.under].any()

    def _placed(self, things: Sequence[KnownObject], read: set[int]) -> tuple[Placed, ...]:
        """Place things, with readings only where they were read now; and hands."""
        seen = [thing.seen if id(thing) in read else Detection(thing.found) for thing in things]
        told = len(seen)
        if any(one.found.kind == "stack" for one in seen):  # a stack that stands on another is known by the other
            seen += [one.seen for one in self._memory.things if one.found.kind == "stack" and one not in things]
        return (*self._placer.place(seen)[:told], *self._placed_hands())

    def _placed_hands(self) -> list[Placed]:
        """Place hands, anew only where they are not those of the frame before."""
        boxes = list(self._hands.boxes)
        if boxes != self._over[0]:
            self._over = boxes, self._placer.place([Detection(hand) for hand in boxes])
        return self._over[1]


def _drift_watch(table: Table) -> DriftWatch | None:
    """Return what watches the camera; None for a felt without print, whose camera is taken at its word."""
    if table.layout.artwork is None:
        return None
    return DriftWatch(read_artwork(table.layout_folder, table.layout), table.layout, table.camera)


def _bare_felt(table: Table, camera: Camera) -> Expected | None:
    """Return how a camera sees the bare felt; None for a felt without print."""
    if table.layout.artwork is None:
        return None
    return expected(read_artwork(table.layout_folder, table.layout), camera)
