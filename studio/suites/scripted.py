"""Scripted rounds: a plan enters, one line for each clip leaves: what happened, and what the pipeline said of it.

The simulator's truth goes through a model of the detectors' errors (`scripted/noise`); nothing is filmed. A finished
clip is a line of OUT/orders.jsonl and is not played again by the same program.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from studio.scripted.facts import VIEW, facts_of
from studio.scripted.observations import Noise, ScriptedClip, scripted_clip
from studio.suites.build import checksum, digest
from studio.suites.plan import Job, Wish, attempts
from studio.suites.working import JudgedClip, follow, retold
from vision.alerts.judge import Judge
from vision.alerts.story_teller import StoryTeller
from vision.observe.model import read_model
from vision.records.alert import Alert
from vision.records.coverage import Coverage
from vision.run.workers import worked
from vision.score.clip import ClipScore, judge_clip
from vision.score.records import ClipLine, Entry, Round, Run, TrueRound, Truth, parsed, standing
from vision.values.errors import InputError

WISH: Final = Wish(rounds=3000)
FPS: Final = 10.0
LINES: Final = "orders.jsonl"
TRACKED, EXPLAINED = "tracked", "explained"  # who tells the rounds: the tracker, or the best story of the facts
NOISES: Final = {"none": Noise(), "floors": Noise.floors(), "usual": Noise.usual()}
Report = Callable[[int, int], None]  # clips done, clips in all


@dataclass(frozen=True)
class Stage:
    """Where scripted rounds are played: the folder, and how badly the detectors see."""

    out: Path
    noise: str = "usual"
    story: str = TRACKED

    @property
    def houses(self) -> Path:
        """Return where the house sheets lie."""
        return self.out / "houses"

    @property
    def lines(self) -> Path:
        """Return the file of finished clips."""
        return self.out / LINES

    def key(self, job: Job) -> str:
        """Return the checksum of all that decides about a clip's line."""
        made_from = json.dumps([asdict(job), asdict(NOISES[self.noise]), FPS, self.story])
        teller = "vision.alerts.judge" if self.story == TRACKED else "vision.alerts.story_teller"
        return digest(made_from.encode(), checksum(teller, "studio.scripted.facts").encode())


class Line(Entry):
    """A finished clip."""

    number: int
    key: str
    seed: int
    crashed: str | None = None
    truth: tuple[TrueRound, ...]
    rounds: tuple[Round, ...]
    alerts: tuple[Alert, ...]
    coverage: tuple[Coverage, ...]


def play(stage: Stage, jobs: Sequence[Job], workers: int, report: Report) -> list[Line]:
    """Play what is not yet played; return all lines in the order of the jobs."""
    kept = dict(_kept(stage, jobs))
    left = [job for job in jobs if job.number not in kept]
    half = stage.lines.with_suffix(".half")
    half.write_text("".join(text for _, text in kept.values()), encoding="utf-8")
    half.replace(stage.lines)
    lines = {number: line for number, (line, _) in kept.items()}
    report(len(lines), len(jobs))
    with stage.lines.open("a", encoding="utf-8") as file:
        for text in worked(partial(play_job, stage), left, workers):
            file.write(text)
            file.flush()
            line = Line.model_validate_json(text)
            lines[line.number] = line
            report(len(lines), len(jobs))
    return [lines[job.number] for job in jobs]


def play_job(stage: Stage, job: Job) -> str:
    """Play one clip; return its line."""
    clip = staged(stage, job)
    judged = _said(stage, clip)
    record: dict[str, Any] = {
        "number": job.number,
        "key": stage.key(job),
        "job": asdict(job),
        "seed": clip.order.seed,
        "crashed": judged.crashed,
        "truth": clip.rounds,
        "rounds": [{**record, "events": []} for record in judged.records("rounds")],  # many, and not scored
        "alerts": judged.records("alerts"),
        "coverage": judged.records("coverage"),
    }
    return json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def _said(stage: Stage, clip: ScriptedClip) -> JudgedClip:
    """Return what is said of a clip."""
    table = clip.rounds[0]["table"]
    if stage.story == TRACKED:
        return follow(Judge(table, clip.sheet, clip.layout), clip, clip.signals)
    model = None if stage.noise == "none" else read_model(VIEW)
    return retold(StoryTeller(table, clip.sheet, clip.layout), facts_of(clip, model))


def staged(stage: Stage, job: Job) -> ScriptedClip:
    """Return what detectors would say of a job's clip, at the first of its seeds at which it can be played."""
    why: InputError | None = None
    for order in attempts(job, stage.houses):
        try:
            return scripted_clip(order, NOISES[stage.noise], FPS)
        except InputError as error:
            why = error
    raise InputError(f"job {job.number}: {', '.join(job.faults)} at {job.house}: {why}")


def judge(stage: Stage, line: Line) -> ClipScore:
    """Hold what was said of a clip against what happened."""
    run = Run(stage.out, line.rounds, tuple(standing([*line.alerts])), line.coverage)
    return judge_clip(f"{line.number:04d}", run, Truth(stage.lines, line.truth, clip=ClipLine(fps=FPS)))


def _kept(stage: Stage, jobs: Sequence[Job]) -> Iterator[tuple[int, tuple[Line, str]]]:
    """Yield the lines that an earlier run of the same program finished; the last may be broken off."""
    keys = {stage.key(job) for job in jobs}
    texts = stage.lines.read_text(encoding="utf-8").splitlines(keepends=True) if stage.lines.is_file() else []
    for number, text in enumerate((text for text in texts if text.endswith("\n")), start=1):
        line = parsed(stage.lines, number, text.encode(), Line)
        if line.key in keys:
            yield line.number, (line, text)
