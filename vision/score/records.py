"""What is scored: the files of a run and the truth of its clip enter, checked values leave.

Alerts and coverage are the product's own records. Rounds have a model here, since a truth says more (what was shown,
faults, mishaps) and other programs may say less.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from vision.records.alert import Alert
from vision.records.coverage import Coverage
from vision.records.record import Face
from vision.table.camera_file import CameraEntry
from vision.values.cards import UNSEEN
from vision.values.errors import InputError, complaint, shown

FACE_DOWN: Final = str(UNSEEN)
ROUNDS, ALERTS, COVERAGE, TRUTH = "rounds.jsonl", "alerts.jsonl", "coverage.jsonl", "truth.jsonl"
FRAME: Final = (b'{"kind":"frame"', b'{"kind": "frame"')  # most of a truth file, and nothing that is scored
Spot = tuple[int, str]  # seat, wager


class Entry(BaseModel):
    """Anything in a record. What is not scored may stand beside it."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class Wager(Entry):
    """One wager: `cents` is None where the stake is not known, `bounds` says between what it lies (None: open)."""

    cents: int | None = None
    bounds: tuple[int | None, int | None] | None = None
    due_cents: int | str | None = None
    paid_cents: int | None = None
    outcome: str | None = None
    verdict: Literal["right", "wrong", "unverifiable"] | None = None
    why: str | None = None

    @property
    def is_real(self) -> bool:
        """Return whether anything was staked, due or paid; a record may list wagers that nobody made."""
        return self.cents != 0 or bool(self.due_cents) or bool(self.paid_cents)

    def is_bounding(self, cents: int | None) -> bool:
        """Return whether a stake lies inside the stated bounds."""
        low, high = self.bounds or (self.cents, self.cents)
        if cents is None or (low is None and high is None):
            return False
        return (low is None or low <= cents) and (high is None or cents <= high)


class Seat(Entry):
    """One seat of a round; `shown` stands in the truth only."""

    seat: int
    cards: tuple[Face, ...] = ()
    shown: bool = True
    decision: Literal["play", "fold", "none"] = "none"
    wagers: dict[str, Wager] = {}


class Dealer(Entry):
    """The dealer's hand."""

    cards: tuple[Face, ...] = ()
    up_card: Face | None = None
    shown: bool = True


class Round(Entry):
    """One round as a run recorded it."""

    id: str
    table: str | None = None
    started_ns: int
    ended_ns: int
    verdict: Literal["right", "wrong", "unverifiable", "void"]
    dealer: Dealer = Dealer()
    bonus_card: Face | None = None
    seats: tuple[Seat, ...] = ()


class Event(Entry):
    """Something that really happened in a round."""

    kind: str
    t_ns: int
    seat: int | None = None
    wager: str | None = None
    zone: str | None = None
    up: int = 0
    cards: tuple[Face, ...] = ()


class Fault(Entry):
    """A fault that was injected; `t_ns` is when it was made, `name` tells its variants apart."""

    code: str
    name: str | None = None
    t_ns: int
    seat: int | None = None
    wager: str | None = None


class Ruling(Entry):
    """Something that the rule book objects to, injected or following from what was."""

    code: str


class TrueRound(Round):
    """One round as it really was."""

    events: tuple[Event, ...] = ()
    faults: tuple[Fault, ...] = ()
    rulings: tuple[Ruling, ...] = ()


class Mishap(Entry):
    """Something that befell the camera or the stream."""

    code: str
    start_ns: int
    end_ns: int


class Kind(Entry):
    """What every line of a truth begins with."""

    kind: str


class ClipLine(Entry):
    """What a clip was made with."""

    fps: float | None = None
    camera: CameraEntry | None = None


@dataclass(frozen=True)
class Run:
    """What a replay wrote."""

    folder: Path
    rounds: tuple[Round, ...]
    alerts: tuple[Alert, ...]
    coverage: tuple[Coverage, ...]


@dataclass(frozen=True)
class Truth:
    """What really happened in a clip."""

    path: Path
    rounds: tuple[TrueRound, ...]
    mishaps: tuple[Mishap, ...] = ()
    clip: ClipLine = field(default_factory=ClipLine)


Model = TypeVar("Model", bound=BaseModel)


def read_run(folder: Path) -> Run:
    """Read the files of a run."""
    rounds = [entry for _, entry in read_records(folder / ROUNDS, Round)]
    _refuse_twins(folder / ROUNDS, rounds)
    alerts = [entry for _, entry in read_records(folder / ALERTS, Alert)]
    coverage = [entry for _, entry in read_records(folder / COVERAGE, Coverage)]
    return Run(folder, tuple(rounds), tuple(standing(alerts)), tuple(coverage))


def read_truth(path: Path) -> Truth:
    """Read the truth of a clip; where all things were in each frame is passed over."""
    rounds: list[TrueRound] = []
    mishaps: list[Mishap] = []
    clip = ClipLine()
    for number, line in read_lines(path):
        if line.startswith(FRAME):
            continue
        match parsed(path, number, line, Kind).kind:
            case "round":
                rounds.append(parsed(path, number, line, TrueRound))
            case "mishap":
                mishaps.append(parsed(path, number, line, Mishap))
            case "clip":
                clip = parsed(path, number, line, ClipLine)
    if not rounds:
        raise InputError(f"{path}: no line of kind 'round': want the truth of a clip")
    return Truth(path, tuple(rounds), tuple(mishaps), clip)


def standing(lines: list[Alert]) -> list[Alert]:
    """Return each alert once, as it stands at the end, with the time at which it first said what it says now."""
    last = {alert.id: alert for alert in lines}
    since: dict[object, tuple[object, int]] = {}
    for alert in lines:
        said = (alert.code, alert.seat, alert.wager, alert.state == "withdrawn")
        if alert.id not in since or since[alert.id][0] != said:
            since[alert.id] = (said, alert.t_ns)
    return [alert.model_copy(update={"t_ns": since[alert.id][1]}) for alert in last.values()]


def read_records(path: Path, model: type[Model]) -> Iterator[tuple[int, Model]]:
    """Yield the records of a file with the numbers of their lines."""
    for number, line in read_lines(path):
        yield number, parsed(path, number, line, model)


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that are not blank, with their numbers."""
    try:
        with path.open("rb") as file:
            yield from ((number, line) for number, line in enumerate(file, start=1) if line.strip())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def parsed(path: Path, number: int, line: bytes, model: type[Model]) -> Model:
    """Return a line as a record, or say what is wrong with it."""
    try:
        return model.model_validate_json(line, extra="ignore")
    except ValidationError as error:
        raise InputError(f"{path}: line {number}: {complaint(error)}") from error


def _refuse_twins(path: Path, rounds: list[Round]) -> None:
    seen: set[str] = set()
    for entry in rounds:
        if entry.id in seen:
            raise InputError(f"{path}: id: {shown(entry.id)}: want one line per round")
        seen.add(entry.id)
