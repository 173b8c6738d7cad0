"""Where to look: judged clips enter; the worst rounds, with each mistake and the seconds that show it, leave."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from vision.score.clip import ClipScore, JudgedRound
from vision.score.marks import MISTAKES, Mark, What
from vision.score.raised import AlertMark, AlertOutcome
from vision.score.records import Event, TrueRound, Truth

NS: Final = 1_000_000_000
AROUND_NS: Final = NS  # before and after what is to be seen
OUTCOMES: Final = (AlertOutcome.MISSED, AlertOutcome.FALSE)
STAKES: Final = frozenset(("bet", "pinch", "bets-closed", "decision"))
SHOWN_BY: Final = {
    What.HAND: frozenset(("dealt", "revealed", "shown", "bonus-turned")),
    What.WAGER: STAKES,
    What.STEEP: STAKES,
    What.PLAY: STAKES,
    What.DECISION: frozenset(("decision",)),
}  # the events that prove a fact; of all others, what was paid, taken and given back
SETTLED_BY: Final = frozenset(("paid", "taken", "given-back"))


def worst_rounds(clips: Sequence[ClipScore], number: int) -> list[dict[str, Any]]:
    """Return the rounds with most mistakes, missed and invented ones first."""
    rounds = [(clip, each, _amiss(clip, each)) for clip in clips for each in clip.rounds]
    bad = [(clip, each, alerts) for clip, each, alerts in rounds if _badness(each, alerts) > (False, 0)]
    bad.sort(key=lambda entry: _badness(entry[1], entry[2]), reverse=True)
    return [_round_record(clip, each, alerts) for clip, each, alerts in bad[:number]]


def alerts_record(clips: Sequence[ClipScore], wanted: AlertOutcome) -> list[dict[str, Any]]:
    """Return all alerts, or faults, of an outcome, with the seconds to look at."""
    return [
        {"clip": clip.name, **_alert_record(clip.truth, m)}
        for clip in clips
        for m in clip.alerts
        if m.outcome is wanted
    ]


def _mistakes(each: JudgedRound) -> list[Mark]:
    return [mark for mark in each.marks if mark.what in MISTAKES and not mark.is_right]


def _amiss(clip: ClipScore, each: JudgedRound) -> list[AlertMark]:
    true = each.pair.true
    return [mark for mark in clip.alerts if mark.outcome in OUTCOMES and mark.true is not None and mark.true is true]


def _badness(each: JudgedRound, alerts: Sequence[AlertMark]) -> tuple[bool, int]:
    is_lost = each.pair.true is None or each.pair.read is None
    return is_lost, len(alerts) + (0 if is_lost else len(_mistakes(each)))


def _round_record(clip: ClipScore, each: JudgedRound, alerts: Sequence[AlertMark]) -> dict[str, Any]:
    true, read = each.pair.true, each.pair.read
    either = true or read
    spans = [(one.started_ns, one.ended_ns) for one in (either,) if one]
    mistakes = [_mark_record(clip.truth, true, mark) for mark in _mistakes(each)] if true and read else []
    video = clip.truth.path.parent / "video.mp4"
    return {
        "clip": clip.name,
        "round": true.id if true else None,
        "read": read.id if read else None,
        "what": "invented" if not true else "missed" if not read else "mistaken",
        **_look_at(clip.truth, spans, 0),
        "video": str(video) if video.is_file() else None,
        "mistakes": mistakes + [_alert_record(clip.truth, mark) for mark in alerts],
    }


def _mark_record(truth: Truth, true: TrueRound, mark: Mark) -> dict[str, Any]:
    spot = {"place": mark.place, "wager": mark.wager}
    moments = [event.t_ns for event in true.events if _shows(event, mark)]
    spans = [(t_ns, t_ns) for t_ns in moments] or [(true.started_ns, true.ended_ns)]
    return {"what": str(mark.what), **spot, "want": mark.want, "got": mark.got, **_look_at(truth, spans, AROUND_NS)}


def _shows(event: Event, mark: Mark) -> bool:
    """Return whether an event is to be seen where a mistake is judged."""
    if event.kind not in SHOWN_BY.get(mark.what, SETTLED_BY):
        return False
    if event.kind == "bets-closed":
        return mark.what is not What.PLAY
    if mark.place == "bonus":
        return event.kind == "bonus-turned" or event.zone == "table.bonus"
    if mark.place == "dealer":
        return event.kind == "revealed" or event.zone == "dealer.hand"
    return f"seat.{event.seat}" == mark.place and (mark.wager is None or event.wager == mark.wager)


def _alert_record(truth: Truth, mark: AlertMark) -> dict[str, Any]:
    told = mark.alert or mark.target
    seen = [mark.target.t_ns] if mark.target else []
    seen += [mark.alert.t_ns] if mark.alert else []
    alert = mark.alert
    proof = alert.evidence if alert and "evidence" in alert.model_fields_set else None  # others may name no seconds
    spans = [(proof.start_ns, proof.end_ns)] if proof else [(t_ns, t_ns) for t_ns in seen]
    return {
        "what": f"{mark.outcome} alert",
        "code": mark.code,
        "alert": mark.alert.id if mark.alert else None,
        "round": mark.true.id if mark.true else None,
        "seat": told.seat if told else None,
        "wager": told.wager if told else None,
        **_look_at(truth, spans, 0 if proof else AROUND_NS),
    }


def _look_at(truth: Truth, spans: Iterable[tuple[int, int]], around_ns: int) -> dict[str, Any]:
    """Return the time to look at, and its frames where the truth knows the frame rate."""
    starts, ends = zip(*spans, strict=True)
    start_ns, end_ns = max(min(starts) - around_ns, 0), max(ends) + around_ns
    fps = truth.clip.fps
    frames = [int(start_ns * fps / NS), int(end_ns * fps / NS)] if fps else None
    return {"start_ns": start_ns, "end_ns": end_ns, "frames": frames}
