"""The demo as a newcomer meets it: started, logged into, an alert reviewed in a browser, ended by one Ctrl-C."""

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from browser import choose_password, launched, log_in, needs_chromium, opened
from playwright.sync_api import Page, expect

from vision.bus.envelope import Envelope
from vision.bus.topics import Topic
from vision.cli import main
from vision.demo.samples import find_samples
from vision.store.home import Home
from vision.store.log import Store
from vision.values.errors import InputError

DEMO = [str(Path(sys.executable).parent / "feltwatch"), "demo"]
MINE = " ".join(("quiet", "felt", "bright", "lamp"))
PATIENCE_S = 30  # of processes that are told to end
SOON_MS = 30_000  # what is stored is on the pages


@dataclass
class Demo:
    """A demo that runs."""

    process: subprocess.Popen[str]
    address: str
    password: str

    def recorded(self, home: Home, topic: Topic, **said: str) -> dict[str, Any]:
        """Wait for a record, however long this machine takes; without it no sample may come to its end."""
        with Store.open(home.store) as store:
            while True:
                found = [one.body for one in _stored(store) if one.topic is topic and said.items() <= one.body.items()]
                if found:
                    return found[0]
                assert self.process.poll() is None, "the demo ended"
                assert _sessions_ended(store) == 0, f"watched to its end without {topic} {said}"
                time.sleep(0.2)

    def end(self) -> str:
        """Press Ctrl-C once; return the last it says."""
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=PATIENCE_S)
        return said


def _stored(store: Store) -> list[Envelope]:
    return [envelope for table in store.tables() for envelope in store.since(table, 0)]


def _sessions_ended(store: Store) -> int:
    return sum(one.topic is Topic.SESSION and one.body["state"] == "ended" for one in _stored(store))


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    words = [*DEMO, "--port", "0", "--home", str(tmp_path)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    said = ""
    while "end     Ctrl-C" not in said:
        said += process.stdout.readline()
        assert process.poll() is None, said
    address, password = re.search(r"http://\S+", said), re.search(r"one-time password (\S+)", said)
    assert address is not None
    assert password is not None
    yield Demo(process, address[0], password[1])
    process.terminate()
    process.communicate(timeout=PATIENCE_S)


@pytest.mark.slow
@needs_chromium
def test_the_whole_way(demo: Demo, tmp_path: Path) -> None:
    with launched() as browser, opened(browser, demo.address) as page:
        page.goto("/rounds")
        log_in(page, "admin", demo.password)
        choose_password(page, demo.password, MINE)
        expect(page.locator("#on-air")).to_have_text("Live", timeout=SOON_MS)
        raised = demo.recorded(Home(tmp_path), Topic.ALERT, code="dealer-card-exposed")
        alert = page.get_by_role("link", name="Dealer card exposed")
        expect(alert).to_be_visible(timeout=SOON_MS)
        alert.click()

        demo.recorded(Home(tmp_path), Topic.CLIP, alert=raised["id"])
        page.reload()
        expect(page.locator("#film")).to_be_visible(timeout=SOON_MS)
        play_and_step(page)
        page.get_by_role("radio", name="Confirmed error").check()
        page.get_by_label("Note").fill("Seen on the clip.")
        page.get_by_role("button", name="Record as admin").click()
        expect(page.get_by_text("Seen on the clip.")).to_be_visible()

        page.get_by_role("link", name="Rounds", exact=True).click()
        expect(page.get_by_role("row", name="round 1")).to_contain_text("Confirmed error by admin")
        page.get_by_role("button", name="Log out").click()
        page.goto("/rounds")
        expect(page.get_by_role("heading", name="Log in")).to_be_visible()

    said = demo.end()
    assert "ALERT raised, critical: Dealer card exposed" in said
    assert said.endswith(f"all is kept in {tmp_path}.\n")
    assert "Traceback" not in said + (tmp_path / "watch.log").read_text(encoding="utf-8")
    assert demo.process.returncode == 0
    with Store.open(Home(tmp_path).store, make=False) as store:
        assert [store.verify(table) for table in store.tables()] == [None]


def play_and_step(page: Page) -> None:
    """Go one frame on and back, and play."""
    film = page.locator("#film")
    expect(film).to_have_attribute("data-frame", re.compile(r"\d+"))
    frame = int(film.get_attribute("data-frame") or "")
    for key, number in ((".", frame + 1), (".", frame + 2), (",", frame + 1)):
        page.keyboard.press(key)
        expect(film).to_have_attribute("data-frame", str(number))
    page.get_by_role("button", name="Play").click()
    expect(film).not_to_have_attribute("data-frame", re.compile(rf"^({frame}|{frame + 1}|{frame + 2})$"))


@pytest.mark.slow
def test_it_ends_by_itself_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with TemporaryDirectory() as folder:  # not pytest's own, whose path is too long for the sockets of the bus
        monkeypatch.setenv("TMPDIR", folder)
        words = [*DEMO, "--port", "0", "--seconds", "4"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.endswith("Ended: 0 alerts raised; nothing is kept (--home DIR keeps it).\n")
        assert list(Path(folder).glob("feltwatch*")) == []


def test_a_port_in_use_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["demo", "--port", port, "--home", str(tmp_path)]) == 1
    assert f"--port: {port}: in use by another program" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_footage_that_is_not_there_is_said() -> None:
    with pytest.raises(InputError, match=r"datasets/samples/roulette: no such footage: a checkout has it"):
        find_samples(["roulette"])
