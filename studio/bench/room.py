"""A surveillance room that is acted: many tables with a past, and with live pictures, pulses and rounds.

Recorded rounds (`recorded.py`) are played at every table under its own name and time; pictures and clips are those of
the sample footage. What is acted is only what stands before the pages: store, bus, feed and pages are the real ones.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import av
import cv2
import numpy as np

from studio.bench import recorded
from vision.bus.topics import Topic
from vision.records.clip import Clip
from vision.records.disposition import Disposition
from vision.records.picture import Picture
from vision.records.pulse import Pulse
from vision.records.session import Session
from vision.store import work
from vision.store.home import Home
from vision.store.log import Entry, Store
from vision.store.reading import rounds_before
from vision.store.table_writer import TableWriter
from vision.values.clock import Clock
from vision.values.resources import shipped

SECOND_NS: Final = 1_000_000_000
TIMES: Final = frozenset({"t_ns", "started_ns", "ended_ns", "start_ns", "end_ns"})
PITS: Final = 8  # tables each
SAMPLES: Final = ("mispay", "exposed-dealer-card", "clean")
WIDTH: Final = 960
STILLS: Final = 24  # pictures that are shown of a sample, in turn
CLIP_S: Final = 9
PLACE: Final = ((0.44, 0.5), (0.52, 0.5), (0.52, 0.6), (0.44, 0.6))
TICK_S: Final = 0.5
CLOSED_EVERY, FAILED_EVERY = 13, 17  # tables: some are closed, and one in so many has lost its camera
OPEN_HANDS: Final = 2  # at the end of the past that nobody has reviewed yet, at one table in so many
OPEN_EVERY: Final = 4
REVIEWERS: Final = ("ada", "ben", "eve")


@dataclass(frozen=True, slots=True)
class Footage:
    """Pictures and a clip of a sample."""

    jpegs: tuple[bytes, ...]
    film: str
    still: str


def names(count: int) -> list[str]:
    """Return the names of so many tables."""
    return [f"FCP-{number:02d}" for number in range(1, count + 1)]


def pit_of(number: int) -> str:
    """Return where a table stands."""
    return f"Pit {'ABCDEFGH'[number // PITS % 8]}"


def is_closed(number: int) -> bool:
    """Tell whether a table is closed."""
    return number % CLOSED_EVERY == CLOSED_EVERY - 2


def is_failed(number: int) -> bool:
    """Tell whether a table has lost its camera."""
    return number % FAILED_EVERY == FAILED_EVERY - 6


class Past:
    """Writes what happened at tables before."""

    def __init__(self, store: Store, footage: Sequence[Footage], until_ns: int) -> None:
        self._store, self._footage, self._until_ns = store, footage, until_ns
        self._rounds = recorded.read()

    def write(self, count: int, hands: int) -> None:
        """Write so many hands at each of so many tables."""
        for number, table in enumerate(names(count)):
            self._table(number, table, hands)
        work.set_pits(self._store, {table: pit_of(number) for number, table in enumerate(names(count))})

    def _table(self, number: int, table: str, hands: int) -> None:
        chosen = [self._rounds[(number * 5 + i) % len(self._rounds)] for i in range(hands)]
        wall_ns = self._until_ns - sum(each["length_ns"] for each in chosen)
        self._put(table, wall_ns, [Entry(Topic.SESSION, 0, session("began", wall_ns))])
        t_ns = 0
        for i, each in enumerate(chosen, 1):
            self._hand(table, i, each, (t_ns, wall_ns), is_reviewed=i <= hands - OPEN_HANDS or number % OPEN_EVERY > 0)
            t_ns, wall_ns = t_ns + each["length_ns"], wall_ns + each["length_ns"]
        if is_closed(number):
            self._put(table, wall_ns, [Entry(Topic.SESSION, t_ns, session("ended", wall_ns))])
        elif is_failed(number):
            self._put(table, wall_ns, [Entry(Topic.ALERT, t_ns, lost(table, t_ns))])

    def _hand(self, table: str, number: int, each: dict[str, Any], at: tuple[int, int], *, is_reviewed: bool) -> None:
        t_ns, wall_ns = at
        for message in told(each, table, number, t_ns):
            stored_ns = wall_ns + message.t_ns - t_ns
            self._put(table, stored_ns, [message])
            if message.topic is Topic.ALERT and message.body["state"] == "raised":
                self._put(table, stored_ns + SECOND_NS, [clip_of(message.body, self._footage[number % len(SAMPLES)])])
        alerts = {m.body["id"] for m in told(each, table, number, t_ns) if m.topic is Topic.ALERT}
        if is_reviewed and alerts:
            self._put(table, wall_ns + each["length_ns"], [review(table, number, wall_ns)])

    def _put(self, table: str, wall_ns: int, entries: Sequence[Entry]) -> None:
        self._store.append_all(table, entries, wall_ns)


def told(each: dict[str, Any], table: str, number: int, t_ns: int) -> list[Entry]:
    """Return the messages of a recorded round as if it had been played at a table, at a time."""
    return [_moved(message, table, number, t_ns) for message in each["messages"]]


def _moved(message: dict[str, Any], table: str, number: int, t_ns: int) -> Entry:
    text = json.dumps(message["body"]).replace(f'"{recorded.TABLE}-0001', f'"{table}-{number:04d}')
    body = _later(json.loads(text), t_ns)
    if "table" in body:
        body["table"] = table
    for event in body.get("events", ()):
        event["table"] = table
    return Entry(Topic(message["topic"]), message["t_ns"] + t_ns, body)


def _later(value: Any, by_ns: int) -> Any:
    if isinstance(value, dict):
        return {k: v + by_ns if k in TIMES and isinstance(v, int) else _later(v, by_ns) for k, v in value.items()}
    return [_later(each, by_ns) for each in value] if isinstance(value, list) else value


def session(state: str, wall_ns: int) -> dict[str, Any]:
    """Return the record of a watcher that begins, or ends in good order."""
    known = {"id": "acted", "state": state, "source": "acted", "build": "0", "wall_ns": wall_ns, "why": None}
    return Session.of(known).plain()


def lost(table: str, t_ns: int) -> dict[str, Any]:
    """Return the alert about a camera that is lost."""
    span = {"start_ns": t_ns, "end_ns": t_ns}
    named = {"id": f"{table}-idle-camera-lost-table-all", "round": f"{table}-idle", "table": table}
    what = {"code": "camera-lost", "observed": "rtsp://10.7.3.12: connection refused"}
    return named | what | {"t_ns": t_ns, "confidence": 1.0, "severity": "info", "state": "raised", "evidence": span}


def clip_of(alert: dict[str, Any], footage: Footage) -> Entry:
    """Return the record of an alert's clip."""
    start_ns = max(alert["evidence"]["start_ns"] - 4 * SECOND_NS, 0)
    clip = Clip(
        alert=alert["id"],
        round=alert["round"],
        film=footage.film,
        still=footage.still,
        start_ns=start_ns,
        end_ns=start_ns + CLIP_S * SECOND_NS,
        t_ns=alert["t_ns"],
        offset_ns=4 * SECOND_NS,
        place=PLACE,
    )
    return Entry(Topic.CLIP, alert["t_ns"], clip.plain())


