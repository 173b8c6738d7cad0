"""The live page and its stream: what is stale looks stale, alerts come by themselves, and none is missed."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from bodies import alert, event, picture, played, pulse, session
from schemas import lacks
from web_room import NOON_NS, SEAT, UNSEEN, WebRoom, log_in, open_room, served, token_in

from vision.bus.envelope import Envelope
from vision.bus.topics import Topic
from vision.records.picture import Picture
from vision.records.pulse import Pulse
from vision.store.table_writer import TableWriter
from vision.values.clock import SetClock, WallClock
from vision.web import cursor
from vision.web.feed import Told
from vision.web.thumbs import Thumbnails

SECOND_NS = 1_000_000_000
VIEW = {"phase": "decision", "seats": {"2": {"ante": 500, "aces_up": None}, "10": {"play": 1500}, "3": {}}}


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON_NS)


@pytest.fixture
def web(tmp_path: Path, clock: SetClock) -> Iterator[WebRoom]:
    with open_room(tmp_path, clock) as room:
        yield room


def passing(topic: Topic, body: dict[str, Any]) -> Envelope:
    return Envelope(table="t", seq=None, t_ns=1, topic=topic, body=body)


def test_what_is_now_is_shown(web: WebRoom) -> None:
    web.put(Topic.SESSION, session())
    web.feed.put(passing(Topic.PICTURE, picture() | {"view": VIEW}), b"jpeg")
    web.feed.put(passing(Topic.PULSE, pulse()))
    browser = web.browser()
    text = browser.get("/live?table=t").text
    for words in (
        "Watching",
        "25.0",
        "Players decide",
        "Ante <i>$5</i>",
        "Aces Up <i>not known</i>",
        "Seat 10",
        ">Live</span>",
    ):
        assert words in text
    assert "stale" not in text.replace("data-stale-ms", "")
    assert browser.get("/tables/t/picture").content == b"jpeg"


def test_what_is_stale_looks_stale(web: WebRoom, clock: SetClock) -> None:
    web.feed.put(passing(Topic.PICTURE, picture()), b"jpeg")
    web.feed.put(passing(Topic.PULSE, pulse()))
    clock.advance(12 * SECOND_NS)
    text = web.browser().get("/live?table=t").text
    assert "No picture for 12 s" in text
    assert "No signal for 12 s" in text
    assert 'class="picture stale"' in text


@pytest.mark.parametrize(
    ("state", "words"), [("lost", "Camera lost"), ("frozen", "Picture frozen"), ("waiting", "Waiting")]
)
def test_the_state_of_the_watcher_is_said(web: WebRoom, state: str, words: str) -> None:
    web.feed.put(passing(Topic.PULSE, pulse() | {"state": state}))
    assert words in web.browser().get("/live").text


@pytest.mark.parametrize(("lag_ms", "words"), [(83.4, "83 ms"), (999.0, "999 ms"), (7934.0, "7.9 s"), (0.0, "0 ms")])
def test_the_lag_is_said(web: WebRoom, lag_ms: float, words: str) -> None:
    web.feed.put(passing(Topic.PULSE, pulse() | {"lag_ms": lag_ms}))
    text = web.browser().get("/live?table=t").text
    assert f">{words}</dd>" in text
    assert ('class="late"' in text) == (words == "7.9 s")


@pytest.mark.parametrize(
    ("pace", "words"),
    [(0.42, "playing at 0.4 times speed"), (0.02, "playing at 0.1 times speed"), (0.97, None), (1.0, None)],
)
def test_the_pace_of_a_slowed_file_is_said(web: WebRoom, pace: float, words: str | None) -> None:
    web.feed.put(passing(Topic.PULSE, pulse() | {"pace": pace}))
    text = web.browser().get("/live").text
    assert (words or "times speed") in text if words else "times speed" not in text


def test_without_a_watcher_the_page_says_how_to_begin(web: WebRoom, tmp_path: Path) -> None:
    browser = web.browser()
    assert "No picture yet" in browser.get("/live?table=t").text
    assert 'id="wall"' in browser.get("/live?table=elsewhere").text
    assert browser.get("/tables/t/picture").status_code == 404
    with open_room(tmp_path / "empty", is_watched=False) as empty:
        assert "No table has been watched yet" in empty.browser().get("/live").text


def board_of(web: WebRoom) -> list[str]:
    """Return the titles on the board, in their order."""
    text = web.browser().get("/live").text
    return [part.split("<")[0] for part in text.split('class="alert-title">')[1:]]


def test_the_board_has_the_gravest_first_then_the_dearest_then_the_oldest(web: WebRoom, clock: SetClock) -> None:
    told = [
        (1, "underpaid", "critical"),
        (2, "deal-order", "warning"),
        (3, "overpaid", "critical"),
        (1, "late-wager", "critical"),
    ]
    for number, code, severity in told:
        clock.advance(SECOND_NS)
        web.put(Topic.ALERT, alert(number, code=code, severity=severity, seat=2, wager="ante"))
    web.put(Topic.ALERT, alert(4, code="loser-paid"))
    web.put(Topic.ALERT, alert(4, code="loser-paid", state="withdrawn"))
    assert board_of(web) == ["Underpaid", "Overpaid", "Dealt out of order"]
    assert "also: Late bet" in web.browser("bob").get("/live").text
    web.put(Topic.ROUND, played(3, seats=[SEAT], verdict="wrong"))  # $1 is at stake there: more than nobody knows what
    web.clock_on()
    assert board_of(web)[:2] == ["Overpaid", "Underpaid"]
    assert '<span class="alert-amount" title="at stake">$1</span>' in web.browser("eve").get("/live").text


def test_what_is_uncertain_looks_uncertain(web: WebRoom) -> None:
    unsure = SEAT | {"wagers": {"ante": UNSEEN}}
    web.put(Topic.ALERT, alert(1, seat=2, wager="ante"))
    web.put(Topic.ROUND, played(1, verdict="unverifiable", seats=[unsure]))
    text = web.browser().get("/live").text
    assert 'class="alert-amount uncertain" title="at stake">about $2<' in text


def test_alerts_about_the_system_have_their_own_lane_and_close_by_themselves(web: WebRoom) -> None:
    web.put(Topic.ALERT, alert(None, code="camera-lost", severity="info"))
    assert "No open alerts</strong>" in web.browser().get("/live").text
    text = web.browser("bob").get("/live").text
    assert 'class="told open-told"' in text
    web.put(Topic.ALERT, alert(None, code="camera-lost", severity="info", state="withdrawn"))
    web.clock_on()
    text = web.browser("eve").get("/live").text
    assert 'class="told closed-told"' in text
    assert "Camera lost: over" in text


@pytest.mark.parametrize(
    ("ended", "state"), [(None, "closed"), ("a.mp4: broken off", "failed")], ids=["in good order", "by an error"]
)
def test_a_table_that_closed_looks_closed_and_one_that_failed_failed(web: WebRoom, ended: str, state: str) -> None:
    web.put(Topic.SESSION, session(state="ended") | {"why": ended})
    assert f'class="tile {state}"' in web.browser().get("/live").text


def test_a_table_whose_camera_is_lost_looks_failed(web: WebRoom, clock: SetClock) -> None:
    web.feed.put(passing(Topic.PULSE, pulse() | {"state": "lost"}))
    assert 'class="tile failed"' in web.browser().get("/live").text
    clock.advance(2 * SECOND_NS)
    web.feed.put(passing(Topic.PULSE, pulse()))
    assert 'class="tile open"' in web.browser("bob").get("/live").text


def test_how_long_an_alert_can_be_corrected(web: WebRoom, clock: SetClock) -> None:
    """Hands begin 50 seconds apart: an alert of the third can be corrected until the fourth begins."""
    for number in (1, 2, 3):
        web.put(Topic.EVENT, event(number, kind="deal", zone="seat.hand", seat=1, cards=1))
        clock.advance(50 * SECOND_NS)
    web.put(Topic.ALERT, alert(3))
    web.put(Topic.ALERT, alert(2))
    text = web.browser().get("/live").text
    assert f'data-until-ms="{(NOON_NS + 150 * SECOND_NS) // 1_000_000}">correctable' in text
    assert 'class="deadline passed" data-until-ms="0">next hand dealt' in text


def test_alerts_are_acknowledged_and_taken_with_who_and_when(web: WebRoom) -> None:
    web.put(Topic.ALERT, alert(1))
    browser = web.browser()
    token = token_in(browser.get("/live").text)

    def take(**form: str) -> int:
        path = "/rounds/t-0001/acknowledgements"
        return browser.post(path, data={"form_token": token, **form}).status_code

    assert take() == 303
    web.clock_on()
    assert "Seen by ada" in browser.get("/live").text
    web.person("bob")
    assert take(assigned="bob") == 303
    web.clock_on()
    assert "bob looks into it (asked by ada)" in browser.get("/live").text
    assert take(assigned="nobody") == 400
    assert browser.post("/rounds/t-0009/acknowledgements", data={"form_token": token}).status_code == 404
    said = [envelope for envelope in web.store.since("t", 0) if envelope.topic is Topic.ACKNOWLEDGEMENT]
    assert [lacks(envelope.record()) for envelope in said] == [[], []]


def test_pictures_of_the_wall_come_in_one_answer_and_only_the_new(web: WebRoom) -> None:
    web.put(Topic.SESSION, session(), table="u")
    browser = web.browser()
    for table in ("t", "u"):
        envelope = Envelope(table=table, seq=None, t_ns=1, topic=Topic.PICTURE, body=picture())
        web.feed.put(envelope, table.encode() * 3)
    head, _, bodies = browser.get("/wall/pictures?width=200").content.partition(b"\n")
    told = json.loads(head)
    assert [(each["table"], each["bytes"]) for each in told] == [("t", 3), ("u", 3)]
    assert bodies == b"tttuuu"
    rest = browser.get(f"/wall/pictures?after={told[0]['number']}&width=x").content
    assert rest.partition(b"\n")[2] == b"uuu"


def test_a_picture_is_made_smaller_once() -> None:
    large = cv2.imencode(".jpg", np.zeros((540, 960, 3), np.uint8))[1].tobytes()
    told = Told(1, 0, {}, large)
    thumbnails = Thumbnails()
    small = thumbnails.of("t", told, 200)
    picture = cv2.imdecode(np.frombuffer(small, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (135, 240, 3)
    assert thumbnails.of("t", told, 230) is small
    assert thumbnails.of("t", told, 9999) == large


def test_a_page_without_scripts_refreshes_itself(web: WebRoom) -> None:
    assert '<noscript><meta http-equiv="refresh"' in web.browser().get("/live").text


def test_a_cursor_is_read_as_it_is_written() -> None:
    assert cursor.parse(cursor.text({"t": 4, "table-07": 12})) == {"t": 4, "table-07": 12}
    assert cursor.parse("nonsense&t=x&u=²&v=3") == {"v": 3}


def test_a_damaged_store_is_said(web: WebRoom) -> None:
    browser = web.browser()
    web.store.close()
    web.home.store.write_bytes(b"not a database" * 1000)
    answer = browser.get("/live")
    assert answer.status_code == 503
    assert "feltwatch.sqlite: " in answer.text


# ---- The stream, from a real server


class Heard:
    """Reads server-sent events."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.iter_lines()

    def next(self, name: str) -> tuple[dict[str, Any], str]:
        """Return the data and the id of the next event of this name."""
        fields: dict[str, str] = {}
        for line in self._lines:
            key, _, value = line.partition(": ")
            fields[key] = value
            if not line:
                if fields.get("event") == name:
                    return json.loads(fields["data"]), fields.get("id", "")
                fields = {}
        raise AssertionError(f"the stream ended without {name!r}")


