"""Cameras over a table: chance, a felt and a view class enter; a hung, zoomed camera leaves."""

from typing import Final

import numpy as np

from vision.table.layout import Layout
from vision.table.mounting import SIZES, Mounting, aimed, felt_middle, fitted
from vision.table.views import ViewClass, measure_view, view_class, view_classes
from vision.values.geometry import Camera, Lens

MIXED: Final = "mixed"  # a view class by its share
LEVEL_DEG: Final = 2.5  # how far from level people leave a camera
TRIES: Final = 40


def choose_view(name: str, rng: np.random.Generator) -> ViewClass:
    """Return a view class by its name; a mixed one is drawn by the shares of the classes."""
    if name != MIXED:
        return view_class(name)
    classes = view_classes()
    return classes[int(rng.choice(len(classes), p=[view.filming.share for view in classes]))]


def class_camera(rng: np.random.Generator, layout: Layout, view: ViewClass) -> Camera:
    """Hang a camera of a class; a draw whose view falls into another class is drawn again."""
    for _ in range(TRIES):
        camera = _drawn_camera(rng, layout, view)
        if measure_view(camera, layout).name == view.name:
            return camera
    raise ValueError(f"{layout.name}: no camera of the class {view.name!r} in {TRIES} draws")


def _drawn_camera(rng: np.random.Generator, layout: Layout, view: ViewClass) -> Camera:
    filming = view.filming
    mounting = Mounting(
        tilt_deg=float(rng.uniform(*filming.tilt_deg)),
        azimuth_deg=float(rng.uniform(-filming.azimuth_deg, filming.azimuth_deg)),
        distance_mm=float(rng.uniform(*filming.distance_mm)),
    )
    lens = random_lens(rng, SIZES[str(rng.choice(filming.sizes))])
    return fitted(aimed(mounting, layout, lens, float(rng.normal(0, LEVEL_DEG))), layout)


def random_lens(rng: np.random.Generator, size: tuple[int, int]) -> Lens:
    """Return a lens of surveillance cameras: most bend lines a little outwards."""
    width, height = size
    k1 = float(rng.uniform(-0.12, 0.04))
    return Lens(width, height, 1000.0, (width - 1) / 2, (height - 1) / 2, k1, float(rng.uniform(-0.01, 0.02)))


def random_camera(
    rng: np.random.Generator, layout: Layout, size: tuple[int, int], free_roll: float | None = None
) -> Camera:
    """Hang a camera above the table, 0 to 45 degrees off the vertical, level or turned, and zoom it to the felt."""
    width, height = size
    tilt = np.radians(rng.uniform(0, 45) * rng.uniform(0.3, 1))
    around = rng.uniform(0, 2 * np.pi)
    distance = rng.uniform(2000, 4000)
    middle = felt_middle(layout)
    position = (
        float(distance * np.sin(tilt) * np.cos(around)),
        float(middle[1] + distance * np.sin(tilt) * np.sin(around)),
        float(distance * np.cos(tilt)),
    )
    level = _level_roll(Camera.looking_at(Lens(width, height, 1000, width / 2, height / 2), position, middle))
    roll = level + float(rng.normal(0, 6)) + (180 if rng.random() < 0.3 else 0)
    lens = random_lens(rng, size)
    return fitted(Camera.looking_at(lens, position, middle, roll if free_roll is None else free_roll), layout)


def _level_roll(camera: Camera) -> float:
    """Return the roll at which the table's long side lies along the picture's."""
    right = camera.project([[100.0, 500.0, 0.0]])[0] - camera.project([[-100.0, 500.0, 0.0]])[0]
    return float(np.degrees(np.arctan2(right[1], right[0])))
