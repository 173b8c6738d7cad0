"""Whole rounds from the simulator, seen without errors: told back as they were, and faults found."""

from dataclasses import replace
from itertools import pairwise

import pytest
from scenes import followed

from studio.film.production import Order
from studio.scripted.observations import Noise, scripted_clip
from vision.alerts.judge import Judge
from vision.records.alert import Alert
from vision.records.round import Round


@pytest.mark.parametrize(
    ("seed", "house"),
    [
        (100, "maryland"),  # an automated shuffler, all wagers
        (102, "maryland"),
        (100, "south-dakota"),  # dealt from the hand, card by card
        (102, "washington"),  # players' cards face up
    ],
)
def test_a_clean_round_is_told_back(seed: int, house: str) -> None:
    (true,), said = followed(Order(rounds=1, seed=seed, house=house))
    assert said["alerts"] == []
    (told,) = said["rounds"]
    assert told["verdict"] == true["verdict"]
    assert sorted(told["dealer"]["cards"]) == sorted(true["dealer"]["cards"])
    seats = {seat["seat"]: seat for seat in told["seats"]}
    for seat in true["seats"]:
        assert seats[seat["seat"]]["decision"] == seat["decision"]
        if seat["shown"]:
            assert sorted(seats[seat["seat"]]["cards"]) == sorted(seat["cards"])
        for wager, entry in seat["wagers"].items():
            found = seats[seat["seat"]]["wagers"][wager]
            assert (found["cents"], found["paid_cents"]) == (entry["cents"], entry["paid_cents"]), wager


@pytest.mark.parametrize(
    "fault",
    [
        "underpaid",
        "overpaid",
        "loser-paid",
        "winner-collected",
        "dealer-card-exposed:flip",
        "play-out-of-range:four-times",
    ],
)
def test_a_fault_is_found(fault: str) -> None:
    (true,), said = followed(Order(rounds=1, seed=300, faults=(fault,)))
    (injected,) = true["faults"]
    raised = {alert["id"]: alert for alert in said["alerts"]}
    hits = [a for a in raised.values() if a["code"] == injected["code"] and a["state"] != "withdrawn"]
    assert hits, [alert["code"] for alert in raised.values()]
    if injected["seat"]:
        assert injected["seat"] in [hit["seat"] for hit in hits]


def test_every_second_is_accounted_for() -> None:
    _, said = followed(Order(rounds=1, seed=100))
    spans = [(entry["start_ns"], entry["end_ns"]) for entry in said["coverage"]]
    assert spans[0][0] == 0
    assert all(one[1] == two[0] for one, two in pairwise(spans))


def test_the_same_sights_give_the_same_messages() -> None:
    order = Order(rounds=1, seed=102)
    assert followed(order)[1] == followed(order)[1]


def test_a_moved_camera_is_announced_and_what_seems_wrong_is_downgraded() -> None:
    clip = scripted_clip(Order(rounds=1, seed=300, faults=("underpaid",)), Noise(), 10.0)
    pipeline, said = Judge("t", clip.sheet, clip.layout), []
    seen = list(clip)
    for sight in seen:
        moved = replace(sight, moved_px=4.2) if sight.index == len(seen) // 2 else sight
        said += pipeline.update(moved)
    said += pipeline.finish(seen[-1].t_ns)
    codes = [message.record.code for message in said if isinstance(message.record, Alert)]
    assert "camera-moved" in codes
    assert "underpaid" not in codes
    (told,) = [message.record for message in said if isinstance(message.record, Round)]
    assert told.verdict == "unverifiable"
