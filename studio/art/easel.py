"""An easel: solids and flat pictures in millimetres enter, in layers from back to front; a patch leaves.

Points are given around a prop's own middle. Beside the easel stand the outlines that props are made of.
"""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from studio.art.paint import Field, dye, tight_patch
from studio.light import Light
from studio.patch import Patch
from studio.scene import Pose
from vision.values.geometry import Camera, Floats
from vision.values.picture import Picture

FINE = 3  # fine pixels to the side of a pixel
Profile = tuple[tuple[float, float], ...]  # radius and height, from the foot up


class Easel:
    """A fine canvas over the part of the frame where a prop is; points are millimetres in the prop's own frame."""

    def __init__(self, camera: Camera, light: Light, pose: Pose, extent_mm: tuple[float, float, float]) -> None:
        self.camera, self.light, self.pose = camera, light, pose
        swing = np.radians(pose.angle)
        self.turned = np.array([[np.cos(swing), np.sin(swing), 0], [-np.sin(swing), np.cos(swing), 0], [0, 0, 1]])
        w, h, z = extent_mm
        box = camera.project(self.world([(a * w / 2, b * h / 2, c) for a in (-1, 1) for b in (-1, 1) for c in (0, z)]))
        self.low = np.floor(box.min(axis=0)).astype(int) - 2
        span = np.ceil(box.max(axis=0)).astype(int) + 3 - self.low
        self.paint = np.zeros((span[1] * FINE, span[0] * FINE, 4), np.float32)  # weighted by its last channel, 0 to 1
        self.layer = np.zeros(self.paint.shape, np.uint8)
        view = np.array(camera.position_mm) - self.world((0, 0, z / 2))
        self.view: Floats = view / np.linalg.norm(view)
        half = self.view + np.array(light.towards)
        self.half: Floats = half / np.linalg.norm(half)
        self.level = float(light.on(np.array([0.0, 0.0, 1.0])))  # how bright what lies flat is

    def world(self, points: ArrayLike) -> Floats:
        """Return points of the prop as points of the table."""
        placed: Floats = np.asarray(points, float) @ self.turned + (self.pose.x, self.pose.y, self.pose.z)
        return placed

    def fine(self, points: ArrayLike) -> Floats:
        """Return where points of the prop are on the canvas."""
        on_canvas: Floats = (self.camera.project(self.world(points)) - self.low + 0.5) * FINE - 0.5
        return on_canvas

    def fill(self, corners: Floats, colour: NDArray[np.floating], alpha: float) -> None:
        """Fill a convex outline, given on the canvas, on the current layer."""
        b, g, r = colour.tolist()  # the fill stops at 255 by itself
        cv2.fillConvexPoly(
            self.layer, np.rint(corners * 16).astype(np.int32), (b, g, r, min(alpha, 255)), cv2.LINE_8, 4
        )

    def flat(self, points: ArrayLike, colour: str, alpha: float = 255, lift: float = 1.0) -> None:
        """Fill a horizontal outline, lit from above."""
        self.fill(self.fine(points), dye(colour) * (self.level * lift), alpha)

    def flush(self) -> None:
        """Lay the current layer over the painting and begin a new one."""
        u, v, wide, high = cv2.boundingRect(cv2.extractChannel(self.layer, 3))
        over, under = self.layer[v : v + high, u : u + wide], self.paint[v : v + high, u : u + wide]
        alpha = over[..., 3:] * np.float32(1 / 255)
        under *= 1 - alpha
        under[..., :3] += over[..., :3] * alpha
        under[..., 3:] += alpha
        over[:] = 0

    def picture(self, corners: ArrayLike, texture: Picture, lift: float = 1.0) -> None:
        """Put a flat picture (BGRA) on the layer: corners upper left, upper right, lower right, lower left."""
        high, wide = texture.shape[:2]
        frame = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
        target = self.fine(corners)
        low = np.maximum(np.floor(target.min(axis=0)).astype(int), 0)
        span = np.minimum(np.ceil(target.max(axis=0)).astype(int) + 1, self.paint.shape[1::-1]) - low
        warp = cv2.getPerspectiveTransform(frame, (target - low).astype(np.float32))
        over = cv2.warpPerspective(texture, warp, (int(span[0]), int(span[1])))
        lit = np.ascontiguousarray(cv2.convertScaleAbs(over, alpha=self.level * lift))
        lit[..., 3] = 255
        window = self.layer[low[1] : low[1] + span[1], low[0] : low[0] + span[0]]
        where = over[..., 3:] > 127  # fine pixels are small enough to be all or nothing
        np.copyto(window.view(np.uint32), lit.view(np.uint32), where=where)  # four bytes at once

    def quads(self, rings: Floats, normals: Floats, colour: Field, alpha: float, gloss: float) -> None:
        """Fill the quads (n, 4, 3) that face the camera, each lit by its normal; thin skins thicken at their sides."""
        turned = normals @ self.turned
        facing = turned @ self.view
        lit = self.light.on(turned)
        glint = np.clip(turned @ self.half, 0, 1) ** 24 * gloss
        for quad, front, bright, shine in zip(self.fine(rings), facing, lit, glint, strict=True):
            if front > 0:
                cover = alpha if alpha > 250 else alpha * (0.6 + 1.6 * (1 - front) ** 3) + shine
                self.fill(quad, colour * bright + shine, cover)

    def revolve(self, profile: Profile, colour: str, alpha: float = 255, inside: bool = False, sides: int = 28) -> None:
        """Fill a wall of revolution, from outside or as seen on its far inner side."""
        around = np.linspace(0, 2 * np.pi, sides + 1) + np.pi / sides
        ring = np.stack([np.cos(around), np.sin(around), 0 * around], axis=1)
        middle = around[:-1] + np.pi / sides
        sign = -1.0 if inside else 1.0
        for (r0, z0), (r1, z1) in pairwise(profile):
            low, high = ring * (r0, r0, 0) + (0, 0, z0), ring * (r1, r1, 0) + (0, 0, z1)
            quads = np.stack([low[:-1], low[1:], high[1:], high[:-1]], axis=1)
            steep = np.hypot(z1 - z0, r1 - r0) + 1e-6
            out, up = sign * (z1 - z0) / steep, sign * (r0 - r1) / steep
            normals = np.stack([np.cos(middle) * out, np.sin(middle) * out, np.full(sides, up)], axis=1)
            self.quads(quads, normals, dye(colour), alpha, 150 if alpha < 250 else 60)

    def slab(self, outline: Floats, low: float, high: float, colours: list[str]) -> None:
        """Fill the walls of a straight solid, in bands of the given colours from the foot up."""
        ends = np.roll(outline, -1, axis=0)
        along = (ends - outline) / (np.linalg.norm(ends - outline, axis=1, keepdims=True) + 1e-9)
        normals = np.stack([along[:, 1], -along[:, 0], 0 * along[:, 0]], axis=1)
        steps = np.linspace(low, high, len(colours) + 1)
        for colour, (z0, z1) in zip(colours, pairwise(steps), strict=True):
            stood = [np.column_stack([points, np.full(len(points), z)]) for points, z in
                     ((outline, z0), (ends, z0), (ends, z1), (outline, z1))]  # fmt: skip
            self.quads(np.stack(stood, axis=1), normals, dye(colour), 255, 20)

    def patch(self) -> Patch:
        """Return what was painted."""
        self.flush()
        return tight_patch(self.paint[..., :3], self.paint[..., 3].copy(), FINE, (int(self.low[0]), int(self.low[1])))


