"""What a suite showed: judged clips enter, one pooled report leaves, as `OUT/summary.json`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from studio.suites.plan import Job, Wish
from vision.score.clip import ClipScore
from vision.score.report import report, write_report

SUMMARY: Final = "summary.json"
Judged = tuple[Job, ClipScore]


def summarize(
    judged: Sequence[Judged], crashed: Mapping[str, str], wish: Wish, about: dict[str, Any]
) -> dict[str, Any]:
    """Return the report of a suite: all clips together, and by what sets them apart."""
    document = report([score for _, score in judged], groups=_groups(judged))
    document["warnings"] += [f"{name}: the program failed: {why.splitlines()[-1]}" for name, why in crashed.items()]
    return {"suite": {**about, **asdict(wish)}, **document, "crashed": dict(crashed)}


def write_summary(document: dict[str, Any], out: Path) -> Path:
    """Write the report into a suite's folder."""
    path = out / SUMMARY
    write_report(document, path)
    return path


def _groups(judged: Sequence[Judged]) -> dict[str, list[ClipScore]]:
    """Return the clips by house, by way of dealing, by what goes wrong, their length and their view."""
    groups: dict[str, list[ClipScore]] = {}
    is_filmed = any(job.view for job, _ in judged)
    for name in (_house, _dealing, _kind, _length, *([_view] if is_filmed else [])):
        found = sorted({name(job) for job, _ in judged})
        groups |= {key: _those(judged, name, key) for key in found}
    return groups


def _those(judged: Sequence[Judged], name: Callable[[Job], str], key: str) -> list[ClipScore]:
    return [score for job, score in judged if name(job) == key]


def _house(job: Job) -> str:
    return job.house


def _dealing(job: Job) -> str:
    return f"dealt {job.dealing.replace('_', ' ')}"


def _kind(job: Job) -> str:
    if job.faults:
        return "with a fault"
    return "without fault, innocents" if job.innocents else "without fault"


def _view(job: Job) -> str:
    return f"{job.view} view"


def _length(job: Job) -> str:
    return "clips of one round" if job.rounds == 1 else "clips of more rounds"
