"""Backs of cards that lie still: a frame's things enter; those whose back was read now leave, with what was read.

A back stays what it is for as long as its card lies still, so it is read a few times and then no more.
"""

from collections.abc import Iterable
from dataclasses import replace

from vision.detect.backs import OTHER, BackReader
from vision.detect.detection import BackReading
from vision.detect.scene_memory import SOON, KnownObject
from vision.table.table import Table
from vision.values.picture import Picture, read_picture


class BackWatch:
    """Reads the backs of one table's cards; of a table whose decks have no pictures it reads none."""

    def __init__(self, table: Table) -> None:
        pictures = {name: read_picture(path) for name, path in table.back_pictures.items()}
        self._reader = BackReader(pictures) if pictures else None

    def read(self, picture: Picture, still: Iterable[KnownObject]) -> list[KnownObject]:
        """Read the backs among things that lie still, each a few times; return the things that were read."""
        fresh = [thing for thing in still if thing.found.kind == "card_down" and thing.readings < SOON]
        if self._reader is None or not fresh:
            return []
        told = self._reader.read(picture, [thing.found.quad for thing in fresh])
        for thing, shares in zip(fresh, told, strict=True):
            back = BackReading({deck: p for deck, p in shares.items() if deck != OTHER})
            thing.seen, thing.readings = replace(thing.seen, back=back), thing.readings + 1
        return fresh