@contextmanager
def streaming(client: httpx.Client, after: str = "", **headers: str) -> Iterator[Heard]:
    with client.stream("GET", "/stream", params={"table": "t", "after": after}, headers=headers) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Heard(response)


@contextmanager
def reader(web: WebRoom, address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=20) as client:
        assert log_in(client, web.person()).status_code == 303
        yield client


@pytest.fixture
def real(tmp_path: Path) -> Iterator[WebRoom]:
    with open_room(tmp_path, WallClock()) as room:
        yield room


def test_an_alert_arrives_over_the_bus(real: WebRoom) -> None:
    with served(real) as address, reader(real, address) as client, streaming(client, "t=1") as heard:
        assert heard.next("board")[0]["order"] == []
        with TableWriter(real.store, "t", real.home.bus("t"), real.clock) as desk:
            desk.put(Topic.ALERT, 7, alert())
            told, number = heard.next("alert")
            assert (told["id"], told["severity"], number) == (alert()["id"], "critical", "t=2")
            assert "Underpaid" in heard.next("board")[0]["html"]["t-0001"]
            assert heard.next("counts")[0] == {"open": 1, "new": 1, "critical": 1, "system": 0}


def test_pictures_and_pulses_arrive_over_the_bus(real: WebRoom) -> None:
    stop = threading.Event()

    def talk() -> None:
        with TableWriter(real.store, "t", real.home.bus("t"), real.clock) as desk:
            while not stop.wait(0.05):
                desk.picture(1, Picture.of(picture()), b"a picture")
                desk.pulse(1, Pulse.of(pulse()))

    talker = threading.Thread(target=talk)
    talker.start()
    try:
        with served(real) as address, reader(real, address) as client, streaming(client) as heard:
            assert heard.next("picture")[0]["number"] > 0
            while "Watching" not in heard.next("now")[0]["html"]:
                pass
            assert client.get("/tables/t/picture").content == b"a picture"
    finally:
        stop.set()
        talker.join()


