"""Watching from end to end: what is stored and published, clips, frozen and lost cameras, and how it ends."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from threading import Event, Thread
from typing import Any

import av
import cv2
import pytest
from blind import Blind
from films import AT_ONCE, film, frozen, noisy, until
from rtsp import Server, needs_rtsp_server
from schemas import lacks

from vision.bus.envelope import Envelope
from vision.bus.subscriber import Subscriber
from vision.bus.topics import OF_FILE, Topic
from vision.capture.source_reader import ReadOptions
from vision.capture.stamps import Stamp
from vision.capture.video import SECOND_NS, Frame, frames
from vision.cli import main
from vision.footage.clip import cut
from vision.footage.segment import Segment
from vision.observe.frame_observation import FrameObservation
from vision.run.clips import Rolls
from vision.run.record_files import TOPICS
from vision.run.watch import Report, Settings, watch
from vision.store.home import Home
from vision.store.log import Store
from vision.story.signals import read_signals
from vision.table.table import Table, read_table
from vision.values.errors import InputError

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "exposed-dealer-card"
QUICK = ReadOptions(is_paced=False, first_wait_s=0.1)
ROLLS = Rolls(before_ns=SECOND_NS, after_ns=SECOND_NS)


@pytest.fixture
def table() -> Table:
    return read_table(SAMPLE)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.find(tmp_path / "home")


def watched(table: Table, source: str, home: Home, stop: Event | None = None, limit_s: float | None = None) -> Report:
    limit_ns = None if limit_s is None else int(limit_s * SECOND_NS)
    settings = Settings(rolls=ROLLS, options=QUICK, limit_ns=limit_ns)
    return watch(table, source, home, settings, stop or Event(), Blind.of)


def stored(home: Home, *topics: Topic) -> list[Envelope]:
    with Store.open(home.store, make=False) as store:
        (table,) = store.tables()
        assert store.verify(table) is None
        return [envelope for envelope in store.since(table, 0) if not topics or envelope.topic in topics]


def test_a_session_is_stored_from_beginning_to_end(tmp_path: Path, table: Table, home: Home) -> None:
    report = watched(table, str(film(tmp_path / "film.mp4", noisy(30))), home)
    assert (report.frames, report.dropped, report.stopped) == (30, 0, None)
    began, coverage, ended = stored(home)
    assert (began.topic, began.body["state"], began.body["id"]) == (Topic.SESSION, "began", report.session)
    assert (ended.body["state"], ended.body["why"], ended.t_ns) == ("ended", None, 29 * SECOND_NS // 15)
    assert (coverage.body["state"], coverage.body["end_ns"]) == ("watched", 29 * SECOND_NS // 15)
    assert [lacks(envelope.record()) for envelope in (began, coverage, ended)] == [[], [], []]
    assert len(list(home.footage("sim-32").glob("*/*.mp4"))) == 1


def gossip(path: Path) -> type[Blind]:
    """Return a pipeline under which, at the tenth frame, a shuffler reports a short deck."""

    class Gossip(Blind):
        def observe(self, frame: Frame) -> FrameObservation:
            if frame.index == 10:
                path.write_text('{"kind": "shuffler-count", "number": 51}\n', encoding="utf-8")
            return super().observe(frame)

    return Gossip


def test_other_systems_are_heard(tmp_path: Path, table: Table, home: Home) -> None:
    source, path = str(film(tmp_path / "film.mp4", noisy(30))), tmp_path / "said.jsonl"
    settings = Settings(rolls=ROLLS, options=QUICK, signals=path)
    watch(table, source, home, settings, Event(), gossip(path).of)
    (alert,) = stored(home, Topic.ALERT)
    assert (alert.body["code"], alert.body["t_ns"]) == ("stub-count-wrong", 10 * SECOND_NS // 15)
    assert lacks(alert.record()) == []
    (heard,) = home.footage("sim-32").glob("*/signals.jsonl")
    assert [signal.number for signal in read_signals(heard)] == [51]


def test_a_frozen_camera_is_told_with_a_clip_of_it(tmp_path: Path, table: Table, home: Home) -> None:
    pictures = [*noisy(30), *frozen(120), *noisy(60, seed=2)]
    source = film(tmp_path / "film.mp4", pictures)
    watched(table, str(source), home)
    raised, withdrawn = stored(home, Topic.ALERT)
    assert (raised.body["code"], raised.body["state"]) == ("camera-frozen", "raised")
    assert raised.body["evidence"]["start_ns"] == 2 * SECOND_NS
    assert (withdrawn.body["state"], withdrawn.t_ns) == ("withdrawn", 10 * SECOND_NS)
    spans = [(e.body["start_ns"] / SECOND_NS, e.body["state"], e.body["why"]) for e in stored(home, Topic.COVERAGE)]
    assert (2.0, "not observed", "camera frozen") in spans
    assert any(state == "not observed" and why == "camera frozen" and start > 6 for start, state, why in spans)
    (clip,) = stored(home, Topic.CLIP)
    assert lacks(clip.record()) == []
    check_clip(clip.body, raised.body, source, home)


def check_clip(clip: dict[str, Any], alert: dict[str, Any], source: Path, home: Home) -> None:
    """Compare the clip's frame at the alert's offset with the source's frame of that time; and look for the still."""
    assert clip["offset_ns"] == alert["t_ns"] - clip["start_ns"]
    shown = [f for f in frames(str(home.clips / clip["film"])) if f.t_ns <= clip["offset_ns"] + 1000][-1]
    true = [f for f in frames(str(source)) if f.t_ns <= alert["t_ns"]][-1]
    assert (shown.picture == true.picture).all()
    assert abs(clip["start_ns"] + shown.t_ns - true.t_ns) < 1_000_000
    assert clip["start_ns"] <= alert["evidence"]["start_ns"] - ROLLS.before_ns
    assert clip["end_ns"] >= min(alert["t_ns"] + ROLLS.after_ns, clip["end_ns"])
    assert cv2.imread(str(home.clips / clip["still"])) is not None


