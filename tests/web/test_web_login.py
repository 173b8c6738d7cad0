"""Logging in and out, and choosing a password, as a browser does."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_room import HTML, NOON_NS, PASSWORD, WebRoom, log_in, open_room, token_in

from vision.store.people import SESSION_NS, TRIES_PAIR
from vision.values.clock import SetClock


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON_NS)


@pytest.fixture
def web(tmp_path: Path, clock: SetClock) -> Iterator[WebRoom]:
    with open_room(tmp_path, clock) as room:
        yield room


def test_a_wrong_password_is_said(web: WebRoom) -> None:
    client = web.visitor()
    answer = log_in(client, web.person(), "something else")
    assert answer.status_code == 401
    assert "Wrong name or password." in answer.text
    assert client.get("/live").status_code == 401


def test_too_many_attempts_are_said(web: WebRoom) -> None:
    client, name = web.visitor(), web.person()
    for _ in range(TRIES_PAIR):
        assert log_in(client, name, "wrong").status_code == 401
    answer = log_in(client, name)
    assert answer.status_code == 429
    assert "Too many attempts. Wait 5 minutes" in answer.text


def test_the_cookie_is_for_us_alone(web: WebRoom) -> None:
    answer = log_in(web.visitor(), web.person())
    cookie = next(value for value in answer.headers.get_list("set-cookie") if value.startswith("feltwatch="))
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    behind = web.visitor(base_url="https://127.0.0.1")
    answer = log_in(behind, "ada")
    assert all("Secure" in value for value in answer.headers.get_list("set-cookie") if "Max-Age=0" not in value)
    assert "strict-transport-security" in answer.headers


def test_every_login_has_a_new_session(web: WebRoom) -> None:
    client, name = web.visitor(), web.person()
    log_in(client, name)
    first = client.cookies["feltwatch"]
    client.cookies.clear()
    token = token_in(client.get("/login").text)
    form = {"name": name, "password": PASSWORD, "form_token": token}
    client.cookies.set("feltwatch", "planted by somebody")
    client.post("/login", data=form)
    assert client.cookies.get("feltwatch", domain="127.0.0.1") not in (first, "planted by somebody")


def test_a_session_expires(web: WebRoom, clock: SetClock) -> None:
    browser = web.browser()
    assert browser.get("/live").status_code == 200
    clock.advance(SESSION_NS)
    assert browser.get("/live").status_code == 401


def test_logging_out_ends_the_session(web: WebRoom) -> None:
    browser = web.browser()
    cookie = browser.cookies["feltwatch"]
    answer = browser.post("/logout", data={"form_token": token_in(browser.get("/rounds").text)})
    assert answer.headers["location"] == "/login"
    assert "feltwatch" not in browser.cookies
    assert web.visitor(cookies={"feltwatch": cookie}).get("/rounds").status_code == 401


def test_the_first_login_leads_to_a_password_of_ones_own(web: WebRoom) -> None:
    client, password = web.visitor(), web.people.add("ada")
    log_in(client, "ada", password)
    for path in ("/live", "/rounds"):
        assert client.get(path, headers=HTML).headers["location"] == "/password"
        assert client.get(path).status_code == 403
    page = client.get("/password").text
    assert "Choose your password" in page
    form = {"form_token": token_in(page), "old": password, "new": PASSWORD, "again": PASSWORD + "x"}
    assert "not the same" in client.post("/password", data=form).text
    assert "12 to 200" in client.post("/password", data=form | {"new": "short", "again": "short"}).text
    wrong = client.post("/password", data=form | {"old": "wrong", "again": PASSWORD})
    assert (wrong.status_code, "The present password is not right." in wrong.text) == (400, True)
    assert client.post("/password", data=form | {"again": PASSWORD}).status_code == 303
    assert client.get("/live").status_code == 200


def test_who_is_logged_in_sees_no_login(web: WebRoom) -> None:
    assert web.browser().get("/login").headers["location"] == "/"
