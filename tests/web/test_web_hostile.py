"""Hostile input at every route: whatever is asked or sent, the answer is clear, and never an error of ours."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from bodies import alert
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_room import WebRoom, open_room, token_in

from vision.web.app import parts_of

LONG = "9" * 400
NASTY = ("../../etc/passwd", "%00", "' OR 1=1--", "<script>alert(1)</script>", "\u202e", LONG, "", "-1", "é\n")
FIELDS = (
    "finding",
    "note",
    "alert",
    "told",
    "queue",
    "part",
    "value",
    "case",
    "assigned",
    "back",
    "name",
    "role",
    "pits",
    "deed",
)
QUERY = (
    "table",
    "alert",
    "film",
    "queue",
    "before",
    "verdict",
    "code",
    "state",
    "least",
    "since",
    "until",
    "text",
    "order",
    "after",
    "width",
)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebRoom]:
    with open_room(Path(tmp_path_factory.mktemp("hostile"))) as room:
        room.tell_round()
        room.tell_clip()
        yield room


@pytest.fixture(scope="module")
def admin(web: WebRoom) -> httpx.Client:
    return web.browser("root", "admin")


def routes(web: WebRoom, method: str) -> list[str]:
    """Return the paths of all routes of a method, but the endless stream and the way out."""
    found = [route for part in parts_of(web.room) for route in part.routes() if method in (route.methods or ())]
    return sorted({route.path for route in found} - {"/stream", "/logout"})


def filled(path: str, value: str) -> str:
    return re.sub(r"{[^}]+}", quote(value, safe=""), path)


def test_there_are_routes_to_try(web: WebRoom) -> None:
    assert len(routes(web, "GET")) > 15
    assert len(routes(web, "POST")) > 8


@pytest.mark.parametrize("value", NASTY, ids=range(len(NASTY)))
def test_every_page_takes_any_path_and_query(web: WebRoom, admin: httpx.Client, value: str) -> None:
    for path in routes(web, "GET"):
        for place, query in ((value, ""), ("t-0001", value), (str(alert(1)["id"]), value)):
            answer = admin.get(filled(path, place), params=dict.fromkeys(QUERY, query))
            assert answer.status_code < 500, (path, place, query, answer.text[:300])
            assert "<script>alert" not in answer.text
            assert "root:x:0" not in answer.text


@pytest.mark.parametrize("value", NASTY, ids=range(len(NASTY)))
def test_every_form_takes_any_fields(web: WebRoom, admin: httpx.Client, value: str) -> None:
    token = token_in(admin.get("/rounds").text)
    before = web.store.last_seq("t")
    for path in routes(web, "POST"):
        fields = {**dict.fromkeys(FIELDS, value), "form_token": token}
        answer = admin.post(filled(path, "t-0001"), data=fields)
        assert answer.status_code < 500, (path, answer.text[:300])
    assert web.store.last_seq("t") - before <= 1  # an acknowledgement without a name is one; all else says nothing


def test_a_number_that_no_store_knows_is_as_if_it_were_not_there(admin: httpx.Client) -> None:
    assert admin.get("/rounds", params={"before": "9" * 400}).status_code == 200
    assert admin.get("/rounds", params={"least": "9" * 30}).status_code == 400
    assert admin.get("/wall/pictures", params={"after": "9" * 400, "width": "9" * 400}).status_code == 200


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.dictionaries(st.sampled_from(QUERY), st.text(max_size=30), max_size=5))
def test_the_search_takes_any_text(admin: httpx.Client, query: dict[str, str]) -> None:
    for path in ("/rounds", "/rounds.csv", "/reports", "/review", "/live"):
        answer = admin.get(path, params={k: v.encode("utf-8", "replace").decode() for k, v in query.items()})
        assert answer.status_code < 500, (path, query, answer.text[:300])