def test_everything_is_heard_by_who_listens(tmp_path: Path, table: Table, home: Home) -> None:
    source = str(film(tmp_path / "film.mp4", noisy(45)))
    heard: dict[Topic, list[tuple[Envelope, bytes | None]]] = {}
    settings = Settings(rolls=ROLLS)  # at its own pace: three seconds
    thread = Thread(target=watch, args=(table, source, home, settings, Event(), Blind.of))
    home.bus("sim-32")
    with Subscriber({"sim-32": home.bus("sim-32")}, after={"sim-32": 0}, pictures=True) as listener:
        thread.start()
        while not any(one.body.get("state") == "ended" for one, _ in heard.get(Topic.PULSE, [])):
            for one in listener.receive(5.0):
                heard.setdefault(one.envelope.topic, []).append((one.envelope, one.blob))
    thread.join()
    assert [envelope.body["state"] for envelope, _ in heard[Topic.SESSION]] == ["began", "ended"]
    assert len(heard[Topic.PULSE]) >= 3
    assert 4 <= len(heard[Topic.PICTURE]) <= 14
    picture, blob = heard[Topic.PICTURE][0]
    assert blob is not None
    assert blob[:2] == b"\xff\xd8"
    assert picture.body["width"] == 160
    assert [
        lacks(envelope.record()) for told in heard.values() for envelope, _ in told if lacks(envelope.record())
    ] == []


def test_a_dead_camera_is_told_and_tried_until_the_end(table: Table, home: Home) -> None:
    report = watched(table, "rtsp://me:secret@127.0.0.1:9/table", home, limit_s=1.0)
    assert report.frames == 0
    (lost,) = stored(home, Topic.ALERT)
    assert lost.body["code"] == "camera-lost"
    assert "Connection refused" in lost.body["observed"]
    (coverage,) = stored(home, Topic.COVERAGE)
    assert (coverage.body["state"], coverage.body["start_ns"]) == ("not observed", 0)
    assert not any("secret" in str(envelope) for envelope in stored(home))


@needs_rtsp_server
def test_a_camera_that_is_cut_and_comes_back(tmp_path: Path, table: Table, home: Home) -> None:
    server, stop, reports = Server(film(tmp_path / "film.mp4", noisy(900))), Event(), list[Report]()
    with server.running():
        thread = Thread(target=lambda: reports.append(watched(table, server.address, home, stop)))
        thread.start()
        try:
            until(lambda: any(home.footage("sim-32").glob("*/*.mp4")))
            until(lambda: _size(home) > 20_000)  # frames have come
            server.cut()
            until(lambda: _states(home) == ["raised"])
            cut_s = time.monotonic()
            until(lambda: time.monotonic() - cut_s > 1.5)  # less is no gap in the ledger
            server.resume()
            until(lambda: _states(home) == ["raised", "withdrawn"], patience_s=60)
            until(lambda: len(stored(home, Topic.COVERAGE)) >= 2)
        finally:
            stop.set()
            thread.join()
    watched_before, gap, *_ = (envelope.body for envelope in stored(home, Topic.COVERAGE))
    assert (watched_before["state"], gap["state"]) == ("watched", "not observed")
    assert gap["why"].startswith("camera lost: ")
    assert watched_before["end_ns"] == gap["start_ns"]
    assert reports[0].frames > 10
    assert stored(home)[-1].body["state"] == "ended"


