"""Debian's Chromium, where the system has it; in CI its absence is a failure."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM: Final = shutil.which("chromium")
QUIET: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--autoplay-policy=no-user-gesture-required",
)
if CHROMIUM is None and os.environ.get("FELTWATCH_CI"):
    pytest.fail("CI must run the browser tests: apt-get install chromium", pytrace=False)
needs_chromium: Final = pytest.mark.skipif(CHROMIUM is None, reason="pages not tested: apt-get install chromium")


@contextmanager
def launched() -> Iterator[Browser]:
    """Run a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """Open an empty page of a site; whatever its scripts complain about is an error at the end."""
    context = browser.new_context(base_url=address)
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
    yield page
    context.close()
    assert errors == []


def log_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def choose_password(page: Page, old: str, new: str) -> None:
    page.get_by_label("Present password").fill(old)
    page.get_by_label("New password", exact=False).first.fill(new)
    page.get_by_label("New password again").fill(new)
    page.get_by_role("button", name="Save password").click()
