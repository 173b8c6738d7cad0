"""The list of rounds, a round with its proof, and what reviewers say of it."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import httpx
import pytest
from bodies import alert, event, played
from schemas import lacks
from web_room import HTML, NOON_NS, SEAT, UNSEEN, WRONG, WebRoom, open_room, token_in

from studio.bench import recorded
from studio.film.production import Order
from studio.scripted.observations import Noise, scripted_clip
from vision.alerts.judge import Judge
from vision.bus.topics import OF_FILE, Topic
from vision.records.round import Round
from vision.store import reading, work
from vision.values.clock import SetClock
from vision.web.arithmetic import sums
from vision.web.csv_table import table_of
from vision.web.disposing import LONGEST_NOTE
from vision.web.drawing import SEATS, draw
from vision.web.findings import fitting
from vision.web.rounds import PAGE


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
    browser.post("/rounds/t-0001/dispositions", data={"form_token": token, "finding": "dealer-error", "note": ""})
    text = browser.get(f"/rounds?{query}").text
    places = {number: text.find(f'href="/rounds/t-{number:04d}"') for number in (1, 2, 3, 4)}
    assert sorted((n for n in places if places[n] >= 0), key=lambda n: places[n]) == shown
    assert ("No round fits" in text) == (not shown)


def filled(web: WebRoom) -> httpx.Client:
    """Three hands, a minute apart: $1 paid wrong at t, $3 at u, and one that is right."""
    assert isinstance(web.clock, SetClock)
    for number, (table, paid) in enumerate([("t", 500), ("u", 300), ("t", 600)], start=1):
        wager = WRONG | {"paid_cents": paid, "verdict": "right" if paid == 600 else "wrong"}
        seats = [SEAT | {"wagers": {"ante": wager}}]
        web.put(Topic.ALERT, alert(number, table, observed=f"paid ${paid // 100}, due $6"), table)
        web.put(Topic.ROUND, played(number, table, verdict=str(wager["verdict"]), seats=seats), table)
        web.clock.advance(60_000_000_000)
    browser = web.browser()
    form = {"form_token": token_in(browser.get("/live").text), "finding": "no-error", "dealer": "D-7", "note": "=fine"}
    assert browser.post("/rounds/t-0001/dispositions", data=form).status_code == 303
    return browser


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", ["t-0003", "u-0002", "t-0001"]),
        ("order=oldest", ["t-0001", "u-0002", "t-0003"]),
        ("order=dearest", ["u-0002", "t-0001", "t-0003"]),
        ("least=2", ["u-0002"]),
        ("least=1", ["u-0002", "t-0001"]),
        ("dealer=D-7", ["t-0001"]),
        ("text=paid $3", ["u-0002"]),
        ("text=fine", ["t-0001"]),
        ("text=100%", []),
        ("text=t-0003", ["t-0003"]),
        ("pit=Pit A", ["u-0002"]),
        ("since={1}", ["t-0003", "u-0002"]),
        ("until={1}", ["t-0001"]),
        ("since={1}&until={2}&table=u", ["u-0002"]),
    ],
)
def test_rounds_are_searched(web: WebRoom, query: str, shown: list[str]) -> None:
    browser = filled(web)
    work.set_pits(web.store, {"u": "Pit A"})
    times = [datetime.fromtimestamp(NOON_NS // 10**9 + 60 * minute).astimezone() for minute in range(3)]
    asked = query.format(*(time.strftime("%Y-%m-%dT%H:%M:%S") for time in times))
    assert re.findall(r'class="row-link" href="/rounds/([^"]+)"', browser.get(f"/rounds?{asked}").text) == shown
    lines = browser.get(f"/rounds.csv?{asked}").text.splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == shown


@pytest.mark.parametrize("query", ["least=much", "since=yesterday", "until=2026-13-40T99:99"])
def test_a_filter_that_cannot_be_read_is_said(web: WebRoom, query: str) -> None:
    answer = web.browser().get(f"/rounds?{query}")
    assert (answer.status_code, "want amounts such as 12.50" in answer.text) == (400, True)
    assert web.browser().get(f"/rounds.csv?{query}").status_code == 400


def test_totals_and_a_csv_that_no_spreadsheet_carries_out(web: WebRoom) -> None:
    browser = filled(web)
    text = browser.get("/rounds").text
    assert "3 hands listed" in text
    assert "staked $18 · paid wrong <b>$4</b>" in text
    answer = browser.get("/rounds.csv?dealer=D-7")
    assert answer.headers["content-type"].startswith("text/csv")
    assert ",6.0,1.0,Underpaid,no-error,ada,D-7" in answer.text
    assert table_of(["a"], [["=1+1"], ["@x"], [-3]]).splitlines() == ["a", "'=1+1", "'@x", "-3"]
    assert [each.did for each in work.noted(web.store)] == ["exported 1 hands as CSV"]


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


def test_every_finding_that_fits_is_stored_and_closes_the_round(web: WebRoom) -> None:
    round_id = web.tell_round()
    offered = [choice.value for choice in fitting(["underpaid"])]
    assert offered == ["dealer-error", "no-error", "system-wrong"]
    for number, finding in enumerate(offered):
        browser = web.browser(f"eve{number}")
        token = token_in(browser.get("/rounds").text)
        form = {"form_token": token, "finding": finding, "note": f"<b>note {number}</b>"}
        assert browser.post(f"/rounds/{round_id}/dispositions", data=form).status_code == 303
    said = [envelope for envelope in web.store.since("t", 0) if envelope.topic is Topic.DISPOSITION]
    assert [lacks(envelope.record()) for envelope in said] == [[]] * len(offered)
    assert [envelope.body["by"] for envelope in said] == [f"eve{number}" for number in range(len(offered))]
    text = web.browser().get(f"/rounds/{round_id}").text
    assert "&lt;b&gt;note 0&lt;/b&gt;" in text
    assert "<b>note" not in text
    assert "Reviewed" in text


@pytest.mark.parametrize(
    ("codes", "keys"),
    [
        (["underpaid"], [1, 4, 5]),
        (["late-wager"], [1, 2, 3, 4, 5]),
        (["deal-order"], [1, 3, 4, 5]),
        (["camera-lost"], [4, 5, 6]),
        ([], [1, 2, 3, 4, 5, 6]),
    ],
)
def test_only_what_fits_is_offered_and_a_finding_has_one_key(codes: list[str], keys: list[int]) -> None:
    assert [choice.key for choice in fitting(codes)] == keys


def test_all_that_a_reviewer_says_is_kept_and_shown(web: WebRoom) -> None:
    said = {"dealer": "D-114", "saved": "$1,012.50", "lost": "3", "notified": "Pit boss", "incident": "2026/81"}
    status, _ = dispose(web, web.tell_round(), finding="dealer-error", note="seen", **said)
    assert status == 303
    (body,) = [envelope.body for envelope in web.store.since("t", 0) if envelope.topic is Topic.DISPOSITION]
    assert (body["saved_cents"], body["lost_cents"], body["dealer"]) == (101_250, 300, "D-114")
    text = web.browser("bob").get("/rounds/t-0001").text
    for words in ("saved $1,012.50", "lost $3", "dealer D-114", "told Pit boss", "incident 2026/81"):
        assert words in text


def test_one_alert_can_be_disposed_of_alone(web: WebRoom) -> None:
    web.put(Topic.ALERT, alert(1))
    web.put(Topic.ALERT, alert(1, code="late-wager"))
    one = str(alert(1)["id"])
    assert dispose(web, "t-0001", finding="no-error", alert=one)[0] == 303
    assert [row.code for row in reading.alerts(web.store)] == ["late-wager"]
    assert dispose(web, "t-0001", finding="no-error", alert="t-0009-underpaid")[0] == 400


def test_saving_opens_the_next_of_the_queue(web: WebRoom) -> None:
    for number in (1, 2, 3):
        web.tell_round(number)
    browser = web.browser()

    def save(round_id: str) -> str:
        token = token_in(browser.get(f"/rounds/{round_id}?queue=open").text)
        form = {"form_token": token, "finding": "no-error", "queue": "open"}
        return str(browser.post(f"/rounds/{round_id}/dispositions", data=form).headers["location"])

    assert "2 of 3" in browser.get("/rounds/t-0002?queue=open").text
    assert save("t-0002") == "/rounds/t-0003?queue=open"
    assert save("t-0003") == "/rounds/t-0001?queue=open"
    assert save("t-0001") == "/review?queue=open"
    assert "Every alert has been reviewed." in browser.get("/review?queue=open").text


def test_what_could_not_be_verified_is_a_queue_of_its_own(web: WebRoom) -> None:
    web.put(Topic.ROUND, played(1, verdict="unverifiable", seats=[SEAT | {"wagers": {"ante": UNSEEN}}]))
    browser = web.browser()
    assert "/rounds/t-0001?queue=unverifiable" in browser.get("/review?queue=unverifiable").text
    text = browser.get("/rounds/t-0001?queue=unverifiable").text
    assert "To verify it, this was needed: the stake, read whole." in text
    assert dispose(web, "t-0001", finding="no-error")[0] == 303
    assert "/rounds/t-0001" not in browser.get("/review?queue=unverifiable").text


def test_a_void_wants_a_second_person(web: WebRoom) -> None:
    web.put(Topic.ALERT, alert(1, code="dealer-card-exposed"))
    web.put(Topic.ROUND, played(1, verdict="void", seats=[SEAT]))
    assert dispose(web, "t-0001", finding="dealer-error")[0] == 303
    assert "t-0001" not in web.browser("ada").get("/review?queue=second").text
    assert "A void needs a second person" in web.browser("ada").get("/rounds/t-0001").text
    bob = web.browser("bob")
    assert "t-0001" in bob.get("/review?queue=second").text
    form = {"form_token": token_in(bob.get("/rounds").text), "finding": "dealer-error", "queue": "second"}
    assert bob.post("/rounds/t-0001/dispositions", data=form).headers["location"] == "/review?queue=second"
    assert "t-0001" not in web.browser("eve").get("/review?queue=second").text


def test_two_tabs_do_not_overwrite_one_another(web: WebRoom) -> None:
    """What somebody else has said meanwhile is shown, and nothing that was typed is lost."""
    round_id = web.tell_round()
    ada, bob = web.browser("ada"), web.browser("bob")
    pages = {browser: browser.get(f"/rounds/{round_id}").text for browser in (ada, bob)}

    def save(browser: httpx.Client, text: str) -> httpx.Response:
        told = re.findall(r'name="told" value="([^"]*)"', text)[0]
        form = {"form_token": token_in(text), "finding": "no-error", "note": "typed", "told": told}
        return browser.post(f"/rounds/{round_id}/dispositions", data=form)

    assert save(bob, pages[bob]).status_code == 303
    answer = save(ada, pages[ada])
    assert (answer.status_code, "bob has reviewed this hand while you did" in answer.text) == (409, True)
    assert 'value="typed"' in answer.text
    assert save(ada, answer.text).status_code == 303


def test_the_sum_names_hand_odds_due_and_paid() -> None:
    """Seat 4's Aces Up: the record is that of a scripted round, settled again by the sheet that it names."""
    each = next(each for each in recorded.read() if "winner-not-paid" in str(each["messages"]))
    (record,) = [Round.of(message["body"]) for message in each["messages"] if message["topic"] == "round"]
    (found,) = [each for each in sums(record) if (each.seat, each.wager) == (4, "aces_up")]
    assert found.hand == "Straight flush" or found.hand
    assert found.odds.endswith(" to 1")
    times = int(found.odds.split()[0])
    assert found.record.due_cents == times * (found.record.cents or 0)
    assert found.difference_cents == -(found.record.due_cents or 0)
    assert found.rule.startswith(found.record.cite + ": ")


