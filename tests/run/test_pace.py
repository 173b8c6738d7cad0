"""The pace of a file that is slowed to what its watcher can keep."""

import pytest

from vision.capture.video import SECOND_NS
from vision.run.pace import PULSES, PaceMeter


@pytest.mark.parametrize(
    ("speeds", "pace"),
    [
        ((), 1.0),  # of one moment nothing can be said
        ((1.0, 1.0, 1.0), 1.0),
        ((0.4, 0.4, 0.4), 0.4),
        ((0.2, 0.6, 0.4), 0.4),  # frames come unevenly
        ((3.0, 3.0), 1.0),  # what waited is caught up with: no faster than itself
        ((1.0,) * 20 + (0.5,) * PULSES, 0.5),  # what was long ago does not count
    ],
)
def test_pace(speeds: tuple[float, ...], pace: float) -> None:
    meter, stream_ns = PaceMeter(), 0
    found = meter.update(0, 0)
    for second, speed in enumerate(speeds, start=1):
        stream_ns += round(speed * SECOND_NS)
        found = meter.update(second * SECOND_NS, stream_ns)
    assert found == pytest.approx(pace, abs=0.01)
