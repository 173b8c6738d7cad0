"""One clip: the files of a run and its truth enter, everything that can be counted about it leaves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from vision.records.coverage import Coverage as CoverageRecord
from vision.score.edges import edges_px
from vision.score.marks import EXACT, Mark, marks_of
from vision.score.matching import Pair, pair_rounds
from vision.score.raised import AlertMark, judge_alerts
from vision.score.records import ROUNDS, TRUTH, Run, TrueRound, Truth, read_run, read_truth
from vision.values.errors import InputError

Span = tuple[int, int]


@dataclass(frozen=True)
class JudgedRound:
    """A round with its marks; an invented one has none."""

    pair: Pair
    marks: tuple[Mark, ...]

    @property
    def is_exact(self) -> bool:
        """Return whether all cards, wagers, decisions and outcomes are right."""
        return self.pair.read is not None and all(mark.is_right for mark in self.marks if mark.what in EXACT)


@dataclass(frozen=True)
class Coverage:
    """Where the time of a clip went, in nanoseconds."""

    watched_ns: int
    closed_ns: int
    unaccounted_ns: int  # of the rounds' time, in no line of the ledger
    not_observed_ns: dict[str, int]  # by reason

    @property
    def open_ns(self) -> int:
        """Return the time in which there was something to watch."""
        return self.watched_ns + self.unaccounted_ns + sum(self.not_observed_ns.values())


@dataclass(frozen=True)
class ClipScore:
    """All that was counted in one clip."""

    name: str
    truth: Truth
    rounds: tuple[JudgedRound, ...]
    alerts: tuple[AlertMark, ...]
    coverage: Coverage
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Clips:
    """The clips of two folders: name, run, truth; and those that have a truth but no run."""

    pairs: tuple[tuple[str, Path, Path], ...]
    unscored: tuple[str, ...] = ()


def find_clips(run: Path, truth: Path) -> Clips:
    """Return the runs of a folder with their truths: itself, or all folders below it that have the same names."""
    if not run.is_dir():
        raise InputError(f"{run}: no such folder: want what `feltwatch replay` wrote")
    if (run / ROUNDS).is_file():
        return Clips(((run.resolve().name, run, truth / TRUTH if truth.is_dir() else truth),))
    names = below(run, ROUNDS)
    if not names:
        raise InputError(f"{run}: {ROUNDS}: neither in this folder nor in one below it")
    if not truth.is_dir():
        raise InputError(f"{truth}: no such folder: want one with a folder for each of {', '.join(names[:5])} …")
    left = tuple(name for name in below(truth, TRUTH) if name not in names)
    return Clips(tuple((name, run / name, truth / name / TRUTH) for name in names), left)


def below(folder: Path, file: str) -> list[str]:
    """Return the names of the folders in a folder that hold a file."""
    return sorted(path.parent.name for path in folder.glob(f"*/{file}"))


def score_clip(name: str, folder: Path, truth_path: Path) -> ClipScore:
    """Read and judge one clip; a truth that cannot be of this clip is refused."""
    run, truth = read_run(folder), read_truth(truth_path)
    score = judge_clip(name, run, truth)
    if run.rounds and not any(each.pair.true and each.pair.read for each in score.rounds):
        raise InputError(
            f"{truth.path}: no round at the time of one in {run.folder / ROUNDS}: the truth of another clip?"
        )
    return score


def judge_clip(name: str, run: Run, truth: Truth) -> ClipScore:
    """Hold a run against the truth."""
    pairs = pair_rounds(truth.rounds, run.rounds)
    edges = edges_px(truth)
    rounds = [JudgedRound(pair, tuple(marks_of(pair.true, pair.read, edges)) if pair.true else ()) for pair in pairs]
    tables = {each.table for each in run.rounds if each.table} - {each.table for each in truth.rounds}
    warnings = [f"{name}: table {table!r} is not in the truth" for table in sorted(map(str, tables))]
    return ClipScore(
        name=name,
        truth=truth,
        rounds=tuple(rounds),
        alerts=tuple(judge_alerts(pairs, truth.mishaps, run.alerts)),
        coverage=cover(run.coverage, truth.rounds),
        warnings=tuple(warnings),
    )


def cover(ledger: Sequence[CoverageRecord], rounds: Sequence[TrueRound]) -> Coverage:
    """Add up a coverage ledger, and what of the rounds' time is missing in it."""
    reasons: dict[str, int] = {}
    for line in ledger:
        if line.state == "not observed":
            why = line.why or "no reason given"
            reasons[why] = reasons.get(why, 0) + line.end_ns - line.start_ns
    begin = min(each.started_ns for each in rounds)
    end = max(each.ended_ns for each in rounds)
    inside = [(max(line.start_ns, begin), min(line.end_ns, end)) for line in ledger]
    return Coverage(
        watched_ns=sum(line.end_ns - line.start_ns for line in ledger if line.state == "watched"),
        closed_ns=sum(line.end_ns - line.start_ns for line in ledger if line.state == "closed"),
        unaccounted_ns=end - begin - union_ns(inside),
        not_observed_ns=reasons,
    )


def union_ns(spans: Iterable[Span]) -> int:
    """Return the time that some spans take together; what several share counts once."""
    total = reached = 0  # stream time starts at 0
    for start, end in sorted(spans):
        total += max(end - max(start, reached), 0)
        reached = max(reached, end)
    return total
