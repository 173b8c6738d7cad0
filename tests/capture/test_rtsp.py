"""A real RTSP server (GStreamer's), cut and resumed: frames stop, and come again with the time that has passed."""

from itertools import pairwise
from pathlib import Path

from films import film, noisy, until
from rtsp import Server, needs_rtsp_server

from vision.capture.source_reader import ReadOptions, SourceReader, State
from vision.capture.video import SECOND_NS

pytestmark = needs_rtsp_server


def test_a_network_camera_is_read_lost_and_found_again(tmp_path: Path) -> None:
    server = Server(film(tmp_path / "film.mp4", noisy(600)))
    with server.running(), SourceReader(server.address, options=ReadOptions(first_wait_s=0.1)) as source_reader:
        first = [shot for _ in range(30) if (shot := source_reader.take(10.0)) is not None]
        server.cut()
        until(lambda: source_reader.status.state is State.WAITING)
        assert source_reader.status.why is not None
        while source_reader.take(0.0) is not None:
            pass
        server.resume()
        again = [shot for _ in range(15) if (shot := source_reader.take(40.0)) is not None]
        found = source_reader.status
    assert (found.state, found.tries, found.why) == (State.READING, 0, None)
    assert (len(first), len(again), source_reader.dropped) == (30, 15, 0)
    spacing = [b.t_ns - a.t_ns for a, b in pairwise(first)]
    assert all(abs(gap - SECOND_NS // 15) < 5_000_000 for gap in spacing)
    assert again[0].t_ns > first[-1].t_ns
    assert [shot.index for shot in again] == list(range(again[0].index, again[0].index + 15))
