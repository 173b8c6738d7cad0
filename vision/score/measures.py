"""The numbers that a run is held to: judged clips enter, shares with their floors and aims leave."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from vision.score.clip import ClipScore
from vision.score.marks import Mark, What
from vision.score.raised import AlertMark, AlertOutcome

NS: Final = 1_000_000_000
MIN_FAULTS: Final = 50  # faults of a code from which on its own recall is held to the floor


@dataclass(frozen=True)
class Measure:
    """One number; `value` is None where there was nothing to measure, `floor` where nothing is asked."""

    key: str
    name: str
    value: float | None
    samples: int
    floor: float | None = None
    aim: float | None = None
    less_is_better: bool = False
    unit: str = "%"

    def reaches(self, wanted: float | None) -> bool | None:
        """Return whether a floor or an aim is reached; None where there is none, or nothing to measure."""
        if self.value is None or wanted is None:
            return None
        return self.value <= wanted if self.less_is_better else self.value >= wanted

    def record(self) -> dict[str, Any]:
        """Return the measure as the report writes it."""
        value = None if self.value is None else round(self.value, 6)
        numbers = {"value": value, "samples": self.samples, "floor": self.floor, "aim": self.aim}
        reached = {"met": self.reaches(self.floor), "aim_met": self.reaches(self.aim)}
        return {"measure": self.key, "name": self.name, **numbers, **reached, "unit": self.unit}


def measures_of(clips: Sequence[ClipScore]) -> list[Measure]:
    """Return all measures over some clips, those with a floor first."""
    marks = [mark for clip in clips for each in clip.rounds for mark in each.marks]
    true = [each for clip in clips for each in clip.rounds if each.pair.true]
    watched, open_ns = (sum(getattr(clip.coverage, name) for clip in clips) for name in ("watched_ns", "open_ns"))

    def share(key: str, name: str, what: What, floor: float | None = None, aim: float | None = None) -> Measure:
        return Measure(key, name, *_share(mark.is_right for mark in marks if mark.what is what), floor, aim)

    return [
        share("cards", "face-up cards right at the end of the round", What.CARD, 0.995, 0.9999),
        share("wagers", "initial wagers exactly right, chip edges of 2 px or more", What.WAGER, 0.95, 0.995),
        share("steep_bounded", "initial wagers inside their bounds, steeper views", What.STEEP_BOUNDED, 0.98),
        Measure("rounds", "rounds exactly right", *_share(each.is_exact for each in true), 0.85, 0.99),
        *_alert_measures([mark for clip in clips for mark in clip.alerts], len(true)),
        _unverifiable(marks),
        share("steep_wagers", "initial wagers exactly right, steeper views", What.STEEP),
        share("play_wagers", "play wagers exactly right", What.PLAY),
        share("bounds", "stakes inside their bounds, where bounds are stated", What.BOUNDS),
        share("hands", "hands right: faces, and number of cards", What.HAND),
        share("decisions", "decisions right", What.DECISION),
        share("outcomes", "outcomes right", What.OUTCOME),
        share("paid", "payments exactly right", What.PAID),
        share("verdicts", "verdicts on wagers right", What.VERDICT),
        Measure("coverage", "seconds watched", watched / open_ns if open_ns else None, round(open_ns / NS)),
    ]


def _alert_measures(marks: Sequence[AlertMark], rounds: int) -> list[Measure]:
    found = [mark for mark in marks if mark.outcome in (AlertOutcome.HIT, AlertOutcome.MISSED)]
    recalls = {code: _recall([mark for mark in found if mark.code == code]) for code in {mark.code for mark in found}}
    known = [value for value, faults in recalls.values() if faults >= MIN_FAULTS and value is not None]
    false = sum(mark.outcome is AlertOutcome.FALSE for mark in marks)
    delays = delays_s(marks)
    return [
        Measure("recall", "faults alerted, all codes together", *_recall(found), 0.90, 0.995),
        Measure(
            "worst_recall",
            f"faults alerted, the worst code of those with {MIN_FAULTS} or more",
            min(known, default=None),
            len(known),
            0.90,
            0.995,
        ),
        Measure(
            "false_alerts",
            "false alerts per round",
            false / rounds if rounds else None,
            rounds,
            1 / 50,
            1 / 2000,
            less_is_better=True,
            unit="",
        ),
        Measure("delay_p50", "seconds from visible to alert, median", quantile(delays, 0.5), len(delays), unit="s"),
        Measure(
            "delay_p95",
            "seconds from visible to alert, 95th percentile",
            quantile(delays, 0.95),
            len(delays),
            1.5,
            0.5,
            less_is_better=True,
            unit="s",
        ),
    ]


def _unverifiable(marks: Iterable[Mark]) -> Measure:
    open_to = [mark.is_right for mark in marks if mark.what is What.VERIFIED]
    value = 1 - sum(open_to) / len(open_to) if open_to else None
    return Measure("unverifiable", "wagers unverifiable", value, len(open_to), 0.08, 0.01, less_is_better=True)


def delays_s(marks: Iterable[AlertMark]) -> list[float]:
    """Return the seconds from visible to alert of all faults that were alerted, in order."""
    return sorted(mark.delay_ns / NS for mark in marks if mark.delay_ns is not None)


def quantile(ordered: Sequence[float], share: float) -> float | None:
    """Return the smallest value that so large a share of the values does not exceed."""
    return ordered[max(ceil(share * len(ordered)), 1) - 1] if ordered else None


def by_code(marks: Sequence[AlertMark]) -> dict[str, dict[str, Any]]:
    """Return counts, precision, recall and delays of each code."""
    return {
        code: code_record([mark for mark in marks if mark.code == code]) for code in sorted({m.code for m in marks})
    }


def by_variant(marks: Sequence[AlertMark]) -> dict[str, dict[str, Any]]:
    """Return the same of each variant of a fault; alerts that hit none belong to no variant."""
    named = [mark for mark in marks if mark.target and mark.target.name]
    names = sorted({mark.target.name or "" for mark in named if mark.target})
    return {name: code_record([mark for mark in named if mark.target and mark.target.name == name]) for name in names}


def code_record(marks: Sequence[AlertMark]) -> dict[str, Any]:
    """Return counts, precision, recall and delays of some alerts and faults."""
    outcomes = Counter(mark.outcome for mark in marks)
    raised, faults = (
        outcomes[AlertOutcome.HIT] + outcomes[AlertOutcome.FALSE],
        outcomes[AlertOutcome.HIT] + outcomes[AlertOutcome.MISSED],
    )
    delays = delays_s(marks)
    return {
        "faults": faults,
        **{str(outcome): outcomes[outcome] for outcome in AlertOutcome},
        "late": sum(mark.is_late for mark in marks),
        "precision": round(outcomes[AlertOutcome.HIT] / raised, 6) if raised else None,
        "recall": round(outcomes[AlertOutcome.HIT] / faults, 6) if faults else None,
        "delay_p50_s": quantile(delays, 0.5),
        "delay_p95_s": quantile(delays, 0.95),
    }


def _recall(marks: Sequence[AlertMark]) -> tuple[float | None, int]:
    return _share(
        mark.outcome is AlertOutcome.HIT for mark in marks if mark.outcome in (AlertOutcome.HIT, AlertOutcome.MISSED)
    )


def _share(marks: Iterable[bool]) -> tuple[float | None, int]:
    found = list(marks)
    return (sum(found) / len(found) if found else None), len(found)
