"""Alerts against faults: hits, misses, false ones, and those that the truth explains."""

from typing import Any

import pytest
from stories import NS, Record, alert, as_read, fault, score, true_round

from vision.score.measures import by_code, measures_of
from vision.score.report import report

ANTE = ("underpaid", 40, 2, "ante")


def outcomes(faults: list[Record], alerts: list[Record], **more: Any) -> list[str]:
    true = true_round(faults=faults, **more)
    marks = score([true], [as_read(true)], alerts).alerts
    return sorted(str(mark.outcome) for mark in marks)


@pytest.mark.parametrize(
    ("faults", "alerts", "expected"),
    [
        ([], [], []),
        ([fault(*ANTE)], [alert(*ANTE)], ["hit"]),
        ([fault(*ANTE)], [], ["missed"]),
        ([], [alert(*ANTE)], ["false"]),
        ([fault(*ANTE)], [alert("overpaid", 41, 2, "ante")], ["false", "missed"]),
        ([fault(*ANTE)], [alert("underpaid", 41, 5, "ante")], ["false", "missed"]),
        ([fault(*ANTE)], [alert("underpaid", 41, 2, "play")], ["false", "missed"]),
        ([fault(*ANTE)], [alert("underpaid", 41)], ["hit"]),  # it names neither seat nor wager
        ([fault("wrong-card-count", 9)], [alert("wrong-card-count", 9, 5)], ["hit"]),
        ([fault(*ANTE)], [alert(*ANTE, round="elsewhere")], ["hit"]),  # by its time
        ([fault(*ANTE)], [alert(*ANTE), alert(*ANTE, id="again")], ["false", "hit"]),
        ([fault(*ANTE)], [alert(*ANTE, state="withdrawn")], ["missed", "withdrawn"]),
        ([fault(*ANTE)], [alert(*ANTE), alert(*ANTE, state="withdrawn")], ["missed", "withdrawn"]),
        ([fault(*ANTE)], [alert(*ANTE), alert(*ANTE, state="amended")], ["hit"]),
        ([fault(*ANTE)], [alert("underpaid", 39), alert(*ANTE)], ["false", "hit"]),  # the one that says more
    ],
)
def test_fates(faults: list[Record], alerts: list[Record], expected: list[str]) -> None:
    assert outcomes(faults, alerts) == expected


def test_the_alert_that_agrees_in_more_is_the_hit() -> None:
    true = true_round(faults=[fault(*ANTE)])
    marks = score(
        [true], [as_read(true)], [alert("underpaid", 40, id="vague"), alert("underpaid", 45, 2, "ante")]
    ).alerts
    assert [mark.alert.id for mark in marks if mark.outcome == "hit" and mark.alert] == ["underpaid-2-ante"]


def test_what_the_rule_book_objects_to_is_not_false() -> None:
    rulings = [{"code": "deal-order"}, {"code": "wrong-card-count"}]
    alerts = [alert("deal-order", 9, 2), alert("deal-order", 9, 5), alert("wrong-card-count", 9)]
    assert outcomes([fault("wrong-card-count", 9)], alerts, rulings=rulings) == ["explained", "false", "hit"]


def test_a_wager_settled_wrong_explains_an_alert() -> None:
    """Chips were withdrawn, so that too little was collected: no fault of the dealer's was injected there."""
    true = true_round(faults=[fault("wager-withdrawn", 20, 2, "aces_up")])
    true["seats"][0]["wagers"]["aces_up"]["verdict"] = "wrong"
    alerts = [alert("wager-withdrawn", 20, 2, "aces_up"), alert("loser-not-collected", 45, 2, "aces_up")]
    assert sorted(mark.outcome for mark in score([true], [as_read(true)], alerts).alerts) == ["explained", "hit"]


def test_an_alert_of_the_next_round_is_no_hit() -> None:
    true = [true_round(1, faults=[fault(*ANTE)]), true_round(2, 60)]
    read = [as_read(each) for each in true]
    marks = score(true, read, [alert("underpaid", 100, 2, "ante", round="t-2")]).alerts
    assert sorted(mark.outcome for mark in marks) == ["false", "missed"]


@pytest.mark.parametrize(
    ("code", "t_s", "expected"),
    [
        ("camera-moved", 12, ["hit"]),
        ("camera-moved", 24, ["hit"]),  # told a little after it was over
        ("camera-moved", 9, ["false", "missed"]),
        ("camera-moved", 40, ["false", "missed"]),
        ("picture-degraded", 12, ["explained", "missed"]),
    ],
)
def test_mishaps_are_met_by_time(code: str, t_s: int, expected: list[str]) -> None:
    mishaps = [{"kind": "mishap", "mishap": "bump", "code": "camera-moved", "start_ns": 10 * NS, "end_ns": 20 * NS}]
    true = true_round()
    marks = score([true], [as_read(true)], [alert(code, t_s, round="t-idle")], mishaps=mishaps).alerts
    assert sorted(mark.outcome for mark in marks) == expected


@pytest.mark.parametrize(
    ("lines", "delay", "late"),
    [
        ([alert(*ANTE)], 0.0, 0),
        ([alert("underpaid", 41.25, 2, "ante")], 1.25, 0),
        ([alert("underpaid", 41, 2, "ante"), alert("underpaid", 50, 2, "ante", state="amended")], 1.0, 0),
        ([alert("underpaid", 75, 2, "ante")], 35.0, 1),  # the next round's first card fell at 69
        ([alert("overpaid", 41, 2, "ante", id="x"), alert("underpaid", 44, 2, "ante", id="x")], 4.0, 0),
        (
            [alert(*ANTE), alert("underpaid", 42, 2, "ante", state="withdrawn"), alert("underpaid", 43, 2, "ante")],
            3.0,
            0,
        ),
    ],
)
def test_delays(lines: list[Record], delay: float, late: int) -> None:
    true = [true_round(1, faults=[fault(*ANTE)]), true_round(2, 60)]
    marks = score(true, [as_read(each) for each in true], lines).alerts
    entry = by_code(list(marks))["underpaid"]
    assert (entry["hit"], entry["delay_p50_s"], entry["late"]) == (1, delay, late)


def test_counts_by_code() -> None:
    faults = [fault(*ANTE), fault("underpaid", 45, 5, "ante"), fault("late-wager", 12, 2, "aces_up")]
    true = true_round(faults=faults)
    alerts = [alert(*ANTE), alert("overpaid", 44, 5, "ante"), alert("late-wager", 13, 2, "aces_up")]
    clip = score([true], [as_read(true)], alerts)
    document = report([clip])
    assert {code: (e["precision"], e["recall"]) for code, e in document["alerts"].items()} == {
        "late-wager": (1.0, 1.0),
        "overpaid": (0.0, None),
        "underpaid": (1.0, 0.5),
    }
    values = {measure.key: measure.value for measure in measures_of([clip])}
    assert (values["recall"], values["false_alerts"], values["delay_p95"]) == (2 / 3, 1.0, 1.0)
    assert values["worst_recall"] is None  # too few of each
    assert [entry["code"] for entry in document["false_alerts"]] == ["overpaid"]
    assert [(entry["code"], entry["frames"]) for entry in document["missed_alerts"]] == [("underpaid", [440, 460])]
