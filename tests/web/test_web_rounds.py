"""The list of rounds, a round with its proof, and what reviewers say of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bodies import alert, event, played
from schemas import lacks
from web_room import HTML, SEAT, UNSEEN, WebRoom, open_room, token_in

from studio.film.production import Order
from studio.scripted.observations import Noise, scripted_clip
from vision.alerts.judge import Judge
from vision.bus.topics import OF_FILE, Topic
from vision.records.round import Round
from vision.web.drawing import SEATS, draw
from vision.web.rounds import LONGEST_NOTE, PAGE
from vision.web.words import FINDINGS


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebRoom]:
    with open_room(tmp_path) as room:
        yield room


def dispose(web: WebRoom, round_id: str, **form: str) -> tuple[int, str]:
    browser = web.browser()
    token = token_in(browser.get(f"/rounds/{round_id}").text)
    answer = browser.post(f"/rounds/{round_id}/dispositions", data={"form_token": token, **form})
    return answer.status_code, answer.text


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", [4, 3, 2, 1]),
        ("verdict=wrong", [4, 1]),
        ("verdict=right&table=t", [2]),
        ("code=late-wager", [3]),
        ("code=underpaid&verdict=wrong", [4, 1]),
        ("state=open", [4, 3]),
        ("state=disposed", [1]),
        ("table=elsewhere", []),
        ("verdict=nonsense&before=x", []),
    ],
)
def test_the_list_can_be_filtered(web: WebRoom, query: str, shown: list[int]) -> None:
    web.tell_round(1)
    web.put(Topic.ROUND, played(2))
    web.put(Topic.ALERT, alert(3, code="late-wager"))
    web.tell_round(4)
    browser = web.browser()
    token = token_in(browser.get("/rounds").text)
    browser.post("/rounds/t-0001/dispositions", data={"form_token": token, "finding": "training", "note": ""})
    text = browser.get(f"/rounds?{query}").text
    places = {number: text.find(f'href="/rounds/t-{number:04d}"') for number in (1, 2, 3, 4)}
    assert sorted((n for n in places if places[n] >= 0), key=lambda n: places[n]) == shown
    assert ("No round fits" in text) == (not shown)


def test_a_long_list_has_pages(web: WebRoom) -> None:
    for number in range(1, PAGE + 3):
        web.put(Topic.ROUND, played(number))
    browser = web.browser()
    first = browser.get("/rounds?verdict=right").text
    assert first.count('href="/rounds/t-') == PAGE
    older = first.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
    second = browser.get(older).text
    assert second.count('href="/rounds/t-') == 2
    assert 'rel="next"' not in second
    assert 'href="/rounds?verdict=right">Newest' in second


def test_a_round_shows_its_proof(web: WebRoom) -> None:
    unseen = SEAT | {"seat": 5, "decision": "fold", "wagers": {"aces_up": UNSEEN}}
    round_id = web.tell_round(seats=[SEAT, unseen])
    text = web.browser().get(f"/rounds/{round_id}").text
    for words in (
        "Underpaid",
        "paid $5, due $6",
        "MD ch.12 §A",
        "90 %",
        "Seat 2, Ante",
        "8 of spades",
        "10 of diamonds",
    ):
        assert words in text
    assert "the stake is not known: at least $2.25" in text
    assert "No clip" in text


def test_every_finding_fits_the_schema_and_closes_the_round(web: WebRoom) -> None:
    round_id = web.tell_round()
    for number, finding in enumerate(FINDINGS):
        browser = web.browser(f"eve{number}")
        token = token_in(browser.get("/rounds").text)
        form = {"form_token": token, "finding": finding, "note": f"<b>note {number}</b>"}
        assert browser.post(f"/rounds/{round_id}/dispositions", data=form).status_code == 303
    said = [envelope for envelope in web.store.since("t", 0) if envelope.topic is Topic.DISPOSITION]
    assert [lacks(envelope.record()) for envelope in said] == [[]] * len(FINDINGS)
    assert [envelope.body["by"] for envelope in said] == [f"eve{number}" for number in range(len(FINDINGS))]
    text = web.browser().get(f"/rounds/{round_id}").text
    assert "&lt;b&gt;note 0&lt;/b&gt;" in text
    assert "<b>note" not in text
    assert "Reviewed" in text


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"note": "hm"}, "Choose what you found."),
        ({"finding": "nonsense"}, "Choose what you found."),
        ({"finding": "confirmed", "note": "x" * (LONGEST_NOTE + 1)}, "characters at most"),
    ],
)
def test_a_disposition_that_says_nothing_is_refused(web: WebRoom, form: dict[str, str], why: str) -> None:
    round_id = web.tell_round()
    status, text = dispose(web, round_id, **form)
    assert status == 400
    assert why in text
    assert form.get("note", "") in text
    assert web.store.last_seq("t") == 3


def test_a_round_that_is_being_played_can_be_reviewed(web: WebRoom) -> None:
    web.put(Topic.EVENT, event(7))
    web.put(Topic.ALERT, alert(7, code="dealer-card-exposed", remedy="all hands void"))
    text = web.browser().get("/rounds/t-0007").text
    assert "No verdict" in text
    assert "all hands void" in text
    assert dispose_status(web, "t-0007") == 303


def dispose_status(web: WebRoom, round_id: str) -> int:
    browser = web.browser("bob")
    token = token_in(browser.get("/rounds").text)
    form = {"form_token": token, "finding": "corrected", "note": ""}
    return browser.post(f"/rounds/{round_id}/dispositions", data=form).status_code


def test_what_happened_between_rounds_can_be_reviewed(web: WebRoom) -> None:
    web.put(Topic.ALERT, alert(None, code="camera-lost", severity="info"))
    text = web.browser().get("/rounds/t-idle").text
    assert "between rounds" in text
    assert "Camera lost" in text
    assert dispose_status(web, "t-idle") == 303
    assert "No open alerts" in web.browser("eve").get("/live").text


def test_an_unknown_round_is_said(web: WebRoom) -> None:
    browser = web.browser()
    answer = browser.get("/rounds/t-0099", headers=HTML)
    assert answer.status_code == 404
    assert "The store has no t-0099." in answer.text


def test_a_clip_can_be_read_in_parts(web: WebRoom) -> None:
    round_id = web.tell_round()
    size = web.tell_clip(frames=30).stat().st_size
    browser, name = web.browser(), alert()["id"]
    whole = browser.get(f"/alerts/{name}/film")
    assert (whole.status_code, whole.headers["content-type"], len(whole.content)) == (200, "video/mp4", size)
    part = browser.get(f"/alerts/{name}/film", headers={"range": "bytes=100-199"})
    assert (part.status_code, part.headers["content-range"]) == (206, f"bytes 100-199/{size}")
    assert part.content == whole.content[100:200]
    assert browser.get(f"/alerts/{name}/still").status_code == 404  # it has none
    page = browser.get(f"/rounds/{round_id}").text
    assert "30 frames, 25.0 per second" in page
    assert f'src="/alerts/{name}/film"' in page


def test_a_film_that_cannot_be_read_does_no_harm(web: WebRoom) -> None:
    round_id = web.tell_round()
    web.tell_clip().write_bytes(b"not a film")
    assert web.browser().get(f"/rounds/{round_id}").status_code == 200
    web.tell_clip().unlink()
    assert "No clip" in web.browser("bob").get(f"/rounds/{round_id}").text


def test_rounds_of_the_pipeline_are_drawn(web: WebRoom) -> None:
    scripted = scripted_clip(Order(rounds=1, seed=300, faults=("underpaid",)), Noise(), 10.0)
    pipeline = Judge("t", scripted.sheet, scripted.layout)
    messages = [message for sight in scripted for message in pipeline.update(sight)]
    for message in messages:
        web.put(OF_FILE[message.topic], message.record.plain())
    (told,) = [message.record for message in messages if isinstance(message.record, Round)]
    drawing = draw(told)
    assert len(drawing.seats) == SEATS
    assert sum(seat.is_taken for seat in drawing.seats) == len(scripted.rounds[0]["seats"])
    wagers = [wager for seat in drawing.seats for wager in seat.wagers]
    text = web.browser().get("/rounds/t-0001").text
    cards = 6 + 1 + 5 * len(scripted.rounds[0]["seats"])
    assert text.count('class="card-face"') + text.count('class="card-back"') == cards
    assert text.count('class="cite">') >= len(wagers) > 0
    assert "No more bets" in text
