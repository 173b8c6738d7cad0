"""How well a table is seen, on pictures of a sample's felt with things on it: what is in the way, and what is not."""

from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.attention.change import Grid
from vision.attention.tile_zones import TileZones
from vision.attention.trouble import BLOCKED, DEGRADED
from vision.attention.view import VIEW_CHECK_NS, ViewWatch
from vision.capture.video import Frame, frames
from vision.table.artwork import expected, read_artwork
from vision.table.table import Table, read_table
from vision.table.zones import ZoneMap
from vision.values.picture import Picture

SAMPLES = Path(__file__).parents[2] / "datasets" / "samples"
NAMES = ("clean", "exposed-dealer-card", "mispay")
Change = Callable[[Picture], Picture]


@cache
def table(name: str) -> Table:
    return read_table(SAMPLES / name)


@cache
def filmed(name: str) -> Frame:
    """Return a picture of the sample's video, some seconds after its beginning."""
    return next(frame for frame in frames(str(SAMPLES / name / "video.mp4")) if frame.index == 60)


def watch(name: str) -> ViewWatch:
    one = table(name)
    grid = Grid(one.camera.lens.width, one.camera.lens.height)
    ground = TileZones(grid, one.camera, ZoneMap(one.layout))
    artwork = read_artwork(one.layout_folder, one.layout)
    return ViewWatch(expected(artwork, one.camera), grid, ground.watched, ground.dealers)


def code_of(watching: ViewWatch, t_ns: int, picture: Picture) -> str | None:
    trouble = watching.update(t_ns, np.asarray(picture, np.uint8), ())
    return None if trouble is None else trouble.code


def blurred(by_px: float) -> Change:
    return lambda picture: np.asarray(cv2.GaussianBlur(picture, (0, 0), by_px), np.uint8)


def lit(times: float, plus: float = 0.0) -> Change:
    return lambda picture: np.clip(picture * times + plus, 0, 255).astype(np.uint8)


def noisy(levels: float) -> Change:
    random = np.random.default_rng(1)
    return lambda picture: np.clip(picture + random.normal(0, levels, picture.shape), 0, 255).astype(np.uint8)


def covered(share: float, grey: int = 30) -> Change:
    """Return what puts something plain over so much of the picture's width and height, around its middle."""

    def change(picture: Picture) -> Picture:
        height, width = picture.shape[:2]
        v, u = (round(side * (1 - share) / 2) for side in (height, width))
        result = picture.copy()
        result[v : height - v, u : width - u] = grey
        return result

    return change


CHANGES: dict[str, tuple[Change, str | None]] = {
    "as it is": (lit(1.0), None),
    "a little darker": (lit(0.7), None),  # lamps age, clouds pass
    "a little brighter": (lit(1.2), None),
    "some noise": (noisy(5), None),
    "hardly unsharp": (blurred(0.7), None),
    "a hand": (covered(0.15), None),
    "unsharp": (blurred(3), DEGRADED),
    "far out of focus": (blurred(8), DEGRADED),
    "too dark": (lit(0.3), DEGRADED),
    "nearly black": (lit(0.05), DEGRADED),  # the print can still be made out
    "fog": (lit(0.3, 150), DEGRADED),
    "much noise": (noisy(60), DEGRADED),
    "nothing but noise": (lambda p: np.random.default_rng(2).integers(0, 255, p.shape, np.uint8), DEGRADED),
    "a body": (covered(0.6), BLOCKED),
    "a cloth": (covered(0.8, 200), BLOCKED),
    "a lens cover": (lit(0.0), BLOCKED),
    "a grey cover": (covered(1.0, 90), BLOCKED),
}


@pytest.mark.parametrize(("name", "what"), [*product(NAMES, CHANGES)])
def test_what_is_in_the_way(name: str, what: str) -> None:
    watching, (change, code) = watch(name), CHANGES[what]
    assert code_of(watching, 0, filmed(name).picture) is None
    assert code_of(watching, VIEW_CHECK_NS, change(filmed(name).picture)) == code
    assert code_of(watching, 2 * VIEW_CHECK_NS, filmed(name).picture) is None


@pytest.mark.parametrize("what", ["unsharp", "far out of focus", "too dark", "fog", "a body", "a lens cover"])
def test_a_stream_may_begin_so(what: str) -> None:
    """The print itself says what is needed."""
    change, code = CHANGES[what]
    assert code_of(watch("clean"), 0, change(filmed("clean").picture)) == code


@pytest.mark.parametrize("levels", [8.0, 20.0])
def test_noise_that_an_encoder_smooths_away_was_not_sharpness(levels: float) -> None:
    """The first pictures of a stream are encoded with all their noise; in 4K the rest was taken for blurred."""
    watching, picture = watch("clean"), filmed("clean").picture
    assert code_of(watching, 0, noisy(levels)(picture)) is None
    assert code_of(watching, VIEW_CHECK_NS, picture) is None
    assert code_of(watching, 2 * VIEW_CHECK_NS, blurred(3)(picture)) == DEGRADED


def test_between_two_looks_it_knows_what_it_knew() -> None:
    watching, picture = watch("clean"), filmed("clean").picture
    assert code_of(watching, 0, picture) is None
    assert code_of(watching, VIEW_CHECK_NS - 1, np.zeros_like(picture)) is None
    assert code_of(watching, VIEW_CHECK_NS, np.zeros_like(picture)) == BLOCKED
    assert code_of(watching, VIEW_CHECK_NS + 1, picture) == BLOCKED


def test_what_lies_on_the_table_is_not_in_the_way() -> None:
    """A table full of things that are known is no blocked view; the same things unknown are one."""
    picture = expected(read_artwork(table("clean").layout_folder, table("clean").layout), table("clean").camera).picture
    full = picture.copy()
    boxes = [
        (u, v, u + 60, v + 80) for u in range(0, full.shape[1] - 60, 90) for v in range(0, full.shape[0] - 80, 110)
    ]
    for left, top, right, bottom in boxes:
        full[top:bottom, left:right] = (230, 235, 240)
    watching = watch("clean")
    assert watching.update(0, picture, ()) is None
    assert watching.update(VIEW_CHECK_NS, full, boxes) is None
    assert code_of(watching, 2 * VIEW_CHECK_NS, full) == BLOCKED


def test_light_that_stays_dimmer_becomes_usual() -> None:
    watching, picture = watch("clean"), filmed("clean").picture
    dim = lit(0.45)(picture)
    codes = [code_of(watching, i * VIEW_CHECK_NS, picture if i == 0 else dim) for i in range(200)]
    assert codes[:3] == [None, DEGRADED, DEGRADED]
    assert codes[-1] is None
