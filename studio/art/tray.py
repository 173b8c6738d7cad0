"""The chip tray: its place, a chip set and a camera enter; one patch leaves, tubes and chips in relief."""

import cv2
import numpy as np

from studio.art.paint import Field, bgr, clouds, patch_of, window
from studio.art.solids import GREYS, box_of
from studio.light import Light
from studio.patch import Patch
from vision.table.layout import Shape
from vision.values.chips import Chip, ChipSet
from vision.values.geometry import Camera, Floats

TEXTURE_PX_PER_MM = 1.5
TRAY_PITCH_MM, TRAY_RIM_MM, TRAY_STEPS = 47.0, 8.0, 14


def paint_tray(shape: Shape, camera: Camera, chips: ChipSet, light: Light, rng: np.random.Generator) -> list[Patch]:
    """Return the chip tray: tubes sunk into the table, chips on edge in them, seen in relief."""
    left, right, low, high = box_of(shape)
    colour, height = _tray_relief(right - left, high - low, chips, light, rng)
    ends = np.array([(x, y, z) for x in (left, right) for y in (low, high) for z in (0.0, float(height.max()))])
    u, v, width, tall = window(camera.project(ends), camera, 1)
    if not width or not tall:
        return []
    fold = 2  # finer, then averaged: smooth edges
    grid = np.stack(np.meshgrid(np.arange(width * fold), np.arange(tall * fold)), axis=-1)
    seen = _march(camera, (grid + 0.5) / fold - 0.5 + (u, v), colour, height, (left, high))
    return [patch_of(seen, fold, (u, v))]


def _march(camera: Camera, pixels: Floats, colour: Field, height: Field, corner: tuple[float, float]) -> Field:
    """Return what rays meet of a relief (BGR and cover): they sink by steps until they are below its surface."""
    found = np.zeros((*pixels.shape[:2], 4), np.float32)
    top, bottom = float(height.max()), float(height.min())
    first, last = (camera.place(pixels, level).astype(np.float32) for level in (top, bottom))
    for share in np.linspace(0, 1, TRAY_STEPS, dtype=np.float32):
        level, places = top + share * (bottom - top), first + share * (last - first)
        u = ((places[..., 0] - corner[0]) * TEXTURE_PX_PER_MM - 0.5).astype(np.float32)
        v = ((corner[1] - places[..., 1]) * TEXTURE_PX_PER_MM - 0.5).astype(np.float32)
        surface = cv2.remap(height, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(-999.0,))
        meets = (found[..., 3] == 0) & (surface >= level - 1e-3)
        shades = cv2.remap(colour, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        found[meets, :3] = shades[meets]
        found[meets, 3] = 255
    return found


def _tray_relief(
    width: float, tall: float, chips: ChipSet, light: Light, rng: np.random.Generator
) -> tuple[Field, Field]:
    """Return the tray from above: its colours, and how high everything stands."""
    size = (round(tall * TEXTURE_PX_PER_MM), round(width * TEXTURE_PX_PER_MM))
    steel = np.array(bgr(str(rng.choice(GREYS))), np.float32)
    colour = steel * (1.25 + 0.06 * clouds(rng, size, 9))[..., None]
    height = np.full(size, 4.0, np.float32)
    count = int((width - 2 * TRAY_RIM_MM) // TRAY_PITCH_MM)
    start = (width - count * TRAY_PITCH_MM) / 2
    for column, chip in enumerate(_sorted_columns(chips, count)):
        first = round((start + column * TRAY_PITCH_MM) * TEXTURE_PX_PER_MM)
        last = round((start + (column + 1) * TRAY_PITCH_MM) * TEXTURE_PX_PER_MM)
        rim = round(TRAY_RIM_MM * TEXTURE_PX_PER_MM)
        part = (slice(rim, size[0] - rim), slice(first, last))
        colour[part], height[part] = _tube(chip, chips, height[part].shape, light, steel, rng)
    return np.ascontiguousarray(colour, np.float32), height


def _sorted_columns(chips: ChipSet, count: int) -> list[Chip]:
    """Return whose chips stand in each tube: the dearest in the middle, falling to both sides."""
    dearest = list(reversed(chips.chip))
    rank = [int(abs(column - (count - 1) / 2) * 2 * len(dearest) / (count + 1)) for column in range(count)]
    return [dearest[min(place, len(dearest) - 1)] for place in rank]


def _tube(
    chip: Chip, chips: ChipSet, size: tuple[int, ...], light: Light, steel: Field, rng: np.random.Generator
) -> tuple[Field, Field]:
    """Return one tube of the tray, chips from its dealer's end, in stacks of twenty with a clear disc between."""
    rows, columns = size
    radius = chips.diameter_mm / 2
    across = np.clip((np.arange(columns) + 0.5 - columns / 2) / TEXTURE_PX_PER_MM / radius, -0.999, 0.999)
    turn = np.arcsin(across)
    along = (rows - 1 - np.arange(rows)) / TEXTURE_PX_PER_MM
    number = (along / chips.thickness_mm).astype(int)
    looks = _edge_colours(chip, turn, int(number.max()) + 1, rng)
    seam = 0.82 + 0.18 * np.clip(np.abs(along / chips.thickness_mm % 1 - 0.5) * -6 + 3, 0, 1)
    body = looks[number] * seam[:, None, None]
    body[number % 21 == 20] = body[number % 21 == 20] * 0.3 + 120
    shine = light.on(np.stack([np.sin(turn), 0 * turn, np.cos(turn)], axis=-1)) * (0.55 + 0.45 * np.cos(turn) ** 0.5)
    chipped = body * shine[None, :, None] + 26 * np.exp(-(((turn - 0.25) / 0.18) ** 2))[None, :, None]
    is_full = (number < number.max() * rng.uniform(0.35, 1.15))[:, None]
    groove = steel * (0.35 + 0.65 * np.abs(across[:, None]))[None] + 0 * body
    groove[..., :] += 30 * np.exp(-(((across + 0.5) / 0.1) ** 2))[None, :, None]
    high, deep = radius * np.cos(turn) - 6, 2 - 16 * np.cos(turn)
    colour = np.where(is_full[..., None], chipped, groove).astype(np.float32)
    return colour, np.where(is_full, high[None], deep[None]).astype(np.float32)


def _edge_colours(chip: Chip, turn: Floats, count: int, rng: np.random.Generator) -> Field:
    """Return what shows of each chip's edge, every chip turned by chance."""
    angles = np.degrees(turn)[None, :] + rng.uniform(0, 360, (count, 1))
    looks = np.broadcast_to(np.array(bgr(chip.base), np.float32), (*angles.shape, 3)).copy()
    for spots in chip.spots:
        step = 360 / spots.count
        off = (angles - spots.offset_deg + step / 2) % step - step / 2
        looks[np.abs(off) < spots.width_deg / 2] = bgr(spots.colour)
    return looks * rng.uniform(0.92, 1.04, (count, 1, 1)).astype(np.float32)