def test_a_sum_that_disagrees_with_the_record_explains_nothing() -> None:
    each = next(each for each in recorded.read() if "winner-not-paid" in str(each["messages"]))
    (body,) = [message["body"] for message in each["messages"] if message["topic"] == "round"]
    body["seats"][1]["wagers"]["aces_up"]["due_cents"] += 100
    (found,) = [each for each in sums(Round.of(body)) if (each.seat, each.wager) == (4, "aces_up")]
    assert (found.hand, found.odds) == ("", "")


def test_the_best_innocent_explanation_is_shown(web: WebRoom) -> None:
    story = {"story": "the dealer paid with a $5 chip that a hand hid", "probability": 0.031}
    web.put(Topic.ALERT, alert(1, innocent=story))
    text = web.browser().get("/rounds/t-0001").text
    assert "Best innocent explanation (3 %): the dealer paid with a $5 chip that a hand hid" in text


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"note": "hm"}, "Choose a disposition."),
        ({"finding": "nonsense"}, "Choose a disposition."),
        ({"finding": "camera-fault"}, "Choose a disposition."),
        ({"finding": "no-error", "saved": "many"}, "is no amount"),
        ({"finding": "no-error", "lost": "-1"}, "is no amount"),
        ({"finding": "no-error", "dealer": "x" * 81}, "80 characters at most"),
        ({"finding": "no-error", "note": "x" * (LONGEST_NOTE + 1)}, "characters at most"),
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
    form = {"form_token": token, "finding": "no-error", "note": ""}
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
    assert "data-frames" in page
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
