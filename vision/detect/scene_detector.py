"""Objects in the regions worth searching: a frame and its `View` enter, detections in pixels leave.

The scene remembers every object with its last reading. A frame tells only what it was searched or read for; what
lies still is read again now and then, the new and the doubtful first. Hands are told in every frame, at rest or not,
since what they cover cannot be seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from vision.attention.attention import Search, View, occupied
from vision.attention.change import Box, Crop, Grid, Mask, spread
from vision.attention.region import FrameTrace, Region
from vision.capture.video import Frame
from vision.detect.deck_backs import BackWatch
from vision.detect.decode import suppress_overlaps
from vision.detect.detection import Detection, Found
from vision.detect.detectors import Detectors, ObjectDetector
from vision.detect.false_positives import FalsePositives
from vision.detect.finder import scale_of
from vision.detect.hand_detector import HandDetector
from vision.detect.models import quick_copy
from vision.detect.scene_memory import READ_KINDS, SAME, SOON, KnownObject, SceneMemory, apart, middle, moved
from vision.detect.stacks import PLAIN
from vision.table.table import Table
from vision.table.zones import Zone
from vision.values.geometry import Camera
from vision.values.picture import Picture

NO_ZONES: Final[frozenset[Zone]] = frozenset()


@dataclass(frozen=True, slots=True)
class SceneDetections:
    """What one frame was searched and read for."""

    things: tuple[Detection, ...] = ()  # seen now; with a reading only where they were read now
    standing: tuple[Detection, ...] = ()  # stacks that are known and were not looked at now
    hands: tuple[Found, ...] = ()
    looked: frozenset[Zone] = NO_ZONES  # zones whose whole content is known now
    gone: tuple[Detection, ...] = ()  # known before, looked for now, and not there
    hand_regions: tuple[Region, ...] = ()
    read: int = 0  # cards and stacks


class SceneDetector:
    """Searches and reads the frames of one camera, in order, and remembers the scene."""

    def __init__(self, table: Table, detectors: ObjectDetector | None = None) -> None:
        self._chips, self._layout = table.chips, table.layout
        self._detectors: ObjectDetector = detectors or Detectors(copy=quick_copy(), is_watching=True)
        self._backs = BackWatch(table)
        self._grid = Grid(table.camera.lens.width, table.camera.lens.height)
        self._camera: Camera | None = None
        self._memory, self._hands = SceneMemory(self._grid), HandDetector(self._grid, self._grid.none())

    @property
    def scene(self) -> Sequence[KnownObject]:
        """Return everything that is believed to lie on the table."""
        return self._memory.things

    @property
    def known(self) -> tuple[Detection, ...]:
        """Return the scene and the hands above it, as last seen and read."""
        return (*(thing.seen for thing in self._memory.things), *map(Detection, self._hands.boxes))

    def update(self, frame: Frame, view: View) -> SceneDetections:
        """Return what a frame shows where it is worth searching."""
        if view.camera != self._camera:
            self._reset_for_camera(view)
        if view.is_blind:
            return SceneDetections()
        self._view, self._light = view, PLAIN if view.light is None else view.light
        things, gone, looked = self._found(frame, view.search)
        regions = self._find_hands(frame)
        read = self._read(frame, things)
        seen = tuple(thing.seen if id(thing) in read else Detection(thing.found) for thing in things)
        standing = tuple(one.seen for one in self.scene if one.found.kind == "stack" and one not in things)
        return SceneDetections(seen, standing, tuple(self._hands.boxes), looked, gone, regions, len(read))

    def _reset_for_camera(self, view: View) -> None:
        """Start over under a camera: nothing known of the picture holds."""
        self._camera, self._scale = view.camera, scale_of(view.camera)
        self._false_positives = FalsePositives(view.camera, view.bare_felt, self._layout, self._chips)
        self._memory, self._hands = SceneMemory(self._grid), HandDetector(self._grid, view.zones.on_felt)

    # ---- Finding

    def _found(
        self, frame: Frame, search: Search | None
    ) -> tuple[list[KnownObject], tuple[Detection, ...], frozenset[Zone]]:
        """Search; return what is there, what is gone, and the zones whose whole content is known now."""
        if search is None:
            return [], (), NO_ZONES
        found = self._search(frame.picture, search)
        self._hands.seen(search.counted, [thing for thing in found if thing.kind == "hand"])
        there, gone = self._renew([thing for thing in found if thing.kind != "hand"], search, frame)
        return there, gone, self._view.zones.looked(search.tiles, self._clear(search, there))

    def _search(self, picture: Picture, search: Search) -> list[Found]:
        """Find objects in parts of a picture: only those in the middle of a part, since others may be cut."""
        found: list[Found] = []
        left = search.counted.copy()
        for part in search.crops:
            own = spread(part.tiles) & left
            left &= ~own
            seen = self._detectors.find(part.of(picture), self._scale, partial(self._is_on, own, part.box))
            found += [moved(thing, part.box[:2]) for thing in seen]
        return suppress_overlaps([one for one in found if not self._false_positives.has(picture, one, self._light)])

    def _is_on(self, tiles: Mask, box: Box, thing: Found) -> bool:
        """Return whether an object found in a part of the picture stands on tiles; hands reach everywhere."""
        u, v = middle(thing)
        return thing.kind == "hand" or bool(tiles[self._grid.tile_at(u + box[0], v + box[1])])

    def _found_again(self, picture: Picture, card: Found) -> Found | None:
        """Return a card as it is found at its place, None where it is not, or the felt shows."""
        again = self._detectors.find_again(picture, card)
        return None if again is None or self._false_positives.has(picture, card, self._light) else again

    def _renew(
        self, found: Sequence[Found], search: Search, frame: Frame
    ) -> tuple[list[KnownObject], tuple[Detection, ...]]:
        """Renew the scene; return what is there and what is gone. Cards that the finder missed are looked for alone."""
        there, missed = self._memory.renew(search.counted, found, search.changed, frame.t_ns)
        for thing in missed:
            if not thing.found.kind.startswith("card") or self._view.moving[thing.under].any():
                continue
            again = self._found_again(frame.picture, thing.found)
            if again is not None and apart(again, thing.found) < SAME * self._grid.tile_px:
                is_changed = bool(search.changed[thing.under].any())
                self._memory.put_back(thing, replace(again, quad=thing.found.quad), frame.t_ns, is_changed=is_changed)
                there.append(thing)
        gone = [thing.seen for thing in missed if thing not in there and thing not in self.scene]
        return there, tuple(gone)

    def _clear(self, search: Search, there: Sequence[KnownObject]) -> Mask:
        """Return the tiles whose content is known: not those of an object that was missed though nothing changed."""
        unchanged = ~search.changed & ~occupied(self._grid, self.scene)
        clear = search.counted | ~self._view.zones.watched | unchanged
        for thing in self.scene:
            if thing not in there:
                clear[thing.tile] = False
        return np.asarray(clear)

    def _find_hands(self, frame: Frame) -> tuple[Region, ...]:
        def find(part: Crop) -> list[Found]:
            found = self._detectors.hands(part.of(frame.picture), self._view.zones.hand_scale)
            return [moved(hand, part.box[:2]) for hand in found]

        boxes = self._hands.update(frame.t_ns, self._view.moving & self._view.zones.on_table, find)
        return tuple(Region(box, ("hands",)) for box in boxes)

    # ---- Reading

    def _read(self, frame: Frame, things: list[KnownObject]) -> set[int]:
        """Read what was found and not yet read, and what is due to be read again; add the latter to the objects.

        Returns the ids of the objects that were read now.
        """
        again = [thing for thing in self._due(frame.t_ns) if thing not in things]
        still = [thing for thing in again if self._is_still_there(frame.picture, thing)]
        to_read = [thing for thing in things if thing.is_unread and self._is_readable(thing)]
        to_read += [thing for thing in still if thing.found.kind in READ_KINDS]
        if to_read:
            found = [thing.found for thing in to_read]
            read = self._detectors.read(frame.picture, found, self._chips, self._camera, self._light)
            for thing, seen in zip(to_read, read, strict=True):
                thing.seen, thing.readings = seen, thing.readings + 1
        for thing in still:
            thing.looked_ns, thing.looks, thing.missed = frame.t_ns, thing.looks + 1, 0
        things += still
        bare = [thing for thing in things if not self._is_touched(thing)]
        to_read += self._backs.read(frame.picture, bare)
        return {id(thing) for thing in to_read}

    def _due(self, t_ns: int) -> list[KnownObject]:
        """Return the objects to be read again: new ones, else the one that waits longest."""
        dirty = self._view.unsearched
        waiting = [
            thing
            for thing in self.scene
            if thing.again_ns <= t_ns
            and self._view.zones.watched[thing.tile]
            and not (dirty is not None and dirty[thing.under].any())
        ]
        new = [thing for thing in waiting if thing.looks < SOON or thing.is_unread]
        return new or sorted(waiting, key=lambda thing: thing.again_ns)[:1]

    def _is_still_there(self, picture: Picture, thing: KnownObject) -> bool:
        """Look at a card itself again, which may be turned or gone; other objects that did not change are there."""
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
        """Return whether nothing moves over an object; the dealer's cards are read whenever they are seen."""
        return bool(self._view.zones.urgent[thing.tile]) or not self._view.moving[thing.under].any()

    def _is_touched(self, thing: KnownObject) -> bool:
        """Return whether something moves over an object, or a hand rests on it."""
        rows, columns = thing.under
        hands = (self._grid.tiles_under(hand.quad) for hand in self._hands.boxes)
        is_held = any(
            up.start < rows.stop and rows.start < up.stop and side.start < columns.stop and columns.start < side.stop
            for up, side in hands
        )
        return is_held or bool(self._view.moving[thing.under].any())


def trace_of(view: View, seen: SceneDetections) -> FrameTrace:
    """Return what was done with a frame, for people who ask why."""
    searched = () if view.search is None else view.search.regions
    return FrameTrace(view.state, int(np.count_nonzero(view.moving)), (*searched, *seen.hand_regions), seen.read)
