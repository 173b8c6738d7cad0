"""Filmed rounds: a plan enters, clips with test looks, what the detectors see in them, and runs over that leave.

    OUT/clips/NNNN     video, truth, table, house sheet; `job.json` is written last
    OUT/observations/NNNN.gz what the detectors saw; kept while models and detectors are the same
    OUT/runs/NNNN      what `feltwatch replay` would write; `run.json` is written last

Each step is done once. A change of the round tracker asks for the last one only.
"""

import gzip
import json
import pickle
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from studio.film.production import Order, film
from studio.suites.build import checksum, digest, models_checksum
from studio.suites.plan import Job, Wish, attempts
from studio.suites.rates import Row, StillObject, measured, still_objects
from studio.suites.working import follow
from vision.alerts.judge import Judge
from vision.capture.video import frames
from vision.observe.frame_observation import FrameObservation
from vision.pipeline import Pipeline
from vision.rules.book.sheet import read_sheet
from vision.run.record_files import Records
from vision.score.clip import ClipScore, judge_clip
from vision.score.records import TRUTH, read_run, read_truth
from vision.table.table import Table, read_table
from vision.table.zones import ZoneMap
from vision.values.errors import InputError

SPLIT, FPS = "test", 12
SIZE = "1080p"  # of a clip of no view class
PRESET = "superfast"
VIEWS: Final = ("reference", "good", "reference", "legacy", "good")  # any beginning of a suite shows them fairly
OBSERVING: Final = (
    "vision.calibrate.camera_watch",
    "vision.attention.attention",
    "vision.detect.scene_detector",
    "vision.observe.observer",
)  # the stages that decide what is seen in a clip
INVISIBLE: Final = ("deck-change-due",)  # no picture tells how old a deck is
WISH: Final = Wish(
    rounds=120,
    without=INVISIBLE,
    clean_share=0.36,
    clean_innocents=(1.0,),
    sizes=(1, 1, 1, 2),
    most_seats=2,
    views=VIEWS,
)
TABLE, HOUSE, VIDEO, DONE, RUN = "table.toml", "house.toml", "video.mp4", "job.json", "run.json"


@dataclass(frozen=True)
class SuiteFolder:
    """The folder of a filmed suite."""

    out: Path
    size: str = SIZE
    split: str = SPLIT
    opened_by: str | None = None  # the command, where the split is a drawer of reserved looks

    @property
    def houses(self) -> Path:
        """Return where the house sheets lie."""
        return self.out / "houses"

    def clip(self, job: Job) -> Path:
        """Return the folder of a clip."""
        return self.out / "clips" / job.name

    def observations(self, job: Job) -> Path:
        """Return the file of what the detectors saw in a clip."""
        return self.out / "observations" / f"{job.name}.gz"

    def run(self, job: Job) -> Path:
        """Return the folder of a run."""
        return self.out / "runs" / job.name

    def is_filmed(self, job: Job) -> bool:
        """Return whether a clip is there; refuse one of another plan."""
        path = self.clip(job) / DONE
        if not path.is_file():
            return False
        found = _read(path)
        if found != _plain(asdict(job)):
            raise InputError(f"{path}: another clip than this suite's: want the --seed and --only of {found}")
        return True

    def is_run(self, job: Job) -> bool:
        """Return whether the present program has followed a clip."""
        path = self.run(job) / RUN
        return path.is_file() and _read(path)["build"] == build()


def build() -> str:
    """Return the checksum of all that decides about a run."""
    return digest(eyes().encode(), checksum("vision.alerts.judge").encode())


def eyes() -> str:
    """Return the checksum of all that decides about what is seen."""
    return digest(models_checksum().encode(), checksum(*OBSERVING).encode())


