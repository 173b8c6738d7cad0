"""Clips: the very frames of a span, where the record says, in a file that a browser plays."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from films import film, kept, noisy

from vision.capture.stamps import Stamp
from vision.capture.video import SECOND_NS, frames
from vision.footage.clip import FootageError, cut, picture_at
from vision.footage.segment import Segment

FRAME_NS = SECOND_NS // 15


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return film(tmp_path / "film.mp4", noisy(150))


def in_span(segments: list[Segment], start_ns: int, end_ns: int) -> list[Segment]:
    return [segment for segment in segments if segment.start.t_ns < end_ns and segment.end_ns > start_ns]


def test_the_frame_at_an_offset_is_the_source_s(tmp_path: Path, source: Path) -> None:
    """Over three segments, from the middle between key frames; every frame is where it was, pixel by pixel."""
    start_ns, end_ns = int(2.5 * SECOND_NS), int(6.4 * SECOND_NS)
    segments = in_span(kept(source, tmp_path / "footage"), start_ns, end_ns)
    assert len(segments) == 3
    done = cut(segments, start_ns, end_ns, tmp_path / "clip.mp4")
    assert start_ns - SECOND_NS <= done.start_ns <= start_ns  # the key frame before
    want = {round(frame.t_ns * 15 / SECOND_NS): frame.picture for frame in frames(str(source))}
    shown = list(frames(str(tmp_path / "clip.mp4")))
    for frame in shown:
        t_ns = done.start_ns + frame.t_ns
        assert (frame.picture == want[round(t_ns * 15 / SECOND_NS)]).all()
    times = [round((done.start_ns + frame.t_ns) * 15 / SECOND_NS) for frame in shown]
    assert set(range(38, 96)) <= set(times)  # all of the span


def test_a_browser_plays_it(tmp_path: Path, source: Path) -> None:
    path = tmp_path / "clip.mp4"
    cut(kept(source, tmp_path / "footage"), 0, 3 * SECOND_NS, path)
    with av.open(str(path)) as container:
        coder = container.streams.video[0].codec_context
        assert (coder.name, coder.pix_fmt) == ("h264", "yuv420p")
        assert container.start_time == 0
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")  # it plays before it is loaded
    assert b"moof" not in data


def test_what_a_browser_would_not_play_as_one_film_is_encoded(tmp_path: Path, source: Path) -> None:
    """A camera that changes its manner: the second part of the footage has other parameters."""
    first = kept(source, tmp_path / "footage")[0]
    other = kept(film(tmp_path / "other.mov", noisy(30), codec="mjpeg"), tmp_path / "others")[0]
    later = replace(other, start=Stamp(21, Fraction(1, 10)))
    done = cut([first, later], 0, 99 * SECOND_NS, tmp_path / "clip.mp4")
    shown = list(frames(str(tmp_path / "clip.mp4")))
    assert done.start_ns == 0
    assert len(shown) == 60
    want = list(frames(str(source)))[20].picture
    assert np.abs(shown[20].picture.astype(int) - want).mean() < 8


def test_a_picture_of_a_moment(tmp_path: Path, source: Path) -> None:
    segments, want = kept(source, tmp_path / "footage"), list(frames(str(source)))
    for index in (0, 1, 31, 74, 149):
        t_ns = want[index].t_ns
        for moment_ns in (t_ns, t_ns + FRAME_NS // 2):
            picture = picture_at(in_span(segments, moment_ns, moment_ns + 1) or segments[-1:], moment_ns)
            assert (picture == want[index].picture).all()


def test_no_footage_no_clip(tmp_path: Path, source: Path) -> None:
    with pytest.raises(FootageError, match=r"clip\.mp4: no footage of 1\.00 s to 2\.00 s"):
        cut([], SECOND_NS, 2 * SECOND_NS, tmp_path / "clip.mp4")
    with pytest.raises(FootageError, match=r"no footage of 1\.00 s"):
        picture_at([], SECOND_NS)
    segments = kept(source, tmp_path / "footage")
    segments[0].path.write_bytes(b"no film")
    with pytest.raises(FootageError, match=r"clip\.mp4: cannot be made"):
        cut(segments, 0, SECOND_NS, tmp_path / "clip.mp4")
    assert not list(tmp_path.glob("clip*"))
