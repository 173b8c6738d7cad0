"""How fast footage and stills of each view class are made, on one core, next to drawing every frame whole."""

import io
import tempfile
from pathlib import Path
from time import process_time  # of this process alone: the machine may be busy

import numpy as np

from studio.film.filmset import FilmSet
from studio.film.gallery import PER_LOOK, Easel
from studio.film.look import Look
from studio.film.production import Order, act, fitting_sheet, house_sheet, ordered_look, planned_mishaps, shoot
from studio.film.sensor import Sensor
from studio.scene import Story
from vision.capture.video import SECOND_NS
from vision.footage.mp4 import VideoWriter, surveillance_coding

FRAMES, WHOLE = 150, 10


def measure(view: str) -> dict[str, object]:
    """Return frames and stills per second of a view class."""
    order = Order(rounds=1, seed=3, seats=(1, 3, 5), view=view)
    film_set = FilmSet(ordered_look(order))
    lens = film_set.look.camera.lens
    story, _ = act(order, fitting_sheet(house_sheet(order.house), film_set), film_set)
    start = process_time()
    _ = film_set.empty_table
    building = process_time() - start
    filmed = _filming(story, film_set, order)
    whole = _drawing_whole(story, film_set, order)
    return {
        "bench": "simulate",
        "view": view,
        "frames_per_second": round(filmed, 1),
        "frames_per_second_drawn_whole": round(whole, 1),
        "ratio": round(filmed / whole, 1),
        "stills_per_second": round(_stills(film_set.look), 1),
        "seconds_to_build_a_look": round(building, 1),
        "resolution": f"{lens.width}x{lens.height}",
    }


def _filming(story: Story, film_set: FilmSet, order: Order) -> float:
    """Film the beginning of a story to a file, truth and all; the second half is timed, with warm caches."""
    part = Story(story.actors, FRAMES / order.fps)
    with tempfile.TemporaryDirectory() as folder:
        shoot(
            part,
            film_set,
            planned_mishaps(order, part, film_set.look),
            Path(folder) / "warm.mp4",
            io.StringIO(),
            _silent,
        )
        start = process_time()
        shoot(
            part,
            film_set,
            planned_mishaps(order, part, film_set.look),
            Path(folder) / "timed.mp4",
            io.StringIO(),
            _silent,
        )
        return FRAMES / (process_time() - start)


def _drawing_whole(story: Story, film_set: FilmSet, order: Order) -> float:
    """Draw frames the plain way: everything, every time."""
    lens = film_set.look.camera.lens
    rng = np.random.default_rng(1)
    sensor = Sensor(film_set.look.sensor, (lens.width, lens.height), rng)
    with tempfile.TemporaryDirectory() as folder:
        start = process_time()
        coding = surveillance_coding(order.fps, 5000)
        with VideoWriter(Path(folder) / "whole.mp4", (lens.width, lens.height), coding) as video:
            for i in range(WHOLE):
                maker = film_set.frames()
                maker.show(story.at(5 + i / order.fps))
                video.write(sensor.develop_whole(maker.picture, 0.0), i * SECOND_NS // order.fps)
        return WHOLE / (process_time() - start)


def _stills(look: Look) -> float:
    """Draw stills with their labels, the look's own building included as it comes once in so many."""
    start = process_time()
    easel = Easel(look)
    for _ in range(PER_LOOK):
        easel.draw()
    return PER_LOOK / (process_time() - start)


def _silent(done: int, total: int) -> None:
    """Tell nobody."""
