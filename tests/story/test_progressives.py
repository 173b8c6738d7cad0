"""Progressive wagers by signals: accepted without a chip that was seen, in contradiction to chips, paid by a meter."""

from fractions import Fraction

import pytest
from scenes import Scene
from things import reading

from studio.film.production import house_sheet
from vision.rules.due.record import Line, Outcome, Settlement, Status
from vision.rules.text.pays import Pay
from vision.story.amounts import NOTHING, Amount
from vision.story.retelling import played_round
from vision.story.verdict import Done, judge


def bets(scene: Scene) -> dict[tuple[int, str], int]:
    told = [event for event in scene.said["events"] if event["kind"] == "bet"]
    return {(event["seat"], event["wager"]): event["cents"] for event in told}


@pytest.mark.parametrize(
    ("chips", "taken", "accepted", "made", "codes"),
    [
        ((), (), {3: 100}, {3: 100}, []),  # no chip was seen: the system's word is enough
        ((3,), (3,), {3: 500}, {3: 500}, []),  # both agree
        ((3, 5), (3, 5), {3: 500}, {3: 500, 5: 500}, ["progressive-count"]),  # collected, not accepted
        ((3,), (3,), {3: 100}, {3: 100}, ["progressive-count"]),  # another amount
        ((3, 5), (3, 5), {}, {3: 500, 5: 500}, []),  # nobody says anything
    ],
)
def test_wagers_that_were_accepted(
    chips: tuple[int, ...], taken: tuple[int, ...], accepted: dict[int, int], made: dict[int, int], codes: list[str]
) -> None:
    scene = Scene()
    scene.wait(3.0)
    for seat in (3, 5):
        scene.put(seat, "ante", 500)
    for seat in chips:
        scene.put(seat, "progressive", 500)
    for seat, cents in accepted.items():
        scene.signal("progressive", seat=seat, cents=cents)
    scene.wait(3.0)
    for seat in taken:
        scene.take(seat, "progressive", by="dealer")
    scene.wait(1.5)
    scene.deal(3, 5)
    assert {seat: cents for (seat, wager), cents in bets(scene).items() if wager == "progressive"} == made
    assert scene.codes() == codes


def test_what_was_accepted_counts_once() -> None:
    scene = Scene()
    scene.wait(3.0)
    scene.put(3, "ante", 500)
    scene.signal("progressive", seat=3, cents=100)
    scene.wait(3.0)
    scene.signal("no-more-bets")
    scene.signal("progressive", seat=5, cents=100)  # told a moment late
    stakes = {key: spot.stake.cents for key, spot in scene.played.spots.items() if key[1] == "progressive"}
    assert (stakes[3, "progressive"], stakes[5, "progressive"], stakes[2, "progressive"]) == (100, 100, 0)


def test_meters_are_those_before_the_reveal() -> None:
    scene = Scene()
    scene.signal("meter", name="main", cents=1_234_500)
    scene.play()
    scene.signal("meter", name="main", cents=1_000_000)  # somebody was paid: it begins again
    scene.wait(1.0)
    assert played_round(scene.floor, scene.played).meters == {"main": 1_234_500}
    assert played_round(scene.floor, scene.played).seeds == scene.sheet.seeds_cents


@pytest.mark.parametrize(
    ("paid", "verdict"),
    [
        (1_234_500, "right"),
        (0, "unverifiable"),  # a jackpot is not paid from the tray
        (1_000_000, "wrong"),
    ],
)
def test_what_a_meter_owes(paid: int, verdict: str) -> None:
    line = Line(Outcome.WIN, 100, Fraction(1_234_500), 0, "x", pay=Pay.parse("100% main"))
    sure = Amount(paid, 1.0, paid, paid, ((paid, 1.0),)) if paid else NOTHING
    stake = Amount(100, 1.0, 100, 100, ((100, 1.0),))
    done = Done(stake, sure, is_gone=True)
    judged = judge(house_sheet("maryland"), line, done, Settlement(Status.SETTLED), "progressive")
    assert judged.verdict == verdict


@pytest.mark.parametrize(
    ("p", "cents", "codes"),
    [
        (0.95, 500, ["progressive-count"]),  # surely what is wagered here, though no hand was seen to put it there
        (0.6, 500, []),  # it may be the lamp
        (0.95, 2500, []),  # nobody may wager that
    ],
)
def test_a_chip_that_is_not_collected_though_others_are(p: float, cents: int, codes: list[str]) -> None:
    scene = Scene(progressive_stakes_cents=(500,))
    scene.wait(3.0)
    for seat in (3, 5):
        scene.put(seat, "ante", 500)
    scene.put(3, "progressive", 500)
    scene.put(5, "progressive", reading(cents, p, (100, 10_000)), by=None)
    scene.wait(3.0)
    scene.take(3, "progressive", by="dealer")
    scene.wait(1.5)
    scene.deal(3, 5)
    assert [code for code in scene.codes() if code == "progressive-count"] == codes
