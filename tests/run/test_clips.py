"""The clips of alerts: what they show, where the evidence is, and a disk on which they cannot be written at first."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from films import AT_ONCE, PLENTY, film, noisy, until

from vision.alerts.alert import Alert
from vision.capture.source_reader import SourceReader
from vision.capture.video import SECOND_NS
from vision.detect.detection import Detection, Found
from vision.draw.still import Scene, draw_still, evidence_place, evidence_scene
from vision.footage.recorder import Recorder
from vision.footage.retention import RetentionLimit
from vision.records.alert import Alert as AlertRecord
from vision.run.clips import ClipMaker, Rolls
from vision.table.table import read_table
from vision.values.codes import Code
from vision.values.geometry import Camera
from vision.values.picture import Picture, Quad

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "clean"
TABLE = read_table(SAMPLE)
LAYOUT, CAMERA = TABLE.layout, TABLE.camera


def alert(code: Code = Code.OVERPAID, seat: int | None = 2, wager: str | None = "ante", **more: Any) -> AlertRecord:
    fields: dict[str, Any] = {"t_ns": 3 * SECOND_NS, "span": (2 * SECOND_NS, 3 * SECOND_NS), "observed": "$10"} | more
    return Alert("t-0001", "t", code, seat=seat, wager=wager, **fields).record([])


def thing(kind: str, place: tuple[float, float], camera: Camera = CAMERA) -> Detection:
    """Return a thing that lies at a place of the felt."""
    u, v = (float(x) for x in camera.project((*place, 0.0)))
    quad: Quad = ((u - 9, v - 9), (u + 9, v - 9), (u + 9, v + 9), (u - 9, v + 9))
    return Detection(Found(kind, 0.9, quad))


def test_a_clip_shows_the_evidence_and_what_is_around_it() -> None:
    rolls = Rolls(before_ns=4, after_ns=3, longest_ns=20)
    assert rolls.span(alert(t_ns=100, span=(90, 100))) == (86, 103)
    assert rolls.span(alert(t_ns=100, span=(10, 100))) == (76, 103)  # long evidence: its end
    assert rolls.span(alert(t_ns=2, span=(1, 2))) == (0, 5)


@pytest.mark.parametrize(
    ("record", "place"),
    [
        (alert(wager="ante"), LAYOUT.seat_at(2).spots["ante"]),
        (alert(wager="ante_bonus"), LAYOUT.seat_at(2).spots["ante"]),
        (alert(code=Code.WRONG_CARD_COUNT, wager=None), LAYOUT.seat_at(2).cards),
        (alert(code=Code.DEALER_CARD_EXPOSED, seat=None, wager=None), LAYOUT.dealer.cards),
        (alert(code=Code.CAMERA_LOST, seat=None, wager=None), None),
    ],
)
def test_where_the_evidence_is(record: AlertRecord, place: object) -> None:
    assert evidence_place(record, LAYOUT) == place


def test_the_still_is_of_the_moment_that_shows_most() -> None:
    spot = LAYOUT.seat_at(2).spots["ante"].centre
    beside = (spot[0] + 30, spot[1])
    stack, paid, hand = thing("stack", spot), thing("stack", beside), thing("hand", spot)
    known = {
        1.9: (stack, paid),
        2.0: (stack,),
        2.3: (stack, paid),
        2.5: (stack, paid),
        2.7: (stack, paid, hand),
        2.9: (),
    }
    scenes = [Scene(int(t_s * SECOND_NS), CAMERA, things) for t_s, things in known.items()]
    best = evidence_scene(alert(), scenes, LAYOUT)
    assert best is not None
    assert best.t_ns == int(2.5 * SECOND_NS)
    late = evidence_scene(alert(code=Code.CAMERA_LOST, seat=None, wager=None), scenes, LAYOUT)
    assert late is not None
    assert late.t_ns == int(2.9 * SECOND_NS)
    assert evidence_scene(alert(), [], LAYOUT) is None


def test_the_still_has_the_evidence_marked_larger_and_in_words() -> None:
    lens = CAMERA.lens
    picture = np.full((lens.height, lens.width, 3), 70, np.uint8)
    bare = draw_still(picture, Scene(0, CAMERA, ()), alert(seat=None, wager=None), LAYOUT)
    marked = draw_still(picture, Scene(0, CAMERA, ()), alert(), LAYOUT)
    assert marked.shape[0] > lens.height  # the words are below
    assert red(marked) > red(bare) + 500


def red(picture: Picture) -> int:
    """Return how many pixels have the colour of the mark."""
    return int((picture[:, :, 2].astype(int) - picture[:, :, 0] > 120).sum())


def test_a_clip_that_could_not_be_written_is_made_when_it_can(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    recorder = Recorder(tmp_path / "s1", RetentionLimit(tmp_path, "*/*.mp4", PLENTY))
    clips = tmp_path / "clips"
    maker = ClipMaker(recorder.index, clips, LAYOUT, RetentionLimit(clips, "*", PLENTY), Rolls(SECOND_NS, SECOND_NS))
    with SourceReader(str(film(tmp_path / "film.mp4", noisy(90))), recorder, AT_ONCE) as source_reader:
        while not source_reader.is_done:
            source_reader.take(1.0)
    recorder.close()
    clips.rmdir()  # as a full disk, nothing can be written
    maker.ask(alert(), 7, [Scene(3 * SECOND_NS, CAMERA, ())])
    until(lambda: "clip not made" in caplog.text)
    clips.mkdir()
    maker.close()
    (made,) = maker.made()
    assert (made.film, made.still) == ("t-0001-overpaid-2-ante.7.mp4", "t-0001-overpaid-2-ante.7.jpg")
    assert {path.name for path in clips.iterdir()} == {made.film, made.still}
    assert made.start_ns <= SECOND_NS
    assert made.start_ns + made.offset_ns == 3 * SECOND_NS


def test_an_alert_without_footage_has_no_clip(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    recorder = Recorder(tmp_path / "s1", RetentionLimit(tmp_path, "*/*.mp4", PLENTY))
    maker = ClipMaker(recorder.index, tmp_path / "clips", LAYOUT, RetentionLimit(tmp_path / "clips", "*", PLENTY))
    recorder.close()
    maker.ask(alert(), 7, [])
    maker.close()
    assert maker.made() == []
    assert caplog.text.count("no footage of") == 1
