"""The accuracy report: judged clips enter, one document of plain values leaves."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from vision.score.clip import ClipScore
from vision.score.marks import NONE, What
from vision.score.measures import NS, by_code, by_variant, code_record, measures_of
from vision.score.raised import AlertOutcome
from vision.score.worst import alerts_record, worst_rounds

REPORT: Final = "score.json"
NUMBER: Final = re.compile(r"\$?\d[\d,.]*")  # in a reason: the reasons are counted, not the amounts
IN_CLIP: Final = ("cards", "wagers", "steep_bounded", "rounds", "recall", "false_alerts", "unverifiable", "delay_p95")


Groups = Mapping[str, Sequence[ClipScore]]


def report(
    clips: Sequence[ClipScore], unscored: Sequence[str] = (), worst: int = 10, groups: Groups | None = None
) -> dict[str, Any]:
    """Return what there is to say about some clips together, about groups of them, and about each."""
    alerts = [mark for clip in clips for mark in clip.alerts]
    return {
        "measures": [measure.record() for measure in measures_of(clips)],
        "rounds": round_counts(clips),
        "alerts": by_code(alerts),
        "all_alerts": code_record(alerts),
        "faults": by_variant(alerts),
        "verdicts": {"rounds": _round_verdicts(clips), "wagers": _wager_verdicts(clips)},
        "unverifiable": _reasons(clips),
        "coverage": _coverage(clips),
        "worst": worst_rounds(clips, worst),
        **{
            f"{outcome}_alerts": alerts_record(clips, outcome)
            for outcome in (AlertOutcome.MISSED, AlertOutcome.FALSE, AlertOutcome.WITHDRAWN)
        },
        "groups": [_clips_record(name, some) for name, some in (groups or {}).items() if some],
        "clips": [_clips_record(clip.name, [clip]) for clip in clips],
        "unscored": list(unscored),
        "warnings": [warning for clip in clips for warning in clip.warnings],
    }


def missed_floors(document: dict[str, Any]) -> list[str]:
    """Return the measures of a report that stay below their floor."""
    return [entry["measure"] for entry in document["measures"] if entry["met"] is False]


def write_report(document: dict[str, Any], path: Path) -> None:
    """Write a report, whole or not at all."""
    half = path.with_suffix(".half")
    half.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    half.replace(path)


def round_counts(clips: Sequence[ClipScore]) -> dict[str, int]:
    """Return how many rounds there were, and how many were recorded, missed, invented and exactly right."""
    rounds = [each for clip in clips for each in clip.rounds]
    true = [each for each in rounds if each.pair.true]
    matched = [each for each in true if each.pair.read]
    invented = len(rounds) - len(true)
    return {
        "true": len(true),
        "read": len(matched) + invented,
        "missed": len(true) - len(matched),
        "invented": invented,
        "exact": sum(each.is_exact for each in true),
    }


def _clips_record(name: str, clips: Sequence[ClipScore]) -> dict[str, Any]:
    values = {measure.key: measure.record()["value"] for measure in measures_of(clips)}
    return {"clip": name, "rounds": round_counts(clips), "measures": {key: values[key] for key in IN_CLIP}}


def _round_verdicts(clips: Sequence[ClipScore]) -> dict[str, dict[str, int]]:
    pairs = [each.pair for clip in clips for each in clip.rounds]
    return _confusion(
        (pair.true.verdict if pair.true else NONE, pair.read.verdict if pair.read else NONE) for pair in pairs
    )


def _wager_verdicts(clips: Sequence[ClipScore]) -> dict[str, dict[str, int]]:
    marks = [mark for clip in clips for each in clip.rounds for mark in each.marks]
    return _confusion((str(mark.want), str(mark.got)) for mark in marks if mark.what is What.VERDICT)


def _confusion(verdicts: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Count what was true (outside) by what was recorded (inside); 'none': no such round or wager."""
    table: dict[str, dict[str, int]] = {}
    for (true, read), number in sorted(Counter(verdicts).items()):
        table.setdefault(true, {})[read] = number
    return table


def _reasons(clips: Sequence[ClipScore]) -> dict[str, int]:
    """Count the reasons for which wagers were unverifiable, the most frequent first."""
    marks = [mark for clip in clips for each in clip.rounds for mark in each.marks]
    why = [mark.got for mark in marks if mark.what is What.VERIFIED and not mark.is_right]
    return dict(Counter(NUMBER.sub("…", str(text or "no reason given")) for text in why).most_common())


def _coverage(clips: Sequence[ClipScore]) -> dict[str, Any]:
    """Return where the seconds went."""
    all_of = [clip.coverage for clip in clips]
    reasons: Counter[str] = Counter()
    for coverage in all_of:
        reasons.update(coverage.not_observed_ns)
    return {
        "watched_s": round(sum(coverage.watched_ns for coverage in all_of) / NS, 3),
        "closed_s": round(sum(coverage.closed_ns for coverage in all_of) / NS, 3),
        "unaccounted_s": round(sum(coverage.unaccounted_ns for coverage in all_of) / NS, 3),
        "not_observed_s": {why: round(time_ns / NS, 3) for why, time_ns in reasons.most_common()},
    }