def film_clip(suite: SuiteFolder, job: Job) -> None:
    """Film a clip, with the first of its seeds at which it can be played."""
    folder = suite.clip(job)
    shutil.rmtree(folder, ignore_errors=True)  # what an interrupted filming left
    for order in orders(suite, job):
        try:
            film(order, folder, lambda _done, _total: None)
            break
        except InputError:
            continue
    else:
        raise InputError(f"{folder}: {job.faults}: cannot be played at {job.house}")
    shutil.copyfile(order.house, folder / HOUSE)
    table = (folder / TABLE).read_text(encoding="utf-8")
    (folder / TABLE).write_text(table.replace(order.house, HOUSE), encoding="utf-8")  # so that it can be moved
    _write(folder / DONE, asdict(job))


def replay_clip(suite: SuiteFolder, job: Job) -> None:
    """Follow a clip from what the detectors saw in it, or see now."""
    table = read_table(suite.clip(job))
    observations = _seen(suite, job, table)
    judged = follow(Judge(table.file.name, read_sheet(table.house_path), table.layout), observations)
    (suite.run(job) / RUN).unlink(missing_ok=True)
    with Records(suite.run(job)) as records:
        for message in judged.messages:
            records.put(message)
    _write(suite.run(job) / RUN, {"build": build(), "crashed": judged.crashed})


def judge(suite: SuiteFolder, job: Job) -> tuple[ClipScore, str | None]:
    """Hold a run against the truth; return that, and how the program failed where it did."""
    folder = suite.run(job)
    score = judge_clip(job.name, read_run(folder), read_truth(suite.clip(job) / TRUTH))
    return score, _read(folder / RUN)["crashed"]


def rates(suite: SuiteFolder, jobs: Sequence[Job]) -> list[Row]:
    """Return how the detectors erred in the clips that they have seen."""
    return measured(
        (job.name, suite.clip(job) / TRUTH, ZoneMap(read_table(suite.clip(job)).layout), observations)
        for job in jobs
        if suite.observations(job).is_file() and (observations := _kept(suite.observations(job))) is not None
    )


def observe_clip(suite: SuiteFolder, job: Job) -> None:
    """Keep what the detectors see in a clip."""
    _seen(suite, job, read_table(suite.clip(job)))


def still_objects_of(suite: SuiteFolder, job: Job) -> list[StillObject]:
    """Return what lay still in a clip, with the looks at it; nothing of a clip that was not observed."""
    kept = _kept(suite.observations(job)) if suite.observations(job).is_file() else None
    zones = ZoneMap(read_table(suite.clip(job)).layout)
    return [] if kept is None else list(still_objects(job.name, suite.clip(job) / TRUTH, zones, kept))


def orders(suite: SuiteFolder, job: Job) -> list[Order]:
    """Return the orders to try."""
    return [
        replace(
            order,
            split=suite.split,
            opened_by=suite.opened_by,
            size=suite.size,
            view=job.view,
            preset=PRESET,
            fps=FPS,
            truth_every=FPS,
        )
        for order in attempts(job, suite.houses)
    ]


def keep(path: Path, observations: list[FrameObservation]) -> None:
    """Keep what was seen in a clip."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".half")
    with gzip.open(half, "wb", compresslevel=3) as file:
        pickle.dump(eyes(), file)
        pickle.dump(observations, file)
    half.replace(path)


def _seen(suite: SuiteFolder, job: Job, table: Table) -> list[FrameObservation]:
    """Return the observations of a clip: kept, or seen now."""
    path = suite.observations(job)
    observations = _kept(path) if path.is_file() else None
    if observations is None:
        pipeline = Pipeline.of(table)
        observations = [pipeline.observe(frame) for frame in frames(str(suite.clip(job) / VIDEO))]
        keep(path, observations)
    return observations


def _kept(path: Path) -> list[FrameObservation] | None:
    """Return kept observations; None where other detectors saw them."""
    with gzip.open(path) as file:
        observations: list[FrameObservation] | None = None
        if pickle.load(file) == eyes():  # noqa: S301 - a file of our own
            observations = pickle.load(file)  # noqa: S301
        return observations


def _plain(value: object) -> Any:
    """Return a value as JSON gives it back."""
    return json.loads(json.dumps(value))


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _write(path: Path, value: object) -> None:
    half = path.with_suffix(".half")
    half.write_text(json.dumps(value) + "\n", encoding="utf-8")
    half.replace(path)
