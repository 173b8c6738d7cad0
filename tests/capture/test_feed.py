"""Live sources: files at their own pace, cameras that are never made to wait, addresses that are dead."""

import time
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from av.container import InputContainer
from films import AT_ONCE, film, noisy, until

from vision.capture.frame_queue import CapturedFrame, FrameQueue
from vision.capture.source_reader import ReadOptions, SourceReader, State
from vision.capture.video import SECOND_NS, frames
from vision.values.errors import InputError


def taken(feed: SourceReader) -> list[CapturedFrame]:
    shots = []
    while not feed.is_done:
        shot = feed.take(1.0)
        shots += [shot] if shot is not None else []
    return shots


@pytest.fixture
def clip(tmp_path: Path) -> str:
    return str(film(tmp_path / "clip.mp4", noisy(45)))


def a_camera() -> InputContainer:
    """Return a camera of a hundred frames a second."""
    return av.open("testsrc=size=64x48:rate=100,realtime", format="lavfi")


def test_a_file_gives_the_frames_of_its_replay(clip: str) -> None:
    with SourceReader(clip, options=AT_ONCE) as feed:
        shots = taken(feed)
    replayed = list(frames(clip))
    assert [(shot.index, shot.t_ns) for shot in shots] == [(frame.index, frame.t_ns) for frame in replayed]
    assert all((s.frame().picture == f.picture).all() for s, f in zip(shots, replayed, strict=True))
    assert (feed.status.state, feed.status.why, feed.dropped) == (State.ENDED, None, 0)


def test_a_file_keeps_its_pace(clip: str) -> None:
    begun = time.monotonic()
    with SourceReader(clip) as feed:
        late = [feed.stream_ns() - shot.t_ns for shot in taken(feed)]
    assert time.monotonic() - begun >= 44 / 15
    assert min(late) > -SECOND_NS // 100  # none comes before its time


def test_a_file_waits_for_a_slow_watcher_and_loses_nothing(clip: str) -> None:
    with SourceReader(clip, options=ReadOptions(is_paced=False, places=2)) as feed:
        until(lambda: feed.status.received == 3)  # two are on the belt, one waits
        shots = taken(feed)
    assert (len(shots), feed.dropped) == (45, 0)


def test_a_camera_is_not_made_to_wait_and_every_dropped_frame_is_counted() -> None:
    with SourceReader("/dev/camera", options=ReadOptions(places=8), opener=a_camera) as feed:
        until(lambda: feed.status.received >= 100)  # nobody takes any
        shots = [shot for _ in range(50) if (shot := feed.take(1.0)) is not None]
    shots += taken(feed)
    assert shots[0].index >= 91  # the oldest were dropped
    assert all(a.index < b.index for a, b in pairwise(shots))
    assert feed.status.received - len(shots) - feed.dropped in (0, 1)  # one may have come while leaving


def test_the_belt_accounts_for_every_shot() -> None:
    belt, image = FrameQueue(3), av.VideoFrame(16, 16, "yuv420p")
    for i in range(10):
        belt.put(CapturedFrame(i, i, image), may_drop=True)
    belt.close()
    left = [shot.index for _ in range(4) if (shot := belt.take(0)) is not None]
    assert (left, belt.dropped, belt.is_done) == ([7, 8, 9], 7, True)


def test_waiting_doubles_up_to_half_a_minute() -> None:
    assert [ReadOptions().wait_s(tries) for tries in range(1, 9)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert ReadOptions().wait_s(10_000) == 30


def test_a_dead_address_is_tried_again_and_again() -> None:
    with SourceReader("rtsp://me:secret@127.0.0.1:9/table", options=ReadOptions(first_wait_s=0.01)) as feed:
        until(lambda: feed.status.tries >= 3)
        status = feed.status
        assert feed.take(0) is None
        assert not feed.is_done
    assert status.state in (State.WAITING, State.CONNECTING)
    assert status.why is not None
    assert status.why.startswith("rtsp://127.0.0.1:9/table: cannot be played: ")


def test_a_connection_that_ends_is_made_again_and_time_goes_on(clip: str) -> None:
    with SourceReader("rtsp://camera/1", options=ReadOptions(first_wait_s=0.01), opener=lambda: av.open(clip)) as feed:
        shots = [shot for _ in range(200) if (shot := feed.take(5.0)) is not None]
    assert len(shots) == 200
    assert all(a.t_ns < b.t_ns for a, b in pairwise(shots))


def test_a_file_that_breaks_off_says_so(tmp_path: Path, clip: str) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(Path(clip).read_bytes()[:200])
    with SourceReader(str(broken), options=AT_ONCE) as feed:
        assert taken(feed) == []
    assert "broken.mp4: cannot be played" in str(feed.status.why)
    with pytest.raises(InputError, match="cannot be played"):
        next(frames(str(broken)))


def test_leaving_does_not_wait_for_what_is_due_later(tmp_path: Path) -> None:
    pictures = [np.full((120, 160, 3), 90, np.uint8)] * 900
    begun = time.monotonic()
    with SourceReader(str(film(tmp_path / "long.mp4", pictures))) as feed:
        assert feed.take(5.0) is not None
    assert time.monotonic() - begun < 10
