"""Camera fitness as a picture: a Fitness enters; the felt from above, coloured by what can be proved where, leaves."""

from typing import Final

import cv2
import numpy as np

from vision.calibrate.fitness import STACK, Fitness, PlaceFitness, largest_exact
from vision.table.artwork import Artwork
from vision.table.layout import Layout
from vision.table.views import edge_px
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture
from vision.values.sizes import CHIP_DIAMETER_MM

STEP_MM: Final = 20.0
STRENGTH: Final = 0.6  # of the colour over the felt
BAD, FAIR, FINE = (60, 60, 220), (60, 200, 240), (80, 190, 70)
GREEN_FROM_CHIPS: Final = 10  # chips; from here on a place is as green as it gets
SPOT_TEXT, CARD_TEXT = 0.75, 0.6
FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
LEGEND: Final = (
    "largest stack counted exactly: red 0, yellow 5, green 10 and more; red ring: hidden behind a stack of 5"
)


def draw_fitness(fitness: Fitness, camera: Camera, artwork: Artwork, layout: Layout, thickness_mm: float) -> Picture:
    """Return the felt coloured by the largest stack that is counted exactly; places have their numbers."""
    sheet = _tinted(camera, artwork, layout, thickness_mm)
    for place in fitness.cards:
        _outline(sheet, place, artwork)
        _write(sheet, f"index: {place.reads_index}", _at(artwork, place), CARD_TEXT)
    for place in fitness.spots:
        _draw_spot(sheet, place, artwork)
    _write(sheet, f"{fitness.view.name} view: {LEGEND}", (sheet.shape[1] // 2, sheet.shape[0] - 30), CARD_TEXT)
    return sheet


def _outline(sheet: Picture, place: PlaceFitness, artwork: Artwork) -> None:
    corners = np.rint(artwork.to_px(np.array(place.view.place.shape.corners))).astype(np.int32)
    cv2.polylines(sheet, [corners], True, (255, 255, 255), max(1, round(2 / artwork.mm_per_px)), cv2.LINE_AA)


def colour_of(chips: float) -> tuple[int, int, int]:
    """Return the colour of a largest exact stack: red, yellow, green."""
    share = min(max(chips / GREEN_FROM_CHIPS, 0.0), 1.0) * 2
    low, high, part = (BAD, FAIR, share) if share < 1 else (FAIR, FINE, share - 1)
    blue, green, red = (round(a + (b - a) * part) for a, b in zip(low, high, strict=True))
    return blue, green, red


def _tinted(camera: Camera, artwork: Artwork, layout: Layout, thickness_mm: float) -> Picture:
    width, height = artwork.size_mm
    xs, ys = np.arange(-width / 2, width / 2 + STEP_MM, STEP_MM), np.arange(height, -STEP_MM, -STEP_MM)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    found = [colour_of(number) for number in _exact_at(camera, grid, thickness_mm)]
    coarse = np.array(found, np.float32).reshape(len(ys), len(xs), 3)
    tint = cv2.resize(coarse, (artwork.picture.shape[1], artwork.picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    felt = np.zeros(artwork.picture.shape[:2], np.uint8)
    cv2.fillPoly(felt, [np.rint(artwork.to_px(np.array(layout.outline))).astype(np.int32)], 1)
    mixed = artwork.picture * (1 - STRENGTH) + tint * STRENGTH
    return np.where(felt[..., None] > 0, mixed, artwork.picture * 0.5).astype(np.uint8)


def _exact_at(camera: Camera, places: Floats, thickness_mm: float) -> list[int]:
    edges = edge_px(camera, places, thickness_mm)
    x, y, z = camera.position_mm
    tilts = np.degrees(np.arctan2(np.hypot(places[:, 0] - x, places[:, 1] - y), z))
    return [largest_exact(float(e), float(t), thickness_mm) for e, t in zip(edges, tilts, strict=True)]


def _draw_spot(sheet: Picture, place: PlaceFitness, artwork: Artwork) -> None:
    """Draw a chip on a spot in the spot's colour, with the largest exact stack on it."""
    at, radius = _at(artwork, place), round(CHIP_DIAMETER_MM / 2 / artwork.mm_per_px)
    is_hidden = any(cover.chips <= STACK for cover in place.covers)
    rim, wide = (BAD, 5) if is_hidden else ((20, 20, 20), 2)
    _outline(sheet, place, artwork)
    cv2.circle(sheet, at, radius, colour_of(place.exact), -1, cv2.LINE_AA)
    cv2.circle(sheet, at, radius, rim, max(1, round(wide / artwork.mm_per_px)), cv2.LINE_AA)
    _write(sheet, str(place.exact) if place.view.is_in_picture else "-", at, SPOT_TEXT)


def _at(artwork: Artwork, place: PlaceFitness) -> tuple[int, int]:
    u, v = artwork.to_px(np.array([place.view.place.shape.centre]))[0]
    return round(float(u)), round(float(v))


def _write(sheet: Picture, text: str, at: tuple[int, int], size: float) -> None:
    """Write in the middle of a place, black on white; letters grow with the picture."""
    size *= max(sheet.shape[:2]) / 2200
    thick = max(1, round(2 * size))
    (wide, high), below = cv2.getTextSize(text, FONT, size, thick)
    u, v = at[0] - wide // 2, at[1] + high // 2
    cv2.rectangle(sheet, (u - 3, v - high - 3), (u + wide + 3, v + below), (255, 255, 255), -1)
    cv2.putText(sheet, text, (u, v), FONT, size, (0, 0, 0), thick, cv2.LINE_AA)
