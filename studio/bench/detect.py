"""How fast the detectors are on a 1080p picture, beside a plain Ultralytics model: one thread, one run."""

from collections.abc import Callable
from time import process_time  # of this process alone: the machine may be busy

from studio.film.gallery import Easel
from studio.film.look import Choice, choose_look
from studio.learn.finder.things import chip_set
from studio.learn.yolo import YoloFinder
from vision.detect.detectors import Detectors
from vision.detect.faces import FaceReader
from vision.detect.finder import Finder
from vision.detect.stacks import StackReader

SEED, TIMES = 9000, 7


def measure() -> dict[str, object]:
    """Return milliseconds for each part and for the whole, and how they compare."""
    look = choose_look(SEED, Choice("test"))
    picture, _ = Easel(look).draw()
    chips = chip_set(look.chips)
    finder, faces, stacks, eyes, baseline = Finder(), FaceReader(), StackReader(), Detectors(), YoloFinder()
    found = finder.look(picture)
    cards = [thing.quad for thing in found if thing.kind == "card_up"]
    heaps = [thing for thing in found if thing.kind == "stack"]
    parts: dict[str, Callable[[], object]] = {
        "finder": lambda: finder.look(picture),
        "faces": lambda: faces.read(picture, cards),
        "stacks": lambda: stacks.read(picture, heaps, chips, look.camera),
        "whole": lambda: eyes.detect(picture, chips, look.camera),
        "baseline": lambda: baseline.look(picture),
    }
    ms = {name: _milliseconds(work) for name, work in parts.items()}
    return {
        "bench": "detect",
        "picture": "1920x1080, one thread",
        "finder_ms": ms["finder"],
        "faces_ms": ms["faces"],
        "cards": len(cards),
        "stacks_ms": ms["stacks"],
        "stacks": len(heaps),
        "whole_frame_ms": ms["whole"],
        "ultralytics_n_640_ms": ms["baseline"],
        "finder_to_ultralytics": round(ms["finder"] / ms["baseline"], 2),
    }


def _milliseconds(work: Callable[[], object]) -> float:
    """Return the median time of a few runs, the first of which only warms up."""
    times = []
    for _ in range(TIMES + 1):
        start = process_time()
        work()
        times.append(process_time() - start)
    return round(sorted(times[1:])[TIMES // 2] * 1000, 1)
