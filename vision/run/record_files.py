"""The files of a run: records enter, one JSONL file per topic leaves (`docs/schemas`).

Files are written under another name and get theirs at the end: a run that broke off leaves only `*.jsonl.part`.
"""

from pathlib import Path
from types import TracebackType
from typing import Final, Self

from vision.records.message import Message

TOPICS: Final = ("rounds", "alerts", "events", "coverage")
PART: Final = ".part"


class Records:
    """The files of a run; they have their names when all was written."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._paths = {topic: folder / f"{topic}.jsonl" for topic in TOPICS}
        self._files = {topic: _part(path).open("w", encoding="utf-8") for topic, path in self._paths.items()}
        self.count = dict.fromkeys(TOPICS, 0)

    def put(self, message: Message) -> None:
        """Append a message to its file; the first one ends what an earlier run left."""
        if not any(self.count.values()):
            for path in self._paths.values():
                path.unlink(missing_ok=True)
        self._files[message.topic].write(f"{message.record}\n")
        self._files[message.topic].flush()
        self.count[message.topic] += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for topic, file in self._files.items():
            file.close()
            if kind is None:
                _part(self._paths[topic]).replace(self._paths[topic])
            elif not any(self.count.values()):  # nothing was watched: all is as it was
                _part(self._paths[topic]).unlink()


def _part(path: Path) -> Path:
    return path.with_name(path.name + PART)
