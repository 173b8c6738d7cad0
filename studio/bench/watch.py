"""How fast a table is watched: decoding alone (the limit), our whole pipeline, and a detector on every frame instead.

Filmed for it: rounds at two sizes and with few and many seats. Times are of this process on one core, per frame.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time  # of this process alone: the machine may be busy
from typing import Final

from studio.film.production import Order, film
from studio.learn.yolo import YoloFinder
from studio.suites.filmed import VIDEO
from vision.capture.video import Frame, frames
from vision.pipeline import Pipeline
from vision.table.table import read_table

SEED, FPS = 61, 15
SIZES: Final = ("720p", "1080p")
SEATS: Final = ((4,), (1, 3, 5, 7))
EVERY: Final = 20  # of the frames the detector is timed on one in so many: each costs the same


def measure(step: Callable[[str], None]) -> Iterator[dict[str, object]]:
    """Yield milliseconds a frame for each size and number of seats."""
    for size in SIZES:
        for seats in SEATS:
            step(f"{size}, seats {', '.join(map(str, seats))}")
            with tempfile.TemporaryDirectory() as folder:
                yield _measured(Path(folder), size, seats)


def steps() -> int:
    """Return how many rounds are filmed."""
    return len(SIZES) * len(SEATS)


def _measured(folder: Path, size: str, seats: tuple[int, ...]) -> dict[str, object]:
    order = Order(rounds=1, seed=SEED, seats=seats, size=size, fps=FPS, split="test", truth_every=FPS)
    film(order, folder, lambda *_: None)
    source = str(folder / VIDEO)
    count, decoding = _timed(source, lambda _: None)
    _, watching = _timed(source, _watcher(folder))
    detecting = decoding + _detector_ms(source)
    return {
        "bench": "watch",
        "size": size,
        "seats": len(seats),
        "frames": count,
        "decode_ms": round(decoding, 1),
        "whole_pipeline_ms": round(watching, 1),
        "ultralytics_n_640_on_every_frame_ms": round(detecting, 1),
        "times_faster_than_every_frame": round(detecting / watching, 2),
        "share_of_decode_only_speed": round(decoding / watching, 2),
        "times_real_time_at_15_fps": round(1000 / FPS / watching, 2),
    }


def _watcher(folder: Path) -> Callable[[Frame], object]:
    """Return what is done with every frame of a table."""
    return Pipeline.of(read_table(folder)).update


def _timed(source: str, work: Callable[[Frame], object]) -> tuple[int, float]:
    """Return how many frames there are, and the milliseconds that each takes with what is done with it."""
    start, count = process_time(), 0
    for frame in frames(source):
        work(frame)
        count += 1
    return count, (process_time() - start) / count * 1000


def _detector_ms(source: str) -> float:
    """Return the milliseconds of a plain detector on a frame."""
    baseline, spent, times = YoloFinder(), 0.0, 0
    for frame in frames(source):
        if frame.index % EVERY == 0:
            start = process_time()
            baseline.look(frame.picture)
            spent, times = spent + process_time() - start, times + 1
    return spent / times * 1000
