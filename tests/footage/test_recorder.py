"""Footage as it comes: every frame is kept, pixel by pixel, in segments that can be read while they grow."""

import shutil
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from films import AT_ONCE, PLENTY, film, kept, noisy, until

from vision.capture.source_reader import ReadOptions, SourceReader
from vision.capture.stamps import Stamp
from vision.capture.video import SECOND_NS, frames
from vision.footage.recorder import Recorder
from vision.footage.retention import RetentionLimit
from vision.footage.segment import Segment, read_index


def seen(segments: list[Segment]) -> dict[int, np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
    """Return the pictures of segments by their stream time, to the microsecond."""
    return {
        (segment.start.t_ns + frame.t_ns + 500) // 1000: frame.picture
        for segment in segments
        for frame in frames(str(segment.path))
    }


def test_h264_is_kept_as_it_is_in_segments_cut_at_key_frames(tmp_path: Path) -> None:
    source = film(tmp_path / "film.mp4", noisy(100))
    segments = kept(source, tmp_path / "footage")
    assert [segment.start.t_ns / SECOND_NS for segment in segments] == [0.0, 2.0, 4.0, 6.0]
    assert all(segment.is_whole for segment in segments)
    want = {(frame.t_ns + 500) // 1000: frame.picture for frame in frames(str(source))}
    got = seen(segments)
    assert list(got) == list(want)
    assert all((got[t] == want[t]).all() for t in want)


def test_other_codecs_are_encoded(tmp_path: Path) -> None:
    source = film(tmp_path / "film.mov", noisy(60), codec="mjpeg")
    segments = kept(source, tmp_path / "footage")
    want = {(frame.t_ns + 500) // 1000: frame.picture for frame in frames(str(source))}
    got = seen(segments)
    assert list(got) == list(want)
    assert max(np.abs(got[t].astype(int) - want[t]).mean() for t in want) < 8
    with av.open(str(segments[0].path)) as container:
        assert container.streams.video[0].codec_context.name == "h264"


def test_a_segment_can_be_read_while_it_grows(tmp_path: Path) -> None:
    source = film(tmp_path / "film.mp4", noisy(90))
    recorder = Recorder(tmp_path / "s1", RetentionLimit(tmp_path, "*/*.mp4", PLENTY), segment_ns=60 * SECOND_NS)
    with SourceReader(str(source), recorder, ReadOptions(is_paced=False, places=60)) as source_reader:
        assert recorder.index.wait_for(2 * SECOND_NS, timeout_s=10)  # the belt is full before the film is over
        (segment,) = recorder.index.between(0, SECOND_NS)
        assert not segment.is_whole
        times = [frame.t_ns for frame in frames(str(segment.path))]
        assert len([t_ns for t_ns in times if t_ns < segment.end_ns]) == -(-segment.end_ns * 15 // SECOND_NS)
        while not source_reader.is_done:
            source_reader.take(1.0)
    recorder.close()
    assert not recorder.index.wait_for(99 * SECOND_NS, timeout_s=10)  # nothing more will come


def test_footage_is_bounded_and_the_oldest_goes_first(tmp_path: Path) -> None:
    source, folder = film(tmp_path / "film.mp4", noisy(240)), tmp_path / "footage"
    sizes = [segment.path.stat().st_size for segment in kept(source, folder)]
    bound = sum(sizes) // 2
    old = folder / "s0"
    old.mkdir()
    shutil.copy2(folder / "s1" / "000000.mp4", old / "000000.mp4")
    (old / "index.jsonl").touch()
    shutil.rmtree(folder / "s1")
    left = kept(source, folder, bound)
    assert sum(path.stat().st_size for path in folder.glob("*/*.mp4")) <= bound
    assert not old.exists()
    assert left
    assert left[-1].end_ns > 15 * SECOND_NS  # the latest is there
    assert [segment.path.name for segment in left] == [f"{n:06d}.mp4" for n in range(8 - len(left), 8)]


def test_a_disk_that_cannot_be_written_does_not_stop_the_camera(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = film(tmp_path / "film.mp4", noisy(60))
    recorder = Recorder(tmp_path / "s1", RetentionLimit(tmp_path / "s1", "*.mp4", PLENTY), segment_ns=SECOND_NS)
    (tmp_path / "s1").rmdir()
    (tmp_path / "s1").write_text("a file where the folder was", encoding="utf-8")
    with SourceReader(str(source), recorder, AT_ONCE) as source_reader:
        count = 0
        while not source_reader.is_done:
            count += source_reader.take(1.0) is not None
    recorder.close()
    assert count == 60
    assert "footage cannot be written" in caplog.text


def test_the_index_survives(tmp_path: Path) -> None:
    segment = Segment(tmp_path / "000007.mp4", Stamp(-3, Fraction(1, 90000)), 12)
    segment.path.touch()
    (tmp_path / "index.jsonl").write_text(segment.line(), encoding="utf-8")
    assert read_index(tmp_path) == [segment]
    assert read_index(tmp_path / "none") == []


def test_a_broken_off_segment_is_there_up_to_its_last_piece(tmp_path: Path) -> None:
    """After `kill -9` nothing was ended: what was written of the segment is in the index, and can be played."""
    source = film(tmp_path / "film.mp4", noisy(90))
    recorder = Recorder(tmp_path / "s1", RetentionLimit(tmp_path, "*/*.mp4", PLENTY), segment_ns=60 * SECOND_NS)
    with SourceReader(str(source), recorder, ReadOptions(is_paced=False, places=60)) as source_reader:
        until(lambda: recorder.index.wait_for(2 * SECOND_NS, timeout_s=0))
        shutil.copytree(tmp_path / "s1", tmp_path / "s2")
        source_reader.close()
    recorder.close()
    (left,) = read_index(tmp_path / "s2")
    assert len(list(frames(str(left.path)))) >= 30
