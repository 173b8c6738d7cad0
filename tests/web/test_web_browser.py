"""The whole way in a real browser: log in, see an alert arrive, review it frame by frame, dispose, log out."""

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


def tell_alert(web: WebRoom, desk: TableWriter) -> str:
    """Let the watcher raise an alert, end the round and make the clip; return the alert's name."""
    said = alert(
        1, code="dealer-card-exposed", evidence={"start_ns": 10 * FRAME_NS, "end_ns": 12 * FRAME_NS, "frames": []}
    )
    film(web.home.clips / "film.mp4", FRAMES)
    (web.home.clips / "still.jpg").write_bytes(b"")
    events = [event(1, t_ns=n * FRAME_NS) for n in (4, 20)]
    desk.put(Topic.EVENT, 1, events[0])
    desk.put(Topic.ALERT, 1, said)
    desk.put(Topic.ROUND, 1, played(1, verdict="wrong", seats=[SEAT], events=events))
    files = {"film": "film.mp4", "still": "still.jpg", "start_ns": 0, "end_ns": FRAMES * FRAME_NS}
    desk.put(Topic.CLIP, 1, clip(said) | files)
    return str(said["id"])


def test_the_whole_way(web: WebRoom, page: Page) -> None:
    name = web.person()
    page.goto("/rounds")
    assert page.url.endswith("/login?next=/rounds")
    log_in(page, name, "wrong password")
    expect(page.get_by_role("alert")).to_have_text("Wrong name or password.")
    log_in(page, name, PASSWORD)
    expect(page.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()

    page.get_by_role("link", name="Live", exact=True).click()
    expect(page.get_by_text("No open alerts")).to_be_visible()
    page.get_by_role("button", name="Sound is off").click()
    expect(page.get_by_role("button", name="Sound is on")).to_be_visible()
    with TableWriter(web.store, "t", web.home.bus("t"), web.clock) as desk:
        tell_alert(web, desk)
        item = page.get_by_role("link", name="Dealer card exposed")
        expect(item).to_be_visible()
        expect(page.locator("#room")).to_have_attribute("data-beeped", "critical")
        expect(page.locator("#seen")).to_contain_text("No more bets")
        item.click()

        play_and_step(page)
        page.get_by_role("radio", name="Corrected at the table").check()
        page.get_by_label("Note").fill("The floor returned all wagers.")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text("The floor returned all wagers.")).to_be_visible()
        expect(page.get_by_text("Reviewed")).to_be_visible()

        page.get_by_role("link", name="Rounds", exact=True).click()
        expect(page.get_by_role("row", name="round 1")).to_contain_text("Corrected at the table by ada")
        page.get_by_role("link", name="Live", exact=True).click()
        expect(page.get_by_text("No open alerts")).to_be_visible()

    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    page.goto("/rounds/t-0001")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()


def play_and_step(page: Page) -> None:
    """Play the clip, and go through it frame by frame, by keys, by buttons and by events."""
    video = page.locator("#film")
    expect(video).to_have_attribute("data-frame", "0")
    for key, frame in ((".", 1), (".", 2), ("ArrowRight", 3), (",", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        expect(video).to_have_attribute("data-frame", str(frame))
    page.get_by_role("button", name="Frame ›").click()
    expect(video).to_have_attribute("data-frame", "2")
    expect(page.locator("#frame")).to_have_text(f"frame 3 of {FRAMES} · 0:00.08")
    page.locator("[data-at]").nth(1).click()
    expect(video).to_have_attribute("data-frame", "20")
    video.evaluate("film => { film.currentTime = 0; }")
    expect(video).to_have_attribute("data-frame", "0")
    page.get_by_role("button", name="Play").click()
    expect(video).to_have_js_property("ended", True)
    expect(video).to_have_attribute("data-frame", str(FRAMES - 1))


def test_a_picture_that_stays_away_looks_stale(web: WebRoom, page: Page) -> None:
    page.goto("/live")
    log_in(page, web.person(), PASSWORD)
    expect(page.locator("#on-air")).to_have_text("No picture yet")
    jpeg = web.home.folder / "p.png"
    page.screenshot(path=jpeg)  # any picture will do
    with TableWriter(web.store, "t", web.home.bus("t"), web.clock) as desk:
        while page.locator("#on-air").text_content() != "Live":  # a listener may join after the first of them
            view = {"phase": "betting", "seats": {"4": {"ante": 700}}}
            desk.picture(1, Picture.of(picture() | {"view": view}), jpeg.read_bytes())
            desk.pulse(1, Pulse.of(pulse()))
            page.wait_for_timeout(50)
        expect(page.locator("#picture")).not_to_have_class("stale")
        expect(page.locator("#now")).to_contain_text("Ante $7")
        expect(page.locator("#picture-now")).to_be_visible()
    expect(page.locator("#on-air")).to_have_text("No picture for 4 s", timeout=10_000)
    expect(page.locator("#picture")).to_have_class("picture stale")
    expect(page.locator("#now")).to_contain_text("No signal for")


def test_a_table_that_begins_later_can_be_chosen(web: WebRoom, page: Page) -> None:
    page.goto("/live")
    log_in(page, web.person(), PASSWORD)
    expect(page.locator(".table-name")).to_have_text("t")
    web.put(Topic.SESSION, session(), table="u")
    page.get_by_role("navigation", name="Tables").get_by_role("link", name="u").click()
    expect(page.locator(".table-name")).to_have_text("u")


def test_pages_work_without_scripts(web: WebRoom, page: Page, chromium: Browser) -> None:
    page.goto("/login")
    context = chromium.new_context(base_url=page.evaluate("location.origin"), java_script_enabled=False)
    plain = context.new_page()
    web.tell_round()
    plain.goto("/rounds/t-0001")
    log_in(plain, web.person(), PASSWORD)
    plain.get_by_role("radio", name="No error").check()
    plain.get_by_role("button", name="Save", exact=True).click()
    expect(plain.get_by_text("Reviewed")).to_be_visible()
    plain.goto("/live")
    expect(plain.get_by_text("No open alerts")).to_be_visible()
    context.close()


def test_the_first_login_chooses_a_password(web: WebRoom, page: Page) -> None:
    password = web.people.add("admin")
    page.goto("/")
    log_in(page, "admin", password)
    expect(page.get_by_role("heading", name="Choose your password")).to_be_visible()
    choose_password(page, password, PASSWORD)
    expect(page.get_by_role("heading", name="Open alerts")).to_be_visible()
