"""What the tiles of a picture show of a table: a camera above a felt enters, the zones on each tile leave."""

from math import ceil
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from vision.attention.change import TILE, Grid, Mask, spread
from vision.table.zones import OFF, RAIL, Zone, ZoneMap
from vision.values.geometry import Camera

UNWATCHED: Final = frozenset((OFF, RAIL, Zone(None, "tray")))  # what lies here is nobody's wager and no card in play
URGENT: Final = frozenset(Zone(None, name) for name in ("dealer.cards", "bonus", "community"))
DEALERS: Final = URGENT | {Zone(None, "work")}  # where the dealer works
# Assumed where a comment names no measurement.
MIN_ZONE_SHARE: Final = 0.1  # of a tile or of the zone: less is a zone's rim
REACH_MM: Final = 62.0  # from the middle of a card to its corner, and a little
USUAL_PX_PER_MM: Final = 0.87  # of the pictures that the finder knows best; hands are large, half of it will do


class TileZones:
    """The zones of each tile. Zones are looked at as a whole, for what is gone to be known as gone."""

    def __init__(self, grid: Grid, camera: Camera, zone_map: ZoneMap) -> None:
        zones = zone_map.zones
        self._zones = zones
        self._shows = _zones_of_tiles(grid, camera, zone_map)
        watched = np.array([zone not in UNWATCHED for zone in zones])
        self._watched = watched & self._shows.any(axis=(1, 2))
        self.on_table = self._tiles_of([zone != OFF for zone in zones])
        self.on_felt = self._tiles_of([zone not in (OFF, RAIL) for zone in zones])
        self.watched = self._tiles_of(watched)
        self.urgent = spread(self._tiles_of([zone in URGENT for zone in zones]))
        self.dealers = self._tiles_of([zone in DEALERS for zone in zones])
        width, depth = zone_map.layout.size_mm
        seen = max(camera.scale_px_per_mm((x, y, 0.0)) for x in (-width / 4, width / 4) for y in (depth / 4, depth / 2))
        self.margin_px = ceil(REACH_MM * seen) + grid.tile_px
        self.hand_scale = min(1.0, 0.5 * USUAL_PX_PER_MM / camera.scale_px_per_mm((0.0, depth / 2, 0.0)))

    def _tiles_of(self, zones: ArrayLike) -> Mask:
        return np.asarray(self._shows[np.asarray(zones, bool)].any(axis=0))

    def zones_at(self, tiles: Mask) -> Mask:
        """Return all tiles of the zones that some tiles show."""
        return self._tiles_of(self._watched & (self._shows & tiles).any(axis=(1, 2)))

    def looked(self, tiles: Mask, known: Mask) -> frozenset[Zone]:
        """Return the zones of which some tiles were looked at, and the others are known."""
        touched = self._watched & (self._shows & tiles).any(axis=(1, 2))
        whole = touched & ~(self._shows & ~known).any(axis=(1, 2))
        return frozenset(self._zones[i] for i in np.flatnonzero(whole))


def _zones_of_tiles(grid: Grid, camera: Camera, zone_map: ZoneMap) -> Mask:
    """Return which zones (first axis), of chips or of cards, each tile shows more of than a rim."""
    rows, columns = grid.shape
    v, u = np.mgrid[0 : rows * TILE, 0 : columns * TILE] * grid.step + (grid.step - 1) / 2
    places = camera.place(np.stack([u, v], axis=-1))
    is_seen = (camera.to_camera(places)[..., 2] > 0) & (u < grid.width) & (v < grid.height)
    tile = (np.arange(rows * TILE)[:, None] // TILE) * columns + np.arange(columns * TILE)[None] // TILE
    shows = np.zeros((len(zone_map.zones), rows * columns), bool)
    for labels in (zone_map.chips, zone_map.cards):
        zones = np.where(is_seen, zone_map.at(labels, places[..., :2]), 0)
        pixels = np.bincount((zones * (rows * columns) + tile).ravel(), minlength=shows.size).reshape(shows.shape)
        least = np.minimum(MIN_ZONE_SHARE * TILE**2, MIN_ZONE_SHARE * pixels.sum(axis=1, keepdims=True))
        shows |= pixels > least
    return np.asarray(shows.reshape(-1, rows, columns))
