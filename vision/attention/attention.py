"""Which parts of a frame deserve a search: a frame, its camera and the last scene enter, a `View` leaves.

Comparing pictures is cheap, searching them is expensive. So each frame is compared with those before it (`change`), and
only what changed is searched, once it is still again: a moving hand changes much and shows
nothing. The dealer's cards are the exception: there, every frame that changed is searched. The rest of the felt is
searched again now and then.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from vision.attention.change import Box, ChangeWatch, Crop, Grid, Mask, crops, spread
from vision.attention.light import LightWatch
from vision.attention.region import Region
from vision.attention.tile_zones import TileZones
from vision.attention.trouble import Trouble
from vision.attention.view import ViewWatch
from vision.calibrate.camera_watch import CameraState
from vision.calibrate.drift import State
from vision.capture.video import Frame
from vision.table.artwork import Expected, expected, read_artwork
from vision.table.table import Table
from vision.table.zones import ZoneMap
from vision.values.geometry import Camera, Floats

RESTLESS_NS: Final = 2_000_000_000  # tiles that never rest are searched this often all the same (assumed)
RESCAN_NS, EMPTY_RESCAN_NS = 6_000_000_000, 12_000_000_000  # unchanged tiles, with and without objects (assumed)
SUDDEN: Final = 0.15  # of all tiles moving at once: more than hands do (filmed rounds)
NEAR_TILES: Final = 5  # searched together with the tile that is due for another search


class SceneObject(Protocol):
    """An object of the last scene: where it lies in the picture."""

    @property
    def tile(self) -> tuple[int, int]:
        """Return the tile of its middle."""

    @property
    def under(self) -> tuple[slice, slice]:
        """Return the tiles it touches."""

    @property
    def box(self) -> Box:
        """Return the upright box around it."""


@dataclass(frozen=True, eq=False, slots=True)
class Search:
    """What to search in a frame, and why."""

    crops: tuple[Crop, ...]
    tiles: Mask  # to be searched
    counted: Mask  # tiles on which a detection counts: those searched, and unchanged ones beside them
    changed: Mask  # tiles that changed since they were last searched
    regions: tuple[Region, ...]


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """One frame as attention sees it: how far it can be trusted, what moves, what to search."""

    camera: Camera
    state: State | None
    zones: TileZones
    bare_felt: Expected | None
    moving: Mask
    moved_px: float | None = None
    trouble: Trouble | None = None
    search: Search | None = None
    unsearched: Mask | None = None  # tiles that changed and wait to be searched
    light: Floats | None = None  # gains that take the tint of the lamps out of colours; None without print

    @property
    def is_blind(self) -> bool:
        """Return whether nothing can be read: the table is hidden, or nothing is where it seems."""
        return self.state is State.LOST or self.trouble is not None


class Attention:
    """Decides for the frames of one camera, in order."""

    def __init__(self, table: Table) -> None:
        self._table, self._map = table, ZoneMap(table.layout)
        self.grid = Grid(table.camera.lens.width, table.camera.lens.height)
        self._change = ChangeWatch(self.grid)
        self._searched_ns = np.zeros(self.grid.shape, np.int64)
        self._waits_ns = np.zeros(self.grid.shape, np.int64)  # since when a tile waits to be searched
        self._reset_for_camera(table.camera)

    def update(self, frame: Frame, camera: CameraState, scene: Sequence[SceneObject]) -> View:
        """Return what of a frame to search; `scene` is what was known after the frame before."""
        if camera.camera != self._camera:
            self._reset_for_camera(camera.camera)
            scene = ()
        self._change.update(frame.picture)
        trouble = self._trouble(frame, scene)
        state, moving = camera.state, self._change.moving
        if state is State.LOST or trouble is not None:
            return View(self._camera, state, self._zones, self._bare_felt, moving, camera.moved_px, trouble)
        if self._light is not None:
            self._light.update(frame.t_ns, frame.picture)
        return View(
            camera=self._camera,
            state=state,
            zones=self._zones,
            bare_felt=self._bare_felt,
            moving=moving,
            moved_px=camera.moved_px,
            search=self._search(frame.t_ns, scene),
            unsearched=self._change.is_dirty.copy(),
            light=None if self._light is None else self._light.white_balance_gains,
        )

    def _reset_for_camera(self, camera: Camera) -> None:
        """Start over under a camera: nothing known of the picture holds."""
        self._camera = camera
        self._zones = TileZones(self.grid, camera, self._map)
        self._bare_felt = bare = _bare_felt(self._table, camera)
        self._light = None if bare is None else LightWatch(bare)
        self._view = None if bare is None else ViewWatch(bare, self.grid, self._zones.watched, self._zones.dealers)
        self._change.forget()

    def _trouble(self, frame: Frame, scene: Sequence[SceneObject]) -> Trouble | None:
        """Return what is in the way of seeing."""
        if self._view is None:
            return None
        moving = self._change.moving
        is_sudden = int(np.count_nonzero(moving)) > SUDDEN * moving.size
        return self._view.update(frame.t_ns, frame.picture, (item.box for item in scene), is_sudden=is_sudden)

    def _search(self, t_ns: int, scene: Sequence[SceneObject]) -> Search | None:
        """Return what is due to be searched, and take it for searched; None where nothing is."""
        causes = self._causes(t_ns, scene)
        due = np.logical_or.reduce(list(causes.values()))
        if not due.any():
            return None
        tiles, changed = self._expand_to_zones(due, scene), self._change.is_dirty.copy()
        counted = spread(tiles) & (tiles | ~changed) & self._zones.watched
        parts = tuple(crops(self.grid, tiles, self._zones.margin_px))
        self._mark_searched(tiles, t_ns)
        return Search(parts, tiles, counted, changed, tuple(_regions(parts, causes)))

    def _causes(self, t_ns: int, scene: Sequence[SceneObject]) -> dict[str, Mask]:
        """Return which tiles are to be searched, by the reason."""
        change, zones = self._change, self._zones
        dirty = change.is_dirty & zones.watched
        self._waits_ns[~dirty] = t_ns
        causes = {
            "settled": dirty & change.is_calm,
            "dealer": dirty & zones.urgent,
            "restless": dirty & ~change.is_still & (t_ns - self._waits_ns >= RESTLESS_NS),
        }
        is_idle = not any(cause.any() for cause in causes.values())
        return causes | {"again": self._next_rescan(t_ns, scene) if is_idle else self.grid.none()}

    def _next_rescan(self, t_ns: int, scene: Sequence[SceneObject]) -> Mask:
        """Return the tiles around the one most overdue for another search, though nothing changed."""
        limit = np.where(occupied(self.grid, scene), RESCAN_NS, EMPTY_RESCAN_NS)
        over = np.where(self._zones.watched & ~self._change.is_dirty, t_ns - self._searched_ns - limit, -limit)
        turn = self.grid.none()
        if over.max() >= 0:
            row, column = divmod(int(over.argmax()), over.shape[1])
            rows, columns = (slice(max(n - NEAR_TILES, 0), n + NEAR_TILES + 1) for n in (row, column))
            turn[rows, columns] = (over > -limit // 2)[rows, columns]
        return turn

    def _expand_to_zones(self, tiles: Mask, scene: Sequence[SceneObject]) -> Mask:
        """Return tiles with those of objects that reach onto them and, where it is calm, of all in the same zones."""
        zones = self._zones.zones_at(tiles & self._change.is_calm)
        wide = tiles | (zones & occupied(self.grid, scene) & ~self._change.is_dirty)
        for item in scene:
            if tiles[item.under].any() and not self._change.moving[item.tile]:
                wide[item.tile] = True
        return np.asarray(wide)

    def _mark_searched(self, tiles: Mask, t_ns: int) -> None:
        self._searched_ns[tiles] = t_ns
        self._waits_ns[tiles] = t_ns
        self._change.done(tiles & self._change.is_still)


def occupied(grid: Grid, scene: Sequence[SceneObject]) -> Mask:
    """Return the tiles on which the middle of an object lies."""
    tiles = grid.none()
    for item in scene:
        tiles[item.tile] = True
    return tiles


def _regions(parts: Sequence[Crop], causes: dict[str, Mask]) -> Iterator[Region]:
    for part in parts:
        yield Region(part.box, tuple(why for why, cause in causes.items() if (cause & part.tiles).any()))


def _bare_felt(table: Table, camera: Camera) -> Expected | None:
    """Return how a camera sees the bare felt; None for a felt without print."""
    if table.layout.artwork is None:
        return None
    return expected(read_artwork(table.layout_folder, table.layout), camera)
