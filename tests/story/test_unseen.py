"""Rounds of which a part could not be seen: one alert, doubt with its reason, and no storm."""

import pytest
from scenes import WINNER, Scene, shown

from vision.attention.trouble import BLOCKED, DEGRADED, Trouble
from vision.story.hands import DEALER
from vision.values.codes import Code

SOMEBODY = Trouble(BLOCKED, "60% of the open print is hidden")
WHY = "view blocked: 60% of the open print is hidden"


def blocked(scene: Scene, seconds: float, trouble: Trouble = SOMEBODY) -> None:
    scene.trouble = trouble
    scene.wait(seconds)
    scene.trouble = None


def wagers(scene: Scene) -> dict[str, tuple[str, str | None]]:
    (record,) = scene.said["rounds"]
    return {wager: (one["verdict"], one["why"]) for wager, one in record["seats"][0]["wagers"].items()}


@pytest.mark.parametrize("code", [BLOCKED, DEGRADED])
def test_an_outage_is_one_alert_and_in_the_ledger(code: Code) -> None:
    scene = Scene()
    scene.wait(3.0)
    blocked(scene, 5.0, Trouble(code, "x"))
    scene.wait(3.0)
    scene.finish()
    assert [(alert["code"], alert["state"]) for alert in scene.said["alerts"]] == [(code, "raised"), (code, "amended")]
    first, last = scene.said["alerts"]
    assert first["id"] == last["id"]
    assert last["evidence"]["end_ns"] - last["evidence"]["start_ns"] == pytest.approx(5e9, abs=0.2e9)
    assert [line["state"] for line in scene.said["coverage"]] == ["watched", "not observed", "watched"]
    assert scene.said["coverage"][1]["why"] == f"{code.replace('-', ' ')}: x"


def test_each_outage_is_an_alert_of_its_own() -> None:
    scene = Scene()
    for _ in range(3):
        scene.wait(3.0)
        blocked(scene, 4.0)
    scene.wait(3.0)
    assert len({alert["id"] for alert in scene.said["alerts"]}) == 3
    assert len(scene.said["alerts"]) == 6


def test_a_moment_is_no_outage() -> None:
    scene = Scene()
    scene.play()
    blocked(scene, 1.0)
    scene.wait(2.0)
    assert scene.said["alerts"] == []


def test_a_table_that_changed_meanwhile_raises_no_storm() -> None:
    """Everything is settled and cleared unseen: cards, stakes, all of it is gone when the view is free again."""
    scene = Scene()
    scene.play()
    scene.trouble = SOMEBODY
    scene.wait(4.0)
    scene.things.clear()
    scene.wait(4.0)
    scene.trouble = None
    scene.wait(6.0)
    scene.finish()
    assert scene.codes() == [BLOCKED]
    assert {verdict for verdict, _ in wagers(scene).values()} == {"unverifiable"}
    assert {why for _, why in wagers(scene).values()} == {WHY}


@pytest.mark.parametrize(
    ("paid", "verdict"),
    [
        (True, "right"),  # the view was free again when it was settled
        (False, "unverifiable"),  # it seems unpaid, but who knows
    ],
)
def test_what_is_settled_afterwards(paid: bool, verdict: str) -> None:
    scene = Scene()
    scene.play()
    blocked(scene, 4.0)
    scene.wait(2.0)
    scene.show(3, WINNER)
    for wager in ("ante", "play", "aces_up") if paid else ():
        scene.put(3, wager, 500, by="dealer", key="paid")
    scene.end()
    assert {wagers(scene)[wager][0] for wager in ("ante", "play")} == {verdict}
    assert scene.codes() == [BLOCKED]


def test_what_was_done_afterwards_stands_too() -> None:
    """Somebody leaned over the table while players decided; the reveal, and a winner who is not paid, are seen."""
    scene = Scene()
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.wait(3.0)
    scene.deal(3)
    blocked(scene, 4.0)
    scene.wait(3.0)
    scene.put(3, "play", 500)
    scene.wait(1.0)
    scene.reveal()
    scene.show(3, WINNER)
    scene.end()
    assert {wagers(scene)[wager][0] for wager in ("ante", "play")} == {"wrong"}
    assert {BLOCKED, "winner-not-paid"} == set(scene.codes())


def test_what_was_done_before_stands() -> None:
    """A winner who was not paid, and cleared, before somebody leaned over the table."""
    scene = Scene()
    scene.play()
    scene.show(3, WINNER)
    scene.clear(shown(3))
    scene.wait(1.0)
    assert "winner-not-paid" in scene.codes()
    blocked(scene, 4.0)
    scene.clear(DEALER)
    scene.wait(3.0)
    scene.finish()
    assert {BLOCKED, "winner-not-paid"} <= set(scene.codes())


def test_a_round_that_is_under_way_when_the_view_is_free_is_joined() -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.trouble = SOMEBODY
    scene.wait(4.0)
    scene.put(3, "ante", 500)
    scene.deal(3)
    scene.trouble = None
    scene.wait(3.0)
    assert scene.played.is_joined
    scene.turn(DEALER, "Kc", "Kd")  # who knows what was decided
    scene.wait(4.0)
    assert scene.codes() == [BLOCKED]


@pytest.mark.parametrize(
    ("seconds", "verdict"),
    [
        (0.3, "wrong"),  # one look at the print: a shake
        (1.0, "unverifiable"),  # the camera may have been moved
    ],
)
@pytest.mark.parametrize("is_flash", [False, True])
def test_a_camera_in_doubt(seconds: float, verdict: str, is_flash: bool) -> None:
    """What is in the way for a moment makes the camera unsure, and says nothing of it."""
    scene = Scene()
    scene.play()
    scene.trouble = SOMEBODY if is_flash else None
    scene.is_sure = False
    scene.wait(seconds)
    scene.trouble, scene.is_sure = None, True
    scene.wait(2.0)
    scene.show(3, WINNER)
    scene.end()
    assert wagers(scene)["ante"][0] == ("wrong" if is_flash else verdict)
