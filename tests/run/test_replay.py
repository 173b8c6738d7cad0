"""Replaying: files that are the same every time, recordings that lack something, and what people see of it."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from blind import Blind

from vision.alerts.judge import Judge
from vision.attention.region import Region
from vision.capture.video import SECOND_NS, Frame, frames, length_ns
from vision.cli import main
from vision.detect.detection import Detection, Found
from vision.draw.annotate import Annotator, alert_words, seat_words
from vision.footage.mp4 import VideoWriter
from vision.observe.frame_observation import FrameObservation
from vision.pipeline import Moment
from vision.records.alert import Alert
from vision.records.coverage import Coverage
from vision.records.event import Event
from vision.records.message import Message
from vision.records.round import Round
from vision.records.signal import Signal
from vision.run.frame_loop import FrameLoop, Outcome, Span, ended_early
from vision.run.record_files import TOPICS, Records
from vision.run.step_report import step_report
from vision.table.artwork import expected, read_artwork
from vision.table.table import read_table
from vision.values.errors import InputError
from vision.values.picture import Picture

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "exposed-dealer-card"
TENTH = SECOND_NS // 10
EMPTY = np.zeros((4, 4, 3), np.uint8)


def event(kind: str, t_ns: int = 0, **fields: Any) -> Message:
    return Message("events", Event(kind=kind, round="a", table="t", t_ns=t_ns, confidence=1.0, **fields))


class Scribe(Judge):
    """Writes down what it is told."""

    def __init__(self) -> None:
        pass

    def update(self, sight: FrameObservation) -> list[Message]:
        return [event("seen", sight.t_ns)]

    def signal(self, signal: Signal) -> list[Message]:
        return [event(signal.kind, signal.t_ns)]

    def finish(self, t_ns: int) -> list[Message]:
        return [Message("rounds", Round(id="a", started_ns=0, ended_ns=t_ns, verdict="right"))]

    def view(self) -> dict[str, object]:
        return {"phase": "idle", "seats": {}}


def at(*tenths: int) -> list[Frame]:
    return [Frame(i, t * TENTH, EMPTY) for i, t in enumerate(tenths)]


def breaking(*tenths: int) -> Iterator[Frame]:
    yield from at(*tenths)
    raise InputError("video.mp4: cannot be played: Invalid data")


def run(
    recording: Iterable[Frame], span: Span | None = None, signals: list[Signal] | None = None
) -> tuple[Outcome, list[Message], list[Moment]]:
    messages: list[Message] = []
    moments: list[Moment] = []
    loop = FrameLoop(Blind(read_table(SAMPLE).camera, Scribe()), signals or [])
    return loop.run(recording, messages.append, moments.append, span or Span()), messages, moments


def kinds(messages: list[Message]) -> list[str]:
    return [message.record.kind for message in messages if isinstance(message.record, Event)]


def seen(messages: list[Message]) -> list[int]:
    events = [message.record for message in messages if isinstance(message.record, Event)]
    return [event.t_ns for event in events if event.kind == "seen"]


def lacking(outcome: Outcome) -> list[Coverage]:
    return [message.record for message in outcome.lacking("t") if isinstance(message.record, Coverage)]


def test_every_frame_is_followed_and_the_stream_is_ended() -> None:
    outcome, messages, moments = run(at(0, 1, 2))
    assert outcome == Outcome(frames=3, end_ns=2 * TENTH)
    assert seen(messages) == [0, TENTH, 2 * TENTH]
    assert messages[-1].record.t_ns == 2 * TENTH
    assert [moment.observation.index for moment in moments] == [0, 1, 2]
    assert list(outcome.lacking("t")) == []


def test_only_the_span_is_watched() -> None:
    assert seen(run(at(*range(20)), Span(5 * TENTH, 8 * TENTH))[1]) == [5 * TENTH, 6 * TENTH, 7 * TENTH]
    with pytest.raises(InputError, match=r"no frames in 9\.\. s"):
        run(at(0, 1), Span(9 * SECOND_NS))
    with pytest.raises(InputError, match="want a start"):
        Span(5, 4)


def test_frames_that_go_back_in_time_are_dropped_and_counted() -> None:
    outcome, messages, _ = run(at(0, 1, 2, 1, 2, 3))
    assert seen(messages) == [0, TENTH, 2 * TENTH, 3 * TENTH]
    (line,) = lacking(outcome)
    assert line.why == "2 frames dropped from here on: their time stamps went back"
    assert (line.state, line.start_ns) == ("not observed", 2 * TENTH)


def test_a_recording_that_breaks_off_is_watched_up_to_there() -> None:
    outcome, messages, _ = run(breaking(0, 1))
    assert seen(messages) == [0, TENTH]
    assert messages[-1].topic == "rounds"
    late = ended_early(outcome, "video.mp4", 5 * SECOND_NS, Span())
    (line,) = lacking(late)
    assert "cannot be played" in str(line.why)
    assert (line.start_ns, line.end_ns) == (TENTH, 5 * SECOND_NS)
    with pytest.raises(InputError, match="cannot be played"):
        run(breaking())


@pytest.mark.parametrize(
    ("said_s", "span", "is_cut"),
    [(None, Span(), False), (2.5, Span(), False), (9.0, Span(), True), (9.0, Span(0, 2 * SECOND_NS), False)],
)
def test_a_recording_shorter_than_it_says_is_cut_off(said_s: float | None, span: Span, *, is_cut: bool) -> None:
    said_ns = None if said_s is None else int(said_s * SECOND_NS)
    outcome = ended_early(Outcome(frames=20, end_ns=2 * SECOND_NS), "video.mp4", said_ns, span)
    assert (outcome.stopped is not None) == is_cut


def test_signals_come_before_the_frame_at_which_they_are_known() -> None:
    signals = [Signal(t_ns=TENTH + 1, kind="no-more-bets"), Signal(t_ns=0, kind="meter")]
    messages = run(at(0, 1, 2), signals=signals)[1]
    assert kinds(messages) == ["meter", "seen", "seen", "no-more-bets", "seen"]


def test_the_same_messages_give_the_same_bytes(tmp_path: Path) -> None:
    for name, fields in (("a", {"wager": "ante", "zone": "é"}), ("b", {"zone": "é", "wager": "ante"})):
        with Records(tmp_path / name) as records:
            records.put(event("bet", 0, **fields))
    assert (tmp_path / "a" / "events.jsonl").read_bytes() == (tmp_path / "b" / "events.jsonl").read_bytes()
    assert {path.name for path in (tmp_path / "a").iterdir()} == {f"{topic}.jsonl" for topic in TOPICS}


def test_a_run_that_was_broken_off_leaves_parts_only(tmp_path: Path) -> None:
    def broken() -> None:
        with Records(tmp_path) as records:
            records.put(event("bet", 2))
            raise KeyboardInterrupt

    with Records(tmp_path) as records:
        records.put(event("bet", 1))
    with pytest.raises(KeyboardInterrupt):
        broken()
    assert {path.name for path in tmp_path.iterdir()} == {f"{topic}.jsonl.part" for topic in TOPICS}
    assert Event.parse((tmp_path / "events.jsonl.part").read_bytes()).t_ns == 2


def test_a_run_that_never_began_leaves_an_earlier_one_alone(tmp_path: Path) -> None:
    with Records(tmp_path) as records:
        records.put(event("bet", 1))
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError), Records(tmp_path):
        raise InputError("no such video")
    assert sorted(tmp_path.iterdir()) == before


def test_a_moment_is_told() -> None:
    record = step_report(run(at(0))[2][0])
    assert record["glances"] == [{"box": (0, 0, 2, 2), "why": ("settled",)}]
    assert json.loads(json.dumps(record))["messages"] == [{"topic": "events", **event("seen").record.plain()}]


def test_a_film_keeps_the_times_of_its_frames(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    with VideoWriter(path, (65, 47)) as film:
        for t in (3, 4, 9):
            film.write(np.full((47, 65, 3), 20 * t, np.uint8), t * TENTH)
    assert [frame.t_ns for frame in frames(str(path))] == [0, TENTH, 6 * TENTH]
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.width, stream.height) == ("h264", 64, 46)


def test_what_is_believed_is_drawn() -> None:
    table = read_table(SAMPLE)
    annotator = Annotator(table.layout)
    dark = np.zeros((720, 1280, 3), np.uint8)
    card = Detection(Found("card_down", 0.9, ((600, 400), (640, 400), (640, 460), (600, 460))))
    drawn = annotator.draw(dark, table.camera, [card], [Region((10, 10, 60, 60), ("dealer",))])
    assert drawn[430, 600].any()
    assert drawn[10, 30].any()
    assert not dark.any()
    view: dict[str, object] = {"phase": "betting", "seats": {3: {"ante": 500}}}
    alert = Alert(id="a", code="underpaid", t_ns=0, seat=3, expected="$15", observed="$10")
    first = annotator.annotate(drawn.copy(), table.camera, 0, view, [Message("alerts", alert)])
    later = annotator.annotate(drawn.copy(), table.camera, SECOND_NS, view, [])
    without = annotator.annotate(drawn.copy(), table.camera, 60 * SECOND_NS, view, [])
    assert (first[690:] != drawn[690:]).any()
    assert (later[690:] == first[690:]).all()
    assert (without[690:] == drawn[690:]).all()


def test_words_for_labels() -> None:
    assert seat_words({"wagers": {"ante": 1500, "play": None}, "cards": ["As", "??"]}) == [
        "ante $15",
        "play ?",
        "As ??",
    ]
    assert seat_words(None) == []
    alert = Alert(id="a", code="underpaid", state="amended", t_ns=0, seat=2, wager="ante", expected="$5")
    assert alert_words(alert) == "underpaid (amended), seat 2, ante, expected $5"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a recording of four seconds of an empty table."""
    table = read_table(SAMPLE)
    path = tmp_path_factory.mktemp("recording") / "video.mp4"
    felt: Picture = expected(read_artwork(table.layout_folder, table.layout), table.camera).picture
    rng = np.random.default_rng(1)
    with VideoWriter(path, (1280, 720)) as film:
        for i in range(20):
            noisy = np.clip(felt + rng.normal(0, 4, felt.shape), 0, 255)
            film.write(np.asarray(noisy, np.uint8), i * SECOND_NS // 5)
    return path


def test_the_command_writes_files_and_pictures(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = tmp_path / "film.mp4"
    words = ["replay", str(recording), "--table", str(SAMPLE), "--out", str(tmp_path / "run")]
    assert main([*words, "--annotate", str(film), "--from", "1", "--to", "2", "--step"]) == 0
    *steps, summary = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert [step["t_ns"] for step in steps] == [SECOND_NS + i * SECOND_NS // 5 for i in range(5)]
    assert summary["frames"] == 5
    assert len(list((tmp_path / "run" / "steps").glob("*.png"))) == 5
    assert {path.name for path in (tmp_path / "run").glob("*.jsonl*")} == {
        f"{topic}.jsonl" for topic in (*TOPICS, "facts")
    }
    assert len(list(frames(str(film)))) == 5


def test_several_recordings_give_the_same_bytes_whatever_the_workers(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of them is no video: it is named, and the others are watched."""
    videos = [tmp_path / f"{name}.mp4" for name in ("first", "broken", "last")]
    for video in videos:
        video.write_bytes(recording.read_bytes() if video.stem != "broken" else b"no video")
    written = []
    for workers in (1, 2):
        out = tmp_path / f"with-{workers}"
        words = ["replay", *map(str, videos), "--table", str(SAMPLE), "--out", str(out), "--to", "2"]
        assert main([*words, "--workers", str(workers)]) == 1
        said = capsys.readouterr()
        assert [Path(json.loads(line)["out"]).name for line in said.out.splitlines()] == ["first", "last"]
        assert f"{videos[1]}: cannot be played" in said.err
        written.append({str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*.jsonl"))})
    assert len(written[0]) == 2 * (len(TOPICS) + 1)  # and the facts
    assert written[0] == written[1]


def test_a_truncated_file_is_watched_and_told(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.mp4"
    whole = recording.read_bytes()
    cut.write_bytes(whole[: len(whole) // 2])
    assert length_ns(str(cut)) == length_ns(str(recording))
    assert main(["replay", str(cut), "--table", str(SAMPLE), "--out", str(tmp_path / "run")]) == 1
    assert str(cut) in capsys.readouterr().err
    ledger = [json.loads(line) for line in (tmp_path / "run" / "coverage.jsonl").read_text("utf-8").splitlines()]
    assert ledger[-1]["state"] == "not observed"
    assert str(cut) in ledger[-1]["why"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.mp4", "--table", str(SAMPLE)], "nowhere.mp4: cannot be played"),
        (
            [str(SAMPLE / "video.mp4"), "--table", str(SAMPLE), "--annotate", "film.avi"],
            "film.avi: want a file that ends",
        ),
        ([str(SAMPLE / "video.mp4"), "--table", "nowhere"], "no such table"),
        ([str(SAMPLE / "video.mp4"), "--table", str(SAMPLE), "--from", "3", "--to", "2"], "3..2 s: want a start"),
        ([str(SAMPLE / "video.mp4"), "--table", str(SAMPLE), "--workers", "0"], "--workers: 0: want 1"),
        (["a/1.mp4", "b/1.mp4", "--table", str(SAMPLE)], "VIDEO: 1: several videos have this name"),
        (["a.mp4", "b.mp4", "--step", "--table", str(SAMPLE)], "--step: is for one video, there are 2"),
    ],
)
def test_wrong_words_are_named(words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", *words, "--out", str(tmp_path)]) == 1
    assert said in capsys.readouterr().err
