"""Sprites: a relief with its colours enters once; patches of it, and of its shadow, under any camera leave.

A sprite is laid into the picture with the parallax of its heights: `lift` is a smooth sheet over the body, and each
line of sight is followed down until it meets that sheet.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from studio.art.paint import Field, nothing, rounded, window
from studio.art.relief import RES, Relief, blur, sampled
from studio.light import Light
from studio.patch import Patch
from studio.scene import Pose
from vision.values.geometry import Camera
from vision.values.picture import Picture

NODE_PX = 8  # the way from picture to sprite is exact every so many pixels, and linear between
LIFT_STEP = 8  # pixels of the modelling canvas per cell of `lift`
SHADE_SCALE = RES / 4
SHADE_BLURS_MM = (2.5, 7.0, 18.0)


@dataclass(frozen=True, eq=False, slots=True)
class Sprite:
    """A body from above: colour and cover, facing (normal and openness to the sky), `lift` its smoothed height."""

    colour: Picture  # (h, w, 4)
    facing: Picture  # (h, w, 4)
    lift: Field
    scale: float  # px per mm of colour and facing
    left: float
    high: float
    hull: Field  # (n, 3) points that enclose the body
    shades: Picture  # (h, w, 3) cover at SHADE_SCALE, blurred by each of SHADE_BLURS_MM


def finish(relief: Relief, albedo: Field, detailed: bool) -> Sprite:
    """Return the sprite of a relief with its colours (h, w, 3; 0-255)."""
    cover = np.clip(0.5 - relief.edge * RES, 0, 1).astype(np.float32)
    inside = cover > 0.02
    top = np.where(inside, relief.top, 0)
    facing = _facing(relief.top, top)
    spread = blur(albedo * cover[..., None], 1.5) / np.maximum(blur(cover, 1.5), 1e-3)[..., None]
    colour = np.dstack([np.where(inside[..., None], albedo, spread), cover * 255])
    shrink = 1.0 if detailed else 0.5
    lift, hull = _lift(relief, top, cover)
    return Sprite(
        colour=resized(colour, shrink),
        facing=resized(facing, shrink),
        lift=lift,
        scale=RES * shrink,
        left=relief.left,
        high=relief.high,
        hull=hull,
        shades=_shades(cover),
    )


def _shades(cover: Field) -> Picture:
    """Return the outline with three widths of penumbra."""
    small = resized(cover * 255, 0.25)
    soft = np.dstack([cv2.GaussianBlur(small, (0, 0), s * SHADE_SCALE) for s in SHADE_BLURS_MM])
    ends = [np.minimum(np.arange(size), np.arange(size)[::-1]) / 8 for size in small.shape]
    fade = np.minimum(np.minimum(ends[0][:, None], ends[1][None, :]), 1)  # a penumbra has no edge where the canvas ends
    return (soft * fade[..., None]).astype(np.uint8)


def _facing(sheet: Field, top: Any) -> Field:
    """Return normals and openness, each in 0-255, of the tops and of the steep sheet that joins them to the felt."""
    smooth = blur(np.maximum(sheet, -20), 0.5)
    slope_x, slope_down = (cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=3, scale=RES / 8) for way in ((1, 0), (0, 1)))
    steep = np.minimum(1, 2.4 / np.maximum(np.hypot(slope_x, slope_down), 1e-3))
    normal = np.dstack([-slope_x * steep, slope_down * steep, np.ones_like(smooth)])
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    deep = sum(np.clip((blur(top, s) - top) / (2.2 * s), -0.15, 1) for s in (1.6, 4.0, 9.0))
    sky = np.clip(1 - 0.75 * np.asarray(deep), 0.25, 1) * (0.55 + 0.45 * normal[..., 2])
    return np.asarray(np.dstack([normal * 127 + 128, sky * 255]), np.float32)


def resized(picture: Any, share: float) -> Picture:
    """Return a picture in bytes, made smaller where the share is below one."""
    size = (round(picture.shape[1] * share), round(picture.shape[0] * share))
    small = cv2.resize(np.asarray(picture, np.float32), size, interpolation=cv2.INTER_AREA) if share < 1 else picture
    return rounded(np.asarray(small))


def _lift(relief: Relief, top: Any, cover: Field) -> tuple[Field, Field]:
    """Return the height as a smooth sheet that goes on beyond the outline, and points around the body."""
    size = (relief.shape[1] // LIFT_STEP, relief.shape[0] // LIFT_STEP)
    mass = cv2.resize(cover, size, interpolation=cv2.INTER_AREA)
    load = cv2.resize(np.asarray(top * cover, np.float32), size, interpolation=cv2.INTER_AREA)
    sums = [np.full(mass.shape, 1e-9), np.full(mass.shape, 1e-9 * float(load.sum() / mass.sum()))]
    for sigma, weight in ((1.6, 1.0), (7.0, 1e-2), (25.0, 1e-4)):
        sums[0] = sums[0] + weight * cv2.GaussianBlur(mass, (0, 0), sigma)
        sums[1] = sums[1] + weight * cv2.GaussianBlur(load, (0, 0), sigma)
    lift = (sums[1] / sums[0]).astype(np.float32)
    around = cv2.dilate(mass, np.ones((3, 3), np.uint8)) > 0
    rows, cols = np.nonzero(around & (cv2.erode(mass, np.ones((3, 3), np.uint8)) < 1))
    step = LIFT_STEP / RES
    hull = np.stack([relief.left + (cols + 0.5) * step, relief.high - (rows + 0.5) * step, lift[rows, cols]], axis=1)
    return lift, np.asarray(hull, np.float32)


def lay(sprite: Sprite, pose: Pose, camera: Camera, light: Light) -> Patch:
    """Return a sprite as the camera sees it, its origin at the pose."""
    turned = _turned(pose)
    ground = sprite.hull[:, :2] @ turned.T + (pose.x, pose.y)
    box = window(camera.project(np.column_stack([ground, sprite.hull[:, 2] + pose.z])), camera, 2)
    if not box[2] or not box[3]:
        return nothing()
    felt = camera.place(_nodes(box))[..., :2]
    drift = (np.array(camera.position_mm[:2]) - felt) / camera.position_mm[2]
    place, _ = _met(sprite, pose, felt, drift)
    x, y = _ways(place, sprite.scale, box)
    lamp = (*(np.array(light.towards[:2]) @ turned).tolist(), light.towards[2])
    lit = cv2.remap(_lit(sprite, lamp, light.ambient), x, y, cv2.INTER_LINEAR)
    colour, cover = cv2.cvtColor(lit, cv2.COLOR_BGRA2BGR), cv2.extractChannel(lit, 3)
    return Patch(box[0], box[1], np.asarray(colour, np.uint8), np.asarray(cover, np.uint8))


def cast(sprite: Sprite, pose: Pose, camera: Camera, light: Light) -> Patch:
    """Return the shadow of a sprite on the felt: black, as dense as it takes light away, softer under higher parts."""
    lean = np.array(light.towards[:2]) / light.towards[2]
    height = sprite.hull[:, 2:] + pose.z
    ground = sprite.hull[:, :2] @ _turned(pose).T + (pose.x, pose.y) - lean * height
    box = window(camera.project(np.column_stack([ground, np.zeros(len(ground))])), camera, 16)
    if not box[2] or not box[3]:
        return nothing()
    felt = camera.place(_nodes(box))[..., :2]
    place, height_mm = _met(sprite, pose, felt, np.broadcast_to(lean, felt.shape))
    shades = cv2.remap(sprite.shades, *_ways(place, SHADE_SCALE, box), cv2.INTER_LINEAR)
    cover = (shades * _penumbra(height_mm, light.ambient, box)).sum(axis=2)
    return Patch(box[0], box[1], np.zeros((*cover.shape, 3), np.uint8), cover.round().astype(np.uint8))


def _penumbra(height_mm: Field, ambient: float, box: tuple[int, int, int, int]) -> Field:
    """Return how much each of a sprite's shades counts: a ceiling lamp blurs by about an eighth of the height."""
    sharp, middle, wide = SHADE_BLURS_MM
    blur_mm = 2 + 0.13 * np.maximum(height_mm, 0)
    one, two = np.clip((blur_mm - sharp) / (middle - sharp), 0, 1), np.clip((blur_mm - middle) / (wide - middle), 0, 1)
    dense = (1 - ambient) * 0.92 + ambient * 0.4 * np.exp(-np.maximum(height_mm, 0) / 45)
    return _spread(np.dstack([1 - one, one - two, two]) * dense[..., None], box)