def test_who_comes_back_gets_what_was_missed(real: WebRoom) -> None:
    with served(real) as address, reader(real, address) as client:
        for number in (1, 2, 3):
            real.put(Topic.ALERT, alert(number))
        with streaming(client, "t=1", **{"Last-Event-ID": "t=2"}) as heard:
            assert [heard.next("alert")[0]["round"] for _ in range(2)] == ["t-0002", "t-0003"]


def test_a_new_table_and_a_disposition_are_told(real: WebRoom) -> None:
    real.tell_round()
    with served(real) as address, reader(real, address) as client, streaming(client, "t=3") as heard:
        assert "Underpaid" in heard.next("board")[0]["html"]["t-0001"]
        real.put(Topic.ROUND, played(1, "u"), table="u")
        assert heard.next("round")[0]["table"] == "u"
        form = {"form_token": token_in(client.get("/rounds").text), "finding": "no-error", "note": ""}
        assert client.post("/rounds/t-0001/dispositions", data=form).status_code == 303
        assert heard.next("disposition")[0]["round"] == "t-0001"
        assert heard.next("board")[0]["order"] == []


def test_the_stream_ends_with_the_session(real: WebRoom) -> None:
    with served(real) as address, reader(real, address) as client, streaming(client) as heard:
        heard.next("board")
        real.people.logout(client.cookies["feltwatch"])
        heard.next("logout")


def test_the_server_ends_while_pages_are_open(real: WebRoom) -> None:
    with served(real) as address, reader(real, address) as client, streaming(client) as heard:
        heard.next("board")  # leaving ends the server first: it must not wait for the stream
