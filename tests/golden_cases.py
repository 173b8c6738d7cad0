"""Golden cases of the story: what a table showed, and what must be said of it; README.md in `golden/` has the format.

Nothing here knows how the product holds observations: `golden_pipeline.py` alone turns them into its values and back.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

STORIES: Final = Path(__file__).parent / "golden" / "story"
FORMAT: Final = 1
Line = dict[str, Any]
Look = Mapping[str, Any]  # one object as one frame showed it


@dataclass(frozen=True)
class Frame:
    """What one frame showed. Where it did not look nothing is known, which is not nothing there."""

    index: int
    t_ns: int
    looks: tuple[Look, ...] = ()
    looked: tuple[str, ...] | None = None  # zones; None: all of them
    is_sure: bool = True
    bare: tuple[tuple[float, float], ...] = ()
    moved_px: float | None = None
    trouble: tuple[str, str] | None = None  # code, and what it is in words

    @property
    def state(self) -> Line:
        """Return what is not as usual in this frame."""
        state: Line = {}
        if self.looked is not None:
            state["looked"] = list(self.looked)
        if not self.is_sure:
            state["is_sure"] = False
        if self.bare:
            state["bare"] = [list(place) for place in self.bare]
        if self.moved_px is not None:
            state["moved_px"] = self.moved_px
        if self.trouble is not None:
            state["trouble"] = list(self.trouble)
        return state


@dataclass(frozen=True)
class Signal:
    """What another system said."""

    t_ns: int
    kind: str
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class Mark:
    """A moment at which something is expected."""

    name: str


@dataclass(frozen=True)
class Finish:
    """The end of the stream."""

    t_ns: int


Step = Frame | Signal | Mark | Finish


@dataclass(frozen=True)
class Case:
    """A recorded input with what is expected of it."""

    name: str
    table: Line  # house, layout, and what differs from the house's sheet
    about: str
    checks: tuple[Line, ...]
    known_failure: str | None = None

    def steps(self) -> Iterator[Step]:
        """Yield what happens, in order; the same object in two frames is the same `Look`."""
        return expanded(read_lines(STORIES / self.name / "input.jsonl")[1:])


def read_lines(path: Path) -> list[Line]:
    """Read a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def case_names() -> list[str]:
    """Return the names of all cases."""
    return sorted(path.parent.name for path in STORIES.glob("*/input.jsonl"))


def read_case(name: str) -> Case:
    """Read a case but for its frames, which `steps` reads when they are wanted."""
    with (STORIES / name / "input.jsonl").open(encoding="utf-8") as file:
        table = json.loads(file.readline())
    header, *checks = read_lines(STORIES / name / "expected.jsonl")
    if table.pop("format") != FORMAT:
        raise ValueError(f"{name}: want format {FORMAT}")
    return Case(name, table, header["about"], tuple(checks), header.get("known_failure"))


def expanded(lines: Iterable[Line]) -> Iterator[Step]:
    """Yield the steps of an input, each frame of a run by itself."""
    known: dict[int, Look] = {}
    here: list[int] = []
    for line in lines:
        if "look" in line:
            known[line["look"]] = {key: value for key, value in line.items() if key != "look"}
        elif "frame" in line:
            here = [number for number in here if number not in line.get("goes", ())] + line.get("comes", [])
            yield from _run(line, tuple(known[number] for number in here))
        elif "signal" in line:
            fields = {key: value for key, value in line.items() if key not in ("signal", "t_ns")}
            yield Signal(line["t_ns"], line["signal"], fields)
        elif "mark" in line:
            yield Mark(line["mark"])
        elif "finish" in line:
            yield Finish(line["finish"])


def _run(line: Line, looks: tuple[Look, ...]) -> Iterator[Frame]:
    """Yield the frames of a run: all alike, at even times."""
    start_ns, more = line["t_ns"], line.get("repeats", 0)
    trouble, looked = line.get("trouble"), line.get("looked")
    for i in range(more + 1):
        yield Frame(
            index=line["frame"] + i,
            t_ns=start_ns + (round(i * (line["until_ns"] - start_ns) / more) if i else 0),
            looks=looks,
            looked=None if looked is None else tuple(looked),
            is_sure=line.get("is_sure", True),
            bare=tuple((x, y) for x, y in line.get("bare", ())),
            moved_px=line.get("moved_px"),
            trouble=None if trouble is None else (trouble[0], trouble[1]),
        )


@dataclass
class Recorder:
    """Writes steps down as lines: each look once, each frame as what changed, frames that repeat as one run."""

    table: Line
    lines: list[Line] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    _here: list[int] = field(default_factory=list)
    _last: Frame | None = None
    _run: Line | None = None

    def frame(self, frame: Frame) -> None:
        """Take in a frame."""
        here = sorted({self._number(look) for look in frame.looks})
        if here == self._here and self._continues(frame):
            self._extend(frame)
        else:
            self._begin(frame, here)
        self._last = frame

    def put(self, **line: Any) -> None:
        """Write a line that is no frame."""
        self.lines.append(line)
        self._run = None

    def write(self, folder: Path) -> None:
        """Write the input of a case."""
        folder.mkdir(parents=True, exist_ok=True)
        write_lines(folder / "input.jsonl", [{"format": FORMAT, **self.table}, *self.lines])

    def _continues(self, frame: Frame) -> bool:
        run, last = self._run, self._last
        if run is None or last is None or frame.index != last.index + 1 or frame.state != last.state:
            return False
        pace_ns = (last.t_ns - run["t_ns"]) / run["repeats"] if "repeats" in run else frame.t_ns - last.t_ns
        return abs(frame.t_ns - last.t_ns - pace_ns) <= 1 and frame.moved_px is None

    def _extend(self, frame: Frame) -> None:
        assert self._run is not None
        self._run["repeats"], self._run["until_ns"] = self._run.get("repeats", 0) + 1, frame.t_ns

    def _begin(self, frame: Frame, here: list[int]) -> None:
        change: Line = {"frame": frame.index, "t_ns": frame.t_ns}
        comes, goes = [n for n in here if n not in self._here], [n for n in self._here if n not in here]
        self._run = {**change, **({"comes": comes} if comes else {}), **({"goes": goes} if goes else {}), **frame.state}
        self.lines.append(self._run)
        self._here = here

    def _number(self, look: Look) -> int:
        text = json.dumps(look, sort_keys=True)
        if text not in self._numbers:
            self._numbers[text] = len(self._numbers) + 1
            self.lines.append({"look": self._numbers[text], **look})
        return self._numbers[text]


def write_lines(path: Path, lines: Iterable[Line]) -> None:
    """Write a file of JSON lines."""
    texts = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")


def write_expected(folder: Path, about: str, checks: Iterable[Line], known_failure: str | None = None) -> None:
    """Write what is expected of a case."""
    failing = {} if known_failure is None else {"known_failure": known_failure}
    write_lines(folder / "expected.jsonl", [{"about": about, **failing}, *checks])