def _turned(pose: Pose) -> Any:
    """Return the matrix that turns a body's own directions into the table's."""
    turn = np.radians(pose.angle)
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def _nodes(box: tuple[int, int, int, int]) -> Any:
    """Return the pixels at which the way to the sprite is worked out, one row and column beyond the box."""
    u, v, width, height = box
    columns, rows = ((np.arange(-1, size // NODE_PX + 2) + 0.5) * NODE_PX - 0.5 for size in (width, height))
    return np.stack(np.meshgrid(columns + u, rows + v), axis=-1)


def _spread(nodes: Any, box: tuple[int, int, int, int]) -> Field:
    """Return values at the nodes as values at every pixel of the box."""
    wide = cv2.resize(np.asarray(nodes, np.float32), None, fx=NODE_PX, fy=NODE_PX)
    return np.asarray(wide[NODE_PX : NODE_PX + box[3], NODE_PX : NODE_PX + box[2]])


def _met(sprite: Sprite, pose: Pose, felt: Any, drift: Any) -> tuple[Any, Field]:
    """Return where lines from the felt, with their drift per millimetre of height, meet a sprite, and how high."""
    turned, step = _turned(pose), LIFT_STEP / RES
    corner = np.array([sprite.left, sprite.high])
    start = (((felt - (pose.x, pose.y)) @ turned - corner) * (1 / step, -1 / step)).astype(np.float32)
    go = ((drift @ turned) * (1 / step, -1 / step)).astype(np.float32)
    height_mm = np.full(felt.shape[:2], pose.z + float(sprite.lift.mean()), np.float32)
    for _ in range(7):  # a line meets the sheet where both agree on the height
        at = start + go * height_mm[..., None] - np.float32(0.5)
        height_mm = sampled(sprite.lift, at[..., 0], at[..., 1], cv2.BORDER_REPLICATE) + np.float32(pose.z)
    return (start + go * height_mm[..., None]) * step, height_mm


def _ways(place: Any, scale: float, box: tuple[int, int, int, int]) -> tuple[Field, Field]:
    """Return for every pixel of the box the column and row of the sprite that it shows."""
    wide = _spread(place * scale - 0.5, box)
    x, y = cv2.split(wide)
    return np.asarray(x), np.asarray(y)


def _lit(sprite: Sprite, lamp: tuple[float, float, float], ambient: float) -> Picture:
    """Return the sprite's colours under the light; the lamp is given as the body has it."""
    direct = np.array(lamp) * (1 - ambient) * 255 / 127
    weights = np.array([[*direct, ambient, -128 * direct.sum()]])
    shade = cv2.transform(sprite.facing, weights)
    return np.asarray(
        cv2.multiply(sprite.colour, cv2.merge([shade, shade, shade, np.full_like(shade, 255)]), scale=1 / 255)
    )
