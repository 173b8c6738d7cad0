"""`kill -9` at any moment: nothing that was stored is lost, and nothing is told that is not stored."""

import subprocess
import sys
import threading
from pathlib import Path

import bodies
import pytest
import zmq

from vision.bus.envelope import Envelope
from vision.bus.subscriber import Subscriber
from vision.records.pulse import Pulse
from vision.store.home import Home
from vision.store.log import Store
from vision.store.reading import rounds_before
from vision.store.table_writer import TableWriter
from vision.values.clock import SetClock

LIVES = Path(__file__).with_name("lives.py")


class Eavesdropper(threading.Thread):
    """Takes down every message that is published, as it is, until it hears the end."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._address = address
        self.heard: list[str] = []

    def run(self) -> None:
        with zmq.Context() as context, context.socket(zmq.SUB) as socket:
            socket.connect(self._address)
            socket.subscribe("t/")
            while True:
                topic, text = socket.recv_multipart()
                if topic == b"t/pulse" and Envelope.parse(text).body.get("state") == "ended":
                    return
                if topic != b"t/pulse":
                    self.heard.append(text.decode())


@pytest.mark.slow
def test_kill_at_any_moment(tmp_path: Path) -> None:
    home = Home(tmp_path)
    eavesdropper = Eavesdropper(home.bus("t").tells)
    eavesdropper.start()
    followed: list[Envelope] = []
    with (tmp_path / "said").open("wb") as said_file:
        lives = subprocess.Popen([sys.executable, LIVES, tmp_path, "100"], stdout=said_file)
    with Subscriber({"t": home.bus("t")}, {"t": 0}, patience_s=0.2) as subscriber:
        while lives.poll() is None:
            followed += [heard.envelope for heard in subscriber.receive(0.1) if heard.envelope.seq]
        with Store.open(home.store) as store, TableWriter(store, "t", home.bus("t"), SetClock()) as table_writer:
            while eavesdropper.is_alive() or len(followed) < store.last_seq("t"):
                table_writer.pulse(0, Pulse.of(bodies.pulse() | {"state": "ended"}))
                followed += [heard.envelope for heard in subscriber.receive(0.1) if heard.envelope.seq]
            stored = {str(one) for one in store.since("t", 0, limit=10**6)}
            assert store.verify("t") is None
            assert len(stored) == store.last_seq("t")
            rounds = max(str(one.body.get("round") or one.body["id"]) for one in followed)
            assert rounds == f"t-{rounds_before(store, 't'):04d}"
    said = (tmp_path / "said").read_text().splitlines()
    assert lives.returncode == 0
    assert len(said) > 1000
    assert set(said) <= stored, "an entry that was said to be stored is lost"
    assert len(eavesdropper.heard) > 100
    assert set(eavesdropper.heard) <= stored, "something was told that is not stored, or with another body"
    assert [one.seq for one in followed] == list(range(1, len(stored) + 1))
    assert {str(one) for one in followed} == stored
