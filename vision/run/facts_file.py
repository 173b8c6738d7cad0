"""The facts of a run: moments and signals enter, the lines of facts.jsonl leave.

Written under another name, as all files of a run; the file has its name when all was written.
"""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from vision.observe.facts import FactObserver
from vision.observe.frame_observation import FrameObservation
from vision.records.fact import Fact
from vision.records.signal import Signal
from vision.run.record_files import part_of

FACTS: Final = "facts.jsonl"


class FactsFile:
    """Writes the facts of one run into its folder."""

    def __init__(self, folder: Path, observer: FactObserver, signals: Sequence[Signal] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / FACTS
        self._observer = observer
        self._signals = sorted(signals, key=lambda signal: signal.t_ns)
        self._file = part_of(self._path).open("w", encoding="utf-8")
        self.count = 0

    def update(self, seen: FrameObservation) -> None:
        """Write the facts of one frame, after those of the signals before it."""
        while self._signals and self._signals[0].t_ns <= seen.t_ns:
            self._put(self._observer.signal(self._signals.pop(0)))
        self._put(self._observer.update(seen))

    def finish(self, t_ns: int, why: str | None) -> None:
        """Write the facts of the end."""
        self._put(self._observer.finish(t_ns, why))

    def _put(self, facts: Sequence[Fact]) -> None:
        self._file.writelines(f"{fact}\n" for fact in facts)
        self.count += len(facts)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if kind is None:
            part_of(self._path).replace(self._path)
        elif not self.count:  # nothing was watched: all is as it was
            part_of(self._path).unlink()
