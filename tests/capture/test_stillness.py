"""Frozen pictures: what has no noise even across a key frame, and nothing else."""

from pathlib import Path

import av
import pytest
from films import Codec, film, frozen, noisy

from vision.capture.stillness import FROZEN_NS, StillWatch
from vision.capture.video import SECOND_NS

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"


def since(path: Path) -> list[float | None]:
    """Return for each frame since which second the picture is frozen."""
    watch, told = StillWatch(), []
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            frozen_ns = watch.update(int((frame.time or 0.0) * SECOND_NS), frame)
            told.append(None if frozen_ns is None else round(frozen_ns / SECOND_NS, 2))
    return told


@pytest.mark.parametrize("codec", ["libx264", "mpeg4", "mjpeg"])
def test_a_frozen_picture_is_found_and_its_thaw(tmp_path: Path, codec: Codec) -> None:
    pictures = [*noisy(30), *frozen(105), *noisy(20, seed=5)]
    told = since(film(tmp_path / "film.mov", pictures, codec=codec))
    first = told.index(2.0)
    assert first == pytest.approx(30 + FROZEN_NS * 15 / SECOND_NS, abs=1)  # five seconds after it froze
    assert set(told[first:135]) == {2.0}
    assert set(told[135:]) == {None}
    assert set(told[:first]) == {None}


def test_a_still_table_is_not_frozen(tmp_path: Path) -> None:
    pictures = list(noisy(150))
    for picture in pictures:
        picture[50:66] = 90  # nothing moves but the sensor's noise
    assert set(since(film(tmp_path / "film.mov", pictures))) == {None}


def test_what_an_encoder_leaves_out_between_key_frames_is_not_held_against_the_camera(tmp_path: Path) -> None:
    still = film(tmp_path / "film.mov", frozen(150), key_every=1000)
    assert set(since(still)) == {None}


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["clean", "mispay", "exposed-dealer-card"])
def test_the_samples_never_seem_frozen(sample: str) -> None:
    assert set(since(SAMPLES / sample / "video.mp4")) == {None}