def review(table: str, number: int, wall_ns: int) -> Entry:
    """Return what somebody said of a round."""
    finding = ("dealer-error", "dealer-error", "no-error", "procedure", "system-wrong")[number % 5]
    known = {"round": f"{table}-{number:04d}", "finding": finding, "by": REVIEWERS[number % 3], "wall_ns": wall_ns}
    return Entry(Topic.DISPOSITION, 0, Disposition.of(known).plain())


def shoot(home: Home) -> list[Footage]:
    """Take pictures and a clip of each sample."""
    home.clips.mkdir(parents=True, exist_ok=True)
    return [_shot(home.clips, shipped("datasets") / "samples" / name / "video.mp4", name) for name in SAMPLES]


def _shot(folder: Path, video: Path, name: str) -> Footage:
    jpegs: list[bytes] = []
    with av.open(str(video)) as source, av.open(str(folder / f"{name}.mp4"), "w") as film:
        seen = source.streams.video[0]
        rate = int(seen.average_rate or 12)
        stream = film.add_stream("libx264", rate=rate, options={"g": "6", "preset": "veryfast"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, WIDTH * 9 // 16, "yuv420p"
        for i, frame in enumerate(source.decode(seen)):
            small = frame.reformat(stream.width, stream.height, "bgr24").to_ndarray()
            if i < CLIP_S * rate:
                film.mux(stream.encode(av.VideoFrame.from_ndarray(small, format="bgr24")))
            if i % rate == 0:
                jpegs.append(_jpeg(np.asarray(small, np.uint8)))
            if len(jpegs) == STILLS:
                break
        film.mux(stream.encode(None))
    (folder / f"{name}.jpg").write_bytes(jpegs[CLIP_S // 2])
    return Footage(tuple(jpegs), f"{name}.mp4", f"{name}.jpg")


def _jpeg(picture: np.ndarray[Any, np.dtype[np.uint8]]) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


class Actors:
    """Plays on at the tables that are open, until it is closed: pictures, pulses, and a round after the other."""

    def __init__(self, store: Store, home: Home, clock: Clock, footage: Sequence[Footage], count: int) -> None:
        self._store, self._home, self._clock, self._footage = store, home, clock, footage
        self._open = [(n, table) for n, table in enumerate(names(count)) if not is_closed(n) and not is_failed(n)]
        self._rounds = recorded.read()
        self._ended = Event()

    @contextmanager
    def acting(self) -> Iterator[dict[str, TableWriter]]:
        """Play in a thread of its own; yield the desks of the tables."""
        with ExitStack() as stack:
            desks = {
                table: stack.enter_context(TableWriter(self._store, table, self._home.bus(table), self._clock))
                for _, table in self._open
            }
            thread = Thread(target=self._play, args=(desks,), name="acting")
            thread.start()
            try:
                yield desks
            finally:
                self._ended.set()
                thread.join()

    def _play(self, desks: dict[str, TableWriter]) -> None:
        began_ns = self._clock.now_ns()
        hands: dict[str, tuple[int, int, list[Entry]]] = {}  # when it began, which, what is still to be told
        while not self._ended.wait(TICK_S):
            now_ns = self._clock.now_ns()
            for number, table in self._open:
                hands[table] = self._hand(desks[table], number, table, hands.get(table), now_ns)
                self._show(desks[table], number, now_ns - hands[table][0], (now_ns - began_ns) // SECOND_NS)

    def _hand(
        self, desk: TableWriter, number: int, table: str, hand: tuple[int, int, list[Entry]] | None, now_ns: int
    ) -> tuple[int, int, list[Entry]]:
        """Tell what is due by now; when a hand is over, begin the next."""
        if hand is None or not hand[2]:
            nth = rounds_before(self._store, table) + 1
            each = self._rounds[(number * 5 + nth) % len(self._rounds)]
            hand = (now_ns, nth, told(each, table, nth, 0))
        began_ns, nth, waiting = hand
        due = [entry for entry in waiting if entry.t_ns <= now_ns - began_ns]
        for entry in due:
            desk.put_all([entry])
            if entry.topic is Topic.ALERT and entry.body["state"] == "raised":
                desk.put_all([clip_of(entry.body, self._footage[number % len(SAMPLES)])])
        return began_ns, nth, waiting[len(due) :]

    def _show(self, desk: TableWriter, number: int, t_ns: int, second: int) -> None:
        views = self._rounds[number % len(self._rounds)]["views"]
        view = next((each["view"] for each in reversed(views) if each["t_ns"] <= t_ns), views[0]["view"])
        jpegs = self._footage[number % len(SAMPLES)].jpegs
        record = Picture(wall_ns=self._clock.now_ns(), width=WIDTH, height=WIDTH * 9 // 16, view=view)
        desk.picture(t_ns, record, jpegs[(second + number) % len(jpegs)])
        pulse = {"session": "acted", "state": "watching", "fps": 15.0, "dropped": 0, "lag_ms": 62.0}
        desk.pulse(t_ns, Pulse.of(pulse | {"wall_ns": self._clock.now_ns()}))
