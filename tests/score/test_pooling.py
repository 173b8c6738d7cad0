"""Many clips together: by group, and by the variants of a fault."""

import pytest
from stories import alert, as_read, fault, score, true_round

from vision.score.report import report
from vision.score.tables import MOST_CLIPS, show_report


def test_variants_of_a_fault_are_told_apart() -> None:
    faults = [
        fault("late-wager", 10, 2) | {"name": "late-wager:bet"},
        fault("late-wager", 30, 5) | {"name": "late-wager:cap"},
    ]
    true = true_round(faults=faults)
    document = report([score([true], [as_read(true)], [alert("late-wager", 11, 2), alert("overpaid", 50, 2)])])
    assert document["alerts"]["late-wager"]["recall"] == 0.5
    found = {name: (entry["hit"], entry["missed"]) for name, entry in document["faults"].items()}
    assert found == {"late-wager:bet": (1, 0), "late-wager:cap": (0, 1)}


def test_groups_are_pooled_apart() -> None:
    true = true_round()
    good, bad = score([true], [as_read(true)]), score([true], [])
    document = report([good, bad], groups={"seen": [good], "all": [good, bad], "none": []})
    shares = {entry["clip"]: entry["measures"]["rounds"] for entry in document["groups"]}
    assert shares == {"seen": 1.0, "all": 0.5}


def test_a_round_at_another_time_is_missed_and_invented() -> None:
    read = as_read(true_round(start_s=500))
    document = report([score([true_round()], [read])])
    assert (document["rounds"]["missed"], document["rounds"]["invented"]) == (1, 1)


def test_thousands_of_clips_are_not_listed(capsys: pytest.CaptureFixture[str]) -> None:
    true = true_round()
    one = score([true], [as_read(true)])
    for number, is_listed in ((MOST_CLIPS, True), (MOST_CLIPS + 1, False)):
        show_report(report([one] * number, groups={"all": [one]}))
        err = capsys.readouterr().err
        assert ("Clip by clip" in err) is is_listed
        assert "Group by group" in err
