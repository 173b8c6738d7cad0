"""The door: nothing without a login, no form from elsewhere, and no page that another could use."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bodies import alert, clip
from web_room import HTML, WebRoom, log_in, open_room, token_in

from vision.bus.topics import Topic
from vision.store import work
from vision.web.auth_middleware import HEADERS, LONGEST_BODY, local_path

PAGES = ["/", "/live", "/rounds", "/rounds/t-0001", "/password"]
PARTS = ["/stream", "/tables/t/picture", "/alerts/t-0001-underpaid-table-all/film", "/static/news.js", "/nowhere"]
FORMS = ["/logout", "/password", "/rounds/t-0001/dispositions"]


@pytest.fixture
def web(tmp_path: Path) -> Iterator[WebRoom]:
    with open_room(tmp_path) as room:
        yield room


@pytest.mark.parametrize("path", PAGES)
def test_a_page_without_login_leads_to_the_login(web: WebRoom, path: str) -> None:
    web.tell_round()
    answer = web.visitor().get(path, headers=HTML)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/login?next=/")
    assert web.visitor().get(path).status_code == 401


@pytest.mark.parametrize("path", PARTS)
def test_a_part_without_login_is_refused(web: WebRoom, path: str) -> None:
    web.tell_round()
    web.tell_clip()
    assert web.visitor().get(path).status_code == 401


@pytest.mark.parametrize("path", FORMS)
def test_a_form_without_login_is_refused(web: WebRoom, path: str) -> None:
    assert web.visitor().post(path, data={}, headers=HTML).status_code == 401


def test_a_made_up_session_is_refused(web: WebRoom) -> None:
    assert web.visitor(cookies={"feltwatch": "x" * 43}).get("/live").status_code == 401


def test_only_the_login_page_and_its_looks_are_open(web: WebRoom) -> None:
    client = web.visitor()
    for path in ("/login", "/static/style.css", "/static/icon.svg"):
        assert client.get(path).status_code == 200


def test_every_answer_has_the_headers(web: WebRoom) -> None:
    visitor, browser = web.visitor(), web.browser()
    answers = [visitor.get(path) for path in ("/login", "/live", "/static/style.css", "/static/news.js")]
    answers += [browser.get(path) for path in ("/live", "/rounds", "/rounds/none", "/nowhere", "/static/news.js")]
    for answer in answers:
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        assert "server" not in answer.headers


def test_no_page_has_scripts_or_styles_inside(web: WebRoom) -> None:
    web.tell_round()
    web.tell_clip()
    browser = web.browser()
    texts = [browser.get(path).text for path in ("/live", "/rounds", "/rounds/t-0001", "/password")]
    for text in [*texts, web.visitor().get("/login").text]:
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?! src=\"/static/)", text)
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", ""])
def test_another_host_name_is_refused(web: WebRoom, host: str) -> None:
    answer = web.visitor().get("/login", headers={"host": host})
    assert answer.status_code == 421
    assert "--name" in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "LOCALHOST:99", "[::1]:8080"])
def test_our_own_host_names_are_answered(web: WebRoom, host: str) -> None:
    assert web.visitor().get("/login", headers={"host": host}).status_code == 200


def test_a_form_needs_the_token_of_its_session(web: WebRoom) -> None:
    round_id, browser = web.tell_round(), web.browser()
    right = token_in(browser.get("/rounds").text)
    another = token_in(web.browser("bob").get("/rounds").text)
    path = f"/rounds/{round_id}/dispositions"
    for token in ("", "x", another, right + "x"):
        answer = browser.post(path, data={"finding": "dealer-error", "form_token": token})
        assert (answer.status_code, "out of date" in answer.text) == (403, True)
    assert browser.post(path, data={"finding": "dealer-error", "form_token": right}).status_code == 303


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}],
)
def test_a_form_from_elsewhere_is_refused(web: WebRoom, headers: dict[str, str]) -> None:
    browser = web.browser()
    token = token_in(browser.get("/rounds").text)
    assert browser.post("/logout", data={"form_token": token}, headers=headers).status_code == 403
    assert (
        browser.post("/logout", data={"form_token": token}, headers={"origin": "http://127.0.0.1"}).status_code == 303
    )


def test_a_login_needs_the_token_of_its_form(web: WebRoom) -> None:
    web.person()
    client = web.visitor()
    assert client.post("/login", data={"name": "ada", "password": "x"}).status_code == 403
    client.get("/login")
    assert client.post("/login", data={"name": "ada", "password": "x", "form_token": "y"}).status_code == 403


def test_a_form_that_is_too_long_is_refused(web: WebRoom) -> None:
    browser = web.browser()
    token = token_in(browser.get("/rounds").text)
    data = {"form_token": token, "note": "x" * LONGEST_BODY}
    assert browser.post("/rounds/t-0001/dispositions", data=data).status_code == 413


@pytest.mark.parametrize(
    ("role", "codes"), [("viewer", (200, 403, 403)), ("operator", (200, 303, 403)), ("admin", (200, 303, 404))]
)
def test_roles_are_kept_out(web: WebRoom, role: str, codes: tuple[int, int, int]) -> None:
    """Of seeing a round, saying something of it, and of the pages of an admin (there is none yet)."""
    round_id, browser = web.tell_round(), web.browser("eve", role)
    page = browser.get(f"/rounds/{round_id}")
    form = {"form_token": token_in(browser.get("/rounds").text), "finding": "no-error"}
    said = browser.post(f"/rounds/{round_id}/dispositions", data=form)
    assert (page.status_code, said.status_code, browser.get("/people").status_code) == codes
    assert ("data-key" in page.text) == (role != "viewer")


def test_who_has_pits_sees_their_tables_only(web: WebRoom) -> None:
    round_id = web.tell_round()
    web.tell_clip()
    work.set_pits(web.store, {"t": "Pit A"})
    name = alert(1)["id"]
    paths = [f"/rounds/{round_id}", f"/alerts/{name}/film"]
    inside, outside = web.browser("ada", pits=("Pit A",)), web.browser("bob", pits=("Pit B",))
    assert [inside.get(path).status_code for path in paths] == [200, 200]
    assert [outside.get(path).status_code for path in paths] == [404, 404]
    for path in ("/live", "/rounds", "/review"):
        assert round_id in inside.get(path).text
        assert round_id not in outside.get(path).text
    form = {"form_token": token_in(outside.get("/rounds").text), "finding": "no-error"}
    assert outside.post(f"/rounds/{round_id}/dispositions", data=form).status_code == 404
    assert outside.post(f"/rounds/{round_id}/acknowledgements", data=form).status_code == 404


def test_other_methods_are_refused(web: WebRoom) -> None:
    browser = web.browser()
    token = token_in(browser.get("/rounds").text)
    assert browser.post("/rounds", data={"form_token": token}).status_code == 405
    assert browser.request("DELETE", "/rounds/t-0001").status_code == 403


@pytest.mark.parametrize(
    "path",
    ["/alerts/../film", "/alerts/..%2f..%2ffeltwatch.sqlite/film", "/alerts/x/..%2f..%2fstore", "/static/../app.py"],
)
def test_no_path_leads_out(web: WebRoom, path: str) -> None:
    assert web.browser().get(path).status_code == 404


def test_a_clip_outside_its_folder_is_not_given(web: WebRoom) -> None:
    web.tell_round()
    name = alert()["id"]
    web.put(Topic.CLIP, clip(alert()) | {"film": "../feltwatch.sqlite", "still": "/etc/passwd"})
    browser = web.browser()
    assert browser.get(f"/alerts/{name}/film").status_code == 404
    assert browser.get(f"/alerts/{name}/still").status_code == 404


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("/rounds?state=open", "/rounds?state=open"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("rounds", "/"),
        ("/a\nb", "/"),
        ("", "/"),
    ],
)
def test_after_the_login_one_stays_here(web: WebRoom, given: str, kept: str) -> None:
    assert local_path(given) == kept
    client = web.visitor()
    assert log_in(client, web.person(), back=given).headers["location"] == kept
