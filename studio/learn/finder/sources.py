"""Where the finder's tiles come from: stills of the simulator, cards on any ground, and photographs, in shares."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from studio.film.look import choices
from studio.learn.finder.lessons import read_lessons
from studio.learn.finder.snapshots import snapshots
from studio.learn.finder.tabletop import Decks, tabletops
from studio.learn.finder.tiles import Tile, tiles
from studio.learn.pictures import read_pictures

FRESH = 3000  # tiles after which the folder is read again: it may still be growing
SNAPSHOTS = 0.08  # share of tiles from photographs, where there are any
TABLETOPS = 0.2  # share of tiles that the simulator did not make


@dataclass(frozen=True)
class Sources:
    """Folders of pictures to learn from; `art` holds fetched decks, `photos` labelled photographs."""

    stills: Path
    art: Path | None = None
    photos: Path | None = None
    known: Path = Path("photo-cards.json")  # which cards are clear in the photographs, found once
    lessons: Path | None = None  # what `study` wrote: places to look at more often

    def stream(self, rng: np.random.Generator) -> Iterator[Tile]:
        """Yield tiles of all sources, mixed, without end."""
        tables, tops = self._tables(rng), tabletops(self._decks(), rng)
        shots = snapshots(self.photos, self.known, rng) if self.photos else tops
        while True:
            dice = rng.random()
            yield next(tops if dice < TABLETOPS else shots if dice < TABLETOPS + SNAPSHOTS else tables)

    def _tables(self, rng: np.random.Generator) -> Iterator[Tile]:
        while True:
            yield from islice(tiles(read_pictures(self.stills), read_lessons(self.lessons), rng), FRESH)

    def _decks(self) -> Decks:
        offered = choices("train", self.art)
        return Decks(offered["face"], offered["back"])
