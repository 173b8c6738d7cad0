"""A watcher that is killed again and again, for a test: `lives.py HOME LIVES`.

Each life stores and tells as fast as it can, and says what was stored once `put` has returned; it is killed with
SIGKILL after a random number of entries, at a random moment of the next one. Lives are forked, not started anew: there
is time for many.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from vision.bus.topics import Topic
from vision.records.pulse import Pulse
from vision.store.home import Home
from vision.store.log import Entry, Store
from vision.store.reading import rounds_before
from vision.store.table_writer import TableWriter
from vision.values.clock import WallClock

WELL = Pulse(session="s", state="watching", fps=25.0, dropped=0, lag_ms=0, wall_ns=0)


def live(home: Home, life: int, says: int) -> None:
    """Watch until killed."""
    with Store.open(home.store) as store, TableWriter(store, "t", home.bus("t"), WallClock()) as table_writer:
        number = rounds_before(store, "t")
        while True:
            number += 1
            round_id = f"t-{number:04d}"
            body = {"kind": "bet", "round": round_id, "table": "t", "t_ns": number, "confidence": 1.0, "life": life}
            event = Entry(Topic.EVENT, number, body | {"token": random.random()})
            for envelope in table_writer.put_all([event, Entry(Topic.EVENT, number, body)]):
                os.write(says, f"{envelope}\n".encode())
            table_writer.put(
                Topic.ROUND,
                number,
                {"id": round_id, "verdict": "right", "started_ns": 0, "ended_ns": number, "life": life},
            )
            table_writer.pulse(number, WELL)


def die(home: Home, life: int) -> None:
    """Let one life begin, pass on what it says, and end it."""
    hears, says = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(hears)
        live(home, life, says)
    os.close(says)
    with os.fdopen(hears, "rb") as heard:
        for _ in range(random.randrange(1, 60)):
            sys.stdout.buffer.write(heard.readline())
        time.sleep(random.random() * 0.01)  # the moment is the point: anywhere in the next entries
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        for line in heard:  # what it said before it died; a line that was cut off by death says nothing
            if line.endswith(b"\n"):
                sys.stdout.buffer.write(line)
    sys.stdout.flush()


if __name__ == "__main__":
    for each in range(int(sys.argv[2])):
        die(Home(Path(sys.argv[1])), each)
