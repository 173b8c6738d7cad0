"""The whole way in a real browser: an alert arrives, is acknowledged, reviewed by keyboard, kept as evidence."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bodies import alert, clip, event, picture, played, pulse, session
from browser import choose_password, launched, log_in, needs_chromium, opened
from playwright.sync_api import Browser, Page, expect
from web_room import PASSWORD, SEAT, WebRoom, film, open_room, served

from vision.bus.topics import Topic
from vision.records.picture import Picture
from vision.records.pulse import Pulse
from vision.store.table_writer import TableWriter
from vision.values.clock import WallClock
from vision.web import verify

FRAMES, FRAME_NS = 30, 40_000_000

pytestmark = [pytest.mark.slow, needs_chromium]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebRoom]:
    with open_room(tmp_path, WallClock()) as room:
        yield room


@pytest.fixture
def page(web: WebRoom, chromium: Browser) -> Iterator[Page]:
    with served(web) as address, opened(chromium, address) as page:
        yield page


def tell_alert(web: WebRoom, desk: TableWriter, number: int = 1) -> str:
    """Let the watcher raise an alert, end the round and make the clip; return the alert's name."""
    proof = {"start_ns": 10 * FRAME_NS, "end_ns": 12 * FRAME_NS, "frames": []}
    said = alert(number, code="dealer-card-exposed", evidence=proof, t_ns=12 * FRAME_NS)
    film(web.home.clips / "film.mp4", FRAMES)
    (web.home.clips / "still.jpg").write_bytes(b"")
    events = [event(number, t_ns=n * FRAME_NS) for n in (4, 20)]
    desk.put(Topic.EVENT, 1, events[0])
    desk.put(Topic.ALERT, 1, said)
    desk.put(Topic.ROUND, 1, played(number, verdict="wrong", seats=[SEAT], events=events))
    files = {"film": "film.mp4", "still": "still.jpg", "start_ns": 0, "end_ns": FRAMES * FRAME_NS}
    desk.put(Topic.CLIP, 1, clip(said) | files | {"place": [[0.4, 0.4], [0.6, 0.4], [0.6, 0.6], [0.4, 0.6]]})
    return str(said["id"])


def test_an_alert_arrives_and_is_reviewed_by_keyboard(web: WebRoom, page: Page, tmp_path: Path) -> None:
    """From the alert on the wall to the saved review: seven keys; then its evidence is exported and verified."""
    name = web.person()
    page.goto("/rounds")
    assert page.url.endswith("/login?next=/rounds")
    log_in(page, name, "wrong password")
    expect(page.get_by_role("alert")).to_have_text("Wrong name or password.")
    log_in(page, name, PASSWORD)
    page.goto("/live")
    expect(page.get_by_text("No open alerts")).to_be_visible()
    page.get_by_role("button", name="Sound is off").click()
    expect(page.get_by_role("button", name="Sound is on")).to_be_visible()
    with TableWriter(web.store, "t", web.home.bus("t"), web.clock) as desk:
        tell_alert(web, desk)
        expect(page.get_by_role("link", name="Dealer card exposed").first).to_be_visible()
        expect(page.locator("body")).to_have_attribute("data-beeped", "critical")
        expect(page).to_have_title("(1) Live · Feltwatch")
        page.keyboard.press("a")
        expect(page.get_by_text("Seen by ada")).to_be_visible()
        expect(page).to_have_title("Live · Feltwatch")
        for key in ("j", "Enter"):
            page.keyboard.press(key)
        expect(page.locator("#film")).to_be_visible()
        expect(page.get_by_role("button", name="Sound is on")).to_be_visible()  # remembered on every page
        for key in ("3", "4", "Enter"):
            page.keyboard.press(key)
        expect(page.get_by_text("Reviewed")).to_be_visible()
        expect(page.locator(".said")).to_contain_text("No error")
    with page.expect_download() as taken:
        page.get_by_role("button", name="Evidence pack").click()
    taken.value.save_as(tmp_path / "pack.zip")
    assert verify.check(tmp_path / "pack.zip")["ok"]
    page.get_by_role("button", name="Log out").click()
    page.goto("/rounds/t-0001")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()


