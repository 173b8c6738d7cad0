"""Felts as a camera sees them, without the simulator: the print of a shipped layout, things on it, light and noise."""

from functools import cache

import cv2
import numpy as np

from vision.table.artwork import Artwork, expected, read_artwork
from vision.table.layout import Layout, read_layout
from vision.values.geometry import Camera, Floats, Lens
from vision.values.picture import Picture
from vision.values.resources import shipped


@cache
def felt(name: str) -> tuple[Layout, Artwork]:
    folder = shipped("calibration") / "layouts" / name
    layout = read_layout(folder)
    return layout, read_artwork(folder, layout)


def camera(tilt_mm: float = 600.0, roll_deg: float = 0.0, focal_px: float = 1700.0, k1: float = -0.05) -> Camera:
    """Return a camera over the players' side that looks at the middle of a table."""
    lens = Lens(1920, 1080, focal_px, 959.5, 539.5, k1)
    return Camera.looking_at(lens, (120.0, 480.0 + tilt_mm, 2300.0), (20.0, 480.0, 0.0), roll_deg)


def scene(name: str, seen_by: Camera, seed: int, things: int = 60, light: float = 1.0) -> Picture:
    """Return a picture of a felt with round and square things all over it, in other light, with noise."""
    rng = np.random.default_rng(seed)
    picture = expected(felt(name)[1], seen_by).picture.copy()
    for _ in range(things):
        middle = tuple(int(n) for n in rng.uniform([100, 100], [1820, 980]))
        colour = tuple(float(c) for c in rng.uniform(0, 255, 3))
        if rng.random() < 0.5:
            cv2.circle(picture, middle, int(rng.uniform(15, 40)), colour, -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints((middle, (55, 78), float(rng.uniform(0, 90)))).astype(np.int32)
            cv2.fillPoly(picture, [box], colour, cv2.LINE_AA)
    warm = picture * np.array([0.8, 0.95, 1.05]) * light + rng.normal(0, 4, picture.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(warm, (0, 0), 0.7), 0, 255), np.uint8)


def spots_off_mm(found: Camera, true: Camera, layout: Layout) -> Floats:
    """Return how far from their places a camera puts the spots that the true one sees."""
    places = np.array([shape.centre for seat in layout.seat for shape in seat.spots.values()])
    pixels = true.project(np.c_[places, np.zeros(len(places))])
    return np.asarray(np.linalg.norm(found.place(pixels)[:, :2] - places, axis=1))