def ring(radius: float, height: float, sides: int = 28, turn: float = 0.0) -> Floats:
    """Return a level ring of points; with few sides, a polygon."""
    around = np.linspace(0, 2 * np.pi, sides, endpoint=False) + np.pi / sides + turn
    return np.stack([np.cos(around) * radius, np.sin(around) * radius, np.full(sides, height)], axis=1)


def round_outline(wide: float, long: float, corner: float) -> Floats:
    """Return a rectangle with round corners, counter-clockwise."""
    corner = min(corner, wide / 2, long / 2)
    turns = np.radians(np.arange(0, 91, 18))
    arcs = [
        np.column_stack([np.cos(turns + k * np.pi / 2), np.sin(turns + k * np.pi / 2)]) * corner
        + (a * (wide / 2 - corner), b * (long / 2 - corner))
        for k, (a, b) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1)))
    ]
    return np.concatenate(arcs)


def flat_corners(wide: float, long: float, height: float, turn: float = 0.0) -> Floats:
    """Return the corners of a flat picture: upper left, upper right, lower right, lower left."""
    flat = np.array([[-wide, long], [wide, long], [wide, -long], [-wide, -long]]) / 2
    return np.column_stack([spun(flat, turn), np.full(4, height)])


def spun(points: Floats, turn_deg: float) -> Floats:
    """Turn flat points counter-clockwise about the middle."""
    swing = np.radians(turn_deg)
    turned: Floats = points @ np.array([[np.cos(swing), np.sin(swing)], [-np.sin(swing), np.cos(swing)]])
    return turned


def cut_profile(profile: Profile, low: float, high: float) -> Profile:
    """Cut a profile to the heights between two."""
    radii, heights = zip(*profile, strict=True)
    cuts = sorted({low, high, *(z for z in heights if low < z < high)})
    return tuple((float(np.interp(z, heights, radii)), z) for z in cuts)
