"""`feltwatch serve` and `feltwatch person`: first run, and what can go wrong."""

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from web_room import log_in

from vision.cli import main

SERVE = [sys.executable, "-c", "from vision.cli import run; run()", "serve", "--port", "0", "--home"]


def first_lines(server: subprocess.Popen[str]) -> str:
    """Return what a server says until it serves."""
    assert server.stderr is not None
    said = ""
    for line in server.stderr:
        said += line
        if "serving" in line:
            return said
    raise AssertionError(said)


def served_once(home: Path) -> tuple[str, str, int]:
    """Run a server; return what it says, what its first page is, and how it ends when it is interrupted."""
    with subprocess.Popen([*SERVE, str(home)], stderr=subprocess.PIPE, text=True) as server:
        said = first_lines(server)
        address = re.search(r"http://\S+", said)
        assert address is not None
        with httpx.Client(base_url=address[0], timeout=20) as client:
            found = re.search(r"one-time password (\S+)", said)
            answer = log_in(client, "admin", found[1]) if found else client.get("/live")
            where = answer.headers.get("location", str(answer.status_code))
        server.send_signal(signal.SIGINT)
        assert server.stderr is not None
        assert server.stderr.read() == ""  # it ends in good order
        return said, where, server.wait(20)


@pytest.mark.slow
def test_the_first_run_prints_a_password_once(tmp_path: Path) -> None:
    said, where, code = served_once(tmp_path)
    assert "log in as 'admin' with the one-time password" in said
    assert (where, code) == ("/", 0)
    said, where, code = served_once(tmp_path)
    assert "password" not in said
    assert (where, code) == ("401", 0)


def failing(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(argv) == 1
    return capsys.readouterr().err


def test_a_port_in_use_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = failing(capsys, "serve", "--home", str(tmp_path), "--port", port)
    assert said == f"feltwatch: --port: {port}: in use by another program: end it, or choose another port\n"
    assert not (tmp_path / "feltwatch.sqlite").exists()


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (["--host", "0.0.0.0"], "passwords unprotected: want --certificate and --key"),  # noqa: S104
        (["--certificate", "a.pem"], "--certificate, --key: want both or neither"),
        (["--certificate", "a.pem", "--key", "b.pem"], "a.pem: no such file"),
        (["--host", "192.0.2.1", "--certificate", __file__, "--key", __file__], "cannot be listened at"),
        (["--port", "99999"], "want a port from 0 to 65535"),
    ],
)
def test_a_place_that_cannot_be_served_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], argv: list[str], why: str
) -> None:
    assert why in failing(capsys, "serve", "--home", str(tmp_path), *argv)


def test_another_programs_file_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "feltwatch.sqlite").write_text("something else", encoding="utf-8")
    said = failing(capsys, "serve", "--home", str(tmp_path), "--port", "0")
    assert "feltwatch.sqlite: not a store of Feltwatch" in said
    assert (tmp_path / "feltwatch.sqlite").read_text(encoding="utf-8") == "something else"


def test_people_come_and_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*argv: str) -> list[dict[str, object]]:
        assert main(["person", *argv, "--home", str(tmp_path)]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    (ada,) = said("add", "ada", "--role", "admin")
    assert re.fullmatch(r"(\w{4}-){3}\w{4}", str(ada["one_time_password"]))
    said("add", "bob")
    said("role", "bob", "--role", "viewer", "--pit", "Pit A")
    assert said("list")[1] == {"name": "bob", "must_change": True, "role": "viewer", "pits": ["Pit A"]}
    assert "the only admin" in failing(capsys, "person", "role", "ada", "--home", str(tmp_path))
    (again,) = said("password", "ada")
    assert again["one_time_password"] != ada["one_time_password"]
    assert said("remove", "bob") == []
    assert said("list") == [{"name": "ada", "must_change": True, "role": "admin", "pits": []}]
    assert "'bob': no such person" in failing(capsys, "person", "password", "bob", "--home", str(tmp_path))
    assert "want one person to remain" in failing(capsys, "person", "remove", "ada", "--home", str(tmp_path))