def _size(home: Home) -> int:
    return sum(path.stat().st_size for path in home.footage("sim-32").glob("*/*.mp4"))


def _states(home: Home) -> list[str]:
    return [e.body["state"] for e in stored(home, Topic.ALERT) if e.body["code"] == "camera-lost"]


def test_what_cannot_be_watched_is_said(tmp_path: Path, table: Table, home: Home) -> None:
    with pytest.raises(InputError, match=r"none\.mp4: no such file"):
        watched(table, str(tmp_path / "none.mp4"), home)
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no film")
    with pytest.raises(InputError, match=r"broken\.mp4: cannot be played"):
        watched(table, str(broken), home)
    assert "cannot be played" in stored(home)[-1].body["why"]


def test_the_command_names_what_is_wrong_with_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "table.toml"
    bad.write_text('name = "t"\nlayout = "."\n', encoding="utf-8")
    assert main(["watch", str(bad), "--home", str(tmp_path / "home")]) == 1
    assert "table.toml: chips: missing" in capsys.readouterr().err
    text = (SAMPLE / "table.toml").read_text(encoding="utf-8").replace('source = "video.mp4"', "")
    for name in ("layout.toml", "layout.png"):
        (tmp_path / name).write_bytes((SAMPLE / name).read_bytes())
    bad.write_text(text, encoding="utf-8")
    assert main(["watch", str(bad), "--home", str(tmp_path / "home")]) == 1
    assert "table.toml: source: missing" in capsys.readouterr().err


@pytest.fixture
def process(home: Home) -> "Iterator[subprocess.Popen[str]]":
    program = [sys.executable, "-c", "from vision.cli import run; run()"]
    command = [*program, "watch", str(SAMPLE), "--home", str(home.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        yield running
        running.kill()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly_and_a_second_watcher_is_refused(
    process: "subprocess.Popen[str]", home: Home, number: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    assert process.stderr is not None
    while "camera found" not in process.stderr.readline():
        assert process.poll() is None
    assert main(["watch", str(SAMPLE), "--home", str(home.folder)]) == 1
    assert f"sim-32: is watched already by process {process.pid} on " in capsys.readouterr().err
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert json.loads(out)["dropped"] == 0
    assert [envelope.body["state"] for envelope in stored(home, Topic.SESSION)] == ["began", "ended"]


@pytest.mark.slow
def test_live_is_the_same_as_replay(tmp_path: Path, table: Table, home: Home) -> None:
    """An exposed dealer card, with the real detectors: the records of live and replay are equal, and clips are true."""
    short = tmp_path / "short.mp4"
    whole = Segment(SAMPLE / "video.mp4", Stamp(0, Fraction(1, 15360)), 99 * SECOND_NS)
    cut([whole], 8 * SECOND_NS, 27 * SECOND_NS, short)
    assert main(["replay", str(short), "--table", str(SAMPLE), "--out", str(tmp_path / "replayed")]) == 0
    watch(table, str(short), home, Settings(rolls=ROLLS, options=AT_ONCE), Event())
    for topic in TOPICS:
        lines = (tmp_path / "replayed" / f"{topic}.jsonl").read_text(encoding="utf-8").splitlines()
        assert [envelope.body for envelope in stored(home, OF_FILE[topic])] == [json.loads(line) for line in lines]
    alerts = [envelope.body for envelope in stored(home, Topic.ALERT) if envelope.body["state"] == "raised"]
    clips = [envelope.body for envelope in stored(home, Topic.CLIP)]
    assert [alert["id"] for alert in alerts] == [clip["alert"] for clip in clips]
    assert "dealer-card-exposed" in {alert["code"] for alert in alerts}
    for clip, alert in zip(clips, alerts, strict=True):
        check_clip(clip, alert, short, home)
        with av.open(str(home.clips / clip["film"])) as film_of_alert:
            assert film_of_alert.streams.video[0].codec_context.name == "h264"
