"""Every page is checked by axe: no finding that is serious or worse."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from bodies import alert, played
from browser import launched, log_in, needs_chromium, opened
from playwright.sync_api import Page
from web_room import PASSWORD, SEAT, UNSEEN, open_room, served

from vision.bus.topics import Topic
from vision.store import work
from vision.values.clock import WallClock

GRAVE = ("serious", "critical")
PATHS = ("/live", "/live?table=t", "/review", "/rounds/t-0001", "/rounds/t-0002", "/rounds", "/cases", "/reports")
FOR_ADMINS = ("/people", "/log", "/password")

pytestmark = [pytest.mark.slow, needs_chromium]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with open_room(Path(tmp_path_factory.mktemp("axe")), WallClock()) as web:
        web.tell_round()
        web.tell_clip()
        web.put(Topic.ROUND, played(2, verdict="unverifiable", seats=[SEAT | {"wagers": {"ante": UNSEEN}}]))
        web.put(Topic.ALERT, alert(None, code="camera-lost", severity="info"))
        work.set_pits(web.store, {"t": "Pit A"})
        work.hold(web.store, "t-0001", "2026/11", "root", 1)
        with served(web) as address, launched() as chromium, opened(chromium, address) as page:
            page.goto("/login")
            assert grave(page) == []
            log_in(page, web.person("root", "admin"), PASSWORD)
            yield page


def grave(page: Page) -> list[str]:
    """Return the findings that shut somebody out, each with the first place where it is."""
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found if each["impact"] in GRAVE]


@pytest.mark.parametrize("path", [*PATHS, *FOR_ADMINS])
def test_a_page_has_no_serious_finding(page: Page, path: str) -> None:
    page.goto(path)
    assert grave(page) == []
