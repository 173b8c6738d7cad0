"""What a table's other systems say of simulated rounds, and what a pipeline makes of it."""

from pathlib import Path

import pytest

from studio.film.production import Order
from studio.scripted.observations import Noise, ScriptedClip, scripted_clip
from studio.suites.houses import sheet_path, write_houses
from studio.suites.working import follow
from vision.alerts.judge import Judge
from vision.story.signals import KINDS

BY_HAND, MACHINE = ("maryland", "hand"), ("maryland", "automated")


def played(folder: Path, place: tuple[str, str], *faults: str, seed: int = 3) -> ScriptedClip:
    write_houses(folder)
    house = str(sheet_path(folder, place))
    return scripted_clip(Order(1, seed, house, faults=faults, innocents=False, seats=(2, 4)), Noise(), 10.0)


@pytest.mark.parametrize(
    ("place", "fault", "code"),
    [
        (BY_HAND, "stub-count-wrong:short", "stub-count-wrong"),
        (BY_HAND, "stub-count-wrong:long", "stub-count-wrong"),
        (BY_HAND, "deck-change-due", "deck-change-due"),
        (MACHINE, "deck-change-due", "deck-change-due"),  # after eight hours, not four
    ],
)
def test_faults_that_only_signals_show(tmp_path: Path, place: tuple[str, str], fault: str, code: str) -> None:
    clip = played(tmp_path, place, fault)
    assert {signal.kind for signal in clip.signals} <= {*KINDS}
    alerts = follow(Judge("t", clip.sheet, clip.layout), clip, clip.signals).records("alerts")
    (alert,) = [alert for alert in alerts if alert["code"] == code]
    (true,) = clip.rounds[0]["faults"]
    assert true["code"] == code
    assert 0 <= int(str(alert["t_ns"])) - true["t_ns"] + 10**9 <= 10 * 10**9


def test_nothing_is_said_without_signals(tmp_path: Path) -> None:
    clip = played(tmp_path, BY_HAND, "stub-count-wrong:short")
    alerts = follow(Judge("t", clip.sheet, clip.layout), clip).records("alerts")
    assert "stub-count-wrong" not in {alert["code"] for alert in alerts}


def test_a_count_that_is_right_makes_a_deck(tmp_path: Path) -> None:
    for seed in range(3, 9):  # some dealers count in the first round
        clip = played(tmp_path, BY_HAND, seed=seed)
        alerts = follow(Judge("t", clip.sheet, clip.layout), clip, clip.signals).records("alerts")
        assert alerts == []
        assert clip.signals[0].number == 52
