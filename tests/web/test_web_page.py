"""The page without a browser, with which `feltwatch bench live` measures: it logs in, and notes when alerts come."""

from pathlib import Path

import pytest
from bodies import alert
from web_room import PASSWORD, open_room, served

from studio.bench.live import Raised, _is_of, _summary
from studio.bench.page import OpenPage, Visitor
from vision.bus.topics import Topic
from vision.records.alert import Alert
from vision.score.records import Fault
from vision.values.clock import WallClock


def test_an_alert_is_noted_when_it_stands_on_the_board(tmp_path: Path) -> None:
    clock = WallClock()
    with open_room(tmp_path, clock) as web, served(web) as address:
        page = OpenPage(Visitor(address, web.person(), PASSWORD), "t", clock)
        asked_ns = clock.now_ns()
        web.put(Topic.ALERT, alert(1))
        while not page.shown_ns():
            page.wait(20)
        (shown_ns,) = page.shown_ns().values()
        assert asked_ns < shown_ns <= clock.now_ns()
        assert list(page.shown_ns()) == [alert(1)["id"]]


@pytest.mark.parametrize(
    ("said", "is_hit"),
    [
        ({}, True),
        ({"seat": None}, True),  # an alert that names no seat
        ({"seat": 3}, False),
        ({"wager": "play"}, False),
        ({"code": "overpaid"}, False),
        ({"t_ns": 7_500_000_000}, True),
        ({"t_ns": 6_000_000_000}, False),  # before the mistake was made
    ],
)
def test_which_alert_is_about_a_fault(said: dict[str, object], is_hit: bool) -> None:
    fault = Fault(code="underpaid", t_ns=8_000_000_000, seat=2, wager="ante")
    told = {"code": "underpaid", "seat": 2, "wager": "ante", "t_ns": 9_000_000_000}
    assert _is_of(Alert.of(alert() | told | said), fault) is is_hit


def test_what_was_never_raised_is_counted_and_not_timed() -> None:
    found = [Raised("underpaid", delay, delay and delay - 1) for delay in (1.5, 2.5, None)]
    spread = {"p50": 2.0, "p95": 2.45, "max": 2.5}
    assert _summary("underpaid", found) == {
        "bench": "live",
        "alert": "underpaid",
        "faults": 3,
        "raised": 2,
        "picture_to_page_s": spread,
        "frame_to_page_s": {key: round(value - 1, 2) for key, value in spread.items()},
    }
