"""Where the finder's tiles come from: stills of the simulator, cards on any ground, and photographs, in shares."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from vision.learn.finder.tabletop import Decks, tabletops
from vision.learn.finder.tiles import Tile, tiles
from vision.learn.pictures import read_pictures
from vision.simulate.look import choices

FRESH = 3000  # tiles after which the folder is read again: it may still be growing
TABLETOPS = 0.22  # share of tiles that the simulator did not make


@dataclass(frozen=True)
class Sources:
    """Folders of pictures to learn from; `art` holds fetched decks."""

    stills: Path
    art: Path | None = None

    def stream(self, rng: np.random.Generator) -> Iterator[Tile]:
        """Yield tiles of all sources, mixed, without end."""
        tables, tops = self._tables(rng), tabletops(self._decks(), rng)
        while True:
            yield next(tops if rng.random() < TABLETOPS else tables)

    def _tables(self, rng: np.random.Generator) -> Iterator[Tile]:
        while True:
            yield from islice(tiles(read_pictures(self.stills), rng), FRESH)

    def _decks(self) -> Decks:
        offered = choices("train", self.art)
        return Decks(offered["face"], offered["back"])
