"""Who may log in: passwords, sessions, and how often one may try."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_room import PASSWORD, QUICK

from vision.store.log import Store
from vision.store.people import (
    MINUTE_NS,
    SESSION_NS,
    TRIES_ALONE,
    TRIES_PAIR,
    WINDOW_NS,
    People,
    RefusedError,
    TooManyError,
)
from vision.values.clock import SetClock
from vision.values.errors import InputError

HERE, THERE = "10.0.0.1", "10.0.0.2"


@pytest.fixture
def clock() -> SetClock:
    return SetClock(SESSION_NS)


@pytest.fixture
def people(tmp_path: Path, clock: SetClock) -> Iterator[People]:
    with Store.open(tmp_path / "store.sqlite") as store:
        yield People(store.database, clock, QUICK)


def test_a_one_time_password_must_be_changed(people: People) -> None:
    password = people.add("ada")
    session = people.session(people.login("ada", password, HERE))
    assert session is not None
    assert session.must_change
    changed = people.session(people.change("ada", password, PASSWORD))
    assert changed is not None
    assert not changed.must_change
    with pytest.raises(RefusedError):
        people.login("ada", password, HERE)
    assert people.session(people.login(" ADA ", PASSWORD, HERE)) is not None


def test_a_change_ends_all_other_sessions(people: People) -> None:
    password = people.add("ada")
    old = people.login("ada", password, HERE)
    new = people.change("ada", password, PASSWORD)
    assert people.session(old) is None
    assert people.session(new) is not None


@pytest.mark.parametrize("new", ["short", "x" * 201, "ada is my name", "aaaa-bbbb-cccc-dddd"])
def test_a_poor_password_is_refused(people: People, new: str) -> None:
    password = people.add("ada")
    with pytest.raises(RefusedError):
        people.change("ada", password, password if new.startswith("aaaa") else new)


def test_a_session_ends_with_logout_and_with_time(people: People, clock: SetClock) -> None:
    password = people.add("ada")
    one, two = people.login("ada", password, HERE), people.login("ada", password, HERE)
    assert one != two
    people.logout(one)
    assert people.session(one) is None
    clock.advance(SESSION_NS - 1)
    assert people.session(two) is not None
    clock.advance(1)
    assert people.session(two) is None


def test_a_reset_and_a_removal_end_sessions(people: People) -> None:
    password = people.add("ada")
    token = people.login("ada", password, HERE)
    password = people.reset("ada")
    assert people.session(token) is None
    token = people.login("ada", password, HERE)
    with pytest.raises(InputError, match="want one person to remain"):
        people.remove("ada")
    people.add("bob")
    people.remove("ada")
    assert people.session(token) is None
    assert [person.name for person in people.all()] == ["bob"]


def test_the_file_alone_opens_no_session(people: People, tmp_path: Path) -> None:
    password = people.add("ada")
    token = people.login("ada", password, HERE)
    content = b"".join(path.read_bytes() for path in tmp_path.glob("store.sqlite*"))
    assert b"ada" in content
    assert token.encode() not in content
    assert password.encode() not in content


def test_too_many_attempts_have_to_wait(people: People, clock: SetClock) -> None:
    password = people.add("ada")
    for _ in range(TRIES_PAIR):
        with pytest.raises(RefusedError, match="Wrong name"):
            people.login("ada", "wrong", HERE)
    clock.advance(MINUTE_NS)
    with pytest.raises(TooManyError, match="Wait 4 minutes"):
        people.login("ada", password, HERE)
    assert people.login("ada", password, THERE)  # from where nobody guessed
    clock.advance(WINDOW_NS)
    assert people.login("ada", password, HERE)


def test_guessing_many_names_from_one_address_has_to_wait(people: People) -> None:
    password = people.add("ada")
    for number in range(TRIES_ALONE):
        with pytest.raises(RefusedError):
            people.login(f"nobody{number}", "wrong", HERE)
    with pytest.raises(TooManyError):
        people.login("ada", password, HERE)


def test_guessing_one_name_from_many_addresses_has_to_wait(people: People) -> None:
    people.add("ada")
    for number in range(TRIES_ALONE):
        with pytest.raises(RefusedError):
            people.login("ada", "wrong", f"10.1.0.{number}")
    with pytest.raises(TooManyError):
        people.login("ada", "wrong", THERE)


def test_an_unknown_name_is_refused_in_the_same_words(people: People) -> None:
    people.add("ada")
    said = set()
    for name in ("ada", "nobody", "", "x" * 5000):
        with pytest.raises(RefusedError) as refused:
            people.login(name, "wrong", HERE)
        said.add(str(refused.value))
    assert len(said) == 1


@pytest.mark.parametrize("name", ["", "Ada", "a b", "-a", "é", "a" * 41, "a/b"])
def test_a_name_that_cannot_be_is_refused(people: People, name: str) -> None:
    with pytest.raises(InputError, match="name: "):
        people.add(name)


def test_who_is_there_or_not_is_said(people: People) -> None:
    people.add("ada")
    people.add("bob")
    with pytest.raises(InputError, match="'ada': is there already"):
        people.add("ada")
    for deed in (people.reset, people.remove):
        with pytest.raises(InputError, match="'eve': no such person"):
            deed("eve")
