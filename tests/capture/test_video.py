"""Frames of files: all of them, in order, with the time that the file says; or an error that names it."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from vision.capture.video import frames, typical
from vision.values.errors import InputError


def film(path: Path, stamps: list[int]) -> Path:
    """Write a clip whose frames get brighter, with time stamps in thirtieths of a second."""
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.time_base = Fraction(1, 30)
        for i, stamp in enumerate(stamps):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 40 + 10 * i, np.uint8), format="bgr24")
            frame.pts, frame.time_base = stamp, Fraction(1, 30)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def test_time_starts_at_nought_and_follows_the_stamps(tmp_path: Path) -> None:
    clip = film(tmp_path / "clip.mp4", [6, 7, 9, 15])  # begins late, then a frame is missing
    seen = list(frames(str(clip)))
    assert [frame.index for frame in seen] == [0, 1, 2, 3]
    assert [round(frame.t_ns * 30 / 1e9) for frame in seen] == [0, 1, 3, 9]
    assert seen[0].picture.shape == (48, 64, 3)
    assert seen[3].picture.mean() > seen[0].picture.mean()


def test_the_typical_picture_is_what_shows_most_of_the_time(tmp_path: Path) -> None:
    clip = film(tmp_path / "clip.mp4", [0, 15, 30, 45, 60])
    assert typical(str(clip), number=5).mean() == pytest.approx(60, abs=4)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("none.mp4", None, "cannot be played"),  # no such file
        ("text.mp4", b"this is no film", "cannot be played"),
        ("empty.mp4", b"", "cannot be played"),
    ],
)
def test_what_cannot_be_played_is_named(tmp_path: Path, name: str, content: bytes | None, why: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=rf"{name}: {why}"):
        next(frames(str(path)))
