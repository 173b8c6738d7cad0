"""How complete facts are: a plan of scripted rounds enters; what of their truth the facts tell leaves."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from studio.scripted.facts import VIEW, facts_of
from studio.scripted.gauge import Report, compare
from studio.suites.houses import write_houses
from studio.suites.plan import Wish, plan
from studio.suites.scripted import Stage, staged
from vision.observe.model import read_model


def gauge(stage: Stage, wish: Wish, tell: Callable[[int, int], None]) -> Report:
    """Tell the facts of scripted rounds; return how they compare with what happened."""
    report = Report()
    jobs = plan(wish, write_houses(stage.houses))
    model = None if stage.noise == "none" else read_model(VIEW)
    for done, job in enumerate(jobs, start=1):
        clip = staged(stage, job)
        report.add(compare(clip, facts_of(clip, model)), f"{job.name} {clip.order.seed}")
        tell(done, len(jobs))
    return report


def write_misses(report: Report, out: Path) -> Path:
    """Write what was missed into the suite's folder."""
    path = out / "misses.txt"
    path.write_text("".join(f"{miss}\n" for miss in report.misses), encoding="utf-8")
    return path


def rows(report: Report) -> list[dict[str, object]]:
    """Return the measures, and how many facts a round has."""
    counts: Counter[str] = report.counts
    per_round = round(counts["facts"] / max(counts["rounds"], 1))
    return [*report.rows(), {"measure": "facts per round", "facts": per_round, "of": counts["rounds"]}]
