"""Shadows on the felt: outlines of what stands there enter; a black patch leaves, its cover the loss of light.

Hands have shadows of their own, in `sprites`: they come of a sprite's heights.
"""

import cv2
import numpy as np

from studio.art.paint import rounded, truncated, window
from studio.light import Light
from studio.patch import Patch
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture


def cast_shadow(base: Floats, top: Floats, camera: Camera, light: Light, strength: float = 1.0) -> Patch:
    """Return the shadow on the felt of what lies between two outlines: dark where it stands, soft where it falls."""
    towards = np.array(light.towards)
    body = np.concatenate([base, top])
    fallen = body - body[:, 2:] * (towards / max(towards[2], 0.2))
    foot = base * (1, 1, 0)
    scale = camera.scale_px_per_mm(foot.mean(axis=0))
    height = float(body[:, 2].max())
    soft = (0.8 + 0.13 * height * scale, 0.6 + 2.2 * scale)
    shapes = [camera.project(points * (1, 1, 0)) for points in (fallen, foot)]
    margin = int(3 * max(soft)) + 2
    low = np.floor(np.concatenate(shapes).min(axis=0)).astype(int) - margin
    span = np.ceil(np.concatenate(shapes).max(axis=0)).astype(int) + margin + 1 - low
    thrown = (1 - light.ambient / float(light.on(np.array([0.0, 0.0, 1.0])))) * strength
    touch = 0.5 * np.exp(-float(base[:, 2].min()) / 12) * strength
    clear = np.ones((span[1], span[0]), np.float32)
    for shape, blur, dark in zip(shapes, soft, (thrown, touch), strict=True):
        blot = np.zeros(clear.shape, np.uint8)
        hull = cv2.convexHull(((shape - low) * 16).astype(np.int32))
        cv2.fillConvexPoly(blot, hull, (255,), cv2.LINE_AA, 4)
        clear *= 1 - np.float32(dark / 255) * cv2.GaussianBlur(blot, (0, 0), blur)
    return Patch(int(low[0]), int(low[1]), np.zeros((*clear.shape, 3), np.uint8), truncated((1 - clear) * 255))


def box_shadow(corners: Floats, camera: Camera, light: Light, depth: float) -> Patch:
    """Return the shade a box throws on the felt: dark at its foot, soft at its far end."""
    way = np.array(light.towards)
    fallen = corners.copy()
    fallen[:, :2] -= corners[:, 2:] * way[:2] / max(way[2], 0.2)
    fallen[:, 2] = 0
    seen = camera.project(np.concatenate([fallen, corners[:4] * (1, 1, 0)]))
    soft = camera.scale_px_per_mm(corners[0]) * 12
    u, v, width, height = window(seen, camera, int(soft * 3))
    cover: Picture = np.zeros((height, width), np.uint8)
    if cover.size:
        hull = cv2.convexHull((seen - (u, v)).astype(np.float32))
        cv2.fillConvexPoly(cover, np.round(hull).astype(np.int32), round(255 * depth * (1 - light.ambient)) + 40)
        cover = rounded(cv2.GaussianBlur(cover, (0, 0), soft))
    return Patch(u, v, np.zeros((height, width, 3), np.uint8), cover)