def test_the_clip_is_walked_frame_by_frame_wherever_the_focus_is(web: WebRoom, page: Page) -> None:
    with TableWriter(web.store, "t", web.home.bus("t"), web.clock) as desk:
        tell_alert(web, desk)
    page.goto("/rounds/t-0001")
    log_in(page, web.person(), PASSWORD)
    video, steps = page.locator("#film"), page.locator("#frame")
    expect(video).to_have_js_property("paused", False)
    page.keyboard.press("l")
    page.keyboard.press(" ")  # it plays by itself, in a loop around the evidence: all of this clip
    expect(video).to_have_js_property("paused", True)
    page.locator("#strip").focus()
    page.keyboard.press("Home")
    expect(video).to_have_attribute("data-frame", "0")
    page.get_by_role("radio", name="Dealer error").focus()
    for key, frame in ((".", 1), (".", 2), ("ArrowRight", 3), (",", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        expect(video).to_have_attribute("data-frame", str(frame))
    expect(steps).to_have_text(re.compile(rf"frame 2 of {FRAMES} · \d\d:\d\d:\d\d\.\d\d"))
    expect(steps).to_have_attribute("title", "stream time 0:00.04")
    page.keyboard.press("z")
    assert "scale" in (page.locator("#stage-inner").get_attribute("style") or "")
    page.keyboard.press("v")
    expect(page.locator("#overlay")).to_be_hidden()
    page.locator("[data-at]").nth(1).click()
    expect(video).to_have_attribute("data-frame", "20")
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keyboard")).to_be_visible()


def test_what_is_typed_survives_an_expired_login(web: WebRoom, page: Page) -> None:
    web.tell_round()
    page.goto("/rounds/t-0001")
    log_in(page, web.person(), PASSWORD)
    page.get_by_label("Note").fill("The floor returned all wagers.")
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    web.people.logout(page.context.cookies()[0]["value"])
    page.keyboard.press("Enter")
    expect(page.locator("#form-trouble")).to_contain_text("Your login has ended. What you wrote is kept")
    other = page.context.new_page()
    other.goto("/login")
    log_in(other, "ada", PASSWORD)
    expect(other.get_by_role("button", name="Log out")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".said")).to_contain_text("The floor returned all wagers.")


def test_focus_stays_while_alerts_arrive(web: WebRoom, page: Page) -> None:
    page.goto("/live")
    log_in(page, web.person(), PASSWORD)
    with TableWriter(web.store, "t", web.home.bus("t"), web.clock) as desk:
        desk.put(Topic.ALERT, 1, alert(1))
        page.locator(".alert-link").focus()
        for number in (2, 3):
            desk.put(Topic.ALERT, 1, alert(number, code="loser-paid"))
            expect(page.locator(".alert")).to_have_count(number)
    focused = page.evaluate("document.activeElement.closest('.alert').dataset.round")
    assert focused == "t-0001"


def test_a_picture_that_stays_away_looks_stale(web: WebRoom, page: Page) -> None:
    page.goto("/live?table=t")
    log_in(page, web.person(), PASSWORD)
    expect(page.locator("#on-air")).to_have_text("No picture yet")
    jpeg = web.home.folder / "p.jpg"
    page.screenshot(path=jpeg)  # any picture will do
    with TableWriter(web.store, "t", web.home.bus("t"), web.clock) as desk:
        while page.locator("#on-air").text_content() != "Live":  # a listener may join after the first of them
            view = {"phase": "betting", "seats": {"4": {"ante": 700}}}
            desk.picture(1, Picture.of(picture() | {"view": view}), jpeg.read_bytes())
            desk.pulse(1, Pulse.of(pulse()))
            page.wait_for_timeout(50)
        expect(page.locator("#now")).to_contain_text("Ante $7")
        expect(page.locator("#picture-now")).to_be_visible()
    expect(page.locator("#on-air")).to_have_text("No picture for 4 s", timeout=10_000)
    expect(page.locator("#picture")).to_have_class("picture stale")
    expect(page.locator("#now")).to_contain_text("No signal for")
    page.keyboard.press("Escape")
    expect(page.locator(".tile.failed")).to_contain_text("No signal for")


def test_a_table_that_begins_later_appears_on_the_wall(web: WebRoom, page: Page) -> None:
    page.goto("/live")
    log_in(page, web.person(), PASSWORD)
    expect(page.locator(".tile-name")).to_have_text(["t"])
    web.put(Topic.SESSION, session(), table="u")
    expect(page.locator(".tile-name")).to_have_count(2)
    page.locator(".tile[data-table=u]").click()
    expect(page.locator(".table-name")).to_have_text("u")


def test_pages_work_without_scripts(web: WebRoom, page: Page, chromium: Browser) -> None:
    page.goto("/login")
    context = chromium.new_context(base_url=page.evaluate("location.origin"), java_script_enabled=False)
    plain = context.new_page()
    web.tell_round()
    plain.goto("/rounds/t-0001")
    log_in(plain, web.person(), PASSWORD)
    plain.get_by_role("radio", name="No error").check()
    plain.get_by_role("button", name="Save").click()
    expect(plain.get_by_text("Reviewed")).to_be_visible()
    plain.goto("/live")
    expect(plain.get_by_text("No open alerts")).to_be_visible()
    context.close()


def test_the_first_login_chooses_a_password(web: WebRoom, page: Page) -> None:
    password = web.people.add("admin", "admin")
    page.goto("/")
    log_in(page, "admin", password)
    expect(page.get_by_role("heading", name="Choose your password")).to_be_visible()
    choose_password(page, password, PASSWORD)
    expect(page.get_by_role("heading", name="Open alerts")).to_be_visible()
