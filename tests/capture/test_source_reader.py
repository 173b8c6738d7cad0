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


def taken(source_reader: SourceReader) -> list[CapturedFrame]:
    shots = []
    while not source_reader.is_done:
        shot = source_reader.take(1.0)
        shots += [shot] if shot is not None else []
    return shots


@pytest.fixture
def clip(tmp_path: Path) -> str:
    return str(film(tmp_path / "clip.mp4", noisy(45)))


def a_camera() -> InputContainer:
    """Return a camera of a hundred frames a second."""
    return av.open("testsrc=size=64x48:rate=100,realtime", format="lavfi")


def test_a_file_gives_the_frames_of_its_replay(clip: str) -> None:
    with SourceReader(clip, options=AT_ONCE) as source_reader:
        shots = taken(source_reader)
    replayed = list(frames(clip))
    assert [(shot.index, shot.t_ns) for shot in shots] == [(frame.index, frame.t_ns) for frame in replayed]
    assert all((s.frame().picture == f.picture).all() for s, f in zip(shots, replayed, strict=True))
    assert (source_reader.status.state, source_reader.status.why, source_reader.dropped) == (State.ENDED, None, 0)


def test_a_file_keeps_its_pace(clip: str) -> None:
    begun = time.monotonic()
    with SourceReader(clip) as source_reader:
        late = [source_reader.stream_ns() - shot.t_ns for shot in taken(source_reader)]
    assert time.monotonic() - begun >= 44 / 15
    assert min(late) > -SECOND_NS // 100  # none comes before its time


def test_a_file_waits_for_a_slow_watcher_and_loses_nothing(clip: str) -> None:
    with SourceReader(clip, options=ReadOptions(is_paced=False, places=2)) as source_reader:
        until(lambda: source_reader.status.received == 3)  # two are in the queue, one waits
        shots = taken(source_reader)
    assert (len(shots), source_reader.dropped) == (45, 0)


@pytest.mark.parametrize("may_slow", [False, True])
def test_where_a_file_may_be_slowed_its_watcher_is_never_far_behind(clip: str, *, may_slow: bool) -> None:
    with SourceReader(clip, options=ReadOptions(may_slow=may_slow)) as feed:
        until(lambda: feed.stream_ns() >= SECOND_NS)  # nobody takes any
        late = []
        while not feed.is_done:
            shot = feed.take(1.0)
            late += [feed.lag_ns(shot.t_ns)] if shot is not None else []
    assert len(late) == 45, "nothing is lost either way"
    assert (late[4] < SECOND_NS // 2) is may_slow, "after the frames on the belt the file waits for its watcher"


def test_a_camera_is_not_made_to_wait_and_every_dropped_frame_is_counted() -> None:
    with SourceReader("/dev/camera", options=ReadOptions(places=8), opener=a_camera) as source_reader:
        until(lambda: source_reader.status.received >= 100)  # nobody takes any
        shots = [shot for _ in range(50) if (shot := source_reader.take(1.0)) is not None]
    shots += taken(source_reader)
    assert shots[0].index >= 91  # the oldest were dropped
    assert all(a.index < b.index for a, b in pairwise(shots))
    assert source_reader.status.received - len(shots) - source_reader.dropped in (
        0,
        1,
    )  # one may have come while leaving


def test_the_queue_accounts_for_every_shot() -> None:
    queue, image = FrameQueue(3), av.VideoFrame(16, 16, "yuv420p")
    for i in range(10):
        queue.put(CapturedFrame(i, i, image), may_drop=True)
    queue.close()
    left = [shot.index for _ in range(4) if (shot := queue.take(0)) is not None]
    assert (left, queue.dropped, queue.is_done) == ([7, 8, 9], 7, True)


def test_waiting_doubles_up_to_half_a_minute() -> None:
    assert [ReadOptions().wait_s(tries) for tries in range(1, 9)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert ReadOptions().wait_s(10_000) == 30


def test_a_dead_address_is_tried_again_and_again() -> None:
    with SourceReader("rtsp://me:secret@127.0.0.1:9/table", options=ReadOptions(first_wait_s=0.01)) as source_reader:
        until(lambda: source_reader.status.tries >= 3)
        status = source_reader.status
        assert source_reader.take(0) is None
        assert not source_reader.is_done
    assert status.state in (State.WAITING, State.CONNECTING)
    assert status.why is not None
    assert status.why.startswith("rtsp://127.0.0.1:9/table: cannot be played: ")


def test_a_connection_that_ends_is_made_again_and_time_goes_on(clip: str) -> None:
    with SourceReader(
        "rtsp://camera/1", options=ReadOptions(first_wait_s=0.01), opener=lambda: av.open(clip)
    ) as source_reader:
        shots = [shot for _ in range(200) if (shot := source_reader.take(5.0)) is not None]
    assert len(shots) == 200
    assert all(a.t_ns < b.t_ns for a, b in pairwise(shots))


def test_a_file_that_breaks_off_says_so(tmp_path: Path, clip: str) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(Path(clip).read_bytes()[:200])
    with SourceReader(str(broken), options=AT_ONCE) as source_reader:
        assert taken(source_reader) == []
    assert "broken.mp4: cannot be played" in str(source_reader.status.why)
    with pytest.raises(InputError, match="cannot be played"):
        next(frames(str(broken)))


def test_leaving_does_not_wait_for_what_is_due_later(tmp_path: Path) -> None:
    pictures = [np.full((120, 160, 3), 90, np.uint8)] * 900
    begun = time.monotonic()
    with SourceReader(str(film(tmp_path / "long.mp4", pictures))) as source_reader:
        assert source_reader.take(5.0) is not None
    assert time.monotonic() - begun < 10
