"""Stream time: a file's own, to the tick; a camera's by our clock, at the camera's distances."""

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from vision.capture.stamps import LEAP_NS, CameraStamps, FileStamps, Stamp
from vision.capture.video import SECOND_NS

RTP = Fraction(1, 90_000)
FRAME = 6000  # ticks, a fifteenth of a second
FRAME_NS = SECOND_NS // 15


def test_a_file_keeps_its_ticks() -> None:
    stamp = FileStamps(first=2048).stamp(2048 + 1024, Fraction(1, 15360), arrived_ns=99)
    assert (stamp.ticks, stamp.base, stamp.t_ns) == (1024, Fraction(1, 15360), 66_666_666)
    assert stamp.earlier(2, Fraction(1, 30)) == Stamp(0, Fraction(1, 15360))


@given(jitter_ms=st.lists(st.integers(0, 300), min_size=2, max_size=60))
def test_a_camera_s_frames_are_apart_as_it_says_however_the_network_delays_them(jitter_ms: list[int]) -> None:
    stamps = CameraStamps()
    arrivals = [SECOND_NS + i * FRAME_NS + ms * 1_000_000 for i, ms in enumerate(jitter_ms)]
    times = [stamps.stamp(7_000_000 + i * FRAME, RTP, ns).t_ns for i, ns in enumerate(arrivals)]
    assert all(abs(b - a - FRAME_NS) < 2_000_000 for a, b in pairwise(times))
    assert abs(times[0] - arrivals[0]) < 2000


def test_a_camera_s_clock_that_runs_fast_is_followed() -> None:
    stamps = CameraStamps()
    for i in range(20_000):
        arrived_ns = i * (FRAME_NS - 40_000)  # some 0.06 percent
        t_ns = stamps.stamp(i * FRAME, RTP, arrived_ns).t_ns
    assert abs(t_ns - arrived_ns) < SECOND_NS // 10


def test_a_camera_s_clock_that_leaps_is_another_clock() -> None:
    stamps = CameraStamps()
    stamps.stamp(900_000_000, RTP, SECOND_NS)
    assert abs(stamps.stamp(0, RTP, 2 * SECOND_NS).t_ns - 2 * SECOND_NS) < 2000  # it was started anew
    late_ns = 2 * SECOND_NS + FRAME_NS + LEAP_NS // 2  # a burst after a pause is only late
    assert stamps.stamp(FRAME, RTP, late_ns).t_ns < late_ns - LEAP_NS // 3
