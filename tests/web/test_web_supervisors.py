"""Reports of a shift, what was watched, people and pits in the browser, and who did what."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bodies import alert, played
from web_room import NOON_NS, SEAT, WRONG, WebRoom, log_in, open_room, token_in

from vision.bus.topics import Topic
from vision.store import reports, work
from vision.values.clock import SetClock

MINUTE_NS = 60_000_000_000


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON_NS)


@pytest.fixture
def web(tmp_path: Path, clock: SetClock) -> Iterator[WebRoom]:
    with open_room(tmp_path, clock) as room:
        yield room


def say(web: WebRoom, round_id: str, finding: str, **more: str) -> None:
    browser = web.browser()
    form = {"form_token": token_in(browser.get("/rounds").text), "finding": finding, **more}
    assert browser.post(f"/rounds/{round_id}/dispositions", data=form).status_code == 303


def test_a_shift_in_numbers(web: WebRoom, clock: SetClock) -> None:
    """Two errors at t, one found false; one right hand at u: reviewed 3 and 4 minutes after their alerts."""
    for number in (1, 2):
        web.put(Topic.ALERT, alert(number, seat=2, wager="ante"))
        web.put(Topic.ROUND, played(number, verdict="wrong", seats=[SEAT | {"wagers": {"ante": WRONG}}]))
        clock.advance(MINUTE_NS)
    web.put(Topic.ROUND, played(1, "u"), "u")
    clock.advance(MINUTE_NS)
    say(web, "t-0001", "dealer-error", saved="1", dealer="D-7")
    clock.advance(2 * MINUTE_NS)
    say(web, "t-0002", "system-wrong", lost="2.50")
    found = reports.shift(web.store, (NOON_NS, clock.now_ns()), ["t", "u"])
    assert (found.rounds, found.verdicts) == (3, {"wrong": 2, "right": 1})
    assert (found.staked_cents, found.wrong_cents) == (1200, 200)
    assert (found.saved_cents, found.lost_cents) == (100, 250)
    assert [(each.name, each.alerts, each.true, each.false) for each in found.codes] == [("underpaid", 2, 1, 1)]
    assert [(each.name, each.false_share) for each in found.tables] == [("t", 0.5)]
    assert [(each.name, each.true) for each in found.dealers] == [("D-7", 1)]
    assert (found.to_acknowledge_s, found.to_review_s) == (None, 210.0)
    assert found.per_hour == pytest.approx(3 / (5 / 60))
    assert reports.shift(web.store, (NOON_NS, clock.now_ns()), ["u"]).rounds == 1
    text = web.browser().get("/reports").text
    for words in ("Underpaid", "D-7", "saved", "3 min", "50 %"):
        assert words in text.lower() or words in text
    assert "code,underpaid,2,1,1" in web.browser().get("/reports.csv").text


def test_what_was_watched_and_why_not(web: WebRoom, clock: SetClock) -> None:
    for state, start, end, why in (
        ("watched", 0, 90, None),
        ("not observed", 90, 100, "camera lost"),
        ("closed", 100, 500, None),
    ):
        line = {"table": "t", "start_ns": start, "end_ns": end, "state": state, "why": why}
        web.put(Topic.COVERAGE, line)
    (found,) = reports.coverage(web.store, (NOON_NS, clock.now_ns()), ["t"])
    assert (found.share, found.whys) == (0.9, (("camera lost", 10),))
    assert "90.0 %" in web.browser().get("/reports").text


@pytest.mark.parametrize(
    "query", ["since=x", "since=2026-11-18T10:00&until=2026-11-18T09:00", "since=1999-01-01T00:00"]
)
def test_a_time_that_cannot_be_is_said(web: WebRoom, query: str) -> None:
    assert web.browser().get(f"/reports?{query}").status_code == 400
    assert web.browser().get(f"/reports.csv?{query}").status_code == 400


def test_people_and_pits_are_managed_in_the_browser_and_that_is_noted(web: WebRoom) -> None:
    admin = web.browser("root", "admin")
    token = {"form_token": token_in(admin.get("/people").text)}

    def change(**form: str) -> tuple[int, str]:
        answer = admin.post("/people", data=token | form)
        return answer.status_code, answer.text

    status, text = change(deed="add", name="eve", role="viewer", pits="Pit A, Pit B")
    assert (status, "one-time password" in text) == (200, True)
    password = text.split("one-time password ")[1].split("<")[0]
    assert log_in(web.visitor(), "eve", password).status_code == 303
    assert {p.name: (p.role, p.pits) for p in web.people.all()}["eve"] == ("viewer", ("Pit A", "Pit B"))
    assert change(deed="role", name="eve", role="engineer")[0] == 200
    assert {p.name: (p.role, p.pits) for p in web.people.all()}["eve"] == ("engineer", ())
    for form in ({"deed": "add", "name": "E V"}, {"deed": "role", "name": "root", "role": "viewer"}, {"deed": "hm"}):
        assert change(**form)[0] == 400
    assert change(deed="remove", name="eve")[0] == 200
    answer = admin.post("/people/pits", data=token | {"pit:t": "Pit C", "pit:nowhere": "x"})
    assert (answer.status_code, work.pit_of_tables(web.store)) == (303, {"t": "Pit C"})
    assert [each.did for each in work.noted(web.store)] == [
        "pits changed",
        "person: remove",
        "person: role",
        "person: add",
    ]
    assert "person: remove" in admin.get("/log").text
    assert web.browser("ada").get("/log").status_code == 403
