"""What stands on a table for good: a layout and a camera enter; patches of tray, rack and shuffler or shoe leave."""

import numpy as np

from studio.art.paint import bgr
from studio.art.shadows import box_shadow
from studio.art.solids import GREYS, box_corners, box_of, mouth_panel, plastic_plate, solid, top_panel
from studio.art.tray import paint_tray
from studio.light import Light
from studio.patch import Patch
from vision.table.layout import Layout, Shape
from vision.values.chips import ChipSet
from vision.values.geometry import Camera

RACKS = ("#b01820", "#c8ccd0", "#20242a", "#8a1016")  # red or clear acrylic, black plastic


def paint_furniture(
    layout: Layout, camera: Camera, chips: ChipSet, light: Light, rng: np.random.Generator
) -> list[Patch]:
    """Return chip tray, discard rack and shuffler as the camera has them, lowest first; they cover from the felt up."""
    dealer = layout.dealer
    tray = paint_tray(dealer.tray, camera, chips, light, rng)
    rack = _paint_rack(dealer.discard, camera, light, rng)
    maker = _paint_shuffler if rng.random() < 0.6 else _paint_shoe
    return [patch for patch in (*tray, *rack, *maker(dealer.shoe, camera, light, rng)) if patch.cover.size]


def _paint_rack(shape: Shape, camera: Camera, light: Light, rng: np.random.Generator) -> list[Patch]:
    """Return the discard rack: a floor and three walls of plastic, open to the dealer."""
    left, right, low, high = box_of(shape)
    tall, wall = float(rng.uniform(60, 115)), 5.0
    colour, clear = np.array(bgr(str(rng.choice(RACKS))), float), float(rng.uniform(0.35, 0.8))
    plates = [(left, right, low, high, 0.0, 4.0, 0.9), (left, left + wall, low, high, 4.0, tall, clear)]
    plates += [(right - wall, right, low, high, 4.0, tall, clear), (left, right, high - wall, high, 4.0, tall, clear)]
    patches = [box_shadow(box_corners(left, right, low, high, 0, (tall,) * 4), camera, light, 0.6)]
    order = sorted(plates, key=lambda plate: -_distance(camera, plate))
    for plate in sorted(order, key=lambda plate: plate[4]):
        corners = box_corners(*plate[:4], plate[4], (plate[5],) * 4)
        patches += solid(corners, [plastic_plate(colour, plate[6], rng, gloss=0.5)] * 6, camera, light)
    return patches


def _distance(camera: Camera, plate: tuple[float, ...]) -> float:
    middle = ((plate[0] + plate[1]) / 2, (plate[2] + plate[3]) / 2, plate[5])
    return float(np.linalg.norm(np.subtract(middle, camera.position_mm)))


def _paint_shuffler(shape: Shape, camera: Camera, light: Light, rng: np.random.Generator) -> list[Patch]:
    """Return a shuffling machine: a dark box with a panel, and a lower mouth towards the table that hands out cards."""
    left, right, low, high = box_of(shape)
    tall, split = float(rng.uniform(90, 150)), high - 75
    colour = np.array(bgr(str(rng.choice(GREYS))), float)
    side = plastic_plate(colour, 1.0, rng, gloss=0.25)
    body = box_corners(left, right, low, split, 0, (tall,) * 4)
    mouth = box_corners(left + 20, right - 20, split, high, 0, (tall * 0.6, tall * 0.6, 26, 26))
    patches = [box_shadow(body, camera, light, 0.75), box_shadow(mouth, camera, light, 0.5)]
    parts = [(mouth, [side] * 5 + [mouth_panel(colour, rng)]), (body, [side] * 5 + [top_panel(colour, rng)])]
    if camera.position_mm[1] > split:
        parts.reverse()
    for corners, faces in parts:
        patches += solid(corners, faces, camera, light)
    return patches


def _paint_shoe(shape: Shape, camera: Camera, light: Light, rng: np.random.Generator) -> list[Patch]:
    """Return a dealing shoe: a wedge that falls towards the table, the next card's back in its mouth."""
    left, right, low, high = box_of(shape)
    mid, tall = (left + right) / 2, float(rng.uniform(95, 135))
    colour = np.array(bgr(str(rng.choice(GREYS))), float)
    side, lid = plastic_plate(colour, 1.0, rng, gloss=0.35), plastic_plate(colour * 1.2, 1.0, rng, gloss=0.8)
    wedge = box_corners(mid - 52, mid + 52, low, high - 20, 0, (tall, tall, 45, 45))
    lip = box_corners(mid - 52, mid + 52, high - 20, high, 0, (45, 45, 6, 6))
    parts = [(lip, [side] * 5 + [mouth_panel(colour, rng)]), (wedge, [side] * 5 + [lid])]
    if camera.position_mm[1] > high:
        parts.reverse()
    patches = [box_shadow(wedge, camera, light, 0.75)]
    for corners, faces in parts:
        patches += solid(corners, faces, camera, light)
    return patches
