"""Boxes with surfaces: corners in millimetres and a picture for each face enter; patches of the faces one sees leave.

The surfaces are those of the table's furniture: plates of plastic, a shuffler's panel, the mouth that hands out cards.
"""

import cv2
import numpy as np

from studio.art.felt_press import word_mask
from studio.art.paint import Field, clouds, nothing, patch_of, rounded, window
from studio.light import Light
from studio.patch import Patch
from vision.table.layout import Shape
from vision.values.geometry import Camera, Floats

GREYS = ("#18191b", "#232427", "#2f3033", "#101112", "#3a3b3f")  # of metal and plastic
_FACES = ((0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (3, 2, 1, 0), (7, 6, 5, 4))  # seen from outside


def box_of(shape: Shape) -> tuple[float, float, float, float]:
    """Return left, right, low and high of a place."""
    x, y = np.array(shape.corners).T
    return float(x.min()), float(x.max()), float(y.min()), float(y.max())


def box_corners(left: float, right: float, low: float, high: float, base: float, tops: tuple[float, ...]) -> Floats:
    """Return a box's eight corners: below, then above, each from the dealer's left and counter-clockwise."""
    ground = ((left, low), (right, low), (right, high), (left, high))
    below = [(x, y, base) for x, y in ground]
    return np.array(below + [(x, y, top) for (x, y), top in zip(ground, tops, strict=True)])


def solid(corners: Floats, faces: list[Field], camera: Camera, light: Light) -> list[Patch]:
    """Return the faces of a box that look at the camera; the last texture is the top's, its first row the far edge."""
    patches = []
    for picks, texture in zip(_FACES, faces, strict=True):
        quad = corners[list(picks)]
        normal = np.cross(quad[1] - quad[0], quad[3] - quad[0])
        normal = (normal if picks != _FACES[5] else -normal) / np.linalg.norm(normal)
        if normal @ (np.array(camera.position_mm) - quad[0]) > 0:
            lit = texture.copy()
            lit[..., :3] *= float(light.on(normal))
            patches.append(_face(quad if picks == _FACES[5] else quad[[3, 2, 1, 0]], lit, camera))
    return patches


def _face(quad: Floats, texture: Field, camera: Camera) -> Patch:
    """Return a flat picture (BGR and cover) in space: upper left, upper right, lower right, lower left."""
    seen = camera.project(quad)
    u, v, width, height = window(seen, camera, 1)
    if not width or not height:
        return nothing()
    rows, columns = texture.shape[:2]
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    target = ((seen - (u, v) + 0.5) * 2 - 0.5).astype(np.float32)  # twice as fine, then averaged: smooth edges
    turning = cv2.getPerspectiveTransform(source, target)
    weighted = texture.copy()
    weighted[..., :3] *= texture[..., 3:] / 255
    fine = cv2.warpPerspective(weighted, turning, (width * 2, height * 2), flags=cv2.INTER_LINEAR)
    return patch_of(np.asarray(fine, np.float32), 2, (u, v))


def plastic_plate(colour: Floats, cover: float, rng: np.random.Generator, gloss: float) -> Field:
    """Return a plate of plastic: a gleam across, scuffs, bright edges."""
    rows, columns = 120, 160
    face = np.zeros((rows, columns, 4), np.float32)
    face[..., :3] = colour * (1 + 0.025 * clouds(rng, (rows, columns), 12))[..., None]
    across = np.linspace(0, 1, columns)[None, :] + np.linspace(0, 0.5, rows)[:, None]
    gleam = np.exp(-(((across - rng.uniform(0.2, 1.3)) / 0.16) ** 2))
    face[..., :3] += (gleam * 90 * gloss)[..., None]
    face[..., 3] = 255 * np.clip(cover + 0.15 * gleam * gloss, 0, 1)
    for edge in (face[:2], face[-2:], face[:, :2], face[:, -2:]):
        edge[..., :3] = edge[..., :3] * 1.12 + 12
        edge[..., 3] = np.maximum(edge[..., 3], 190)
    return face


def top_panel(colour: Floats, rng: np.random.Generator) -> Field:
    """Return a shuffler's top: a seam, a window, a display, a button and a lamp."""
    face = rounded(plastic_plate(colour, 1.0, rng, gloss=0.35))
    dark, pale = (colour * 0.45).tolist(), (colour * 1.3 + 30).tolist()
    cv2.rectangle(face, (14, 40), (146, 108), [*pale, 255], 1, cv2.LINE_AA)
    cv2.rectangle(face, (24, 48), (136, 100), [*dark, 255], -1)
    cv2.rectangle(face, (30, 12), (78, 30), [70, 120, 40, 255] if rng.random() < 0.5 else [150, 110, 60, 255], -1)
    letters = word_mask("READY", 12, "sans", 600)[3:21, 2:50, None]
    face[12 : 12 + letters.shape[0], 30 : 30 + letters.shape[1], :3] += letters // 3
    cv2.circle(face, (100, 21), 6, [40, 40, 190, 255], -1, cv2.LINE_AA)
    cv2.circle(face, (122, 21), 4, [110, 255, 120, 255], -1, cv2.LINE_AA)
    return face.astype(np.float32)


def mouth_panel(colour: Floats, rng: np.random.Generator) -> Field:
    """Return the slope on which cards come out: a dark slot, a thumb's notch, rollers."""
    face = rounded(plastic_plate(colour * 0.9, 1.0, rng, gloss=0.4))
    cv2.rectangle(face, (36, 20), (124, 104), [12, 12, 13, 255], -1)
    for u in (52, 80, 108):
        cv2.rectangle(face, (u - 6, 74), (u + 6, 88), [*(colour * 1.6 + 40).tolist(), 255], -1)
    cv2.ellipse(face, (80, 20), (16, 14), 0, 0, 180, [*(colour * 1.2 + 12).tolist(), 255], -1, cv2.LINE_AA)
    return face.astype(np.float32)
