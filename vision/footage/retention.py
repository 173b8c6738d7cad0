"""Bounds on what is kept: files of a kind enter, the oldest of them leave when together they are too large."""

import logging
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

GB = 1_000_000_000


class RetentionLimit:
    """Files below a folder that together may take so many bytes."""

    def __init__(self, folder: Path, pattern: str, most_bytes: int) -> None:
        self._folder, self._pattern, self._most_bytes = folder, pattern, most_bytes

    def tidy(self, keep: Path) -> list[Path]:
        """Make room for a file: remove the oldest until one more as large as the largest fits; return what is gone."""
        files = sorted(self._sizes())
        sizes = [size for _, _, size in files]
        excess = sum(sizes) + max(sizes, default=0) - self._most_bytes
        gone: list[Path] = []
        for _, path, size in files:
            if excess <= 0:
                break
            if path != keep:
                path.unlink(missing_ok=True)
                excess -= size
                gone.append(path)
        _drop_empty({path.parent for path in gone} - {self._folder, keep.parent})
        if gone:
            log.info("footage removed folder=%s files=%d first=%s", self._folder, len(gone), gone[0].name)
        return gone

    def make_room(self, keep: Path) -> None:
        """Remove the oldest file: the disk is full, whatever the bound."""
        oldest = min((entry for entry in self._sizes() if entry[1] != keep), default=None)
        if oldest is not None:
            log.warning("disk full, footage removed file=%s", oldest[1])
            oldest[1].unlink(missing_ok=True)

    def _sizes(self) -> Iterator[tuple[int, Path, int]]:
        """Yield files with their age and size; another watcher may remove them meanwhile."""
        for path in self._folder.glob(self._pattern):
            with suppress(FileNotFoundError):
                known = path.stat()
                yield known.st_mtime_ns, path, known.st_size


def _drop_empty(folders: set[Path]) -> None:
    """Remove the folders of sessions of which no footage is left."""
    for folder in folders:
        if not any(folder.glob("*.mp4")):
            for left in folder.iterdir():
                left.unlink(missing_ok=True)
            folder.rmdir()
